/*
 * Several targets in a file: what each has of its own, ranks of files, what is refused, and that
 * what is written reads back.
 */
#include "config/targets.h"

#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"
#include "config/rules.h"

static int read_as(struct config *c, const char *text, enum origin_kind kind, struct err *err)
{
    const struct origin origin = {.kind = kind, .file = "f"};

    return config_read_text(c, text, strlen(text), &origin, err);
}

static const char two[] = "run: {users: 100, seed: 5}\n"
                          "targets:\n"
                          "  - {label: left, drive: /mnt/left, device: [sda, sdb]}\n"
                          "  - drive: /mnt/right\n"
                          "    users: 200\n"
                          "    memory-limit: 2GB\n"
                          "    seed: 9\n";

static void test_of_its_own(void)
{
    struct config c;
    struct config one;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", read_as(&c, two, ORIGIN_CONFIG, &err), 0);
    UNIT_EQ_I64("", (int64_t)c.targets.all.n, 2);
    UNIT_EQ_I64("", config_validate(&c, &err), 0);
    UNIT_EQ_STR("", err.text, "");
    config_of_target(&c, 0, &one);
    UNIT_EQ_STR("", one.s.run.label, "left");
    UNIT_EQ_STR("", one.s.target.drive, "/mnt/left");
    UNIT_EQ_I64("", one.s.target.n_devices, 2);
    UNIT_EQ_STR("", one.s.target.device[1], "sdb");
    UNIT_EQ_U64("of all", one.s.run.users, 100);
    UNIT_EQ_U64("", one.s.run.seed, 5);
    UNIT_EQ_I64("one target", (int64_t)one.targets.all.n, 0);
    config_of_target(&c, 1, &one);
    UNIT_EQ_STR("by its number", one.s.run.label, "target-2");
    UNIT_EQ_U64("", one.s.run.users, 200);
    UNIT_EQ_U64("", one.s.server.memory_limit_bytes, UINT64_C(2000000000));
    UNIT_EQ_U64("", one.s.run.seed, 9);
    UNIT_EQ_I64("where it stands", (int64_t)one.origin[spec_index(spec_find("run.users"))].line, 5);
    UNIT_TRUE("of all it has none", c.s.target.drive == NULL);
    config_release(&c);
}

static void test_inputs_of_their_own(void)
{
    struct config c;
    struct config one;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", read_as(&c, "targets: [{drive: /a}, {drive: /b}]", ORIGIN_CONFIG, &err), 0);
    config_of_target(&c, 1, &one);
    UNIT_EQ_U64("", one.s.run.seed, c.s.run.seed + 1);
    config_release(&c);
}

static void test_ranks(void)
{
    struct config c;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    UNIT_EQ_I64("", read_as(&c, "targets: [{drive: /a}]", ORIGIN_CWD, &err), 0);
    UNIT_EQ_I64("", read_as(&c, two, ORIGIN_CONFIG, &err), 0);
    UNIT_EQ_I64("begun anew", (int64_t)c.targets.all.n, 2);
    UNIT_EQ_I64("", read_as(&c, "targets: [{drive: /c}]", ORIGIN_CONFIG, &err), 0);
    UNIT_EQ_I64("one more", (int64_t)c.targets.all.n, 3);
    UNIT_EQ_STR("", c.targets.all.at[2]->own.run.label, "target-3");
    UNIT_EQ_I64("", read_as(&c, "targets: [{drive: /d}]", ORIGIN_ETC, &err), 0);
    UNIT_EQ_I64("of no rank", (int64_t)c.targets.all.n, 3);
    config_release(&c);
}

static void test_written_and_read_again(void)
{
    struct config c;
    struct config again;
    struct err err = {0};
    struct strbuf first;
    struct strbuf second;

    strbuf_init(&first);
    strbuf_init(&second);
    config_init(&c, PROGRAM_RUN);
    config_init(&again, PROGRAM_RUN);
    UNIT_EQ_I64("", read_as(&c, two, ORIGIN_CONFIG, &err), 0);
    UNIT_EQ_I64(
        "",
        read_as(&c, "targets: [{pg: \"host=/x password=secret\", label: pg}]", ORIGIN_CONFIG, &err),
        0);
    config_write_yaml(&c.s, &first);
    config_write_targets(&c, &first);
    UNIT_TRUE("no secret", !strstr(first.buf, "secret"));
    UNIT_EQ_I64("", read_as(&again, first.buf, ORIGIN_CONFIG, &err), 0);
    UNIT_EQ_STR("", err.text, "");
    config_write_yaml(&again.s, &second);
    config_write_targets(&again, &second);
    UNIT_EQ_STR("", second.buf, first.buf);
    UNIT_EQ_I64("", config_validate(&again, &err), 0);
    UNIT_EQ_STR("", err.text, "");
    strbuf_release(&first);
    strbuf_release(&second);
    config_release(&c);
    config_release(&again);
}

