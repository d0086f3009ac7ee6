/*
 * The PostgreSQL backend against a real server, for tests/integration/pq_*.sh.
 *
 *   pq-driver check CONNINFO    all that needs no help from outside; prints what failed, exit 1
 *   pq-driver wait CONNINFO commits|plain|idle
 *     begins a long statement (or none), prints "ready", and then what happened to it: the class of
 *     fault, and the text
 *   pq-driver connect CONNINFO  connects; prints "connected" or the error
 *   pq-driver copy CONNINFO ROWS binary|text   rows a second and bytes a second of COPY
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/units.h"
#include "db/fault.h"
#include "db/session.h"

static int failures;

#define EXPECT(cond)                                                                               \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #cond);                                      \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* All kinds of parameters, each used twice and out of order. */
static const struct stmt all_kinds = {
    .name = "all_kinds",
    .text = "select $3::text || $3, $1 + $1, $2 + $1, $4 * 2, $5 * 2, $6 + interval '1 day', "
            "array_append($7, cardinality($7)), $8 is null",
    .n_params = 8,
    .param_kind = {VALUE_I32, VALUE_I64, VALUE_TEXT, VALUE_CENTS, VALUE_RATE, VALUE_TIME_US,
                   VALUE_I32_ARRAY, VALUE_TEXT},
    .id = 0,
};
static const struct stmt divide = {
    .name = "divide", .text = "select 100 / $1", .n_params = 1, .param_kind = {VALUE_I32}, .id = 1};
static const struct stmt insert = {.name = "insert",
                                   .text = "insert into t values ($1)",
                                   .n_params = 1,
                                   .param_kind = {VALUE_I32},
                                   .id = 2};
/* Not prepared, kinds not declared: text, the server guesses. */
static const struct stmt guess = {
    .name = "guess", .text = "select $1::numeric + $2::int", .n_params = 2, .id = 9};
static const struct stmt slow = {.name = "slow", .text = "select pg_sleep(30)", .id = 3};

static const struct stmt *const prepared[] = {&all_kinds, &divide};

static struct db_config config_of(const char *conninfo)
{
    return (struct db_config){
        .conninfo = conninfo,
        .application_name = "pq-driver",
        .options = "-c search_path=pg_temp,public -c statement_timeout=60000",
        .clock = clock_system(),
    };
}

static struct session *connect_or_die(const struct db_config *cfg)
{
    struct err err;
    struct session *s = session_connect(db_find("pq"), cfg, 0, &err);

    if (s)
        return s;
    printf("%s\n", err.text);
    exit(3);
}

static bool cell_is(const struct rows *rows, int part, uint16_t col, const char *want)
{
    const struct cell *c = rows_cell(&rows->part[part], 0, col);

    if (c->text && c->len == strlen(want) && memcmp(c->text, want, c->len) == 0)
        return true;
    printf("got \"%.*s\", wanted \"%s\"\n", (int)c->len, c->text ? c->text : "", want);
    return false;
}

static void check_values(struct session *s)
{
    const int32_t array[] = {5, -6};
    const struct value args[] = {
        value_int(VALUE_I32, -21),   value_int(VALUE_I32, 9), /* an i32 for an i64 */
        value_text("a'\\b", 4),      value_int(VALUE_CENTS, -123456789),
        value_int(VALUE_RATE, 1234), value_int(VALUE_TIME_US, INT64_C(1700000000123456)),
        value_array(array, 2),       value_null(),
    };
    const struct value guessed[] = {value_int(VALUE_CENTS, 150), value_int(VALUE_I32, 2)};
    const struct batch b = {.n = 2, .part = {{&all_kinds, args}, {&guess, guessed}}};
    struct rows rows;
    struct err err = {0};

    EXPECT(session_exec(s, &b, &rows, NULL, &err) == 0);
    EXPECT(rows.n == 2 && rows.part[0].n_rows == 1 && rows.part[0].n_columns == 8);
    EXPECT(cell_is(&rows, 0, 0, "a'\\ba'\\b"));
    EXPECT(cell_is(&rows, 0, 1, "-42"));
    EXPECT(cell_is(&rows, 0, 2, "-12"));
    EXPECT(cell_is(&rows, 0, 3, "-2469135.78"));
    EXPECT(cell_is(&rows, 0, 4, "0.2468"));
    EXPECT(cell_is(&rows, 0, 5, "2023-11-15 22:13:20.123456"));
    EXPECT(cell_is(&rows, 0, 6, "{5,-6,2}"));
    EXPECT(cell_is(&rows, 0, 7, "t"));
    EXPECT(cell_is(&rows, 1, 0, "3.50"));
}

