/*
 * Several targets at once: all are prepared, then all are measured from one moment on,
 * each run in a thread of its own that does what main does in a single run. One that is lost on the
 * way ends by itself.
 */
#ifndef JOB_TARGETS_H
#define JOB_TARGETS_H

#include "job/job.h"

/* env->config names them. `t` is initialised by the caller and holds the document afterwards. -1:
 * it could not be done, or was interrupted; 0: there is one, whatever its verdict. */
int job_targets(const struct job_env *env, struct targets *t, struct job_outcome *out,
                struct err *err) MUST_CHECK;

#endif
