/*
 * The page's buttons, the choice of a device, and printing.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;

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
      chart.graph.updateOptions({file: tools.rowsOf(chart.spec)});
      tools.all('.says', chart.figure).forEach(function (p) { p.hidden = p.dataset.device !== String(device); });
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

  function listen() {
    tools.all('[data-show]').forEach(function (b) {
      b.addEventListener('click', function () { show(b.dataset.show); });
    });
    tools.all('[data-save]').forEach(function (b) {
      b.addEventListener('click', function () { save(b.dataset.save); });
    });
    if (tools.byId('device'))
      tools.byId('device').addEventListener('change', function () { chooseDevice(Number(this.value)); });
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tools.restyle);
    window.addEventListener('beforeprint', function () { tools.print(true); });
    window.addEventListener('afterprint', function () { tools.print(false); });
  }

  Object.assign(tools, {listen: listen});
})();
