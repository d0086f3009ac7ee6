/*
 * base/proc: output, exit codes, environment, user, time limit, and that a child gets nothing of
 * ours that it should not have. The children are /bin/sh scripts.
 */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

/* Runs a shell script with these options (argv is set here); the output is out->buf. */
static int run_sh(const char *script, struct proc_opts opts, int *status, struct strbuf *out,
                  struct err *err)
{
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};

    opts.argv = argv;
    strbuf_init(out);
    return proc_run(&opts, status, out, err);
}

/* As above, expecting it to end well with this output. */
static void expect(const char *script, struct proc_opts opts, const char *output)
{
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    UNIT_EQ_I64(script, run_sh(script, opts, &status, &out, &err), 0);
    UNIT_EQ_I64(script, status, 0);
    UNIT_EQ_STR(script, out.buf, output);
    strbuf_release(&out);
}

static void test_captures_output_and_error(void)
{
    expect("echo one; echo two >&2; echo three", (struct proc_opts){0}, "one\ntwo\nthree\n");
}

static void test_captures_more_than_a_pipe_holds(void)
{
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    UNIT_EQ_I64("",
                run_sh("head -c 1000000 /dev/zero | tr '\\0' x", (struct proc_opts){0}, &status,
                       &out, &err),
                0);
    UNIT_EQ_U64("", out.len, 1000000);
    strbuf_release(&out);
}

static void test_standard_input_is_empty(void)
{
    expect("cat; echo end", (struct proc_opts){0}, "end\n");
}

static void test_exit_codes(void)
{
    static const struct {
        const char *script;
        int status;
    } rows[] = {{"exit 0", 0}, {"exit 3", 3}, {"kill -9 $$", 137}, {"kill -TERM $$", 143}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct strbuf out;
        struct err err = {0};
        int status = -1;

        UNIT_EQ_I64(rows[i].script,
                    run_sh(rows[i].script, (struct proc_opts){0}, &status, &out, &err), 0);
        UNIT_EQ_I64(rows[i].script, status, rows[i].status);
        strbuf_release(&out);
    }
}

static void test_program_is_looked_up_in_path(void)
{
    const char *const argv[] = {"printf", "%s-%s", "a b", "$HOME;`id`", NULL};
    const struct proc_opts opts = {.argv = argv};
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    strbuf_init(&out);
    UNIT_EQ_I64("", proc_run(&opts, &status, &out, &err), 0);
    UNIT_EQ_STR("arguments are not looked at by a shell", out.buf, "a b-$HOME;`id`");
    strbuf_release(&out);
}

