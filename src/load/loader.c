/*
 * A load from its first statement to the last, as a list of steps each of which looks at what is
 * noted as done: create (all tables and the manifest in one transaction), rows and keys beside each
 * other, vacuum, sums, storage. One control session holds the dataset's lock, reads and writes the
 * manifest and asks the server how far it is; the crew's sessions do the work.
 */
#include "load/loader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "load/bulk.h"
#include "load/crew.h"
#include "load/sums.h"
#include "sql/rows.h"

#define POLL_NS NS_PER_S        /* between two questions how far a key or a vacuum is */
#define OUR_TABLES 2            /* manifest and load_progress */
#define SAVE_NS (10 * NS_PER_S) /* between two writes of the time spent */

struct loader {
    const struct load_env *env;
    const struct load_opts *opts;
    struct manifest *m;
    uint32_t threads;
    const char *who;
    struct load_hand control;
    struct bulk_env bulk;
    struct units units;    /* of the phase under way */
    const char *poll;      /* the statement that tells how far it is; NULL: none */
    enum load_step shown;  /* what the progress tells about */
    uint64_t begin_ns;     /* of this call */
    uint64_t step_ns;      /* when `shown` began */
    uint64_t shown_before; /* what was done of it then */
    uint64_t polled_ns;
    uint64_t saved_ns;
    double seconds_before; /* the manifest's load_seconds at the start of this call */
};

static double seconds_since(const struct loader *l, uint64_t ns)
{
    return (double)(clock_now_ns(l->env->clock) - ns) / (double)NS_PER_S;
}

static int exec(const struct loader *l, const char *name, struct err *err)
{
    return load_exec(&l->control, name, NULL, NULL, err);
}

static int exec_table(const struct loader *l, const char *prefix, int t, struct err *err)
{
    return exec(l, load_name(prefix, (enum tpcc_table)t).text, err);
}

/* --- create --- */

static int schema_missing(const struct loader *l, bool *missing, struct err *err)
{
    struct rows replies;
    bool there = false;

    if (load_exec(&l->control, "dataset_look", NULL, &replies, err) < 0)
        return -1;
    if (cell_bool(rows_cell(&replies.part[0], 0, 0), &there, err) < 0)
        return -1;
    *missing = !there;
    return 0;
}

static int create_tables(const struct loader *l, struct err *err)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        if (exec_table(l, "create", t, err) < 0)
            return -1;
    return 0;
}

/* Where DDL ends a transaction a load may have been cut off while its tables were made. */
static int create_missing(const struct loader *l, struct err *err)
{
    struct rows replies;
    int64_t tables = 0;

    if (load_exec(&l->control, "dataset_look", NULL, &replies, err) < 0 ||
        cell_i64(rows_cell(&replies.part[0], 0, 2), &tables, err) < 0)
        return -1;
    return tables < TABLE_COUNT + OUR_TABLES ? create_tables(l, err) : 0;
}

/* All or nothing; where DDL ends a transaction the manifest stands first, so that tables without it
 * are never left behind. */
static int create(struct loader *l, struct err *err)
{
    struct manifest *m = l->m;
    bool missing = false;

    m->dataset = l->opts->dataset;
    if (m->dataset.warehouses < 1)
        return err_set(err, ERR_USAGE, "a new dataset needs its number of warehouses");
    m->dataset.c_load = nurand_c_load(m->dataset.seed);
    if (m->dataset.load_time_us == 0) { /* whole seconds, as settings can repeat them */
        const int64_t now_us = clock_real_us(l->env->clock);

        m->dataset.load_time_us = now_us - now_us % US_PER_S;
    }
    (void)snprintf(m->unit, sizeof(m->unit), "%s", l->opts->unit_table ? "table" : "warehouse");

    if (schema_missing(l, &missing, err) < 0 || exec(l, "load_begin", err) < 0)
        return -1;
    if (missing && exec(l, "create_schema", err) < 0)
        return -1;
    if (exec(l, "create_manifest", err) < 0 || exec(l, "create_load_progress", err) < 0 ||
        manifest_write(l->control.session, l->env->dialect, m, err) < 0 ||
        manifest_set(l->control.session, l->env->dialect, "state", "loading", err) < 0 ||
        create_tables(l, err) < 0 || exec(l, "load_commit", err) < 0)
        return -1;
    m->state = DATASET_PARTIAL;
    return 0;
}

/* --- progress --- */

