/*
 * Notices a run that does not get on: transactions under way and none ending, or a loop that says
 * nothing at all. It only tells; what to do about silence is main's to decide. Pure but for the
 * log.
 */
#ifndef RUN_WATCHDOG_H
#define RUN_WATCHDOG_H

#include "base/log.h"
#include "run/recorder.h"

#define WATCHDOG_STUCK_NS (30 * NS_PER_S)   /* without an end */
#define WATCHDOG_SILENCE_NS (10 * NS_PER_S) /* of the loop, beyond its next edge */
#define WATCHDOG_AGAIN_NS (60 * NS_PER_S)   /* until the same is said again */

struct watchdog {
    struct log *log;
    uint64_t ended;    /* transactions, at the last look */
    uint64_t ended_ns; /* when that number last changed */
    uint64_t said_ns;  /* 0: not yet */
};

void watchdog_init(struct watchdog *w, struct log *log, uint64_t now_ns);
/* After each slice; ended: transactions so far. True where it said something. */
bool watchdog_look(struct watchdog *w, const struct slice *s, uint64_t ended);
/* Before the run: no session came for silent_ns, `opened` are there. */
bool watchdog_opening(struct watchdog *w, uint32_t opened, uint64_t silent_ns, uint64_t now_ns);
/* In the run: the loop has said nothing for silent_ns. */
bool watchdog_silence(struct watchdog *w, uint64_t silent_ns, uint64_t now_ns);

#endif
