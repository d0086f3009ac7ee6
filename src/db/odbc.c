/*
 * The ODBC backend's table: makes a connection's description out of the configuration, and passes
 * everything else to its worker. Owner's thread.
 */
#include "db/odbc_conn.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "sql/dialect.h"

static const struct stmt *block(const struct db_config *cfg, const char *name)
{
    return cfg->dialect ? dialect_find(cfg->dialect, name) : NULL;
}

static void take_binds(struct odbc_conn *c, const struct db_config *cfg)
{
    static const char *const names[ODBC_KINDS] = {
        [VALUE_I32] = "odbc_i32",         [VALUE_I64] = "odbc_i64",   [VALUE_CENTS] = "odbc_cents",
        [VALUE_RATE] = "odbc_rate",       [VALUE_TEXT] = "odbc_text", [VALUE_TIME_US] = "odbc_time",
        [VALUE_I32_ARRAY] = "odbc_array",
    };

    for (size_t i = 0; i < ODBC_KINDS; i++) {
        const struct stmt *st = names[i] ? block(cfg, names[i]) : NULL;

        c->binds.of[i] = st ? xstrdup(st->text) : NULL;
    }
}

/* The session's statement, with its one parameter already a ?. */
static int take_session(struct odbc_conn *c, const struct db_config *cfg, struct err *err)
{
    const struct stmt *st = block(cfg, "odbc_session");
    const struct stmt *run = cfg->n_prepare > 0 ? block(cfg, "odbc_session_run") : NULL;
    const struct stmt *after = cfg->n_prepare > 0 ? block(cfg, "odbc_after_failure") : NULL;
    const struct stmt *cancel = block(cfg, "odbc_cancel");

    if (st && (st->n_params > 1 || (st->n_params == 1 && st->param_kind[0] != VALUE_TEXT)))
        return err_set(err, ERR_USAGE, "%s: odbc_session has another parameter than one text",
                       dialect_dir(cfg->dialect));
    c->session_sql = st ? xstrdup(st->text) : NULL;
    c->session_named = st && st->n_params == 1;
    c->session_run_sql = xstrdup_or_null(run ? run->text : NULL);
    c->after_failure_sql = xstrdup_or_null(after ? after->text : NULL);
    c->cancel_ask_sql = xstrdup_or_null(cancel ? cancel->text : NULL);
    return 0;
}

static int take_prepared(struct odbc_conn *c, const struct db_config *cfg, struct err *err)
{
    c->prepared = xcalloc(cfg->n_prepare + 1U, sizeof(*c->prepared));
    c->n_prepared = cfg->n_prepare;
    for (uint16_t i = 0; i < cfg->n_prepare; i++) {
        const struct stmt *st = cfg->prepare[i];

        if (odbc_translate(st, &c->binds, &c->prepared[i].text, err) < 0)
            return -1;
        c->prepared[i].name = xstrdup(st->name);
        memcpy(c->prepared[i].param_kind, st->param_kind, sizeof(st->param_kind));
    }
    return 0;
}

static struct session *odbc_create(const struct db_config *cfg, struct err *err)
{
    struct odbc_conn *c = xcalloc(1, sizeof(*c));
    struct session *s = NULL;

    CHECK(pthread_mutex_init(&c->lock, NULL) == 0);
    c->file_fd = -1;
    strbuf_init(&c->bytes);
    c->connection =
        strchr(cfg->conninfo, '=') ? xstrdup(cfg->conninfo) : xasprintf("DSN=%s", cfg->conninfo);
    c->name = xstrdup(cfg->application_name ? cfg->application_name : "tpcc-run");
    take_binds(c, cfg);
    if (take_session(c, cfg, err) < 0 || take_prepared(c, cfg, err) < 0) {
        odbc_worker_ops.close(c);
        return NULL;
    }
    s = xcalloc(1, sizeof(*s));
    s->ops = &odbc_ops;
    s->cfg = *cfg;
    s->conn = c;
    strbuf_init(&s->bulk.head);
    strbuf_init(&s->bulk.sql);
    s->bulk.pipe_fd = -1;
    s->worker = worker_new(&odbc_worker_ops, c, cfg, err);
    if (!s->worker) {
        free(s);
        return NULL;
    }
    return s;
}

static unsigned odbc_open(struct session *s)
{
    return worker_open(s->worker);
}

static unsigned odbc_submit(struct session *s, const struct batch *b)
{
    return worker_submit(s->worker, b);
}

static unsigned odbc_advance(struct session *s, struct rows *replies)
{
    return worker_advance(s->worker, replies);
}

static int odbc_wait_fd(const struct session *s)
{
    return worker_wait_fd(s->worker);
}

static void odbc_cancel(struct session *s)
{
    worker_cancel(s->worker);
}

static void odbc_cut(struct session *s)
{
    worker_cut(s->worker);
}

static uint64_t odbc_thread_cpu_ns(const struct session *s)
{
    return worker_cpu_ns(s->worker);
}

static const struct err *odbc_error(const struct session *s)
{
    return worker_error(s->worker);
}

static bool odbc_alive(const struct session *s)
{
    return worker_alive(s->worker);
}

static const struct db_about *odbc_about(const struct session *s)
{
    return worker_alive(s->worker) ? &s->conn->about : NULL;
}

static const struct db_config *odbc_config(const struct session *s)
{
    return &s->cfg;
}

static void odbc_leave(struct session *s)
{
    odbc_file_release(s); /* or its reader would wait for more */
    worker_leave(s->worker);
}

static void odbc_close(struct session *s)
{
    odbc_file_release(s);
    worker_free(s->worker);
    strbuf_release(&s->bulk.head);
    strbuf_release(&s->bulk.sql);
    free(s);
}

const struct db_ops odbc_ops = {
    .name = "odbc",
    .caps = DB_CAP_ASYNC | DB_CAP_COPY,
    .create = odbc_create,
    .open = odbc_open,
    .submit = odbc_submit,
    .advance = odbc_advance,
    .wait_fd = odbc_wait_fd,
    .cancel = odbc_cancel,
    .cut = odbc_cut,
    .thread_cpu_ns = odbc_thread_cpu_ns,
    .bulk_begin = odbc_bulk_begin,
    .bulk_put = odbc_bulk_put,
    .bulk_end = odbc_bulk_end,
    .error = odbc_error,
    .alive = odbc_alive,
    .config = odbc_config,
    .about = odbc_about,
    .leave = odbc_leave,
    .close = odbc_close,
};
