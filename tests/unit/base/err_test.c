/*
 * base/err: one line, cut where too long, context in front, exit codes.
 */
#include "base/err.h"

#include <errno.h>
#include <string.h>

#include "harness/unit.h"

static void test_set(void)
{
    struct err err = {0};

    UNIT_EQ_I64("", err_set(&err, ERR_USAGE, "option %d", 7), -1);
    UNIT_EQ_STR("", err.text, "option 7");
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    UNIT_EQ_I64("NULL is allowed", err_set(NULL, ERR_USAGE, "x"), -1);
}

static void test_set_forgets_the_last(void)
{
    struct err err = {.kind = ERR_DB, .sqlstate = "40001", .native = 5, .sys_errno = 3};

    (void)err_set(&err, ERR_CHECK_FAILED, "sum");
    UNIT_EQ_STR("", err.sqlstate, "");
    UNIT_EQ_I64("", err.native, 0);
    UNIT_EQ_I64("", err.sys_errno, 0);
}

static void test_sys(void)
{
    struct err err = {0};

    UNIT_EQ_I64("", err_sys(&err, ENOENT, "can't open %s", "/x"), -1);
    UNIT_EQ_STR("", err.text, "can't open /x: No such file or directory");
    UNIT_EQ_I64("", err.sys_errno, ENOENT);
    UNIT_EQ_I64("", err.kind, ERR_SURROUNDINGS);
}

static void test_wrap(void)
{
    struct err err = {0};

    (void)err_set(&err, ERR_DB, "disk full");
    memcpy(err.sqlstate, "53100", 6);
    UNIT_EQ_I64("", err_wrap(&err, "loading %s", "stock"), -1);
    UNIT_EQ_STR("", err.text, "loading stock: disk full");
    UNIT_EQ_STR("kept", err.sqlstate, "53100");
    UNIT_EQ_I64("kept", err.kind, ERR_DB);
    UNIT_EQ_I64("NULL is allowed", err_wrap(NULL, "x"), -1);
}

static void wrap_nothing(void *ctx)
{
    struct err err = {0};

    (void)ctx;
    (void)err_wrap(&err, "x");
}

static void test_wrap_of_nothing_is_a_bug(void)
{
    UNIT_TRUE("", unit_aborts(wrap_nothing, NULL));
}

static void test_long_text_is_cut(void)
{
    struct err err = {0};
    char text[600];

    memset(text, 'a', sizeof(text));
    text[511] = 0;
    (void)err_set(&err, ERR_USAGE, "%s", text);
    UNIT_EQ_STR("511 characters fit", err.text, text);
    text[511] = 'a';
    text[512] = 0;
    (void)err_set(&err, ERR_USAGE, "%s", text);
    UNIT_EQ_U64("", strlen(err.text), 511);
    UNIT_EQ_STR("", err.text + 506, "aa...");
    (void)err_wrap(&err, "context");
    UNIT_EQ_U64("", strlen(err.text), 511);
    UNIT_TRUE("the context stays", strncmp(err.text, "context: aaa", 12) == 0);
    UNIT_EQ_STR("the end goes", err.text + 506, "aa...");
}

static void test_cut_keeps_characters_whole(void)
{
    struct err err = {0};
    char text[700];

    /* Two-byte characters at odd offsets: one would be cut at byte 508. */
    text[0] = 'x';
    for (size_t i = 1; i + 1 < sizeof(text); i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[sizeof(text) - 1] = 0;
    (void)err_set(&err, ERR_USAGE, "%s", text);
    UNIT_EQ_STR("", err.text + strlen(err.text) - 5, "\xc3\xa9...");
}

static void test_text_is_one_line(void)
{
    struct err err = {0};

    (void)err_set(&err, ERR_DB, "a\nb\tc\x1b[2Jd\x7f");
    UNIT_EQ_STR("", err.text, "a b c?[2Jd?");
    (void)err_set(&err, ERR_DB,
                  "a\xc2\x9b"
                  "2Jb \xc3\xa9\xc2\xa0");
    UNIT_EQ_STR("C1 controls; letters stay", err.text, "a??2Jb \xc3\xa9\xc2\xa0");
}

static void test_exit_codes(void)
{
    static const struct {
        enum err_kind kind;
        int code;
    } rows[] = {
        {ERR_NONE, 0}, {ERR_USAGE, 2},        {ERR_SURROUNDINGS, 3},
        {ERR_DB, 3},   {ERR_CHECK_FAILED, 1}, {ERR_INTERRUPTED, 130},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct err err = {.kind = rows[i].kind};

        UNIT_EQ_I64("", err_exit_code(&err), rows[i].code);
    }
}

static const struct unit_test tests[] = {
    {"set", test_set},
    {"set forgets the last", test_set_forgets_the_last},
    {"sys", test_sys},
    {"wrap", test_wrap},
    {"wrap of nothing is a bug", test_wrap_of_nothing_is_a_bug},
    {"long text is cut", test_long_text_is_cut},
    {"cut keeps characters whole", test_cut_keeps_characters_whole},
    {"text is one line", test_text_is_one_line},
    {"exit codes", test_exit_codes},
};

const struct unit_suite err_suite = UNIT_SUITE("err", tests);
