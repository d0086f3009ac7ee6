/*
 * One thread that reads a signalfd: nothing is done in signal handlers. It owns the descriptor and
 * lives as long as the process.
 */
#include "cmd/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/thread.h"

#define LEVEL_LEAVE 3
#define EXIT_INTERRUPTED 130

static struct {
    struct stop *stop;
    void (*say)(int level);
    int fd;
    struct thread thread;
} watch = {.fd = -1};

static void stop_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
}

void signals_block(void)
{
    sigset_t set;

    /* A shell starts background jobs with INT ignored, and an ignored signal reaches no signalfd;
     * HUP stays ignored where nohup asked for it. */
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ,
                 SIG_IGN); /* a file at its limit (ulimit -f) is an error like a full disk */
    stop_signals(&set);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void signals_end_with_reader(bool ends)
{
    (void)signal(SIGPIPE, ends ? SIG_DFL : SIG_IGN);
}

static void *watch_main(void *ctx)
{
    struct signalfd_siginfo info;

    (void)ctx;
    for (;;) {
        const ssize_t n = read(watch.fd, &info, sizeof(info));

        if (n < 0 && errno == EINTR)
            continue;
        if (n != (ssize_t)sizeof(info))
            return NULL;
        stop_ask(watch.stop);
        const int level = stop_level(watch.stop);
        if (level >= LEVEL_LEAVE)
            _exit(EXIT_INTERRUPTED);
        if (watch.say)
            watch.say(level);
    }
}

int signals_watch(struct stop *stop, void (*say)(int level), struct err *err)
{
    sigset_t set;

    stop_signals(&set);
    watch.stop = stop;
    watch.say = say;
    watch.fd = signalfd(-1, &set, SFD_CLOEXEC);
    if (watch.fd < 0)
        return err_sys(err, errno, "signalfd");
    return thread_start(&watch.thread, "signals", watch_main, NULL, err);
}
