/*
 * Runs other programs (initdb, pg_ctl, smartctl ...) without a shell. Everything that may allocate
 * or take a lock is done before fork(), since other threads may hold locks at that moment; the
 * child only makes system calls. It tells by a close-on-exec pipe why it could not exec. The
 * parent waits on a pidfd and the output's pipe together, and does not wait for the pipe's end:
 * a server left running by its starter keeps it open.
 */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define GRACE_NS (5 * NS_PER_S)   /* from TERM to KILL, where nothing else is asked for */
#define KILLED_NS (5 * NS_PER_S)  /* from KILL to giving up */
#define LEFT_NS (200 * NS_PER_MS) /* the same where we are to leave at once */
#define LEVEL_LEAVE 2
#define STOP_POLL_MS 50 /* between looks at whether we are asked to stop */

/* What failed in the child before exec; sent through the pipe. */
enum stage { STAGE_SESSION, STAGE_FILES, STAGE_USER, STAGE_CWD, STAGE_EXEC };

struct report {
    enum stage stage;
    int sys_errno;
};

/* All that the child needs, made before fork(). */
struct launch {
    const struct proc_opts *opts;
    VEC(char *) env; /* NULL-terminated */
    gid_t *groups;
    int n_groups;
    struct proc_pipes files; /* its 0, 1 and 2; -1: /dev/null, for the last what 1 is */
    int null_fd;
    int report_fd;
    int gate_fds[2]; /* the child reads a byte before anything else; -1: it does not wait */
    pid_t parent;
};

static bool same_name(const char *a, const char *b)
{
    const size_t n = strcspn(a, "=");

    return strncmp(a, b, n) == 0 && b[n] == '=';
}

/* Ours with what the caller adds; an added one replaces ours of the same name. */
static void make_env(struct launch *l)
{
    const char *const none[] = {NULL};
    const char *const *added = l->opts->env ? l->opts->env : none;

    for (char **own = environ; own && *own; own++) {
        bool replaced = false;

        for (size_t i = 0; added[i]; i++)
            replaced = replaced || same_name(added[i], *own);
        if (!replaced)
            VEC_PUSH(&l->env, xstrdup(*own));
    }
    for (size_t i = 0; added[i]; i++)
        VEC_PUSH(&l->env, xstrdup(added[i]));
    VEC_PUSH(&l->env, NULL);
}

static void make_groups(struct launch *l)
{
    const struct proc_opts *opts = l->opts;
    int room = 1;

    l->groups = xcalloc(1, sizeof(l->groups[0]));
    if (!opts->as_user || !opts->user)
        return;
    while (getgrouplist(opts->user, opts->gid, l->groups, &room) < 0)
        l->groups = xreallocarray(l->groups, (size_t)room, sizeof(l->groups[0]));
    l->n_groups = room;
}

static void pipes_close(struct proc_pipes *p)
{
    close_fd(&p->in);
    close_fd(&p->out);
    close_fd(&p->err);
}

static void launch_release(struct launch *l)
{
    for (size_t i = 0; i < l->env.n; i++)
        free(l->env.at[i]);
    VEC_RELEASE(&l->env);
    free(l->groups);
    l->groups = NULL;
    pipes_close(&l->files);
    close_fd(&l->null_fd);
    close_fd(&l->report_fd);
    close_fd(&l->gate_fds[0]);
    close_fd(&l->gate_fds[1]);
}

/* In the child: waits until it was placed. Where we give up, or end, the gate closes unopened. */
static void child_wait(const struct launch *l)
{
    char word = 0;
    ssize_t n = 0;

    if (l->gate_fds[0] < 0)
        return;
    (void)close(l->gate_fds[1]);
    do
        n = read(l->gate_fds[0], &word, 1);
    while (n < 0 && errno == EINTR);
    if (n != 1)
        _exit(126);
}

/* In the child. Ignored signals would stay ignored over exec, so all go back to their default. */
static int child_signals(void)
{
    const struct sigaction deflt = {.sa_handler = SIG_DFL};
    sigset_t none;

    if (setsid() < 0)
        return -1;
    for (int sig = 1; sig < NSIG; sig++)
        (void)sigaction(sig, &deflt, NULL); /* KILL, STOP and the C library's own refuse */
    (void)sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child. Everything beyond 0, 1, 2 closes at exec, the report pipe with it. */
static int child_files(const struct launch *l)
{
    const int in = l->files.in >= 0 ? l->files.in : l->null_fd;
    const int out = l->files.out >= 0 ? l->files.out : l->null_fd;
    struct rlimit limit;

    if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(l->files.err >= 0 ? l->files.err : out, STDERR_FILENO) < 0)
        return -1;
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return -1;
    for (int fd = 3; fd < (int)limit.rlim_cur; fd++)
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    return 0;
}

