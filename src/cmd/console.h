/*
 * What a program shows while it works: log lines and live view on standard error, questions on the
 * terminal. One console per program; the log may speak from any thread, the rest is the main
 * thread's.
 */
#ifndef CMD_CONSOLE_H
#define CMD_CONSOLE_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "report/live.h"

struct console;

struct console *console_new(const struct clock *clk, bool plain, bool quiet);
struct log *console_log(struct console *c);
/* An interval of the run. */
void console_interval(struct console *c, const struct live_moment *m, const struct result *r,
                      const struct series_row *row);
/* The block or the line of several targets (live_show()). */
void console_show(struct console *c, const char *block, const char *line);
/* A progress_fn; ctx is the console. */
void console_progress(const struct progress *p, void *ctx);
/* Ends what is being redrawn. */
void console_flush(struct console *c);
/* Asks "question [y/N]" on the terminal; false where there is none, or anything but yes. */
bool console_confirm(struct console *c, const char *question);
/* Asks the question on the terminal and answers the line that was typed; free() it. NULL where
 * there is no terminal, or no line came. */
char *console_ask(struct console *c, const char *question);

#endif
