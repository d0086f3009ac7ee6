/*
 * Each thread takes the next target until none is left. The load of a target has threads of its
 * own.
 */
#include <stdatomic.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "job/targets_all.h"

#define AT_ONCE_LEAST 2
#define AT_ONCE_MOST 8

struct preparing {
    struct targets_all *all;
    atomic_size_t next;
    _Atomic int64_t failed; /* the first one that did; -1: none */
};

static void prepare(struct targets_one *o)
{
    const struct job_ui *ui = o->all->env->ui;
    struct cluster *cluster = NULL;

    o->rc = work_prepare(&o->work, &o->err);
    cluster = o->work.target.cluster;
    if (o->rc < 0 && cluster && o->err.kind == ERR_SURROUNDINGS)
        (void)cluster_explain(cluster, &o->err);
    if (o->rc < 0 || !ui || !ui->target_ready)
        return;
    CHECK(pthread_mutex_lock(&o->all->lock) == 0);
    ui->target_ready(targets_one_number(o), targets_one_name(o), ui->ctx);
    CHECK(pthread_mutex_unlock(&o->all->lock) == 0);
}

static void *worker(void *ctx)
{
    struct preparing *p = ctx;
    int64_t nobody = -1;

    while (stop_level(&p->all->stop) == 0) {
        const size_t i = atomic_fetch_add(&p->next, 1);

        if (i >= p->all->n)
            break;
        prepare(&p->all->one[i]);
        if (p->all->one[i].rc == 0)
            continue;
        if (atomic_compare_exchange_strong(&p->failed, &nobody, (int64_t)i))
            stop_ask(&p->all->stop);
        break;
    }
    return NULL;
}

static size_t at_once(size_t n)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cpus > AT_ONCE_LEAST ? (size_t)cpus : AT_ONCE_LEAST;

    most = most < AT_ONCE_MOST ? most : AT_ONCE_MOST;
    return n < most ? n : most;
}

static int run_workers(struct preparing *p, struct err *err)
{
    const size_t n = at_once(p->all->n);
    struct thread thread[AT_ONCE_MOST] = {0};
    struct thread *of[AT_ONCE_MOST];
    int rc = 0;

    for (size_t i = 0; i < n; i++) {
        of[i] = &thread[i];
        if (rc == 0)
            rc = thread_start(of[i], "prepare", worker, p, err);
    }
    if (rc < 0)
        stop_ask(&p->all->stop);
    targets_wait(p->all, of, n);
    return rc;
}

/* Together, when nothing is written any more to any of the drives. */
static int rest(struct targets_all *a, struct err *err)
{
    double rested_s = 0;

    if (!a->env->settings->restore.before_run)
        return 0;
    if (restore_rest(a->env, &rested_s, err) < 0)
        return -1;
    for (size_t i = 0; i < a->n; i++)
        a->one[i].work.held.rest_s = rested_s;
    return 0;
}

int targets_prepare(struct targets_all *a, struct err *err)
{
    struct preparing p = {.all = a};
    int64_t failed;
    int rc;

    atomic_init(&p.failed, -1);
    rc = run_workers(&p, err);
    failed = atomic_load(&p.failed);
    if (stop_level(a->env->stop))
        return err_set(err, ERR_INTERRUPTED, "interrupted before the run");
    if (rc < 0)
        return -1;
    if (failed < 0)
        return rest(a, err);
    *err = a->one[failed].err;
    return targets_one_failed(&a->one[failed], err);
}
