/*
 * Joins log and live view on one stream, so that a line never tears a block that is being redrawn.
 * The mutex protects `live` (the log may speak from any thread).
 */
#include "cmd/console.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

struct console {
    const struct clock *clock;
    struct log *log;
    bool quiet;
    pthread_mutex_t mutex;
    struct live *live; /* by mutex */
};

static void say(enum log_level level, const char *line, void *ctx)
{
    struct console *c = ctx;

    if (level == LOG_DEBUG || (c->quiet && level != LOG_ERROR && level != LOG_ASKED))
        return;
    pthread_mutex_lock(&c->mutex);
    live_say(c->live, line);
    pthread_mutex_unlock(&c->mutex);
}

struct console *console_new(const struct clock *clk, bool plain, bool quiet)
{
    struct console *c = xcalloc(1, sizeof(*c));

    c->clock = clk;
    c->quiet = quiet;
    pthread_mutex_init(&c->mutex, NULL);
    c->live = live_new(stderr, plain, quiet);
    c->log = log_new(clk, say, c);
    return c;
}

struct log *console_log(struct console *c)
{
    return c->log;
}

void console_progress(const struct progress *p, void *ctx)
{
    struct console *c = ctx;

    pthread_mutex_lock(&c->mutex);
    live_progress(c->live, p, clock_now_ns(c->clock));
    pthread_mutex_unlock(&c->mutex);
}

void console_interval(struct console *c, const struct live_moment *m, const struct result *r,
                      const struct series_row *row)
{
    pthread_mutex_lock(&c->mutex);
    live_interval(c->live, m, r, row);
    pthread_mutex_unlock(&c->mutex);
}

void console_show(struct console *c, const char *block, const char *line)
{
    pthread_mutex_lock(&c->mutex);
    live_show(c->live, block, line);
    pthread_mutex_unlock(&c->mutex);
}

void console_flush(struct console *c)
{
    pthread_mutex_lock(&c->mutex);
    live_end(c->live);
    pthread_mutex_unlock(&c->mutex);
}

char *console_ask(struct console *c, const char *question)
{
    char answer[256];

    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return NULL;
    console_flush(c);
    fprintf(stderr, "%s", question);
    fflush(stderr);
    if (!fgets(answer, sizeof(answer), stdin))
        return NULL;
    answer[strcspn(answer, "\n")] = '\0';
    return xstrdup(answer);
}

bool console_confirm(struct console *c, const char *question)
{
    char *whole = xasprintf("%s [y/N] ", question);
    char *answer = console_ask(c, whole);
    const bool yes = answer && (strcmp(answer, "y") == 0 || strcmp(answer, "yes") == 0);

    free(answer);
    free(whole);
    return yes;
}
