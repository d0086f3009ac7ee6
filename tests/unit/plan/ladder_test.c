/*
 * What a ladder makes of the settings: each step's own, the extent of all, and the words.
 */
#include "plan/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "config/config.h"
#include "config/rules.h"
#include "harness/unit.h"
#include "plan/plan.h"

#define GB UINT64_C(1000000000)

static const struct plan_facts machine = {
    .memory_bytes = 64 * GB,
    .cpus = 16,
    .private_server = true,
    .fs_size_bytes = 4000 * GB,
    .fs_free_bytes = 3900 * GB,
    .free_connections = -1,
};

static void configure(struct config *c, const char *const *pairs)
{
    struct err err = {0};

    config_init(c, PROGRAM_RUN);
    for (size_t i = 0; pairs[i]; i++)
        UNIT_EQ_I64(pairs[i], config_set_pair(c, pairs[i], &err), 0);
    UNIT_EQ_I64("", config_read_workload(c, ".", &err), 0);
    UNIT_EQ_I64(err.text, config_validate(c, &err), 0);
}

/* The caller frees the workload's name in s. */
static void plan_step(const struct config *c, struct ladder_load load, struct settings *s,
                      struct plan *p)
{
    struct err err = {0};

    ladder_step_settings(&c->s, load, 1, s);
    UNIT_TRUE("a single run", !ladder_is_asked(s));
    UNIT_EQ_I64(err.text, plan_build(p, s, &machine, &err), 0);
}

static void test_a_step_settles_until_it_is_steady(void)
{
    static const char *const pairs[] = {"ladder.steps=1000,5000", NULL};
    struct config c;
    struct settings s;
    struct plan p;

    configure(&c, pairs);
    plan_step(&c, (struct ladder_load){LADDER_USERS, 5000}, &s, &p);
    UNIT_EQ_U64("", p.users, 5000);
    UNIT_EQ_U64("sample", p.sample_ns, 300 * NS_PER_S);
    UNIT_TRUE("until steady", p.until_steady);
    UNIT_EQ_U64("twice the sample", p.precondition_ns, 600 * NS_PER_S);
    UNIT_EQ_U64("inputs of its own", p.rules.seed, 2);
    free(s.workload.name);
    config_release(&c);
}

static void test_a_step_that_settles_for_a_time(void)
{
    static const char *const pairs[] = {"ladder.steps=1000,5000", "ladder.step-sample=1m",
                                        "ladder.step-settle=90s", NULL};
    struct config c;
    struct settings s;
    struct plan p;

    configure(&c, pairs);
    plan_step(&c, (struct ladder_load){LADDER_USERS, 1000}, &s, &p);
    UNIT_TRUE("not until steady", !p.until_steady);
    UNIT_EQ_U64("", p.precondition_ns, 90 * NS_PER_S);
    UNIT_EQ_U64("", p.sample_ns, 60 * NS_PER_S);
    free(s.workload.name);
    config_release(&c);
}

/* The space is that of all steps, by their users. */
static void test_extent(void)
{
    static const char *const pairs[] = {"ladder.steps=1000,2000,4000", "ladder.step-settle=5m",
                                        NULL};
    struct plan_facts f = machine;
    struct config c;
    struct settings s;
    struct plan one;
    struct plan all;
    struct ladder_extent extent;
    struct err err = {0};

    configure(&c, pairs);
    extent = ladder_extent(&c.s);
    UNIT_EQ_U64("", extent.load.users, 4000);
    UNIT_NEAR("a quarter, a half and one", extent.runs, 1.75, 1e-9);
    ladder_step_settings(&c.s, extent.load, 0, &s);
    UNIT_EQ_I64(err.text, plan_build(&one, &s, &f, &err), 0);
    f.runs = extent.runs;
    UNIT_EQ_I64(err.text, plan_build(&all, &s, &f, &err), 0);
    UNIT_EQ_I64("for the largest step", all.dataset.warehouses, 400);
    UNIT_NEAR("", (double)all.space.inserts / (double)one.space.inserts, 1.75, 1e-6);
    free(s.workload.name);
    config_release(&c);
}

