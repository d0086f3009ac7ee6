/*
 * Differences of two health logs. A counter that went back is none: the drive was replaced, or its
 * log cleared.
 */
#include "stats/health.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

#define HOURS_A_YEAR 8766.0
#define SECONDS_AN_HOUR 3600.0
#define WORN_LEAST 1.0 /* per cent, whole ones: below, nothing can be said of a life */

static const size_t doubles[] = {
    offsetof(struct health_log, temperature_c),
    offsetof(struct health_log, spare_percent),
    offsetof(struct health_log, spare_threshold_percent),
    offsetof(struct health_log, worn_percent),
};

#define FIRST_COUNT offsetof(struct health_log, critical_warning)
#define COUNTS ((sizeof(struct health_log) - FIRST_COUNT) / sizeof(int64_t))

static int64_t *count_at(struct health_log *log, size_t i)
{
    return (int64_t *)(void *)((char *)log + FIRST_COUNT) + i;
}

struct health_log health_log_none(void)
{
    struct health_log log;

    for (size_t i = 0; i < ARRAY_LEN(doubles); i++)
        *(double *)(void *)((char *)&log + doubles[i]) = (double)NAN;
    for (size_t i = 0; i < COUNTS; i++)
        *count_at(&log, i) = -1;
    return log;
}

void health_log_fill(struct health_log *log, const struct health_log *more)
{
    struct health_log from = *more;

    for (size_t i = 0; i < ARRAY_LEN(doubles); i++) {
        double *to = (double *)(void *)((char *)log + doubles[i]);

        if (isnan(*to))
            *to = *(double *)(void *)((char *)&from + doubles[i]);
    }
    for (size_t i = 0; i < COUNTS; i++) {
        if (*count_at(log, i) < 0)
            *count_at(log, i) = *count_at(&from, i);
    }
}

static int64_t grown(int64_t before, int64_t after)
{
    return before < 0 || after < before ? -1 : after - before;
}

static int64_t sum_known(const int64_t *at, size_t n)
{
    int64_t sum = -1;

    for (size_t i = 0; i < n; i++) {
        if (at[i] >= 0)
            sum = (sum < 0 ? 0 : sum) + at[i];
    }
    return sum;
}

/* The counters of minutes too hot move once a minute at most: one more is "some seconds". */
static void add_throttling(const struct health_log *a, const struct health_log *b,
                           struct health_used *u)
{
    const int64_t seconds[] = {
        grown(a->throttled_1_seconds, b->throttled_1_seconds),
        grown(a->throttled_2_seconds, b->throttled_2_seconds),
    };
    const int64_t minutes[] = {
        grown(a->warning_minutes, b->warning_minutes),
        grown(a->critical_minutes, b->critical_minutes),
    };
    const int64_t counts[] = {
        grown(a->throttled_1_count, b->throttled_1_count),
        grown(a->throttled_2_count, b->throttled_2_count),
    };
    const int64_t managed = sum_known(seconds, 2);
    const int64_t hot = sum_known(minutes, 2);

    u->throttled_seconds = managed > hot * 60 ? managed : hot < 0 ? managed : hot * 60;
    u->throttled_count = sum_known(counts, 2);
}

static void add_life(const struct health_log *b, double seconds, struct health_used *u)
{
    const double rate = (double)u->written_bytes / seconds;

    if (!(b->worn_percent >= WORN_LEAST) || b->written_bytes <= 0 || u->written_bytes < 0)
        return;
    u->life_bytes = (double)b->written_bytes / b->worn_percent * 100.0;
    u->life_percent = 100.0 * (double)u->written_bytes / u->life_bytes;
    if (rate > 0 && b->worn_percent < 100)
        u->years_left =
            u->life_bytes * (1.0 - b->worn_percent / 100.0) / rate / SECONDS_AN_HOUR / HOURS_A_YEAR;
}

struct health_used health_used_of(const struct health_log *before, const struct health_log *after,
                                  double seconds)
{
    struct health_used u = {
        .read_bytes = grown(before->read_bytes, after->read_bytes),
        .written_bytes = grown(before->written_bytes, after->written_bytes),
        .media_errors = grown(before->media_errors, after->media_errors),
        .write_amplification = (double)NAN,
        .worn_percent = after->worn_percent - before->worn_percent,
        .life_bytes = (double)NAN,
        .life_percent = (double)NAN,
        .years_left = (double)NAN,
    };
    const int64_t media = grown(before->media_written_bytes, after->media_written_bytes);

    if (media >= 0 && u.written_bytes > 0)
        u.write_amplification = (double)media / (double)u.written_bytes;
    if (seconds > 0)
        add_life(after, seconds, &u);
    add_throttling(before, after, &u);
    return u;
}

void health_warning_words(int64_t critical_warning, char *buf, unsigned size)
{
    static const char *const words[] = {
        "spare blocks low", "temperature",          "reliability degraded",
        "read-only",        "memory backup failed", "memory region",
    };
    size_t used = 0;

    CHECK(size > 0);
    buf[0] = 0;
    for (size_t i = 0; critical_warning > 0 && i < ARRAY_LEN(words); i++) {
        if (!(critical_warning >> i & 1) || used >= size)
            continue;
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", words[i]);
    }
}
