/*
 * Reads and writes of the pipes, which do not block. What comes is foreign: lines are bounded, and
 * a zero byte ends the belief in the stream.
 */
#include "drive/remote_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"

#define LINE_MAX_BYTES ((size_t)1 << 20)
#define SAID_MAX_BYTES 4096

void remote_link_init(struct remote_link *l)
{
    l->pid = -1;
    l->pipes = PROC_NO_PIPES;
    l->at = 0;
    strbuf_init(&l->input);
    strbuf_init(&l->said);
}

void remote_link_release(struct remote_link *l)
{
    CHECK(l->pid < 0);
    strbuf_release(&l->input);
    strbuf_release(&l->said);
}

int remote_link_open(struct remote_link *l, const char *const *argv, struct err *err)
{
    const struct proc_opts opts = {.argv = argv};

    CHECK(l->pid < 0);
    strbuf_reset(&l->said);
    if (proc_open(&opts, &l->pid, &l->pipes, err) == 0)
        return 0;
    l->pid = -1;
    return -1;
}

/* Reads once: the bytes, 0 at the end, -1 where there is nothing now. */
static ssize_t read_some(int fd, char *buf, size_t size)
{
    ssize_t n;

    do {
        n = read(fd, buf, size);
    } while (n < 0 && errno == EINTR);
    if (n < 0 && errno != EAGAIN)
        return 0;
    return n;
}

static void receive_said(struct remote_link *l)
{
    char buf[512];
    ssize_t n = 0;

    while (l->pipes.err >= 0 && (n = read_some(l->pipes.err, buf, sizeof(buf))) > 0) {
        if (l->said.len > SAID_MAX_BYTES)
            strbuf_reset(&l->said);
        strbuf_add(&l->said, buf, (size_t)n);
    }
    if (n == 0)
        close_fd(&l->pipes.err);
}

bool remote_link_receive(struct remote_link *l)
{
    char buf[4096];
    ssize_t n = 0;

    receive_said(l);
    if (l->at > 0) { /* what was taken apart makes room */
        l->input.len -= l->at;
        memmove(l->input.buf, l->input.buf + l->at, l->input.len + 1);
        l->at = 0;
    }
    while (l->input.len < LINE_MAX_BYTES) {
        n = read_some(l->pipes.out, buf, sizeof(buf));
        if (n <= 0 || memchr(buf, '\0', (size_t)n) != NULL)
            return n < 0;
        strbuf_add(&l->input, buf, (size_t)n);
    }
    return memchr(l->input.buf, '\n', l->input.len) != NULL;
}

const char *remote_link_line(struct remote_link *l)
{
    char *line;
    char *end;

    if (l->input.len == l->at)
        return NULL;
    line = l->input.buf + l->at;
    end = memchr(line, '\n', l->input.len - l->at);
    if (end == NULL)
        return NULL;
    *end = '\0';
    l->at = (size_t)(end + 1 - l->input.buf);
    return line;
}

bool remote_link_tell(struct remote_link *l, const char *line)
{
    const size_t len = strlen(line);

    return write(l->pipes.in, line, len) == (ssize_t)len;
}

void remote_link_await(const struct remote_link *l, uint64_t until_ns)
{
    const uint64_t now = clock_now_ns(clock_system());
    const uint64_t left = until_ns > now ? until_ns - now : 0;
    const struct timespec timeout = {.tv_sec = (time_t)(left / NS_PER_S),
                                     .tv_nsec = (long)(left % NS_PER_S)};
    struct pollfd fds[] = {{.fd = l->pipes.out, .events = POLLIN}};

    CHECK(ppoll(fds, ARRAY_LEN(fds), &timeout, NULL) >= 0 || errno == EINTR);
}

int remote_link_close(struct remote_link *l, uint64_t wait_ns)
{
    int status;

    if (l->pid < 0)
        return -1;
    receive_said(l);
    status = proc_close(l->pid, &l->pipes, wait_ns);
    l->pid = -1;
    l->at = 0;
    strbuf_reset(&l->input);
    return status;
}

const char *remote_link_last_said(struct remote_link *l)
{
    char *line;

    while (l->said.len > 0 && (unsigned char)l->said.buf[l->said.len - 1] <= ' ')
        l->said.buf[--l->said.len] = '\0';
    if (l->said.len == 0)
        return "";
    line = strrchr(l->said.buf, '\n');
    line = line != NULL ? line + 1 : l->said.buf;
    for (char *c = line; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f)
            *c = ' ';
    }
    return line;
}
