/*
 * drive-info: which block devices stand under a path, what they are, and what they do. One table
 * holds the options: command line, help and man page come from it.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fsroot.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "cmd/drive_show.h"
#include "cmd/drive_watch.h"
#include "config/hostname.h"
#include "config/spec.h"
#include "drive/blockdev.h"
#include "drive/blockdev_shared.h"
#include "drive/remote_view.h"

#define INTERVAL_MIN_NS (10 * NS_PER_MS)
#define INTERVAL_MAX_NS (24 * 3600 * NS_PER_S)

enum option_id {
    OPTION_WATCH = 256,
    OPTION_JSON,
    OPTION_PLAIN,
    OPTION_SERIAL,
    OPTION_HELP,
    OPTION_MAN,
    OPTION_VERSION,
};

static const struct {
    const char *name;
    enum option_id id;
    const char *help;
} OPTIONS[] = {
    {"watch", OPTION_WATCH,
     "report every INTERVAL (1s), COUNT times or until interrupted, what iostat -x reports, for "
     "the file system's devices and the leaves"},
    {"json", OPTION_JSON, "print JSON; with --watch one document a line"},
    {"plain", OPTION_PLAIN, "print one line a device, with one tab between fields"},
    {"serial", OPTION_SERIAL, "print serial numbers too"},
    {"help", OPTION_HELP, "print this help"},
    {"man", OPTION_MAN, "print the man page (roff)"},
    {"version", OPTION_VERSION, "print the version"},
};

static const struct {
    const char *code, *meaning;
} EXITS[] = {
    {"0", "the devices were found"},
    {"2", "wrong usage"},
    {"3", "no such path, no device under it (standard error says why), or all devices are gone; no "
          "connection to HOST"},
    {"130", "interrupted"},
};

#define ABOUT                                                                                      \
    "Shows which block devices stand under PATH (a directory, a file or a device node): the ones " \
    "that its file system is on, all below them, and the leaves, which have none below. With "     \
    "HOST: before it, PATH or the name of a device on another host, asked by ssh: a key must "     \
    "open it without a question, and nothing is installed there."
#define ABOUT_WATCH                                                                                \
    "The first report covers the first interval, not the time since the machine started. A "       \
    "figure "                                                                                      \
    "that does not exist (no read, no read latency) is \"-\", in JSON null, where iostat prints "  \
    "0. "                                                                                          \
    "Partitions and devices without a request queue (dm, md) count no flushes."

struct options {
    const char *path;
    bool watch, json, plain, serial;
    uint64_t interval_ns, count;
};

/* Prints the text in lines of at most 80 columns, all but the first indented. */
static void print_wrapped(const char *text, int indent, int column)
{
    while (*text != '\0') {
        const int word = (int)strcspn(text, " ");

        if (column + word > 80) {
            (void)printf("\n%*s", indent, "");
            column = indent;
        }
        (void)printf("%.*s", word, text);
        text += word;
        column += word + 1;
        if (*text == ' ') {
            text++;
            if (column + (int)strcspn(text, " ") <= 80)
                (void)putchar(' ');
        }
    }
    (void)putchar('\n');
}

static void print_help(void)
{
    (void)printf("usage: drive-info [OPTION]... [HOST:]PATH\n"
                 "       drive-info --watch [OPTION]... [HOST:]PATH [INTERVAL [COUNT]]\n\n");
    print_wrapped(ABOUT, 0, 0);
    (void)putchar('\n');
    for (size_t i = 0; i < ARRAY_LEN(OPTIONS); i++) {
        (void)printf("  --%-9s ", OPTIONS[i].name);
        print_wrapped(OPTIONS[i].help, 14, 14);
    }
    (void)putchar('\n');
    print_wrapped(ABOUT_WATCH, 0, 0);
    (void)printf("\nexit codes:\n");
    for (size_t i = 0; i < ARRAY_LEN(EXITS); i++) {
        (void)printf("  %-5s ", EXITS[i].code);
        print_wrapped(EXITS[i].meaning, 8, 8);
    }
}

/* Text for roff: hyphens that are to stay hyphens. */
static void print_roff(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '-' || *text == '\\')
            (void)putchar('\\');
        (void)putchar(*text);
    }
}

