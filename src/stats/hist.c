/*
 * The histogram behind every latency figure. Buckets: below 2,048 us one each us; above, 1,024 for
 * each doubling, so that a bucket is never wider than 1/1024 of its values. The counters lie on
 * pages of their own and only used ones are touched, so that parts of the range that were never
 * used cost no memory. A bit for each line of eight counters tells where they are: adding and
 * clearing a second's few hundred values goes by these and not over the whole range. One owner at a
 * time, no locks.
 */
#include "stats/hist.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"

#define SUB_BITS 10 /* 1,024 buckets a doubling */
#define SUB                                                                                        \
    (UINT64_C(1) << SUB_BITS) /* ... also the first value that has a coarse neighbour / 2          \
                               */
#define DOUBLINGS 22          /* up to 2^32 - 1 us, 1.19 h */
#define BUCKETS ((DOUBLINGS + 1) * 1024)
#define HIGHEST_US UINT64_C(3600000000) /* 1 h */
#define LINE 8                          /* counters of one cache line */
#define LINES (BUCKETS / LINE)
#define LINE_WORDS (LINES / 64)
#define NS_PER_US_D 1e3
#define NS_PER_MS_D 1e6

_Static_assert(BUCKETS == 23552, "the counters of 1 us to 1 h with 3 significant digits");
_Static_assert(HIGHEST_US < (UINT64_C(1) << (SUB_BITS + DOUBLINGS)), "1 h has a bucket");
_Static_assert(LINE_WORDS * 64 * LINE == BUCKETS, "every counter has its bit");

/* count == over + the sum of all buckets; where count > 0: min_ns <= max_ns. Buckets outside
 * low..high are 0; low > high where all are. So are those of lines whose bit is not set. */
struct hist {
    uint64_t count;
    uint64_t over;
    uint64_t sum_ns;
    uint64_t min_ns;
    uint64_t max_ns;
    int low;
    int high;
    uint64_t used[LINE_WORDS];
    _Alignas(64) uint64_t bucket[BUCKETS];
};

struct hist *hist_new(void)
{
    struct hist *h = xpages(sizeof(*h));

    h->low = BUCKETS;
    h->high = -1;
    return h;
}

void hist_free(struct hist *h)
{
    xpages_free(h, sizeof(*h));
}

/* The first counter of the line of the lowest bit of a word of `used`. */
static int line_of(int word, uint64_t bits)
{
    return (word * 64 + __builtin_ctzll(bits)) * LINE;
}

void hist_clear(struct hist *h)
{
    for (int w = 0; w < LINE_WORDS; w++) {
        for (uint64_t bits = h->used[w]; bits; bits &= bits - 1)
            memset(&h->bucket[line_of(w, bits)], 0, LINE * sizeof(h->bucket[0]));
        h->used[w] = 0;
    }
    h->count = 0;
    h->over = 0;
    h->sum_ns = 0;
    h->min_ns = 0;
    h->max_ns = 0;
    h->low = BUCKETS;
    h->high = -1;
}

/* us in 1..HIGHEST_US. */
static int index_of(uint64_t us)
{
    const int top = 63 - __builtin_clzll(us);
    const int shift = top > SUB_BITS ? top - SUB_BITS : 0;

    return shift * (int)SUB + (int)(us >> shift);
}

static void touch(struct hist *h, int i)
{
    if (i < h->low)
        h->low = i;
    if (i > h->high)
        h->high = i;
    h->used[i / LINE / 64] |= UINT64_C(1) << (i / LINE % 64);
}

/* What is not in a bucket: count, sum, least and greatest. */
static void widen(struct hist *h, uint64_t count, uint64_t min_ns, uint64_t max_ns)
{
    if (h->count == 0 || min_ns < h->min_ns)
        h->min_ns = min_ns;
    if (h->count == 0 || max_ns > h->max_ns)
        h->max_ns = max_ns;
    h->count += count;
}

void hist_record_ns(struct hist *h, uint64_t ns)
{
    const uint64_t us = ns / 1000 + (ns % 1000 >= 500 ? 1 : 0);

    widen(h, 1, ns, ns);
    h->sum_ns += ns;
    if (us > HIGHEST_US) {
        h->over++;
    } else {
        const int i = index_of(us > 0 ? us : 1);

        h->bucket[i]++;
        touch(h, i);
    }
}

