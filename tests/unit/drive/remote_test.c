/*
 * drive/remote against programs that stand in for ssh: one that hands the command to a shell of
 * this machine, so that script, answers, view and sampler are the real ones; and made ones that
 * greet, fall silent, cut lines, end, come back as another machine, and talk nonsense.
 */
#include "drive/remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "drive/blockdev.h"
#include "drive/remote_view.h"
#include "drive/sampler.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

/* ssh's last argument is the command. */
#define REAL "for c do :; done; exec sh -c \"$c\""
/* Answers all but readings; those are BODY's: $n, $u (the uptime) and $d, true once it watches. */
#define MADE(body)                                                                                 \
    "echo 'tpcc-run-remote 1 boot 1.00'\n"                                                         \
    "d=; k=0\n"                                                                                    \
    "while read -r what n rest; do read -r u x </proc/uptime; case $what in\n"                     \
    "watch) d=1;;\n"                                                                               \
    "date) echo \"date $n 100.000000000\";;\n"                                                     \
    "take) if [ -z \"$d\" ]; then echo \"take $n $u\"; else k=$((k + 1)); " body "; fi;;\n"        \
    "esac; done"
#define STAT "5 0 40 1 0 0 0 0 0 0 0 0 0 0 0 0 0"
#define ANSWER "echo \"take $n $u|" STAT "\""

struct bench {
    char *dir;
    char *program;
    struct remote *remote;
    bool stopped;
};

static bool is_stopped(void *ctx)
{
    const struct bench *b = ctx;

    return b->stopped;
}

static void set_program(struct bench *b, const char *script)
{
    char *text = xasprintf("#!/bin/sh\n%s\n", script);

    tmpdir_write(b->dir, "/ssh.new", text);
    free(text);
    text = xasprintf("%s/ssh.new", b->dir);
    UNIT_EQ_I64("", chmod(text, 0700), 0);
    UNIT_EQ_I64("", rename(text, b->program), 0);
    free(text);
}

static void bench_init(struct bench *b, const char *script)
{
    struct remote_opts opts = {
        .host = "db1", .clock = clock_system(), .stopped = is_stopped, .ctx = b};

    (void)signal(SIGPIPE, SIG_IGN); /* as all our programs do */
    memset(b, 0, sizeof(*b));
    b->dir = tmpdir_new();
    b->program = xasprintf("%s/ssh", b->dir);
    set_program(b, script);
    opts.program = b->program;
    b->remote = remote_new(&opts);
}

static void bench_release(struct bench *b)
{
    remote_free(b->remote);
    free(b->program);
    tmpdir_free(b->dir);
}

/* One reading, waited for 5 s at most. */
static struct remote_reading take(struct bench *b)
{
    struct remote_reading reading;

    remote_request(b->remote);
    remote_answer(b->remote, clock_now_ns(clock_system()) + 5 * NS_PER_S, &reading);
    return reading;
}

static void watch_one(struct bench *b)
{
    struct err err = {0};

    UNIT_TRUE(err.text, remote_connect(b->remote, &err) == 0);
    UNIT_EQ_I64("",
                remote_watch(b->remote, &(struct remote_device){.name = (char *)(uintptr_t) "sda",
                                                                .counts = true,
                                                                .flushes = true}),
                0);
}

/* Takes readings until one is answered, 10 s at most: the connection is made again after 1 s. */
static struct remote_reading take_again(struct bench *b)
{
    const uint64_t until = clock_now_ns(clock_system()) + 10 * NS_PER_S;
    struct remote_reading reading = {0};

    while (!reading.answered && clock_now_ns(clock_system()) < until) {
        clock_sleep_until_ns(clock_system(), clock_now_ns(clock_system()) + 20 * NS_PER_MS);
        reading = take(b);
    }
    return reading;
}

