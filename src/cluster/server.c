/*
 * The private server's process. It is launched directly (not by pg_ctl), so that it is a child of
 * ours in a session of its own: a Ctrl-C on our terminal does not reach it, its end is seen at
 * once, and it survives us, to be found by the next start. Every wait is a poll with a bound that
 * looks at the stop flag.
 */
#include "cluster/server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/units.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "cluster/memory.h"
#include "cluster/postmaster.h"
#include "cluster/socket_dir.h"
#include "drive/hostload.h"

enum {
    LEFTOVERS_MAX = 1024,
    SEGMENT_BYTES = 16 * 1024 * 1024,
    LOG_MAX_BYTES = 8 * 1024 * 1024,
    FULL_BELOW_BYTES = 32 * 1024 * 1024, /* two WAL segments */
};

static const uint64_t poll_ns = 20 * NS_PER_MS;
static const uint64_t moment_ns = 500 * NS_PER_MS;
static const uint64_t tell_ns = 500 * NS_PER_MS;
static const uint64_t recovery_default_ns = 30 * 60 * NS_PER_S;
static const uint64_t stop_floor_ns = 60 * NS_PER_S;
static const uint64_t stop_bytes_per_s = 20 * 1000 * 1000; /* a slow drive writing the buffer out */
static const uint64_t hard_ns = 10 * NS_PER_S;             /* after each harder signal */

/* A wait that tells how long it takes. */
struct wait {
    struct cluster *c;
    const char *step;
    const char *unit;
    uint64_t start_ns, told_ns;
    uint64_t done, total;
};

static struct wait wait_begin(struct cluster *c, const char *step)
{
    const uint64_t now_ns = clock_now_ns(c->opts.clock);

    return (struct wait){
        .c = c, .step = step, .unit = "bytes", .start_ns = now_ns, .told_ns = now_ns};
}

static uint64_t wait_elapsed_ns(const struct wait *w)
{
    return clock_now_ns(w->c->opts.clock) - w->start_ns;
}

/* True where it is time to look how far things are, and to tell. */
static bool wait_is_due(struct wait *w)
{
    const uint64_t now_ns = clock_now_ns(w->c->opts.clock);

    if (now_ns - w->told_ns < tell_ns)
        return false;
    w->told_ns = now_ns;
    return true;
}

static void wait_tell(const struct wait *w)
{
    const struct progress p = {.step = w->step,
                               .unit = w->unit,
                               .done = w->done,
                               .total = w->total,
                               .elapsed_ns = wait_elapsed_ns(w)};

    if (w->c->opts.on_progress)
        w->c->opts.on_progress(&p, w->c->opts.ctx);
}

static void pause_poll(const struct cluster *c)
{
    clock_sleep_until_ns(c->opts.clock, clock_now_ns(c->opts.clock) + poll_ns);
}

/* What failed for want of room may have given back what it took by the time we look. */
static bool says_full(const struct err *err)
{
    return strcmp(err->sqlstate, "53100") == 0 || err->sys_errno == ENOSPC ||
           strstr(err->text, strerror(ENOSPC));
}

bool server_drive_full(const struct cluster *c, struct err *err)
{
    struct statvfs vfs;
    const bool known = statvfs(c->layout.drive, &vfs) == 0;
    const uint64_t free_bytes = known ? (uint64_t)vfs.f_bavail * vfs.f_frsize : UINT64_MAX;

    if (free_bytes >= FULL_BELOW_BYTES && !says_full(err))
        return false;
    (void)err_wrap(err, "the file system of %s is full: make room, or take fewer warehouses",
                   c->layout.drive);
    return true;
}

/* "it did not start", with what it said, and the full drive in front where that is the cause. */
static int tell_why(const struct cluster *c, const char *what, struct err *err)
{
    char *words = postmaster_last_words(c->layout.log, c->server.log_from);

    (void)err_set(err, ERR_SURROUNDINGS, "%s: %s (see %s)", what, words ? words : "it said nothing",
                  c->layout.log);
    free(words);
    (void)server_drive_full(c, err);
    return -1;
}

