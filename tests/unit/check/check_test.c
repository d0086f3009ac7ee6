/*
 * The check over the null backend: what the statements answer, joined by condition; errors, the
 * user's stop, progress; and the conditions' table against the dialect.
 */
#include "check/check.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "db/null.h"
#include "harness/unit.h"

static struct dialect *read_dialect(void)
{
    struct err err = {0};
    char *dir = realpath("schema/postgresql", NULL); /* tests run in the repository's root */
    struct dialect *d = dir ? dialect_read(dir, &err) : NULL;

    UNIT_EQ_STR("dialect", err.text, "");
    UNIT_TRUE("dialect", d != NULL);
    free(dir);
    return d;
}

/* How often condition 3 was asked for warehouses before the first and behind the last of 60. */
static atomic_uint below, beyond;

/* Answers two rows a warehouse for condition 3 in warehouses 2 and 7, none else. */
static void answer(const struct batch *b, struct null_answer *a, void *ctx)
{
    const struct stmt *stmt = b->part[0].stmt;
    const bool third = strcmp(stmt->name, "condition_3") == 0;
    const int64_t from = stmt->n_params ? b->part[0].args[0].i : 0;
    const int64_t to = stmt->n_params ? b->part[0].args[1].i : 0;
    const bool two = third && from <= 2 && to >= 2;
    const bool seven = third && from <= 7 && to >= 7;
    const uint32_t rows = 2U * ((two ? 1U : 0U) + (seven ? 1U : 0U));

    (void)ctx;
    if (third && from < 1)
        below++;
    if (third && to > 60)
        beyond++;
    if (strcmp(stmt->name, "check_next_o_id_sum") == 0 ||
        strcmp(stmt->name, "check_history_rows") == 0) {
        null_answer_part(a, 1, 1);
        null_answer_int(a, stmt->name[6] == 'n' ? 60020 : 600000);
        return;
    }
    null_answer_part(a, rows, 2);
    for (uint32_t i = 0; i < rows; i++) {
        null_answer_int(a, (int64_t)rows * 50);
        null_answer_text(a,
                         two && i < 2 ? (i ? "w_id=2 d_id=9" : "w_id=2 d_id=4") : "w_id=7 d_id=1");
    }
}

struct rig {
    struct null_script script;
    struct dialect *dialect;
    struct stop stop;
    struct check_env env;
    uint64_t told, total;
};

static void on_progress(const struct progress *p, void *ctx)
{
    struct rig *rig = ctx;

    UNIT_TRUE("never back", p->done >= rig->told);
    rig->told = p->done;
    rig->total = p->total;
}

static void rig_init(struct rig *rig, int32_t warehouses, uint32_t sessions)
{
    *rig = (struct rig){.script = {.answer = answer}};
    rig->dialect = read_dialect();
    rig->env = (struct check_env){
        .ops = db_find("null"),
        .db = {.application_name = "check", .clock = clock_system(), .null_script = &rig->script},
        .dialect = rig->dialect,
        .clock = clock_system(),
        .stop = &rig->stop,
        .on_progress = on_progress,
        .ctx = rig,
        .sessions = sessions,
        .warehouses = warehouses,
    };
}

static void rig_release(struct rig *rig)
{
    dialect_free(rig->dialect);
}

static void test_table(void)
{
    struct dialect *d = read_dialect();

    for (int i = 0; i < CONDITIONS; i++) {
        const struct condition *c = &conditions()[i];
        const struct stmt *stmt = d ? dialect_find(d, c->statement) : NULL;

        UNIT_EQ_I64(c->statement, c->number, i + 1);
        UNIT_TRUE(c->statement, stmt && stmt->n_params == c->n_params);
        UNIT_TRUE(c->statement, c->quick == (i < 3));
        UNIT_TRUE(c->statement, c->cost > 0);
        UNIT_TRUE(c->statement, c->reads_history == (i == 7 || i == 8 || i == 9));
    }
    dialect_free(d);
}

