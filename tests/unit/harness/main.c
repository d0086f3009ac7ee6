/*
 * The main of every unit test program: puts the suites that the build collected into CUnit, runs
 * all or those named, and prints one line for the summary. CUnit's own error code is 0 although
 * tests fail, and a suite that can't start runs nothing: so the exit code is made from the counts,
 * and having run no test is a failure too.
 */
#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>
#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

extern const struct unit_suite *const unit_suites[]; /* made by the build; NULL-terminated */

static bool wanted(const char *suite, const char *test, char **names, int n_names)
{
    char full[256];

    if (n_names == 0)
        return true;
    (void)snprintf(full, sizeof(full), "%s.%s", suite, test);
    for (int i = 0; i < n_names; i++) {
        if (strcmp(names[i], suite) == 0 || strcmp(names[i], full) == 0)
            return true;
    }
    return false;
}

static bool add_suite(const struct unit_suite *suite, char **names, int n_names)
{
    CU_pSuite added = CU_add_suite(suite->name, NULL, NULL);

    if (!added)
        return false;
    for (size_t i = 0; i < suite->n_tests; i++) {
        const struct unit_test *test = &suite->tests[i];

        if (!wanted(suite->name, test->name, names, n_names))
            continue;
        if (!CU_add_test(added, test->name, test->fn))
            return false;
    }
    return true;
}

static void list_tests(void)
{
    for (size_t s = 0; unit_suites[s]; s++) {
        for (size_t i = 0; i < unit_suites[s]->n_tests; i++)
            (void)printf("%s.%s\n", unit_suites[s]->name, unit_suites[s]->tests[i].name);
    }
}

static void print_failures(const CU_pTest test, const CU_pSuite suite,
                           const CU_pFailureRecord first)
{
    for (const CU_FailureRecord *f = first; f; f = f->pNext)
        (void)printf("%s:%u: %s.%s: %s\n", f->strFileName, f->uiLineNumber, suite->pName,
                     test->pName, f->strCondition);
    (void)fflush(stdout);
}

static int run(const char *program)
{
    unsigned failed = 0;
    unsigned ran = 0;

    CU_set_test_complete_handler(print_failures);
    (void)CU_run_all_tests();
    ran = CU_get_number_of_tests_run();
    failed = CU_get_number_of_tests_failed() + CU_get_number_of_suites_failed();
    (void)printf("RESULT unit %s passed=%u failed=%u skipped=0\n", program,
                 ran - CU_get_number_of_tests_failed(), failed);
    (void)fflush(stdout); /* a sanitizer may leave before exit() does it */
    return failed == 0 && CU_get_number_of_failures() == 0 && ran > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    int rc = 1;

    if (argc == 2 && strcmp(argv[1], "-l") == 0) {
        list_tests();
        return 0;
    }
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    for (size_t s = 0; unit_suites[s]; s++) {
        if (!add_suite(unit_suites[s], argv + 1, argc - 1)) {
            (void)fprintf(stderr, "%s: %s\n", unit_suites[s]->name, CU_get_error_msg());
            goto out;
        }
    }
    rc = run(slash ? slash + 1 : argv[0]);
out:
    CU_cleanup_registry();
    return rc;
}
