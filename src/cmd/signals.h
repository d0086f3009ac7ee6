/*
 * INT, TERM and HUP become requests to stop: the first ends politely, the second leaves what is
 * under way at once, the third ends the process. PIPE is ignored.
 */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/stop.h"

/* First of all in main, before any library call or thread. */
void signals_block(void);
/* A thread reads them from a signalfd for the rest of the process's life. `say` (may be NULL) is
 * called from that thread with the new level, 1 or 2. */
int signals_watch(struct stop *stop, void (*say)(int level), struct err *err) MUST_CHECK;
/* Whether a reader of standard output that goes away ends the program without a word, as it ends
 * any filter; else that is an error of who writes. Only while nothing else is at work. */
void signals_end_with_reader(bool ends);

#endif
