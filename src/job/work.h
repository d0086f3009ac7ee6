/*
 * What every job stands on: the target, the plan, and where it needs them the dataset and a session
 * for questions. Opened in this order, released in reverse on every path. Main thread.
 */
#ifndef JOB_WORK_H
#define JOB_WORK_H

#include "job/dataset.h"
#include "job/target.h"
#include "result/result_dir.h"

struct work {
    const struct job_env *env;
    struct target target;
    struct plan plan;
    struct dataset_held held;
    struct session *session; /* for questions before and after a run */
};

/* What is planned for. */
struct work_for {
    const struct settings *settings;
    bool load_only;   /* no run follows */
    uint64_t repeats; /* of the same plan; 0: one */
    double runs;      /* of that length follow each other; 0: one */
    unsigned servers; /* private ones that share this machine; 0: one */
};
/* Looks at the target and plans; shows the plan. */
int work_plan(struct work *w, const struct work_for *what, struct err *err) MUST_CHECK;
/* The current directory was meant, and it lies with the system: the user shall see and agree. */
int work_confirm_place(const struct work *w, struct err *err) MUST_CHECK;
/* Server up, dataset there and locked, procedures made, a session for questions. */
int work_prepare(struct work *w, struct err *err) MUST_CHECK;
/* Between two runs: the dataset is let go, and is there for the next work_prepare(). */
void work_pause(struct work *w);
/* For the document of many runs: plan.yaml, with the origins that `env` knows, unless it goes on
 * (--resume) and has it; *at becomes the time, UTC. */
int work_write_plan(const struct work *w, const struct job_env *env, struct result_dir *dir,
                    struct err *err) MUST_CHECK;
void work_now_text(const struct job_env *env, char **at);
/* Harmless on a zeroed one. */
void work_release(struct work *w);

#endif
