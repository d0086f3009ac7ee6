/*
 * Waiting times: the distributions of a workload, the mean cycle and ceiling that follow from them,
 * and one user's wait between two transactions. Pure: the random number is the caller's.
 */
#include "tpcc/pace.h"

#include <math.h>

#include "base/check.h"
#include "base/rng.h"

#define NEGEXP_CUT 10.0 /* means, 5.2.5.4 */
#define NORMAL_CUT 4.0  /* standard deviations above the mean; 0 below */
#define NS_PER_S_D 1e9

/* Uniform over (0,1), from the upper 53 bits. */
static double unit_of(uint64_t r)
{
    return ((double)(r >> 11) + 0.5) * 0x1.0p-53;
}

/* A second random number from the first one. */
static uint64_t another(uint64_t r)
{
    return rng_mix(r + UINT64_C(0x9e3779b97f4a7c15));
}

static double normal_density(double z)
{
    return exp(-z * z / 2) / sqrt(2 * M_PI);
}

static double normal_share_below(double z)
{
    return erfc(-z / M_SQRT2) / 2;
}

/* The mean of a normal variable held within 0 and mean + 4 sd. */
static double normal_mean(double mean, double sd)
{
    const double low = -mean / sd;
    const double high = NORMAL_CUT;
    const double inside = normal_share_below(high) - normal_share_below(low);

    return mean * inside + sd * (normal_density(low) - normal_density(high)) +
           (mean + high * sd) * normal_share_below(-high);
}

double dist_mean_ns(const struct dist *d)
{
    switch (d->kind) {
    case DIST_FIXED:
        return d->mean_ns;
    case DIST_UNIFORM:
        return (d->low_ns + d->high_ns) / 2;
    case DIST_NEGEXP:
        return d->mean_ns * (1 - exp(-NEGEXP_CUT));
    case DIST_NORMAL:
        return d->sd_ns > 0 ? normal_mean(d->mean_ns, d->sd_ns) : d->mean_ns;
    }
    UNREACHABLE();
}

/* Box and Muller 1958; one of the two values is enough. */
static double normal_draw(double mean, double sd, uint64_t r)
{
    const double radius = sqrt(-2 * log(unit_of(r)));
    const double value = mean + sd * radius * cos(2 * M_PI * unit_of(another(r)));

    return fmin(fmax(value, 0), mean + NORMAL_CUT * sd);
}

static double draw(const struct dist *d, uint64_t r)
{
    switch (d->kind) {
    case DIST_FIXED:
        return d->mean_ns;
    case DIST_UNIFORM:
        return d->low_ns + (d->high_ns - d->low_ns) * unit_of(r);
    case DIST_NEGEXP:
        return d->mean_ns * fmin(-log(unit_of(r)), NEGEXP_CUT);
    case DIST_NORMAL:
        return normal_draw(d->mean_ns, d->sd_ns, r);
    }
    UNREACHABLE();
}

uint64_t dist_draw_ns(const struct dist *d, uint64_t r)
{
    return (uint64_t)llround(draw(d, r));
}

double pace_mean_cycle_ns(const struct pace *p, const uint8_t mix[TXN_TYPES])
{
    double sum_ns = 0;
    double cards = 0;

    switch (p->kind) {
    case PACE_NONE:
        return 0;
    case PACE_CYCLE:
    case PACE_INTERARRIVAL:
        return p->factor * dist_mean_ns(&p->interval);
    case PACE_THINK:
        break;
    }
    for (int t = 0; t < TXN_TYPES; t++) {
        sum_ns += mix[t] * (dist_mean_ns(&p->keying[t]) + dist_mean_ns(&p->think[t]));
        cards += mix[t];
    }
    CHECK(cards > 0);
    return p->factor * sum_ns / cards;
}

static double dist_longest(const struct dist *d)
{
    switch (d->kind) {
    case DIST_FIXED:
        return d->mean_ns;
    case DIST_UNIFORM:
        return d->high_ns;
    case DIST_NEGEXP:
        return d->mean_ns * NEGEXP_CUT;
    case DIST_NORMAL:
        return d->mean_ns + NORMAL_CUT * d->sd_ns;
    }
    UNREACHABLE();
}

uint64_t pace_longest_ns(const struct pace *p)
{
    double keying_ns = 0;
    double think_ns = 0;

    switch (p->kind) {
    case PACE_NONE:
        return 0;
    case PACE_CYCLE:
    case PACE_INTERARRIVAL:
        return (uint64_t)ceil(p->factor * dist_longest(&p->interval));
    case PACE_THINK:
        break;
    }
    for (int t = 0; t < TXN_TYPES; t++) {
        keying_ns = fmax(keying_ns, dist_longest(&p->keying[t]));
        think_ns = fmax(think_ns, dist_longest(&p->think[t]));
    }
    return (uint64_t)ceil(p->factor * (keying_ns + think_ns));
}

double pace_ceiling_tps(const struct pace *p, const uint8_t mix[TXN_TYPES], uint64_t users)
{
    const double cycle_ns = pace_mean_cycle_ns(p, mix);

    return cycle_ns > 0 ? (double)users / cycle_ns * NS_PER_S_D : (double)NAN;
}

uint64_t pace_wait_ns(const struct pace *p, enum txn_type last, enum txn_type next, uint64_t r)
{
    switch (p->kind) {
    case PACE_NONE:
        return 0;
    case PACE_CYCLE:
    case PACE_INTERARRIVAL:
        return (uint64_t)llround(p->factor * draw(&p->interval, r));
    case PACE_THINK:
        DCHECK(last < TXN_TYPES);
        DCHECK(next < TXN_TYPES);
        return (uint64_t)llround(p->factor *
                                 (draw(&p->think[last], r) + draw(&p->keying[next], another(r))));
    }
    UNREACHABLE();
}
