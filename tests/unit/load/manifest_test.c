/*
 * load/manifest: what is ours and what is foreign, the fields both ways, the lock's refusals.
 */
#include "load/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "harness/unit.h"
#include "null_load.h"

#define PAIRS_MAX 16

/* What the pretended server holds. */
struct pretended {
    bool schema, manifest, locked;
    int64_t relations;
    const char *names;
    const char *holder;
    int drops;
    int n_pairs;
    char name[PAIRS_MAX][32];
    char value[PAIRS_MAX][64];
};

static void put_pair(struct pretended *p, const char *name, const char *value)
{
    int i = 0;

    while (i < p->n_pairs && strcmp(p->name[i], name) != 0)
        i++;
    CU_ASSERT_FATAL(i < PAIRS_MAX);
    p->n_pairs += i == p->n_pairs;
    (void)snprintf(p->name[i], sizeof(p->name[i]), "%s", name);
    (void)snprintf(p->value[i], sizeof(p->value[i]), "%s", value);
}

static void answer_look(const struct pretended *p, struct null_answer *a)
{
    null_answer_part(a, 1, 4);
    null_answer_text(a, p->schema ? "t" : "f");
    null_answer_text(a, p->manifest ? "t" : "f");
    null_answer_int(a, p->relations);
    null_answer_text(a, p->names);
}

static void answer_pairs(const struct pretended *p, struct null_answer *a)
{
    null_answer_part(a, (uint32_t)p->n_pairs, 2);
    for (int i = 0; i < p->n_pairs; i++) {
        null_answer_text(a, p->name[i]);
        null_answer_text(a, p->value[i]);
    }
}

static void answer_holder(const struct pretended *p, struct null_answer *a)
{
    null_answer_part(a, p->holder ? 1 : 0, 2);
    if (!p->holder)
        return;
    null_answer_text(a, p->holder);
    null_answer_text(a, "2026-11-30 10:00:00");
}

static void answer_list(struct null_answer *a)
{
    null_answer_part(a, 2, 3);
    null_answer_text(a, "routine");
    null_answer_text(a, "tpcc.payment(integer)");
    null_answer_text(a, NULL);
    null_answer_text(a, "table");
    null_answer_text(a, "stock");
    null_answer_text(a, "3400000");
}

static void take_pair(struct pretended *p, const struct value *args)
{
    char *name = xstrndup(args[0].text, args[0].len);
    char *value = xstrndup(args[1].text, args[1].len);

    put_pair(p, name, value);
    free(name);
    free(value);
}

static void answer(const struct batch *b, struct null_answer *a, void *ctx)
{
    struct pretended *p = ctx;
    const char *name = b->part[0].stmt->name;

    if (strcmp(name, "dataset_look") == 0) {
        answer_look(p, a);
    } else if (strcmp(name, "manifest_read") == 0) {
        answer_pairs(p, a);
    } else if (strcmp(name, "dataset_lock_try") == 0) {
        null_answer_part(a, 1, 1);
        null_answer_text(a, p->locked ? "f" : "t");
    } else if (strcmp(name, "dataset_lock_holder") == 0) {
        answer_holder(p, a);
    } else if (strcmp(name, "dataset_bytes") == 0) {
        null_answer_part(a, 1, 1);
        null_answer_int(a, 12345);
    } else if (strcmp(name, "dataset_list") == 0) {
        answer_list(a);
    } else {
        if (strcmp(name, "manifest_set") == 0)
            take_pair(p, b->part[0].args);
        p->drops += strcmp(name, "dataset_drop") == 0;
        null_answer_part(a, 0, 0);
    }
}

/* A dataset of ours, complete. */
static struct pretended ours(void)
{
    static const char *const pairs[][2] = {
        {"format", "tpcc-run/1"},
        {"state", "complete"},
        {"seed", "18446744073709551615"},
        {"load_time_us", "1790000000123456"},
        {"warehouses", "20"},
        {"c_load_customer_last", "173"},
        {"c_load_customer_id", "911"},
        {"c_load_item_id", "7911"},
        {"loaded_at_us", "1790000100000000"},
        {"load_seconds", "31.500"},
        {"bytes_loaded", "2300000000"},
        {"runs_since_load", "4"},
        {"unit", "warehouse"},
        {"storage", "stock: fillfactor=90"},
    };
    struct pretended p = {.schema = true, .manifest = true, .relations = 11, .names = "customer"};

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        put_pair(&p, pairs[i][0], pairs[i][1]);
    return p;
}

