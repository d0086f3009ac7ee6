/*
 * Loading by a statement with which the driver reads a file of our machine and sends it: the file
 * is a pipe, named as this process's descriptor, so rows flow as they are made, nothing lies on a
 * disk and nobody else can read it. The thread is inside the driver meanwhile; here is the owner's
 * side, which writes, and looks whether the statement has ended before its time. Where rows are cut
 * off the pipe's end ends the statement, and its transaction is not committed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "db/odbc_conn.h"
#include "db/pq_encode.h"

#define CHUNK ((size_t)64 * 1024)
#define PIPE_BYTES (1 << 20) /* asked for; less does too */
#define LOOK_MS 100          /* how long a request to stop may go unseen */

static int make_pipe(struct session *s, struct err *err)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_sys(err, errno, "no pipe for rows");
    (void)fcntl(fds[1], F_SETPIPE_SZ, PIPE_BYTES);
    (void)fcntl(fds[1], F_SETFL, O_NONBLOCK);
    s->conn->file_fd = fds[0];
    s->bulk.pipe_fd = fds[1];
    return 0;
}

int odbc_file_begin(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    char name[64];
    const struct odbc_words words = {.schema = b->schema, .table = b->table, .file = name};
    struct stmt stmt = {.id = UINT16_MAX};
    const struct batch batch = {.n = 1, .part[0] = {.stmt = &stmt}};
    const size_t room = CHUNK + pq_row_size_max(b->table);

    if (b->cap < room) {
        b->cap = room;
        b->buf = xreallocarray(b->buf, room, 1);
    }
    b->len = 0;
    if (make_pipe(s, err) < 0)
        return -1;
    (void)snprintf(name, sizeof(name), "/proc/self/fd/%d", s->conn->file_fd);
    strbuf_reset(&b->sql);
    if (odbc_fill_in(b->stmt, &words, &b->sql, err) < 0)
        return -1;
    stmt.text = b->sql.buf;
    b->step = session_submit(s, &batch);
    if (!(b->step & DB_FAILED))
        return 0;
    *err = *session_error(s);
    return -1;
}

/* The statement has ended although rows are left. */
static int ended_early(struct session *s, struct err *err)
{
    struct rows replies;

    close_fd(&s->bulk.pipe_fd);
    if (session_await(s, s->bulk.step, &replies, err) < 0)
        return -1;
    return err_set(err, ERR_DB, "the driver left off reading rows");
}

/* Until the pipe takes more. -1: stopped, or the statement has ended. */
static int wait_for_room(struct session *s, struct err *err)
{
    struct pollfd p[] = {{.fd = s->bulk.pipe_fd, .events = POLLOUT},
                         {.fd = session_wait_fd(s), .events = POLLIN}};
    const int level = s->cfg.stop_at > 0 ? s->cfg.stop_at : 1;

    for (;;) {
        if (stop_level(s->cfg.stop) >= level)
            return err_set(err, ERR_INTERRUPTED, "interrupted");
        if (poll(p, ARRAY_LEN(p), LOOK_MS) <= 0)
            continue;
        return p[1].revents ? ended_early(s, err) : 0;
    }
}

static int flush(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    size_t sent = 0;

    while (sent < b->len) {
        const ssize_t n = write(b->pipe_fd, b->buf + sent, b->len - sent);

        if (n > 0)
            sent += (size_t)n;
        else if (n < 0 && errno != EAGAIN && errno != EINTR)
            return err_sys(err, errno, "rows on their way to the driver");
        else if (wait_for_room(s, err) < 0)
            return -1;
    }
    b->len = 0;
    return 0;
}

int odbc_file_put(struct session *s, const struct value *row, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;

    b->len = (size_t)(pq_put_row_text(b->buf + b->len, row, b->table->n_columns) - b->buf);
    return b->len < CHUNK ? 0 : flush(s, err);
}

/* A server that can't stop the driver's sending takes wrong rows for the nearest right ones, and
 * only warns. The dialect asks for that: no row is well. */
static int check_warnings(struct session *s, struct err *err)
{
    const struct stmt *st = dialect_find(s->cfg.dialect, "bulk_file_warnings");
    struct rows replies;
    const struct rows_part *p = &replies.part[0];
    const struct cell *c = NULL;

    if (!st)
        return 0;
    if (session_exec_text(s, st->text, &replies, NULL, err) < 0)
        return -1;
    if (p->n_rows == 0)
        return 0;
    c = rows_cell(p, 0, (uint16_t)(p->n_columns - 1));
    return err_set(err, ERR_CHECK_FAILED, "the server took rows otherwise than they are: %.*s",
                   c->text ? (int)c->len : 0, c->text ? c->text : "");
}

int odbc_file_end(struct session *s, struct err *err)
{
    struct odbc_bulk *b = &s->bulk;
    struct rows replies;

    if (flush(s, err) < 0)
        return -1;
    close_fd(&b->pipe_fd);
    if (session_await(s, b->step, &replies, err) < 0)
        return -1;
    b->rows = replies.part[0].affected;
    return check_warnings(s, err);
}

void odbc_file_release(struct session *s)
{
    close_fd(&s->bulk.pipe_fd);
    free(s->bulk.buf);
    s->bulk.buf = NULL;
}
