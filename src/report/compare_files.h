/*
 * A comparison for programs. Figures that do not exist are empty cells or null, never 0.
 *
 * CSV, one row a result, in the order of the text; columns keep their names, later ones come
 * behind: group, runs_in_group, result (its path), label, started, verdict, unfair (the whole
 * comparison), workload, users, sessions, warehouses, database, drive, filesystem, device, model,
 * tps, tps_low, tps_high, tps_percent_of_ceiling, then for avg, p50, p90, p95, p99, p999 of the
 * response <word>_ms, <word>_ms_low, <word>_ms_high (95 % interval within the run), max_ms, then
 * what one transaction takes: reads, writes, flushes, read_kib, write_kib, then the drive's (its
 * devices together): reads_per_s, writes_per_s, flushes_per_s, read_mib_per_s, write_mib_per_s,
 * read_await_ms, write_await_ms, flush_await_ms, queue.
 *
 * JSON, format "tpcc-compare/1": by, unit, level; results[{path, group, figures}], groups[{name,
 * results[], figures, spread}], pairs[{a, b, says, percent, low, high, less_than_percent, why,
 * unfair, text}], unfair[] and differs[{name, values[]}] in the order of results, notes[].
 */
#ifndef REPORT_COMPARE_FILES_H
#define REPORT_COMPARE_FILES_H

#include "base/strbuf.h"
#include "report/compare.h"

void compare_csv(const struct compare *c, struct strbuf *out);
void compare_json(const struct compare *c, struct strbuf *out);

#endif