static void test_the_view_is_this_machine(void)
{
    struct bench b;
    struct remote_view view = {0};
    struct fsroot machine;
    struct drive_map theirs = {0};
    struct drive_map ours = {0};
    struct err err = {0};

    bench_init(&b, "echo 'Welcome to db1.'; echo; " REAL);
    fsroot_init(&machine, "");
    const struct blockdev_probe probe = blockdev_probe_system(&machine);

    if (UNIT_TRUE(err.text, remote_view_open(b.remote, &view, &err) == 0)) {
        UNIT_EQ_I64(err.text, blockdev_map(&view.probe, "/", &theirs, &err), 0);
        UNIT_EQ_I64(err.text, blockdev_map(&probe, "/", &ours, &err), 0);
        UNIT_EQ_STR("the mount is found by its id", theirs.how_found, ours.how_found);
        UNIT_EQ_U64("", theirs.devices.n, ours.devices.n);
        for (size_t i = 0; i < ours.devices.n && i < theirs.devices.n; i++) {
            UNIT_EQ_STR("", theirs.devices.at[i].sysfs, ours.devices.at[i].sysfs);
            UNIT_EQ_STR("", theirs.devices.at[i].kind, ours.devices.at[i].kind);
            UNIT_EQ_U64("", theirs.devices.at[i].roles, ours.devices.at[i].roles);
        }
        drive_map_release(&ours);
        UNIT_EQ_I64("", blockdev_map(&view.probe, "/no/such", &ours, &err), -1);
        UNIT_EQ_STR("", err.text, "/no/such: no such file or directory");
        UNIT_TRUE("a clock that is ours", remote_stats(b.remote).wall.known);
    }
    drive_map_release(&theirs);
    drive_map_release(&ours);
    remote_view_close(&view);
    fsroot_release(&machine);
    bench_release(&b);
}

/* A reading lies, by the time said of it and by its counters, between two of ours. */
static void test_a_reading_is_true(void)
{
    struct bench b;
    struct fsroot machine;
    char **names;
    int fd = -1;

    bench_init(&b, REAL);
    fsroot_init(&machine, "");
    names = fsroot_list(&machine, "/sys/class/block");
    if (names != NULL && names[0] != NULL) {
        char *path = xasprintf("/sys/class/block/%s/stat", names[0]);
        struct remote_device device = {.name = names[0], .counts = true, .flushes = true};
        struct diskstat before;
        struct diskstat after;
        struct err err = {0};

        fd = fsroot_open(&machine, path, &err);
        UNIT_TRUE(err.text, remote_connect(b.remote, &err) == 0);
        UNIT_EQ_I64("", remote_watch(b.remote, &device), 0);
        UNIT_EQ_I64("known", remote_watch(b.remote, &device), 0);
        for (int i = 0; i < 3; i++) {
            const uint64_t from = clock_now_ns(clock_system());
            struct remote_reading r;

            UNIT_EQ_I64(path, diskstat_read(fd, &before, &err), 0);
            r = take(&b);
            UNIT_EQ_I64(path, diskstat_read(fd, &after, &err), 0);
            if (!UNIT_TRUE("", r.answered && r.take->there[0]))
                break;
            UNIT_TRUE("", from <= r.at_ns && r.at_ns <= clock_now_ns(clock_system()));
            UNIT_TRUE("", before.reads <= r.take->stat[0].reads);
            UNIT_TRUE("", r.take->stat[0].reads <= after.reads);
            UNIT_TRUE("", before.writes <= r.take->stat[0].writes);
            UNIT_TRUE("", r.take->stat[0].writes <= after.writes);
        }
        free(path);
    }
    close_fd(&fd);
    fsroot_list_free(names);
    fsroot_release(&machine);
    bench_release(&b);
}

