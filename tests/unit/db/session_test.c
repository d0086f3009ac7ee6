/*
 * The blocking pump on a made backend that answers from a script of steps: deadlines, stop,
 * cancelling, cutting; and the registry.
 */
#include "db/session.h"

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/unit.h"

/* A backend whose batch never ends by itself: it ends when cancelled, or when its socket is cut. */
struct session {
    const struct db_ops *ops;
    struct db_config cfg;
    struct clock_fake *clk;
    int fd[2];
    unsigned first; /* what submit answers */
    bool heeds_cancel;
    int cancels;
    bool cut;
    bool own_cut;
    struct err err;
};

static unsigned stuck_open(struct session *s)
{
    clock_fake_advance(s->clk, NS_PER_S); /* every look costs a second of the fake clock */
    return DB_WANT_READ;
}

static unsigned stuck_submit(struct session *s, const struct batch *b)
{
    (void)b;
    return s->first;
}

static unsigned stuck_advance(struct session *s, struct rows *replies)
{
    char c;

    (void)replies;
    clock_fake_advance(s->clk, NS_PER_S);
    if (s->cancels && s->heeds_cancel) {
        (void)err_set(&s->err, ERR_DB, "canceled on user request");
        strcpy(s->err.sqlstate, "57014");
        return DB_FAILED;
    }
    if (recv(s->fd[0], &c, 1, MSG_DONTWAIT) == 0) {
        s->cut = true;
        (void)err_set(&s->err, ERR_SURROUNDINGS, "connection closed");
        return DB_FAILED;
    }
    return DB_WANT_READ;
}

static int stuck_wait_fd(const struct session *s)
{
    return s->fd[0];
}

static void stuck_cancel(struct session *s)
{
    s->cancels++;
    if (s->heeds_cancel)
        CU_ASSERT_EQUAL(write(s->fd[1], "x", 1), 1); /* the server answers */
}

static const struct err *stuck_error(const struct session *s)
{
    return &s->err;
}

static bool stuck_alive(const struct session *s)
{
    return !s->cut;
}

static const struct db_config *stuck_config(const struct session *s)
{
    return &s->cfg;
}

static void stuck_close(struct session *s)
{
    (void)s;
}

static struct session *made;

static struct session *stuck_create(const struct db_config *cfg, struct err *err)
{
    (void)cfg;
    (void)err;
    return made;
}

static const struct db_ops stuck_ops = {
    .name = "stuck",
    .create = stuck_create,
    .open = stuck_open,
    .submit = stuck_submit,
    .advance = stuck_advance,
    .wait_fd = stuck_wait_fd,
    .cancel = stuck_cancel,
    .error = stuck_error,
    .alive = stuck_alive,
    .config = stuck_config,
    .close = stuck_close,
};

static const struct stmt call = {.name = "call", .text = ""};
static const struct batch batch = {.n = 1, .part = {{.stmt = &call}}};

struct rig {
    struct clock_fake clk;
    struct session s;
};

/* The other end has written, so that poll() never waits. */
static void rig_init(struct rig *r)
{
    memset(r, 0, sizeof(*r));
    clock_fake_init(&r->clk, NS_PER_S, 0);
    r->s = (struct session){.ops = &stuck_ops, .clk = &r->clk, .first = DB_WANT_WRITE};
    r->s.cfg.clock = &r->clk.clk;
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, r->s.fd), 0);
    CU_ASSERT_EQUAL_FATAL(write(r->s.fd[1], "xxxxxxxxxxxxxxxxxxxxxxxx", 24), 24);
}

static void rig_release(struct rig *r)
{
    close(r->s.fd[0]);
    close(r->s.fd[1]);
}

