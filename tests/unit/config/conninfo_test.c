/*
 * Connection strings: no secret survives, nothing else is lost, and which host is another machine.
 */
#include "config/conninfo.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "harness/unit.h"

static void test_redaction(void)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"host=db dbname=tpcc", "host=db dbname=tpcc"},
        {"host=db password=s3cret dbname=tpcc", "host=db dbname=tpcc"},
        {"password=s3cret", ""},
        {"host=db password=s3cret", "host=db"},
        {"password=s3cret host=db", "host=db"},
        {"host=db password='s3 c\\'ret' port=5433", "host=db port=5433"},
        {"host=db password = s3\\ cret port=5433", "host=db port=5433"},
        {"host=db password='' user=u", "host=db user=u"},
        {"host=db sslpassword=a password=b sslkey=/k passfile=/p", "host=db sslkey=/k passfile=/p"},
        {"host='a b'  user = 'it''s'", CONNINFO_NOT_SHOWN},
        {"host=db password", CONNINFO_NOT_SHOWN},
        {"host=db password='s3cret", CONNINFO_NOT_SHOWN},
        {"s3cret", CONNINFO_NOT_SHOWN},
        {"=s3cret", CONNINFO_NOT_SHOWN},
        {"postgress://u:s3cret@db/x?sslmode=require", CONNINFO_NOT_SHOWN},
        {"mysql://u:s3cret@db?a=b", CONNINFO_NOT_SHOWN},
        {"postgresql://", "postgresql://"},
        {"postgresql://db", "postgresql://db"},
        {"postgresql://db:5433/tpcc?sslmode=require", "postgresql://db:5433/tpcc?sslmode=require"},
        {"postgresql://u:s3cret@db/tpcc", "postgresql://u@db/tpcc"},
        {"postgres://u:s3cret@db/tpcc", "postgres://u@db/tpcc"},
        {"postgresql://u:s3%40ret@db", "postgresql://u@db"},
        {"postgresql://u:s3@ret@db", "postgresql://u@db"},
        {"postgresql://:s3cret@db", "postgresql://@db"},
        {"postgresql://u:@db", "postgresql://u@db"},
        {"postgresql://u:s3:cret@db", "postgresql://u@db"},
        {"postgresql://db/tpcc?password=s3cret", "postgresql://db/tpcc"},
        {"postgresql://db/tpcc?password=s3cret&user=u", "postgresql://db/tpcc?user=u"},
        {"postgresql://db/tpcc?user=u&password=s3cret", "postgresql://db/tpcc?user=u"},
        {"postgresql://db/tpcc?a=1&pass%77ord=s3cret&b=2", "postgresql://db/tpcc?a=1&b=2"},
        {"postgresql://db?sslpassword=a&password=b", "postgresql://db"},
        {"postgresql://u:s3/cret@db", CONNINFO_NOT_SHOWN},
        {"postgresql://u:s3?cret@db", CONNINFO_NOT_SHOWN},
        {"postgresql://dom/u:s3cret@db", CONNINFO_NOT_SHOWN},
        {"postgresql://u:s3%4@db", CONNINFO_NOT_SHOWN},
        {"postgresql://u:s3%00@db", CONNINFO_NOT_SHOWN},
        {"postgresql://db/tpcc?password", CONNINFO_NOT_SHOWN},
        {"postgresql://[::1]:5432/tpcc", "postgresql://[::1]:5432/tpcc"},
        {"postgresql://[::1/tpcc", CONNINFO_NOT_SHOWN},
        {"postgresql://a:1,b:2/tpcc", "postgresql://a:1,b:2/tpcc"},
        {"postgresql:///tpcc?host=/run/pg", "postgresql:///tpcc?host=/run/pg"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *shown = config_redact_conninfo(cases[i].text);

        UNIT_EQ_STR(cases[i].text, shown, cases[i].shown);
        UNIT_TRUE(cases[i].text, conninfo_is_valid(cases[i].text) ==
                                     (strcmp(cases[i].shown, CONNINFO_NOT_SHOWN) != 0));
        free(shown);
    }
}

/* Within quotes, behind a "?" that ends the host, or as (a piece of) another key's value it is no
 * password, for libpq neither. */
static bool is_part_of_another(const char *text)
{
    const char *secret = strstr(text, "hunter2");
    const char *key = strstr(text, "password=hunter2");
    const char *mark = strchr(text, '?');

    if (strpbrk(text, "'\\"))
        return true;
    if (strncmp(text, "postgresql://", 13) == 0)
        return mark && mark < secret && (!key || mark + 1 < key);
    while (key > text && key[-1] == ' ')
        key--;
    return key > text && key[-1] == '=';
}

