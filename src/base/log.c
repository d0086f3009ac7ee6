/*
 * The log of a run. Lines said before there is a file are kept (up to a bound) and written into it
 * when it comes, so that log.txt is complete although its directory is made after preflight. One
 * mutex makes lines whole and keeps file and screen in the same order: the say callback runs under
 * it and must not log itself.
 */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/plain.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

/* Limit: what is said before there is a file is kept up to this size, then only said. */
enum { EARLY_MAX_BYTES = 1 << 20 };

/* `lock` protects file, early, line and the calls of say. */
struct log {
    pthread_mutex_t lock;
    FILE *file;
    struct strbuf early; /* lines said while there was no file yet */
    struct strbuf line;  /* room for the line being made */
    const struct clock *clk;
    log_say_fn say;
    void *ctx;
};

static const char *const level_names[] = {
    [LOG_DEBUG] = "debug", [LOG_INFO] = "info",  [LOG_WARN] = "warning",
    [LOG_ERROR] = "error", [LOG_ASKED] = "info",
};

struct log *log_new(const struct clock *clk, log_say_fn say, void *ctx)
{
    struct log *log = xcalloc(1, sizeof(*log));

    CHECK(clk);
    CHECK(pthread_mutex_init(&log->lock, NULL) == 0);
    strbuf_init(&log->early);
    strbuf_init(&log->line);
    log->clk = clk;
    log->say = say;
    log->ctx = ctx;
    return log;
}

void log_free(struct log *log)
{
    if (!log)
        return;
    strbuf_release(&log->early);
    strbuf_release(&log->line);
    CHECK(pthread_mutex_destroy(&log->lock) == 0);
    free(log);
}

void log_set_file(struct log *log, FILE *file)
{
    CHECK(pthread_mutex_lock(&log->lock) == 0);
    log->file = file;
    if (file && log->early.len > 0) {
        (void)fwrite(log->early.buf, 1, log->early.len, file);
        (void)fflush(file);
        strbuf_reset(&log->early);
    }
    CHECK(pthread_mutex_unlock(&log->lock) == 0);
}

/* A log that can't be written must not end the run: failures to write are not looked at. */
static void keep_line(struct log *log, enum log_level level)
{
    char when[32];

    clock_format_utc(clock_real_us(log->clk), when, sizeof(when));
    if (log->file) {
        (void)fprintf(log->file, "%s %s: %s\n", when, level_names[level], log->line.buf);
        (void)fflush(log->file);
    } else if (log->early.len + log->line.len < EARLY_MAX_BYTES) {
        strbuf_addf(&log->early, "%s %s: %s\n", when, level_names[level], log->line.buf);
    }
}

void log_line(struct log *log, enum log_level level, const char *fmt, ...)
{
    va_list ap;

    if (!log)
        return;
    CHECK(pthread_mutex_lock(&log->lock) == 0);
    strbuf_reset(&log->line);
    va_start(ap, fmt);
    strbuf_vaddf(&log->line, fmt, ap);
    va_end(ap);
    plain_line(log->line.buf);
    keep_line(log, level);
    if (log->say)
        log->say(level, log->line.buf, log->ctx);
    CHECK(pthread_mutex_unlock(&log->lock) == 0);
}
