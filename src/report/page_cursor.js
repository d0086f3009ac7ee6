/*
 * A chart's legend, and the cursor that all charts share: by mouse, finger and arrow keys.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;

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
    key.querySelector('span').textContent = level.name + ' ' + tools.figure(level.value);
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
      chart.keys[i].querySelector('b').textContent = x === undefined ? '' : tools.figure(valueOf(chart, key, points));
    });
    if (chart.spec.curve || !tools.byId('cursor'))
      return;
    tools.byId('cursor').textContent = x === undefined ? '' : 'cursor at ' + tools.moment(x) + ', ' + tools.phaseAt(x) +
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
            tools.drawOver(chart.spec, e.drawingContext, g);
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

  Object.assign(tools, {
    keysOf: keysOf, makeKey: makeKey, makeLevelKey: makeLevelKey, follower: follower, touchAware: touchAware,
    arrowKeys: arrowKeys
  });
})();