/* A failed statement leaves a session that works; of a pipeline nothing stays. */
static void check_errors(struct session *s)
{
    const struct value one = value_int(VALUE_I32, 1);
    const struct value zero = value_int(VALUE_I32, 0);
    const struct batch bad = {.n = 1, .part = {{&divide, &zero}}};
    const struct batch middle = {
        .n = 3, .commits = true, .part = {{&insert, &one}, {&divide, &zero}, {&insert, &one}}};
    const struct batch good = {.n = 3, .part = {{&insert, &one}, {&divide, &one}, {&insert, &one}}};
    struct rows rows;
    struct err err = {0};

    EXPECT(session_exec_text(s, "create temp table t (a int); select 7", &rows, NULL, &err) == 0);
    EXPECT(cell_is(&rows, 0, 0, "7"));
    EXPECT(session_exec(s, &bad, &rows, NULL, &err) < 0);
    EXPECT(strcmp(err.sqlstate, "22012") == 0 && session_alive(s));
    EXPECT(fault_classify(&err, session_alive(s), true) == FAULT_FATAL);
    EXPECT(session_exec(s, &middle, &rows, NULL, &err) < 0);
    EXPECT(strcmp(err.text, "division by zero") == 0);
    EXPECT(session_exec_text(s, "select count(*) from t", &rows, NULL, &err) == 0);
    EXPECT(cell_is(&rows, 0, 0, "0"));
    EXPECT(session_exec(s, &good, &rows, NULL, &err) == 0);
    EXPECT(rows.part[0].affected == 1 && rows.part[1].affected == 1);
    EXPECT(cell_is(&rows, 1, 0, "100"));
    EXPECT(session_exec_text(s, "select * from nowhere", NULL, NULL, &err) < 0);
    EXPECT(strcmp(err.sqlstate, "42P01") == 0);
    EXPECT(session_exec_text(s, "create temp table t2 (a int)", &rows, NULL, &err) == 0);
    EXPECT(rows.part[0].affected == -1 && rows.part[0].n_rows == 0);
}

/* The server refuses at COMMIT: the batch has failed, and is a fault of its own. */
static void check_failed_commit(struct session *s)
{
    const struct stmt commit = {.name = "commit", .text = "commit", .id = 8};
    const struct batch b = {.n = 1, .commits = true, .part = {{&commit, NULL}}};
    struct rows rows;
    struct err err = {0};

    EXPECT(
        session_exec_text(s,
                          "create temp table p (a int primary key);"
                          "create temp table f (a int references p deferrable initially deferred)",
                          NULL, NULL, &err) == 0);
    EXPECT(session_exec_text(s, "begin; insert into f values (1)", &rows, NULL, &err) == 0);
    EXPECT(session_exec(s, &b, &rows, NULL, &err) < 0);
    EXPECT(strcmp(err.sqlstate, "23503") == 0 && session_alive(s));
    EXPECT(fault_classify(&err, session_alive(s), true) == FAULT_FATAL);
    EXPECT(session_exec_text(s, "select count(*) from f", &rows, NULL, &err) == 0);
    EXPECT(cell_is(&rows, 0, 0, "0"));
}

struct canceller {
    struct session *s;
    atomic_bool done;
};

