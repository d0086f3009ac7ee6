/*
 * The dataset's step. On the private server a load runs with unsafe settings and ends durable; on
 * a server that is not ours nothing but our schema is touched. A load holds the dataset's lock
 * itself; the lock of the run is taken when the dataset is there.
 */
#include "job/dataset.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "cluster/layout.h"

int dataset_confirm(const struct job_env *env, const char *question, struct err *err)
{
    if (env->settings->output.yes)
        return 0;
    if (env->ui && env->ui->confirm && env->ui->confirm(question, env->ui->ctx))
        return 0;
    return err_set(err, ERR_USAGE, "not done: %s (--yes does it without asking)", question);
}

struct load_env dataset_load_env(const struct target *t)
{
    const struct job_env *env = t->env;

    return (struct load_env){
        .ops = t->ops,
        .db = target_db(t),
        .dialect = t->dialect,
        .clock = env->clock,
        .log = env->log,
        .stop = env->stop,
        .on_progress = env->ui ? env->ui->progress : NULL,
        .ctx = env->ui ? env->ui->ctx : NULL,
    };
}

static int check_size(const struct manifest *m, const struct plan *plan, struct err *err)
{
    if (m->state != DATASET_COMPLETE && m->state != DATASET_PARTIAL)
        return 0;
    if (m->dataset.warehouses == plan->dataset.warehouses)
        return 0;
    return err_set(err, ERR_USAGE,
                   "the dataset there has %d warehouses, %d were asked for (leave --warehouses out "
                   "to use it, or --rebuild to replace it)",
                   m->dataset.warehouses, plan->dataset.warehouses);
}

static bool asked_for(const struct target *t, const char *path)
{
    return t->env->config && config_is_set(t->env->config, path);
}

/* Whoever names the rows gets these rows, or is told. Times are settings of whole seconds. */
static int check_rows(const struct target *t, const struct manifest *m, struct err *err)
{
    const struct settings *s = t->env->settings;
    char there[32];

    if (m->state != DATASET_COMPLETE && m->state != DATASET_PARTIAL)
        return 0;
    if (asked_for(t, "load.seed") && s->load.seed != m->dataset.seed)
        return err_set(err, ERR_USAGE,
                       "the dataset there is of load.seed %llu, not of %llu (leave it out to use "
                       "the dataset, or --rebuild to replace it)",
                       (unsigned long long)m->dataset.seed, (unsigned long long)s->load.seed);
    if (!asked_for(t, "load.time") || s->load.time_us == 0 ||
        s->load.time_us / US_PER_S == m->dataset.load_time_us / US_PER_S)
        return 0;
    clock_format_utc(m->dataset.load_time_us, there, sizeof(there));
    return err_set(err, ERR_USAGE,
                   "the dataset there is of load.time %s (leave it out to use the dataset, or "
                   "--rebuild to replace it)",
                   there);
}

static int check_wanted(const struct target *t, const struct manifest *m, const struct plan *plan,
                        struct err *err)
{
    if (check_size(m, plan, err) < 0)
        return -1;
    return check_rows(t, m, err);
}

static int fill(struct target *t, const struct plan *plan, struct dataset_held *held,
                struct err *err)
{
    const struct load_env env = dataset_load_env(t);
    const struct load_opts opts = {
        .dataset = plan->dataset,
        .loaders = plan->loaders,
        .unit_table = plan->unit_table,
        .binary = true,
    };

    if (held->manifest.state == DATASET_PARTIAL)
        log_line(t->env->log, LOG_INFO, "dataset: a load that was cut off goes on (%d warehouses)",
                 held->manifest.dataset.warehouses);
    else
        log_line(t->env->log, LOG_INFO, "dataset: loading %d warehouse%s", opts.dataset.warehouses,
                 opts.dataset.warehouses == 1 ? "" : "s");
    return load_dataset(&env, &opts, &held->manifest, &held->times, err);
}

int dataset_read_manifest(struct target *t, struct manifest *m, struct err *err)
{
    struct session *s = target_connect(t, err);
    const int rc = s ? manifest_read(s, t->dialect, m, err) : -1;

    session_free(s);
    if (rc == 0 && m->state == DATASET_FOREIGN)
        return err_set(err, ERR_SURROUNDINGS,
                       "the database holds %s: it is not touched (name another database)", m->why);
    return rc;
}

static bool is_ours(const struct manifest *m)
{
    return m->state == DATASET_COMPLETE || m->state == DATASET_PARTIAL;
}

/* What --rebuild drops on a server that is not ours, listed and asked for. */
static int ask_rebuild(const struct target *t, const struct manifest *m, struct err *err)
{
    struct session *s = target_connect(t, err);
    struct strbuf list;
    char question[160];
    int rc = -1;

    strbuf_init(&list);
    if (!s || dataset_list(s, t->dialect, &list, err) < 0)
        goto out;
    log_line(t->env->log, LOG_INFO, "--rebuild drops:\n%s", list.buf);
    (void)snprintf(question, sizeof(question),
                   "drop the dataset of %d warehouses in the schema tpcc and build it anew?",
                   m->dataset.warehouses);
    rc = dataset_confirm(t->env, question, err);
out:
    strbuf_release(&list);
    session_free(s);
    return rc;
}

/* The same on the private server, before it is started: what is noted of its dataset. */
static int ask_rebuild_private(const struct target *t, struct err *err)
{
    char size[32];
    char question[512];

    if (!t->look.exists || t->look.dataset_warehouses == 0)
        return 0;
    units_format_bytes(t->look.bytes, size, sizeof(size));
    (void)snprintf(question, sizeof(question),
                   "drop the dataset of %" PRIu64
                   " warehouses (%s) in %s/tpcc-run and build it anew?",
                   t->look.dataset_warehouses, size, t->drive_dir);
    return dataset_confirm(t->env, question, err);
}

