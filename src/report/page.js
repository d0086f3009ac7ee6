/*
 * The page of a result: its words, tables and frames are there already; here the packed series are
 * unpacked and drawn into the frames.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;

  function drawCurve() {
    var curves = JSON.parse(tools.byId('packed-curves').textContent);
    var names = tools.types.filter(function (n) { return curves[n]; });
    var xs = {};
    var rows;

    if (!tools.byId('curve'))
      return;
    if (names.length === 0) {
      tools.byId('curve').querySelector('.drawn').hidden = true;
      tools.byId('curve').querySelector('.says').textContent = 'No transaction was done.';
      return;
    }
    names.forEach(function (name, k) {
      curves[name].forEach(function (point) {
        if (!xs[point[0]])
          xs[point[0]] = [point[0]].concat(names.map(function () { return null; }));
        xs[point[0]][k + 1] = point[1];
      });
    });
    rows = Object.keys(xs).map(function (x) { return xs[x]; }).sort(function (a, b) { return a[0] - b[0]; });
    rows.unshift([0].concat(names.map(function () { return null; })));
    tools.draw({id: 'curve', curve: true, log: true, lines: names.map(function (n) {
      var i = tools.types.indexOf(n);
      return {name: n, color: 'c' + (i + 2), dash: tools.dashes[i + 1], width: 1.8};
    })}, rows);
  }

  function begin(texts) {
    page.saved = {'series.csv': texts[0], 'result.json': texts[1]};
    page.series = tools.readSeries(texts[0]);
    page.result = JSON.parse(texts[1]);
    page.phases = (page.result.phases || []).filter(function (p) { return p.end_s > p.start_s; });
    if (page.phases.length === 0)
      page.phases = tools.phasesOfRows();
    page.errors = page.result.errors || [];
    page.marks = page.result.marks || [];
    if (page.series.rows.length > 0)
      tools.drawTime();
    drawCurve();
    tools.listen();
    tools.root.dataset.state = 'ready';
  }

  if (tools.byId('packed-series')) /* else it is another page's: compare.js, ladder.js */
    tools.start(['packed-series', 'packed-result'], begin);
})();