static int read_it(struct pretended *p, struct manifest *m, struct err *err)
{
    struct null_load n;
    struct session *s = NULL;
    int rc = 0;

    null_load_init(&n, answer, p);
    s = null_load_session(&n);
    rc = manifest_read(s, n.env.dialect, m, err);
    session_free(s);
    null_load_release(&n);
    return rc;
}

/* Ctrl-C is looked at by every statement. */
static void test_stop(void)
{
    struct pretended p = ours();
    struct manifest m;
    struct err err = {0};
    struct stop stop = {0};
    struct null_load n;
    struct session *s = NULL;

    null_load_init(&n, answer, &p);
    n.env.db.stop = &stop;
    s = null_load_session(&n);
    stop_ask(&stop);
    UNIT_EQ_I64("", manifest_read(s, n.env.dialect, &m, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    session_free(s);
    null_load_release(&n);
}

static void test_complete(void)
{
    struct pretended p = ours();
    struct manifest m;
    struct err err = {0};

    UNIT_EQ_I64(err.text, read_it(&p, &m, &err), 0);
    UNIT_EQ_I64(m.why, m.state, DATASET_COMPLETE);
    UNIT_EQ_U64("", m.dataset.seed, UINT64_MAX);
    UNIT_EQ_I64("", m.dataset.load_time_us, INT64_C(1790000000123456));
    UNIT_EQ_I64("", m.dataset.warehouses, 20);
    UNIT_EQ_I64("", m.dataset.c_load.customer_last, 173);
    UNIT_EQ_I64("", m.dataset.c_load.customer_id, 911);
    UNIT_EQ_I64("", m.dataset.c_load.item_id, 7911);
    UNIT_EQ_I64("", m.loaded_at_us, INT64_C(1790000100000000));
    UNIT_NEAR("", m.load_seconds, 31.5, 1e-9);
    UNIT_EQ_I64("", m.bytes_loaded, 2300000000);
    UNIT_EQ_I64("", m.runs_since_load, 4);
    UNIT_EQ_STR("", m.unit, "warehouse");
}

static void test_states(void)
{
    static const struct {
        const char *what, *name, *value;
        enum dataset_state state;
        const char *why;
    } cases[] = {
        {"loading", "state", "loading", DATASET_PARTIAL, ""},
        {"another format", "format", "tpcc-run/2", DATASET_FOREIGN, "\"tpcc-run/2\""},
        {"no number", "warehouses", "many", DATASET_FOREIGN, "\"warehouses\""},
        {"no warehouse", "warehouses", "0", DATASET_FOREIGN, "no warehouses"},
        {"too many", "warehouses", "3000000000", DATASET_FOREIGN, "\"warehouses\""},
        {"no unit", "unit", "district-by-district-by-district", DATASET_FOREIGN, "\"unit\""},
        {"no seed", "seed", "-1", DATASET_FOREIGN, "\"seed\""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pretended p = ours();
        struct manifest m;
        struct err err = {0};

        put_pair(&p, cases[i].name, cases[i].value);
        UNIT_EQ_I64(cases[i].what, read_it(&p, &m, &err), 0);
        UNIT_EQ_I64(cases[i].what, m.state, cases[i].state);
        UNIT_TRUE(m.why, strstr(m.why, cases[i].why) != NULL);
    }
}

static void test_a_missing_field_is_foreign(void)
{
    for (int missing = 0; missing < ours().n_pairs; missing++) {
        struct pretended p = ours();
        const bool may_miss = strcmp(p.name[missing], "storage") == 0;
        const bool state = strcmp(p.name[missing], "state") == 0;
        struct manifest m;
        struct err err = {0};

        strcpy(p.name[missing], "something else");
        UNIT_EQ_I64("", read_it(&p, &m, &err), 0);
        UNIT_EQ_I64(m.why, m.state,
                    may_miss ? DATASET_COMPLETE
                    : state  ? DATASET_PARTIAL
                             : DATASET_FOREIGN);
    }
}

static void test_nothing_there(void)
{
    struct pretended none = {0};
    struct pretended empty = {.schema = true};
    struct pretended other = {.schema = true, .relations = 7, .names = "customer, orders"};
    struct manifest m;
    struct err err = {0};

    UNIT_EQ_I64("", read_it(&none, &m, &err), 0);
    UNIT_EQ_I64("", m.state, DATASET_ABSENT);
    UNIT_EQ_I64("", read_it(&empty, &m, &err), 0);
    UNIT_EQ_I64("a schema without tables", m.state, DATASET_ABSENT);
    UNIT_EQ_I64("", read_it(&other, &m, &err), 0);
    UNIT_EQ_I64("somebody else's customer table", m.state, DATASET_FOREIGN);
    UNIT_TRUE(m.why, strstr(m.why, "customer, orders") != NULL);
}

static void test_written_is_read(void)
{
    struct pretended p = {.schema = true, .manifest = true, .relations = 11};
    struct manifest m;
    struct manifest again;
    struct null_load n;
    struct session *s = NULL;
    struct err err = {0};

    memset(&m, 0, sizeof(m));
    m.dataset.seed = 99;
    m.dataset.load_time_us = 5;
    m.dataset.warehouses = 3;
    m.load_seconds = 2.25;
    strcpy(m.unit, "table");
    null_load_init(&n, answer, &p);
    s = null_load_session(&n);
    UNIT_EQ_I64("", manifest_write(s, n.env.dialect, &m, &err), 0);
    UNIT_EQ_I64("", manifest_set(s, n.env.dialect, "state", "loading", &err), 0);
    UNIT_EQ_I64("", manifest_read(s, n.env.dialect, &again, &err), 0);
    UNIT_EQ_I64(again.why, again.state, DATASET_PARTIAL);
    again.state = m.state;
    UNIT_TRUE("all fields", memcmp(&m, &again, sizeof(m)) == 0);
    session_free(s);
    null_load_release(&n);
}

static void try_lock(const char *holder, bool locked, int rc, const char *says)
{
    struct pretended p = ours();
    struct null_load n;
    struct session *s = NULL;
    struct err err = {0};

    p.locked = locked;
    p.holder = holder;
    null_load_init(&n, answer, &p);
    s = null_load_session(&n);
    UNIT_EQ_I64(says, dataset_lock(s, n.env.dialect, "tpcc-run", &err), rc);
    UNIT_TRUE(err.text, strstr(err.text, says) != NULL);
    if (rc < 0)
        UNIT_EQ_I64("", err.kind, ERR_SURROUNDINGS);
    session_free(s);
    null_load_release(&n);
}

static void test_lock(void)
{
    char host[256] = "?";
    char *own = NULL;

    (void)gethostname(host, sizeof(host) - 1);
    own = xasprintf("tpcc-load-with-a-long-name %d@%.2s", (int)getpid(), host);
    try_lock(NULL, false, 0, "");
    try_lock("tpcc-load 1@db7.example", true, -1,
             "in use by tpcc-load, process 1 on host db7.example, since 2026-11-30 10:00:00 UTC");
    try_lock("", true, -1, "in use by another process");
    try_lock(NULL, true, -1, "in use by another process");
    try_lock("psql", true, -1, "in use by another process");
    try_lock(own, true, 0, ""); /* the server cut it */
    *strchr(own, '@') = '\0';
    try_lock(own, true, -1, "in use by tpcc-load-with-a-long-name");
    free(own);
}

static void test_drop(void)
{
    struct pretended p = ours();
    struct null_load n;
    struct session *s = NULL;
    struct strbuf list;
    struct err err = {0};
    int64_t bytes = 0;

    strbuf_init(&list);
    null_load_init(&n, answer, &p);
    s = null_load_session(&n);
    UNIT_EQ_I64("", dataset_list(s, n.env.dialect, &list, &err), 0);
    UNIT_EQ_STR("", list.buf, "routine tpcc.payment(integer)\ntable stock, 3.4 MB\n");
    UNIT_EQ_I64("", dataset_bytes(s, n.env.dialect, &bytes, &err), 0);
    UNIT_EQ_I64("", bytes, 12345);
    UNIT_EQ_I64("", dataset_drop(s, n.env.dialect, &err), 0);
    UNIT_EQ_I64("", p.drops, 1);
    p.locked = true;
    UNIT_EQ_I64("in use", dataset_drop(s, n.env.dialect, &err), -1);
    p.locked = false;
    put_pair(&p, "format", "other");
    UNIT_EQ_I64("foreign", dataset_drop(s, n.env.dialect, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "left as it is") != NULL);
    p.schema = false;
    UNIT_EQ_I64("nothing there", dataset_drop(s, n.env.dialect, &err), 0);
    UNIT_EQ_I64("", p.drops, 1);
    session_free(s);
    null_load_release(&n);
    strbuf_release(&list);
}

static const struct unit_test tests[] = {
    {"complete", test_complete},
    {"stop", test_stop},
    {"states", test_states},
    {"a missing field is foreign", test_a_missing_field_is_foreign},
    {"nothing there", test_nothing_there},
    {"written is read", test_written_is_read},
    {"lock", test_lock},
    {"drop", test_drop},
};
const struct unit_suite manifest_suite = UNIT_SUITE("manifest", tests);