/* Notes where this start's lines begin; an old log of some size makes room first. */
static int open_chapter(struct cluster *c, struct err *err)
{
    struct stat st;
    const bool there = lstat(c->layout.log, &st) == 0;

    c->server.log_from = there ? (uint64_t)st.st_size : 0;
    if (!there || st.st_size < LOG_MAX_BYTES)
        return 0;
    c->server.log_from = 0;
    return layout_rename(&c->layout, LAYOUT_LOG, LAYOUT_LOG_OLD, err);
}

static void forget(struct cluster *c)
{
    c->server.pid = 0;
    c->server.child = false;
}

/* True where the postmaster has ended (a child is not reaped by this). */
static bool has_ended(const struct cluster *c)
{
    siginfo_t info = {0};

    if (c->server.pid == 0)
        return true;
    if (!c->server.child)
        return !postmaster_lives(&c->root, c->layout.data, c->server.pid);
    return waitid(P_PID, (id_t)c->server.pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
           info.si_pid == c->server.pid;
}

bool server_alive(const struct cluster *c)
{
    return !has_ended(c);
}

bool server_gone_soon(const struct cluster *c)
{
    const uint64_t until_ns = clock_now_ns(c->opts.clock) + moment_ns;

    while (!has_ended(c) && clock_now_ns(c->opts.clock) < until_ns)
        pause_poll(c);
    return has_ended(c);
}

static void reap(struct cluster *c)
{
    int status = 0;

    if (c->server.child && c->server.pid > 0)
        while (waitpid(c->server.pid, &status, 0) < 0 && errno == EINTR)
            continue;
    forget(c);
}

/* Waits until it has ended or the bound; level is that of the stop flag at which to wait no more.
 */
static bool await_end(struct cluster *c, struct wait *w, uint64_t bound_ns, int level)
{
    const uint64_t until_ns = clock_now_ns(c->opts.clock) + bound_ns;

    while (!has_ended(c)) {
        if (clock_now_ns(c->opts.clock) >= until_ns || stop_level(c->opts.stop) >= level)
            return false;
        if (wait_is_due(w))
            wait_tell(w);
        pause_poll(c);
    }
    return true;
}

/* Signals all processes in the data directory; how many there were. */
static size_t signal_all(const struct cluster *c, int sig)
{
    pid_t pids[LEFTOVERS_MAX];
    const size_t n = postmaster_processes(&c->root, c->layout.data, pids, LEFTOVERS_MAX);

    for (size_t i = 0; i < n && i < LEFTOVERS_MAX; i++)
        (void)kill(pids[i], sig);
    return n;
}

/* Waits for what a postmaster that was killed has left, and ends it. */
static int clear_leftovers(struct cluster *c, struct err *err)
{
    static const int signals[] = {0, SIGQUIT, SIGKILL};
    size_t n = signal_all(c, 0);

    for (size_t i = 0; n > 0 && i < ARRAY_LEN(signals); i++) {
        const uint64_t until_ns = clock_now_ns(c->opts.clock) + hard_ns;

        n = signal_all(c, signals[i]);
        while (n > 0 && clock_now_ns(c->opts.clock) < until_ns && stop_level(c->opts.stop) < 2) {
            pause_poll(c);
            n = signal_all(c, 0);
        }
    }
    if (n == 0)
        return 0;
    return err_set(err, ERR_SURROUNDINGS, "%zu processes of an earlier server in %s do not end", n,
                   c->layout.data);
}

int server_stop(struct cluster *c, struct err *err)
{
    struct wait w = wait_begin(c, "stop");
    const uint64_t bound_ns = stop_floor_ns + c->server.buffer_bytes / stop_bytes_per_s * NS_PER_S;
    bool ended = has_ended(c);

    if (c->server.pid == 0) {
        memory_let_go(c);
        return 0;
    }
    (void)memgroup_kills(&c->root, &c->memory.group); /* a scope of systemd's goes with it */
    if (!ended && kill(c->server.pid, SIGINT) == 0)
        ended = await_end(c, &w, bound_ns, 2);
    if (!ended) {
        log_line(c->opts.log, LOG_WARN,
                 "the private server does not end: stopped at once, it will "
                 "recover at its next start");
        if (kill(c->server.pid, SIGQUIT) == 0)
            ended = await_end(c, &w, hard_ns, 100);
    }
    if (!ended) {
        (void)signal_all(c, SIGKILL);
        ended = await_end(c, &w, hard_ns, 100);
    }
    if (!ended)
        return err_set(err, ERR_SURROUNDINGS,
                       "the private server (process %jd) does not end: its drive may hang",
                       (intmax_t)c->server.pid);
    reap(c);
    if (clear_leftovers(c, err) < 0)
        return -1;
    memory_let_go(c);
    return 0;
}

/* How far recovery is, from the segment it replays and the newest there is. */
struct recovery {
    uint64_t first, last;
    bool started;
    bool last_known;
};

static void look_at_recovery(struct wait *w, struct recovery *r)
{
    const struct cluster *c = w->c;
    uint64_t now = 0;

    if (!postmaster_replaying(&c->root, c->layout.data, &now))
        return;
    if (!r->started) {
        r->started = true;
        r->first = now;
        log_line(c->opts.log, LOG_INFO, "the private server was not stopped cleanly: recovering");
    }
    w->done = (now - r->first) * SEGMENT_BYTES;
    if (r->last_known && r->last >= now)
        w->total = (r->last - r->first + 1) * SEGMENT_BYTES;
}

static int end_launch(struct cluster *c, struct err *err)
{
    struct err also = {0};

    if (server_stop(c, &also) < 0)
        log_line(c->opts.log, LOG_ERROR, "%s", also.text);
    CHECK(err->kind != ERR_NONE);
    return -1;
}

static int await_ready(struct cluster *c, struct err *err)
{
    const uint64_t bound_ns =
        c->opts.recovery_timeout_ns ? c->opts.recovery_timeout_ns : recovery_default_ns;
    struct wait w = wait_begin(c, "recovery");
    struct recovery r = {0};
    struct postmaster pm;
    char bound[32];

    r.last_known = postmaster_newest_wal(c->layout.data, &r.last);
    for (;;) {
        if (postmaster_read(&c->root, c->layout.data, &pm) && pm.pid == c->server.pid && pm.ready)
            return 0;
        if (has_ended(c)) {
            (void)tell_why(c, "the private server did not start", err);
            memory_explain(c, err);
            reap(c);
            memory_let_go(c);
            return -1;
        }
        if (stop_level(c->opts.stop) > 0) {
            (void)err_set(err, ERR_INTERRUPTED, "interrupted while the private server started");
            return end_launch(c, err);
        }
        if (wait_elapsed_ns(&w) >= bound_ns) {
            units_format_duration(bound_ns, bound, sizeof(bound));
            (void)err_set(err, ERR_SURROUNDINGS,
                          "the private server did not recover within %s: give it more with "
                          "server.recovery-timeout (see %s)",
                          bound, c->layout.log);
            return end_launch(c, err);
        }
        if (wait_is_due(&w)) {
            look_at_recovery(&w, &r);
            wait_tell(&w);
        }
        pause_poll(c);
    }
}

/* The first place where it may be; what the user can't reach would be of no use to him. */
static char *make_socket_dir(const struct cluster *c, struct err *err)
{
    const char *const for_root[] = {"/run", "/tmp", NULL};
    const char *const for_others[] = {"/tmp", NULL};

    return socket_dir_make(geteuid() == 0 ? for_root : for_others, c->user.uid, c->user.gid, err);
}

/* No process lives in the data directory and we hold the lock: a postmaster.pid is a dead one's,
 * even where its number means something else by now, over which PostgreSQL would refuse. */
static int drop_pid_file(const struct cluster *c, struct err *err)
{
    char *path = xasprintf("%s/postmaster.pid", c->layout.data);
    int rc = 0;

    if (unlink(path) < 0 && errno != ENOENT)
        rc = err_sys(err, errno, "can't remove %s", path);
    free(path);
    return rc;
}

int server_launch(struct cluster *c, char *const *settings, struct err *err)
{
    const char *const env[] = {"LC_ALL=C", "TZ=UTC", NULL};
    VEC(const char *) argv = {0};
    struct proc_opts opts = {.env = env, .output_path = c->layout.log};
    char *program = xasprintf("%s/postgres", c->programs.bin_dir);
    char *port = xasprintf("port=%d", SOCKET_PORT);
    char *socket = NULL;
    int rc = -1;

    CHECK(c->server.pid == 0);
    if (clear_leftovers(c, err) < 0 || drop_pid_file(c, err) < 0 || open_chapter(c, err) < 0)
        goto out;
    memory_let_go(c);
    if (!c->server.socket_dir)
        c->server.socket_dir = make_socket_dir(c, err);
    if (!c->server.socket_dir)
        goto out;
    socket = xasprintf("unix_socket_directories=%s", c->server.socket_dir);
    VEC_PUSH(&argv, program);
    VEC_PUSH(&argv, "-D");
    VEC_PUSH(&argv, c->layout.data);
    VEC_PUSH(&argv, "-c");
    VEC_PUSH(&argv, port);
    VEC_PUSH(&argv, "-c");
    VEC_PUSH(&argv, socket);
    for (; settings && *settings; settings++) {
        VEC_PUSH(&argv, "-c");
        VEC_PUSH(&argv, *settings);
    }
    VEC_PUSH(&argv, NULL);
    opts.argv = argv.at;
    if (c->memory.wanted_bytes) {
        opts.place = memory_place;
        opts.place_ctx = c;
    }
    server_user_apply(&c->user, &opts);
    if (proc_spawn(&opts, &c->server.pid, err) < 0)
        goto out;
    c->server.child = true;
    rc = await_ready(c, err);
out:
    VEC_RELEASE(&argv);
    free(socket);
    free(port);
    free(program);
    return rc;
}

void server_attach(struct cluster *c, pid_t pid, const char *socket_dir)
{
    CHECK(c->server.pid == 0);
    c->server.pid = pid;
    c->server.child = false;
    c->server.socket_dir = xstrdup(socket_dir);
    memory_attach(c);
}

/* Bytes that the machine has yet to write out: what a sync waits for, give or take other writers.
 */
static uint64_t dirty_bytes(const struct cluster *c)
{
    uint64_t bytes = 0;

    return hostload_dirty(&c->root, &bytes) ? bytes : 0;
}

static int await_program(struct cluster *c, pid_t pid, const char *step, struct err *err)
{
    struct wait w = wait_begin(c, step);
    int status = 0;
    bool asked = false;

    w.total = dirty_bytes(c);
    while (!proc_ended(pid, &status)) {
        if (stop_level(c->opts.stop) > 0 && !asked)
            asked = kill(pid, SIGTERM) == 0;
        if (stop_level(c->opts.stop) > 1)
            (void)kill(pid, SIGKILL);
        if (wait_is_due(&w)) {
            const uint64_t left = dirty_bytes(c);

            w.done = left < w.total && w.total - left > w.done ? w.total - left : w.done;
            wait_tell(&w);
        }
        pause_poll(c);
    }
    if (status != 0 && asked)
        return err_set(err, ERR_INTERRUPTED, "interrupted in %s", step);
    return status == 0 ? 0 : tell_why(c, step, err);
}

int server_run_program(struct cluster *c, const char *const *argv, const char *step,
                       struct err *err)
{
    const char *const env[] = {"LC_ALL=C", "TZ=UTC", NULL};
    char *program = xasprintf("%s/%s", c->programs.bin_dir, argv[0]);
    VEC(const char *) args = {0};
    struct proc_opts opts = {.env = env, .output_path = c->layout.log};
    pid_t pid = 0;
    int rc = -1;

    VEC_PUSH(&args, program);
    for (size_t i = 1; argv[i]; i++)
        VEC_PUSH(&args, argv[i]);
    VEC_PUSH(&args, NULL);
    opts.argv = args.at;
    server_user_apply(&c->user, &opts);
    if (open_chapter(c, err) == 0 && proc_spawn(&opts, &pid, err) == 0)
        rc = await_program(c, pid, step, err);
    VEC_RELEASE(&args);
    free(program);
    return rc;
}