static void test_deadline_cancels(void)
{
    struct rig r;
    struct err err = {0};
    struct exec_opts opts;

    rig_init(&r);
    r.s.heeds_cancel = true;
    opts = (struct exec_opts){.within_ns = 3 * NS_PER_S};
    UNIT_EQ_I64("", session_exec(&r.s, &batch, NULL, &opts, &err), -1);
    UNIT_EQ_I64("cancelled once", r.s.cancels, 1);
    UNIT_EQ_I64("", err.kind, ERR_DB);
    UNIT_EQ_STR("", err.sqlstate, "57014");
    UNIT_TRUE("says what we did", strstr(err.text, "not done within") != NULL);
    UNIT_TRUE("alive", session_alive(&r.s));
    rig_release(&r);
}

static void test_deaf_server_is_cut(void)
{
    struct rig r;
    struct err err = {0};
    struct exec_opts opts;

    rig_init(&r);
    opts = (struct exec_opts){.within_ns = NS_PER_S};
    UNIT_EQ_I64("", session_exec(&r.s, &batch, NULL, &opts, &err), -1);
    UNIT_EQ_I64("", r.s.cancels, 1);
    UNIT_TRUE("dead", !session_alive(&r.s));
    UNIT_EQ_STR("", err.sqlstate, "57014");
    UNIT_TRUE("within 5 s and the bytes that lay there", r.clk.now_ns <= 40 * NS_PER_S);
    rig_release(&r);
}

static void stuck_cut(struct session *s)
{
    (void)shutdown(s->fd[1], SHUT_RDWR); /* as a driver's thread: not by what wait_fd tells */
    s->own_cut = true;
}

/* A backend whose descriptor is no socket has its own way. */
static void test_cut_by_backend(void)
{
    struct db_ops ops = stuck_ops;
    struct rig r;
    struct err err = {0};
    struct exec_opts opts;

    rig_init(&r);
    ops.cut = stuck_cut;
    r.s.ops = &ops;
    opts = (struct exec_opts){.within_ns = NS_PER_S};
    UNIT_EQ_I64("", session_exec(&r.s, &batch, NULL, &opts, &err), -1);
    UNIT_TRUE("by its own call", r.s.own_cut);
    UNIT_TRUE("dead", !session_alive(&r.s));
    rig_release(&r);
}

