/*
 * Where the level of a series changed: a drive that begins to throttle, a cache that is full, and
 * back again. Not a drift, not a saw-tooth, not a single spike.
 *
 * Method: circular binary segmentation (Olshen, Venkatraman, Lucito and Wigler 2004) on logarithms,
 * so that a stretch in the middle is found as well as a step. Its quantiles hold for independent
 * values only, and those of a database are not: so a stretch counts where it is large (a factor),
 * clear (nearly all of its values lie beyond nearly all others, the area under the ROC curve) and
 * sudden (most of it happens at the edge). A saw-tooth with whole periods on both sides is never
 * clear, a drift never sudden. Pure maths, any thread.
 */
#ifndef STATS_STEADY_CHANGE_H
#define STATS_STEADY_CHANGE_H

#include <stddef.h>

#define CHANGE_VALUES_MAX 2000 /* the search takes the square of it */

struct change {
    size_t at;     /* the first value of the new level */
    double before; /* means on both sides, up to the next change or the end */
    double after;
};

struct change_rules {
    size_t least;      /* values on each side of a change: at least a whole period */
    double factor;     /* between the levels; above 1 */
    double clear;      /* area under the curve, 0.5 (no difference) to 1 (no overlap) */
    double deviations; /* between the levels, of the values within them */
};

/* Changes in value[n], at most CHANGE_VALUES_MAX finite figures of 0 and above, in order; at most
 * max of them, the first ones. Returns how many. */
size_t change_find(const double *value, size_t n, const struct change_rules *rules,
                   struct change *out, size_t max);

#endif