/* In the child. Nothing is done where we are that user already, since only root may set groups. */
static int child_user(const struct launch *l)
{
    const struct proc_opts *opts = l->opts;

    if (!opts->as_user || (geteuid() != 0 && geteuid() == opts->uid && getegid() == opts->gid))
        return 0;
    if (setgroups((size_t)l->n_groups, l->groups) < 0)
        return -1;
    if (setresgid(opts->gid, opts->gid, opts->gid) < 0)
        return -1;
    return setresuid(opts->uid, opts->uid, opts->uid);
}

/* In the child, as its last step: what changes the user takes it back. Where our end came before,
 * nobody is told any more. */
static void child_tie(const struct launch *l)
{
    if (l->opts->dies_with_us && (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != l->parent))
        _exit(126);
}

NORETURN static void child_give_up(const struct launch *l, enum stage stage)
{
    const struct report report = {.stage = stage, .sys_errno = errno};
    const ssize_t n = write(l->report_fd, &report, sizeof(report));

    _exit(n == (ssize_t)sizeof(report) ? 127 : 126);
}

NORETURN static void child_run(const struct launch *l)
{
    const struct proc_opts *opts = l->opts;

    child_wait(l);
    if (child_signals() < 0)
        child_give_up(l, STAGE_SESSION);
    if (child_files(l) < 0)
        child_give_up(l, STAGE_FILES);
    if (child_user(l) < 0)
        child_give_up(l, STAGE_USER);
    if (chdir(opts->cwd ? opts->cwd : "/") < 0)
        child_give_up(l, STAGE_CWD);
    child_tie(l);
    /* exec takes its arguments as not const for history's sake; it does not write to them. */
    (void)execvpe(opts->argv[0], (char *const *)(uintptr_t)opts->argv, l->env.at);
    child_give_up(l, STAGE_EXEC);
}

static int explain(const struct proc_opts *opts, const struct report *report, struct err *err)
{
    const char *name = opts->argv[0];

    switch (report->stage) {
    case STAGE_SESSION:
        return err_sys(err, report->sys_errno, "can't start %s: new session", name);
    case STAGE_FILES:
        return err_sys(err, report->sys_errno, "can't start %s: standard files", name);
    case STAGE_USER:
        return err_sys(err, report->sys_errno, "can't start %s as user %s", name,
                       opts->user ? opts->user : "given by number");
    case STAGE_CWD:
        return err_sys(err, report->sys_errno, "can't start %s in %s", name, opts->cwd);
    case STAGE_EXEC:
        return err_sys(err, report->sys_errno, "can't run %s", name);
    }
    UNREACHABLE();
}

/* Waits until the child has called exec or given up. */
static int await_exec(int fd, pid_t pid, const struct proc_opts *opts, struct err *err)
{
    struct report report;
    ssize_t n = 0;

    do
        n = read(fd, &report, sizeof(report));
    while (n < 0 && errno == EINTR);
    if (n == 0)
        return 0;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (n != (ssize_t)sizeof(report))
        return err_set(err, ERR_SURROUNDINGS, "can't start %s: it ended at once", opts->argv[0]);
    return explain(opts, &report, err);
}

/* Has the waiting child placed, then lets it go on. */
static int open_gate(struct launch *l, pid_t child, struct err *err)
{
    const struct proc_opts *opts = l->opts;

    if (!opts->place)
        return 0;
    if (opts->place(child, opts->place_ctx, err) == 0) {
        if (write(l->gate_fds[1], "", 1) == 1)
            return 0;
        (void)err_sys(err, errno, "can't start %s", opts->argv[0]);
    }
    close_fd(&l->gate_fds[1]);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return -1;
}

