/*
 * One chart: a spec and rows become a dygraph in the figure that the page has for it; its colours follow
 * the theme, its size the paper.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;

  function seriesOptions(spec) {
    var options = {};

    spec.lines.forEach(function (line) {
      options[line.name] = {color: tools.color(line.color), strokePattern: line.dash, strokeWidth: line.width || 1.3};
    });
    return options;
  }

  function colors() {
    return {gridLineColor: tools.color('grid'), axisLineColor: tools.color('soft')};
  }

  /* Of all that is above 0, with some room; null: nothing is. A logarithmic axis needs it, since a part
   * of the time line may have no figure at all. */
  function logRange(rows) {
    var low = Infinity;
    var high = 0;

    rows.forEach(function (row) {
      for (var k = 1; k < row.length; k++) {
        var band = typeof row[k] === 'number' ? [row[k], 0, row[k]] : row[k];
        if (band && band[0] > 0)
          low = Math.min(low, band[0]);
        if (band)
          high = Math.max(high, band[2]);
      }
    });
    return high > 0 && low < Infinity ? [low / 1.3, high * 1.3] : null;
  }

  function draw(spec, rows) {
    var range = spec.log ? logRange(rows) : null;
    var element = tools.byId(spec.id);
    var chart = {spec: spec, figure: element, plot: element.querySelector('.plot')};
    var options = {
      labels: ['x'].concat(spec.lines.map(function (l) { return l.name; })),
      series: seriesOptions(spec),
      legend: 'never',
      plugins: [tools.follower(chart)],
      interactionModel: tools.touchAware(),
      underlayCallback: tools.drawUnder(spec),
      includeZero: !range,
      logscale: !!range,
      connectSeparatedPoints: !!spec.curve,
      customBars: !spec.curve && !spec.own && !spec.stack,
      stackedGraph: !!spec.stack,
      stackedGraphNaNFill: 'none',
      fillAlpha: spec.stack ? 0.45 : 0.2,
      drawCallback: spec.drawn || null,
      drawPoints: !!spec.points,
      pointSize: 3,
      highlightCircleSize: 3,
      gridLineWidth: 1,
      rightGap: spec.curve ? 24 : 8,
      axes: {
        x: {ticker: spec.ticker || (spec.curve ? tools.nineTicks : tools.timeTicks), axisLabelFontSize: 11, axisLabelWidth: 70, axisTickSize: 5},
        y: {axisLabelFormatter: tools.axisFigure, axisLabelFontSize: 11, axisLabelWidth: 48, pixelsPerLabel: 26}
      }
    };

    if (options.logscale)
      options.axes.y.ticker = tools.logTicks;
    if (spec.range || range)
      options.valueRange = spec.range || range;
    Object.assign(options, colors());
    chart.keys = tools.keysOf(spec).map(function (key) { return tools.makeKey(chart, key); });
    chart.keys.forEach(function (key) { element.querySelector('.legend').appendChild(key); });
    if (spec.level)
      element.querySelector('.legend').appendChild(tools.makeLevelKey(spec.level));
    chart.graph = new Dygraph(chart.plot, rows, options);
    tools.arrowKeys(chart);
    page.charts.push(chart);
    return chart;
  }

  function restyle() {
    page.charts.forEach(function (chart) {
      chart.graph.updateOptions(Object.assign({series: seriesOptions(chart.spec)}, colors()));
    });
  }

  /* As page.css lays a chart out on paper, however narrow the window is. */
  var PAPER = {width: 946, height: 136, curve: 320};

  function resize(chart, begins) {
    if (begins) {
      chart.graph.resize(PAPER.width, chart.spec.id === 'curve' ? PAPER.curve : PAPER.height);
      return;
    }
    chart.plot.style.width = '';
    chart.plot.style.height = '';
    chart.graph.resize();
  }

  /* Paper is white. */
  function print(begins) {
    page.charts.forEach(function (chart) { resize(chart, begins); });
    if (begins)
      tools.root.dataset.theme = 'light';
    else
      delete tools.root.dataset.theme;
    if (window.matchMedia('(prefers-color-scheme: dark)').matches)
      restyle();
  }

  Object.assign(tools, {draw: draw, restyle: restyle, print: print});
})();
