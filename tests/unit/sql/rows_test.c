/*
 * sql/rows: cells are read whole or refused.
 */
#include "sql/rows.h"

#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"

static struct cell cell_of(const char *text)
{
    return (struct cell){.text = text, .len = text ? (uint32_t)strlen(text) : 0};
}

typedef int (*reader_fn)(const struct cell *c, int64_t *out, struct err *err);

struct number_case {
    const char *text;
    bool good;
    int64_t value;
};

static void try_numbers(reader_fn read, const struct number_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct cell c = cell_of(cases[i].text);
        const char *what = cases[i].text ? cases[i].text : "NULL";
        struct err err = {0};
        int64_t value = -77;
        const int rc = read(&c, &value, &err);

        UNIT_EQ_I64(what, rc, cases[i].good ? 0 : -1);
        if (cases[i].good)
            UNIT_EQ_I64(what, value, cases[i].value);
        else
            UNIT_EQ_I64(what, err.kind, ERR_DB);
    }
}

static void test_i64(void)
{
    static const struct number_case cases[] = {
        {"0", true, 0},
        {"-1", true, -1},
        {"+7", true, 7},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"99999999999999999999", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"1 ", false, 0},
        {" 1", false, 0},
        {"1.0", false, 0},
        {"0x1", false, 0},
        {NULL, false, 0},
    };

    try_numbers(cell_i64, cases, sizeof(cases) / sizeof(cases[0]));
}

static void test_cents(void)
{
    static const struct number_case cases[] = {
        {"12.34", true, 1234},
        {"-10", true, -1000},
        {"0.5", true, 50},
        {"-0.01", true, -1},
        {"12.3400", true, 1234},
        {"7.", true, 700},
        {"1.234", false, 0},
        {"1.005", false, 0},
        {".5", false, 0},
        {"", false, 0},
        {"1e3", false, 0},
        {"NaN", false, 0},
        {"1.2.3", false, 0},
        {NULL, false, 0},
        {"92233720368547758.07", true, INT64_MAX},
        {"92233720368547758.08", false, 0},
    };

    try_numbers(cell_cents, cases, sizeof(cases) / sizeof(cases[0]));
}

static void test_rate(void)
{
    static const struct number_case cases[] = {
        {"0.2000", true, 2000}, {"0", true, 0}, {"0.0001", true, 1}, {"0.00001", false, 0}};

    try_numbers(cell_rate, cases, sizeof(cases) / sizeof(cases[0]));
}

static void test_bool(void)
{
    static const struct {
        const char *text;
        bool good, value;
    } cases[] = {{"t", true, true},   {"true", true, true},   {"1", true, true},
                 {"f", true, false},  {"false", true, false}, {"0", true, false},
                 {"T", false, false}, {"", false, false},     {NULL, false, false}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct cell c = cell_of(cases[i].text);
        const char *what = cases[i].text ? cases[i].text : "NULL";
        struct err err = {0};
        bool value = false;
        const int rc = cell_bool(&c, &value, &err);

        UNIT_EQ_I64(what, rc, cases[i].good ? 0 : -1);
        if (cases[i].good)
            UNIT_TRUE(what, value == cases[i].value);
    }
}

static void test_dup(void)
{
    const struct cell c = {.text = "abcdef", .len = 3};
    const struct cell null = {0};
    char *copy = cell_dup(&c);

    UNIT_EQ_STR("", copy, "abc");
    free(copy);
    UNIT_EQ_STR("", cell_dup(&null), NULL);
}

static void test_cell_at(void)
{
    const struct cell cells[6] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 1}};
    const struct rows_part p = {.n_rows = 2, .n_columns = 3, .cells = cells};

    UNIT_EQ_STR("", rows_cell(&p, 1, 2)->text, "f");
    UNIT_EQ_STR("", rows_cell(&p, 0, 1)->text, "b");
}

static const struct unit_test tests[] = {
    {"integers", test_i64},  {"cents", test_cents}, {"rates", test_rate},
    {"booleans", test_bool}, {"copies", test_dup},  {"cell of a row", test_cell_at},
};
const struct unit_suite rows_suite = UNIT_SUITE("rows", tests);
