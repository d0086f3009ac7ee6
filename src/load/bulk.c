/*
 * A unit's transaction begins with its note in load_progress. The note's key makes whoever comes
 * second wait for the first one's end: a loader that was killed while its COMMIT was on the way, or
 * while its server process still builds a key, is thus no danger. Loader threads only.
 */
#include "load/bulk.h"

#include <string.h>

#include "base/check.h"

#define LOOK_ROWS 256 /* rows between two looks at stop */

/* Begins the job's transaction and notes the job in it. *mine: false where it is done already; the
 * transaction is then over. */
static int claim(const struct load_hand *hand, const struct job *j, bool *mine, struct err *err)
{
    const char *step = load_step_name(j->step);
    const char *table = tpcc_table(j->table)->name;
    const struct value args[] = {
        value_text(step, strlen(step)),         value_text(table, strlen(table)),
        value_int(VALUE_I32, j->first_w),       value_int(VALUE_I32, j->last_w),
        value_int(VALUE_I64, (int64_t)j->rows),
    };
    struct rows replies;

    if (load_exec(hand, "load_begin", NULL, NULL, err) < 0 ||
        load_exec(hand, "load_claim", args, &replies, err) < 0)
        return -1;
    *mine = replies.part[0].affected == 1;
    return *mine ? 0 : load_exec(hand, "load_rollback", NULL, NULL, err);
}

/* All rows of the job's unit, into the COPY that is open. */
static int put_rows(const struct load_hand *hand, struct job *j, struct row_maker *maker,
                    struct err *err)
{
    const struct value *row = NULL;
    uint64_t n = 0;

    while ((row = row_maker_next(maker))) {
        if (hand->env->ops->bulk_put(hand->session, row, err) < 0)
            return -1;
        if (++n % LOOK_ROWS == 0) {
            atomic_store_explicit(&j->seen, n, memory_order_relaxed);
            if (stop_level(hand->stop) > 0)
                return err_set(err, ERR_INTERRUPTED, "interrupted");
        }
    }
    return 0;
}

/* Where there is more than one way of sending rows, the one that is taken. */
static void tell_way(const struct load_hand *hand, struct bulk_env *bulk)
{
    const struct db_about *about = session_about(hand->session);

    if (about && about->bulk[0] && atomic_fetch_add(&bulk->told, 1) == 0)
        log_line(hand->env->log, LOG_INFO, "rows are sent %s", about->bulk);
}

static int copy_unit(const struct load_hand *hand, struct job *j, struct bulk_env *bulk,
                     struct err *err)
{
    const struct bulk_opts opts = {.binary = bulk->binary, .freeze = bulk->whole, .schema = "tpcc"};
    const struct table *table = tpcc_table(j->table);
    struct row_maker *maker = NULL;
    int64_t rows = 0;
    int rc = -1;

    if (hand->env->ops->bulk_begin(hand->session, table, &opts, err) < 0)
        return -1;
    tell_way(hand, bulk);
    maker = row_maker_new(&bulk->dataset, j->table, j->first_w, j->last_w);
    if (put_rows(hand, j, maker, err) == 0 &&
        hand->env->ops->bulk_end(hand->session, &rows, err) == 0)
        rc = 0;
    row_maker_free(maker);
    if (rc == 0 && (uint64_t)rows != j->rows)
        rc = err_set(err, ERR_CHECK_FAILED, "the server took %lld rows of %s, %llu were sent",
                     (long long)rows, table->name, (unsigned long long)j->rows);
    return rc;
}

static int fill(const struct load_hand *hand, struct job *j, struct bulk_env *bulk, struct err *err)
{
    if (bulk->whole && load_exec(hand, load_name("truncate", j->table).text, NULL, NULL, err) < 0)
        return -1;
    return copy_unit(hand, j, bulk, err);
}

static int make_keys(const struct load_hand *hand, struct job *j, struct err *err)
{
    const struct load_name second = load_name("key_2", j->table);
    const struct value idle = value_int(VALUE_I32, hand->idle);

    if (load_exec(hand, "load_keys_workers", &idle, NULL, err) < 0 ||
        load_exec(hand, load_name("key", j->table).text, NULL, NULL, err) < 0)
        return -1;
    if (!dialect_find(hand->env->dialect, second.text))
        return 0;
    atomic_store_explicit(&j->keys_made, 1, memory_order_relaxed);
    return load_exec(hand, second.text, NULL, NULL, err);
}

/* Can't be in a transaction: noted after it, and cheap to repeat. From here on commits are waited
 * for: a note that is not yet on the disk would keep the next vacuum from marking the rows of
 * neighbouring transactions as visible to all (the server keeps one position for 32 of them). */
static int vacuum(const struct load_hand *hand, struct job *j, struct err *err)
{
    bool mine = false;

    if (load_exec(hand, "load_session_durable", NULL, NULL, err) < 0 ||
        load_exec(hand, load_name("vacuum", j->table).text, NULL, NULL, err) < 0 ||
        claim(hand, j, &mine, err) < 0)
        return -1;
    return mine ? load_exec(hand, "load_commit", NULL, NULL, err) : 0;
}

int bulk_job(struct load_hand *hand, struct job *j, struct bulk_env *bulk, struct err *err)
{
    const char *table = tpcc_table(j->table)->name;
    bool mine = false;
    int rc = -1;

    if (j->step == STEP_VACUUM)
        return vacuum(hand, j, err);
    CHECK(j->step == STEP_FILL || j->step == STEP_KEYS);
    rc = claim(hand, j, &mine, err);
    if (rc == 0 && mine) {
        rc = j->step == STEP_FILL ? fill(hand, j, bulk, err) : make_keys(hand, j, err);
        if (rc == 0)
            rc = load_exec(hand, "load_commit", NULL, NULL, err);
    }
    if (rc < 0 && err->kind != ERR_INTERRUPTED)
        return err_wrap(err, "%s, warehouses %d to %d", table, j->first_w, j->last_w);
    return rc;
}