/* A cancellation that comes before the statement has begun is lost, so it asks again. */
static void *cancel_until_done(void *arg)
{
    struct canceller *c = arg;
    const struct timespec ts = {.tv_nsec = 10000000};

    for (int i = 0; i < 2000 && !atomic_load(&c->done); i++) {
        session_cancel(c->s);
        nanosleep(&ts, NULL);
    }
    return NULL;
}

static void check_cancel(struct session *s)
{
    const struct batch b = {.n = 1, .commits = true, .part = {{&slow, NULL}}};
    struct exec_opts opts = {.within_ns = 200 * NS_PER_MS};
    struct rows rows;
    struct err err = {0};
    struct canceller c = {.s = s};
    pthread_t t;

    EXPECT(session_exec(s, &b, &rows, &opts, &err) < 0);
    EXPECT(fault_classify(&err, session_alive(s), true) == FAULT_TIMEOUT);
    EXPECT(strncmp(err.text, "not done within", 15) == 0);
    if (pthread_create(&t, NULL, cancel_until_done, &c) != 0)
        exit(3);
    EXPECT(session_exec(s, &b, &rows, NULL, &err) < 0);
    atomic_store(&c.done, true);
    pthread_join(t, NULL);
    EXPECT(fault_classify(&err, session_alive(s), true) == FAULT_TIMEOUT);
    EXPECT(session_exec_text(s, "select 1", &rows, NULL, &err) == 0);
}

static void check_bad_prepare(const char *conninfo)
{
    static const struct stmt bad = {.name = "bad_one", .text = "select * from nowhere", .id = 1};
    static const struct stmt *const list[] = {&all_kinds, &bad, &insert};
    struct db_config cfg = config_of(conninfo);
    struct err err = {0};

    cfg.prepare = list;
    cfg.n_prepare = 3;
    EXPECT(session_connect(db_find("pq"), &cfg, 0, &err) == NULL);
    EXPECT(strstr(err.text, "bad_one: relation \"nowhere\" does not exist") != NULL);
}

/* ---- COPY ---- */

static const struct column copy_columns[] = {
    {"a", VALUE_I32, 0, false}, {"b", VALUE_I64, 0, true},   {"c", VALUE_CENTS, 0, true},
    {"d", VALUE_RATE, 0, true}, {"e", VALUE_TEXT, 40, true}, {"f", VALUE_TIME_US, 0, true},
};
static const struct table copy_table = {"c", 6, copy_columns};
#define CREATE_COPY_TABLE                                                                          \
    "create temp table c (a int, b bigint, c numeric(14,2), d numeric(4,4), e varchar(40), "       \
    "f timestamp)"

static void copy_row(int64_t i, struct value row[6])
{
    static const char text[] = "q\tw\\e\nrty abcdefghijklmnopqrstuvwxyz";

    row[0] = value_int(VALUE_I32, i);
    row[1] = i % 7 ? value_int(VALUE_I64, i * INT64_C(-1000000007)) : value_null();
    row[2] = value_int(VALUE_CENTS, (i - 500) * (i % 1000) * 37);
    row[3] = value_int(VALUE_RATE, i % 10000);
    row[4] = value_text(text, (size_t)(i % 36));
    row[5] = value_int(VALUE_TIME_US, INT64_C(1700000000000000) + i * 1000003);
}

static int copy_in(struct session *s, bool binary, int64_t n, struct err *err)
{
    const struct db_ops *ops = db_find("pq");
    const struct bulk_opts opts = {.binary = binary, .schema = "pg_temp"};
    struct value row[6];
    int64_t rows = -1;

    if (ops->bulk_begin(s, &copy_table, &opts, err) < 0)
        return -1;
    for (int64_t i = 0; i < n; i++) {
        copy_row(i, row);
        if (ops->bulk_put(s, row, err) < 0)
            return -1;
    }
    if (ops->bulk_end(s, &rows, err) < 0)
        return -1;
    return rows == n ? 0 : err_set(err, ERR_DB, "%lld rows", (long long)rows);
}

