/*
 * The crew: one thread hands out jobs and takes results over two bounded queues, the others run
 * them. Each worker owns its session. A job that fails because the connection was lost, or because
 * the server chose it as a deadlock's victim, is run again from its beginning with a new session;
 * while a server recovers from a crash it is waited for.
 */
#include "load/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bqueue.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "db/fault.h"

#define TICK_NS (200 * NS_PER_MS)
#define TRIES 6                         /* 0.1 + 0.2 + ... + 1.6 s of waiting in all */
#define FIRST_WAIT_NS (100 * NS_PER_MS) /* doubled with each try */
#define RECOVERY_NS (300 * NS_PER_S)    /* for a server that says it is starting */
#define THREADS_MAX 1024
/* Memory for sorting keys, of all loaders together and of one. */
#define KEYS_BYTES_ALL (INT64_C(1) << 30)
#define KEYS_BYTES_ONE (INT64_C(256) << 20)

struct shared {
    const struct crew *crew;
    struct bqueue *todo; /* struct job * */
    struct bqueue *ended;
    struct stop halt;
    atomic_uint busy; /* workers at a job */
};

struct result {
    struct job *job;
    bool good;
    struct err err;
};

struct load_name load_name(const char *prefix, enum tpcc_table t)
{
    struct load_name name;
    const int n = snprintf(name.text, sizeof(name.text), "%s_%s", prefix, tpcc_table(t)->name);

    CHECK(n > 0);
    CHECK((size_t)n < sizeof(name.text));
    return name;
}

int load_exec(const struct load_hand *hand, const char *name, const struct value *args,
              struct rows *replies, struct err *err)
{
    const struct stmt *stmt = dialect_need(hand->env->dialect, name, err);
    const struct exec_opts opts = {.stop = hand->stop};
    struct batch b = {.n = 1};

    if (!stmt)
        return -1;
    CHECK(args || stmt->n_params == 0);
    b.part[0] = (struct batch_part){.stmt = stmt, .args = args};
    if (session_exec(hand->session, &b, replies, &opts, err) < 0)
        return err_wrap(err, "%s", name);
    return 0;
}

static struct session *connect_until(const struct load_env *env, uint32_t threads,
                                     struct stop *stop, struct err *err)
{
    const int64_t share = KEYS_BYTES_ALL / (threads ? threads : 1);
    const struct value bytes =
        value_int(VALUE_I64, share < KEYS_BYTES_ONE ? share : KEYS_BYTES_ONE);
    struct load_hand hand = {.env = env, .stop = stop};
    struct db_config db = env->db;

    db.stop = stop;
    hand.session = session_connect(env->ops, &db, 0, err);
    if (hand.session && load_exec(&hand, "load_session", &bytes, NULL, err) < 0) {
        session_free(hand.session);
        return NULL;
    }
    return hand.session;
}

struct session *load_connect(const struct load_env *env, uint32_t threads, struct err *err)
{
    return connect_until(env, threads, env->stop, err);
}

/* When a failed job is to be tried again; tries and begin are this job's. */
static bool worth_a_try(const struct load_env *env, const struct err *e, bool alive, int tries,
                        uint64_t begin_ns)
{
    const enum fault fault = fault_classify(e, alive, false);

    if (strcmp(e->sqlstate, "57P03") == 0) /* starting up, recovering */
        return clock_now_ns(env->clock) - begin_ns < RECOVERY_NS;
    return (fault == FAULT_RETRY || fault == FAULT_LOST) && tries < TRIES;
}

/* Longer with each try. */
static void wait_a_bit(const struct load_env *env, int tries)
{
    const uint64_t wait_ns = FIRST_WAIT_NS << (tries < 5 ? tries - 1 : 4);

    clock_sleep_until_ns(env->clock, clock_now_ns(env->clock) + wait_ns);
}

struct session *load_reconnect(const struct load_env *env, uint32_t threads, struct err *err)
{
    const uint64_t begin_ns = clock_now_ns(env->clock);
    struct session *s = NULL;

