/*
 * Parses and subtracts the counters of a block device and makes rates of them. One table says of
 * each field where it lies in the struct and whether it wraps, so that parse, difference and sum
 * treat all of them alike. Pure but for the one pread of diskstat_read().
 */
#include "drive/diskstat.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define FIELDS 17
#define FIELDS_BASIC 11   /* up to queue_ms */
#define FIELDS_DISCARD 15 /* up to discard_ms */
#define FIELD_IN_FLIGHT 8 /* index of the only gauge */

#define NONE ((double)NAN)
#define NS_PER_SECOND 1e9
#define SECTORS_PER_MIB 2048.0

/* Over these no drive is believed. */
#define REQUESTS_PER_S_MAX 1e9
#define MIB_PER_S_MAX (1024.0 * 1024.0)
#define QUEUE_MAX 1e7
#define AWAIT_MS_MAX 3600e3
/* A wrapping counter that advanced by over half its range, and by so many ms in each that passed,
 * went back. Thousands of requests that waited half an hour would not come to that. */
#define WENT_BACK_MS (UINT64_C(1) << 31)
#define WENT_BACK_PER_MS 30000.0

struct field {
    size_t offset;
    bool wraps; /* printed as 32 bits */
};

static const struct field FIELD[FIELDS] = {
    {offsetof(struct diskstat, reads), false},
    {offsetof(struct diskstat, reads_merged), false},
    {offsetof(struct diskstat, read_sectors), false},
    {offsetof(struct diskstat, read_ms), true},
    {offsetof(struct diskstat, writes), false},
    {offsetof(struct diskstat, writes_merged), false},
    {offsetof(struct diskstat, write_sectors), false},
    {offsetof(struct diskstat, write_ms), true},
    {offsetof(struct diskstat, in_flight), false},
    {offsetof(struct diskstat, busy_ms), true},
    {offsetof(struct diskstat, queue_ms), true},
    {offsetof(struct diskstat, discards), false},
    {offsetof(struct diskstat, discards_merged), false},
    {offsetof(struct diskstat, discard_sectors), false},
    {offsetof(struct diskstat, discard_ms), true},
    {offsetof(struct diskstat, flushes), false},
    {offsetof(struct diskstat, flush_ms), true},
};

static uint64_t field_get(const struct diskstat *s, int i)
{
    uint64_t v;

    memcpy(&v, (const char *)s + FIELD[i].offset, sizeof(v));
    return v;
}

static void field_set(struct diskstat *s, int i, uint64_t v)
{
    memcpy((char *)s + FIELD[i].offset, &v, sizeof(v));
}