static void print_man(void)
{
    (void)printf(".TH DRIVE\\-INFO 1 \"\" \"tpcc\\-run %s\"\n.SH NAME\n"
                 "drive\\-info \\- show the block devices under a path\n.SH SYNOPSIS\n"
                 ".B drive\\-info\n[\\fIOPTION\\fR]... [\\fIHOST\\fR:]\\fIPATH\\fR\n.br\n"
                 ".B drive\\-info \\-\\-watch\n[\\fIOPTION\\fR]... [\\fIHOST\\fR:]\\fIPATH\\fR "
                 "[\\fIINTERVAL\\fR "
                 "[\\fICOUNT\\fR]]\n.SH DESCRIPTION\n",
                 TPCC_VERSION);
    print_roff(ABOUT);
    (void)printf("\n.SH OPTIONS\n");
    for (size_t i = 0; i < ARRAY_LEN(OPTIONS); i++) {
        (void)printf(".TP\n.B \\-\\-%s\n", OPTIONS[i].name);
        print_roff(OPTIONS[i].help);
        (void)printf("\n");
    }
    (void)printf(".PP\n");
    print_roff(ABOUT_WATCH);
    (void)printf("\n.SH EXIT STATUS\n");
    for (size_t i = 0; i < ARRAY_LEN(EXITS); i++) {
        (void)printf(".TP\n.B %s\n", EXITS[i].code);
        print_roff(EXITS[i].meaning);
        (void)printf("\n");
    }
    (void)printf(".SH SEE ALSO\n.BR iostat (1),\n.BR lsblk (8)\n");
}

static int parse_operands(int argc, char **argv, struct options *o, struct err *err)
{
    const int n = argc - optind;

    if (n < 1)
        return err_set(err, ERR_USAGE, "PATH is missing (see drive-info --help)");
    if (n > (o->watch ? 3 : 1))
        return err_set(err, ERR_USAGE, "\"%s\" is too much (see drive-info --help)",
                       argv[optind + (o->watch ? 3 : 1)]);
    o->path = argv[optind];
    if (n > 1 && units_parse_duration_ns(argv[optind + 1], &o->interval_ns, err) < 0)
        return err_wrap(err, "INTERVAL");
    if (o->interval_ns < INTERVAL_MIN_NS || o->interval_ns > INTERVAL_MAX_NS)
        return err_set(err, ERR_USAGE, "INTERVAL: \"%s\" is not within 10ms and 24h",
                       argv[optind + 1]);
    if (n > 2 && units_parse_u64(argv[optind + 2], &o->count, err) < 0)
        return err_wrap(err, "COUNT");
    if (n > 2 && o->count == 0)
        return err_set(err, ERR_USAGE, "COUNT: \"%s\" is less than 1", argv[optind + 2]);
    return 0;
}

