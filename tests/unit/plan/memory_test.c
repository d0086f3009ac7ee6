/*
 * The private server's memory limit: its terms, as asked for, the scale that needs none, and in
 * words.
 */
#include "plan/memory.h"

#include <string.h>

#include "harness/unit.h"
#include "plan/made_plan.h"
#include "plan/space.h"

/* The reviews' machine: 48 of 333 GB in the buffer, 16 GB beside it. */
static void test_the_model_run(void)
{
    struct plan_facts f = big_machine;
    struct plan p;

    f.memory_limiter = "cgroup v2";
    expect_built(&p, "oltp", NULL, &f);
    UNIT_NEAR("4.8 %", (double)p.memory.page_cache, 0.048 * 168.6e9, 1e7);
    UNIT_EQ_U64("", p.memory.sessions, UINT64_C(316) * 12000000);
    UNIT_EQ_U64("", p.memory.own, UINT64_C(1000000000));
    UNIT_EQ_U64("", p.memory.buffer, p.buffer_bytes);
    UNIT_EQ_U64("8 B for each 4 KiB", p.memory.page_tables, 316 * (p.buffer_bytes / 512));
    UNIT_EQ_U64("whole megabytes", p.memory.limit % 1000000, 0);
    UNIT_TRUE("the sum", p.memory.limit >= memory_sum(&p.memory) &&
                             p.memory.limit < memory_sum(&p.memory) + 1000000);
    UNIT_TRUE("limited: nothing to warn of", !p.reach_warning);
    f.huge_free_bytes = p.buffer_bytes + p.buffer_bytes / 8;
    expect_built(&p, "oltp", NULL, &f);
    UNIT_TRUE("", p.memory.huge);
    UNIT_EQ_U64("huge pages are in no group", memory_sum(&p.memory),
                p.memory.page_cache + p.memory.sessions + p.memory.own);
}

static void test_small_datasets(void)
{
    struct plan p;

    expect_built(&p, "oltp", PAIRS("load.warehouses=10", "run.users=1000"), &big_machine);
    UNIT_NEAR("", (double)p.memory.page_cache, 0.048 * 1.137e9, 1e6);
    UNIT_EQ_U64("", p.memory.own, 128 << 20);
    UNIT_TRUE("a demo's dataset is no guest of the memory",
              p.memory.limit < p.space.dataset * 2 / 3);
    expect_built(&p, "oltp", PAIRS("load.warehouses=1", "run.users=10"), &big_machine);
    UNIT_EQ_U64("at least", p.memory.page_cache, 32 << 20);
}

static void test_as_asked_for(void)
{
    struct plan_facts theirs = big_machine;
    struct plan p;
    struct err err = {0};

    expect_built(&p, "oltp", PAIRS("server.memory-limit=none"), &big_machine);
    UNIT_EQ_U64("", p.memory.limit, 0);
    UNIT_TRUE("", p.reach_warning);
    expect_built(&p, "oltp", PAIRS("server.memory-limit=40GB"), &big_machine);
    UNIT_EQ_U64("", p.memory.limit, 40 * GB);
    UNIT_TRUE("", p.memory.given);
    UNIT_EQ_I64("",
                build(&p, "oltp", PAIRS("server.memory-limit=24GB", "server.buffer=24GB"),
                      &big_machine, &err),
                -1);
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    UNIT_TRUE(err.text, strstr(err.text, "a memory limit of 24 GB is too small") != NULL);
    theirs.private_server = false;
    expect_built(&p, "oltp", NULL, &theirs);
    UNIT_EQ_U64("of a server not ours", p.memory.limit, 0);
}

/* The scale from which on RAM needs no limit. */
static void test_honest_scale(void)
{
    struct plan_facts f = big_machine;
    struct plan p;

    expect_built(&p, "oltp", NULL, &big_machine);
    UNIT_TRUE("", space_of_dataset(p.memory.honest_warehouses) >= 64 * GB * 52 / 10);
    UNIT_TRUE("", space_of_dataset(p.memory.honest_warehouses - 1) < 64 * GB * 52 / 10);
    f.memory_bytes = 0;
    expect_built(&p, "oltp", PAIRS("server.buffer=1GB"), &f);
    UNIT_EQ_U64("RAM is not known", p.memory.honest_warehouses, 0);
}

static void expect_words(const char *const *pairs, const struct plan_facts *f, const char *words)
{
    struct config c;
    struct plan p;
    struct strbuf text;
    struct err err = {0};

    configure(&c, "oltp", pairs);
    UNIT_EQ_I64(err.text, plan_build(&p, &c.s, f, &err), 0);
    strbuf_init(&text);
    plan_print(&p, &c.s, f, &text);
    if (!UNIT_TRUE(words, strstr(text.buf, words) != NULL))
        UNIT_EQ_STR("", strstr(text.buf, "  page tables"), words);
    strbuf_release(&text);
    config_release(&c);
}

static void test_in_words(void)
{
    struct plan_facts limited = big_machine;
    struct plan_facts small = big_machine;
    struct plan_facts not = big_machine;

    limited.memory_limiter = "cgroup v1";
    not .memory_unlimited = "no right";
    small.memory_unlimited = "no right";
    small.memory_bytes = 16 * GB;
    expect_words(NULL, &limited, "    buffer                    24.3 GB\n");
    expect_words(NULL, &limited,
                 "    limit, their sum          52.2 GB   by cgroup v1; the dataset "
                 "is 3.2 times that\n");
    expect_words(PAIRS("server.memory-limit=30GB"), &limited,
                 "    limit, as given             30 GB   by cgroup v1; the dataset is 5.6 times");
    expect_words(PAIRS("server.memory-limit=26GB"), &limited, "  beware ");
    expect_words(NULL, &not,
                 "  unlimited   no right: reads may come from RAM; from --warehouses 2961 on the\n"
                 "              dataset is 5.2 times this machine's memory\n");
    expect_words(PAIRS("server.memory-limit=none"), &limited, "  unlimited   as asked for: reads");
    expect_words(NULL, &small,
                 "  unlimited   no right; the dataset is 10.5 times this machine's memory: that");
}

static const struct unit_test tests[] = {
    {"the model run", test_the_model_run}, {"small datasets", test_small_datasets},
    {"as asked for", test_as_asked_for},   {"the honest scale", test_honest_scale},
    {"in words", test_in_words},
};
const struct unit_suite memory_suite = UNIT_SUITE("memory", tests);
