/*
 * From what is packed in the page to rows for charts: unpacking, the columns of series.csv, and means
 * with their range where there are more intervals than pixels.
 */
(function () {
  'use strict';

  var page = window.tpccReport;
  var tools = page.tools;

  function unpack(id) {
    var text = atob(tools.byId(id).textContent.trim());
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

  Object.assign(tools, {
    unpack: unpack, readSeries: readSeries, column: column, rateColumn: rateColumn, bandOf: bandOf,
    meanOf: meanOf
  });
})();