static int drop(const struct target *t, struct manifest *m, struct err *err)
{
    struct session *s = NULL;
    int rc = -1;

    if (!is_ours(m))
        return 0;
    s = target_connect(t, err);
    if (s && dataset_lock(s, t->dialect, t->env->program, err) == 0 &&
        dataset_drop(s, t->dialect, err) == 0) {
        log_line(t->env->log, LOG_INFO, "dataset: dropped");
        *m = (struct manifest){.state = DATASET_ABSENT};
        rc = 0;
    }
    dataset_unlock(s, t->dialect);
    session_free(s);
    return rc;
}

int dataset_note(struct target *t, const struct manifest *m, struct err *err)
{
    const struct dataset_note note = {
        .warehouses = (uint64_t)m->dataset.warehouses,
        .complete = m->state == DATASET_COMPLETE,
        .bytes = (uint64_t)m->bytes_loaded,
        .loaded_at_us = m->loaded_at_us,
    };

    return t->is_private ? cluster_note_dataset(t->cluster, &note, err) : 0;
}

/* The private server in its unsafe state: loads, ends durable and stopped. */
static int load_private(struct target *t, const struct plan *plan, struct dataset_held *held,
                        struct err *err)
{
    if (cluster_alive(t->cluster) && cluster_stop(t->cluster, err) < 0)
        return -1;
    if (target_up(t, plan, true, err) < 0)
        return -1;
    if (dataset_read_manifest(t, &held->manifest, err) < 0)
        return -1;
    if (t->env->settings->load.rebuild && drop(t, &held->manifest, err) < 0)
        return -1;
    if (check_wanted(t, &held->manifest, plan, err) < 0)
        return -1;
    if (held->manifest.state != DATASET_COMPLETE) {
        /* A cut load is resumed by its own size. */
        const struct dataset_note loading = {.warehouses = (uint64_t)plan->dataset.warehouses};

        if (cluster_note_dataset(t->cluster, &loading, err) < 0 || restore_forget(t, err) < 0)
            return -1;
        if (fill(t, plan, held, err) < 0)
            return cluster_explain(t->cluster, err);
    }
    if (target_end_unsafe(t, err) < 0)
        return err_wrap(err, "making the loaded dataset durable");
    return dataset_note(t, &held->manifest, err);
}

/* What --rebuild discards unseen, since nothing here can start it any more. */
static int discard_asked(const struct target *t, struct err *err)
{
    char question[256];

    if (!t->look.discards)
        return 0;
    snprintf(question, sizeof(question),
             "discard the cluster of PostgreSQL %s with its dataset and build it anew with %s?",
             t->look.pg_version, t->look.programs);
    return dataset_confirm(t->env, question, err);
}

/* A ladder that goes on does so on the dataset that its steps have changed. */
static bool is_restored(const struct target *t)
{
    return t->restore.wanted && !t->env->settings->ladder.resume;
}

static int ensure_private(struct target *t, const struct plan *plan, struct dataset_held *held,
                          struct err *err)
{
    const bool load = !t->look.dataset_complete || t->look.unsafe || t->env->settings->load.rebuild;

    if (discard_asked(t, err) < 0)
        return -1;
    if (t->env->settings->load.rebuild && !t->look.discards && ask_rebuild_private(t, err) < 0)
        return -1;
    if (target_take(t, err) < 0)
        return -1;
    held->reused = !load;
    if (load && load_private(t, plan, held, err) < 0)
        return -1;
    if (is_restored(t) && restore_ensure(t, plan, load, held, err) < 0)
        return -1;
    if (target_up(t, plan, false, err) < 0 || dataset_read_manifest(t, &held->manifest, err) < 0)
        return -1;
    if (held->manifest.state != DATASET_COMPLETE)
        return err_set(err, ERR_SURROUNDINGS,
                       "the private server's dataset is not complete although it is noted so "
                       "(--rebuild builds it anew)");
    return check_wanted(t, &held->manifest, plan, err);
}

static int take_lock(struct target *t, struct dataset_held *held, struct err *err)
{
    held->lock = target_connect(t, err);
    if (!held->lock)
        return -1;
    return dataset_lock(held->lock, t->dialect, t->env->program, err);
}

static int ensure_server(struct target *t, const struct plan *plan, struct dataset_held *held,
                         struct err *err)
{
    if (dataset_read_manifest(t, &held->manifest, err) < 0)
        return -1;
    if (t->env->settings->load.rebuild) {
        if (is_ours(&held->manifest) && ask_rebuild(t, &held->manifest, err) < 0)
            return -1;
        if (drop(t, &held->manifest, err) < 0)
            return -1;
    }
    if (check_wanted(t, &held->manifest, plan, err) < 0)
        return -1;
    held->reused = held->manifest.state == DATASET_COMPLETE;
    return held->reused ? 0 : fill(t, plan, held, err);
}

int dataset_ensure(struct target *t, struct plan *plan, struct dataset_held *held, struct err *err)
{
    *held = (struct dataset_held){0};
    held->times =
        (struct load_times){RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE};
    if ((t->is_private ? ensure_private(t, plan, held, err) : ensure_server(t, plan, held, err)) <
        0)
        return -1;
    if (take_lock(t, held, err) < 0)
        return -1;
    plan->dataset = held->manifest.dataset;
    plan->rules.warehouses = held->manifest.dataset.warehouses;
    plan->rules.c_run = nurand_c_run(plan->rules.seed, held->manifest.dataset.c_load);
    return 0;
}

void dataset_let_go(struct dataset_held *held)
{
    session_free(held->lock);
    held->lock = NULL;
}
