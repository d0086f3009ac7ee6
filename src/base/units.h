/*
 * Durations, sizes and numbers as people write them: parsed whole (no trailing junk), with range,
 * and printed back. Durations: "90", "90s", "500ms", "250us", "5m", "3h", "1h30m"; no unit means
 * seconds. Sizes: "512", "8kB", "48GB" (powers of 1000), "8KiB", "48GiB" (powers of 1024).
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Errors say what is wrong and give an example, without naming the option: the caller wraps. */
int units_parse_duration_ns(const char *text, uint64_t *out_ns, struct err *err) MUST_CHECK;
int units_parse_bytes(const char *text, uint64_t *out_bytes, struct err *err) MUST_CHECK;
int units_parse_i64(const char *text, int64_t *out, struct err *err) MUST_CHECK;
int units_parse_u64(const char *text, uint64_t *out, struct err *err) MUST_CHECK;
/* A finite decimal; the whole text. */
int units_parse_double(const char *text, double *out, struct err *err) MUST_CHECK;

/* "3h", "2h30m", "1.5s", "250us": exact where it can be, parses back to the same value. */
void units_format_duration(uint64_t ns, char *buf, size_t size);
/* For people: "2h 05m", "4m 10s", "12 s", "3.2 ms". */
void units_format_duration_short(uint64_t ns, char *buf, size_t size);
/* Powers of 1000 with three figures: "333 GB", "1.06 GB". */
void units_format_bytes(uint64_t bytes, char *buf, size_t size);
/* Thousands separated by a comma: "15,000". */
void units_format_count(uint64_t n, char *buf, size_t size);

#endif
