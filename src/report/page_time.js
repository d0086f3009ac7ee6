/*
 * The time line: which lines each of its charts has, and that all of them show the same part of it, as
 * fine as there are pixels.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;
  var STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200];

  function columnsOf(spec, device) {
    return spec.columns || spec.rates.map(function (r) { return tools.rateColumn(device, r); });
  }

  /* Rows for dygraphs, from 0 s on: fine where the view is, coarse elsewhere. */
  function rowsOf(spec) {
    var rows = page.series.rows;
    var columns = columnsOf(spec, page.device);
    var basis = spec.device ? tools.rateColumn(page.device, 0) : -1;
    var out = [[0].concat(columns.map(function () { return null; }))];

    for (var i = 0, end = 0; i < rows.length; i = end) {
      var seen = rows[i][0] >= page.view.from && rows[i][0] <= page.view.to;
      end = Math.min(i + (seen ? page.view.step : page.view.coarse), rows.length);
      var row = [rows[end - 1][0]];
      for (var k = 0; k < columns.length; k++)
        row.push(spec.stack ? tools.meanOf(tools.bandOf(i, end, columns[k], basis)) : tools.bandOf(i, end, columns[k], basis, spec.lines[k].peak));
      out.push(row);
    }
    return out;
  }

  function line(index, name, width, peak) {
    return {name: name, color: 'c' + (index + 1), dash: tools.dashes[index], width: width, peak: peak};
  }

  function highest(rows) {
    return rows.reduce(function (most, row) {
      return row.slice(1).reduce(function (m, band) { return band ? Math.max(m, band[2]) : m; }, most);
    }, 0);
  }

  function specTps() {
    var columns = [tools.column('tps')];
    var lines = [{name: 'all', color: 'c1', dash: null, width: 2}];
    var ceiling = page.result.workload && page.result.workload.ceiling_tps;
    var spec;

    tools.types.forEach(function (name, i) {
      var at = tools.column('tps_' + name);
      if (at < 0 || !page.series.rows.some(function (row) { return row[at] !== null; }))
        return;
      columns.push(at);
      lines.push({name: name, color: 'c' + (i + 2), dash: tools.dashes[i + 1], width: 1.2});
    });
    spec = {id: 'tps', lines: lines, columns: columns};
    if (ceiling > 0)
      spec.level = {name: 'ceiling', value: ceiling};
    return spec;
  }

  function plainLines(names) {
    return names.map(function (name, i) {
      return {name: name, color: 'c' + (i + 2), dash: tools.dashes[i]};
    });
  }

  /* The first one lies on top. */
  function specWaits() {
    var names = ['cpu', 'read', 'write', 'wal', 'lock', 'client', 'other'];
    var words = ['CPU', 'data reads', 'data writes', 'WAL', 'locks', 'driver', 'other'];
    var colors = ['c6', 'c2', 'c4', 'c3', 'c5', 'c7', 'soft'];

    return {id: 'waits', stack: true, range: [0, 103],
            lines: words.map(function (w, i) { return {name: w, color: colors[i], dash: tools.dashes[i]}; }),
            columns: names.map(function (n) { return tools.column('server.wait_' + n + '_percent'); })};
  }

  function specs() {
    var rate = function (id, names, first) {
      return {id: id, device: true, lines: plainLines(names),
              rates: names.map(function (n, i) { return first + i; })};
    };
    var list = [
      specTps(),
      {id: 'latency', log: true, lines: [line(0, 'avg', 2), line(1, 'p50'), line(2, 'p95'), line(3, 'p99'), line(4, 'max', 1, true)],
       columns: ['avg', 'p50', 'p95', 'p99', 'max'].map(function (n) { return tools.column('response_' + n + '_ms'); })},
      {id: 'sessions', lines: plainLines(['sessions busy', 'users waiting for one']),
       columns: [tools.column('sessions_busy'), tools.column('queue')]},
      specWaits(),
      rate('iops', ['reads', 'writes', 'flushes'], 0),
      rate('mib', ['read', 'written'], 3),
      rate('await', ['read', 'write', 'flush'], 5),
      {id: 'depth', device: true, lines: plainLines(['depth']), rates: [8]},
      {id: 'temperature', lines: plainLines(['hottest drive']), columns: [tools.column('temperature_c')]}
    ];

    return list.filter(function (spec) { return tools.byId(spec.id); });
  }

  /* About a point for each pixel: as many intervals in one as that takes. */
  function stepFor(intervals, pixels) {
    return STEPS.filter(function (s) { return intervals / s <= pixels; })[0] || STEPS[STEPS.length - 1];
  }

  /* The view of a window of time, null: of all; the parts beside it are as fine, so that a little
   * panning shows them. */
  function viewOf(window_, pixels) {
    var rows = page.series.rows;
    var end = rows[rows.length - 1][0] || 1;
    var whole = stepFor(rows.length, pixels);
    var width = window_ ? window_[1] - window_[0] : end;
    var from = window_ ? window_[0] : 0;

    return {window: window_, from: from - width / 2, to: from + 1.5 * width, coarse: whole,
            step: stepFor(rows.length * width / end, pixels)};
  }

  function sameWindow(a, b) {
    return a === b || (a && b && a[0] === b[0] && a[1] === b[1]);
  }

  /* Called when a chart was drawn: all others show the same part of the time line, each drawn once. The
   * synchronizer of dygraphs could do that too, but not give them other rows with it. */
  function follow(g, initial) {
    var view;

    if (initial || page.following || !page.stacked)
      return;
    view = viewOf(g.isZoomed('x') ? g.xAxisRange() : null, g.getArea().w);
    if (sameWindow(view.window, page.view.window) && view.step === page.view.step)
      return;
    page.following = true;
    page.view = view;
    page.stacked.forEach(function (chart) {
      chart.graph.updateOptions({file: rowsOf(chart.spec), dateWindow: view.window});
    });
    page.following = false;
  }

  function drawTime() {
    var stacked = specs();

    page.device = tools.byId('device') ? Number(tools.byId('device').value) : 0;
    page.view = viewOf(null, tools.byId(stacked[0].id).querySelector('.plot').clientWidth - 60);
    stacked.forEach(function (spec) {
      var rows = rowsOf(spec);
      if (spec.id === 'tps') /* room for the ceiling and, above all lines, the names of the phases */
        spec.range = [0, 1.3 * Math.max(spec.level ? spec.level.value : 0, highest(rows)) || 1];
      spec.drawn = follow;
      tools.draw(spec, rows);
    });
    Dygraph.synchronize(page.charts.map(function (c) { return c.graph; }), {selection: true, zoom: false});
    page.stacked = page.charts.slice();
  }

  Object.assign(tools, {drawTime: drawTime, rowsOf: rowsOf});
})();