static void show(struct loader *l, enum load_step step)
{
    if (l->shown == step)
        return;
    l->shown = step;
    l->step_ns = clock_now_ns(l->env->clock);
    l->shown_before = units_sum(&l->units, step).done;
}

/* "tpcc.stock" and a share, for each key or vacuum under way. */
static void take_shares(struct loader *l, const struct rows_part *p)
{
    for (uint32_t i = 0; i < p->n_rows && p->n_columns == 2; i++) {
        char *name = cell_dup(rows_cell(p, i, 0));
        const char *dot = name ? strchr(name, '.') : NULL;
        const int t = dot ? tpcc_table_find(dot + 1) : -1;
        int64_t share = 0; /* ten-thousandths */
        struct job *j = NULL;

        if (t >= 0 && cell_rate(rows_cell(p, i, 1), &share, NULL) == 0 && share >= 0)
            j = units_find(&l->units, l->shown == STEP_VACUUM ? STEP_VACUUM : STEP_KEYS,
                           (enum tpcc_table)t, 1);
        if (j && j->step == STEP_KEYS &&
            dialect_find(l->env->dialect, load_name("key_2", (enum tpcc_table)t).text))
            share = (share + 10000 * atomic_load(&j->keys_made)) / 2;
        if (j)
            atomic_store_explicit(&j->seen, j->rows * (uint64_t)share / 10000,
                                  memory_order_relaxed);
        free(name);
    }
}

/* Display only: a failure here is no failure of the load. */
static void poll_server(struct loader *l)
{
    struct rows replies;
    struct err unseen = {0};

    if (!l->poll || !session_alive(l->control.session))
        return;
    if (load_exec(&l->control, l->poll, NULL, &replies, &unseen) == 0)
        take_shares(l, &replies.part[0]);
}

static void save_seconds(struct loader *l)
{
    struct err unseen = {0};
    char text[32];

    l->m->load_seconds = l->seconds_before + seconds_since(l, l->begin_ns);
    (void)snprintf(text, sizeof(text), "%.3f", l->m->load_seconds);
    if (session_alive(l->control.session))
        (void)!manifest_set(l->control.session, l->env->dialect, "load_seconds", text, &unseen);
}

static void tick(void *ctx)
{
    static const char *const names[] = {[STEP_FILL] = "load",
                                        [STEP_KEYS] = "keys",
                                        [STEP_VACUUM] = "vacuum",
                                        [STEP_SUMS] = "check",
                                        [STEP_READ] = "checksum"};
    struct loader *l = ctx;
    struct progress p = {.unit = "rows"};
    struct units_sum s;
    uint64_t now_ns = 0;

    if (l->shown == STEP_FILL && units_sum(&l->units, STEP_FILL).all_done)
        show(l, STEP_KEYS);
    now_ns = clock_now_ns(l->env->clock);
    if (now_ns - l->polled_ns >= POLL_NS) {
        l->polled_ns = now_ns;
        poll_server(l);
    }
    if (l->control.session && now_ns - l->saved_ns >= SAVE_NS) {
        l->saved_ns = now_ns;
        save_seconds(l);
    }
    s = units_sum(&l->units, l->shown);
    p.step = names[l->shown];
    p.done = s.done > l->shown_before ? s.done - l->shown_before : 0;
    p.total = s.total - l->shown_before;
    p.elapsed_ns = now_ns - l->step_ns;
    if (l->env->on_progress)
        l->env->on_progress(&p, l->env->ctx);
}

/* --- phases --- */

/* The control session, opened again where the server dropped it. */
static int control_ready(struct loader *l, struct err *err)
{
    struct rows replies;

    if (load_exec(&l->control, "dataset_look", NULL, &replies, err) == 0)
        return 0;
    if (session_alive(l->control.session) || stop_level(l->env->stop) > 0)
        return -1;
    session_free(l->control.session);
    l->control.session = load_reconnect(l->env, l->threads, err);
    if (!l->control.session)
        return -1;
    return dataset_lock(l->control.session, l->env->dialect, l->who, err);
}

static int step_of(const struct cell *c)
{
    for (int step = STEP_FILL; step <= STEP_READ; step++) {
        const char *name = load_step_name((enum load_step)step);

        if (c->text && c->len == strlen(name) && memcmp(c->text, name, c->len) == 0)
            return step;
    }
    return -1;
}

