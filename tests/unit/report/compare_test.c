/*
 * report/compare: grouping by label, order, what is said of a pair and when nothing is, fairness.
 * How it looks is in tests/golden/compare-*; that the statistics are right in
 * tests/unit/stats/signif_*.
 */
#include "report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"
#include "report/compare_words.h"
#include "result/made_result.h"

/* Results that are alike but for label, time and figures. */
struct bench {
    struct result r[COMPARE_RUNS_MAX];
    struct compare_input in[COMPARE_RUNS_MAX];
    size_t n;
};

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = text ? xstrdup(text) : NULL;
}

static struct result *add(struct bench *b, const char *label, double avg_ms)
{
    static const char *const paths[COMPARE_RUNS_MAX] = {"x/1", "x/2", "x/3", "x/4", "x/5",
                                                        "x/6", "x/7", "x/8", "y/8"};
    struct result *r = &b->r[b->n];
    char started[] = "2026-11-30T13:00:01Z";

    made_result(r);
    set_text(&r->label, label);
    started[15] = (char)('0' + b->n % 10);
    set_text(&r->started, started);
    r->sample.time[TIME_RESPONSE].avg = avg_ms;
    r->sample.tps = 1000 / avg_ms;
    for (size_t i = 0; i < RESULT_BATCHES;
         i++) { /* sums 90 and 110 in turn: no slow swing, +-0.2 % */
        hist_free(r->batches[i].response);
        r->batches[i] = (struct result_batch){.count = 10, .sum_ns = 90000000 + i % 2 * 20000000};
    }
    b->in[b->n] = (struct compare_input){r, paths[b->n], "run: {users: 15000}\n"};
    b->n++;
    return r;
}

static void add_repeats(struct bench *b, const char *label, const double *avg_ms, size_t n)
{
    for (size_t i = 0; i < n; i++)
        (void)add(b, label, avg_ms[i]);
}

static void release(struct bench *b)
{
    for (size_t i = 0; i < b->n; i++)
        result_release(&b->r[i]);
    memset(b, 0, sizeof(*b));
}

static void build(struct bench *b, enum compare_measure by, struct compare *c)
{
    struct err err = {0};

    UNIT_EQ_I64(err.text, compare_build(c, b->in, b->n, by, &err), 0);
}

/* What is said of the first pair, with how much in front of it. */
static char *first_pair(struct bench *b, enum compare_measure by)
{
    struct compare c;
    struct strbuf out;

    strbuf_init(&out);
    build(b, by, &c);
    if (UNIT_TRUE("", c.pairs.n > 0))
        compare_say_pair(&c, &c.pairs.at[0], &out);
    compare_release(&c);
    return strbuf_detach(&out);
}

static void says(struct bench *b, enum compare_measure by, const char *want)
{
    char *said = first_pair(b, by);

    UNIT_EQ_STR("", said, want);
    free(said);
}

static const double fast[] = {3.00, 3.03, 2.98};
static const double slow[] = {3.40, 3.45, 3.38};
static const double alike[] = {3.05, 2.97, 3.01};

static void test_faster(void)
{
    static struct bench b;

    add_repeats(&b, "B", slow, 3);
    add_repeats(&b, "A", fast, 3);
    says(&b, COMPARE_AVG,
         "A is faster than B by 11.9 % (95 % interval 10.0 to 13.8): average "
         "response 3.00 and 3.41 ms");
    says(&b, COMPARE_TPS,
         "A is faster than B by 13.5 % (95 % interval 11.1 to 16.1): TPS 333.0 and "
         "293.3");
    release(&b);
}

static void test_no_difference(void)
{
    static struct bench b;

    add_repeats(&b, "A", fast, 3);
    add_repeats(&b, "B", alike, 3);
    says(&b, COMPARE_AVG,
         "A and B: no difference that these runs can show (less than 2.9 %): "
         "average response 3.00 and 3.01 ms");
    release(&b);
}