static void check_copy(struct session *s)
{
    struct rows rows;
    struct err err = {0};

    EXPECT(session_exec_text(s, CREATE_COPY_TABLE, &rows, NULL, &err) == 0);
    EXPECT(copy_in(s, true, 20000, &err) == 0);
    EXPECT(copy_in(s, false, 20000, &err) == 0);
    EXPECT(copy_in(s, true, 0, &err) == 0);
    EXPECT(copy_in(s, false, 0, &err) == 0);
    EXPECT(
        session_exec_text(s,
                          "select count(*), (select count(*) from (select distinct * from c) x), "
                          "min(length(e)), max(e), sum(c), sum(b), count(b), max(f) from c",
                          &rows, NULL, &err) == 0);
    EXPECT(cell_is(&rows, 0, 0, "40000"));
    EXPECT(cell_is(&rows, 0, 1, "20000")); /* both forms gave the same */
    EXPECT(cell_is(&rows, 0, 2, "0"));
    EXPECT(cell_is(&rows, 0, 3, "q\tw\\e\nrty abcdefghijklmnopqrstuvwxy"));
    EXPECT(cell_is(&rows, 0, 7, "2023-11-15 03:46:39.059997"));
    /* sums of copy_row() by hand in SQL */
    EXPECT(
        session_exec_text(
            s,
            "select sum(c) = 2 * (select sum((i - 500) * (i % 1000) * 37) / 100 from "
            "generate_series(0::bigint, 19999) i), sum(b) = 2 * (select sum(i * -1000000007) from "
            "generate_series(0::bigint, 19999) i where i % 7 <> 0), sum(d) = 2 * (select sum(i % "
            "10000) "
            "/ 10000.0 from generate_series(0::bigint, 19999) i) from c",
            &rows, NULL, &err) == 0);
    EXPECT(cell_is(&rows, 0, 0, "t") && cell_is(&rows, 0, 1, "t") && cell_is(&rows, 0, 2, "t"));
}

/* An error of the server ends the sending early, and the session works on. */
static void check_copy_error(struct session *s)
{
    struct rows rows;
    struct err err = {0};
    uint64_t begin_ns;

    EXPECT(session_exec_text(s,
                             "drop table c; create temp table c (a int check (a < 1000), b bigint, "
                             "c numeric(14,2), d numeric(4,4), e varchar(40), f timestamp)",
                             &rows, NULL, &err) == 0);
    begin_ns = clock_now_ns(clock_system());
    EXPECT(copy_in(s, true, INT64_C(1) << 40, &err) < 0); /* would take a day */
    EXPECT(clock_now_ns(clock_system()) - begin_ns < 20 * NS_PER_S);
    EXPECT(strcmp(err.sqlstate, "23514") == 0);
    EXPECT(strncmp(err.text, "copying into c: ", 16) == 0);
    EXPECT(session_alive(s));
    EXPECT(session_exec_text(s, "select count(*) from c", &rows, NULL, &err) == 0);
    EXPECT(cell_is(&rows, 0, 0, "0"));
    EXPECT(session_exec_text(s, "drop table c", NULL, NULL, &err) == 0);
    EXPECT(copy_in(s, true, 10, &err) < 0);
    EXPECT(strcmp(err.sqlstate, "42P01") == 0 && session_alive(s));
}

static void check_copy_in_batch(const struct db_config *cfg)
{
    struct session *s = connect_or_die(cfg);
    struct err err = {0};

    EXPECT(session_exec_text(s, "copy (select 1) to stdout", NULL, NULL, &err) < 0);
    EXPECT(strstr(err.text, "COPY") != NULL);
    EXPECT(!session_alive(s));
    session_free(s);
}