static void test_not_connected(void)
{
    static const struct {
        const char *script, *says;
    } rows[] = {
        {"echo 'banner' >&2; echo 'u@db1: Permission denied (publickey).' >&2; exit 255",
         "ssh db1: u@db1: Permission denied (publickey) (a key that opens it without a question "
         "is needed: ssh-copy-id db1)"},
        {"printf 'Host key verification failed.\\r\\n' >&2; exit 255",
         "ssh db1: Host key verification failed (its key is not known here, or is another one: "
         "log in once by hand with ssh db1)"},
        {"echo 'ssh: Could not resolve hostname db1: \033[31mno' >&2; exit 255",
         "ssh db1: Could not resolve hostname db1:  [31mno"},
        {"exit 3", "ssh db1: ssh ended with code 3"},
        {"echo 'This account is not available.'; exit 1", "ssh db1: ssh ended with code 1"},
        {"echo 'tpcc-run-remote 1 - '",
         "ssh db1: it has no clock in /proc/uptime: is it a Linux machine?"},
        {"printf 'tpcc-run-remote 1 boot 1.0'", "ssh db1: ssh ended with code 0"},
        {"echo 'tpcc-run-remote 1 boot 1.00'", "ssh db1: ssh ended with code 0"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct bench b;
        struct err err = {0};

        bench_init(&b, rows[i].script);
        UNIT_EQ_I64(rows[i].script, remote_connect(b.remote, &err), -1);
        UNIT_EQ_STR(rows[i].script, err.text, rows[i].says);
        bench_release(&b);
    }
}

static void test_no_ssh(void)
{
    struct bench b;
    struct err err = {0};

    bench_init(&b, "");
    UNIT_EQ_I64("", unlink(b.program), 0);
    UNIT_EQ_I64("", remote_connect(b.remote, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, "OpenSSH client: can't run ") != NULL);
    bench_release(&b);
}

static void test_interrupted(void)
{
    struct bench b;
    struct err err = {0};

    bench_init(&b, "exec sleep 60");
    b.stopped = true;
    UNIT_EQ_I64("", remote_connect(b.remote, &err), -1);
    UNIT_EQ_I64("", err.kind, ERR_INTERRUPTED);
    bench_release(&b);
}

/* What is missed is missed; an answer that comes with the next one is not taken for it. */
static void test_a_late_answer_is_none(void)
{
    struct bench b;
    struct remote_reading r;

    bench_init(
        &b, MADE("if [ $k = 2 ]; then late=$n; else "
                 "[ -z \"$late\" ] || echo \"take $late $u|9 0 72 1 0 0 0 0 0 0 0 0 0 0 0 0 0\"; "
                 "late=; " ANSWER "; fi"));
    watch_one(&b);
    UNIT_TRUE("", take(&b).answered);
    remote_request(b.remote);
    remote_answer(b.remote, clock_now_ns(clock_system()) + 20 * NS_PER_MS, &r);
    UNIT_TRUE("no answer", !r.answered);
    UNIT_TRUE("it stands", remote_stats(b.remote).connected);
    r = take(&b);
    UNIT_TRUE("", r.answered && !r.anew && r.take->stat[0].reads == 5);
    UNIT_EQ_U64("", remote_stats(b.remote).answered, 2);
    UNIT_EQ_U64("", remote_stats(b.remote).asked, 3);
    bench_release(&b);
}

static void test_lost_and_found(void)
{
    static const struct {
        const char *script, *reason;
    } rows[] = {
        {MADE("[ $k = 1 ] || { echo 'Connection reset by peer' >&2; exit 255; }; " ANSWER),
         "Connection reset by peer"},
        {MADE("[ $k = 1 ] || { printf \"take $n $u|5 0 40\"; exit 1; }; " ANSWER),
         "ssh ended with code 1"},
        {MADE("[ $k = 1 ] || echo nonsense; " ANSWER), "an answer that is none: \"nonsense\""},
        {MADE("[ $k = 1 ] || printf 'zero \\0 byte\\n'; " ANSWER), "ssh ended with code "},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct bench b;
        struct remote_reading r;

        bench_init(&b, rows[i].script);
        watch_one(&b);
        UNIT_TRUE(rows[i].reason, take(&b).answered);
        UNIT_TRUE(rows[i].reason, !take(&b).answered);
        UNIT_TRUE(remote_reason(b.remote), strstr(remote_reason(b.remote), rows[i].reason));
        UNIT_EQ_U64(rows[i].reason, remote_stats(b.remote).losses, 1);
        UNIT_TRUE("not at once", !take(&b).answered);
        if (i > 1) { /* one of each is enough: this waits a second */
            bench_release(&b);
            continue;
        }
        if (i == 1)
            set_program(&b, "sed 's/ boot / other /' <<'E' >\"$0.2\"\n" MADE(
                                ANSWER) "\nE\nexec sh \"$0.2\"");
        r = take_again(&b);
        UNIT_TRUE("it is there again, and knows what to watch", r.answered && r.take->there[0]);
        UNIT_EQ_I64("another boot is another machine", r.anew, i == 1);
        UNIT_TRUE("once", !take(&b).anew);
        bench_release(&b);
    }
}

static void test_ready(void)
{
    struct bench b;
    struct err err = {0};

    bench_init(&b, MADE("exit 1"));
    watch_one(&b);
    UNIT_EQ_I64("it stands", remote_ready(b.remote, &err), 0);
    UNIT_TRUE("", !take(&b).answered);
    UNIT_EQ_U64("", remote_stats(b.remote).losses, 1);
    set_program(&b, MADE(ANSWER));
    UNIT_EQ_I64("made again at once", remote_ready(b.remote, &err), 0);
    UNIT_EQ_U64("and what was is forgotten", remote_stats(b.remote).losses, 0);
    UNIT_EQ_STR("", remote_reason(b.remote), "");
    UNIT_TRUE("", take(&b).answered);
    bench_release(&b);
}

/* ---- the sampler ---- */

/* Counters that go on, vanish, come back as others, and a host that is silent once. */
static void test_sampler(void)
{
    static const char *const names[] = {"db1:sda"};
    struct bench b;
    struct sampler *s;
    struct drive_sample sample[8];
    struct disk_delta d;
    struct err err = {0};
    struct sampler_totals totals;

    bench_init(&b, MADE("case $k in\n"
                        "1) r=100;; 2) r=130;; 3) r=;; 4) r=170;; 5) r=-;; 6) r=175;; 7) r=180;;\n"
                        "*) r=5;; esac\n"
                        "[ $k = 3 ] || { [ \"$r\" = - ] || r=\"$r 0 $((r * 8)) $r 0 0 0 0 0 0 0\"\n"
                        "echo \"take $n $u|$r\"; }"));
    watch_one(&b);
    s = sampler_new(&(struct sampler_opts){.clock = clock_system(),
                                           .names = names,
                                           .n_names = 1,
                                           .remotes = &b.remote,
                                           .n_remotes = 1,
                                           .answer_ns = 2 * NS_PER_S, /* a busy machine's */
                                           .interval_ns = NS_PER_MS},
                    &err);
    if (!UNIT_TRUE(err.text, s != NULL)) {
        bench_release(&b);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(sample); i++)
        sampler_take(s, &sample[i]);
    UNIT_TRUE("", drive_sample_delta(&sample[0], &sample[1], 0, &d));
    UNIT_EQ_U64("", d.by.reads, 30);
    UNIT_TRUE("its own time", d.ns > 0 && d.ns < 5 * NS_PER_S);
    UNIT_TRUE("silent", sample[2].device[0].unanswered && !sample[2].device[0].valid);
    UNIT_TRUE("a gap", !drive_sample_delta(&sample[1], &sample[2], 0, &d));
    UNIT_TRUE("over it", drive_sample_delta(&sample[1], &sample[3], 0, &d));
    UNIT_EQ_U64("what it did meanwhile", d.by.reads, 40);
    UNIT_TRUE("gone", !sample[4].device[0].valid && !sample[4].device[0].unanswered);
    UNIT_TRUE("another one since", !drive_sample_delta(&sample[3], &sample[5], 0, &d));
    UNIT_TRUE("", drive_sample_delta(&sample[5], &sample[6], 0, &d));
    UNIT_TRUE("it went back", sample[7].device[0].odd);
    totals = sampler_totals(s);
    UNIT_EQ_U64("", totals.unanswered, 1);
    UNIT_EQ_U64("", totals.lost, 1);
    UNIT_EQ_U64("", totals.odd, 1);
    sampler_free(s);
    bench_release(&b);
}

static const struct unit_test tests[] = {
    {"the view is this machine", test_the_view_is_this_machine},
    {"a reading is true", test_a_reading_is_true},
    {"not connected", test_not_connected},
    {"no ssh", test_no_ssh},
    {"interrupted", test_interrupted},
    {"a late answer is none", test_a_late_answer_is_none},
    {"lost and found", test_lost_and_found},
    {"ready", test_ready},
    {"sampler", test_sampler},
};

const struct unit_suite remote_suite = UNIT_SUITE("remote", tests);
