/*
 * What was done and said: lines with a time go to log.txt of the result, and, unless quiet, to a
 * callback that `cmd` sets (which prints them on standard error). A secret must never be given to
 * it. Any thread may write; lines are whole.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdio.h>

#include "base/check.h"
#include "base/clock.h"

/* LOG_ASKED: what the user asked to be told, so that --quiet does not hide it. */
enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_ASKED };

struct log;

/* say may be NULL: then lines only go to the file, once there is one. */
typedef void (*log_say_fn)(enum log_level level, const char *line, void *ctx);

struct log *log_new(const struct clock *clk, log_say_fn say, void *ctx);
void log_free(struct log *log);
/* Lines from now on, and those already said, also go to this file (owned by the caller, who keeps
 * it open until log_set_file(log, NULL)). */
void log_set_file(struct log *log, FILE *file);
/* Writes one line; no newline at the end. log may be NULL: nothing happens. */
void log_line(struct log *log, enum log_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