/* 1: go on; 0: all is done (help); -1: error. */
static int parse_options(int argc, char **argv, struct options *o, struct err *err)
{
    struct option longs[ARRAY_LEN(OPTIONS) + 1] = {0};
    int id;

    for (size_t i = 0; i < ARRAY_LEN(OPTIONS); i++)
        longs[i] = (struct option){.name = OPTIONS[i].name, .val = (int)OPTIONS[i].id};
    opterr = 0;
    while ((id = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (id == '?')
            return err_set(err, ERR_USAGE, "unknown option \"%s\" (see drive-info --help)",
                           argv[optind - 1]);
        switch ((enum option_id)id) {
        case OPTION_WATCH:
            o->watch = true;
            break;
        case OPTION_JSON:
            o->json = true;
            break;
        case OPTION_PLAIN:
            o->plain = true;
            break;
        case OPTION_SERIAL:
            o->serial = true;
            break;
        case OPTION_HELP:
            print_help();
            return 0;
        case OPTION_MAN:
            print_man();
            return 0;
        case OPTION_VERSION:
            (void)printf("drive-info %s\n", TPCC_VERSION);
            return 0;
        }
    }
    return parse_operands(argc, argv, o, err) < 0 ? -1 : 1;
}

static void say(const char *line)
{
    (void)fprintf(stderr, "drive-info: %s\n", line);
}

/* INT, TERM and HUP are read from the descriptor this answers. */
static int open_signals(struct err *err)
{
    sigset_t set;
    int fd;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    fd = signalfd(-1, &set, SFD_CLOEXEC);
    return fd < 0 ? err_sys(err, errno, "signalfd") : fd;
}

/* Whose devices are looked at. */
struct looked {
    int signals;
    struct remote *remote; /* NULL: this machine's, and then view is empty */
    struct remote_view view;
    struct fsroot machine;
    struct blockdev_probe probe;
};

static bool is_interrupted(void *ctx)
{
    const struct looked *l = ctx;
    struct pollfd fd = {.fd = l->signals, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}

static int look(struct looked *l, const struct options *o, struct err *err)
{
    const size_t len = hostname_length(o->path);
    struct remote_opts opts = {.clock = clock_system(), .stopped = is_interrupted, .ctx = l};
    char *host = NULL;

    fsroot_init(&l->machine, "");
    l->probe = blockdev_probe_system(&l->machine);
    if (!hostname_is_elsewhere(o->path))
        return 0;
    if (!hostname_is_sane(o->path, len))
        return err_set(err, ERR_USAGE,
                       "\"%.80s\": the host is to be a name that ssh knows (a file of this name: "
                       "./%.80s)",
                       o->path, o->path);
    host = xstrndup(o->path, len);
    opts.host = host;
    l->remote = remote_new(&opts);
    free(host);
    if (remote_view_open(l->remote, &l->view, err) < 0)
        return -1;
    l->probe = l->view.probe;
    return 0;
}

static void looked_release(struct looked *l)
{
    remote_view_close(&l->view);
    remote_free(l->remote);
    fsroot_release(&l->machine);
}

/* Behind a host a device may stand by its name. */
static int map_path(const struct looked *l, const char *path, struct drive_map *map,
                    struct err *err)
{
    const char *rest = hostname_rest(path);
    int rc;

    if (*rest == '\0')
        return err_set(err, ERR_USAGE, "PATH is missing behind \"%.80s\"", path);
    if (hostname_length(path) > 0 && strchr(rest, '/') == NULL && *rest != '.')
        rc = blockdev_map_name(&l->probe, rest, map, err);
    else
        rc = blockdev_map(&l->probe, rest, map, err);
    return rc < 0 && l->remote != NULL ? err_wrap(err, "%s", remote_host(l->remote)) : rc;
}

static int watch(const struct options *o, struct looked *l, struct drive_map *map, int signals,
                 struct err *err)
{
    const struct drive_watch w = {
        .root = l->probe.root,
        .clock = clock_system(),
        .map = map,
        .remote = l->remote,
        .interval_ns = o->interval_ns,
        .count = o->count,
        .form = o->json    ? DRIVE_WATCH_JSON
                : o->plain ? DRIVE_WATCH_PLAIN
                           : DRIVE_WATCH_TABLE,
        .signals = signals,
        .out = stdout,
        .say = say,
    };

    if (l->remote != NULL && remote_view_watch(&l->view, map, err) < 0)
        return -1;
    return drive_watch_run(&w, err);
}

static int run(const struct options *o, int signals, struct err *err)
{
    struct looked l = {.signals = signals};
    struct drive_map map = {0};
    int rc = -1;

    if (look(&l, o, err) < 0 || map_path(&l, o->path, &map, err) < 0)
        goto out;
    if (!o->watch) {
        const struct drive_show show = {.host = l.remote ? remote_host(l.remote) : NULL,
                                        .root = l.probe.root,
                                        .map = &map,
                                        .shared = blockdev_root_or_swap(&l.probe, &map),
                                        .with_serial = o->serial,
                                        .plain = o->plain};

        if (o->json)
            drive_show_json(&show, stdout);
        else
            drive_show_text(&show, stdout);
    }
    if (map.reason != NULL) {
        err_set(err, ERR_SURROUNDINGS, "%s", map.reason);
        goto out;
    }
    rc = o->watch ? watch(o, &l, &map, signals, err) : 0;
out:
    drive_map_release(&map);
    looked_release(&l);
    return rc;
}

/* What is still in the buffer is written; a reader that went away is no error. */
static int finish_output(int rc, struct err *err)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE || rc < 0)
        return rc;
    return err_sys(err, errno ? errno : EIO, "writing");
}

int main(int argc, char **argv)
{
    struct options o = {.interval_ns = NS_PER_S};
    struct err err = {0};
    int signals = open_signals(&err);
    int rc = signals < 0 ? -1 : parse_options(argc, argv, &o, &err);

    if (rc > 0)
        rc = run(&o, signals, &err);
    rc = finish_output(rc, &err);
    close_fd(&signals);
    if (rc < 0 && err.kind != ERR_INTERRUPTED)
        say(err.text);
    return rc < 0 ? err_exit_code(&err) : 0;
}
