/*
 * The live view: one block that redraws on a terminal, at most LIVE_LINES_MAX lines, one line per
 * interval elsewhere. Colours say nothing that words don't, and are left out where NO_COLOR is set.
 * One thread calls all of it (main, or whoever runs a long step while main waits).
 */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/progress.h"
#include "result/result.h"

#define LIVE_LINES_MAX 12

struct live;

/* out: a terminal or not; plain: never redraw; quiet: nothing but what live_say() is given.
 * live_free() it. */
struct live *live_new(FILE *out, bool plain, bool quiet);
/* A terminal of so many columns, whatever out is, without colours and in ASCII: for tests, which
 * may change all three. */
struct live *live_new_terminal(FILE *out, int columns);
void live_resize(struct live *l, int columns);
void live_look(struct live *l, bool colours, bool utf8);
/* Ends what redraws (live_end). */
void live_free(struct live *l);
struct live_moment {
    const char *phase;
    uint64_t phase_left_ns, run_left_ns;
    bool until_steady; /* what is left is a bound */
};
/* A row without rates, which was too short for them, is not shown. */
void live_interval(struct live *l, const struct live_moment *m, const struct result *r,
                   const struct series_row *row);
/* What is shown of several targets (report/live_targets.h): the block on a terminal, the line
 * elsewhere. */
void live_show(struct live *l, const char *block, const char *line);
/* A long step: its bar with rate and time left; thinned out to 5 a second on a terminal, one line
 * each 10 s elsewhere; its end (done == total) is always shown, once. now_ns: CLOCK_MONOTONIC. */
void live_progress(struct live *l, const struct progress *p, uint64_t now_ns);
/* A line of the log, above the block. */
void live_say(struct live *l, const char *line);
/* Ends a block that redraws, so that what follows starts on a fresh line. */
void live_end(struct live *l);

#endif
