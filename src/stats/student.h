/*
 * Student's t distribution: what an interval from few values needs in place of the normal one.
 */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

/* P(|T| > t) with df > 0 degrees of freedom (need not be whole), t >= 0. */
double student_two_sided(double t, double df);
/* The t with P(|T| <= t) = level, 0 < level < 1, df >= 1: 2.776 for 0.95 and 4. */
double student_quantile(double level, double df);

#endif
