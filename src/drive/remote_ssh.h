/*
 * The OpenSSH client: how it is called, and what its last words mean.
 */
#ifndef DRIVE_REMOTE_SSH_H
#define DRIVE_REMOTE_SSH_H

#include "base/err.h"
#include "drive/remote_link.h"

/* Starts `program` for `host` with the shell's side of our words as its command. Wants l closed. */
struct remote_ssh_call {
    const char *program, *host;
};
int remote_ssh_open(struct remote_link *l, const struct remote_ssh_call *call,
                    struct err *err) MUST_CHECK;

/* Why a connection to `host` ended, in words, with what to do about it where that is known: `why`
 * is ours; NULL: what ssh said, or else its exit code. free() it. */
struct remote_ssh_end {
    const char *host, *why;
    int status;
};
char *remote_ssh_reason(struct remote_link *l, const struct remote_ssh_end *end);

#endif
