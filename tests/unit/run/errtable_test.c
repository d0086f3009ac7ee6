#include "run/errtable.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

static struct err err_of(const char *sqlstate, const char *text)
{
    struct err e = {0};

    err_set(&e, ERR_DB, "%s", text);
    (void)snprintf(e.sqlstate, sizeof(e.sqlstate), "%s", sqlstate);
    return e;
}

static void test_distinct(void)
{
    struct errtable t = {0};
    struct result r;
    struct err e = err_of("40P01", "process 1 waits for 2");

    result_init(&r);
    errtable_add(&t, "retry", &e, 3000000000);
    e = err_of("40P01", "process 8 waits for 9");
    errtable_add(&t, "retry", &e, 4000000000);
    e = err_of("40001", "could not serialize");
    errtable_add(&t, "retry", &e, 5000000000);
    e = err_of("", "connection refused");
    errtable_add(&t, "connect", &e, 6000000000);
    e = err_of("", "no route to host");
    errtable_add(&t, "connect", &e, 6000000000);
    errtable_report(&t, 1000000000, &r);
    UNIT_EQ_U64("", r.errors.n, 4);
    UNIT_EQ_I64("most frequent first", r.errors.at[0].count, 2);
    UNIT_EQ_STR("first text", r.errors.at[0].text, "process 1 waits for 2");
    UNIT_EQ_STR("", r.errors.at[0].sqlstate, "40P01");
    UNIT_NEAR("first time", r.errors.at[0].first_at_s, 2, 1e-9);
    result_release(&r);
}

static void test_bounded(void)
{
    struct errtable t = {0};
    struct result r;
    int64_t n = 0;

    result_init(&r);
    for (int i = 0; i < 1000; i++) {
        char text[32];
        struct err e;

        (void)snprintf(text, sizeof(text), "error %d", i);
        e = err_of("", text);
        errtable_add(&t, "fatal", &e, 1);
    }
    errtable_report(&t, 0, &r);
    UNIT_EQ_U64("", r.errors.n, ERRTABLE_ROWS);
    for (size_t i = 0; i < r.errors.n; i++)
        n += r.errors.at[i].count;
    UNIT_EQ_I64("all counted", n, 1000);
    UNIT_EQ_STR("the rest", r.errors.at[0].class, "others");
    result_release(&r);
}

static const struct unit_test tests[] = {{"distinct", test_distinct}, {"bounded", test_bounded}};
const struct unit_suite errtable_suite = UNIT_SUITE("errtable", tests);
