/* Connection strings: what is local, what is looked up, what never stands in an error. */
#include "db/conninfo.h"

#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"

static void test_places(void)
{
    static const struct {
        const char *conninfo;
        bool local;
        const char *host;
        const char *part; /* of what comes out */
    } cases[] = {
        {"host=/run/postgresql dbname=tpcc", true, "/run/postgresql", "dbname='tpcc'"},
        {"host=localhost", true, "localhost", "hostaddr='"},
        {"hostaddr=127.0.0.1 port=5433", true, "127.0.0.1", "port='5433'"},
        {"host=db.example hostaddr=192.0.2.7", false, "db.example", "hostaddr='192.0.2.7'"},
        {"host=192.0.2.7 user=me", false, "192.0.2.7", "hostaddr='192.0.2.7'"},
        {"host=a.example,b.example", false, "a.example,b.example", "host='a.example,b.example'"},
        {"postgresql://me@127.0.0.1:5440/tpcc", true, "127.0.0.1", "port='5440'"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct conninfo_place place;
        struct err err = {0};
        char *out = conninfo_resolve(cases[i].conninfo, &place, &err);

        UNIT_TRUE(cases[i].conninfo, out != NULL);
        if (out) {
            UNIT_TRUE(cases[i].conninfo, place.local == cases[i].local);
            UNIT_TRUE(cases[i].conninfo, strcmp(place.host, cases[i].host) == 0);
            UNIT_TRUE(cases[i].conninfo, strstr(out, cases[i].part) != NULL);
        }
        free(place.host);
        free(out);
    }
}

/* libpq takes the address before any host, also before a socket's directory. */
static void test_address_of_the_environment(void)
{
    struct conninfo_place place;
    struct err err = {0};

    setenv("PGHOSTADDR", "192.0.2.7", 1);
    free(conninfo_resolve("host=/run/postgresql dbname=tpcc", &place, &err));
    UNIT_TRUE("a socket that is none", !place.local);
    free(place.host);
    free(conninfo_resolve("hostaddr=127.0.0.1", &place, &err));
    UNIT_TRUE("the string goes first", place.local);
    free(place.host);
    unsetenv("PGHOSTADDR");
}

static void test_environment_is_forgotten(void)
{
    static const char *const variables[] = {
        "PGHOST",     "PGHOSTADDR", "PGPORT",    "PGDATABASE",           "PGUSER",
        "PGPASSWORD", "PGOPTIONS",  "PGSERVICE", "PGTARGETSESSIONATTRS", "PGTZ",
    };

    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
        setenv(variables[i], "x", 1);
    conninfo_forget_environment();
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
        UNIT_TRUE(variables[i], getenv(variables[i]) == NULL);
}

static void test_quotes_survive(void)
{
    struct conninfo_place place;
    struct err err = {0};
    char *once = conninfo_resolve("host=/tmp password='a\\'b\\\\c d'", &place, &err);
    char *twice = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(once);
    free(place.host);
    CU_ASSERT_PTR_NOT_NULL(strstr(once, "password='a\\'b\\\\c d'"));
    twice = conninfo_resolve(once, &place, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(twice);
    CU_ASSERT_STRING_EQUAL(once, twice);
    free(place.host);
    free(once);
    free(twice);
}

static void test_errors_hold_no_secret(void)
{
    static const char *const wrong[] = {"password='hunter2", "hunter2", "passwort=hunter2 host=x",
                                        "postgresql://me:hunter2@[::1"};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct conninfo_place place;
        struct err err = {0};

        UNIT_TRUE(wrong[i], conninfo_resolve(wrong[i], &place, &err) == NULL);
        UNIT_TRUE(wrong[i], err.kind == ERR_USAGE);
        UNIT_TRUE(wrong[i], strstr(err.text, "hunter2") == NULL);
    }
}

static const struct unit_test tests[] = {
    {"places", test_places},
    {"address of the environment", test_address_of_the_environment},
    {"environment is forgotten", test_environment_is_forgotten},
    {"quotes survive", test_quotes_survive},
    {"errors hold no secret", test_errors_hold_no_secret},
};
const struct unit_suite conninfo_suite = UNIT_SUITE("conninfo", tests);
