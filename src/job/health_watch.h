/*
 * The health of the drives under a run: read before and after it, and looked at along the way on a
 * thread of its own, since it runs programs. What no tool or no right lets us see is said in the
 * result, never a failure.
 */
#ifndef JOB_HEALTH_WATCH_H
#define JOB_HEALTH_WATCH_H

#include "base/clock.h"
#include "base/log.h"
#include "result/result.h"

struct health_watch;

/* Reads the leaves of r->drive.devices and begins to watch them; NULL where there are none. Of a
 * result that goes on, what was read before its first part stays (health_watch_note()), so that
 * what wore or throttled the drive in any part of it is told. */
struct health_watch *health_watch_new(const struct clock *clock, struct log *log,
                                      const struct result *r);
/* Main thread, as the run's clock starts. NULL is harmless. */
void health_watch_go(struct health_watch *w, uint64_t go_ns);
/* Of the hottest drive as it was last looked at; NaN: none tells. Any thread. */
double health_watch_temperature_c(const struct health_watch *w);
/* Fills r->health with what was read before, for a result that is saved along the way. */
void health_watch_note(const struct health_watch *w, struct result *r);
/* Ends the watching, reads them again, fills r->health, marks in r what the drives told along the
 * way, and frees. NULL is harmless. */
void health_watch_end(struct health_watch *w, struct result *r);

#endif
