/*
 * The charts of a comparison's page: one line a run over time, one a group over percentiles, drawn
 * with the tools of page_*.js.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;
  var LOG = {avg: true, p99: true};

  if (!tools.byId('packed-compare'))
    return;

  /* A colour and dashes of its own for each of the groups: never the colour alone. */
  function lineOf(group, name, width) {
    return {name: name, color: 'c' + (group % 6 + 1), dash: tools.dashes[(group + Math.floor(group / 6)) % 6],
            width: width};
  }

  /* dygraphs knows lines by their names. */
  function unique(lines) {
    var seen = {};

    lines.forEach(function (line) {
      while (seen['$' + line.name])
        line.name += '\'';
      seen['$' + line.name] = true;
    });
    return lines;
  }

  /* One key for all runs of a group, which look alike; groups in their order. */
  function groupKeys(data) {
    return data.curves.map(function (curve, group) {
      var of = [];

      data.lines.forEach(function (line, i) {
        if (line.group === group)
          of.push(i);
      });
      return Object.assign(lineOf(group, of.length > 1 ? curve.name + ' (' + of.length + ')' : curve.name), {of: of});
    });
  }

  function runLines(data) {
    return unique(data.lines.map(function (line) {
      return lineOf(line.group, line.number ? line.name + ' ' + line.number : line.name, 1.3);
    }));
  }

  function isEmpty(rows) {
    return !rows.some(function (row) { return row.slice(1).some(function (v) { return v !== null; }); });
  }

  function hide(id, why) {
    tools.byId(id).querySelector('.drawn').hidden = true;
    tools.byId(id).querySelector('.says').textContent = why;
  }

  function highest(rows) {
    return rows.reduce(function (most, row) { return Math.max.apply(null, [most].concat(row.slice(1))); }, 0);
  }

  function drawTime(data) {
    Object.keys(data.charts).forEach(function (id) {
      var rows = data.charts[id];
      var spec = {id: id, own: true, log: LOG[id], lines: runLines(data), keys: groupKeys(data)};

      if (isEmpty(rows)) {
        hide(id, 'No run has this figure.');
        return;
      }
      if (!spec.log)
        spec.range = [0, (id === 'tps' ? 1.3 : 1.1) * highest(rows) || 1];
      rows.unshift([0].concat(spec.lines.map(function () { return null; })));
      tools.draw(spec, rows);
    });
    page.stacked = page.charts.slice();
    if (page.stacked.length > 1)
      Dygraph.synchronize(page.stacked.map(function (c) { return c.graph; }), {selection: true, zoom: true, range: false});
  }

  function drawCurves(data) {
    var groups = data.curves.map(function (curve, i) {
      return {line: lineOf(i, curve.name, 1.8), points: curve.points};
    }).filter(function (g) { return g.points.length > 0; });
    var rows = {};

    if (groups.length === 0) {
      hide('curve', 'No transaction was done.');
      return;
    }
    groups.forEach(function (group, k) {
      group.points.forEach(function (point) {
        if (!rows[point[0]])
          rows[point[0]] = [point[0]].concat(groups.map(function () { return null; }));
        rows[point[0]][k + 1] = point[1];
      });
    });
    rows = Object.keys(rows).map(function (x) { return rows[x]; }).sort(function (a, b) { return a[0] - b[0]; });
    rows.unshift([0].concat(groups.map(function () { return null; })));
    tools.draw({id: 'curve', curve: true, log: true, lines: unique(groups.map(function (g) { return g.line; }))}, rows);
  }

  function begin(texts) {
    var data = JSON.parse(texts[0]);

    page.saved = {'compare.csv': texts[1], 'compare.json': texts[2]};
    page.series = {names: [], rows: []};
    page.errors = [];
    page.marks = [];
    page.phases = data.phases;
    drawTime(data);
    drawCurves(data);
    tools.listen();
    document.documentElement.dataset.state = 'ready';
  }

  tools.start(['packed-compare', 'packed-csv', 'packed-json'], begin);
})();
