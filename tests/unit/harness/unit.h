/*
 * What a unit test file needs. Each tests/unit/<folder>/<name>_test.c defines one suite,
 *
 *     static const struct unit_test tests[] = {{"counts wraps", test_counts_wraps}, ...};
 *     const struct unit_suite <name>_suite = UNIT_SUITE("<name>", tests);
 *
 * and the build collects all that begin with `const struct unit_suite` at the start of a line into
 * one program per folder: unit-<folder> [-l] [SUITE | SUITE.TEST]...
 */
#ifndef HARNESS_UNIT_H
#define HARNESS_UNIT_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit_test {
    const char *name;
    void (*fn)(void);
};

struct unit_suite {
    const char *name;
    const struct unit_test *tests;
    size_t n_tests;
};

#define UNIT_SUITE(suite_name, table)                                                              \
    {                                                                                              \
        .name = (suite_name), .tests = (table), .n_tests = sizeof(table) / sizeof((table)[0])      \
    }

/* As CU_ASSERT_..., but a failure shows both values, and `what` names the row of a table (a text
 * that says which case it was; "" where there is only one). All give whether they hold. */
#define UNIT_EQ_I64(what, got, want)                                                               \
    unit_eq_i64(&(const struct unit_place){__FILE__, __LINE__, #got, (what)}, (got), (want))
#define UNIT_EQ_U64(what, got, want)                                                               \
    unit_eq_u64(&(const struct unit_place){__FILE__, __LINE__, #got, (what)}, (got), (want))
#define UNIT_EQ_STR(what, got, want)                                                               \
    unit_eq_str(&(const struct unit_place){__FILE__, __LINE__, #got, (what)}, (got), (want))
/* got within `within` of want. */
#define UNIT_NEAR(what, got, want, within)                                                         \
    unit_near(&(const struct unit_place){__FILE__, __LINE__, #got, (what)}, (got), (want), (within))
#define UNIT_TRUE(what, cond)                                                                      \
    unit_true(&(const struct unit_place){__FILE__, __LINE__, #cond, (what)}, (cond))

struct unit_place {
    const char *file;
    unsigned line;
    const char *text;
    const char *what;
};

bool unit_eq_i64(const struct unit_place *place, int64_t got, int64_t want);
bool unit_eq_u64(const struct unit_place *place, uint64_t got, uint64_t want);
/* NULL equals NULL only. */
bool unit_eq_str(const struct unit_place *place, const char *got, const char *want);
bool unit_near(const struct unit_place *place, double got, double want, double within);
void unit_report(const struct unit_place *place, bool holds, const char *values);

/* Inline, so that analysers see that the answer is the condition. */
static inline bool unit_true(const struct unit_place *place, bool cond)
{
    unit_report(place, cond, "");
    return cond;
}

/* Runs fn in a child process, silently: true where it ended by abort(), as CHECK() does. */
bool unit_aborts(void (*fn)(void *ctx), void *ctx);

#endif
