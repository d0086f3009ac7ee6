/*
 * The three CSV files of a result directory, format 1. Reading gives a result as it was written;
 * a broken file is an error that names the line.
 *
 * series.csv, one row an interval, from ramp to drain:
 *   time_s (the interval's end, from GO), phase, users, tps, tps_<transaction> (6),
 *   response_avg_ms, _p50_, _p95_, _p99_, _max_ms, queue, sessions_busy, retries, errors, then of
 *   each device <name>.reads_per_s ... <name>.busy_percent (10), then of the server server.active
 *   ... server.psi_memory_percent (21; a file of an earlier program ends before). An empty cell: no
 *   sample.
 * latency.csv, the sample's histograms, only used buckets:
 *   transaction, kind (response, queue, service), upper_us, count, sum_ns, min_ns, max_ns.
 *   Each histogram ends with a row whose upper_us is "inf": the count above the range, and the
 *   exact sum, least and greatest of all its values; these are empty in the other rows.
 * batches.csv, the sample in 120 equal batches:
 *   batch (from 0), count, sum_ns, min_ns, max_ns, over, response: "upper_us:count" of each used
 *   bucket, separated by blanks. In an empty batch all behind count is empty.
 */
#ifndef RESULT_RESULT_CSV_H
#define RESULT_RESULT_CSV_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "result/result.h"

void series_csv_header(const struct result *r, struct strbuf *out);
void series_csv_row(const struct series_row *row, int n_devices, struct strbuf *out);
void latency_csv_write(const struct result *r, struct strbuf *out);
void batches_csv_write(const struct result *r, struct strbuf *out);

/* Each cuts up text in place. The devices of the header must be those of r->drive; where there are
 * none in r, as in a run that was killed, they are added. A last line without its end is an error,
 * unless r->partial. */
int series_csv_read(char *text, struct result *r, struct err *err) MUST_CHECK;
int latency_csv_read(char *text, struct result *r, struct err *err) MUST_CHECK;
int batches_csv_read(char *text, struct result *r, struct err *err) MUST_CHECK;

#endif
