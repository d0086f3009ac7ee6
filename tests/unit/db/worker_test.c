/*
 * A connection's thread with a made driver: orders and answers, failures, cancelling, a driver that
 * hangs and is cut off, and who frees what. What runs at a time is held by semaphores, not by
 * sleeping.
 */
#include "db/worker.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>

#include "base/thread.h"
#include "base/xalloc.h"
#include "harness/unit.h"

#define WAIT_MS 20000
#define BURN_NS (20 * NS_PER_MS)

/* Outlives the connection, which its thread frees. */
struct script {
    bool open_fails;
    bool run_fails;
    bool dies;         /* with the failure */
    bool hangs;        /* until `go` */
    bool cancel_hangs; /* until `cancel_go` */
    bool close_hangs;  /* until `close_go` */
    bool burns;        /* BURN_NS of CPU time, in a bulk */
    sem_t inside;
    sem_t go;
    sem_t in_cancel;
    sem_t cancel_go;
    sem_t in_close;
    sem_t close_go;
    sem_t closed;
    atomic_int cancels;
    char seen[256]; /* what the driver was given */
    struct cell cell[1];
};

static int made_open(void *conn, struct err *err)
{
    const struct script *s = conn;

    return s->open_fails ? err_set(err, ERR_SURROUNDINGS, "no such server") : 0;
}

static int made_run(void *conn, const struct worker_order *order, struct rows *replies,
                    struct err *err)
{
    struct script *s = conn;

    if (s->hangs) {
        (void)sem_post(&s->inside);
        while (sem_wait(&s->go) < 0)
            ;
    }
    if (s->run_fails)
        return err_set(err, ERR_DB, "refused");
    s->seen[0] = '\0';
    replies->n = order->n;
    for (uint8_t i = 0; i < order->n; i++) {
        const struct worker_part *p = &order->part[i];
        const size_t n = strlen(s->seen);

        (void)snprintf(s->seen + n, sizeof(s->seen) - n, "%d:%s:%.*s:%d;", p->prepared,
                       p->prepared < 0 ? p->stmt.text : p->stmt.name, (int)p->args[0].len,
                       p->args[0].text, (int)p->args[1].array[p->args[1].len - 1]);
        replies->part[i] = (struct rows_part){.n_rows = 1, .n_columns = 1, .cells = s->cell};
    }
    return 0;
}

static bool made_alive(void *conn)
{
    const struct script *s = conn;

    return !s->dies;
}

static void made_cancel(void *conn)
{
    struct script *s = conn;

    if (s->cancel_hangs) {
        (void)sem_post(&s->in_cancel);
        while (sem_wait(&s->cancel_go) < 0)
            ;
        return;
    }
    s->run_fails = true;
    atomic_fetch_add(&s->cancels, 1);
    (void)sem_post(&s->go);
}

static int made_bulk(void *conn, struct rows *replies, struct err *err)
{
    const struct script *s = conn;

    while (s->burns && thread_cpu_ns() < BURN_NS)
        ;
    replies->n = 0;
    return s->run_fails ? err_set(err, ERR_DB, "no arrays") : 0;
}

static void made_close(void *conn)
{
    struct script *s = conn;

    if (s->close_hangs) {
        (void)sem_post(&s->in_close);
        while (sem_wait(&s->close_go) < 0)
            ;
    }
    (void)sem_post(&s->closed);
}

static const struct worker_ops made_ops = {
    .open = made_open,
    .run = made_run,
    .bulk = made_bulk,
    .alive = made_alive,
    .cancel = made_cancel,
    .close = made_close,
};

static const struct stmt prepared_stmt = {
    .name = "call", .text = "never read", .n_params = 2, .id = 5};
static const struct stmt *const prepared[] = {&prepared_stmt};
static const struct db_config config = {.conninfo = "", .prepare = prepared, .n_prepare = 1};

static void script_init(struct script *s)
{
    memset(s, 0, sizeof(*s));
    s->cell[0] = (struct cell){.text = "x", .len = 1};
    CU_ASSERT_FATAL(sem_init(&s->inside, 0, 0) == 0);
    CU_ASSERT_FATAL(sem_init(&s->go, 0, 0) == 0);
    CU_ASSERT_FATAL(sem_init(&s->in_cancel, 0, 0) == 0);
    CU_ASSERT_FATAL(sem_init(&s->cancel_go, 0, 0) == 0);
    CU_ASSERT_FATAL(sem_init(&s->in_close, 0, 0) == 0);
    CU_ASSERT_FATAL(sem_init(&s->close_go, 0, 0) == 0);
    CU_ASSERT_FATAL(sem_init(&s->closed, 0, 0) == 0);
}

static void script_release(struct script *s)
{
    (void)sem_destroy(&s->inside);
    (void)sem_destroy(&s->go);
    (void)sem_destroy(&s->in_cancel);
    (void)sem_destroy(&s->cancel_go);
    (void)sem_destroy(&s->in_close);
    (void)sem_destroy(&s->close_go);
    (void)sem_destroy(&s->closed);
}

