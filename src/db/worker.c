/*
 * The thread of a blocking connection and the two sides' hand-over. `phase` tells whose turn it is:
 * while it is BUSY the order, replies and error belong to the thread, else to the owner. The answer
 * is told by the descriptor, the order goes through a queue; each orders memory between the two.
 * Freed by whoever leaves last; the connection is closed by whoever leaves the driver last, the
 * thread or a cancellation that does not come back.
 */
#include "db/worker.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/bqueue.h"
#include "base/thread.h"
#include "base/xalloc.h"

#define IDLE_WAIT_NS (3600 * NS_PER_S)
#define GOODBYE_NS NS_PER_S
#define GOODBYE_DEAD_NS (20 * NS_PER_MS) /* the loop must not wait for those it has lost */

enum order_kind { ORDER_OPEN, ORDER_RUN, ORDER_BULK, ORDER_QUIT };

enum phase {
    PHASE_NEW,      /* nothing asked for yet; open() orders the connection */
    PHASE_IDLE,     /* takes an order */
    PHASE_BUSY,     /* the thread is inside the driver */
    PHASE_ANSWERED, /* the thread is done; advance takes the answer */
};

struct worker {
    const struct worker_ops *ops;
    void *conn;
    struct bqueue *orders; /* enum order_kind; room for one under way and a QUIT */
    int event_fd;
    struct thread thread;
    atomic_int users;  /* owner, thread, cancellations: the last one frees */
    atomic_int inside; /* thread and cancellations: the last one closes the connection; 0: closed */
    atomic_int phase;

    /* The order and its answer. */
    struct worker_order order;
    char *bytes; /* texts and arrays of the order */
    size_t bytes_cap;
    struct rows replies;
    bool failed;
    bool alive_after; /* the driver's word after a failure */
    struct err answer_err;

    /* The owner's. */
    const struct stmt **prepared; /* by stmt->id: db_config.prepare, found by identity */
    int *prepared_index;
    uint32_t n_prepared;
    bool opened;
    bool dead;
    uint64_t left_ns; /* when the goodbye was ordered; 0: not yet */
    struct err err;
};

static void unref(struct worker *w)
{
    if (atomic_fetch_sub(&w->users, 1) > 1)
        return;
    bqueue_free(w->orders);
    (void)close(w->event_fd);
    free(w->prepared);
    free(w->prepared_index);
    free(w->bytes);
    free(w);
}

static void leave_driver(struct worker *w)
{
    if (atomic_fetch_sub(&w->inside, 1) == 1)
        w->ops->close(w->conn);
    unref(w);
}

/* ---- the thread ---- */

static void answer(struct worker *w, int rc)
{
    const uint64_t one = 1;

    w->failed = rc < 0;
    if (rc < 0)
        w->alive_after = w->ops->alive(w->conn);
    atomic_store(&w->phase, PHASE_ANSWERED);
    CHECK(write(w->event_fd, &one, sizeof(one)) == sizeof(one));
}

static void *worker_main(void *ctx)
{
    struct worker *w = ctx;
    int order = ORDER_OPEN;

    while (order != ORDER_QUIT) {
        if (!bqueue_pop(w->orders, &order, IDLE_WAIT_NS))
            continue;
        err_reset(&w->answer_err);
        if (order == ORDER_OPEN)
            answer(w, w->ops->open(w->conn, &w->answer_err));
        else if (order == ORDER_RUN)
            answer(w, w->ops->run(w->conn, &w->order, &w->replies, &w->answer_err));
        else if (order == ORDER_BULK)
            answer(w, w->ops->bulk(w->conn, &w->replies, &w->answer_err));
    }
    leave_driver(w);
    return NULL;
}

/* ---- the owner ---- */

static void remember_prepared(struct worker *w, const struct db_config *cfg)
{
    for (uint16_t i = 0; i < cfg->n_prepare; i++)
        if (cfg->prepare[i]->id >= w->n_prepared)
            w->n_prepared = cfg->prepare[i]->id + 1U;
    w->prepared = xcalloc(w->n_prepared + 1, sizeof(const struct stmt *));
    w->prepared_index = xcalloc(w->n_prepared + 1, sizeof(*w->prepared_index));
    for (uint16_t i = 0; i < cfg->n_prepare; i++) {
        w->prepared[cfg->prepare[i]->id] = cfg->prepare[i];
        w->prepared_index[cfg->prepare[i]->id] = i;
    }
}

struct worker *worker_new(const struct worker_ops *ops, void *conn, const struct db_config *cfg,
                          struct err *err)
{
    struct worker *w = xcalloc(1, sizeof(*w));

    w->ops = ops;
    w->conn = conn;
    w->orders = bqueue_new(2, sizeof(int));
    remember_prepared(w, cfg);
    atomic_store(&w->users, 2);
    atomic_store(&w->inside, 1);
    w->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (w->event_fd < 0)
        err_sys(err, errno, "no descriptor for a connection");
    else if (thread_start(&w->thread, "connection", worker_main, w, err) == 0)
        return w;
    ops->close(conn);
    atomic_store(&w->users, 1);
    unref(w);
    return NULL;
}

static unsigned give(struct worker *w, int order)
{
    atomic_store(&w->phase, PHASE_BUSY);
    CHECK(bqueue_try_push(w->orders, &order));
    return DB_WANT_READ;
}

static unsigned fail_dead(struct worker *w, const char *text)
{
    w->dead = true;
    err_set(&w->err, ERR_SURROUNDINGS, "%s", text);
    return DB_FAILED;
}