static void test_single_runs_have_no_rank(void)
{
    static struct bench b;
    char *said = NULL;

    (void)add(&b, "B", 30);
    (void)add(&b, "A", 3);
    says(&b, COMPARE_AVG,
         "A and B: difference in these two runs: 90.00 % (within-run interval "
         "89.97 to 90.03); spread between runs unknown: average response 3.00 and 30.0 ms");
    (void)add(&b, "A", 3.1);
    (void)add(&b, "B", 31);
    (void)add(&b, "B", 32);
    said = first_pair(&b, COMPARE_AVG);
    UNIT_TRUE(said, strstr(said, "difference in these 5 runs: 90") != NULL);
    UNIT_TRUE(said, strstr(said, "faster") == NULL);
    free(said);
    release(&b);
}

static void test_groups_and_order(void)
{
    static struct bench b;
    struct compare c;

    (void)add(&b, "slow", 9);
    (void)add(&b, NULL, 5);
    (void)add(&b, "slow", 8);
    (void)add(&b, "", 4);
    (void)add(&b, "none", RESULT_NONE);
    build(&b, COMPARE_AVG, &c);
    UNIT_EQ_U64("", c.n_groups, 4);
    UNIT_EQ_STR("no label: the directory", c.group[0].name, "4");
    UNIT_EQ_STR("", c.group[1].name, "2");
    UNIT_EQ_STR("", c.group[2].name, "slow");
    UNIT_EQ_STR("no figure: last", c.group[3].name, "none");
    UNIT_EQ_U64("", c.group[2].n, 2);
    UNIT_EQ_U64("", c.run[2].group, 2);
    UNIT_NEAR("geometric mean", c.group[2].figure[COMPARE_AVG].value, sqrt(72), 1e-9);
    UNIT_TRUE("two: no interval", isnan(c.group[2].figure[COMPARE_AVG].low));
    UNIT_TRUE("one: its own", c.group[0].figure[COMPARE_AVG].low < 4);
    UNIT_EQ_U64("", c.pairs.n, 6);
    UNIT_EQ_U64("", c.n_judged, 0);
    compare_release(&c);
    build(&b, COMPARE_TPS, &c);
    UNIT_EQ_STR("the most TPS first", c.group[0].name, "4");
    compare_release(&c);
    release(&b);
}

static void test_names_told_apart(void)
{
    static struct bench b;
    struct compare c;

    for (int i = 0; i < 9; i++)
        (void)add(&b, NULL, 3 + i);
    build(&b, COMPARE_AVG, &c);
    UNIT_EQ_STR("", c.group[0].name, "1");
    UNIT_EQ_STR("", c.group[7].name, "x/8");
    UNIT_EQ_STR("", c.group[8].name, "y/8");
    compare_release(&c);
    release(&b);
}

/* Three groups of three: three pairs, each at 98.3 %, so wider than it would be alone. */
static void test_all_pairs_hold_together(void)
{
    static struct bench b;
    struct compare c;
    double alone = 0;

    add_repeats(&b, "A", fast, 3);
    add_repeats(&b, "B", slow, 3);
    build(&b, COMPARE_AVG, &c);
    alone = c.pairs.at[0].percent.high;
    UNIT_NEAR("", c.level, 0.95, 1e-12);
    compare_release(&c);
    add_repeats(&b, "C", alike, 3);
    build(&b, COMPARE_AVG, &c);
    UNIT_EQ_U64("", c.n_judged, 3);
    UNIT_NEAR("", c.level, 1 - 0.05 / 3, 1e-12);
    UNIT_TRUE("wider", c.pairs.at[1].percent.high > alone);
    compare_release(&c);
    release(&b);
}

