/*
 * The checksum over all rows: read back as they lie, in pieces of so many blocks, by a crew; summed
 * without an order.
 */
#include <stdatomic.h>

#include "base/check.h"
#include "load/crew.h"
#include "load/loader.h"
#include "sql/rows.h"
#include "tpcc/rows.h"

#define READERS 2
#define BLOCKS_A_JOB 1024 /* 8 MB of rows at once in memory, and their cells */

struct reading {
    const struct load_env *env;
    struct units units;
    uint64_t start_ns;
    atomic_uint_fast64_t sum[TABLE_COUNT];
};

/* The cell as the column's value; text is borrowed. */
static int value_of(const struct column *c, const struct cell *cell, struct value *v,
                    struct err *err)
{
    int64_t i = 0;
    int rc = 0;

    if (!cell->text) {
        *v = value_null();
        return 0;
    }
    switch ((enum value_kind)c->kind) {
    case VALUE_TEXT:
        *v = value_text(cell->text, cell->len);
        return 0;
    case VALUE_CENTS:
        rc = cell_cents(cell, &i, err);
        break;
    case VALUE_RATE:
        rc = cell_rate(cell, &i, err);
        break;
    case VALUE_I32:
    case VALUE_I64:
    case VALUE_TIME_US:
        rc = cell_i64(cell, &i, err);
        break;
    case VALUE_NULL:
    case VALUE_I32_ARRAY:
        UNREACHABLE();
    }
    *v = value_int((enum value_kind)c->kind, i);
    return rc < 0 ? err_wrap(err, "%s", c->name) : 0;
}

static int read_job(struct load_hand *hand, struct job *j, void *ctx, struct err *err)
{
    struct reading *r = ctx;
    const struct table *table = tpcc_table(j->table);
    const struct value args[] = {value_int(VALUE_I64, j->first_block),
                                 value_int(VALUE_I64, j->last_block)};
    struct value row[TABLE_COLUMNS_MAX];
    struct rows replies;
    const struct rows_part *p = &replies.part[0];
    uint64_t sum = 0;

    if (load_exec(hand, load_name("rows", j->table).text, args, &replies, err) < 0)
        return -1;
    if (p->n_rows > 0 && p->n_columns != table->n_columns)
        return err_set(err, ERR_DB, "rows of %s: an answer of another shape", table->name);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        for (uint8_t k = 0; k < table->n_columns; k++)
            if (value_of(&table->columns[k], rows_cell(p, i, k), &row[k], err) < 0)
                return err_wrap(err, "%s", table->name);
        sum += row_checksum(j->table, row);
    }
    atomic_fetch_add_explicit(&r->sum[j->table], sum, memory_order_relaxed);
    return 0;
}

static void tick(void *ctx)
{
    const struct reading *r = ctx;
    const struct units_sum s = units_sum(&r->units, STEP_READ);
    const struct progress p = {.step = "checksum",
                               .unit = "blocks",
                               .done = s.done,
                               .total = s.total,
                               .elapsed_ns = clock_now_ns(r->env->clock) - r->start_ns};

    if (r->env->on_progress)
        r->env->on_progress(&p, r->env->ctx);
}

static int list_blocks(struct reading *r, uint32_t threads, struct err *err)
{
    struct load_hand hand = {.env = r->env, .stop = r->env->stop};
    int rc = -1;

    hand.session = load_connect(r->env, threads, err);
    if (!hand.session)
        return -1;
    for (int t = 0; t < TABLE_COUNT; t++) {
        struct rows replies;
        int64_t blocks = 0;

        if (load_exec(&hand, load_name("blocks", (enum tpcc_table)t).text, NULL, &replies, err) < 0)
            goto out;
        if (replies.part[0].n_rows != 1) {
            (void)err_set(err, ERR_DB, "blocks of %s: no answer",
                          tpcc_table((enum tpcc_table)t)->name);
            goto out;
        }
        if (cell_i64(rows_cell(&replies.part[0], 0, 0), &blocks, err) < 0)
            goto out;
        for (int64_t at = 0; at < blocks; at += BLOCKS_A_JOB)
            units_add_blocks(&r->units, (enum tpcc_table)t, at,
                             at + BLOCKS_A_JOB < blocks ? at + BLOCKS_A_JOB : blocks);
    }
    rc = 0;
out:
    session_free(hand.session);
    return rc;
}

int load_checksum(const struct load_env *env, uint64_t per_table[], uint64_t *total,
                  struct err *err)
{
    struct reading r = {.env = env, .start_ns = clock_now_ns(env->clock)};
    const struct crew crew = {.env = env,
                              .units = &r.units,
                              .threads = READERS,
                              .job = read_job,
                              .tick = tick,
                              .ctx = &r};
    int rc = -1;

    units_init(&r.units);
    if (list_blocks(&r, crew.threads, err) < 0 || crew_run(&crew, err) < 0)
        goto out;
    *total = 0;
    for (int t = 0; t < TABLE_COUNT; t++) {
        per_table[t] = atomic_load(&r.sum[t]);
        *total += per_table[t];
    }
    rc = 0;
out:
    units_release(&r.units);
    return rc;
}
