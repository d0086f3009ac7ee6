/*
 * drive/remote_words: lines as a host's shell sends them, and lines as none should.
 */
#include "drive/remote_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "harness/unit.h"

#define STAT17 "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"

static void test_hello(void)
{
    static const struct {
        const char *line;
        int rc;
    } rows[] = {
        {"tpcc-run-remote 1 a54eed02-ce8a-48d9-b85e-a901f84d6eba 959.87", 1},
        {"tpcc-run-remote 1 - 0.00", 1},
        {"Welcome to db1", 0},
        {"", 0},
        {"tpcc-run-remote 2 x 1.00", 0},
        {"tpcc-run-remote 1 - ", -1}, /* no /proc/uptime */
        {"tpcc-run-remote 1 -", -1},
        {"tpcc-run-remote 1 - x", -1},
        {"tpcc-run-remote 1 a54eed02-ce8a-48d9-b85e-a901f84d6eba-and-more 1.00", -1},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct remote_hello hello = {0};
        struct err err = {0};

        UNIT_EQ_I64(rows[i].line, remote_parse_hello(rows[i].line, &hello, &err), rows[i].rc);
        UNIT_EQ_I64(rows[i].line, err.kind != ERR_NONE, rows[i].rc < 0);
    }
}

static void test_take(void)
{
    struct remote_take take;
    struct err err = {0};

    UNIT_EQ_I64("", remote_parse_take("take 12 345.67|" STAT17 "|-", 2, &take, &err), 0);
    UNIT_EQ_U64("", take.number, 12);
    UNIT_EQ_U64("", take.uptime_ns, UINT64_C(345670000000));
    UNIT_TRUE("", take.there[0] && !take.there[1]);
    UNIT_EQ_U64("", take.stat[0].flushes, 16);
    UNIT_EQ_I64("none watched", remote_parse_take("take 1 0.00", 0, &take, &err), 0);
    UNIT_EQ_I64("a line that is none is a device that is none",
                remote_parse_take("take 1 9.99|1 2 x 4", 1, &take, &err), 0);
    UNIT_TRUE("", !take.there[0]);
}

static void test_take_refuses(void)
{
    static const char *const lines[] = {
        "",
        "take",
        "take 1",
        "take 1 ",
        "take x 1.00|" STAT17,
        "take 1 1.00",              /* cut */
        "take 1 1.00|" STAT17 "|-", /* one too many */
        "take 1 1|" STAT17,         /* a clock of seconds is not /proc/uptime */
        "take 1 1.000|" STAT17,
        "take 1 -1.00|" STAT17,
        "take 1 99999999999999999999.00|" STAT17,
        "take 99999999999999999999999 1.00|" STAT17,
        "date 1 1.00|" STAT17,
        "Last login: yesterday",
    };

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct remote_take take;
        struct err err = {0};

        UNIT_EQ_I64(lines[i], remote_parse_take(lines[i], 1, &take, &err), -1);
    }
}

static void test_date(void)
{
    struct remote_date date;
    struct err err = {0};

    UNIT_EQ_I64("", remote_parse_date("date 3 1796072574.928426369", &date, &err), 0);
    UNIT_EQ_U64("", date.ns, UINT64_C(1796072574928426369));
    UNIT_EQ_U64("", date.tick_ns, 1);
    UNIT_EQ_I64("busybox", remote_parse_date("date 3 1796072574.", &date, &err), 0);
    UNIT_EQ_U64("knows seconds only", date.tick_ns, NS_PER_S);
    UNIT_EQ_I64("", remote_parse_date("date 3 1796072574.%N", &date, &err), 0);
    UNIT_EQ_U64("", date.ns, UINT64_C(1796072574000000000));
    UNIT_EQ_I64("", remote_parse_date("date 3 ", &date, &err), -1);
    UNIT_EQ_I64("", remote_parse_date("date 3 now", &date, &err), -1);
}

static void test_path(void)
{
    struct blockdev_path path;
    struct err err = {0};

    UNIT_EQ_I64("", remote_parse_path("path 4 block fd 1f 31 /dev/dm 1", &path, &err), 0);
    UNIT_EQ_STR("with blanks", path.canonical, "/dev/dm 1");
    UNIT_TRUE("", path.is_block && path.major == 253 && path.minor == 31 && path.mount_id == 31);
    free(path.canonical);
    UNIT_EQ_I64("", remote_parse_path("path 4 other 0 0 0 /srv", &path, &err), 0);
    UNIT_TRUE("", !path.is_block && path.mount_id == 0);
    free(path.canonical);
    UNIT_EQ_I64("", remote_parse_path("path 4 none 0 0 0 /nope", &path, &err), -1);
    UNIT_EQ_STR("", err.text, "/nope: no such file or directory");
    UNIT_EQ_I64("", remote_parse_path("path 4 other 0 0 0 relative", &path, &err), -1);
    UNIT_EQ_I64("", remote_parse_path("path 4 block xyz 0 0 /dev/x", &path, &err), -1);
    UNIT_EQ_I64("", remote_parse_path("path 4 block 1ffffffff 0 0 /dev/x", &path, &err), -1);
    UNIT_EQ_I64("", remote_parse_path("path 4 block", &path, &err), -1);
}

static void test_names(void)
{
    static const char *const good[] = {"nvme0n1p1", "dm-0", "cciss!c0d0", "md_d0", "loop7"};
    static const char *const bad[] = {"", ".", "..", "-n", "a b", "a/b", "a|b", "a\nb", "*", "a?"};

    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        UNIT_TRUE(good[i], remote_name_is_sane(good[i]));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        UNIT_TRUE(bad[i], !remote_name_is_sane(bad[i]));
}

/* Any login shell can hand it on. */
static void test_command_is_one_quoted_word(void)
{
    static const char begin[] = "exec sh -c '";
    const char *command = remote_command();
    const size_t len = strlen(command);

    UNIT_TRUE("", strncmp(command, begin, strlen(begin)) == 0);
    UNIT_TRUE("one quote more, at the end",
              strchr(command + strlen(begin), '\'') == command + len - 1);
    UNIT_TRUE("csh", strchr(command, '\n') == NULL && strchr(command, '!') == NULL);
    for (const char *c = strchr(command, '\\'); c != NULL; c = strchr(c + 1, '\\'))
        UNIT_TRUE("fish", c[1] == 'n');
}

static const struct unit_test tests[] = {
    {"hello", test_hello},
    {"take", test_take},
    {"take refuses", test_take_refuses},
    {"date", test_date},
    {"path", test_path},
    {"names", test_names},
    {"command is one quoted word", test_command_is_one_quoted_word},
};

const struct unit_suite remote_words_suite = UNIT_SUITE("remote_words", tests);
