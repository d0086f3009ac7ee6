/*
 * The loop of a run: owns users, sessions and recorders, and does everything between "due" and
 * "done". It talks to main by messages only. On the machine's clock it runs in a thread of its own
 * (exec_start); on a fake one main turns it by hand (exec_turn), so that a run of hours is a test
 * of a second.
 *
 * Life: exec_new -> messages CONNECTING, STEADY with the time of GO, one SLICE an edge, END ->
 * exec_stop -> exec_free. Limit: one loop carries some 50,000 TPS.
 */
#ifndef RUN_EXEC_ASYNC_H
#define RUN_EXEC_ASYNC_H

#include "base/bqueue.h"
#include "run/errtable.h"
#include "run/outages.h"
#include "run/recorder.h"
#include "run/run.h"
#include "run/windows.h"

struct exec;

enum exec_end {
    END_NONE,
    END_SETUP,       /* could not begin: exec_setup_error() */
    END_PLAN,        /* as planned */
    END_INTERRUPT,   /* asked to stop */
    END_SERVER_GONE, /* no session alive for 60 s */
};

struct exec_msg {
    enum {
        MSG_CONNECTING, /* done of total sessions are open and warm; thinned out */
        MSG_GO,         /* all are; users start at windows.go_ns */
        MSG_SLICE,
        MSG_END, /* the last one */
    } kind;
    uint32_t done;
    uint32_t total;
    struct windows windows; /* GO, SLICE: as they stand */
    struct slice slice;
    enum exec_end end;
};

/* All memory of the run. NULL and err where threads or descriptors can't be had. */
struct exec *exec_new(const struct run_env *env, struct err *err);
/* Starts the loop's thread. */
int exec_start(struct exec *e, struct err *err) MUST_CHECK;
/* Without a thread: one turn. False once END has been sent. */
bool exec_turn(struct exec *e);
/* The next message, at most timeout_ns. */
bool exec_receive(struct exec *e, struct exec_msg *msg, uint64_t timeout_ns);
/* A slice's recorder, read and done with. */
void exec_give_back(struct exec *e, struct recorder *rec);
/* Asks the loop to end at once, whatever it is at. */
void exec_leave(struct exec *e);
/* The sample begins at_ns, an edge of an interval ahead, before it was due; where that has passed,
 * at the next edge. From main. */
void exec_sample_at(struct exec *e, uint64_t at_ns);
/* Waits for the thread's end. False where it hangs in a driver: then nothing of e may be freed. */
bool exec_stop(struct exec *e, uint64_t timeout_ns);

/* After the end. */
const struct err *exec_setup_error(const struct exec *e);
const struct errtable *exec_errors(const struct exec *e);
const struct outages *exec_outages(const struct exec *e);
uint32_t exec_abandoned(const struct exec *e);     /* sessions that did not answer in time */
uint64_t exec_slices_merged(const struct exec *e); /* edges at which main was too late */
/* Hands over the in-doubt list (free() it) and what found no room in it. */
void exec_take_doubts(struct exec *e, struct run_counts *counts);
void exec_free(struct exec *e);

#endif
