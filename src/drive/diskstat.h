/*
 * The counters of one block device: the line of /sys/block/<dev>/stat, differences between two of
 * them, and rates. Open data; no clock, no files but the one that is handed in. Any thread.
 *
 * Fields (numbers of Documentation/admin-guide/iostats.rst; ms fields wrap at 32 bits, marked *):
 *   1 reads  2 reads_merged  3 read_sectors  4 read_ms*     5 to 8 the same for writes
 *   9 in_flight (a gauge)    10 busy_ms*     11 queue_ms*
 *   12 discards  13 discards_merged  14 discard_sectors  15 discard_ms*     (since 4.18)
 *   16 flushes  17 flush_ms*                                                (since 5.5)
 * Sectors are 512 bytes whatever the drive's block size is.
 */
#ifndef DRIVE_DISKSTAT_H
#define DRIVE_DISKSTAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* As a reading: counters since the device came up. As a difference: see struct disk_delta. */
struct diskstat {
    uint64_t reads, reads_merged, read_sectors, read_ms;
    uint64_t writes, writes_merged, write_sectors, write_ms;
    uint64_t in_flight, busy_ms, queue_ms;
    uint64_t discards, discards_merged, discard_sectors, discard_ms;
    uint64_t flushes, flush_ms;
    bool has_discard, has_flush; /* false: the fields do not exist and are 0 */
};

/* What happened between two readings. Differences of neighbouring spans add up to the difference
 * of the whole: keep these, and compute rates at the end. in_flight is the later reading's. */
struct disk_delta {
    uint64_t ns;
    struct diskstat by;
};

/* NaN: the figure does not exist (no request of the kind, fields not there, no time passed). */
struct disk_rates {
    double reads_per_s, writes_per_s, flushes_per_s, discards_per_s;
    double read_mib_per_s, write_mib_per_s, discard_mib_per_s;
    double read_await_ms, write_await_ms, flush_await_ms, discard_await_ms;
    double queue;        /* mean requests under way; iostat's aqu-sz */
    double busy_percent; /* capped at 100: some kernels count more */
    double read_kib_avg, write_kib_avg, discard_kib_avg;
};

/* Merged requests: percent is merged / (merged + completed). */
struct disk_merge_rates {
    double reads_per_s, writes_per_s, discards_per_s;
    double read_percent, write_percent, discard_percent;
};

/* Wants 11, 15, 17 or more numbers; more are ignored, anything else is an error. */
int diskstat_parse(const char *line, struct diskstat *out, struct err *err) MUST_CHECK;

/* One pread of an open stat file, which is one consistent snapshot. err->sys_errno is ENODEV where
 * the device has gone. */
int diskstat_read(int fd, struct diskstat *out, struct err *err) MUST_CHECK;

/* The difference over `ns`. False where a counter that can't wrap went back, or fields came or
 * went: it is another device now, and there is no difference. */
bool disk_delta_between(const struct diskstat *before, const struct diskstat *after, uint64_t ns,
                        struct disk_delta *out) MUST_CHECK;

/* sum += d, for spans of one device that follow each other. Where one of the two lacks the discard
 * or flush fields, so does the sum. A zeroed sum (ns 0) takes d as it is. */
void disk_delta_add(struct disk_delta *sum, const struct disk_delta *d);

/* False where no drive can have done this (third-party drivers that leave garbage in the counters):
 * over 1 TiB/s, 10^9 requests/s (merged ones too), a mean queue over 10^7, a mean await over an
 * hour, or a time that went back: as it wraps, that looks like one of weeks in a moment. */
bool disk_delta_plausible(const struct disk_delta *d);

/* The formulas of iostat. */
void disk_rates_of(const struct disk_delta *d, struct disk_rates *out);
void disk_merge_rates_of(const struct disk_delta *d, struct disk_merge_rates *out);

#endif
