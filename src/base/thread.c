/*
 * Starting and joining threads, and what they and the process have used. A struct thread belongs
 * to the thread that started it.
 */
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"

int thread_start(struct thread *t, const char *name, void *(*fn)(void *), void *ctx,
                 struct err *err)
{
    char short_name[16]; /* the kernel's limit */
    int rc = 0;

    t->started = false;
    rc = pthread_create(&t->id, NULL, fn, ctx);
    if (rc != 0)
        return err_sys(err, rc, "can't start thread %s", name);
    t->started = true;
    (void)snprintf(short_name, sizeof(short_name), "%.15s", name);
    (void)pthread_setname_np(t->id, short_name); /* only a label */
    return 0;
}

void thread_join(struct thread *t)
{
    if (!t->started)
        return;
    CHECK(pthread_join(t->id, NULL) == 0);
    t->started = false;
}

/* Asks every few ms instead of pthread_timedjoin_np, whose bound hangs on the machine's time of
 * day and would move with it. */
bool thread_join_timed(struct thread *t, uint64_t timeout_ns)
{
    const struct clock *clk = clock_system();
    const uint64_t start_ns = clock_now_ns(clk);
    uint64_t pause_ns = NS_PER_MS / 4;

    while (t->started) {
        const int rc = pthread_tryjoin_np(t->id, NULL);
        const uint64_t now_ns = clock_now_ns(clk);

        CHECK(rc == 0 || rc == EBUSY);
        if (rc == 0)
            t->started = false;
        else if (now_ns - start_ns >= timeout_ns)
            return false;
        else
            clock_sleep_until_ns(clk, now_ns + pause_ns);
        if (pause_ns < 8 * NS_PER_MS)
            pause_ns *= 2;
    }
    return true;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
    return (uint64_t)tv->tv_sec * NS_PER_S + (uint64_t)tv->tv_usec * NS_PER_US;
}

static uint64_t cpu_ns(int who)
{
    struct rusage used;

    CHECK(getrusage(who, &used) == 0);
    return timeval_ns(&used.ru_utime) + timeval_ns(&used.ru_stime);
}

uint64_t thread_cpu_ns(void)
{
    return cpu_ns(RUSAGE_THREAD);
}

uint64_t process_cpu_ns(void)
{
    return cpu_ns(RUSAGE_SELF);
}

uint64_t thread_cpu_ns_of(const struct thread *t)
{
    clockid_t clock;
    struct timespec used = {0};

    CHECK(t->started);
    if (pthread_getcpuclockid(t->id, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

uint64_t process_rss_peak_bytes(void)
{
    struct rusage used;

    CHECK(getrusage(RUSAGE_SELF, &used) == 0);
    return (uint64_t)used.ru_maxrss * 1024;
}

/* The second number of statm: pages. */
uint64_t process_rss_bytes(void)
{
    char text[128];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    const char *pages = NULL;
    uint64_t rss = 0;

    close_fd(&fd);
    text[n > 0 ? n : 0] = '\0';
    pages = strchr(text, ' ');
    if (pages)
        rss = strtoull(pages, NULL, 10);
    return rss * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool thread_prefer(void)
{
    const struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_RR)};

    (void)prctl(PR_SET_TIMERSLACK, 1UL);
    return pthread_setschedparam(pthread_self(), SCHED_RR, &lowest) == 0;
}