/* The child's ends of `files` are taken over. */
static int launch(const struct proc_opts *opts, struct proc_pipes files, pid_t *pid,
                  struct err *err)
{
    struct launch l = {.opts = opts,
                       .files = files,
                       .null_fd = -1,
                       .report_fd = -1,
                       .gate_fds = {-1, -1},
                       .parent = getpid()};
    int pipe_fds[2] = {-1, -1};
    int rc = -1;
    pid_t child = -1;

    make_env(&l);
    make_groups(&l);
    l.null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (l.null_fd < 0 || pipe2(pipe_fds, O_CLOEXEC) < 0 ||
        (opts->place && pipe2(l.gate_fds, O_CLOEXEC) < 0)) {
        (void)err_sys(err, errno, "can't start %s", opts->argv[0]);
        goto out;
    }
    l.report_fd = pipe_fds[1];
    child = fork();
    if (child == 0)
        child_run(&l);
    if (child < 0) {
        (void)err_sys(err, errno, "can't start %s", opts->argv[0]);
        goto out;
    }
    close_fd(&l.report_fd);
    if (open_gate(&l, child, err) < 0)
        goto out;
    rc = await_exec(pipe_fds[0], child, opts, err);
    if (rc == 0)
        *pid = child;
out:
    close_fd(&pipe_fds[0]);
    launch_release(&l);
    return rc;
}

/* Where the output goes: -1 for nowhere. A link put there by somebody else is not followed. */
static int open_output(const struct proc_opts *opts, int *fd, struct err *err)
{
    *fd = -1;
    if (!opts->output_path)
        return 0;
    *fd = open(opts->output_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (*fd < 0)
        return err_sys(err, errno, "can't open %s", opts->output_path);
    return 0;
}

int proc_spawn(const struct proc_opts *opts, pid_t *pid, struct err *err)
{
    struct proc_pipes files = PROC_NO_PIPES;

    CHECK(opts->argv[0]);
    if (open_output(opts, &files.out, err) < 0)
        return -1;
    return launch(opts, files, pid, err);
}

int proc_open(const struct proc_opts *opts, pid_t *pid, struct proc_pipes *pipes, struct err *err)
{
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    int errs[2] = {-1, -1};

    CHECK(opts->argv[0]);
    CHECK(!opts->output_path);
    *pipes = PROC_NO_PIPES;
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(errs, O_CLOEXEC) < 0) {
        (void)err_sys(err, errno, "can't run %s", opts->argv[0]);
        pipes_close(&(struct proc_pipes){in[0], out[1], errs[1]});
        pipes_close(&(struct proc_pipes){in[1], out[0], errs[0]});
        return -1;
    }
    *pipes = (struct proc_pipes){in[1], out[0], errs[0]};
    if (launch(opts, (struct proc_pipes){in[0], out[1], errs[1]}, pid, err) < 0) {
        pipes_close(pipes);
        return -1;
    }
    (void)fcntl(pipes->in, F_SETFL, O_NONBLOCK);
    (void)fcntl(pipes->out, F_SETFL, O_NONBLOCK);
    (void)fcntl(pipes->err, F_SETFL, O_NONBLOCK);
    return 0;
}

static int exit_code(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool proc_ended(pid_t pid, int *exit_status)
{
    int status = 0;
    const pid_t got = waitpid(pid, &status, WNOHANG);

    CHECK(got >= 0);
    if (got == 0)
        return false;
    if (exit_status)
        *exit_status = exit_code(status);
    return true;
}

/* A child being run to its end. */
struct running {
    pid_t pid;
    int pid_fd;
    int in_fd;           /* its output; -1 where it goes to a file or has ended */
    struct strbuf *sink; /* NULL: read and forgotten */
    struct stop *stop;   /* NULL: nobody asks */
};

/* Takes what is in the pipe now; it is not blocking. */
static void drain(struct running *r)
{
    char buf[4096];
    ssize_t n = 0;

    while (r->in_fd >= 0) {
        n = read(r->in_fd, buf, sizeof(buf));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0)
            close_fd(&r->in_fd);
        else if (r->sink)
            strbuf_add(r->sink, buf, (size_t)n);
    }
}

/* How long to poll before looking again: without a pidfd (old kernels) the end is not seen. */
static int poll_ms(const struct running *r, uint64_t now_ns, uint64_t until_ns)
{
    const uint64_t left_ms = now_ns < until_ns ? (until_ns - now_ns) / NS_PER_MS + 1 : 0;
    const uint64_t most_ms = r->pid_fd < 0 ? 10 : r->stop ? STOP_POLL_MS : 1000;

    return (int)(left_ms < most_ms ? left_ms : most_ms);
}