/* Of many groups only the first one's pairs, and each that was judged. */
static void test_shows(void)
{
    static struct bench b;
    struct compare c;
    size_t shown = 0;

    for (int i = 0; i < 3; i++)
        (void)add(&b, NULL, 1 + i);
    add_repeats(&b, "A", fast, 3);
    add_repeats(&b, "B", slow, 3);
    build(&b, COMPARE_AVG, &c);
    UNIT_EQ_U64("", c.pairs.n, 10);
    for (size_t i = 0; i < c.pairs.n; i++)
        shown += compare_shows(&c, &c.pairs.at[i]);
    UNIT_EQ_U64("four with the first, one judged", shown, 5);
    compare_release(&c);
    release(&b);
}

static void test_not_compared(void)
{
    static struct bench b;

    add_repeats(&b, "A", fast, 3);
    add_repeats(&b, "B", slow, 3);
    b.r[4].verdict.status = VERDICT_INVALID;
    says(&b, COMPARE_AVG, "A and B: not compared: a run is invalid, so its figures do not count");
    b.r[4].verdict.status = VERDICT_VALID;
    set_text(&b.r[5].workload.loop, "interarrival");
    says(&b, COMPARE_AVG,
         "A and B: not compared: the users do not wait in the same way, so the "
         "figures do not mean the same");
    set_text(&b.r[5].workload.loop, "closed");
    b.r[0].sample.time[TIME_RESPONSE].p99 = RESULT_NONE;
    says(&b, COMPARE_P99, "B and A: not compared: there is no such figure");
    release(&b);
}

static void test_same_run_twice(void)
{
    static struct bench b;
    struct compare c;
    struct err err = {0};

    add_repeats(&b, "A", fast, 3);
    set_text(&b.r[2].started, b.r[0].started);
    UNIT_EQ_I64("", compare_build(&c, b.in, b.n, COMPARE_AVG, &err), -1);
    UNIT_EQ_STR("", err.text, "x/1 and x/3 are the same run: name each once");
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    compare_release(&c);
    set_text(&b.r[2].host.name, "another");
    UNIT_EQ_I64("two hosts at once", compare_build(&c, b.in, b.n, COMPARE_AVG, &err), 0);
    compare_release(&c);
    release(&b);
}

static void test_exit_code(void)
{
    static struct bench b;
    struct compare c;

    add_repeats(&b, "A", fast, 2);
    build(&b, COMPARE_AVG, &c);
    UNIT_TRUE("", !compare_failed(&c, false) && !compare_failed(&c, true));
    compare_release(&c);
    b.r[1].verdict.status = VERDICT_QUESTIONABLE;
    build(&b, COMPARE_AVG, &c);
    UNIT_TRUE("", !compare_failed(&c, false) && compare_failed(&c, true));
    compare_release(&c);
    b.r[1].verdict.status = VERDICT_INVALID;
    build(&b, COMPARE_AVG, &c);
    UNIT_TRUE("", compare_failed(&c, false));
    compare_release(&c);
    release(&b);
}

static void test_of_nothing(void)
{
    static struct bench b;
    struct compare c;

    for (; b.n < 2; b.n++) {
        result_init(&b.r[b.n]);
        b.in[b.n] = (struct compare_input){&b.r[b.n], b.n ? "/" : "x", NULL};
    }
    build(&b, COMPARE_P999, &c);
    UNIT_EQ_U64("", c.n_groups, 2);
    UNIT_EQ_STR("", c.group[1].name, "/");
    UNIT_EQ_I64("", c.pairs.at[0].says, COMPARE_NOT);
    UNIT_EQ_U64("both plans are missing", c.settings.notes.n, 2);
    compare_release(&c);
    release(&b);
}

static const struct unit_test tests[] = {
    {"faster", test_faster},
    {"no difference", test_no_difference},
    {"single runs have no rank", test_single_runs_have_no_rank},
    {"groups and order", test_groups_and_order},
    {"names told apart", test_names_told_apart},
    {"all pairs hold together", test_all_pairs_hold_together},
    {"which pairs are shown", test_shows},
    {"not compared", test_not_compared},
    {"the same run twice", test_same_run_twice},
    {"exit code", test_exit_code},
    {"of empty results", test_of_nothing},
};
const struct unit_suite compare_suite = UNIT_SUITE("compare", tests);
