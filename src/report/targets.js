/*
 * The charts of a page of several targets: each one's line and the sum's over the sample, drawn with the
 * tools of page.js.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;
  var MOST = 5; /* targets with a line of their own: with the sum, as many as there are dashes */

  if (!tools.byId('packed-targets'))
    return;

  /* Of the targets the greatest or the least figure of each moment. */
  function extreme(name, lines, key, choose) {
    var line = {name: name};

    line[key] = lines[0][key].map(function (_, b) {
      var found = lines.map(function (l) { return l[key][b]; }).filter(function (v) { return v !== null; });
      return found.length ? choose.apply(null, found) : null;
    });
    return line;
  }

  function linesOf(data, key, words) {
    var each = data.lines.slice(1);

    if (each.length <= MOST)
      return data.lines;
    return [data.lines[0], extreme(words[0], each, key, Math.max), extreme(words[1], each, key, Math.min)];
  }

  function drawChart(data, spec, key, words) {
    var lines = linesOf(data, key, words);
    var rows = lines[0][key].map(function (_, b) {
      return [(b + 1) * data.seconds].concat(lines.map(function (l) { return l[key][b]; }));
    });

    rows.unshift([0].concat(lines.map(function () { return null; })));
    spec.lines = lines.map(function (l, i) {
      return {name: l.name, color: 'c' + (i + 1), dash: tools.dashes[i], width: i ? 1.5 : 2};
    });
    tools.draw(Object.assign(spec, {curve: true, own: true, ticker: tools.timeTicks}), rows);
  }

  function begin(texts) {
    var data = JSON.parse(texts[0]);

    page.saved = {'targets.csv': texts[1], 'result.json': texts[2]};
    page.series = {names: [], rows: []};
    page.errors = [];
    page.marks = [];
    page.phases = [];
    drawChart(data, {id: 'tps'}, 'tps', ['fastest', 'slowest']);
    drawChart(data, {id: 'p99', log: true}, 'p99', ['slowest', 'fastest']);
    Dygraph.synchronize(page.charts.map(function (c) { return c.graph; }), {selection: true, zoom: true, range: false});
    tools.listen();
    document.documentElement.dataset.state = 'ready';
  }

  tools.start(['packed-targets', 'packed-csv', 'packed-json'], begin);
})();
