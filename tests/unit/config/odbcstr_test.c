/* ODBC connection strings: what is shown of them, what is refused, where they come from. */
#include "config/odbcstr.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "config/conninfo.h"
#include "harness/unit.h"

static void test_redact(void)
{
    static const struct {
        const char *text, *want;
        bool valid;
    } cases[] = {
        {"tpcc", "tpcc", true},
        {"DSN=tpcc", "DSN=tpcc", true},
        {"DSN=tpcc;UID=me;PWD=geheim", "DSN=tpcc;UID=me", true},
        {"PWD=geheim;DSN=tpcc;", "DSN=tpcc", true},
        {"DSN=a; Password=geheim;UID=b", "DSN=a;UID=b", true},
        {"Driver={My {x}}Driver};pwd={ge;heim};UID=u", "Driver={My {x}}Driver};UID=u", true},
        {"Driver={My}x;PWD=geheim", NULL, false},
        {"Driver={My Driver};pwd={ge;h}}eim};UID=u", "Driver={My Driver};UID=u", true},
        {"DSN=a;AccessToken=geheim", "DSN=a", true},
        {"DSN=a;pqopt={password=geheim}", "DSN=a", true},
        {"PWD={geheim", NULL, false},
        {"geheim;DSN=a", NULL, false},
        {"DSN=a;=geheim", NULL, false},
        {"@/etc/tpcc.odbc", "@/etc/tpcc.odbc", true},
        {"env:TPCC_ODBC", "env:TPCC_ODBC", true},
        {"", NULL, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *shown = odbcstr_redact(cases[i].text);

        UNIT_EQ_STR(cases[i].text, shown, cases[i].want ? cases[i].want : CONNINFO_NOT_SHOWN);
        UNIT_TRUE(cases[i].text, odbcstr_is_valid(cases[i].text) == cases[i].valid);
        UNIT_TRUE(cases[i].text, !strstr(shown, "geheim"));
        free(shown);
    }
}

static void test_hide(void)
{
    static const struct {
        const char *connection, *text, *want;
    } cases[] = {
        {"DSN=a;PWD=geheim", "login of a with geheim: geheim?", "login of a with ******: ******?"},
        {"DSN=a;pqopt={geheim sslmode=x}", "missing \"=\" after \"geheim\"",
         "missing \"=\" after \"******\""},
        {"DSN=a;PWD={ge;heim}", "ge;heim", "ge;****"},
        {"DSN=a;PWD=a", "a is not there", "a is not there"},
        {"DSN=geheim", "no geheim", "no geheim"},
        {"geheim", "no geheim", "no geheim"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *text = xstrdup(cases[i].text);

        odbcstr_hide(cases[i].connection, text);
        UNIT_EQ_STR(cases[i].connection, text, cases[i].want);
        free(text);
    }
}

static void test_resolve(void)
{
    char path[] = "/tmp/odbcstr-test.XXXXXX";
    char source[64];
    const int fd = mkstemp(path);
    static const char line[] = "DSN=a;PWD=geheim\n";
    struct err err = {0};
    char before[4096];
    char *got = NULL;

    CU_ASSERT_FATAL(fd >= 0);
    UNIT_EQ_I64("", write(fd, line, strlen(line)), (int64_t)strlen(line));
    (void)snprintf(source, sizeof(source), "@%s", path);
    got = odbcstr_resolve(source, &err);
    UNIT_EQ_STR("file", got, "DSN=a;PWD=geheim");
    free(got);
    CU_ASSERT_FATAL(getcwd(before, sizeof(before)) && chdir("/tmp") == 0);
    (void)snprintf(source, sizeof(source), "@%s", path + strlen("/tmp/"));
    got = odbcstr_resolve(source, &err);
    UNIT_EQ_STR("file of the working directory", got, "DSN=a;PWD=geheim");
    free(got);
    UNIT_EQ_STR("none there", odbcstr_resolve("@odbcstr-none", &err), NULL);
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    UNIT_EQ_STR("", err.text,
                "--odbc @odbcstr-none: can't open odbcstr-none: No such file or directory");
    CU_ASSERT_FATAL(chdir(before) == 0);
    (void)setenv("ODBCSTR_TEST", "DSN=b", 1);
    got = odbcstr_resolve("env:ODBCSTR_TEST", &err);
    UNIT_EQ_STR("variable", got, "DSN=b");
    free(got);
    (void)setenv("ODBCSTR_TEST", "PWD={geheim", 1);
    UNIT_EQ_STR("malformed", odbcstr_resolve("env:ODBCSTR_TEST", &err), NULL);
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    UNIT_TRUE("", !strstr(err.text, "geheim"));
    (void)unsetenv("ODBCSTR_TEST");
    UNIT_EQ_STR("no variable", odbcstr_resolve("env:ODBCSTR_TEST", &err), NULL);
    (void)unlink(path);
    UNIT_EQ_STR("no file", odbcstr_resolve(source, &err), NULL);
    UNIT_EQ_I64("", err.kind, ERR_USAGE);
    got = odbcstr_resolve("DSN=c", &err);
    UNIT_EQ_STR("itself", got, "DSN=c");
    free(got);
    (void)close(fd);
}

static const struct unit_test tests[] = {
    {"redact", test_redact},
    {"hide", test_hide},
    {"resolve", test_resolve},
};
const struct unit_suite odbcstr_suite = UNIT_SUITE("odbcstr", tests);
