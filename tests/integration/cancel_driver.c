/*
 * Cancels a session at any moment of its statements: before, while and after they are at the
 * server. cancel-driver DSN DIALECT COUNT SQL ROWS Each of COUNT times SQL answers ROWS rows or
 * ends by a time-out, and nothing else; at least one of each.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/rng.h"
#include "base/units.h"
#include "db/fault.h"
#include "db/session.h"

#define PAUSE_US_MOST 2000

static atomic_bool ended;

static void *cancel_main(void *session)
{
    const struct clock *clk = clock_system();
    struct rng r = rng_at(1);

    while (!atomic_load(&ended)) {
        const uint64_t pause_us = (uint64_t)rng_uniform(&r, 0, PAUSE_US_MOST);

        clock_sleep_until_ns(clk, clock_now_ns(clk) + pause_us * NS_PER_US);
        session_cancel(session);
    }
    return NULL;
}

struct counts {
    uint64_t answered, cancelled, wrong;
};

static void once(struct session *s, const char *sql, uint64_t rows, struct counts *n)
{
    struct rows replies;
    struct err err = {0};

    if (session_exec_text(s, sql, &replies, NULL, &err) == 0 && replies.part[0].n_rows == rows) {
        n->answered++;
    } else if (fault_classify(&err, session_alive(s), false) == FAULT_TIMEOUT) {
        n->cancelled++;
    } else {
        n->wrong++;
        (void)printf("wrong: %s %d %s\n", err.sqlstate, (int)err.native, err.text);
    }
}

int main(int argc, char **argv)
{
    struct err err = {0};
    struct dialect *d = argc == 6 ? dialect_read(argv[2], &err) : NULL;
    struct db_config cfg = {.application_name = "cancel-driver", .dialect = d};
    struct session *s = NULL;
    struct counts n = {0};
    uint64_t count = 0;
    uint64_t rows = 0;
    pthread_t canceller;

    if (!d || units_parse_u64(argv[3], &count, &err) < 0 ||
        units_parse_u64(argv[5], &rows, &err) < 0) {
        (void)fprintf(stderr, "cancel-driver: %s\n", err.text);
        return 2;
    }
    cfg.conninfo = argv[1];
    s = session_connect(db_find("odbc"), &cfg, 0, &err);
    if (!s || pthread_create(&canceller, NULL, cancel_main, s) != 0) {
        (void)fprintf(stderr, "cancel-driver: %s\n", err.text);
        return 3;
    }
    for (uint64_t i = 0; i < count; i++)
        once(s, argv[4], rows, &n);
    atomic_store(&ended, true);
    (void)pthread_join(canceller, NULL);
    session_free(s);
    dialect_free(d);
    (void)printf("answered=%" PRIu64 "\ncancelled=%" PRIu64 "\nwrong=%" PRIu64 "\n", n.answered,
                 n.cancelled, n.wrong);
    return n.answered > 0 && n.cancelled > 0 && n.wrong == 0 ? 0 : 1;
}
