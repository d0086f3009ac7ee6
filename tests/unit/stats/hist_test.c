#include "stats/hist.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "harness/unit.h"
#include "stats/summary.h"

#define MS_NS UINT64_C(1000000)
#define HOUR_NS UINT64_C(3600000000000)

static void test_empty(void)
{
    struct hist *h = hist_new();
    const struct summary s = summary_of(h);

    UNIT_EQ_U64("", hist_count(h), 0);
    UNIT_TRUE("", isnan(hist_avg_ms(h)) && isnan(hist_max_ms(h)));
    UNIT_TRUE("", isnan(hist_percentile_ms(h, 50)));
    UNIT_TRUE("", isnan(s.avg) && isnan(s.p50) && isnan(s.p999) && isnan(s.max));
    UNIT_EQ_I64("", hist_first(h), -1);
    hist_free(h);
}

/* Every bucket's bounds follow on those of the one before, none is wider than 1/1024 of its
 * values, and the bound finds its bucket again. */
static void test_buckets_tile_the_range(void)
{
    uint64_t before = 0;
    uint64_t seen = 0;

    for (int i = 1; i < 23552; i++) {
        const uint64_t upper = hist_bucket_upper_us(i);

        if (upper <= before || (upper - before - 1) * 1024 > upper)
            UNIT_TRUE("width", false);
        if (hist_index_of_upper_us(upper) != i)
            UNIT_EQ_I64("found again", hist_index_of_upper_us(upper), i);
        before = upper;
        seen++;
    }
    UNIT_EQ_U64("all", seen, 23551);
    UNIT_TRUE("an hour", before >= HOUR_NS / 1000);
    UNIT_EQ_I64("no bound", hist_index_of_upper_us(2048), -1);
    UNIT_EQ_I64("no bound", hist_index_of_upper_us(0), -1);
    UNIT_EQ_I64("no bound", hist_index_of_upper_us(UINT64_MAX), -1);
}

