/*
 * Numbers and times as text, and where axes have their ticks.
 */
(function () {
  'use strict';

  var tools = window.tpccReport.tools;

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

  Object.assign(tools, {
    figure: figure, axisFigure: axisFigure, moment: moment, timeTicks: timeTicks, logTicks: logTicks,
    nineTicks: nineTicks
  });
})();