/* Reads one number at *p and moves behind it. False where there is none, or it does not fit. */
static bool take_number(const char **p, uint64_t *out)
{
    const char *c = *p;
    uint64_t v = 0;

    if (*c < '0' || *c > '9')
        return false;
    for (; *c >= '0' && *c <= '9'; c++) {
        const uint64_t digit = (uint64_t)(*c - '0');

        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    if (*c != '\0' && *c != ' ' && *c != '\n')
        return false;
    *p = c;
    *out = v;
    return true;
}

int diskstat_parse(const char *line, struct diskstat *out, struct err *err)
{
    const char *p = line;
    int n = 0;

    memset(out, 0, sizeof(*out));
    for (;;) {
        uint64_t v = 0;

        p += strspn(p, " ");
        if (*p == '\0' || (*p == '\n' && p[1] == '\0'))
            break;
        if (!take_number(&p, &v))
            return err_set(err, ERR_SURROUNDINGS, "field %d of the stat line is not a number",
                           n + 1);
        if (n < FIELDS)
            field_set(out, n, v);
        n++;
    }
    if (n != FIELDS_BASIC && n != FIELDS_DISCARD && n < FIELDS)
        return err_set(err, ERR_SURROUNDINGS,
                       "stat line of %d fields, where 11, 15, 17 or more are understood", n);
    out->has_discard = n >= FIELDS_DISCARD;
    out->has_flush = n >= FIELDS;
    return 0;
}

int diskstat_read(int fd, struct diskstat *out, struct err *err)
{
    char buf[512];
    ssize_t n;

    do {
        n = pread(fd, buf, sizeof(buf) - 1, 0);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_sys(err, errno, "reading counters");
    if (n == (ssize_t)sizeof(buf) - 1)
        return err_set(err, ERR_SURROUNDINGS, "stat line is too long");
    buf[n] = '\0';
    if (strlen(buf) != (size_t)n)
        return err_set(err, ERR_SURROUNDINGS, "stat line has a zero byte in it");
    return diskstat_parse(buf, out, err);
}

bool disk_delta_between(const struct diskstat *before, const struct diskstat *after, uint64_t ns,
                        struct disk_delta *out)
{
    memset(out, 0, sizeof(*out));
    if (before->has_discard != after->has_discard || before->has_flush != after->has_flush)
        return false;

    out->by.has_discard = after->has_discard;
    out->by.has_flush = after->has_flush;
    for (int i = 0; i < FIELDS; i++) {
        const uint64_t a = field_get(before, i);
        const uint64_t b = field_get(after, i);

        if (i == FIELD_IN_FLIGHT)
            field_set(&out->by, i, b);
        else if (FIELD[i].wraps)
            field_set(&out->by, i, (uint32_t)(b - a));
        else if (b < a)
            return false;
        else
            field_set(&out->by, i, b - a);
    }
    out->ns = ns;
    return true;
}

void disk_delta_add(struct disk_delta *sum, const struct disk_delta *d)
{
    if (sum->ns == 0) {
        *sum = *d;
        return;
    }
    sum->ns += d->ns;
    for (int i = 0; i < FIELDS; i++) {
        const uint64_t base = i == FIELD_IN_FLIGHT ? 0 : field_get(&sum->by, i);

        field_set(&sum->by, i, base + field_get(&d->by, i));
    }
    sum->by.has_discard = sum->by.has_discard && d->by.has_discard;
    sum->by.has_flush = sum->by.has_flush && d->by.has_flush;
}

static double ratio(double a, double b)
{
    return b > 0.0 ? a / b : NONE;
}

static bool time_went_back(const struct disk_delta *d)
{
    const double passed_ms = (double)d->ns / 1e6;

    for (int i = 0; i < FIELDS; i++) {
        const uint64_t by = field_get(&d->by, i);

        if (FIELD[i].wraps && by > WENT_BACK_MS && (double)by > WENT_BACK_PER_MS * passed_ms)
            return true;
    }
    return false;
}

bool disk_delta_plausible(const struct disk_delta *d)
{
    struct disk_rates r;
    struct disk_merge_rates m;

    /* A figure that is NaN compares as false, and so is not held against the drive. */
    disk_rates_of(d, &r);
    disk_merge_rates_of(d, &m);
    if (r.reads_per_s > REQUESTS_PER_S_MAX || r.writes_per_s > REQUESTS_PER_S_MAX)
        return false;
    if (r.discards_per_s > REQUESTS_PER_S_MAX || r.flushes_per_s > REQUESTS_PER_S_MAX)
        return false;
    if (m.reads_per_s > REQUESTS_PER_S_MAX || m.writes_per_s > REQUESTS_PER_S_MAX)
        return false;
    if (r.read_mib_per_s > MIB_PER_S_MAX || r.write_mib_per_s > MIB_PER_S_MAX)
        return false;
    if (r.read_await_ms > AWAIT_MS_MAX || r.write_await_ms > AWAIT_MS_MAX)
        return false;
    if (r.discard_await_ms > AWAIT_MS_MAX || r.flush_await_ms > AWAIT_MS_MAX)
        return false;
    return !(r.queue > QUEUE_MAX) && !time_went_back(d);
}

void disk_rates_of(const struct disk_delta *d, struct disk_rates *out)
{
    const double s = (double)d->ns / NS_PER_SECOND;
    const double reads = (double)d->by.reads;
    const double writes = (double)d->by.writes;
    const double discards = d->by.has_discard ? (double)d->by.discards : NONE;
    const double discard_sectors = d->by.has_discard ? (double)d->by.discard_sectors : NONE;
    const double flushes = d->by.has_flush ? (double)d->by.flushes : NONE;

    out->reads_per_s = ratio(reads, s);
    out->writes_per_s = ratio(writes, s);
    out->discards_per_s = ratio(discards, s);
    out->flushes_per_s = ratio(flushes, s);
    out->read_mib_per_s = ratio((double)d->by.read_sectors / SECTORS_PER_MIB, s);
    out->write_mib_per_s = ratio((double)d->by.write_sectors / SECTORS_PER_MIB, s);
    out->discard_mib_per_s = ratio(discard_sectors / SECTORS_PER_MIB, s);
    out->read_await_ms = ratio((double)d->by.read_ms, reads);
    out->write_await_ms = ratio((double)d->by.write_ms, writes);
    out->discard_await_ms = ratio((double)d->by.discard_ms, discards);
    out->flush_await_ms = ratio((double)d->by.flush_ms, flushes);
    out->queue = ratio((double)d->by.queue_ms / 1000.0, s);
    out->busy_percent = fmin(ratio((double)d->by.busy_ms / 10.0, s), 100.0);
    if (s <= 0.0)
        out->busy_percent = NONE; /* fmin prefers the number */
    out->read_kib_avg = ratio((double)d->by.read_sectors / 2.0, reads);
    out->write_kib_avg = ratio((double)d->by.write_sectors / 2.0, writes);
    out->discard_kib_avg = ratio(discard_sectors / 2.0, discards);
}

static double merge_percent(uint64_t merged, uint64_t completed)
{
    return ratio(100.0 * (double)merged, (double)merged + (double)completed);
}

void disk_merge_rates_of(const struct disk_delta *d, struct disk_merge_rates *out)
{
    const double s = (double)d->ns / NS_PER_SECOND;
    const bool discard = d->by.has_discard;

    out->reads_per_s = ratio((double)d->by.reads_merged, s);
    out->writes_per_s = ratio((double)d->by.writes_merged, s);
    out->discards_per_s = discard ? ratio((double)d->by.discards_merged, s) : NONE;
    out->read_percent = merge_percent(d->by.reads_merged, d->by.reads);
    out->write_percent = merge_percent(d->by.writes_merged, d->by.writes);
    out->discard_percent = discard ? merge_percent(d->by.discards_merged, d->by.discards) : NONE;
}
