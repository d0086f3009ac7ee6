/* Statements, values and messages on their way to an ODBC driver and back. */
#include <stdlib.h>
#include <string.h>

#include "db/odbc_conn.h"
#include "harness/unit.h"

static void test_translate(void)
{
    static const struct odbc_binds binds = {.of = {[VALUE_CENTS] = "cast(? as numeric)"}};
    static const struct {
        const char *text;
        uint8_t n_params;
        const char *want; /* NULL: refused */
        const char *from; /* digits, from 0 */
    } cases[] = {
        {"select $1, $2", 2, "select ?, cast(? as numeric)", "01"},
        {"select $2, $1, $2", 2, "select cast(? as numeric), ?, cast(? as numeric)", "101"},
        {"select '$1', \"$2\", $1 -- $2", 2, "select '$1', \"$2\", ? -- $2", "0"},
        {"do $$ $1 $$", 1, "do $$ $1 $$", ""},
        {"cost $", 1, "cost $", ""},
        {"select $1", 0, "select $1", ""},
        {"select $3", 2, NULL, ""},
        {"select $99", 2, NULL, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct stmt st = {.name = "x",
                                .text = cases[i].text,
                                .n_params = cases[i].n_params,
                                .param_kind = {VALUE_I32, VALUE_CENTS}};
        struct odbc_text got = {0};
        struct err err = {0};
        const int rc = odbc_translate(&st, &binds, &got, &err);

        UNIT_EQ_I64(cases[i].text, rc, cases[i].want ? 0 : -1);
        UNIT_EQ_STR(cases[i].text, rc == 0 ? got.text : NULL, cases[i].want);
        UNIT_EQ_U64(cases[i].text, rc == 0 ? got.n_marks : 0, strlen(cases[i].from));
        for (size_t k = 0; rc == 0 && k < got.n_marks; k++)
            UNIT_EQ_I64(cases[i].text, got.from[k], cases[i].from[k] - '0');
        free(got.text);
    }
}

/* Loading's statements: words in braces are filled in, others are refused by name. */
static void test_fill_in(void)
{
    static const struct column columns[] = {
        {"a", VALUE_I32, 0, false}, {"b", VALUE_CENTS, 0, false}, {"c", VALUE_TEXT, 9, true}};
    static const struct table table = {"t", 3, columns};
    static const struct odbc_binds binds = {.of = {[VALUE_CENTS] = "cast(? as numeric)"}};
    static const struct odbc_words words = {"tpcc", &table, &binds, NULL};
    static const struct odbc_words file = {NULL, &table, NULL, "/dev/null"};
    static const struct {
        const char *text;
        const struct odbc_words *words;
        const char *want; /* NULL: refused */
    } cases[] = {
        {"insert into {table} ({columns}) values ({marks})", &words,
         "insert into tpcc.t (a, b, c) values (?, cast(? as numeric), ?)"},
        {"load data local infile '{file}' into table {table} ({columns})", &file,
         "load data local infile '/dev/null' into table t (a, b, c)"},
        {"plain {", &words, "plain {"},
        {"{table} {file}", &words, NULL},
        {"{marks}", &file, NULL},
        {"{tables}", &words, NULL},
        {"{}", &words, NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct stmt st = {.name = "bulk_insert", .text = cases[i].text};
        struct err err = {0};
        struct strbuf out;
        int rc;

        strbuf_init(&out);
        rc = odbc_fill_in(&st, cases[i].words, &out, &err);
        UNIT_EQ_I64(cases[i].text, rc, cases[i].want ? 0 : -1);
        UNIT_EQ_STR(cases[i].text, rc == 0 ? out.buf : NULL, cases[i].want);
        UNIT_TRUE(cases[i].text, rc == 0 || strncmp(err.text, "bulk_insert: {", 14) == 0);
        strbuf_release(&out);
    }
}

/* Exact to the last digit, as the server's own types are. */
static void test_values(void)
{
    static const int32_t numbers[] = {3, -1, 2147483647};
    const struct {
        struct value v;
        const char *param;
        const char *literal; /* NULL: no array is one */
    } cases[] = {
        {value_int(VALUE_I32, -7), "-7", "-7"},
        {value_int(VALUE_I64, INT64_MIN), "-9223372036854775808", "-9223372036854775808"},
        {value_int(VALUE_CENTS, -5), "-0.05", "-0.05"},
        {value_int(VALUE_CENTS, 123456789012), "1234567890.12", "1234567890.12"},
        {value_int(VALUE_RATE, 1), "0.0001", "0.0001"},
        {value_int(VALUE_TIME_US, INT64_C(1767225600123456)), "2026-01-01 00:00:00.123456",
         "'2026-01-01 00:00:00.123456'"},
        {value_text("aB9", 3), "aB9", "'aB9'"},
        {value_text("", 0), "", "''"},
        {value_null(), "", "NULL"},
        {value_array(numbers, 3), "3,-1,2147483647", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct strbuf out;

        strbuf_init(&out);
        strbuf_adds(&out, "<");
        odbc_put_param(&out, &cases[i].v);
        UNIT_EQ_STR(cases[i].param, out.buf + 1, cases[i].param);
        strbuf_reset(&out);
        if (cases[i].literal) {
            odbc_put_literal(&out, &cases[i].v);
            UNIT_EQ_STR(cases[i].param, out.buf, cases[i].literal);
        }
        strbuf_release(&out);
    }
}

static void test_messages(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"[unixODBC][ma-3.1.15][10.11]Deadlock found", "Deadlock found"},
        {"[unixODBC]ERROR: a\n\tb; ", "ERROR: a  b"},
        {"plain [kept]", "plain [kept]"},
        {"[open", "[open"},
        {"", ""},
    };
    char out[64];

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        odbc_clean_message(cases[i].text, out, sizeof(out));
        UNIT_EQ_STR(cases[i].text, out, cases[i].want);
    }
    odbc_clean_message("abcdefgh", out, 5);
    UNIT_EQ_STR("cut", out, "abcd");
}

static const struct unit_test tests[] = {
    {"translate", test_translate},
    {"fill in", test_fill_in},
    {"values", test_values},
    {"messages", test_messages},
};
const struct unit_suite odbc_text_suite = UNIT_SUITE("odbc_text", tests);
