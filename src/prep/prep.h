/*
 * drive-prep: the order of the steps (facts, refusals, plan, consent; erase, fill, sample,
 * partition, file system, mount), each recorded before the next begins, so that whatever ends the
 * program it goes on there. Blocking; main thread; what the user sees goes through the callbacks
 * that cmd sets.
 */
#ifndef PREP_PREP_H
#define PREP_PREP_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/stop.h"
#include "config/settings.h"
#include "prep/duration.h"
#include "result/result.h"

struct prep_env {
    const struct settings *settings;
    const char *device; /* as the user named it */
    const char *version, *command;
    const struct clock *clock;
    struct log *log;
    struct stop *stop;
    /* Before anything is written. */
    void (*plan)(const char *text, void *ctx);
    /* Asks the question on the terminal and answers the line that was typed (free() it); NULL where
     * there is nobody to ask. */
    char *(*ask)(const char *question, void *ctx);
    progress_fn progress;
    /* The page of a finished result in its directory, to be written beside it; free() it. NULL:
     * none. */
    char *(*page)(const struct result *r, const char *dir, void *ctx);
    void *ctx;
};

struct prep_outcome {
    char *result_path; /* free() it; NULL: no result directory was made */
    bool finished;     /* false: only a .partial one with what there was */
};

/* r: result_init'ed by the caller, holds the result afterwards. -1: it could not be done, or was
 * interrupted; 0: there is a result, whatever its verdict, or with --dry-run the plan was shown. */
int prep_run(const struct prep_env *env, struct result *r, struct prep_outcome *out,
             struct err *err) MUST_CHECK;

/* How long a whole preparation of the drive with these settings would take, whatever is on the
 * drive now: nothing is refused, gone on with, asked or written. Of env only settings, device,
 * clock and log are looked at. -1: there is no such drive, or the settings ask for what it can't
 * hold. prep_duration_release() it. */
int prep_foresee(const struct prep_env *env, struct prep_duration *out, struct err *err) MUST_CHECK;

#endif
