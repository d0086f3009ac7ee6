/*
 * The charts of a result's page. The words, tables and frames are there already; here the packed
 * series are unpacked, drawn by dygraphs into the frames, and saved on request. Nothing is fetched.
 * window.tpccReport tells tests what is there; <html data-state> says "ready" or "failed".
 */
(function () {
  'use strict';

  var TXN = ['new_order', 'payment', 'order_status', 'delivery', 'stock_level', 'delivery_deferred'];
  var DASHES = [null, [7, 3], [2, 2], [10, 3, 2, 3], [4, 4], [14, 3], [14, 3, 2, 3, 2, 3]];
  var root = document.documentElement;
  var STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200];
  /* view: which part of the time line the charts show (null: all), and how many intervals make one
   * point of a line there and elsewhere. */
  var page = {charts: [], device: 0, view: {window: null, from: 0, to: 0, step: 1, coarse: 1}};

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

  /* ---- data ---- */

  function unpack(id) {
    var text = atob(byId(id).textContent.trim());
    var bytes = new Uint8Array(text.length);

    for (var i = 0; i < text.length; i++)
      bytes[i] = text.charCodeAt(i);
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).text();
  }

  /* The cells of a line with quoted ones (RFC 4180): names of devices may be odd. */
  function cells(line) {
    var found = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) || [];

    return found.slice(0, -1).map(function (cell) {
      cell = cell.replace(/,$/, '');
      return cell[0] === '"' ? cell.slice(1, -1).replace(/""/g, '"') : cell;
    });
  }

  function readSeries(text) {
    var lines = text.split('\n');
    var series = {names: cells(lines[0] + ','), rows: []};
    var usual = 0;

    for (var i = 1; i < lines.length; i++) {
      if (!lines[i])
        continue;
      var row = lines[i].split(',');
      for (var k = 0; k < row.length; k++) {
        if (k !== 1)
          row[k] = row[k] === '' ? null : Number(row[k]);
      }
      series.rows.push(row);
    }
    for (i = 0; i < series.rows.length && i < 10; i++)
      usual = Math.max(usual, series.rows[i][0] - (i ? series.rows[i - 1][0] : 0));
    /* Rates over much less than an interval mean nothing: not drawn. */
    series.whole = series.rows.map(function (row, k) {
      return row[0] - (k ? series.rows[k - 1][0] : 0) > usual / 2;
    });
    return series;
  }

  function column(name) {
    return page.series.names.indexOf(name);
  }

  /* Of the device's ten columns. */
  function rateColumn(device, rate) {
    return column('errors') + 1 + 10 * device + rate;
  }

  /* [lowest, what the line shows, highest] of some intervals, the mean or, of a peak, the highest; null
   * where there is none, and where a device was not sampled in one of them. */
  function bandOf(from, to, at, basis, peak) {
    var rows = page.series.rows;
    var low = Infinity;
    var high = -Infinity;
    var sum = 0;
    var n = 0;

    for (var i = from; i < to; i++) {
      var value = rows[i][at];
      if (!page.series.whole[i])
        continue;
      if (basis >= 0 && rows[i][basis] === null)
        return null;
      if (value === null)
        continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
      sum += value;
      n++;
    }
    return n ? [low, peak ? high : sum / n, high] : null;
  }

  /* Shares are stacked without a range. */
  function meanOf(band) {
    return band ? band[1] : null;
  }

  /* Rows for dygraphs, from 0 s on: fine where the view is, coarse elsewhere. */
  function rowsOf(spec) {
    var rows = page.series.rows;
    var columns = columnsOf(spec, page.device);
    var basis = spec.device ? rateColumn(page.device, 0) : -1;
    var out = [[0].concat(columns.map(function () { return null; }))];

    for (var i = 0, end = 0; i < rows.length; i = end) {
      var seen = rows[i][0] >= page.view.from && rows[i][0] <= page.view.to;
      end = Math.min(i + (seen ? page.view.step : page.view.coarse), rows.length);
      var row = [rows[end - 1][0]];
      for (var k = 0; k < columns.length; k++)
        row.push(spec.stack ? meanOf(bandOf(i, end, columns[k], basis)) : bandOf(i, end, columns[k], basis, spec.lines[k].peak));
      out.push(row);
    }
    return out;
  }

  /* ---- figures and times ---- */

  function figure(value) {
    var size = Math.abs(value);

    if (value === null || value === undefined || isNaN(value))
      return '-';
    if (size >= 999.95)
      return Math.round(value).toLocaleString('en-US');
    return value.toFixed(size < 0.9995 && value !== 0 ? 3 : size < 9.995 ? 2 : 1);
  }

  function axisFigure(value) {
    return Math.abs(value) >= 1e6 ? +(value / 1e6).toPrecision(3) + 'M'
                                  : (+value.toPrecision(4)).toLocaleString('en-US', {maximumFractionDigits: 6});
  }

  function moment(s) {
    var whole = Math.round(s);
    var two = function (n) { return (n < 10 ? '0' : '') + n; };

    return Math.floor(whole / 3600) + ':' + two(Math.floor(whole / 60) % 60) + ':' + two(whole % 60);
  }

  function timeTicks(from, to, pixels) {
    var steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
    var wanted = (to - from) / Math.max(1, pixels / 78);
    var step = steps.filter(function (s) { return s >= wanted; })[0] || Math.ceil(wanted / 86400) * 86400;
    var ticks = [];

    for (var v = Math.ceil(from / step) * step; v <= to && ticks.length < 100; v += step)
      ticks.push({v: v, label: moment(v)});
    return ticks;
  }

  function ticksOf(steps, from, to) {
    var ticks = [];

    for (var e = Math.floor(Math.log(from) / Math.LN10); Math.pow(10, e) <= to && ticks.length < 60; e++) {
      steps.forEach(function (s) {
        var v = s * Math.pow(10, e);
        if (v >= from && v <= to)
          ticks.push({v: v, label: axisFigure(v)});
      });
    }
    return ticks;
  }

  /* 1, 2 and 5 of each decade, or fewer; more where that would leave less than two. */
  function logTicks(from, to, pixels) {
    var decades = Math.log(to / from) / Math.LN10;
    var most = pixels / 24 / Math.max(decades, 0.1);
    var ticks = ticksOf(most >= 3 ? [1, 2, 5] : most >= 2 ? [1, 3] : [1], from, to);

    return ticks.length > 1 ? ticks : ticksOf([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9], from, to);
  }

  function nineTicks(from, to, pixels) {
    var third = 0.30103 * pixels / (to - from); /* between 50 and 0, 90 and 95 % */
    var shown = [[0, '0 %'], [0.30103, '50 %'], [1, '90 %'], [1.30103, '95 %'], [2, '99 %'], [3, '99.9 %'],
                 [4, '99.99 %'], [5, '99.999 %'], [6, '99.9999 %'], [7, '99.99999 %']];

    return shown.filter(function (t) {
      return t[0] >= from && t[0] <= to && (third > 48 || t[0] % 1 === 0) && (third > 25 || t[0] !== 0);
    }).map(function (t) { return {v: t[0], label: t[1]}; });
  }

  /* ---- what lies under the lines and over them ---- */

  function phaseAt(s) {
    var found = page.phases.filter(function (p) { return s > p.start_s && s <= p.end_s; })[0];

    return found ? found.name : '';
  }

  function drawPhases(ctx, area, g, named) {
    ctx.font = '11px system-ui, sans-serif';
    ctx.textBaseline = 'top';
    page.phases.forEach(function (p) {
      var left = Math.max(area.x, g.toDomXCoord(p.start_s));
      var right = Math.min(area.x + area.w, g.toDomXCoord(p.end_s));

      if (right <= left)
        return;
      if (p.name !== 'sample') {
        ctx.fillStyle = color('shade');
        ctx.fillRect(left, area.y, right - left, area.h);
      } else {
        ctx.fillStyle = color('soft');
        ctx.fillRect(left, area.y, 1, area.h);
        ctx.fillRect(right - 1, area.y, 1, area.h);
      }
      if (named && ctx.measureText(p.name).width + 10 < right - left) {
        ctx.fillStyle = color('soft');
        ctx.fillText(p.name, left + 5, area.y + 3);
      }
    });
  }

  function drawErrors(ctx, area, g) {
    var at = column('errors');
    var last = -9;

    ctx.fillStyle = color('invalid');
    page.series.rows.forEach(function (row) {
      var x = row[at] > 0 ? g.toDomXCoord(row[0]) : NaN;
      if (!(x >= area.x && x <= area.x + area.w) || x - last < 5)
        return;
      last = x;
      ctx.beginPath();
      ctx.moveTo(x - 3.5, area.y + area.h);
      ctx.lineTo(x + 3.5, area.y + area.h);
      ctx.lineTo(x, area.y + area.h - 7);
      ctx.fill();
    });
  }

  /* The first error of a kind, by its number in the list. */
  function drawFlags(ctx, area, g) {
    var taken = [];

    ctx.font = 'bold 10px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'center';
    page.errors.forEach(function (e, i) {
      var x = e.first_at_s === null ? NaN : g.toDomXCoord(e.first_at_s);
      if (!(x >= area.x && x <= area.x + area.w) || taken.some(function (t) { return Math.abs(t - x) < 17; }))
        return;
      taken.push(x);
      ctx.fillStyle = color('invalid');
      ctx.fillRect(x, area.y + area.h - 34, 1, 34);
      ctx.fillRect(x - 8, area.y + area.h - 34, 16, 14);
      ctx.fillStyle = color('paper');
      ctx.fillText(String(i + 1), x, area.y + area.h - 26.5);
    });
    ctx.textAlign = 'start';
  }

  /* A change of level stands out, a checkpoint is faint; what has an end is a bar above the axis, and what
   * comes as often as a vacuum only that. */
  function drawMarks(ctx, area, g) {
    page.marks.forEach(function (m) {
      var left = g.toDomXCoord(m.start_s);
      var right = m.end_s === null ? left : g.toDomXCoord(m.end_s);
      var change = m.kind === 'change';

      if (!(right >= area.x && left <= area.x + area.w))
        return;
      ctx.strokeStyle = ctx.fillStyle = color(change ? 'questionable' : 'soft');
      ctx.globalAlpha = change ? 1 : 0.35;
      if (left >= area.x && (change || m.kind === 'checkpoint')) {
        ctx.setLineDash(change ? [5, 3] : []);
        ctx.beginPath();
        ctx.moveTo(Math.round(left) + 0.5, area.y);
        ctx.lineTo(Math.round(left) + 0.5, area.y + area.h);
        ctx.stroke();
      }
      if (right > left)
        ctx.fillRect(Math.max(left, area.x), area.y + area.h - 3, Math.min(right, area.x + area.w) - Math.max(left, area.x), 3);
    });
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
  }

  function drawLevel(ctx, area, g, level) {
    var y = g.toDomYCoord(level.value);

    if (!(y >= area.y && y <= area.y + area.h))
      return;
    ctx.save();
    ctx.strokeStyle = color('soft');
    ctx.setLineDash([1, 3]);
    ctx.beginPath();
    ctx.moveTo(area.x, Math.round(y) + 0.5);
    ctx.lineTo(area.x + area.w, Math.round(y) + 0.5);
    ctx.stroke();
    ctx.restore();
  }

  function drawUnder(spec) {
    return function (ctx, area, g) {
      ctx.save();
      if (!spec.curve)
        drawPhases(ctx, area, g, spec.id === 'tps');
      if (!spec.curve)
        drawMarks(ctx, area, g);
      if (spec.level)
        drawLevel(ctx, area, g, spec.level);
      ctx.restore();
    };
  }

  function drawOver(spec, ctx, g) {
    ctx.save();
    if (!spec.curve)
      drawErrors(ctx, g.getArea(), g);
    if (spec.id === 'tps')
      drawFlags(ctx, g.getArea(), g);
    ctx.restore();
  }

  /* ---- legend, cursor, touch ---- */

  /* What the legend has: a key a line, unless the spec makes one for several alike. */
  function keysOf(spec) {
    return spec.keys || spec.lines.map(function (l, i) { return {name: l.name, color: l.color, dash: l.dash, of: [i]}; });
  }

  function makeKey(chart, line) {
    var key = document.createElement('button');

    key.type = 'button';
    key.className = 'key';
    key.setAttribute('aria-pressed', 'true');
    key.innerHTML = '<svg viewBox="0 0 26 8" aria-hidden="true"><path d="M0 4H26" fill="none" stroke-width="2"/></svg>' +
                    '<span></span><b></b>';
    key.querySelector('path').setAttribute('stroke', 'var(--' + line.color + ')');
    key.querySelector('path').setAttribute('stroke-dasharray', line.dash ? line.dash.join(' ') : 'none');
    key.querySelector('span').textContent = line.name;
    key.addEventListener('click', function () {
      var on = key.getAttribute('aria-pressed') !== 'true';
      key.setAttribute('aria-pressed', String(on));
      line.of.forEach(function (index) { chart.graph.setVisibility(index, on); });
    });
    return key;
  }

  /* A level that is not measured, such as the ceiling: nothing to hide. */
  function makeLevelKey(level) {
    var key = document.createElement('span');

    key.className = 'key';
    key.innerHTML = '<svg viewBox="0 0 26 8" aria-hidden="true"><path d="M0 4H26" fill="none" stroke="var(--soft)" ' +
                    'stroke-dasharray="1 3"/></svg><span></span>';
    key.querySelector('span').textContent = level.name + ' ' + figure(level.value);
    return key;
  }

  /* Of several lines the mean. */
  function valueOf(chart, key, points) {
    var names = key.of.map(function (i) { return chart.spec.lines[i].name; });
    var found = points.filter(function (p) { return names.indexOf(p.name) >= 0 && !isNaN(p.yval) && p.yval !== null; });

    return found.length ? found.reduce(function (sum, p) { return sum + p.yval; }, 0) / found.length : null;
  }

  function showValues(chart, x, points) {
    keysOf(chart.spec).forEach(function (key, i) {
      chart.keys[i].querySelector('b').textContent = x === undefined ? '' : figure(valueOf(chart, key, points));
    });
    if (chart.spec.curve || !byId('cursor'))
      return;
    byId('cursor').textContent = x === undefined ? '' : 'cursor at ' + moment(x) + ', ' + phaseAt(x) +
                                                       (page.view.step > 1 ? ' (means of ' + page.view.step + ' intervals)' : '');
  }

  /* A plugin of dygraphs: the cursor's line and the legend's figures follow the selection. */
  function follower(chart) {
    return {
      activate: function (g) {
        var line = document.createElement('div');
        line.className = 'line';
        line.style.display = 'none';
        g.graphDiv.appendChild(line);
        return {
          select: function (e) {
            var area = g.getArea();
            var x = g.toDomXCoord(e.selectedX);
            line.style.display = x >= area.x && x <= area.x + area.w ? '' : 'none';
            line.style.left = Math.round(x) + 'px';
            line.style.height = area.h + 'px';
            showValues(chart, e.selectedX, e.selectedPoints || []);
          },
          didDrawChart: function (e) {
            drawOver(chart.spec, e.drawingContext, g);
          },
          deselect: function () {
            line.style.display = 'none';
            showValues(chart, undefined, []);
          }
        };
      },
      destroy: function () {}
    };
  }

  /* A finger sets the cursor and scrolls the page, two zoom; the mouse is as in dygraphs. */
  function touchAware() {
    var usual = Dygraph.defaultInteractionModel;
    var select = function (event, g) {
      var left = g.graphDiv.getBoundingClientRect().left;
      var x = g.toDataXCoord(event.touches[0].clientX - left);
      var row = nearestRow(g, x);
      if (row >= 0)
        g.setSelection(row, undefined, undefined, true);
    };

    return {
      mousedown: usual.mousedown,
      dblclick: usual.dblclick,
      willDestroyContextMyself: true,
      touchstart: function (event, g, context) {
        if (event.touches.length === 2)
          usual.touchstart(event, g, context);
        else
          select(event, g);
      },
      touchmove: function (event, g, context) {
        if (event.touches.length === 2)
          usual.touchmove(event, g, context);
        else
          select(event, g);
      },
      touchend: function (event, g, context) {
        if (context.touchDirections)
          usual.touchend(event, g, context);
      }
    };
  }

  function nearestRow(g, x) {
    var low = 0;
    var high = g.numRows() - 1;

    while (high - low > 1) {
      var middle = (low + high) >> 1;
      if (g.getValue(middle, 0) < x)
        low = middle;
      else
        high = middle;
    }
    return high < 0 || Math.abs(g.getValue(low, 0) - x) < Math.abs(g.getValue(high, 0) - x) ? low : high;
  }

  function arrowKeys(chart) {
    var plot = chart.plot;

    plot.tabIndex = 0;
    plot.setAttribute('role', 'img');
    plot.setAttribute('aria-label', chart.figure.querySelector('h3').textContent + '. ' +
                                    chart.figure.querySelector('.says').textContent);
    plot.addEventListener('keydown', function (event) {
      var step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
      var row = Math.max(0, chart.graph.getSelection()) + step;
      if (!step || row < 0 || row >= chart.graph.numRows())
        return;
      event.preventDefault();
      chart.graph.setSelection(row, undefined, undefined, true);
    });
  }

  /* ---- charts ---- */

  function seriesOptions(spec) {
    var options = {};

    spec.lines.forEach(function (line) {
      options[line.name] = {color: color(line.color), strokePattern: line.dash, strokeWidth: line.width || 1.3};
    });
    return options;
  }

  function colors() {
    return {gridLineColor: color('grid'), axisLineColor: color('soft')};
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
    var element = byId(spec.id);
    var chart = {spec: spec, figure: element, plot: element.querySelector('.plot')};
    var options = {
      labels: ['x'].concat(spec.lines.map(function (l) { return l.name; })),
      series: seriesOptions(spec),
      legend: 'never',
      plugins: [follower(chart)],
      interactionModel: touchAware(),
      underlayCallback: drawUnder(spec),
      includeZero: !range,
      logscale: !!range,
      connectSeparatedPoints: !!spec.curve,
      customBars: !spec.curve && !spec.own && !spec.stack,
      stackedGraph: !!spec.stack,
      stackedGraphNaNFill: 'none',
      fillAlpha: spec.stack ? 0.45 : 0.2,
      drawCallback: spec.curve || spec.own ? null : follow,
      highlightCircleSize: 3,
      gridLineWidth: 1,
      rightGap: spec.curve ? 24 : 8,
      axes: {
        x: {ticker: spec.curve ? nineTicks : timeTicks, axisLabelFontSize: 11, axisLabelWidth: 70, axisTickSize: 5},
        y: {axisLabelFormatter: axisFigure, axisLabelFontSize: 11, axisLabelWidth: 48, pixelsPerLabel: 26}
      }
    };

    if (options.logscale)
      options.axes.y.ticker = logTicks;
    if (spec.range || range)
      options.valueRange = spec.range || range;
    Object.assign(options, colors());
    chart.keys = keysOf(spec).map(function (key) { return makeKey(chart, key); });
    chart.keys.forEach(function (key) { element.querySelector('.legend').appendChild(key); });
    if (spec.level)
      element.querySelector('.legend').appendChild(makeLevelKey(spec.level));
    chart.graph = new Dygraph(chart.plot, rows, options);
    arrowKeys(chart);
    page.charts.push(chart);
    return chart;
  }

  function line(index, name, width, peak) {
    return {name: name, color: 'c' + (index + 1), dash: DASHES[index], width: width, peak: peak};
  }

  function highest(rows) {
    return rows.reduce(function (most, row) {
      return row.slice(1).reduce(function (m, band) { return band ? Math.max(m, band[2]) : m; }, most);
    }, 0);
  }

  function specTps() {
    var columns = [column('tps')];
    var lines = [{name: 'all', color: 'c1', dash: null, width: 2}];
    var ceiling = page.result.workload && page.result.workload.ceiling_tps;
    var spec;

    TXN.forEach(function (name, i) {
      var at = column('tps_' + name);
      if (at < 0 || !page.series.rows.some(function (row) { return row[at] !== null; }))
        return;
      columns.push(at);
      lines.push({name: name, color: 'c' + (i + 2), dash: DASHES[i + 1], width: 1.2});
    });
    spec = {id: 'tps', lines: lines, columns: columns};
    if (ceiling > 0)
      spec.level = {name: 'ceiling', value: ceiling};
    return spec;
  }

  function plainLines(names) {
    return names.map(function (name, i) {
      return {name: name, color: 'c' + (i + 2), dash: DASHES[i]};
    });
  }

  /* The first one lies on top. */
  function specWaits() {
    var names = ['cpu', 'read', 'write', 'wal', 'lock', 'client', 'other'];
    var words = ['CPU', 'data reads', 'data writes', 'WAL', 'locks', 'driver', 'other'];
    var colors = ['c6', 'c2', 'c4', 'c3', 'c5', 'c7', 'soft'];

    return {id: 'waits', stack: true, range: [0, 103],
            lines: words.map(function (w, i) { return {name: w, color: colors[i], dash: DASHES[i]}; }),
            columns: names.map(function (n) { return column('server.wait_' + n + '_percent'); })};
  }

  function specs() {
    var rate = function (id, names, first) {
      return {id: id, device: true, lines: plainLines(names),
              rates: names.map(function (n, i) { return first + i; })};
    };
    var list = [
      specTps(),
      {id: 'latency', log: true, lines: [line(0, 'avg', 2), line(1, 'p50'), line(2, 'p95'), line(3, 'p99'), line(4, 'max', 1, true)],
       columns: ['avg', 'p50', 'p95', 'p99', 'max'].map(function (n) { return column('response_' + n + '_ms'); })},
      {id: 'sessions', lines: plainLines(['sessions busy', 'users waiting for one']),
       columns: [column('sessions_busy'), column('queue')]},
      specWaits(),
      rate('iops', ['reads', 'writes', 'flushes'], 0),
      rate('mib', ['read', 'written'], 3),
      rate('await', ['read', 'write', 'flush'], 5),
      {id: 'depth', device: true, lines: plainLines(['depth']), rates: [8]}
    ];

    return list.filter(function (spec) { return byId(spec.id); });
  }

  function columnsOf(spec, device) {
    return spec.columns || spec.rates.map(function (r) { return rateColumn(device, r); });
  }

  function drawCurve() {
    var curves = JSON.parse(byId('packed-curves').textContent);
    var names = TXN.filter(function (n) { return curves[n]; });
    var xs = {};
    var rows;

    if (!byId('curve'))
      return;
    if (names.length === 0) {
      byId('curve').querySelector('.drawn').hidden = true;
      byId('curve').querySelector('.says').textContent = 'No transaction was done.';
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
    draw({id: 'curve', curve: true, log: true, lines: names.map(function (n) {
      var i = TXN.indexOf(n);
      return {name: n, color: 'c' + (i + 2), dash: DASHES[i + 1], width: 1.8};
    })}, rows);
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

  function drawAll() {
    var stacked = specs();

    page.device = byId('device') ? Number(byId('device').value) : 0;
    page.view = viewOf(null, byId(stacked[0].id).querySelector('.plot').clientWidth - 60);
    stacked.forEach(function (spec) {
      var rows = rowsOf(spec);
      if (spec.id === 'tps') /* room for the ceiling and, above all lines, the names of the phases */
        spec.range = [0, 1.3 * Math.max(spec.level ? spec.level.value : 0, highest(rows)) || 1];
      draw(spec, rows);
    });
    Dygraph.synchronize(page.charts.map(function (c) { return c.graph; }), {selection: true, zoom: false});
    page.stacked = page.charts.slice();
    drawCurve();
  }

  /* ---- controls ---- */

  function show(what) {
    var first = page.stacked[0].graph;
    var window_ = first.xAxisRange();
    var middle = (window_[0] + window_[1]) / 2;
    var half = (window_[1] - window_[0]) / 2;
    var whole = first.xAxisExtremes();
    var sample = page.phases.filter(function (p) { return p.name === 'sample'; })[0];

    if (what === 'sample' && sample)
      window_ = [sample.start_s, sample.end_s];
    else if (what === 'in')
      window_ = [middle - half / 2, middle + half / 2];
    else if (what === 'out')
      window_ = [Math.max(whole[0], middle - 2 * half), Math.min(whole[1], middle + 2 * half)];
    else
      window_ = null;
    if (window_ && window_[0] <= whole[0] && window_[1] >= whole[1])
      window_ = null;
    first.updateOptions({dateWindow: window_});
  }

  function chooseDevice(device) {
    page.device = device;
    page.stacked.forEach(function (chart) {
      if (!chart.spec.device)
        return;
      chart.graph.updateOptions({file: rowsOf(chart.spec)});
      all('.says', chart.figure).forEach(function (p) { p.hidden = p.dataset.device !== String(device); });
    });
  }

  function seriesJson() {
    return JSON.stringify({columns: page.series.names, rows: page.series.rows});
  }

  function save(name) {
    var text = name === 'series.json' ? seriesJson() : page.saved[name];
    var url = URL.createObjectURL(new Blob([text], {type: /csv$/.test(name) ? 'text/csv' : 'application/json'}));
    var link = document.createElement('a');

    link.href = url;
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(url); }, 1000);
  }

  /* ---- theme and print ---- */

  function restyle() {
    page.charts.forEach(function (chart) {
      chart.graph.updateOptions(Object.assign({series: seriesOptions(chart.spec)}, colors()));
    });
  }

  /* As page.css lays a chart out on paper, however narrow the window is. */
  var PAPER = {width: 946, height: 136, curve: 320};

  function resize(chart, begins) {
    if (begins) {
      chart.graph.resize(PAPER.width, chart.spec.curve ? PAPER.curve : PAPER.height);
      return;
    }
    chart.plot.style.width = '';
    chart.plot.style.height = '';
    chart.graph.resize();
  }

  /* Chromium prints a canvas blank that changed its size and was not on the screen since, unless
   * something was copied from it. */
  function settle(chart) {
    var copy = document.createElement('canvas').getContext('2d');

    all('canvas', chart.plot).forEach(function (c) { copy.drawImage(c, 0, 0); });
  }

  /* Paper is white. */
  function print(begins) {
    page.charts.forEach(function (chart) { resize(chart, begins); });
    if (begins)
      root.dataset.theme = 'light';
    else
      delete root.dataset.theme;
    if (window.matchMedia('(prefers-color-scheme: dark)').matches)
      restyle();
    page.charts.forEach(settle);
  }

  function listen() {
    all('[data-show]').forEach(function (b) {
      b.addEventListener('click', function () { show(b.dataset.show); });
    });
    all('[data-save]').forEach(function (b) {
      b.addEventListener('click', function () { save(b.dataset.save); });
    });
    if (byId('device'))
      byId('device').addEventListener('change', function () { chooseDevice(Number(this.value)); });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle);
    window.addEventListener('beforeprint', function () { print(true); });
    window.addEventListener('afterprint', function () { print(false); });
  }

  /* What a killed run leaves has no phases: the rows tell. */
  function phasesOfRows() {
    var found = [];

    page.series.rows.forEach(function (row) {
      var last = found[found.length - 1];
      if (!last || last.name !== row[1])
        found.push({name: row[1], start_s: last ? last.end_s : 0, end_s: row[0]});
      else
        last.end_s = row[0];
    });
    return found;
  }

  function begin(texts) {
    page.saved = {'series.csv': texts[0], 'result.json': texts[1]};
    page.series = readSeries(texts[0]);
    page.result = JSON.parse(texts[1]);
    page.phases = (page.result.phases || []).filter(function (p) { return p.end_s > p.start_s; });
    if (page.phases.length === 0)
      page.phases = phasesOfRows();
    page.errors = page.result.errors || [];
    page.marks = page.result.marks || [];
    if (page.series.rows.length > 0)
      drawAll();
    else
      drawCurve();
    listen();
    root.dataset.state = 'ready';
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
      page.ready = Promise.all(packed.map(unpack)).then(then).catch(fail);
  }

  page.tools = {byId: byId, draw: draw, listen: listen, start: start, dashes: DASHES};
  if (byId('packed-series')) /* else it is another page's: compare.js */
    start(['packed-series', 'packed-result'], begin);
})();