static int run_check(const char *conninfo)
{
    struct db_config cfg = config_of(conninfo);
    struct session *s;
    struct rows rows;
    struct err err = {0};

    db_registry_check();
    cfg.prepare = prepared;
    cfg.n_prepare = 2;
    s = connect_or_die(&cfg);
    EXPECT(session_caps(s) == (DB_CAP_ASYNC | DB_CAP_PIPELINE | DB_CAP_COPY));
    EXPECT(session_exec_text(s,
                             "select current_setting('application_name'), "
                             "current_setting('statement_timeout'), "
                             "(select count(*) from pg_prepared_statements)",
                             &rows, NULL, &err) == 0);
    EXPECT(cell_is(&rows, 0, 0, "pq-driver"));
    EXPECT(cell_is(&rows, 0, 1, "1min"));
    EXPECT(cell_is(&rows, 0, 2, "2"));
    check_values(s);
    check_errors(s);
    check_failed_commit(s);
    check_cancel(s);
    check_copy(s);
    check_copy_error(s);
    session_free(s);
    check_copy_in_batch(&cfg);
    check_bad_prepare(conninfo);
    return failures > 0;
}

static void print_fault(struct session *s, bool sent)
{
    const struct err *err = session_error(s);

    printf("%s%s [%s] %s\n", sent ? "" : "not sent, ",
           fault_name(fault_classify(err, session_alive(s), sent)), err->sqlstate, err->text);
}

static int run_wait(const char *conninfo, const char *what)
{
    const struct db_config cfg = config_of(conninfo);
    struct session *s = connect_or_die(&cfg);
    const bool commits = strcmp(what, "commits") == 0;
    const struct batch b = {.n = 1, .commits = commits, .part = {{&slow, NULL}}};
    struct rows rows;
    struct err err = {0};
    char c;

    if (strcmp(what, "idle") == 0) {
        printf("ready\n");
        fflush(stdout);
        if (read(0, &c, 1) < 0) /* until the script has done its deed */
            return 3;
        EXPECT(session_submit(s, &b) == DB_FAILED);
        print_fault(s, false);
    } else {
        unsigned step = session_submit(s, &b);

        printf("ready\n");
        fflush(stdout);
        while (!(step & (DB_READY | DB_FAILED))) {
            struct pollfd p = {.fd = session_wait_fd(s), .events = POLLIN};

            (void)poll(&p, 1, -1);
            step = session_advance(s, &rows);
        }
        printf("%s [%s] %s\n",
               fault_name(fault_classify(session_error(s), session_alive(s), commits)),
               session_error(s)->sqlstate, session_error(s)->text);
    }
    EXPECT(!session_alive(s));
    EXPECT(session_exec_text(s, "select 1", &rows, NULL, &err) < 0); /* stays dead */
    session_free(s);
    return failures > 0;
}

static int run_copy(const char *conninfo, const char *rows_text, const char *form)
{
    const struct db_config cfg = config_of(conninfo);
    struct session *s = connect_or_die(&cfg);
    struct err err = {0};
    int64_t rows = 0;
    uint64_t cpu_ns;

    if (units_parse_i64(rows_text, &rows, &err) < 0 ||
        session_exec_text(s, CREATE_COPY_TABLE, NULL, NULL, &err) < 0)
        return 3;
    cpu_ns = process_cpu_ns();
    if (copy_in(s, strcmp(form, "binary") == 0, rows, &err) < 0) {
        printf("%s\n", err.text);
        return 3;
    }
    printf("%.0f ns of CPU a row\n", (double)(process_cpu_ns() - cpu_ns) / (double)rows);
    session_free(s);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "check") == 0)
        return run_check(argv[2]);
    if (argc == 3 && strcmp(argv[1], "connect") == 0) {
        const struct db_config cfg = config_of(argv[2]);

        session_free(connect_or_die(&cfg));
        printf("connected\n");
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "wait") == 0)
        return run_wait(argv[2], argv[3]);
    if (argc == 5 && strcmp(argv[1], "copy") == 0)
        return run_copy(argv[2], argv[3], argv[4]);
    return 2;
}
