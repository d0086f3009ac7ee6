#include "db/null.h"

#include <string.h>

#include "db/fault.h"
#include "harness/unit.h"

static const struct stmt call = {.name = "call", .text = ""};

struct rig {
    struct clock_fake clk;
    struct null_script script;
    struct db_config cfg;
    struct rows rows;
};

static void rig_init(struct rig *r)
{
    memset(r, 0, sizeof(*r));
    clock_fake_init(&r->clk, NS_PER_S, 0);
    r->script.service_ns = 10 * NS_PER_MS;
    r->cfg = (struct db_config){.clock = &r->clk.clk, .null_script = &r->script};
}

static struct session *rig_connect(struct rig *r)
{
    struct err err = {0};
    struct session *s = session_new(&null_ops, &r->cfg, &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(session_open(s), DB_READY);
    return s;
}

/* One batch to its end; the clock comes along. Gives the last step. */
static unsigned rig_run(struct rig *r, struct session *s, bool commits)
{
    const struct batch b = {.n = 1, .commits = commits, .part = {{.stmt = &call}}};
    unsigned step = session_submit(s, &b);

    while (!(step & (DB_READY | DB_FAILED))) {
        clock_sleep_until_ns(&r->clk.clk, session_ready_at_ns(s));
        step = session_advance(s, &r->rows);
    }
    return step;
}

static void test_latency(void)
{
    struct rig r;
    struct session *s;

    rig_init(&r);
    r.script.connect_ns = 5 * NS_PER_MS;
    s = session_new(&null_ops, &r.cfg, NULL);
    UNIT_EQ_U64("", session_open(s), DB_WANT_READ);
    UNIT_EQ_U64("", session_ready_at_ns(s), NS_PER_S + 5 * NS_PER_MS);
    clock_fake_advance(&r.clk, 5 * NS_PER_MS);
    UNIT_EQ_U64("", session_open(s), DB_READY);
    UNIT_EQ_U64("", rig_run(&r, s, true), DB_READY);
    UNIT_EQ_U64("", r.clk.now_ns, NS_PER_S + 15 * NS_PER_MS);
    UNIT_EQ_U64("one part, empty", r.rows.n, 1);
    UNIT_EQ_U64("one part, empty", r.rows.part[0].n_rows, 0);
    session_free(s);
}

/* Under way at its beginning or sent within: until its end. After it: as ever. */
static void test_stall(void)
{
    struct rig r;
    struct session *s;

    rig_init(&r);
    s = rig_connect(&r);
    r.script.stall_at_ns = NS_PER_S + 5 * NS_PER_MS;
    r.script.stall_ns = NS_PER_S;
    UNIT_EQ_U64("", rig_run(&r, s, true), DB_READY);
    UNIT_EQ_U64("", r.clk.now_ns, 2 * NS_PER_S + 5 * NS_PER_MS);
    UNIT_EQ_U64("", rig_run(&r, s, true), DB_READY);
    UNIT_EQ_U64("", r.clk.now_ns, 2 * NS_PER_S + 15 * NS_PER_MS);
    session_free(s);
}

static void test_faults(void)
{
    static const struct {
        const char *what;
        bool lose, before, commit_fails;
        enum fault fault;
    } rows[] = {
        {"retry", false, false, false, FAULT_RETRY},
        {"commit fails", false, false, true, FAULT_FATAL},
        {"lost before", true, true, false, FAULT_LOST},
        {"lost after", true, false, false, FAULT_IN_DOUBT},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct rig r;
        struct session *s;
        struct batch b = {.n = 1, .commits = true, .part = {{.stmt = &call}}};
        unsigned step;

        rig_init(&r);
        s = rig_connect(&r);
        r.script.lose_every = rows[i].lose ? 3 : 0;
        r.script.lose_before_send = rows[i].before;
        r.script.fail_commit_every = rows[i].commit_fails ? 3 : 0;
        r.script.fault_every = rows[i].fault == FAULT_RETRY ? 3 : 0;
        memcpy(r.script.fault_sqlstate, "40P01", 6);
        UNIT_EQ_U64(rows[i].what, rig_run(&r, s, true), DB_READY);
        UNIT_EQ_U64(rows[i].what, rig_run(&r, s, true), DB_READY);
        step = session_submit(s, &b);
        UNIT_TRUE(rows[i].what, (step == DB_FAILED) == rows[i].before);
        if (!rows[i].before) {
            clock_sleep_until_ns(&r.clk.clk, session_ready_at_ns(s));
            UNIT_EQ_U64(rows[i].what, session_advance(s, &r.rows), DB_FAILED);
        }
        UNIT_EQ_I64(rows[i].what,
                    fault_classify(session_error(s), session_alive(s), !rows[i].before),
                    rows[i].fault);
        UNIT_TRUE(rows[i].what, session_alive(s) == !rows[i].lose);
        session_free(s);
    }
}

static void test_cancel(void)
{
    struct rig r;
    struct session *s;
    const struct batch b = {.n = 1, .part = {{.stmt = &call}}};

    rig_init(&r);
    s = rig_connect(&r);
    UNIT_EQ_U64("", session_submit(s, &b), DB_WANT_READ);
    session_cancel(s);
    UNIT_EQ_U64("", session_advance(s, &r.rows), DB_FAILED);
    UNIT_EQ_I64("", fault_classify(session_error(s), session_alive(s), true), FAULT_TIMEOUT);
    r.script.ignore_cancel = true;
    UNIT_EQ_U64("", session_submit(s, &b), DB_WANT_READ);
    session_cancel(s);
    UNIT_EQ_U64("", session_advance(s, &r.rows), DB_WANT_READ);
    clock_fake_advance(&r.clk, 10 * NS_PER_MS);
    UNIT_EQ_U64("", session_advance(s, &r.rows), DB_READY);
    session_free(s);
}

/* A server that goes and comes back: what is under way is lost, idle ones find out when they send,
 * connections are refused until it is back. */
static void test_gone(void)
{
    struct rig r;
    struct session *busy, *idle, *new;
    const struct batch b = {.n = 1, .commits = true, .part = {{.stmt = &call}}};

    rig_init(&r);
    busy = rig_connect(&r);
    idle = rig_connect(&r);
    r.script.gone_at_ns = NS_PER_S + 5 * NS_PER_MS;
    r.script.gone_until_ns = 2 * NS_PER_S;
    UNIT_EQ_U64("", session_submit(busy, &b), DB_WANT_READ);
    UNIT_EQ_U64("", session_ready_at_ns(busy), r.script.gone_at_ns);
    clock_fake_advance(&r.clk, 500 * NS_PER_MS);
    UNIT_EQ_U64("", session_advance(busy, &r.rows), DB_FAILED);
    UNIT_TRUE("", !session_alive(busy));
    new = session_new(&null_ops, &r.cfg, NULL);
    UNIT_EQ_U64("refused", session_open(new), DB_FAILED);
    session_free(new);
    clock_fake_advance(&r.clk, NS_PER_S);
    UNIT_EQ_U64("found out late", session_submit(idle, &b), DB_FAILED);
    UNIT_TRUE("", !session_alive(idle));
    new = rig_connect(&r);
    UNIT_EQ_U64("as before", rig_run(&r, new, true), DB_READY);
    session_free(new);
    session_free(busy);
    session_free(idle);
}

static void two_parts(const struct batch *b, struct null_answer *a, void *ctx)
{
    (void)ctx;
    UNIT_EQ_U64("", b->n, 1);
    null_answer_part(a, 2, 2);
    null_answer_int(a, 7);
    null_answer_text(a, NULL);
    null_answer_int(a, INT64_MIN);
    null_answer_text(a, "x y");
    null_answer_part(a, 0, 3);
}

static void test_rows(void)
{
    struct rig r;
    struct session *s;
    int64_t value = 0;

    rig_init(&r);
    r.script.answer = two_parts;
    s = rig_connect(&r);
    UNIT_EQ_U64("", rig_run(&r, s, true), DB_READY);
    UNIT_EQ_U64("", r.rows.n, 2);
    UNIT_EQ_STR("", rows_cell(&r.rows.part[0], 0, 0)->text, "7");
    UNIT_EQ_STR("", rows_cell(&r.rows.part[0], 0, 1)->text, NULL);
    UNIT_EQ_I64("", cell_i64(rows_cell(&r.rows.part[0], 1, 0), &value, NULL), 0);
    UNIT_EQ_I64("", value, INT64_MIN);
    UNIT_EQ_STR("", rows_cell(&r.rows.part[0], 1, 1)->text, "x y");
    UNIT_EQ_U64("", r.rows.part[1].n_columns, 3);
    session_free(s);
}

/* On the machine's clock it has a descriptor, so that the blocking calls work. */
static void test_descriptor(void)
{
    struct rig r;
    struct err err = {0};
    const struct batch b = {.n = 1, .part = {{.stmt = &call}}};
    struct session *s;
    uint64_t start_ns;

    rig_init(&r);
    r.cfg.clock = clock_system();
    r.script.connect_ns = NS_PER_MS;
    s = session_connect(db_find("null"), &r.cfg, 0, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    start_ns = clock_now_ns(r.cfg.clock);
    UNIT_EQ_I64("", session_exec(s, &b, &r.rows, NULL, &err), 0);
    UNIT_TRUE("", clock_now_ns(r.cfg.clock) - start_ns >= 10 * NS_PER_MS);
    session_free(s);
    r.script.refuse_connect = 2;
    UNIT_TRUE("", session_connect(&null_ops, &r.cfg, 0, &err) == NULL);
    UNIT_EQ_STR("", err.text, "connection refused");
}

/* On a fake clock the blocking calls wait on that, to the ns. */
static void test_blocking_on_fake_clock(void)
{
    const struct batch b = {.n = 1, .part = {{.stmt = &call}}};
    const struct exec_opts in_time = {.within_ns = 10 * NS_PER_MS};
    const struct exec_opts late = {.within_ns = 4 * NS_PER_MS};
    struct rig r;
    struct err err = {0};
    struct session *s;

    rig_init(&r);
    r.script.connect_ns = 59 * NS_PER_S;
    s = session_connect(&null_ops, &r.cfg, 0, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    UNIT_EQ_U64("connected", r.clk.now_ns, 60 * NS_PER_S);
    UNIT_TRUE("", session_clock(s) == &r.clk.clk);
    UNIT_EQ_I64("", session_exec(s, &b, &r.rows, &in_time, &err), 0);
    UNIT_EQ_U64("answered", r.clk.now_ns, 60 * NS_PER_S + 10 * NS_PER_MS);
    UNIT_EQ_I64("", session_exec(s, &b, &r.rows, &late, &err), -1);
    UNIT_EQ_U64("cancelled", r.clk.now_ns, 60 * NS_PER_S + 14 * NS_PER_MS);
    UNIT_EQ_STR("", err.sqlstate, "57014");
    UNIT_EQ_STR("", err.text, "not done within 4 ms, cancelled");
    session_free(s);
    UNIT_TRUE("", session_connect(&null_ops, &r.cfg, NS_PER_S, &err) == NULL);
    UNIT_EQ_U64("given up", r.clk.now_ns, 61 * NS_PER_S + 14 * NS_PER_MS);
}

static const struct unit_test tests[] = {
    {"latency", test_latency},
    {"stall", test_stall},
    {"faults", test_faults},
    {"cancel", test_cancel},
    {"gone", test_gone},
    {"rows", test_rows},
    {"descriptor", test_descriptor},
    {"blocking on a fake clock", test_blocking_on_fake_clock},
};
const struct unit_suite null_suite = UNIT_SUITE("null", tests);
