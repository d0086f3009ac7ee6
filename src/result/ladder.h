/*
 * The document of a ladder: many runs on one dataset, each with a result directory of its own below
 * the ladder's. What result.json of the ladder holds, which is enough for its reports; everything
 * else is in the steps' directories. "None" as in result.h.
 */
#ifndef RESULT_LADDER_H
#define RESULT_LADDER_H

#include "base/err.h"
#include "result/limit.h"
#include "result/result.h"

#define LADDER_KIND "ladder"
#define LADDER_STEPS_MAX 512

#define LADDER_FOUND "found"     /* one number of users holds, a greater one is not known to */
#define LADDER_FLOOR "floor"     /* not even the fewest tried */
#define LADDER_CEILING "ceiling" /* the most that were to be tried hold */

/* One condition of a search at one step, of all samples of these users so far. */
struct ladder_goal {
    char *text;                       /* "p95<20ms" */
    char *says;                       /* "holds", "fails", "unsure" */
    double value_ms, low_ms, high_ms; /* with its 95 % interval; none: too few transactions */
    double limit_ms;
};

/* What the drive did a second, for one user. None at offered rates. */
struct ladder_cost {
    double reads, read_kib, writes, write_kib, flushes;
};

struct ladder_answer {
    char *end;     /* LADDER_FOUND ...; NULL: it goes on */
    int64_t holds; /* the most users that are known to hold all conditions; -1: none */
    int64_t next;  /* the fewest above that are not; -1: none */
    int64_t fails; /* the fewest above that are known not to; -1: none */
    double holds_tps, next_tps, fails_tps; /* the offered rates of these; none: of users */
    struct ladder_cost a_user;             /* at `holds` */
};

/* One measured run of it. */
struct ladder_step {
    char *directory;         /* below the ladder's: "steps/2026-11-30T134501Z-2000-users" */
    int64_t users, sessions; /* of an offered rate the users are its sources */
    double
        users_per_warehouse;   /* above 10 it is marked: more than the standard has; none: a rate */
    double ceiling_tps;        /* an offered rate is this; none: the maximum, without a pace */
    double percent_of_maximum; /* of an offered rate */
    char *verdict;             /* "valid" ... */
    char *reasons;             /* their codes, "short, unsteady"; NULL: none */
    char *limited;             /* by what, limit_name() */
    char *evidence;
    int steady;      /* 1, 0, -1: not judged */
    double settle_s; /* before the sample, ramp included */
    double seconds;  /* of the sample */
    int64_t transactions, failed, unfinished;
    int64_t due;   /* in the sample, whenever they ended */
    int saturated; /* of an offered rate: 1: less got done than was due; -1: no offered rate */
    double tps, tps_percent_of_ceiling;
    struct summary response;
    char *device; /* those that the database lies on, "nvme0n1 + sdb"; NULL: no counters */
    struct result_rates rates;
    double reads_per_txn, writes_per_txn, flushes_per_txn, read_kib_per_txn, write_kib_per_txn;
    double server_cpu_percent;
    char *says; /* "holds" ... all conditions; NULL: no search */
    VEC(struct ladder_goal) goals;
};

/* The twelve conditions after the last step. */
struct ladder_check {
    int64_t conditions, failed; /* -1: not looked */
    char *first;                /* of those that failed, and why */
    double seconds;
};

struct ladder {
    char *version, *started, *ended, *label, *command;
    char *asked; /* "2000,5000,10000", a search's conditions, or "curve" */
    bool is_search;
    bool is_rates;      /* its loads are offered rates, the maximum before them */
    double maximum_tps; /* none: not measured yet, or of users */
    struct ladder_answer answer;
    char *ended_by; /* "plan", "interrupt", or what went wrong; NULL: it goes on, or was killed */
    int64_t planned_steps;
    char *host, *workload, *database, *drive;
    int64_t warehouses;
    double mean_cycle_s;
    struct ladder_check check;
    VEC(struct ladder_step) steps; /* as they were measured */
};

/* All figures "none". ladder_release() it. */
void ladder_init(struct ladder *l);
void ladder_release(struct ladder *l);
/* What the judged result of a run has for a step's row. ladder_step_release() it. */
struct ladder_step ladder_step_of_result(const struct result *r, const char *directory);
void ladder_step_release(struct ladder_step *s);
/* A step at the end, of the judged result of a run with its batches. */
void ladder_add_step(struct ladder *l, const struct result *r, const char *directory);
/* Whether it is the maximum that the offered rates are percents of. */
bool ladder_step_is_maximum(const struct ladder_step *s);
/* The last step of so many users, not the maximum; NULL: there is none. */
const struct ladder_step *ladder_step_of(const struct ladder *l, int64_t users);
/* The offered rate at which most got done, or the maximum; NULL: none was measured. */
const struct ladder_step *ladder_peak(const struct ladder *l);
/* Fills the answer's rates and cost. */
void ladder_cost(struct ladder *l);
/* All steps' indices in rising order of users, those of the same number as they were measured; the
 * maximum before them. */
void ladder_order(const struct ladder *l, size_t *index);
/* Whether it came to its planned end. */
bool ladder_ended_as_planned(const struct ladder *l);
/* Whether a program that asked for it should fail: conditions or all its steps are bad; with
 * `strict` also where a step is not valid, but for offered rates that were more than it does. */
bool ladder_failed(const struct ladder *l, bool strict);
/* More users a warehouse than the standard has. */
bool ladder_step_is_beyond(const struct ladder_step *s);

/* result.json; free() it. */
char *ladder_json_write(const struct ladder *l);
/* Into a ladder_init()ed one. A result of another kind is an error. */
int ladder_json_read(const char *text, struct ladder *l, struct err *err) MUST_CHECK;

/* Whether the directory's result is a ladder's. */
bool ladder_dir_is(const char *path);
int ladder_dir_read(const char *path, struct ladder *l, struct err *err) MUST_CHECK;

#endif
