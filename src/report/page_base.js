/*
 * The scripts of a page, one file for each concern, joined at build time in the order of the Makefile:
 * what one offers to the others is in window.tpccReport.tools. Nothing is fetched. window.tpccReport
 * also tells tests what is there; <html data-state> says "ready" or "failed".
 */
(function () {
  'use strict';

  var root = document.documentElement;
  var tools = {
    root: root,
    types: ['new_order', 'payment', 'order_status', 'delivery', 'stock_level', 'delivery_deferred'],
    dashes: [null, [7, 3], [2, 2], [10, 3, 2, 3], [4, 4], [14, 3], [14, 3, 2, 3, 2, 3]]
  };
  /* view: which part of the time line the charts show (null: all), and how many intervals make one
   * point of a line there and elsewhere. */
  var page = {charts: [], device: 0, view: {window: null, from: 0, to: 0, step: 1, coarse: 1}, tools: tools};

  window.tpccReport = page;
  root.classList.remove('plain');

  function byId(id) {
    return document.getElementById(id);
  }

  function all(selector, from) {
    return Array.prototype.slice.call((from || document).querySelectorAll(selector));
  }

  function color(name) {
    return getComputedStyle(root).getPropertyValue('--' + name).trim();
  }

  function fail(error) {
    var trouble = byId('trouble');

    root.dataset.state = 'failed';
    if (!trouble)
      return;
    trouble.hidden = false;
    trouble.textContent = 'The charts can\'t be drawn here (' + (error && error.message || error) +
                          '); the words and tables say the same.';
  }

  function start(packed, then) {
    if (typeof DecompressionStream === 'undefined')
      fail('this browser can\'t unpack their data');
    else
      page.ready = Promise.all(packed.map(tools.unpack)).then(then).catch(fail);
  }

  Object.assign(tools, {byId: byId, all: all, color: color, start: start});
})();