static void test_edges(void)
{
    static const struct {
        uint64_t ns;
        uint64_t upper_us;
    } rows[] = {
        {0, 1}, {1, 1}, {1499, 1}, {1500, 2}, {2047499, 2047}, {2048000, 2049}, {HOUR_NS, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct hist *h = hist_new();

        hist_record_ns(h, rows[i].ns);
        if (rows[i].upper_us)
            UNIT_EQ_U64("bucket", hist_bucket_upper_us(hist_first(h)), rows[i].upper_us);
        UNIT_EQ_U64("in range", hist_over(h), 0);
        UNIT_EQ_U64("exact", hist_max_ns(h), rows[i].ns);
        hist_free(h);
    }
}

static void test_over_the_range_is_kept(void)
{
    struct hist *h = hist_new();

    hist_record_ns(h, MS_NS);
    hist_record_ns(h, HOUR_NS + 1000);
    hist_record_ns(h, 24 * HOUR_NS);
    UNIT_EQ_U64("", hist_count(h), 3);
    UNIT_EQ_U64("", hist_over(h), 2);
    UNIT_EQ_U64("", hist_sum_ns(h), MS_NS + 25 * HOUR_NS + 1000);
    UNIT_NEAR("", hist_percentile_ms(h, 99), 24 * 3.6e6, 0);
    UNIT_NEAR("", hist_percentile_ms(h, 33), 1, 0.001);
    hist_free(h);
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* A duration anywhere from 1 us to 1,000 s, each power of ten as likely. */
static uint64_t any_ns(struct rng *r)
{
    return (uint64_t)(1e3 * pow(10, 9 * rng_unit(r)));
}

/* Against the sorted values: the percentile is the value of its rank, within its bucket. */
static void test_percentiles_against_sorted(void)
{
    static const double ps[] = {0.001, 1, 25, 50, 90, 95, 99, 99.9, 99.99, 100};
    static const uint64_t counts[] = {1, 2, 3, 10, 999, 1000, 1001, 50000};

    for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        const uint64_t n = counts[c];
        uint64_t *values = xcalloc(n, sizeof(*values));
        struct rng r = rng_at(rng_key(11, n));
        struct hist *h = hist_new();
        uint64_t sum = 0;

        for (uint64_t i = 0; i < n; i++) {
            values[i] = any_ns(&r);
            sum += values[i];
            hist_record_ns(h, values[i]);
        }
        qsort(values, n, sizeof(*values), compare);
        for (size_t p = 0; p < sizeof(ps) / sizeof(ps[0]); p++) {
            const uint64_t milli = (uint64_t)llround(ps[p] * 1000);
            const uint64_t rank = (n * milli + 99999) / 100000;
            const double exact_ms = (double)values[rank ? rank - 1 : 0] / 1e6;
            const double got_ms = hist_percentile_ms(h, ps[p]);

            UNIT_NEAR("percentile", got_ms, exact_ms, exact_ms / 1024 + 0.0005);
            UNIT_TRUE("never below by more than the rounding", got_ms >= exact_ms - 0.0005);
        }
        UNIT_EQ_U64("sum", hist_sum_ns(h), sum);
        UNIT_EQ_U64("min", hist_min_ns(h), values[0]);
        UNIT_EQ_U64("max", hist_max_ns(h), values[n - 1]);
        UNIT_NEAR("p100 is the greatest", hist_percentile_ms(h, 100), (double)values[n - 1] / 1e6,
                  0);
        hist_free(h);
        free(values);
    }
}

/* Units and scale, as others got them wrong: 90 % of 1 ms and 10 % of 100 ms. */
static void test_scale(void)
{
    struct hist *h = hist_new();

    for (int i = 0; i < 900; i++)
        hist_record_ns(h, 1000000);
    for (int i = 0; i < 100; i++)
        hist_record_ns(h, 100000000);
    UNIT_NEAR("p90 is the 90th", hist_percentile_ms(h, 90), 1, 0.001);
    UNIT_NEAR("p90.1 is not", hist_percentile_ms(h, 90.1), 100, 0.1);
    UNIT_NEAR("avg", hist_avg_ms(h), 10.9, 1e-9);
    hist_free(h);
    h = hist_new();
    for (uint64_t i = 1; i <= 1000; i++)
        hist_record_ns(h, i * 1000);
    UNIT_NEAR("p99.9 of 1..1000 us", hist_percentile_ms(h, 99.9), 0.999, 1e-9);
    hist_free(h);
}

static void test_parts_make_the_whole(void)
{
    struct rng r = rng_at(5);
    struct hist *whole = hist_new();
    struct hist *forward = hist_new();
    struct hist *backward = hist_new();
    struct hist *part[4];

    for (int i = 0; i < 4; i++)
        part[i] = hist_new();
    for (int i = 0; i < 40000; i++) {
        const uint64_t ns = i == 77 ? 2 * HOUR_NS : any_ns(&r);

        hist_record_ns(whole, ns);
        hist_record_ns(part[rng_uniform(&r, 0, 2)], ns); /* the fourth stays empty */
    }
    for (int i = 0; i < 4; i++) {
        hist_add(forward, part[i]);
        hist_add(backward, part[3 - i]);
    }
    UNIT_TRUE("", hist_equal(forward, whole));
    UNIT_TRUE("", hist_equal(backward, whole));
    hist_record_ns(backward, 1000);
    UNIT_TRUE("differs", !hist_equal(backward, whole));
    for (int i = 0; i < 4; i++)
        hist_free(part[i]);
    hist_free(whole);
    hist_free(forward);
    hist_free(backward);
}

static void test_clear(void)
{
    struct hist *h = hist_new();
    struct hist *fresh = hist_new();
    struct rng r = rng_at(6);

    for (int i = 0; i < 1000; i++)
        hist_record_ns(h, any_ns(&r));
    hist_clear(h);
    UNIT_TRUE("as new", hist_equal(h, fresh));
    hist_record_ns(h, 5000000);
    hist_record_ns(fresh, 5000000);
    UNIT_TRUE("as new", hist_equal(h, fresh));
    UNIT_EQ_U64("", hist_min_ns(h), 5000000);
    /* Two ends, so that all buckets between them are compared. */
    for (int i = 0; i < 2; i++) {
        hist_record_ns(h, i ? HOUR_NS : 1000);
        hist_record_ns(fresh, i ? HOUR_NS : 1000);
    }
    UNIT_TRUE("all of it", hist_equal(h, fresh));
    hist_free(h);
    hist_free(fresh);
}

static void test_saved_and_restored(void)
{
    struct hist *h = hist_new();
    struct hist *back = hist_new();
    struct rng r = rng_at(7);

    for (int i = 0; i < 5000; i++)
        hist_record_ns(h, any_ns(&r));
    hist_record_ns(h, 3 * HOUR_NS);
    for (int i = hist_first(h); i >= 0; i = hist_after(h, i)) {
        const int at = hist_index_of_upper_us(hist_bucket_upper_us(i));

        hist_restore_bucket(back, at, hist_bucket_count(h, i));
    }
    hist_restore_exact(back, hist_sum_ns(h), hist_min_ns(h), hist_max_ns(h), hist_over(h));
    UNIT_TRUE("", hist_equal(h, back));
    UNIT_EQ_U64("", hist_count(back), 5001);
    hist_free(h);
    hist_free(back);
}

static const struct unit_test tests[] = {
    {"empty", test_empty},
    {"buckets_tile_the_range", test_buckets_tile_the_range},
    {"edges", test_edges},
    {"over_the_range_is_kept", test_over_the_range_is_kept},
    {"percentiles_against_sorted", test_percentiles_against_sorted},
    {"scale", test_scale},
    {"parts_make_the_whole", test_parts_make_the_whole},
    {"clear", test_clear},
    {"saved_and_restored", test_saved_and_restored},
};
const struct unit_suite hist_suite = UNIT_SUITE("hist", tests);