/* As a loop does: waits for the descriptor, then asks. */
static unsigned wait_answer(struct worker *w, struct rows *replies)
{
    struct pollfd p = {.fd = worker_wait_fd(w), .events = POLLIN};

    UNIT_EQ_I64("an answer in time", poll(&p, 1, WAIT_MS), 1);
    return replies ? worker_advance(w, replies) : worker_open(w);
}

static struct worker *opened(struct script *s)
{
    struct err err = {0};
    struct worker *w = worker_new(&made_ops, s, &config, &err);

    CU_ASSERT_FATAL(w != NULL);
    UNIT_TRUE("not yet", !worker_alive(w));
    UNIT_EQ_U64("", worker_open(w), DB_WANT_READ);
    UNIT_EQ_U64("", wait_answer(w, NULL), s->open_fails ? DB_FAILED : DB_READY);
    return w;
}

static void ends(struct worker *w, struct script *s)
{
    worker_free(w);
    while (sem_wait(&s->closed) < 0)
        ;
    script_release(s);
}

/* The order is a copy: what it was made of may change as soon as it is given. */
static void test_copy(void)
{
    struct script s;
    struct worker *w;
    char text[] = "text";
    char sql[] = "select";
    int32_t array[] = {1, 2, 3};
    const struct stmt direct = {.name = "d", .text = sql, .n_params = 2, .id = UINT16_MAX};
    struct value args[2] = {value_text(text, 4), value_array(array, 3)};
    const struct batch b = {.n = 2, .part = {{&prepared_stmt, args}, {&direct, args}}};
    struct rows replies = {0};

    script_init(&s);
    w = opened(&s);
    s.hangs = true;
    UNIT_EQ_U64("", worker_submit(w, &b), DB_WANT_READ);
    UNIT_EQ_U64("no answer yet", worker_advance(w, &replies), DB_WANT_READ);
    memset(text, '!', sizeof(text));
    memset(sql, '!', sizeof(sql));
    memset(array, 0, sizeof(array));
    (void)sem_post(&s.go);
    UNIT_EQ_U64("", wait_answer(w, &replies), DB_READY);
    UNIT_EQ_STR("", s.seen, "0:call:text:3;-1:select:text:3;");
    UNIT_EQ_U64("", replies.n, 2);
    UNIT_EQ_STR("", rows_cell(&replies.part[1], 0, 0)->text, "x");
    ends(w, &s);
}

static const struct batch plain = {.n = 0};

static void test_failures(void)
{
    struct script s;
    struct worker *w;
    struct rows replies = {0};

    script_init(&s);
    s.open_fails = true;
    w = opened(&s);
    UNIT_EQ_STR("", worker_error(w)->text, "no such server");
    UNIT_TRUE("", !worker_alive(w));
    UNIT_EQ_U64("of no use", worker_submit(w, &plain), DB_FAILED);
    ends(w, &s);

    script_init(&s);
    w = opened(&s);
    s.run_fails = true;
    UNIT_EQ_U64("", worker_submit(w, &plain), DB_WANT_READ);
    UNIT_EQ_U64("", wait_answer(w, &replies), DB_FAILED);
    UNIT_EQ_STR("", worker_error(w)->text, "refused");
    UNIT_TRUE("the connection stands", worker_alive(w));
    s.run_fails = false;
    UNIT_EQ_U64("", worker_submit(w, &plain), DB_WANT_READ);
    UNIT_EQ_U64("and works", wait_answer(w, &replies), DB_READY);
    s.run_fails = true;
    s.dies = true;
    UNIT_EQ_U64("", worker_submit(w, &plain), DB_WANT_READ);
    UNIT_EQ_U64("", wait_answer(w, &replies), DB_FAILED);
    UNIT_TRUE("lost", !worker_alive(w));
    ends(w, &s);
}

static void test_cancel(void)
{
    struct script s;
    struct worker *w;
    struct rows replies = {0};

    script_init(&s);
    w = opened(&s);
    worker_cancel(w);
    UNIT_EQ_I64("nothing to cancel", atomic_load(&s.cancels), 0);
    s.hangs = true;
    UNIT_EQ_U64("", worker_submit(w, &plain), DB_WANT_READ);
    while (sem_wait(&s.inside) < 0)
        ;
    worker_cancel(w);
    UNIT_EQ_U64("", wait_answer(w, &replies), DB_FAILED);
    UNIT_EQ_I64("", atomic_load(&s.cancels), 1);
    ends(w, &s);
}