static void test_stop(void)
{
    struct rig r;
    struct err err = {0};
    struct stop stop = {0};
    struct exec_opts opts;

    rig_init(&r);
    r.s.heeds_cancel = true;
    stop_ask(&stop);
    opts = (struct exec_opts){.stop = &stop};
    UNIT_EQ_I64("", session_exec(&r.s, &batch, NULL, &opts, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    UNIT_EQ_I64("was not even sent", r.s.cancels, 0);
    rig_release(&r);
}

/* What must be asked after a polite stop as well ends at the next one. */
static void test_stop_at_two(void)
{
    struct rig r;
    struct err err = {0};
    struct stop stop = {0};
    struct exec_opts opts;

    rig_init(&r);
    r.s.first = DB_READY;
    stop_ask(&stop);
    opts = (struct exec_opts){.stop = &stop, .stop_at = 2};
    UNIT_EQ_I64("once", session_exec(&r.s, &batch, NULL, &opts, &err), 0);
    stop_ask(&stop);
    UNIT_EQ_I64("twice", session_exec(&r.s, &batch, NULL, &opts, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    rig_release(&r);
}

/* Where the call names none, the session's own. */
static void test_stop_of_session(void)
{
    struct rig r;
    struct err err = {0};
    struct stop stop = {0};
    struct stop other = {0};
    const struct exec_opts opts = {.stop = &other};

    rig_init(&r);
    r.s.first = DB_READY;
    r.s.cfg.stop = &stop;
    r.s.cfg.stop_at = 2;
    stop_ask(&stop);
    UNIT_EQ_I64("once", session_exec(&r.s, &batch, NULL, NULL, &err), 0);
    stop_ask(&stop);
    UNIT_EQ_I64("twice", session_exec(&r.s, &batch, NULL, NULL, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    UNIT_EQ_I64("another one", session_exec(&r.s, &batch, NULL, &opts, &err), 0);
    rig_release(&r);
}

static void test_connect_stop(void)
{
    struct rig r;
    struct err err = {0};
    struct stop stop = {0};
    struct db_config cfg;

    rig_init(&r);
    made = &r.s;
    stop_ask(&stop);
    cfg = (struct db_config){.clock = &r.clk.clk, .stop = &stop};
    UNIT_TRUE("", session_connect(&stuck_ops, &cfg, 0, &err) == NULL);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    UNIT_TRUE("at once", r.clk.now_ns <= 3 * NS_PER_S);
    rig_release(&r);
}

static void *ask(void *stop)
{
    stop_ask(stop);
    return NULL;
}

/* Asked for while the statement runs. */
static void test_stop_meanwhile(void)
{
    struct rig r;
    struct err err = {0};
    struct stop stop = {0};
    struct exec_opts opts;
    pthread_t t;

    rig_init(&r);
    r.s.heeds_cancel = true;
    r.s.first = DB_WANT_READ;
    r.s.cfg.clock = NULL; /* the machine's */
    opts = (struct exec_opts){.stop = &stop};
    while (recv(r.s.fd[0], (char[64]){0}, 64, MSG_DONTWAIT) > 0)
        ; /* nothing to read: the pump waits */
    CU_ASSERT_EQUAL_FATAL(pthread_create(&t, NULL, ask, &stop), 0);
    UNIT_EQ_I64("", session_exec(&r.s, &batch, NULL, &opts, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    pthread_join(t, NULL);
    rig_release(&r);
}

/* The session's own error passes unchanged where nobody cancelled. */
static void test_own_error(void)
{
    struct rig r;
    struct err err = {0};

    rig_init(&r);
    r.s.first = DB_FAILED;
    (void)err_set(&r.s.err, ERR_DB, "division by zero");
    strcpy(r.s.err.sqlstate, "22012");
    UNIT_EQ_I64("", session_exec(&r.s, &batch, NULL, NULL, &err), -1);
    UNIT_EQ_STR("", err.text, "division by zero");
    UNIT_EQ_STR("", err.sqlstate, "22012");
    rig_release(&r);
}

static void test_connect_deadline(void)
{
    struct rig r;
    struct err err = {0};
    struct db_config cfg;

    rig_init(&r);
    made = &r.s;
    cfg = (struct db_config){.clock = &r.clk.clk};
    UNIT_TRUE("", session_connect(&stuck_ops, &cfg, 0, &err) == NULL);
    UNIT_TRUE("60 s where none is given", r.clk.now_ns >= 61 * NS_PER_S);
    UNIT_TRUE("... and not much more", r.clk.now_ns <= 63 * NS_PER_S);
    UNIT_EQ_I64("", err.kind, ERR_SURROUNDINGS);
    rig_release(&r);
}

static void test_registry(void)
{
    db_registry_check();
    CU_ASSERT_PTR_NOT_NULL_FATAL(db_find("pq"));
    UNIT_EQ_STR("", db_find("pq")->name, "pq");
    UNIT_TRUE("", db_find("null") != NULL);
    UNIT_TRUE("", db_find("oracle") == NULL);
}

static const struct unit_test tests[] = {
    {"deadline cancels", test_deadline_cancels},
    {"deaf server is cut", test_deaf_server_is_cut},
    {"cut by the backend", test_cut_by_backend},
    {"stop", test_stop},
    {"stop at two", test_stop_at_two},
    {"stop of session", test_stop_of_session},
    {"connect stop", test_connect_stop},
    {"stop meanwhile", test_stop_meanwhile},
    {"own error", test_own_error},
    {"connect deadline", test_connect_deadline},
    {"registry", test_registry},
};
const struct unit_suite session_suite = UNIT_SUITE("session", tests);