void hist_add(struct hist *to, const struct hist *from)
{
    if (from->count == 0)
        return;
    widen(to, from->count, from->min_ns, from->max_ns);
    to->sum_ns += from->sum_ns;
    to->over += from->over;
    for (int w = 0; w < LINE_WORDS; w++) {
        for (uint64_t bits = from->used[w]; bits; bits &= bits - 1) {
            const int first = line_of(w, bits);

            for (int i = first; i < first + LINE; i++)
                to->bucket[i] += from->bucket[i];
        }
        to->used[w] |= from->used[w];
    }
    if (from->low < to->low)
        to->low = from->low;
    if (from->high > to->high)
        to->high = from->high;
}

bool hist_equal(const struct hist *a, const struct hist *b)
{
    const int low = a->low < b->low ? a->low : b->low;
    const int high = a->high > b->high ? a->high : b->high;

    if (a->count != b->count || a->over != b->over || a->sum_ns != b->sum_ns)
        return false;
    if (a->min_ns != b->min_ns || a->max_ns != b->max_ns)
        return false;
    for (int i = low; i <= high; i++) {
        if (a->bucket[i] != b->bucket[i])
            return false;
    }
    return true;
}

uint64_t hist_count(const struct hist *h)
{
    return h->count;
}

uint64_t hist_over(const struct hist *h)
{
    return h->over;
}

uint64_t hist_sum_ns(const struct hist *h)
{
    return h->sum_ns;
}

double hist_avg_ms(const struct hist *h)
{
    return h->count ? (double)h->sum_ns / (double)h->count / NS_PER_MS_D : (double)NAN;
}

double hist_max_ms(const struct hist *h)
{
    return h->count ? (double)h->max_ns / NS_PER_MS_D : (double)NAN;
}

/* ceil(p / 100 x count) without the error of floating point: p counts in thousandths of a percent,
 * so that p = 99.9 of 1,000 is rank 999 and not 1,000. Limit: 1.8 x 10^14 values. */
static uint64_t rank_of(uint64_t count, double p)
{
    const uint64_t milli = (uint64_t)llround(p * 1000);
    const uint64_t rank = (count * milli + 99999) / 100000;

    return rank > 0 ? rank : 1;
}

double hist_percentile_ms(const struct hist *h, double p)
{
    uint64_t left = 0;

    CHECK(p > 0);
    CHECK(p <= 100);
    if (h->count == 0)
        return (double)NAN;
    left = rank_of(h->count, p);
    if (left == h->count)
        return hist_max_ms(h);
    for (int i = h->low; i <= h->high; i++) {
        if (h->bucket[i] >= left) {
            const double upper_ns = (double)hist_bucket_upper_us(i) * NS_PER_US_D;
            const double max_ns = (double)h->max_ns;

            return (upper_ns < max_ns ? upper_ns : max_ns) / NS_PER_MS_D;
        }
        left -= h->bucket[i];
    }
    return (double)h->max_ns / NS_PER_MS_D; /* the rank lies above the range */
}

int hist_first(const struct hist *h)
{
    return hist_after(h, h->low - 1);
}

int hist_after(const struct hist *h, int i)
{
    for (i++; i <= h->high; i++) {
        if (h->bucket[i] != 0)
            return i;
    }
    return -1;
}

uint64_t hist_bucket_count(const struct hist *h, int i)
{
    CHECK(i >= 0);
    CHECK(i < BUCKETS);
    return h->bucket[i];
}

uint64_t hist_bucket_upper_us(int i)
{
    const int shift = i < (int)(2 * SUB) ? 0 : i / (int)SUB - 1;
    const uint64_t head = (uint64_t)(i - shift * (int)SUB);

    CHECK(i >= 0);
    CHECK(i < BUCKETS);
    return ((head + 1) << shift) - 1;
}

int hist_index_of_upper_us(uint64_t upper_us)
{
    int i = 0;

    if (upper_us == 0 || upper_us >= UINT64_C(1) << (SUB_BITS + DOUBLINGS))
        return -1;
    i = index_of(upper_us);
    return hist_bucket_upper_us(i) == upper_us ? i : -1;
}

void hist_restore_bucket(struct hist *h, int i, uint64_t count)
{
    CHECK(i >= 0);
    CHECK(i < BUCKETS);
    h->count = h->count - h->bucket[i] + count;
    h->bucket[i] = count;
    touch(h, i);
}

void hist_restore_exact(struct hist *h, uint64_t sum_ns, uint64_t min_ns, uint64_t max_ns,
                        uint64_t over)
{
    h->sum_ns = sum_ns;
    h->min_ns = min_ns;
    h->max_ns = max_ns;
    h->count = h->count - h->over + over;
    h->over = over;
}

uint64_t hist_min_ns(const struct hist *h)
{
    return h->min_ns;
}

uint64_t hist_max_ns(const struct hist *h)
{
    return h->max_ns;
}