/* The driver never comes back: the owner goes on at once. It comes back later: all is closed. */
static void test_cut(void)
{
    struct script s;
    struct worker *w;
    struct rows replies = {0};

    script_init(&s);
    w = opened(&s);
    s.hangs = true;
    UNIT_EQ_U64("", worker_submit(w, &plain), DB_WANT_READ);
    while (sem_wait(&s.inside) < 0)
        ;
    worker_cut(w);
    UNIT_EQ_U64("", worker_advance(w, &replies), DB_FAILED);
    UNIT_TRUE("", !worker_alive(w));
    worker_free(w);
    UNIT_TRUE("still inside", sem_trywait(&s.closed) < 0);
    (void)sem_post(&s.go);
    while (sem_wait(&s.closed) < 0)
        ;
    script_release(&s);
}

static void *cancel_main(void *w)
{
    worker_cancel(w);
    return NULL;
}

/* A cancellation does not come back, the thread and the owner leave: the connection is closed, and
 * all is freed, by the cancellation's thread when it does. */
static void test_cancel_hangs(void)
{
    struct script s;
    struct worker *w;
    pthread_t canceller;

    script_init(&s);
    w = opened(&s);
    s.hangs = true;
    s.cancel_hangs = true;
    UNIT_EQ_U64("", worker_submit(w, &plain), DB_WANT_READ);
    while (sem_wait(&s.inside) < 0)
        ;
    CU_ASSERT_FATAL(pthread_create(&canceller, NULL, cancel_main, w) == 0);
    while (sem_wait(&s.in_cancel) < 0)
        ;
    (void)sem_post(&s.go);
    UNIT_EQ_U64("", wait_answer(w, &(struct rows){0}), DB_READY);
    worker_free(w);
    UNIT_TRUE("not while it is inside", sem_trywait(&s.closed) < 0);
    (void)sem_post(&s.cancel_go);
    (void)pthread_join(canceller, NULL);
    UNIT_TRUE("closed by the last one", sem_trywait(&s.closed) == 0);
    script_release(&s);
}

/* Of many that are freed each begins its goodbye before the first is waited for, and what has said
 * it long ago is not waited for a second time. */
static void test_leave(void)
{
    struct script s[3];
    struct worker *w[3];
    uint64_t left_ns = 0;

    for (size_t i = 0; i < ARRAY_LEN(s); i++) {
        script_init(&s[i]);
        w[i] = opened(&s[i]);
        s[i].close_hangs = i > 0;
    }
    left_ns = clock_now_ns(clock_system());
    for (size_t i = 0; i < ARRAY_LEN(s); i++)
        worker_leave(w[i]);
    for (size_t i = 1; i < ARRAY_LEN(s); i++)
        while (sem_wait(&s[i].in_close) < 0)
            ;
    for (size_t i = 0; i < ARRAY_LEN(s); i++) {
        worker_free(w[i]);
        if (i > 0)
            UNIT_TRUE("a second after it began",
                      clock_now_ns(clock_system()) - left_ns >= NS_PER_S);
    }
    for (size_t i = 0; i < ARRAY_LEN(s); i++) {
        (void)sem_post(&s[i].close_go);
        while (sem_wait(&s[i].closed) < 0)
            ;
        script_release(&s[i]);
    }
}

static void test_bulk(void)
{
    struct script s;
    struct worker *w;
    struct rows replies = {0};

    script_init(&s);
    w = opened(&s);
    UNIT_EQ_U64("", worker_bulk(w), DB_WANT_READ);
    UNIT_EQ_U64("", wait_answer(w, &replies), DB_READY);
    s.run_fails = true;
    UNIT_EQ_U64("", worker_bulk(w), DB_WANT_READ);
    UNIT_EQ_U64("", wait_answer(w, &replies), DB_FAILED);
    UNIT_EQ_STR("", worker_error(w)->text, "no arrays");
    ends(w, &s);
}

/* What a driver's calls cost is its thread's, not ours. */
static void test_cpu_time(void)
{
    struct script s;
    struct worker *w;
    struct rows replies = {0};
    const uint64_t own_ns = thread_cpu_ns();

    script_init(&s);
    w = opened(&s);
    UNIT_TRUE("little yet", worker_cpu_ns(w) < BURN_NS);
    s.burns = true;
    UNIT_EQ_U64("", worker_bulk(w), DB_WANT_READ);
    UNIT_EQ_U64("", wait_answer(w, &replies), DB_READY);
    UNIT_TRUE("the driver's", worker_cpu_ns(w) >= BURN_NS);
    UNIT_TRUE("not ours", thread_cpu_ns() - own_ns < BURN_NS);
    ends(w, &s);
}

static const struct unit_test tests[] = {
    {"copy", test_copy},   {"failures", test_failures},         {"cancel", test_cancel},
    {"cut", test_cut},     {"cancel hangs", test_cancel_hangs}, {"bulk", test_bulk},
    {"leave", test_leave}, {"CPU time", test_cpu_time},
};
const struct unit_suite worker_suite = UNIT_SUITE("worker", tests);