static void test_words_of_rates(void)
{
    static const char *const pairs[] = {"ladder.find-tps=p95<20ms", "ladder.step-percent=50,110",
                                        NULL};
    struct strbuf words;
    struct config c;

    configure(&c, pairs);
    strbuf_init(&words);
    ladder_words(&c.s, &words);
    UNIT_EQ_STR("", words.buf,
                "the maximum without a pace, then offered rates of 50, 110 % of it, then a search "
                "for the largest that holds p95<20ms, each with a sample of 5m; below is the "
                "maximum");
    strbuf_release(&words);
    config_release(&c);
}

static void test_words(void)
{
    static const char *const pairs[] = {"ladder.steps=1000..4000x2", NULL};
    struct strbuf words;
    struct config c;

    configure(&c, pairs);
    strbuf_init(&words);
    ladder_words(&c.s, &words);
    UNIT_EQ_STR("", words.buf,
                "3: 1,000, 2,000, 4,000 users, each with a sample of 5m; below is the last");
    strbuf_release(&words);
    config_release(&c);
}

/* Sources that together offer the rate, and before them no pace at all. */
static void test_offered_rates(void)
{
    static const char *const pairs[] = {"ladder.find-tps=p95<20ms",
                                        "ladder.step-percent=50,100,120", NULL};
    const struct ladder_load half = ladder_offered(1234.5, 50);
    struct config c;
    struct settings s;
    struct plan p;

    configure(&c, pairs);
    plan_step(&c, half, &s, &p);
    UNIT_EQ_STR("", s.workload.name, "oltp, offered rate");
    UNIT_TRUE("", p.pace.kind == PACE_INTERARRIVAL);
    UNIT_NEAR("to a tenth", p.ceiling_tps, 617.25, 0.051);
    free(s.workload.name);
    plan_step(&c, (struct ladder_load){LADDER_MOST, 0}, &s, &p);
    UNIT_TRUE("the maximum", p.pace.kind == PACE_NONE);
    free(s.workload.name);
    UNIT_TRUE("largest", ladder_extent(&c.s).load.kind == LADDER_MOST);
    UNIT_NEAR("maximum, half, two whole, a search", ladder_extent(&c.s).runs, 1 + 2.5 + 2, 1e-9);
    UNIT_EQ_U64("at least one", ladder_offered(0.01, 1).users, 1);
    UNIT_EQ_U64("at most as many as may be", ladder_offered(1e9, 1).users, LADDER_USERS_MAX);
    config_release(&c);
}

/* A ladder that goes on plans its steps as it began them. */
static void test_what_is_the_steps_own_stays_auto(void)
{
    static const char *const pairs[] = {"ladder.steps=1000,5000", NULL};
    static const char *const own[] = {"sessions: auto", "sample: auto", "ramp: auto",
                                      "interval: auto"};
    struct config c;
    struct settings s;
    struct plan p;
    struct strbuf yaml;

    configure(&c, pairs);
    plan_step(&c, (struct ladder_load){LADDER_USERS, 5000}, &s, &p);
    strbuf_init(&yaml);
    plan_yaml(&p, &c.s, &yaml);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        UNIT_TRUE(own[i], strstr(yaml.buf, own[i]) != NULL);
    UNIT_TRUE("the whole's", strstr(yaml.buf, "buffer: auto") == NULL);
    strbuf_release(&yaml);
    free(s.workload.name);
    config_release(&c);
}

static const struct unit_test tests[] = {
    {"a step settles until it is steady", test_a_step_settles_until_it_is_steady},
    {"a step that settles for a time", test_a_step_that_settles_for_a_time},
    {"extent", test_extent},
    {"words", test_words},
    {"words of rates", test_words_of_rates},
    {"offered rates", test_offered_rates},
    {"what is the steps' own stays auto", test_what_is_the_steps_own_stays_auto},
};
const struct unit_suite ladder_suite = UNIT_SUITE("ladder", tests);
