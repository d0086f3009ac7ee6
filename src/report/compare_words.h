/*
 * A comparison in words: what all forms of the report say alike. Plain text of one line without its
 * end; texts from outside are in it as they are.
 */
#ifndef REPORT_COMPARE_WORDS_H
#define REPORT_COMPARE_WORDS_H

#include "base/strbuf.h"
#include "report/cell.h"
#include "report/compare.h"

/* "average response", "99th percentile of the response", "TPS". */
const char *compare_measure_name(enum compare_measure by);
/* "avg", "p99", "tps": as in options and files. */
const char *compare_measure_word(enum compare_measure by);
/* " ms", or "" for TPS. */
const char *compare_measure_unit(enum compare_measure by);

/* "tpcc-run: 6 results under 2 labels, ordered by average response". */
void compare_say_title(const struct compare *c, struct strbuf *out);
/* "A is faster than B by 12 % (95 % interval 9 to 15): average response 3.12 and 3.54 ms". */
void compare_say_pair(const struct compare *c, const struct compare_pair *p, struct strbuf *out);
/* "users: 15,000 (A, C); 10,000 (B)". */
void compare_say_setting(const struct compare *c, const struct compare_setting *s,
                         struct strbuf *out);
/* A group: what ran on what, as its first run says; then its runs: when, verdict, where. */
void compare_say_group(const struct compare *c, const struct compare_group *g, struct strbuf *out);
void compare_say_run(const struct compare_run *run, struct strbuf *out);
/* How to read the intervals, and what they rest on; one paragraph. */
void compare_say_method(const struct compare *c, struct strbuf *out);
/* TPS at the ceiling tells nothing of a drive: a note, or nothing. */
void compare_say_ceiling(const struct compare *c, struct strbuf *out);

/* Whether a report for people shows the pair: those that were judged (at most 15, of six groups),
 * and the others of few groups or with the first one. */
bool compare_shows(const struct compare *c, const struct compare_pair *p);

#endif
