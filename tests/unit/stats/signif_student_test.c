/* stats/student: against printed tables (Abramowitz and Stegun 26.10) and closed forms. */
#include "stats/student.h"

#include <math.h>

#include "harness/unit.h"

static void test_table(void)
{
    static const struct {
        double level, df, t;
    } rows[] = {
        {0.95, 1, 12.706},  {0.95, 2, 4.303},  {0.95, 3, 3.182},   {0.95, 4, 2.776},
        {0.95, 7, 2.365},   {0.95, 10, 2.228}, {0.95, 30, 2.042},  {0.95, 119, 1.980},
        {0.99, 2, 9.925},   {0.99, 4, 4.604},  {0.99, 60, 2.660},  {0.9, 5, 2.015},
        {0.999, 2, 31.599}, {0.5, 4, 0.741},   {0.95, 1e6, 1.960},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        UNIT_NEAR("", student_quantile(rows[i].level, rows[i].df), rows[i].t, 0.0006);
}

static void test_closed_forms(void)
{
    for (int i = 0; i < 20; i++) {
        const double t = 0.01 * pow(1.7, i);
        const double root = sqrt(2 + t * t);
        const double pi = acos(-1);

        UNIT_NEAR("1", student_two_sided(t, 1), 1 - 2 * atan(t) / pi, 1e-12);
        UNIT_NEAR("2", student_two_sided(t, 2), 1 - t / root, 1e-12);
        UNIT_NEAR("4", student_two_sided(t, 4), 1 - t / sqrt(4 + t * t) * (1 + 2 / (4 + t * t)),
                  1e-12);
    }
    UNIT_NEAR("", student_two_sided(0, 3), 1, 0);
}

/* Degrees of freedom that are not whole lie between those that are; a quantile undoes a share. */
static void test_in_between(void)
{
    for (int i = 0; i < 270; i++) {
        const double df = 1 + 0.37 * i;
        const double t = student_quantile(0.95, df);

        UNIT_TRUE("falls", student_quantile(0.95, df + 0.1) < t);
        UNIT_NEAR("", student_two_sided(t, df), 0.05, 1e-10);
    }
}

static const struct unit_test tests[] = {
    {"printed table", test_table},
    {"closed forms", test_closed_forms},
    {"degrees of freedom in between", test_in_between},
};
const struct unit_suite student_suite = UNIT_SUITE("student", tests);