struct wrong {
    const char *text, *error;
};

static void expect(const struct wrong *cases, size_t n, enum spec_program program)
{
    for (size_t i = 0; i < n; i++) {
        struct config c;
        struct err err = {0};

        config_init(&c, program);
        if (read_as(&c, cases[i].text, ORIGIN_CONFIG, &err) == 0)
            UNIT_EQ_I64(cases[i].text, config_validate(&c, &err), -1);
        UNIT_EQ_STR(cases[i].text, err.text, cases[i].error);
        UNIT_EQ_I64(cases[i].text, err.kind, ERR_USAGE);
        config_release(&c);
    }
}

#define EXPECT(cases, program) expect(cases, sizeof(cases) / sizeof((cases)[0]), program)

static void test_not_a_list(void)
{
    static const struct wrong cases[] = {
        {"targets: 5", "f:1:10: targets: not a list (try \"- {drive: /mnt/left, users: 5000}\")"},
        {"targets: [/mnt/left]",
         "f:1:11: targets: not a map (try \"- {drive: /mnt/left, users: 5000}\")"},
        {"targets: [{duration: 5m}]",
         "f:1:22: targets: \"duration\" is nothing that a target has of its own (only label, "
         "drive, "
         "pg, odbc, device, dialect, users, sessions, seed, warehouses, size, image, buffer, "
         "memory-limit)"},
        {"targets: [{users: many}]",
         "f:1:19: targets: users: \"many\" is not a whole number (try 100)"},
        {"targets: [{users: [1, 2]}]", "f:1:19: targets: users takes one value"},
    };

    EXPECT(cases, PROGRAM_RUN);
}

static void test_not_together(void)
{
    static const struct wrong cases[] = {
        {"targets: [{drive: /a}]", "f:1:10: targets: 1 of them, from 2 to 64 are possible"},
        {"targets: [{drive: /a}, {users: 5}]",
         "f:1:10: targets: \"target-2\" names no server: drive, pg or odbc"},
        {"targets: [{drive: /a}, {drive: /a}]",
         "f:1:10: targets: \"target-1\" and \"target-2\" are the same server"},
        {"targets: [{drive: /a, label: x}, {drive: /b, label: x}]",
         "f:1:10: targets: two are labelled \"x\""},
        {"targets: [{drive: /a}, {pg: host=/x, buffer: 1GB}]",
         "f:1:10: targets: \"target-2\" is a server that already runs: buffer and memory-limit are "
         "for a private one (drive)"},
        {"targets: [{drive: /a}, {drive: /b, pg: host=/x}]",
         "f:1:10: targets: \"target-2\": f:1:40: target.pg: a server that already runs has its "
         "data "
         "where it is; give --drive DIR (a private server there) or --pg CONNINFO, not both"},
        {"target: {drive: /c}\ntargets: [{drive: /a}, {drive: /b}]",
         "f:1:17: target.drive: each of the targets names its own"},
        {"ladder: {steps: \"10,20\"}\ntargets: [{drive: /a}, {drive: /b}]",
         "f:1:17: ladder.steps: raises the load of one target: name it with --drive, without the "
         "list"},
        {"load: {image: /x}\ntargets: [{drive: /a}, {drive: /b}]",
         "f:1:15: load.image: would be one place for the images of all: each keeps its own on its "
         "drive, or has its image in the list"},
        {"run: {repeat: 3}\ntargets: [{drive: /a}, {drive: /b}]",
         "f:1:15: run.repeat: is of one target: leave it out and start the run again for each, "
         "with "
         "one --label (tpcc-report puts the targets of several runs side by side)"},
        {"load: {restore: true}\ntargets: [{drive: /a}, {pg: host=/x}]",
         "f:2:10: targets: \"target-2\": f:1:17: load.restore: only the private server's files can "
         "be put back: before each run let --rebuild load the dataset anew, or put the server's "
         "volume back yourself"},
        {"run: {until-steady: true}\ntargets: [{drive: /a}, {drive: /b}]",
         "f:1:21: run.until-steady: would begin each target's sample at another time"},
    };

    EXPECT(cases, PROGRAM_RUN);
}

static void test_of_tpcc_run(void)
{
    static const struct wrong cases[] = {
        {"targets: [{drive: /a}, {drive: /b}]", "f:1:10: targets: several at once are for "
                                                "tpcc-run; name one with --drive or --pg, without "
                                                "the list"},
    };

    EXPECT(cases, PROGRAM_LOAD);
}

static const struct unit_test tests[] = {
    {"of its own", test_of_its_own},
    {"inputs of their own", test_inputs_of_their_own},
    {"ranks", test_ranks},
    {"written and read again", test_written_and_read_again},
    {"not a list", test_not_a_list},
    {"not together", test_not_together},
    {"of tpcc-run", test_of_tpcc_run},
};
const struct unit_suite targets_suite = UNIT_SUITE("targets", tests);