static void test_cannot_run(void)
{
    static const struct {
        const char *program;
        const char *cwd;
        const char *message;
    } rows[] = {
        {"/nonexistent/x", NULL, "can't run /nonexistent/x: No such file or directory"},
        {"no-such-program", NULL, "can't run no-such-program: No such file or directory"},
        {"/etc/passwd", NULL, "can't run /etc/passwd: Permission denied"},
        {"/bin/true", "/nonexistent",
         "can't start /bin/true in /nonexistent: "
         "No such file or directory"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const char *const argv[] = {rows[i].program, NULL};
        const struct proc_opts opts = {.argv = argv, .cwd = rows[i].cwd};
        struct err err = {0};
        int status = -1;

        UNIT_EQ_I64(rows[i].program, proc_run(&opts, &status, NULL, &err), -1);
        UNIT_EQ_STR(rows[i].program, err.text, rows[i].message);
        UNIT_EQ_I64(rows[i].program, err.kind, ERR_SURROUNDINGS);
    }
    UNIT_TRUE("no child is left", waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static void test_working_directory(void)
{
    expect("pwd", (struct proc_opts){0}, "/\n");
    expect("pwd", (struct proc_opts){.cwd = "/usr"}, "/usr\n");
}

static void test_environment(void)
{
    const char *const env[] = {"PROC_TEST_NEW=with = sign", "PROC_TEST_OURS=replaced", NULL};
    const struct proc_opts opts = {.env = env};

    (void)setenv("PROC_TEST_OURS", "ours", 1);
    (void)setenv("PROC_TEST_OURS_TOO", "too", 1);
    expect("echo $PROC_TEST_OURS", (struct proc_opts){0}, "ours\n");
    expect(
        "echo $PROC_TEST_NEW $PROC_TEST_OURS $PROC_TEST_OURS_TOO; env | grep -c ^PROC_TEST_OURS=",
        opts, "with = sign replaced too\n1\n");
    (void)unsetenv("PROC_TEST_OURS");
    (void)unsetenv("PROC_TEST_OURS_TOO");
}

/* A line of /proc/PID/status in hexadecimal. */
static uint64_t status_mask(const char *status, const char *name)
{
    const char *line = strstr(status, name);

    return line ? strtoull(line + strlen(name), NULL, 16) : UINT64_MAX;
}

/* Masks of the child itself; cat is not a shell, which would change them. */
static void test_signals_are_as_new(void)
{
    const char *const argv[] = {"/bin/cat", "/proc/self/status", NULL};
    const struct proc_opts opts = {.argv = argv};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction old;
    sigset_t some;
    sigset_t before;
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    (void)sigemptyset(&some);
    (void)sigaddset(&some, SIGINT);
    (void)sigaddset(&some, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &some, &before);
    (void)sigaction(SIGPIPE, &ignore, &old);
    strbuf_init(&out);
    UNIT_EQ_I64("", proc_run(&opts, &status, &out, &err), 0);
    (void)sigaction(SIGPIPE, &old, NULL);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    UNIT_EQ_U64("mask", status_mask(out.buf, "SigBlk:"), 0);
    /* Without 32 and 33, which belong to the C library and which it lets nobody change. */
    UNIT_EQ_U64("ignored", status_mask(out.buf, "SigIgn:") & ~UINT64_C(0x180000000), 0);
    strbuf_release(&out);
}

static void test_own_session(void)
{
    struct strbuf out;
    struct err err = {0};
    int status = -1;
    char ours[32];

    /* Field 6 of stat is the session. */
    UNIT_EQ_I64("",
                run_sh("set -- $(cat /proc/$$/stat); [ $6 = $$ ] && echo leads; echo $6",
                       (struct proc_opts){0}, &status, &out, &err),
                0);
    (void)snprintf(ours, sizeof(ours), "\n%d\n", (int)getsid(0));
    UNIT_TRUE("", strncmp(out.buf, "leads\n", 6) == 0);
    UNIT_TRUE("", strstr(out.buf, ours) == NULL);
    strbuf_release(&out);
}

static void test_no_descriptor_is_inherited(void)
{
    const int leak = open("/dev/null", O_RDONLY); /* not close-on-exec, on purpose */
    const int high = dup2(leak, 200);

    UNIT_TRUE("", leak >= 0 && high == 200);
    /* 3 is the one with which ls reads the directory. */
    expect("exec ls /proc/self/fd", (struct proc_opts){0}, "0\n1\n2\n3\n");
    (void)close(leak);
    (void)close(high);
}

static void test_as_user(void)
{
    const struct proc_opts opts = {.as_user = true, .uid = 65534, .gid = 65534, .user = "nobody"};
    gid_t groups[64];
    int n_groups = 0;
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    if (geteuid() != 0) { /* then it can only be refused */
        UNIT_EQ_I64("", run_sh("true", opts, &status, &out, &err), -1);
        UNIT_EQ_STR("", err.text, "can't start /bin/sh as user nobody: Operation not permitted");
        strbuf_release(&out);
        return;
    }
    n_groups = getgroups(ARRAY_LEN(groups), groups);
    CHECK(n_groups >= 0);
    CHECK(setgroups(1, &(gid_t){4242}) == 0); /* it must not inherit ours */
    expect("id -u; id -g; id -G; grep -c '^CapEff:.0*$' /proc/self/status", opts,
           "65534\n65534\n65534\n1\n");
    expect("id -u; id -G", (struct proc_opts){.as_user = true, .uid = 12345, .gid = 54321},
           "12345\n54321\n");
    CHECK(setgroups((size_t)n_groups, groups) == 0);
}

static void test_as_ourselves(void)
{
    char want[64];

    (void)snprintf(want, sizeof(want), "%d\n%d\n", (int)geteuid(), (int)getegid());
    expect("id -u; id -g", (struct proc_opts){.as_user = true, .uid = geteuid(), .gid = getegid()},
           want);
}

static void test_output_file_is_appended_to(void)
{
    char *dir = tmpdir_new();
    char *path = xasprintf("%s/log", dir);
    struct fsroot root;
    char *text = NULL;

    tmpdir_write(dir, "/log", "before\n");
    expect("echo out; echo err >&2", (struct proc_opts){.output_path = path}, "");
    fsroot_init(&root, dir);
    text = fsroot_read(&root, "/log", 100, NULL);
    UNIT_EQ_STR("", text, "before\nout\nerr\n");
    free(text);
    fsroot_release(&root);
    free(path);
    tmpdir_free(dir);
}

static void test_output_through_a_link_is_refused(void)
{
    char *dir = tmpdir_new();
    char *path = xasprintf("%s/log", dir);
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    tmpdir_write(dir, "/precious", "x");
    tmpdir_symlink(dir, "/log", "precious");
    UNIT_EQ_I64("", run_sh("echo y", (struct proc_opts){.output_path = path}, &status, &out, &err),
                -1);
    UNIT_EQ_I64("", err.sys_errno, ELOOP);
    strbuf_release(&out);
    free(path);
    tmpdir_free(dir);
}

/* Whether a process that is not our child is gone, or a zombie that nobody has collected. */
static bool gone(long pid)
{
    struct fsroot machine;
    char *path = xasprintf("/proc/%ld/stat", pid);
    char *line = NULL;
    bool is_gone = false;

    fsroot_init(&machine, "");
    line = fsroot_read_line(&machine, path);
    is_gone = !line || strstr(line, ") Z ");
    free(line);
    free(path);
    fsroot_release(&machine);
    return is_gone;
}

static void test_time_limit(void)
{
    const uint64_t start_ns = clock_now_ns(clock_system());
    struct strbuf out;
    struct err err = {0};
    long sleeper = 0;
    char *end = NULL;
    int status = -1;

    UNIT_EQ_I64("",
                run_sh("sleep 100 & echo $!; wait; echo late",
                       (struct proc_opts){.timeout_ns = 200 * NS_PER_MS}, &status, &out, &err),
                -1);
    UNIT_EQ_STR("", err.text, "/bin/sh did not end within 0.2 s and was stopped");
    sleeper = strtol(out.buf, &end, 10);
    UNIT_EQ_STR("what it said is kept", end, "\n");
    for (int i = 0; i < 1000 && !gone(sleeper); i++)
        clock_sleep_until_ns(clock_system(), clock_now_ns(clock_system()) + NS_PER_MS);
    UNIT_TRUE("its children end too", gone(sleeper));
    UNIT_TRUE("TERM was enough", clock_now_ns(clock_system()) - start_ns < 4 * NS_PER_S);
    UNIT_TRUE("no child is left", waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    strbuf_release(&out);
}

static void test_time_limit_against_the_stubborn(void)
{
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    UNIT_EQ_I64(
        "",
        run_sh("trap '' TERM; while :; do sleep 1; done",
               (struct proc_opts){.timeout_ns = 200 * NS_PER_MS, .grace_ns = 100 * NS_PER_MS},
               &status, &out, &err),
        -1);
    UNIT_TRUE("no child is left", waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    strbuf_release(&out);
}

/* As pg_ctl does: it ends, and a server that it started keeps our pipe open. */
static void test_a_server_left_running_is_not_waited_for(void)
{
    const uint64_t start_ns = clock_now_ns(clock_system());
    struct strbuf out;
    struct err err = {0};
    int status = -1;
    pid_t server = 0;

    UNIT_EQ_I64("", run_sh("sleep 60 & echo $!", (struct proc_opts){0}, &status, &out, &err), 0);
    UNIT_TRUE("", clock_now_ns(clock_system()) - start_ns < 30 * NS_PER_S);
    server = (pid_t)strtol(out.buf, NULL, 10);
    if (UNIT_TRUE("", server > 1))
        (void)kill(server, SIGKILL);
    strbuf_release(&out);
}

static void test_spawn(void)
{
    const char *const argv[] = {"/bin/sh", "-c", "exec sleep 60", NULL};
    const struct proc_opts opts = {.argv = argv};
    struct err err = {0};
    pid_t pid = 0;
    int status = -1;

    UNIT_EQ_I64("", proc_spawn(&opts, &pid, &err), 0);
    UNIT_TRUE("still runs", !proc_ended(pid, &status));
    (void)kill(pid, SIGKILL);
    for (int i = 0; i < 1000 && !proc_ended(pid, &status); i++)
        clock_sleep_until_ns(clock_system(), clock_now_ns(clock_system()) + 10 * NS_PER_MS);
    UNIT_EQ_I64("", status, 137);
}

static void test_spawn_of_nothing(void)
{
    const char *const argv[] = {"/nonexistent", NULL};
    const struct proc_opts opts = {.argv = argv};
    struct err err = {0};
    pid_t pid = 0;

    UNIT_EQ_I64("", proc_spawn(&opts, &pid, &err), -1);
    UNIT_EQ_STR("", err.text, "can't run /nonexistent: No such file or directory");
}

/* What was seen of the child while it waited. */
struct placed {
    pid_t pid;
    bool still_us, fails;
};

static int note_place(pid_t pid, void *ctx, struct err *err)
{
    struct placed *p = ctx;
    char *path = xasprintf("/proc/%jd/exe", (intmax_t)pid);
    char theirs[256] = "";
    char ours[256] = "-";

    if (readlink(path, theirs, sizeof(theirs) - 1) < 0 ||
        readlink("/proc/self/exe", ours, sizeof(ours) - 1) < 0)
        theirs[0] = 0;
    p->pid = pid;
    p->still_us = strcmp(theirs, ours) == 0;
    free(path);
    return p->fails ? err_set(err, ERR_SURROUNDINGS, "no place") : 0;
}

static void test_placed_before_it_runs(void)
{
    struct placed placed = {0};
    struct strbuf out;
    struct err err = {0};
    char want[32];
    int status = -1;

    UNIT_EQ_I64("",
                run_sh("echo $$", (struct proc_opts){.place = note_place, .place_ctx = &placed},
                       &status, &out, &err),
                0);
    (void)snprintf(want, sizeof(want), "%jd\n", (intmax_t)placed.pid);
    UNIT_EQ_STR("", out.buf, want);
    UNIT_TRUE("not yet the program", placed.still_us);
    strbuf_release(&out);
}

static void test_not_placed_not_run(void)
{
    struct placed placed = {.fails = true};
    struct strbuf out;
    struct err err = {0};
    int status = -1;

    UNIT_EQ_I64("",
                run_sh("echo ran", (struct proc_opts){.place = note_place, .place_ctx = &placed},
                       &status, &out, &err),
                -1);
    UNIT_EQ_STR("", err.text, "no place");
    UNIT_EQ_U64("", out.len, 0);
    UNIT_TRUE("gone", kill(placed.pid, 0) < 0 && errno == ESRCH);
    strbuf_release(&out);
}

/* Reads from a pipe that does not block until n bytes are there, 10 s at most. */
static void read_exactly(int fd, char *buf, size_t n)
{
    size_t got = 0;

    buf[0] = 0;
    for (int i = 0; i < 10000 && got < n; i++) {
        const ssize_t more = read(fd, buf + got, n - got);

        if (more > 0)
            got += (size_t)more;
        else
            clock_sleep_until_ns(clock_system(), clock_now_ns(clock_system()) + NS_PER_MS);
    }
    buf[got] = 0;
}

static void test_open_talks_by_pipes(void)
{
    const char *const argv[] = {"/bin/sh", "-c",
                                "read a; echo \"got $a\"; echo wrong >&2; read b; exit 7", NULL};
    const struct proc_opts opts = {.argv = argv};
    struct proc_pipes pipes;
    struct err err = {0};
    char buf[32];
    pid_t pid = -1;

    if (!UNIT_TRUE(err.text, proc_open(&opts, &pid, &pipes, &err) == 0))
        return;
    UNIT_TRUE("nothing yet, and no waiting", read(pipes.out, buf, 1) < 0 && errno == EAGAIN);
    UNIT_EQ_I64("", write(pipes.in, "this\n", 5), 5);
    read_exactly(pipes.out, buf, strlen("got this\n"));
    UNIT_EQ_STR("", buf, "got this\n");
    read_exactly(pipes.err, buf, strlen("wrong\n"));
    UNIT_EQ_STR("", buf, "wrong\n");
    UNIT_EQ_I64("its input ends", proc_close(pid, &pipes, 10 * NS_PER_S), 7);
    UNIT_TRUE("closed", pipes.in < 0 && pipes.out < 0 && pipes.err < 0);
}

static void test_close_ends_the_unwilling(void)
{
    const char *const argv[] = {"sleep", "60", NULL};
    const struct proc_opts opts = {.argv = argv};
    struct proc_pipes pipes;
    struct err err = {0};
    pid_t pid = -1;

    if (!UNIT_TRUE(err.text, proc_open(&opts, &pid, &pipes, &err) == 0))
        return;
    UNIT_EQ_I64("", proc_close(pid, &pipes, NS_PER_MS), 128 + SIGTERM);
    UNIT_TRUE("gone", kill(pid, 0) < 0 && errno == ESRCH);
}

static void test_open_of_nothing(void)
{
    const char *const argv[] = {"/nonexistent/x", NULL};
    const struct proc_opts opts = {.argv = argv};
    struct proc_pipes pipes;
    struct err err = {0};
    pid_t pid = -1;

    UNIT_EQ_I64("", proc_open(&opts, &pid, &pipes, &err), -1);
    UNIT_EQ_STR("", err.text, "can't run /nonexistent/x: No such file or directory");
    UNIT_TRUE("closed", pipes.in < 0 && pipes.out < 0 && pipes.err < 0);
}

static const struct unit_test tests[] = {
    {"open talks by pipes", test_open_talks_by_pipes},
    {"close ends the unwilling", test_close_ends_the_unwilling},
    {"open of nothing", test_open_of_nothing},
    {"captures output and error", test_captures_output_and_error},
    {"captures more than a pipe holds", test_captures_more_than_a_pipe_holds},
    {"standard input is empty", test_standard_input_is_empty},
    {"exit codes", test_exit_codes},
    {"program is looked up in path", test_program_is_looked_up_in_path},
    {"cannot run", test_cannot_run},
    {"working directory", test_working_directory},
    {"environment", test_environment},
    {"signals are as new", test_signals_are_as_new},
    {"own session", test_own_session},
    {"no descriptor is inherited", test_no_descriptor_is_inherited},
    {"as user", test_as_user},
    {"as ourselves", test_as_ourselves},
    {"output file is appended to", test_output_file_is_appended_to},
    {"output through a link is refused", test_output_through_a_link_is_refused},
    {"time limit", test_time_limit},
    {"time limit against the stubborn", test_time_limit_against_the_stubborn},
    {"a server left running is not waited for", test_a_server_left_running_is_not_waited_for},
    {"spawn", test_spawn},
    {"spawn of nothing", test_spawn_of_nothing},
    {"placed before it runs", test_placed_before_it_runs},
    {"not placed, not run", test_not_placed_not_run},
};

const struct unit_suite proc_suite = UNIT_SUITE("proc", tests);
