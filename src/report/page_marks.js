/*
 * What lies under a chart's lines and over them: phases, checkpoints, changes of level, restarts,
 * errors.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;

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
        ctx.fillStyle = tools.color('shade');
        ctx.fillRect(left, area.y, right - left, area.h);
      } else {
        ctx.fillStyle = tools.color('soft');
        ctx.fillRect(left, area.y, 1, area.h);
        ctx.fillRect(right - 1, area.y, 1, area.h);
      }
      if (named && ctx.measureText(p.name).width + 10 < right - left) {
        ctx.fillStyle = tools.color('soft');
        ctx.fillText(p.name, left + 5, area.y + 3);
      }
    });
  }

  function drawErrors(ctx, area, g) {
    var at = tools.column('errors');
    var last = -9;

    ctx.fillStyle = tools.color('invalid');
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
      ctx.fillStyle = tools.color('invalid');
      ctx.fillRect(x, area.y + area.h - 34, 1, 34);
      ctx.fillRect(x - 8, area.y + area.h - 34, 16, 14);
      ctx.fillStyle = tools.color('paper');
      ctx.fillText(String(i + 1), x, area.y + area.h - 26.5);
    });
    ctx.textAlign = 'start';
  }

  /* While no session was alive: a band with a line at its start, and an R where `named`. */
  function drawRestarts(ctx, area, g, named) {
    ctx.font = 'bold 10px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'center';
    page.marks.forEach(function (m) {
      var left = g.toDomXCoord(m.start_s);
      var right = m.end_s === null ? area.x + area.w : Math.min(g.toDomXCoord(m.end_s), area.x + area.w);
      var from = Math.max(left, area.x);

      if (m.kind !== 'restart' || right < area.x || left > area.x + area.w)
        return;
      ctx.fillStyle = tools.color('invalid');
      ctx.globalAlpha = 0.2;
      ctx.fillRect(from, area.y, Math.max(right - from, 1), area.h);
      ctx.globalAlpha = 1;
      if (left < area.x)
        return;
      ctx.fillRect(Math.round(left), area.y, 2, area.h);
      if (!named)
        return;
      ctx.fillRect(Math.round(left) - 7, area.y + 18, 16, 14);
      ctx.fillStyle = tools.color('paper');
      ctx.fillText('R', Math.round(left) + 1, area.y + 25.5);
    });
    ctx.textAlign = 'start';
  }

  /* A change of level and a drive's complaint stand out, a checkpoint is faint; what has an end is a bar above the axis, and what
   * comes as often as a vacuum only that. */
  function drawMarks(ctx, area, g) {
    page.marks.forEach(function (m) {
      var left = g.toDomXCoord(m.start_s);
      var right = m.end_s === null ? left : g.toDomXCoord(m.end_s);
      var change = m.kind === 'change' || m.kind === 'health';

      if (m.kind === 'restart' || !(right >= area.x && left <= area.x + area.w))
        return;
      ctx.strokeStyle = ctx.fillStyle = tools.color(change ? 'questionable' : 'soft');
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
    ctx.strokeStyle = tools.color('soft');
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
      if (!spec.curve) {
        drawMarks(ctx, area, g);
        drawRestarts(ctx, area, g, spec.id === 'tps');
      }
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

  Object.assign(tools, {
    phaseAt: phaseAt, drawUnder: drawUnder, drawOver: drawOver, phasesOfRows: phasesOfRows
  });
})();