/* DB_WANT_READ while there is no answer. */
static unsigned take_answer(struct worker *w)
{
    uint64_t count = 0;

    if (w->dead)
        return DB_FAILED;
    if (atomic_load(&w->phase) != PHASE_ANSWERED)
        return DB_WANT_READ;
    (void)!read(w->event_fd, &count, sizeof(count));
    atomic_store(&w->phase, PHASE_IDLE);
    if (!w->failed)
        return DB_READY;
    w->err = w->answer_err;
    w->dead = !w->alive_after;
    return DB_FAILED;
}

unsigned worker_open(struct worker *w)
{
    unsigned step;

    if (w->dead)
        return DB_FAILED;
    if (w->opened)
        return DB_READY;
    if (atomic_load(&w->phase) == PHASE_NEW)
        return give(w, ORDER_OPEN);
    step = take_answer(w);
    w->opened = step == DB_READY;
    if (step == DB_FAILED)
        w->dead = true; /* half a connection is of no use */
    return step;
}

/* ---- copying an order ---- */

static size_t value_bytes(const struct value *v)
{
    if (v->kind == VALUE_TEXT)
        return v->len;
    return v->kind == VALUE_I32_ARRAY ? v->len * sizeof(v->array[0]) : 0;
}

static size_t rounded(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

static size_t order_bytes(const struct batch *b)
{
    size_t n = 0;

    for (uint8_t i = 0; i < b->n; i++) {
        const struct batch_part *part = &b->part[i];

        n += rounded(strlen(part->stmt->text) + 1);
        n += rounded(part->stmt->name ? strlen(part->stmt->name) + 1 : 0);
        for (uint8_t k = 0; k < part->stmt->n_params; k++)
            n += rounded(value_bytes(&part->args[k]));
    }
    return n;
}

static const char *keep(char **at, const void *from, size_t n)
{
    char *to = *at;

    memcpy(to, from, n);
    *at += rounded(n);
    return to;
}

static int prepared_of(const struct worker *w, const struct stmt *st)
{
    return st->id < w->n_prepared && w->prepared[st->id] == st ? w->prepared_index[st->id] : -1;
}

static void copy_part(struct worker *w, const struct batch_part *from, struct worker_part *to,
                      char **at)
{
    to->stmt = *from->stmt;
    to->prepared = prepared_of(w, from->stmt);
    if (to->prepared < 0)
        to->stmt.text = keep(at, from->stmt->text, strlen(from->stmt->text) + 1);
    if (to->stmt.name)
        to->stmt.name = keep(at, from->stmt->name, strlen(from->stmt->name) + 1);
    for (uint8_t i = 0; i < from->stmt->n_params; i++) {
        struct value *v = &to->args[i];
        const size_t n = value_bytes(&from->args[i]);

        *v = from->args[i];
        if (n > 0 && v->kind == VALUE_TEXT)
            v->text = keep(at, v->text, n);
        else if (n > 0)
            v->array = (const int32_t *)(const void *)keep(at, v->array, n);
    }
}

unsigned worker_submit(struct worker *w, const struct batch *b)
{
    const size_t need = order_bytes(b);
    char *at;

    if (w->dead)
        return DB_FAILED;
    CHECK(atomic_load(&w->phase) == PHASE_IDLE);
    if (need > w->bytes_cap) {
        w->bytes_cap = need * 2;
        free(w->bytes);
        w->bytes = xcalloc(w->bytes_cap, 1);
    }
    at = w->bytes;
    w->order.n = b->n;
    for (uint8_t i = 0; i < b->n; i++)
        copy_part(w, &b->part[i], &w->order.part[i], &at);
    return give(w, ORDER_RUN);
}

unsigned worker_bulk(struct worker *w)
{
    if (w->dead)
        return DB_FAILED;
    CHECK(atomic_load(&w->phase) == PHASE_IDLE);
    return give(w, ORDER_BULK);
}

unsigned worker_advance(struct worker *w, struct rows *replies)
{
    const unsigned step = take_answer(w);

    if (step == DB_READY)
        *replies = w->replies;
    return step;
}

int worker_wait_fd(const struct worker *w)
{
    return w->event_fd;
}

/* False where the connection is closed already. */
static bool enter_driver(struct worker *w)
{
    int n = atomic_load(&w->inside);

    atomic_fetch_add(&w->users, 1);
    while (n > 0)
        if (atomic_compare_exchange_weak(&w->inside, &n, n + 1))
            return true;
    unref(w);
    return false;
}

void worker_cancel(struct worker *w)
{
    if (!enter_driver(w))
        return;
    if (atomic_load(&w->phase) == PHASE_BUSY)
        w->ops->cancel(w->conn);
    leave_driver(w);
}

void worker_cut(struct worker *w)
{
    if (!w->dead)
        (void)fail_dead(w, "the driver did not answer: the connection is given up");
}

uint64_t worker_cpu_ns(const struct worker *w)
{
    return thread_cpu_ns_of(&w->thread);
}

const struct err *worker_error(const struct worker *w)
{
    return &w->err;
}

bool worker_alive(const struct worker *w)
{
    return w->opened && !w->dead;
}

void worker_leave(struct worker *w)
{
    const int quit = ORDER_QUIT;

    if (w->left_ns)
        return;
    w->left_ns = clock_now_ns(clock_system());
    CHECK(bqueue_try_push(w->orders, &quit));
}

void worker_free(struct worker *w)
{
    uint64_t wait_ns = 0;
    uint64_t waited_ns;

    if (!w)
        return;
    worker_leave(w);
    waited_ns = clock_now_ns(clock_system()) - w->left_ns;
    if (atomic_load(&w->phase) != PHASE_BUSY)
        wait_ns = w->dead ? GOODBYE_DEAD_NS : GOODBYE_NS;
    if (!thread_join_timed(&w->thread, wait_ns > waited_ns ? wait_ns - waited_ns : 0))
        CHECK(pthread_detach(w->thread.id) == 0);
    unref(w);
}
