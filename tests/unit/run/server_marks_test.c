/*
 * run/server_marks: made counters, one look after another.
 */
#include "run/server_marks.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

#define GO_NS (1000 * NS_PER_S)

struct made {
    struct server_marks marks;
    struct server_counts counts;
    struct result result;
};

static void begin(struct made *m)
{
    memset(m, 0, sizeof(*m));
    result_init(&m->result);
    server_marks_init(&m->marks, GO_NS, NULL, &m->result);
    for (int c = COUNT_CHECKPOINTS_TIMED; c < SERVER_COUNTERS; c++)
        m->counts.has[c] = true;
    m->counts.count[COUNT_CHECKPOINTS_TIMED] = 7;
    m->counts.count[COUNT_CHECKPOINT] = 100;
    m->counts.n_vacuums = 2;
    (void)snprintf(m->counts.vacuum[0].table, SERVER_TABLE_NAME, "orders");
    (void)snprintf(m->counts.vacuum[1].table, SERVER_TABLE_NAME, "stock");
}

static void end(struct made *m)
{
    server_marks_release(&m->marks);
    result_release(&m->result);
}

static void look(struct made *m, uint64_t at_s)
{
    server_marks_look(&m->marks, &m->counts, GO_NS + at_s * NS_PER_S);
}

static void want_mark(const struct made *m, size_t i, const char *text, double start_s,
                      double end_s)
{
    const struct result_mark *mark;

    if (!UNIT_TRUE(text, i < m->result.marks.n))
        return;
    mark = &m->result.marks.at[i];
    UNIT_EQ_STR("", mark->text, text);
    UNIT_NEAR(text, mark->start_s, start_s, 1e-6);
    if (isnan(end_s))
        UNIT_TRUE(text, isnan(mark->end_s));
    else
        UNIT_NEAR(text, mark->end_s, end_s, 1e-6);
}

static void checkpoint_ends(struct made *m, int64_t age_ms)
{
    m->counts.count[COUNT_CHECKPOINT] += 100;
    m->counts.count[COUNT_CHECKPOINT_AGE_MS] = age_ms;
}

static void test_checkpoints(void)
{
    struct made m;

    begin(&m);
    look(&m, 0);
    m.counts.count[COUNT_CHECKPOINTS_TIMED]++;
    look(&m, 10);
    look(&m, 11);
    checkpoint_ends(&m, 9500);
    look(&m, 19);
    m.counts.count[COUNT_CHECKPOINTS_REQUESTED]++;
    checkpoint_ends(&m, 400); /* begun and ended between two looks */
    look(&m, 20);
    m.counts.count[COUNT_CHECKPOINTS_TIMED]++;
    look(&m, 40);
    look(&m, 41);
    server_marks_end(&m.marks);
    UNIT_EQ_U64("", m.result.marks.n, 3);
    want_mark(&m, 0, "checkpoint, timed", 9.5, 19);
    want_mark(&m, 1, "checkpoint, requested", 19.6, 20);
    want_mark(&m, 2, "checkpoint, not ended with the run", 40, RESULT_NONE);
    end(&m);
}

/* After a crash the counters begin at 0; what was under way is over. */
static void test_crash(void)
{
    struct made m;

    begin(&m);
    look(&m, 0);
    m.counts.count[COUNT_CHECKPOINTS_TIMED]++;
    look(&m, 10);
    m.counts.count[COUNT_CHECKPOINTS_TIMED] = 0;
    m.counts.count[COUNT_CHECKPOINTS_REQUESTED] = 0;
    checkpoint_ends(&m, 1000); /* that of the recovery */
    look(&m, 20);
    m.counts.count[COUNT_CHECKPOINTS_TIMED]++;
    look(&m, 30);
    server_marks_end(&m.marks);
    UNIT_EQ_U64("", m.result.marks.n, 2);
    want_mark(&m, 0, "checkpoint", 19, 20);
    want_mark(&m, 1, "checkpoint, not ended with the run", 30, RESULT_NONE);
    end(&m);
}

/* The sample is from 10 to 30 s; a start is known to a second, an end to an interval of 1 s. */
static void test_whole_ones(void)
{
    const struct windows w = {.go_ns = GO_NS,
                              .sample_start_ns = GO_NS + 10 * NS_PER_S,
                              .sample_end_ns = GO_NS + 30 * NS_PER_S};
    struct made m;

    begin(&m);
    look(&m, 0);
    checkpoint_ends(&m, 4500); /* from 8.5 s */
    look(&m, 13);
    UNIT_EQ_I64("begun before it", server_marks_whole(&m.marks, &w, NS_PER_S), 0);
    checkpoint_ends(&m, 4500); /* from 9.5 s, which may be 10.4 */
    look(&m, 14);
    UNIT_EQ_I64("", server_marks_whole(&m.marks, &w, NS_PER_S), 1);
    checkpoint_ends(&m, 1000);
    look(&m, 31);
    UNIT_EQ_I64("", server_marks_whole(&m.marks, &w, NS_PER_S), 2);
    checkpoint_ends(&m, 5000);
    look(&m, 32);
    UNIT_EQ_I64("ended behind it", server_marks_whole(&m.marks, &w, NS_PER_S), 2);
    end(&m);
}

static void test_no_rights(void)
{
    struct made m;

    begin(&m);
    memset(m.counts.has, 0, sizeof(m.counts.has));
    look(&m, 0);
    m.counts.count[COUNT_CHECKPOINT]++;
    look(&m, 1);
    server_marks_end(&m.marks);
    UNIT_EQ_U64("", m.result.marks.n, 0);
    end(&m);
}

static void test_vacuums(void)
{
    struct made m;

    begin(&m);
    look(&m, 0);
    m.counts.vacuum[1].runs = true;
    look(&m, 5);
    look(&m, 6);
    m.counts.vacuum[0].ended++; /* too short to be seen */
    look(&m, 7);
    m.counts.vacuum[1].runs = false;
    m.counts.vacuum[1].ended++;
    look(&m, 9);
    m.counts.vacuum[0].runs = true;
    look(&m, 10);
    m.counts.vacuum[0].ended++; /* it ended and another one runs */
    look(&m, 12);
    server_marks_end(&m.marks);
    UNIT_EQ_U64("", m.result.marks.n, 4);
    want_mark(&m, 0, "vacuum of stock", 5, 9);
    want_mark(&m, 1, "vacuum of orders", 6, 7);
    want_mark(&m, 2, "vacuum of orders", 10, 12);
    want_mark(&m, 3, "vacuum of orders, not ended with the run", 12, RESULT_NONE);
    UNIT_EQ_STR("", m.result.marks.at[0].kind, "vacuum");
    end(&m);
}

static void test_of_a_run_that_never_began(void)
{
    struct server_marks m = {0};

    server_marks_end(&m);
    UNIT_EQ_U64("", m.checkpoints.n, 0);
}

static const struct unit_test tests[] = {
    {"checkpoints", test_checkpoints},
    {"whole checkpoints of the sample", test_whole_ones},
    {"counters that begin anew", test_crash},
    {"without rights", test_no_rights},
    {"vacuums", test_vacuums},
    {"of a run that never began", test_of_a_run_that_never_began},
};
const struct unit_suite server_marks_suite = UNIT_SUITE("server_marks", tests);