/* True and the status where it ended by until_ns, or before we are asked to stop at this level. */
static bool await_end(struct running *r, uint64_t until_ns, int level, int *exit_status)
{
    const struct clock *clk = clock_system();
    bool ended = false;

    for (;;) {
        const uint64_t now_ns = clock_now_ns(clk);
        struct pollfd fds[] = {
            {.fd = r->pid_fd, .events = POLLIN},
            {.fd = r->in_fd, .events = POLLIN},
        };

        CHECK(poll(fds, ARRAY_LEN(fds), poll_ms(r, now_ns, until_ns)) >= 0 || errno == EINTR);
        ended = proc_ended(r->pid, exit_status);
        drain(r);
        if (ended || now_ns >= until_ns || stop_level(r->stop) >= level)
            return ended;
    }
}

/* The whole session is asked to end, then made to. */
static void stop(struct running *r, uint64_t grace_ns, int *exit_status)
{
    const struct clock *clk = clock_system();

    (void)kill(-r->pid, SIGTERM);
    if (await_end(r, clock_now_ns(clk) + (grace_ns ? grace_ns : GRACE_NS), LEVEL_LEAVE,
                  exit_status))
        return;
    (void)kill(-r->pid, SIGKILL);
    (void)await_end(r,
                    clock_now_ns(clk) + (stop_level(r->stop) < LEVEL_LEAVE ? KILLED_NS : LEFT_NS),
                    INT_MAX, exit_status);
}

static int run_to_end(struct running *r, const struct proc_opts *opts, int *exit_status,
                      struct err *err)
{
    const uint64_t start_ns = clock_now_ns(clock_system());
    const uint64_t until_ns = opts->timeout_ns ? start_ns + opts->timeout_ns : UINT64_MAX;
    const int level = opts->stop_from ? opts->stop_from : 1;

    if (await_end(r, until_ns, 1, exit_status))
        return 0;
    if (stop_level(r->stop) > 0 && stop_level(r->stop) < level) {
        if (opts->waits)
            opts->waits(opts->waits_ctx);
        if (await_end(r, until_ns, level, exit_status))
            return 0;
    }
    stop(r, opts->grace_ns, exit_status);
    if (stop_level(r->stop) >= level)
        return err_set(err, ERR_INTERRUPTED, "interrupted: %s was stopped", opts->argv[0]);
    return err_set(err, ERR_SURROUNDINGS, "%s did not end within %.3g s and was stopped",
                   opts->argv[0], (double)opts->timeout_ns / (double)NS_PER_S);
}

int proc_run(const struct proc_opts *opts, int *exit_status, struct strbuf *captured,
             struct err *err)
{
    struct running r = {.pid = -1, .pid_fd = -1, .in_fd = -1, .sink = captured, .stop = opts->stop};
    int pipe_fds[2] = {-1, -1};
    int rc = -1;

    CHECK(opts->argv[0]);
    if (open_output(opts, &pipe_fds[1], err) < 0)
        goto out;
    if (pipe_fds[1] < 0 && pipe2(pipe_fds, O_CLOEXEC) < 0) {
        (void)err_sys(err, errno, "can't run %s", opts->argv[0]);
        goto out;
    }
    r.in_fd = pipe_fds[0];
    if (r.in_fd >= 0)
        (void)fcntl(r.in_fd, F_SETFL, O_NONBLOCK);
    if (launch(opts, (struct proc_pipes){-1, pipe_fds[1], -1}, &r.pid, err) < 0)
        goto out;
    r.pid_fd = pidfd_open(r.pid, 0);
    rc = run_to_end(&r, opts, exit_status, err);
out:
    close_fd(&r.pid_fd);
    close_fd(&r.in_fd);
    return rc;
}

int proc_close(pid_t pid, struct proc_pipes *pipes, uint64_t wait_ns)
{
    struct running r = {.pid = pid, .pid_fd = pidfd_open(pid, 0), .in_fd = -1};
    int status = -1;

    pipes_close(pipes);
    if (!await_end(&r, clock_now_ns(clock_system()) + wait_ns, INT_MAX, &status))
        stop(&r, 0, &status);
    close_fd(&r.pid_fd);
    return status;
}
