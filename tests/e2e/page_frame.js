/*
 * A headless window is never narrower than 500 pixels; a frame is. This shows a page in a frame of
 * the width of a phone (tests/e2e/page_lib.bash), waits for its scripts and its probe, and puts the
 * document that came of it into the place of its own.
 */
(function () {
  'use strict';

  var frame = document.querySelector('iframe');
  var looks = 0;

  function isReady(page) {
    return page && page.documentElement && page.documentElement.dataset.state &&
           (!page.getElementById('probe') || page.getElementById('findings'));
  }

  function look() {
    var page = frame.contentDocument;

    if (isReady(page) || ++looks > 300)
      document.replaceChild(document.importNode(page.documentElement, true), document.documentElement);
    else
      setTimeout(look, 50);
  }

  look();
})();