/* What load_progress says is done, in this phase's list. */
static int mark_done(struct loader *l, struct err *err)
{
    struct rows replies;
    const struct rows_part *p = &replies.part[0];

    if (load_exec(&l->control, "load_progress", NULL, &replies, err) < 0)
        return -1;
    if (p->n_rows > 0 && p->n_columns != 5)
        return err_set(err, ERR_DB, "load_progress: an answer of another shape");
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const int step = step_of(rows_cell(p, i, 0));
        char *name = cell_dup(rows_cell(p, i, 1));
        const int t = name ? tpcc_table_find(name) : -1;
        int64_t first_w = 0;

        free(name);
        if (cell_i64(rows_cell(p, i, 2), &first_w, err) < 0)
            return -1;
        if (step >= 0 && t >= 0)
            (void)units_mark(&l->units, (enum load_step)step, (enum tpcc_table)t, (int32_t)first_w);
    }
    return 0;
}

static int run_bulk(struct load_hand *hand, struct job *j, void *ctx, struct err *err)
{
    return bulk_job(hand, j, &((struct loader *)ctx)->bulk, err);
}

static int run_sums(struct load_hand *hand, struct job *j, void *ctx, struct err *err)
{
    return sums_job(hand, j, &((struct loader *)ctx)->m->dataset, err);
}

/* The list is made: does what is not done of it. */
static int phase(struct loader *l, enum load_step shown, job_fn job, struct err *err)
{
    const struct crew crew = {.env = l->env,
                              .units = &l->units,
                              .threads = l->threads,
                              .job = job,
                              .tick = tick,
                              .ctx = l};
    int rc = control_ready(l, err);

    if (rc == 0)
        rc = mark_done(l, err);
    if (rc == 0) {
        l->shown = shown;
        l->shown_before = 0;
        l->step_ns = clock_now_ns(l->env->clock);
        rc = crew_run(&crew, err);
    }
    units_release(&l->units);
    units_init(&l->units);
    return rc;
}

static int fill_and_keys(struct loader *l, struct load_times *times, struct err *err)
{
    const uint64_t start_ns = clock_now_ns(l->env->clock);

    units_add_fills(&l->units, &l->m->dataset, l->bulk.whole);
    l->poll = "load_progress_keys";
    if (phase(l, STEP_FILL, run_bulk, err) < 0)
        return -1;
    times->index = l->shown == STEP_KEYS ? seconds_since(l, l->step_ns) : 0;
    times->fill = seconds_since(l, start_ns) - times->index;
    return 0;
}

/* What was committed without a wait becomes durable with the next commit that waits. Until then a
 * vacuum takes its rows for not yet visible to all. */
static int settle(struct loader *l, struct err *err)
{
    if (control_ready(l, err) < 0 || exec(l, "load_session_durable", err) < 0)
        return -1;
    save_seconds(l);
    return 0;
}

static int vacuum(struct loader *l, struct load_times *times, struct err *err)
{
    const uint64_t start_ns = clock_now_ns(l->env->clock);

    if (settle(l, err) < 0)
        return -1;

    units_add_tables(&l->units, &l->m->dataset, STEP_VACUUM);
    l->poll = "load_progress_vacuum";
    if (phase(l, STEP_VACUUM, run_bulk, err) < 0)
        return -1;
    times->vacuum = seconds_since(l, start_ns);
    return 0;
}

static int sums(struct loader *l, struct load_times *times, struct err *err)
{
    const uint64_t start_ns = clock_now_ns(l->env->clock);

    sums_units(&l->units, &l->m->dataset, l->threads);
    l->poll = NULL;
    if (phase(l, STEP_SUMS, run_sums, err) < 0)
        return -1;
    times->check = seconds_since(l, start_ns);
    return 0;
}

static int read_storage(const struct loader *l, char **text, struct err *err)
{
    struct rows replies;

    if (load_exec(&l->control, "storage_read", NULL, &replies, err) < 0)
        return -1;
    *text = replies.part[0].n_rows == 1 ? cell_dup(rows_cell(&replies.part[0], 0, 0)) : NULL;
    return *text ? 0 : err_set(err, ERR_DB, "storage_read: no answer");
}

