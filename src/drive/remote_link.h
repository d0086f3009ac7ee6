/*
 * A program that is run as a child and spoken to by lines: its pipes, what came and is not yet
 * taken apart, and what it said on its standard error. Nothing here waits but remote_link_await()
 * and remote_link_close(). One thread.
 */
#ifndef DRIVE_REMOTE_LINK_H
#define DRIVE_REMOTE_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/strbuf.h"

/* Invariant: pid < 0 while no child runs, and then all is empty but `said`. */
struct remote_link {
    pid_t pid;
    struct proc_pipes pipes;
    struct strbuf input; /* from `at` on not yet taken apart */
    size_t at;
    struct strbuf said; /* the end of what it said on its standard error */
};

void remote_link_init(struct remote_link *l);
/* Wants it closed. */
void remote_link_release(struct remote_link *l);

int remote_link_open(struct remote_link *l, const char *const *argv, struct err *err) MUST_CHECK;
/* Takes what has come. False where the stream has ended, or is not to be believed. */
bool remote_link_receive(struct remote_link *l) MUST_CHECK;
/* The next whole line, without its newline; NULL: there is none. Valid until the next receive. */
const char *remote_link_line(struct remote_link *l);
/* Sends a line. False where the child is gone or does not read. Wants SIGPIPE ignored. */
bool remote_link_tell(struct remote_link *l, const char *line) MUST_CHECK;
/* Waits until there may be something to receive, or until then. */
void remote_link_await(const struct remote_link *l, uint64_t until_ns);
/* Ends its input, waits so long for its end, and then makes it end; its exit code, or -1. */
int remote_link_close(struct remote_link *l, uint64_t wait_ns);
/* The last line that it said on its standard error, made printable; "" where it said nothing. */
const char *remote_link_last_said(struct remote_link *l);

#endif
