/*
 * Whether a run was steady, and where its level changed: a function of the document's series and of
 * steadiness.round_s alone. The series is cut into rounds, which lie on a grid that the sample's
 * start is on and hold whole checkpoints of the server where its checkpoint_timeout is known; five
 * neighbouring rounds are a window (stats/steady.h).
 *
 * Judged are response, TPS, and of the drive write rate and awaits (result/drive_set.h). A measure
 * with too few events in a round is not judged, a range of less than STEADY_LEAST_MS is none, and
 * what differs no more than chance makes rounds differ (stats/steady.h, by the rows within them) is
 * steady.
 */
#ifndef RESULT_STEADINESS_H
#define RESULT_STEADINESS_H

#include "result/result.h"

#define STEADY_EVENTS 100.0  /* least number of transactions or requests in a round */
#define STEADY_LEAST_MS 0.05 /* differences of response and awaits below are nothing */

/* Judges the window of five rounds that ends end_s after GO, of the series as it stands, into s's
 * window and measures; s->steady is -1 where there are not five behind the ramp, or too little
 * happened. */
void steadiness_at(const struct result *r, double end_s, struct result_steadiness *s);
/* After the run: fills r->steadiness and adds a mark for each change of level. Once. */
void steadiness_judge(struct result *r);
/* As it was judged. */
struct steady_window steadiness_window(const struct result_steady_measure *of);
/* "response", "write await" ...; and "ms", "MiB/s" or "" behind a figure of it. */
const char *steadiness_words(int measure);
const char *steadiness_unit(int measure);

#endif
