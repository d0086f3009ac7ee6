/*
 * The charts of a ladder's page: figures over the number of users or the offered rate, drawn with the tools of page.js.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;
  var CHARTS = [
    {id: 'curve', log: true, keys: ['response_avg_ms', 'response_p95_ms', 'response_p99_ms'], names: ['avg', 'p95', 'p99']},
    {id: 'tps', keys: ['tps', 'ceiling_tps'], names: ['TPS', 'ceiling'], ofRates: ['TPS', 'offered']},
    {id: 'iops', keys: ['reads_per_s', 'writes_per_s', 'flushes_per_s'], names: ['reads', 'writes', 'flushes']},
    {id: 'await', keys: ['read_await_ms', 'write_await_ms', 'flush_await_ms'], names: ['read', 'write', 'flush']}
  ];

  if (!tools.byId('packed-ladder'))
    return;

  function hide(id, why) {
    tools.byId(id).querySelector('.drawn').hidden = true;
    tools.byId(id).querySelector('.says').textContent = why;
  }

  function highest(rows) {
    return rows.reduce(function (most, row) { return Math.max.apply(null, [most].concat(row.slice(1))); }, 0);
  }

  function ticks(from, to, pixels) {
    var step = Math.pow(10, Math.floor(Math.log(to - from || 1) / Math.LN10));
    var least = (to - from) / Math.max(1, pixels / 70);
    var found = [];

    step = [0.1, 0.2, 0.5, 1, 2, 5].map(function (f) { return f * step; }).filter(function (s) { return s >= least; })[0] || 10 * step;
    for (var v = Math.ceil(from / step) * step; v <= to && found.length < 50; v += step)
      found.push({v: v, label: Math.round(v).toLocaleString('en-US')});
    return found;
  }

  /* Of the same load only the last. */
  function rowsOf(data, chart) {
    var rows = [];

    data.rows.forEach(function (step) {
      var row = [step.load].concat(chart.keys.map(function (key) { return step[key]; }));
      if (rows.length && rows[rows.length - 1][0] === step.load)
        rows.pop();
      rows.push(row);
    });
    return rows;
  }

  function drawChart(data, chart) {
    var rows = rowsOf(data, chart);
    var names = data.rates && chart.ofRates || chart.names;
    var none;
    var spec = {
      id: chart.id, curve: true, points: true, ticker: ticks, log: chart.log,
      lines: names.map(function (name, i) {
        return {name: name, color: 'c' + (i + 1), dash: tools.dashes[i], width: i ? 1.5 : 2};
      })
    };

    if (chart.log && data.limit)
      spec.level = {name: data.limit, value: data.limit_ms};
    if (chart.id === 'tps' && data.rates)
      spec.level = {name: 'maximum', value: data.maximum_tps};
    if (!rows.some(function (row) { return row[1] !== null; })) {
      hide(chart.id, 'There are no such figures: the drive has no counters here.');
      return;
    }
    if (!chart.log)
      spec.range = [0, 1.1 * highest(rows) || 1];
    none = names.map(function () { return null; });
    rows.unshift([0].concat(none));
    rows.push([1.04 * rows[rows.length - 1][0]].concat(none));
    tools.draw(spec, rows);
  }

  function begin(texts) {
    page.saved = {'ladder.csv': texts[1], 'result.json': texts[2]};
    page.series = {names: [], rows: []};
    page.errors = [];
    page.marks = [];
    page.phases = [];
    CHARTS.forEach(function (chart) { drawChart(JSON.parse(texts[0]), chart); });
    if (page.charts.length > 1)
      Dygraph.synchronize(page.charts.map(function (c) { return c.graph; }), {selection: true, zoom: true, range: false});
    tools.listen();
    document.documentElement.dataset.state = 'ready';
  }

  tools.start(['packed-ladder', 'packed-csv', 'packed-json'], begin);
})();
