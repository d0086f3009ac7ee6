/*
 * base/proc: children end when we do, however we end, and when we are asked to stop.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

/* True once the process (no child of ours) has ended, within 10 s. */
static bool ends(pid_t pid)
{
    const int fd = pidfd_open(pid, 0);
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    const bool ended = fd < 0 || poll(&poll_fd, 1, 10000) == 1;

    if (fd >= 0)
        (void)close(fd);
    return ended;
}

struct tied {
    const char *script;
    bool tied, placed; /* placed: by stop_it() */
    int told_fd;
};

/* A place: tells which process it is, and has it stand still. */
static int stop_it(pid_t pid, void *ctx, struct err *err)
{
    const struct tied *t = ctx;

    (void)err;
    CHECK(write(t->told_fd, &pid, sizeof(pid)) == (ssize_t)sizeof(pid));
    return kill(pid, SIGSTOP);
}

/* In a process of its own: starts a program, tells its number, and waits to be killed. */
NORETURN static void start_and_wait(struct tied *t)
{
    const char *const argv[] = {"/bin/sh", "-c", t->script, NULL};
    const struct proc_opts opts = {
        .argv = argv, .dies_with_us = t->tied, .place = t->placed ? stop_it : NULL, .place_ctx = t};
    pid_t pid = -1;

    if (proc_spawn(&opts, &pid, NULL) == 0)
        (void)!write(t->told_fd, &pid, sizeof(pid));
    for (;;)
        (void)pause();
}

/* What it started, once it is killed itself (by KILL, so that it can do nothing about it). */
static pid_t killed_starter(struct tied *t)
{
    int fds[2];
    pid_t pid = -1;
    pid_t starter = -1;

    CHECK(pipe(fds) == 0);
    t->told_fd = fds[1];
    starter = fork();
    CHECK(starter >= 0);
    if (starter == 0)
        start_and_wait(t);
    CHECK(read(fds[0], &pid, sizeof(pid)) == (ssize_t)sizeof(pid));
    (void)kill(starter, SIGKILL);
    CHECK(waitpid(starter, NULL, 0) == starter);
    (void)close(fds[0]);
    (void)close(fds[1]);
    return pid;
}

static void test_dies_with_us(void)
{
    struct tied tied = {.script = "exec sleep 60", .tied = true};
    struct tied alone = {.script = "exec sleep 60"};
    pid_t pid = killed_starter(&alone);

    UNIT_TRUE("what is not tied lives on", kill(pid, 0) == 0);
    (void)kill(pid, SIGKILL);
    pid = killed_starter(&tied);
    UNIT_TRUE("the tied one ends", ends(pid));
}

/* The child stands still before it can be tied, until its parent has gone. */
static void test_dies_with_us_already_dead(void)
{
    char *dir = tmpdir_new();
    char *mark = xasprintf("%s/mark", dir);
    char *script = xasprintf("touch %s", mark);
    struct tied tied = {.script = script, .tied = true, .placed = true};
    const pid_t pid = killed_starter(&tied);

    (void)kill(pid, SIGCONT);
    UNIT_TRUE("", ends(pid));
    UNIT_TRUE("the program was not run", access(mark, F_OK) < 0);
    free(script);
    free(mark);
    tmpdir_free(dir);
}

/* A stop, and how often it was said that it is not heeded yet: then it is asked once more. */
struct asked {
    struct stop stop;
    int waits;
};

static void note_wait(void *ctx)
{
    struct asked *a = ctx;

    a->waits++;
    stop_ask(&a->stop);
}

static void test_stopped(void)
{
    static const struct {
        const char *what, *script;
        int from, asked; /* levels */
        int rc, waits;
    } rows[] = {
        {"ended by TERM", "exec sleep 60", 0, 1, -1, 0},
        {"at the second level KILL", "trap '' TERM; for i in 1 2 3; do sleep 20; done", 0, 2, -1,
         0},
        {"told of, then stopped at the second", "exec sleep 60", 2, 1, -1, 1},
        {"not asked", "exit 0", 2, 0, 0, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct asked a = {.waits = 0};
        const char *const argv[] = {"/bin/sh", "-c", rows[i].script, NULL};
        const struct proc_opts opts = {.argv = argv,
                                       .stop = &a.stop,
                                       .stop_from = rows[i].from,
                                       .waits = note_wait,
                                       .waits_ctx = &a,
                                       .grace_ns = 60 * NS_PER_S};
        const uint64_t start_ns = clock_now_ns(clock_system());
        struct err err = {0};
        int status = -1;

        for (int k = 0; k < rows[i].asked; k++)
            stop_ask(&a.stop);
        UNIT_EQ_I64(rows[i].what, proc_run(&opts, &status, NULL, &err), rows[i].rc);
        UNIT_EQ_I64(rows[i].what, a.waits, rows[i].waits);
        if (rows[i].rc < 0) {
            UNIT_EQ_I64(rows[i].what, err.kind, ERR_INTERRUPTED);
            UNIT_EQ_STR(rows[i].what, err.text, "interrupted: /bin/sh was stopped");
        }
        UNIT_TRUE(rows[i].what, clock_now_ns(clock_system()) - start_ns < 30 * NS_PER_S);
    }
}

static const struct unit_test tests[] = {
    {"dies with us", test_dies_with_us},
    {"dies with us, already dead", test_dies_with_us_already_dead},
    {"stopped", test_stopped},
};
const struct unit_suite proc_end_suite = UNIT_SUITE("proc_end", tests);