/* Random strings of the letters that matter, all with the secret behind "password" somewhere:
 * whatever is understood of them, the secret is not shown; and redacting again changes nothing. */
static void test_no_secret_survives(void)
{
    static const char *const parts[] = {" ", "host=", "'", "\\",  "=", "user", "&", "?",   "@",
                                        ":", "/",     "x", "%40", ",", "[",    "]", "a=b "};

    for (uint64_t seed = 1; seed <= 20000; seed++) {
        struct rng rng = rng_at(seed);
        const bool uri = seed % 2 != 0;
        const bool userinfo = seed % 4 == 1;
        struct strbuf text;
        char *shown = NULL;
        char *again = NULL;

        strbuf_init(&text);
        strbuf_adds(&text, uri ? "postgresql://" : "");
        for (int i = 0; i < 6; i++)
            strbuf_adds(&text, parts[rng_uniform(&rng, 0, (int64_t)(ARRAY_LEN(parts)) - 1)]);
        strbuf_adds(&text, !uri       ? " password=hunter2 "
                           : userinfo ? "u:hunter2@db"
                                      : "/d?password=hunter2");
        for (int i = 0; i < 4; i++)
            strbuf_adds(&text, parts[rng_uniform(&rng, 0, (int64_t)(ARRAY_LEN(parts)) - 1)]);
        shown = config_redact_conninfo(text.buf);
        if (strstr(shown, "hunter2") && !is_part_of_another(text.buf))
            UNIT_EQ_STR(text.buf, shown, "(without hunter2)");
        again = config_redact_conninfo(shown);
        if (strcmp(shown, CONNINFO_NOT_SHOWN) != 0)
            UNIT_EQ_STR(text.buf, again, shown);
        free(again);
        free(shown);
        strbuf_release(&text);
    }
}

static void test_other_hosts(void)
{
    static const struct {
        const char *text, *host;
    } cases[] = {
        {"dbname=tpcc", NULL},
        {"host=/run/postgresql", NULL},
        {"host=@abstract", NULL},
        {"host=localhost", NULL},
        {"host=127.0.0.1", NULL},
        {"host=::1", NULL},
        {"hostaddr=127.0.0.1", NULL},
        {"host=db1", "db1"},
        {"host=localhost,db1", "db1"},
        {"hostaddr=10.0.0.1", "10.0.0.1"},
        {"host=localhost hostaddr=10.0.0.1", "10.0.0.1"},
        {"postgresql://db1/tpcc", "db1"},
        {"postgresql://u:p@db1:5432/tpcc", "db1"},
        {"postgresql://localhost/tpcc", NULL},
        {"postgresql://[::1]/tpcc", NULL},
        {"postgresql://[2001:db8::1]/tpcc", "2001:db8::1"},
        {"postgresql://%2Frun%2Fpostgresql/tpcc", NULL},
        {"postgresql:///tpcc?host=db1", "db1"},
        {"postgresql://localhost,db1/tpcc", "db1"},
        {"host='unfinished", NULL},
    };

    unsetenv("PGHOST");
    unsetenv("PGHOSTADDR");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *host = conninfo_other_host(cases[i].text);

        UNIT_EQ_STR(cases[i].text, host, cases[i].host);
        free(host);
    }
}

static void test_hosts_of_the_environment(void)
{
    char own[256] = "";
    char *text = NULL;
    char *host = NULL;

    setenv("PGHOST", "db9", 1);
    host = conninfo_other_host("dbname=tpcc");
    UNIT_EQ_STR("", host, "db9");
    free(host);
    host = conninfo_other_host("host=localhost");
    UNIT_EQ_STR("the string goes first", host, NULL);
    free(host);
    setenv("PGHOSTADDR", "10.0.0.9", 1);
    host = conninfo_other_host("host=/run/postgresql");
    UNIT_EQ_STR("an address goes before any host", host, "10.0.0.9");
    free(host);
    host = conninfo_other_host("hostaddr=127.0.0.1");
    UNIT_EQ_STR("but not before the string's", host, NULL);
    free(host);
    unsetenv("PGHOSTADDR");
    unsetenv("PGHOST");
    CU_ASSERT_EQUAL_FATAL(gethostname(own, sizeof(own) - 1), 0);
    text = xasprintf("host=%s", own);
    host = conninfo_other_host(text);
    UNIT_EQ_STR("our own name", host, NULL);
    free(host);
    free(text);
}

static const struct unit_test tests[] = {
    {"redaction", test_redaction},
    {"no secret survives", test_no_secret_survives},
    {"other hosts", test_other_hosts},
    {"hosts of the environment", test_hosts_of_the_environment},
};
const struct unit_suite conninfo_suite = UNIT_SUITE("conninfo", tests);
