/*
 * The list of jobs. Order of the tables: by what their rows and keys cost a server, greatest first,
 * so that with whole tables as units the long ones run beside each other, and the short ones fill
 * the gaps at the end.
 */
#include "load/units.h"

#include <string.h>

#include "base/check.h"

static const enum tpcc_table by_cost[] = {
    TABLE_ORDER_LINE, TABLE_STOCK, TABLE_CUSTOMER, TABLE_ORDERS,    TABLE_HISTORY,
    TABLE_NEW_ORDER,  TABLE_ITEM,  TABLE_DISTRICT, TABLE_WAREHOUSE,
};
_Static_assert(ARRAY_LEN(by_cost) == TABLE_COUNT, "every table has its place");

const char *load_step_name(enum load_step step)
{
    switch (step) {
    case STEP_FILL:
        return "fill";
    case STEP_KEYS:
        return "keys";
    case STEP_VACUUM:
        return "vacuum";
    case STEP_SUMS:
        return "sums";
    case STEP_READ:
        return "read";
    }
    UNREACHABLE();
}

void units_init(struct units *u)
{
    memset(u, 0, sizeof(*u));
}

void units_release(struct units *u)
{
    VEC_RELEASE(&u->jobs);
}

static void add(struct units *u, const struct job *j)
{
    CHECK(u->next == 0); /* jobs given out are pointed to */
    VEC_PUSH(&u->jobs, *j);
}

/* Jobs of `span` warehouses each, the last one perhaps of fewer. */
static void add_spans(struct units *u, const struct tpcc_dataset *ds, const struct job *like,
                      int32_t span)
{
    u->start[like->table] = u->jobs.n;
    u->span[like->table] = span;
    for (int32_t w = 1; w <= ds->warehouses; w += span) {
        struct job j = *like;

        j.first_w = w;
        j.last_w = ds->warehouses - w < span ? ds->warehouses : w + span - 1;
        j.rows = rows_expected(ds, j.table, j.first_w, j.last_w);
        add(u, &j);
    }
}

void units_add_fills(struct units *u, const struct tpcc_dataset *ds, bool whole)
{
    for (size_t i = 0; i < ARRAY_LEN(by_cost); i++) {
        const enum tpcc_table t = by_cost[i];
        const struct job like = {.step = STEP_FILL, .table = t};
        const size_t before = u->jobs.n;

        add_spans(u, ds, &like, whole || t == TABLE_ITEM ? ds->warehouses : 1);
        u->fills_left[t] = (uint32_t)(u->jobs.n - before);
        u->keys[t] =
            (struct job){.step = STEP_KEYS, .table = t, .first_w = 1, .last_w = ds->warehouses};
        for (size_t k = before; k < u->jobs.n && t != TABLE_HISTORY; k++)
            u->keys[t].rows += u->jobs.at[k].rows;
    }
}

void units_add_tables(struct units *u, const struct tpcc_dataset *ds, enum load_step step)
{
    units_add_ranges(u, ds, step, ds->warehouses);
}

void units_add_ranges(struct units *u, const struct tpcc_dataset *ds, enum load_step step,
                      int32_t span)
{
    CHECK(span > 0);
    for (size_t i = 0; i < ARRAY_LEN(by_cost); i++) {
        const enum tpcc_table t = by_cost[i];
        const struct job like = {.step = step, .table = t};

        add_spans(u, ds, &like, t == TABLE_ITEM || t == TABLE_HISTORY ? ds->warehouses : span);
    }
}

void units_add_blocks(struct units *u, enum tpcc_table t, int64_t first, int64_t last)
{
    const struct job j = {.step = STEP_READ,
                          .table = t,
                          .first_block = first,
                          .last_block = last,
                          .rows = (uint64_t)(last - first)};

    add(u, &j);
}

struct job *units_find(struct units *u, enum load_step step, enum tpcc_table t, int32_t first_w)
{
    const int32_t span = u->span[t];
    size_t i = 0;

    if (step == STEP_KEYS)
        return first_w == 1 && u->keys[t].rows > 0 ? &u->keys[t] : NULL;
    if (span == 0 || first_w < 1 || (first_w - 1) % span != 0)
        return NULL;
    i = u->start[t] + (size_t)((first_w - 1) / span);
    if (i >= u->jobs.n || u->jobs.at[i].table != t || u->jobs.at[i].step != step)
        return NULL;
    return &u->jobs.at[i];
}

bool units_mark(struct units *u, enum load_step step, enum tpcc_table t, int32_t first_w)
{
    struct job *j = units_find(u, step, t, first_w);

    if (!j)
        return false;
    j->before = true;
    if (step == STEP_KEYS)
        u->keys_given[t] = true;
    if (!j->done)
        units_done(u, j);
    return true;
}

struct job *units_next(struct units *u)
{
    for (size_t i = 0; i < ARRAY_LEN(by_cost); i++) {
        const enum tpcc_table t = by_cost[i];

        if (u->keys[t].rows > 0 && !u->keys_given[t] && u->fills_left[t] == 0) {
            u->keys_given[t] = true;
            return &u->keys[t];
        }
    }
    while (u->next < u->jobs.n && u->jobs.at[u->next].done)
        u->next++;
    return u->next < u->jobs.n ? &u->jobs.at[u->next++] : NULL;
}

void units_done(struct units *u, struct job *j)
{
    CHECK(!j->done);
    j->done = true;
    if (j->step == STEP_FILL)
        u->fills_left[j->table]--;
}

static void sum_job(struct units_sum *s, const struct job *j)
{
    const uint64_t seen = atomic_load_explicit(&j->seen, memory_order_relaxed);

    if (j->before)
        return;
    s->total += j->rows;
    s->done += j->done || seen > j->rows ? j->rows : seen;
    s->all_done = s->all_done && j->done;
}

struct units_sum units_sum(const struct units *u, enum load_step step)
{
    struct units_sum s = {.all_done = true};

    for (size_t i = 0; i < u->jobs.n; i++)
        if (u->jobs.at[i].step == step)
            sum_job(&s, &u->jobs.at[i]);
    for (int t = 0; step == STEP_KEYS && t < TABLE_COUNT; t++)
        if (u->keys[t].rows > 0)
            sum_job(&s, &u->keys[t]);
    return s;
}