    for (int tries = 1; !s; tries++) {
        s = load_connect(env, threads, err);
        if (s || stop_level(env->stop) > 0 || !worth_a_try(env, err, false, tries, begin_ns))
            break;
        wait_a_bit(env, tries);
    }
    return s;
}

static int run_job(struct shared *sh, struct load_hand *hand, struct job *j, struct err *err)
{
    const struct crew *c = sh->crew;
    const uint64_t begin_ns = clock_now_ns(c->env->clock);

    for (int tries = 1;; tries++) {
        bool alive = false;

        if (!hand->session)
            hand->session = connect_until(c->env, c->threads, hand->stop, err);
        if (hand->session && c->job(hand, j, c->ctx, err) == 0)
            return 0;
        alive = hand->session && session_alive(hand->session);
        session_free(hand->session); /* its transaction, or its COPY, ends with it */
        hand->session = NULL;
        atomic_store_explicit(&j->seen, 0, memory_order_relaxed);
        if (stop_level(&sh->halt) > 0 || !worth_a_try(c->env, err, alive, tries, begin_ns))
            return -1;
        log_line(c->env->log, LOG_WARN, "%s of %s: %s; trying again", load_step_name(j->step),
                 tpcc_table(j->table)->name, err->text);
        wait_a_bit(c->env, tries);
    }
}

static void *worker(void *ctx)
{
    struct shared *sh = ctx;
    struct load_hand hand = {.env = sh->crew->env, .stop = &sh->halt};

    while (!bqueue_closed(sh->todo) || bqueue_count(sh->todo) > 0) {
        struct result r = {0};

        if (!bqueue_pop(sh->todo, &r.job, NS_PER_S))
            continue;
        hand.idle = sh->crew->threads - 1 - atomic_fetch_add(&sh->busy, 1);
        r.good = run_job(sh, &hand, r.job, &r.err) == 0;
        atomic_fetch_sub(&sh->busy, 1);
        if (!bqueue_push(sh->ended, &r))
            break;
    }
    session_free(hand.session);
    return NULL;
}

/* Gives out, takes back, until nothing is under way. */
static int conduct(struct shared *sh, struct err *err)
{
    const struct crew *c = sh->crew;
    uint32_t out = 0;
    int rc = 0;

    for (;;) {
        struct result r = {0};
        struct job *j = NULL;

        if (rc == 0 && stop_level(c->env->stop) > 0) {
            rc = err_set(err, ERR_INTERRUPTED, "interrupted");
            stop_ask(&sh->halt);
        }
        while (rc == 0 && out < c->threads && (j = units_next(c->units))) {
            CHECK(bqueue_try_push(sh->todo, &j));
            out++;
        }
        if (out == 0)
            return rc;
        if (bqueue_pop(sh->ended, &r, TICK_NS)) {
            out--;
            if (r.good) {
                units_done(c->units, r.job);
            } else if (rc == 0) {
                *err = r.err;
                rc = -1;
                stop_ask(&sh->halt);
            }
        }
        if (c->tick)
            c->tick(c->ctx);
    }
}

int crew_run(const struct crew *c, struct err *err)
{
    int rc = -1;
    struct shared sh = {.crew = c};
    struct thread *threads = xcalloc(c->threads, sizeof(*threads));
    uint32_t started = 0;

    CHECK(c->threads > 0);
    CHECK(c->threads <= THREADS_MAX);
    sh.todo = bqueue_new(c->threads, sizeof(struct job *));
    sh.ended = bqueue_new(c->threads, sizeof(struct result));
    for (; started < c->threads; started++) {
        char name[24];

        (void)snprintf(name, sizeof(name), "loader-%u", started + 1);
        if (thread_start(&threads[started], name, worker, &sh, err) < 0)
            goto out;
    }
    rc = conduct(&sh, err);
out:
    bqueue_close(sh.todo);
    for (uint32_t i = 0; i < started; i++)
        thread_join(&threads[i]);
    bqueue_free(sh.todo);
    bqueue_free(sh.ended);
    free(threads);
    return rc;
}
