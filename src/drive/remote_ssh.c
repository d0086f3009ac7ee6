/*
 * Words in and out of the ssh of the user's PATH; drive/remote speaks over what is opened here.
 */
#include "drive/remote_ssh.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "drive/remote_words.h"

/* What ssh says, and what to do about it. */
static const struct {
    const char *said, *advice;
} ADVICE[] = {
    {"Host key verification failed",
     "its key is not known here, or is another one: log in once by hand with ssh"},
    {"Permission denied", "a key that opens it without a question is needed: ssh-copy-id"},
};

/* As ssh wants it: an address without its brackets. free() it. */
static char *address_of(const char *host)
{
    char *address = xstrdup(host);
    char *to = address;

    for (const char *from = host; *from != '\0'; from++) {
        if (*from != '[' && *from != ']')
            *to++ = *from;
    }
    *to = '\0';
    return address;
}

int remote_ssh_open(struct remote_link *l, const struct remote_ssh_call *call, struct err *err)
{
    char *address = address_of(call->host);
    const char *const argv[] = {
        call->program, "-T", "-a", "-x",
        /* No question, no end of waiting. */
        "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o",
        "ServerAliveCountMax=3",
        /* What the user's configuration may hold for other uses of the host. A connection that the
         * user keeps open (ControlPath) is used, none is left behind. */
        "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none", "-o", "ControlMaster=no", "--",
        address, remote_command(), NULL};
    const int rc = remote_link_open(l, argv, err);

    free(address);
    if (rc < 0)
        return err_wrap(err, "another host is asked by the OpenSSH client");
    return 0;
}

/* Without its full stop, and no longer than a line of a report takes. */
static int said_len(const char *said)
{
    const size_t len = strlen(said);
    const size_t stop = len > 0 && said[len - 1] == '.';

    return (int)(len - stop < 160 ? len - stop : 160);
}

char *remote_ssh_reason(struct remote_link *l, const struct remote_ssh_end *end)
{
    static const char itself[] = "ssh: ";
    const char *last = remote_link_last_said(l);
    const size_t skip = strncmp(last, itself, strlen(itself)) == 0 ? strlen(itself) : 0;
    const char *said = last + skip;
    struct err text = {0};

    if (end->why != NULL)
        err_set(&text, ERR_SURROUNDINGS, "%s", end->why);
    else if (*said != '\0')
        err_set(&text, ERR_SURROUNDINGS, "%.*s", said_len(said), said);
    else
        err_set(&text, ERR_SURROUNDINGS, "ssh ended with code %d", end->status);
    for (size_t i = 0; end->why == NULL && i < ARRAY_LEN(ADVICE); i++) {
        if (strstr(said, ADVICE[i].said) != NULL)
            err_set(&text, ERR_SURROUNDINGS, "%.*s (%s %.60s)", said_len(said), said,
                    ADVICE[i].advice, end->host);
    }
    return xstrdup(text.text);
}
