/*
 * The order of the steps of a run (design: "A run"): facts, plan, preflight, dataset, checks, run,
 * after-checks, result. Each step leaves what it found in the result. Blocking; main thread; what
 * the user sees goes through the callbacks that cmd sets.
 */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/stop.h"
#include "check/check.h"
#include "config/config.h"
#include "config/settings.h"
#include "plan/plan.h"
#include "result/ladder.h"
#include "result/repeats.h"
#include "result/result.h"
#include "result/targets.h"
#include "run/run.h"

struct job_env;

struct job_planned {
    const struct plan *plan;
    const struct settings *settings; /* of the job */
    const struct plan_facts *facts;
    const char *device; /* one line about the device under the data */
};

/* What the user sees and is asked. Any of them may be NULL. */
struct job_ui {
    /* Before anything is written. */
    void (*plan)(const struct job_planned *planned, void *ctx);
    /* The same of a job without a database: whole lines. */
    void (*plan_text)(const char *text, void *ctx);
    /* True: go on. Where there is nobody to ask it answers false. */
    bool (*confirm)(const char *question, void *ctx);
    progress_fn progress;
    void (*connecting)(uint32_t done, uint32_t total, void *ctx);
    void (*interval)(const struct run_interval *iv, void *ctx);
    /* The judged result as the page that is to lie beside it, report.html; `dir` holds what is
     * written already (plan.yaml, series.csv). free() it. */
    char *(*page)(const struct result *r, const char *dir, void *ctx);
    /* The points of a sweep as the table that is to lie beside them, points.csv. free() it. */
    char *(*sweep_points)(const struct result *r, void *ctx);
    /* The page of a ladder as it stands. free() it. */
    char *(*ladder_page)(const struct ladder *l, void *ctx);
    /* The page of repeats as they stand, whose directories lie below `dir`. free() it; NULL: none.
     */
    char *(*repeats_page)(const struct repeats *all, const char *dir, void *ctx);
    /* What is planned and prepared from here on is this one's of several targets. */
    void (*target)(const struct job_env *env, void *ctx);
    /* Before the run target `number` (from 0), of that name, has come so far, or is ready; and an
     * interval of its run. From its thread, never two at once. */
    void (*target_progress)(size_t number, const char *name, const struct progress *p, void *ctx);
    void (*target_ready)(size_t number, const char *name, void *ctx);
    void (*target_interval)(size_t number, const struct run_interval *iv, void *ctx);
    char *(*targets_page)(const struct targets *t, void *ctx); /* free() it */
    void *ctx;
};

struct job_env {
    const struct settings *settings;
    const struct config *config; /* whose settings these are; NULL: plan.yaml tells no origins */
    const char *program;         /* "tpcc-run", "tpcc-load", "tpcc-check" */
    const char *version;
    const char *command;      /* the command line, redacted */
    const char *command_base; /* ... without the sizes, for a refusal that names one that fits */
    const char *schema_dir;   /* the dialect's folder: PostgreSQL's, or what --dialect names */
    const char *schema_root;  /* the folder of those that come with us */
    const char *server_conf;  /* config/postgresql.conf, the private server's settings */
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    const struct job_ui *ui;
};

struct job_outcome {
    char *result_path; /* free(); NULL where no result directory was made */
    bool judged;       /* there are figures, whether they could be written or not */
    bool finished;     /* false: only the .partial directory with what there was */
    bool dry_run;      /* the plan was shown and that was all */
    bool interrupted;
};

/* A file system that is still to be made. */
struct job_place {
    uint64_t size_bytes, free_bytes;
    const char *device; /* one line about it, for the plan */
};
/* What job_run() would plan on it, and what it would refuse that can be known already: too little
 * space, no programs of PostgreSQL, a limit on files. Shows the plan. Writes nothing. */
int job_foresee(const struct job_env *env, const struct job_place *place, struct plan *plan,
                struct err *err) MUST_CHECK;

/* The main job. `r` is initialised by the caller and holds the result afterwards. -1: it could not
 * be done (err tells why and gives the exit code); 0: there is a result, whatever its verdict. */
int job_run(const struct job_env *env, struct result *r, struct job_outcome *out,
            struct err *err) MUST_CHECK;
void job_outcome_release(struct job_outcome *out);

/* Only the dataset: builds, resumes or reuses it; checksum != NULL: also reads it all back. */
struct job_loaded {
    struct load_times *times; /* filled where something was loaded */
    uint64_t *checksum;       /* one per table, or NULL */
    uint64_t checksum_total;
    int64_t warehouses, bytes;
    bool reused;
};
int job_load(const struct job_env *env, struct job_loaded *loaded, struct err *err) MUST_CHECK;

/* Only the twelve conditions (or the quick ones, by settings->run.check). */
int job_check(const struct job_env *env, struct check_report *report, struct err *err) MUST_CHECK;

/* --remove: the dataset and, on a drive, the private server's directory, after listing and asking.
 */
int job_remove(const struct job_env *env, struct err *err) MUST_CHECK;

#endif
