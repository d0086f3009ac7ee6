/*
 * Runs fio for one point, watched: it is ended where it does not end by itself, or where we are
 * asked to stop; and while it works the devices' counters are read. Main thread.
 */
#ifndef BLOCK_FIO_RUN_H
#define BLOCK_FIO_RUN_H

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/log.h"
#include "base/stop.h"
#include "block/fio_args.h"
#include "block/fio_json.h"
#include "result/result.h"

struct fio_env {
    const struct clock *clock;
    const struct fsroot *root;
    struct stop *stop;
    struct log *log;
    const char *dir;          /* where fio's output goes for a while */
    const char *const *names; /* devices whose counters are read */
    size_t n_names;
    uint64_t margin_ns; /* over settling and duration: then it hangs */
    /* Called a few times a second while fio works; may be NULL. */
    void (*tick)(void *ctx);
    void *ctx;
};

/* fio --version, and whether it is new enough; free() it. NULL and err where it is not there. */
char *fio_find(const char *fio, struct err *err);

/* One point. devices (n_names of them) get the rates of the measured seconds, "none" where there is
 * a gap. -1 and err on failure; ERR_INTERRUPTED where we were asked to stop. */
int fio_run(const struct fio_env *env, const struct fio_point *point, struct fio_figures *out,
            struct result_rates *devices, struct err *err) MUST_CHECK;

#endif