static void test_findings(void)
{
    static const uint32_t sessions[] = {1, 2, 5};

    for (size_t i = 0; i < ARRAY_LEN(sessions); i++) {
        struct rig rig;
        struct check_report report;
        struct err err = {0};
        const struct check_finding *third = &report.finding[2];

        below = beyond = 0;
        rig_init(&rig, 60, sessions[i]);
        UNIT_EQ_I64("", check_run(&rig.env, &report, &err), 0);
        UNIT_EQ_U64("the first range is open", below, 1);
        UNIT_EQ_U64("the last range is open", beyond, 1);
        UNIT_EQ_STR("", err.text, "");
        UNIT_TRUE("", !report.all_hold);
        for (int n = 0; n < CONDITIONS; n++)
            UNIT_TRUE("", report.finding[n].run && report.finding[n].holds == (n != 2));
        /* 200 where one range holds both warehouses, 100 from each of two otherwise. */
        UNIT_EQ_U64("", third->offending, 200);
        UNIT_EQ_STR("", third->rows[0], "w_id=2 d_id=4");
        UNIT_EQ_STR("", third->rows[1], "w_id=2 d_id=9");
        UNIT_EQ_STR("", third->rows[2], "w_id=7 d_id=1");
        UNIT_EQ_STR("", third->rows[4], NULL);
        UNIT_EQ_U64("all told", rig.told, rig.total);
        check_report_release(&report);
        rig_release(&rig);
    }
}

static void test_quick(void)
{
    struct rig rig;
    struct check_report report;
    struct err err = {0};

    rig_init(&rig, 1, 2);
    rig.env.quick = true;
    UNIT_EQ_I64("", check_run(&rig.env, &report, &err), 0);
    UNIT_EQ_U64("rows of two warehouses beyond the only one", report.finding[2].offending, 200);
    for (int n = 0; n < CONDITIONS; n++) {
        UNIT_TRUE("", report.finding[n].run == (n < 3));
        UNIT_TRUE("", !report.finding[n].run || report.finding[n].holds == (n != 2));
    }
    UNIT_EQ_U64("3 conditions, settings of 2 sessions", rig.script.batches, 5);
    check_report_release(&report);
    rig_release(&rig);
}

static void test_error(void)
{
    for (uint32_t sessions = 1; sessions <= 3; sessions++) {
        struct rig rig;
        struct check_report report;
        struct err err = {0};

        rig_init(&rig, 60, sessions);
        rig.script.fault_every = 20;
        rig.script.service_ns = 10 * NS_PER_MS;
        (void)strcpy(rig.script.fault_sqlstate, "XX001");
        UNIT_EQ_I64("", check_run(&rig.env, &report, &err), -1);
        UNIT_EQ_STR("", err.sqlstate, "XX001");
        if (sessions == 1) /* else it may hit the settings of a late one */
            UNIT_TRUE(err.text, strstr(err.text, "condition ") && strstr(err.text, "warehouses "));
        /* Left alone, all three would fail, at 20, 40 and 60. */
        UNIT_TRUE("the others stop", rig.script.batches < 45);
        check_report_release(&report);
        rig_release(&rig);
    }
}

static void test_no_connection(void)
{
    struct rig rig;
    struct check_report report;
    struct err err = {0};

    rig_init(&rig, 60, 3);
    rig.script.refuse_connect = 2;
    UNIT_EQ_I64("", check_run(&rig.env, &report, &err), -1);
    UNIT_TRUE("", err.text[0] != 0);
    check_report_release(&report);
    rig_release(&rig);
}

static void test_interrupted(void)
{
    struct rig rig;
    struct check_report report;
    struct err err = {0};

    rig_init(&rig, 60, 2);
    stop_ask(&rig.stop);
    rig.script.service_ns = NS_PER_MS;
    UNIT_EQ_I64("", check_run(&rig.env, &report, &err), -1);
    UNIT_EQ_I64(err.text, err.kind, ERR_INTERRUPTED);
    check_report_release(&report);
    rig_release(&rig);
}

static void test_totals(void)
{
    struct rig rig;
    const struct exec_opts how = {.stop = &rig.stop};
    struct check_totals totals = {0};
    struct err err = {0};
    struct session *s = NULL;

    rig_init(&rig, 2, 1);
    s = session_connect(rig.env.ops, &rig.env.db, 0, &err);
    UNIT_TRUE("", s != NULL);
    UNIT_EQ_I64("", check_totals_read(s, rig.dialect, &how, &totals, &err), 0);
    UNIT_EQ_I64("", totals.next_o_id_sum, 60020);
    UNIT_EQ_I64("", totals.history_rows, 600000);
    stop_ask(&rig.stop);
    UNIT_EQ_I64("stopped", check_totals_read(s, rig.dialect, &how, &totals, &err), -1);
    UNIT_EQ_I64(err.text, err.kind, ERR_INTERRUPTED);
    session_free(s);
    rig_release(&rig);
}

static const struct unit_test tests[] = {
    {"table", test_table},
    {"findings", test_findings},
    {"quick", test_quick},
    {"error", test_error},
    {"no connection", test_no_connection},
    {"interrupted", test_interrupted},
    {"totals", test_totals},
};
const struct unit_suite check_suite = UNIT_SUITE("check", tests);