/* Storage parameters and the manifest's last word, in one transaction that is waited for. */
static int finish(struct loader *l, struct err *err)
{
    struct session *s = l->control.session;
    const struct dialect *d = l->env->dialect;
    char *storage = NULL;
    int rc = -1;

    if (exec(l, "load_session_durable", err) < 0 || exec(l, "load_begin", err) < 0)
        return -1;
    for (int t = 0; t < TABLE_COUNT; t++)
        if (exec_table(l, "storage", t, err) < 0)
            return -1;
    if (read_storage(l, &storage, err) < 0 || dataset_bytes(s, d, &l->m->bytes_loaded, err) < 0)
        goto out;
    l->m->loaded_at_us = clock_real_us(l->env->clock);
    l->m->load_seconds = l->seconds_before + seconds_since(l, l->begin_ns);
    if (manifest_write(s, d, l->m, err) < 0 || manifest_set(s, d, "storage", storage, err) < 0 ||
        manifest_set(s, d, "state", "complete", err) < 0)
        goto out;
    rc = exec(l, "load_commit", err);
out:
    free(storage);
    if (rc == 0)
        l->m->state = DATASET_COMPLETE;
    return rc;
}

/* --- the whole --- */

/* What is there must be what is asked for; warehouses 0 asks for nothing. */
static int check_wanted(const struct loader *l, struct err *err)
{
    const int32_t wanted = l->opts->dataset.warehouses;
    const struct manifest *m = l->m;

    if (wanted == 0 || wanted == m->dataset.warehouses)
        return 0;
    return err_set(err, ERR_USAGE,
                   m->state == DATASET_COMPLETE
                       ? "there is a dataset of %d warehouses (use it with --warehouses %d, or "
                         "replace it with --rebuild)"
                       : "a load of %d warehouses was cut off here (finish it with --warehouses "
                         "%d, or replace it with --rebuild)",
                   m->dataset.warehouses, m->dataset.warehouses);
}

static int all_steps(struct loader *l, struct load_times *times, struct err *err)
{
    l->bulk = (struct bulk_env){.dataset = l->m->dataset,
                                .whole = strcmp(l->m->unit, "table") == 0,
                                .binary = l->opts->binary};
    l->seconds_before = l->m->load_seconds;
    if (fill_and_keys(l, times, err) < 0 || vacuum(l, times, err) < 0 || sums(l, times, err) < 0 ||
        control_ready(l, err) < 0 || finish(l, err) < 0)
        return -1;
    times->total = seconds_since(l, l->begin_ns);
    return 0;
}

static int load_locked(struct loader *l, struct load_times *times, struct err *err)
{
    struct manifest *m = l->m;

    if (manifest_read(l->control.session, l->env->dialect, m, err) < 0)
        return -1;
    switch (m->state) {
    case DATASET_FOREIGN:
        return err_set(
            err, ERR_SURROUNDINGS,
            "the schema tpcc is not ours and is left as it is: %s (use another database)", m->why);
    case DATASET_COMPLETE:
        return check_wanted(l, err);
    case DATASET_PARTIAL:
        if (check_wanted(l, err) < 0)
            return -1;
        log_line(l->env->log, LOG_INFO, "going on with the load of %d warehouses that was cut off",
                 m->dataset.warehouses);
        if (create_missing(l, err) < 0)
            return -1;
        break;
    case DATASET_ABSENT:
        if (create(l, err) < 0)
            return -1;
        break;
    }
    return all_steps(l, times, err);
}

int load_dataset(const struct load_env *env, const struct load_opts *opts, struct manifest *m,
                 struct load_times *times, struct err *err)
{
    const double none = (double)NAN;
    struct loader l = {.env = env,
                       .opts = opts,
                       .m = m,
                       .threads = opts->loaders ? opts->loaders : 2,
                       .who = env->db.application_name ? env->db.application_name : "tpcc-load",
                       .control = {.env = env, .stop = env->stop},
                       .begin_ns = clock_now_ns(env->clock)};
    int rc = -1;

    *times = (struct load_times){none, none, none, none, none};
    l.polled_ns = l.begin_ns;
    l.saved_ns = l.begin_ns;
    units_init(&l.units);
    l.control.session = load_connect(env, l.threads, err);
    if (l.control.session && dataset_lock(l.control.session, env->dialect, l.who, err) == 0)
        rc = load_locked(&l, times, err);
    if (rc < 0 && m->state == DATASET_PARTIAL && err->kind == ERR_INTERRUPTED)
        (void)err_set(err, ERR_INTERRUPTED,
                      "the load was interrupted: the same command goes on with it");
    else if (rc < 0 && m->state == DATASET_PARTIAL && err->kind != ERR_USAGE)
        (void)err_wrap(err, "the load was cut off (the same command goes on with it)");
    units_release(&l.units);
    dataset_unlock(l.control.session, env->dialect);
    session_free(l.control.session);
    return rc;
}
