/*
 * Looks at the page of a result from within, for tests/e2e/html.sh, which puts it behind the page's
 * own script: what it finds wrong, one line each, or "all well", goes into an element "findings".
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var wrong = [];

  function want(holds, text) {
    if (!holds)
      wrong.push('WRONG: ' + text);
  }

  function canvasOf(chart) {
    return chart.plot.querySelector('canvas');
  }

  /* Pixels of nearly the line's own colour: the grid, shades and texts have others. */
  function drawnPixels(chart, name) {
    var canvas = canvasOf(chart);
    var copy = document.createElement('canvas');
    var ctx = copy.getContext('2d', {willReadFrequently: true});
    var data;
    var wanted;
    var n = 0;

    copy.width = canvas.width;
    copy.height = canvas.height;
    ctx.drawImage(canvas, 0, 0);
    data = ctx.getImageData(0, 0, canvas.width, canvas.height).data;
    ctx.fillStyle = name;
    wanted = ctx.fillStyle.match(/[0-9a-f]{2}/g).map(function (h) { return parseInt(h, 16); });
    for (var i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 100 && Math.abs(data[i] - wanted[0]) + Math.abs(data[i + 1] - wanted[1]) +
                                   Math.abs(data[i + 2] - wanted[2]) < 60)
        n++;
    }
    return n;
  }

  function lookAtDrawings() {
    page.charts.forEach(function (chart) {
      /* Of a comparison's lines, which may run over each other, the one that is drawn last. */
      var line = chart.spec.lines[chart.spec.own ? chart.spec.lines.length - 1 : 0];
      var colour = getComputedStyle(document.documentElement).getPropertyValue('--' + line.color).trim();
      want(drawnPixels(chart, colour) > 20, 'nothing is drawn in ' + chart.spec.id);
      want(chart.figure.querySelector('h3').textContent, chart.spec.id + ' has no title');
      want(chart.figure.querySelectorAll('.axis').length === 2, chart.spec.id + ' has no names of axes');
      want(chart.figure.querySelector('.says').textContent.length > 20, chart.spec.id + ' has no words');
      want(chart.figure.querySelectorAll('.key').length >= (chart.spec.keys || chart.spec.lines).length, chart.spec.id + ' has no legend');
    });
  }

  /* Nothing sticks out of the page, and no text out of what holds it. */
  function lookAtLayout() {
    var width = document.documentElement.clientWidth;

    want(document.documentElement.scrollWidth <= width, 'the page is wider than the window');
    document.querySelectorAll('main *').forEach(function (e) {
      var box = e.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && !e.closest('.plot') && (box.right > width + 1 || box.left < -1))
        want(false, 'sticks out: ' + e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 40));
    });
    document.querySelectorAll('main .table').forEach(function (e) {
      want(e.scrollWidth <= e.clientWidth + 1, 'a table is cut: ' + e.textContent.slice(0, 40));
    });
  }

  function lookAtZoom() {
    var g = page.stacked[0].graph;
    var whole = g.xAxisExtremes();
    var part = [whole[0] + (whole[1] - whole[0]) / 4, whole[0] + (whole[1] - whole[0]) / 2];

    g.updateOptions({dateWindow: part});
    page.stacked.forEach(function (c) {
      want(Math.abs(c.graph.xAxisRange()[0] - part[0]) < 1e-6 && Math.abs(c.graph.xAxisRange()[1] - part[1]) < 1e-6,
           c.spec.id + ' does not zoom with the others');
    });
    document.querySelector('[data-show="all"]').click();
    page.stacked.forEach(function (c) {
      want(c.graph.xAxisRange()[1] >= whole[1] - 1e-6, c.spec.id + ' does not come back');
    });
    document.querySelector('[data-show="sample"]').click();
    want(!page.phases.some(function (p) { return p.name === 'sample' && p.start_s > 0 && g.xAxisRange()[0] !== p.start_s; }),
         'the button for the sample does not show it');
    document.querySelector('[data-show="all"]').click();
  }

  function lookAtCursor() {
    var row = Math.floor(page.stacked[1].graph.numRows() / 2);
    var lefts = [];

    page.stacked[1].graph.setSelection(row, undefined, undefined, true);
    page.stacked.forEach(function (c) {
      var line = c.plot.querySelector('.line');
      want(line.style.display !== 'none', c.spec.id + ' has no cursor');
      lefts.push(line.style.left);
      want(c.figure.querySelector('.key b').textContent !== '', c.spec.id + ' shows no value at the cursor');
    });
    want(lefts.every(function (l) { return l === lefts[0]; }), 'the cursors stand apart: ' + lefts);
    want(/cursor at \d+:\d\d:\d\d, /.test(document.getElementById('cursor').textContent), 'no time of the cursor');
    page.stacked[1].graph.clearSelection();
  }

  function lookAtDevices() {
    var choice = document.getElementById('device');
    var last;

    if (!choice)
      return;
    last = choice.options.length - 1;
    choice.value = String(last);
    choice.dispatchEvent(new Event('change'));
    page.stacked.filter(function (c) { return c.spec.device; }).forEach(function (c) {
      var shown = Array.prototype.filter.call(c.figure.querySelectorAll('.says'), function (p) { return !p.hidden; });
      want(shown.length === 1 && shown[0].dataset.device === String(last), c.spec.id + ' keeps the words of another device');
    });
    choice.value = '0';
    choice.dispatchEvent(new Event('change'));
  }

  /* Lines differ without their colours, as far as there are dashes for them. */
  function lookAtDashes() {
    page.charts.forEach(function (chart) {
      var keys = chart.spec.keys || chart.spec.lines;
      var dashes = keys.map(function (k) { return JSON.stringify(k.dash); });

      want(keys.length > 6 || dashes.every(function (d, i) { return dashes.indexOf(d) === i; }),
           chart.spec.id + ' has two lines that only their colour tells apart');
    });
  }

  /* What each button would save, in place of the browser's own saving. */
  function lookAtSaving() {
    var click = HTMLAnchorElement.prototype.click;
    var create = URL.createObjectURL;
    var saved = [];

    URL.createObjectURL = function (blob) {
      saved.push(blob.size);
      return create.call(URL, blob);
    };
    HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
    document.querySelectorAll('[data-save]').forEach(function (b) {
      saved = [];
      b.click();
      want(saved.length === 2 && saved[0] > 10 && saved[1] === b.dataset.save, 'nothing is saved as ' + b.dataset.save);
    });
    HTMLAnchorElement.prototype.click = click;
    URL.createObjectURL = create;
  }

  /* What the browser tells before and after it prints. */
  function lookAtPaper() {
    var widths = page.charts.map(function (c) { return c.plot.clientWidth; });

    window.dispatchEvent(new Event('beforeprint'));
    page.charts.forEach(function (c) { want(canvasOf(c).clientWidth === 946, c.spec.id + ' is not as wide as paper'); });
    want(document.documentElement.dataset.theme === 'light', 'paper is not white');
    lookAtDrawings();
    window.dispatchEvent(new Event('afterprint'));
    page.charts.forEach(function (c, i) {
      want(canvasOf(c).clientWidth === widths[i], c.spec.id + ' is not as wide as before');
    });
  }

  function lookAtData() {
    var names = page.series.names.length;

    want(page.series.rows.every(function (r) { return r.length === names; }), 'rows of other lengths than the header');
    want(performance.getEntriesByType('resource').length === 0, 'the page fetches something');
  }

  function put(id, text) {
    var pre = document.createElement('pre');

    pre.id = id;
    pre.textContent = text;
    document.body.appendChild(pre);
  }

  function look() {
    want(document.documentElement.dataset.state === 'ready', 'state ' + document.documentElement.dataset.state + ': ' +
                                                             document.getElementById('trouble').textContent);
    if (wrong.length === 0) {
      lookAtDrawings();
      lookAtLayout();
      if (page.stacked) { /* charts over time */
        lookAtZoom();
        lookAtCursor();
      }
      lookAtDevices();
      lookAtDrawings();
      lookAtDashes();
      lookAtSaving();
      lookAtPaper();
      lookAtDrawings();
      lookAtData();
    }
    put('findings', wrong.length ? wrong.join('\n') : 'all well: ' + page.charts.length + ' charts');
    Object.keys(page.saved).forEach(function (name) { put(name.replace('.', '-'), page.saved[name]); });
  }

  page.ready.then(look).catch(function (e) { put('findings', 'WRONG: ' + e.stack); });
})();
