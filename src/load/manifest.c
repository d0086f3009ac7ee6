/*
 * What is in our schema: the manifest's rows, the lock and its holder, the size, the end.
 * Statements come from the dialect; each is one transaction. Any thread, with its own session.
 *
 * A schema is ours when its table `manifest` says so in our format. Anything else that holds tables
 * is foreign and never touched; a schema without any is as good as none.
 */
#include "load/manifest.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "sql/rows.h"

/* Raised when the meaning of a dataset changes: rows, columns or keys. */
#define FORMAT "tpcc-run/1"

/* How long the session of a process that has just ended may take to let go of the lock. */
enum { LOCK_TRIES = 100 };
#define LOCK_WAIT_NS (50 * NS_PER_MS)

#define ASK_NS (3600 * NS_PER_S) /* one statement: to drop a large dataset takes long */

static int exec(struct session *s, const struct stmt *stmt, const struct value *args,
                struct rows *replies, struct err *err)
{
    const struct exec_opts opts = {.within_ns = ASK_NS};
    struct batch b = {.n = 1};

    if (!stmt)
        return -1;
    b.part[0] = (struct batch_part){.stmt = stmt, .args = args};
    if (session_exec(s, &b, replies, &opts, err) < 0)
        return err_wrap(err, "%s", stmt->name);
    return 0;
}

static int ask(struct session *s, const struct dialect *d, const char *name, struct rows *replies,
               struct err *err)
{
    return exec(s, dialect_need(d, name, err), NULL, replies, err);
}

/* args may be NULL. */
static int tell(struct session *s, const struct dialect *d, const char *name,
                const struct value *args, struct err *err)
{
    return exec(s, dialect_need(d, name, err), args, NULL, err);
}

/* --- the manifest --- */

enum field_kind { FIELD_U64, FIELD_I64, FIELD_I32, FIELD_SECONDS, FIELD_UNIT };

static const struct field {
    const char *name;
    enum field_kind kind;
    size_t offset;
} fields[] = {
    {"seed", FIELD_U64, offsetof(struct manifest, dataset.seed)},
    {"load_time_us", FIELD_I64, offsetof(struct manifest, dataset.load_time_us)},
    {"warehouses", FIELD_I32, offsetof(struct manifest, dataset.warehouses)},
    {"c_load_customer_last", FIELD_I32, offsetof(struct manifest, dataset.c_load.customer_last)},
    {"c_load_customer_id", FIELD_I32, offsetof(struct manifest, dataset.c_load.customer_id)},
    {"c_load_item_id", FIELD_I32, offsetof(struct manifest, dataset.c_load.item_id)},
    {"loaded_at_us", FIELD_I64, offsetof(struct manifest, loaded_at_us)},
    {"load_seconds", FIELD_SECONDS, offsetof(struct manifest, load_seconds)},
    {"bytes_loaded", FIELD_I64, offsetof(struct manifest, bytes_loaded)},
    {"runs_since_load", FIELD_I64, offsetof(struct manifest, runs_since_load)},
    {"unit", FIELD_UNIT, offsetof(struct manifest, unit)},
};

static char *field_format(const struct manifest *m, const struct field *f)
{
    const char *at = (const char *)m + f->offset;
    uint64_t u = 0;
    int64_t i = 0;
    int32_t i32 = 0;
    double seconds = 0;

    switch (f->kind) {
    case FIELD_U64:
        memcpy(&u, at, sizeof(u));
        return xasprintf("%llu", (unsigned long long)u);
    case FIELD_I64:
        memcpy(&i, at, sizeof(i));
        return xasprintf("%lld", (long long)i);
    case FIELD_I32:
        memcpy(&i32, at, sizeof(i32));
        return xasprintf("%d", i32);
    case FIELD_SECONDS:
        memcpy(&seconds, at, sizeof(seconds));
        return xasprintf("%.3f", seconds);
    case FIELD_UNIT:
        return xstrdup(at);
    }
    UNREACHABLE();
}

static int field_parse(struct manifest *m, const struct field *f, const char *text, struct err *err)
{
    char *at = (char *)m + f->offset;
    uint64_t u = 0;
    int64_t i = 0;
    double seconds = 0;

    switch (f->kind) {
    case FIELD_U64:
        if (units_parse_u64(text, &u, err) < 0)
            return -1;
        memcpy(at, &u, sizeof(u));
        return 0;
    case FIELD_I64:
        if (units_parse_i64(text, &i, err) < 0)
            return -1;
        memcpy(at, &i, sizeof(i));
        return 0;
    case FIELD_I32:
        if (units_parse_i64(text, &i, err) < 0)
            return -1;
        if (i < 0 || i > INT32_MAX)
            return err_set(err, ERR_USAGE, "\"%s\" is out of range", text);
        memcpy(at, &(int32_t){(int32_t)i}, sizeof(int32_t));
        return 0;
    case FIELD_SECONDS:
        if (units_parse_double(text, &seconds, err) < 0)
            return -1;
        memcpy(at, &seconds, sizeof(seconds));
        return 0;
    case FIELD_UNIT:
        if (strcmp(text, "table") != 0 && strcmp(text, "warehouse") != 0)
            return err_set(err, ERR_USAGE, "\"%s\" is not a unit", text);
        memcpy(at, text, strlen(text) + 1);
        return 0;
    }
    UNREACHABLE();
}

/* The value of that name, free() it; NULL where there is none. */
static char *value_of(const struct rows_part *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const struct cell *c = rows_cell(p, i, 0);

        if (c->text && c->len == strlen(name) && memcmp(c->text, name, c->len) == 0)
            return cell_dup(rows_cell(p, i, 1));
    }
    return NULL;
}

static void foreign(struct manifest *m, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void foreign(struct manifest *m, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(m->why, sizeof(m->why), fmt, ap);
    va_end(ap);
    m->state = DATASET_FOREIGN;
}

static void read_fields(struct manifest *m, const struct rows_part *p)
{
    struct err bad = {0};
    char *format = value_of(p, "format");
    char *state = value_of(p, "state");

    if (!format || strcmp(format, FORMAT) != 0)
        foreign(m, "its manifest is of format \"%.40s\", not of \"%s\"", format ? format : "",
                FORMAT);
    for (size_t i = 0; m->state != DATASET_FOREIGN && i < ARRAY_LEN(fields); i++) {
        char *text = value_of(p, fields[i].name);

        if (!text)
            foreign(m, "its manifest has no \"%s\"", fields[i].name);
        else if (field_parse(m, &fields[i], text, &bad) < 0)
            foreign(m, "its manifest's \"%s\": %.100s", fields[i].name, bad.text);
        free(text);
    }
    if (m->state != DATASET_FOREIGN && m->dataset.warehouses < 1)
        foreign(m, "its manifest has no warehouses");
    if (m->state != DATASET_FOREIGN)
        m->state = state && strcmp(state, "complete") == 0 ? DATASET_COMPLETE : DATASET_PARTIAL;
    free(format);
    free(state);
}

int manifest_read(struct session *s, const struct dialect *d, struct manifest *m, struct err *err)
{
    struct rows replies;
    const struct rows_part *p = &replies.part[0];
    bool schema = false;
    bool ours = false;
    int64_t relations = 0;

    memset(m, 0, sizeof(*m));
    if (ask(s, d, "dataset_look", &replies, err) < 0)
        return -1;
    if (p->n_rows != 1 || p->n_columns != 4)
        return err_set(err, ERR_DB, "dataset_look: an answer of another shape");
    if (cell_bool(rows_cell(p, 0, 0), &schema, err) < 0 ||
        cell_bool(rows_cell(p, 0, 1), &ours, err) < 0 ||
        cell_i64(rows_cell(p, 0, 2), &relations, err) < 0)
        return -1;
    if (!schema || relations == 0)
        return 0; /* absent */
    if (!ours) {
        const struct cell *names = rows_cell(p, 0, 3);

        foreign(m, "it holds %.*s%s and no manifest of ours", (int)names->len,
                names->text ? names->text : "", relations > 4 ? ", ..." : "");
        return 0;
    }
    if (ask(s, d, "manifest_read", &replies, err) < 0) {
        if (strcmp(err->sqlstate, "42703") != 0) /* undefined column */
            return -1;
        foreign(m, "its table manifest is not ours");
        err_reset(err);
        return 0;
    }
    read_fields(m, p);
    return 0;
}

int manifest_set(struct session *s, const struct dialect *d, const char *name, const char *value,
                 struct err *err)
{
    const struct value args[] = {value_text(name, strlen(name)), value_text(value, strlen(value))};

    return tell(s, d, "manifest_set", args, err);
}

int manifest_write(struct session *s, const struct dialect *d, const struct manifest *m,
                   struct err *err)
{
    if (manifest_set(s, d, "format", FORMAT, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        char *text = field_format(m, &fields[i]);
        const int rc = manifest_set(s, d, fields[i].name, text, err);

        free(text);
        if (rc < 0)
            return -1;
    }
    return 0;
}

int manifest_count_run(struct session *s, const struct dialect *d, struct err *err)
{
    return tell(s, d, "manifest_count_run", NULL, err);
}

/* --- the dataset as a whole --- */

int dataset_bytes(struct session *s, const struct dialect *d, int64_t *bytes, struct err *err)
{
    struct rows replies;

    if (ask(s, d, "dataset_bytes", &replies, err) < 0)
        return -1;
    if (replies.part[0].n_rows != 1)
        return err_set(err, ERR_DB, "dataset_bytes: no answer");
    return cell_i64(rows_cell(&replies.part[0], 0, 0), bytes, err);
}

/* The name of a session that holds the lock: "<who> <pid>@<host>". The server cuts names at 63
 * bytes, so what tells processes apart stands first. */
struct lock_name {
    char text[64];
    size_t who_len; /* where the process begins, behind a blank */
};

static struct lock_name lock_name(const char *who)
{
    struct lock_name name;
    char host[256] = "?";

    (void)gethostname(host, sizeof(host) - 1);
    (void)snprintf(name.text, sizeof(name.text), "%.20s %d@%.30s", who, (int)getpid(), host);
    name.who_len = strcspn(name.text, " ");
    return name;
}

/* " <pid>@<host>" of two names, one of them perhaps cut short in its host. */
static bool same_process(const char *a, const char *b)
{
    const size_t n = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

    return strncmp(a, b, n) == 0 && memchr(a, '@', n) != NULL;
}

enum holder { HOLDER_US, HOLDER_ENDING, HOLDER_OTHER };

/* True where `process`, " <pid>@<host>", was of this machine and lives no more: its session is
 * about to end. */
static bool has_ended(const char *process, const struct lock_name *own)
{
    const char *own_host = strchr(own->text, '@');
    const char *host = strchr(process, '@');
    int64_t pid = 0;
    char *digits = host ? xstrndup(process + 1, (size_t)(host - process - 1)) : NULL;
    bool ended = false;

    if (digits && own_host && strncmp(host, own_host, strlen(host)) == 0 &&
        units_parse_i64(digits, &pid, NULL) == 0 && pid > 0 && pid <= INT32_MAX)
        ended = kill((pid_t)pid, 0) < 0 && errno == ESRCH;
    free(digits);
    return ended;
}

/* Who holds the lock; err is filled for HOLDER_OTHER and HOLDER_ENDING. -1: can't be asked. */
static int held(struct session *s, const struct dialect *d, const struct lock_name *own,
                struct err *err)
{
    struct rows replies;
    const struct rows_part *p = &replies.part[0];
    char *name = NULL;
    char *since = NULL;
    char *process = NULL;
    int holder = HOLDER_OTHER;

    if (ask(s, d, "dataset_lock_holder", &replies, err) < 0)
        return -1;
    if (p->n_rows == 1 && p->n_columns == 2) {
        name = cell_dup(rows_cell(p, 0, 0));
        since = cell_dup(rows_cell(p, 0, 1));
        process = name ? strchr(name, ' ') : NULL;
    }
    if (process && same_process(process, own->text + own->who_len)) {
        holder = HOLDER_US;
    } else if (process) {
        holder = has_ended(process, own) ? HOLDER_ENDING : HOLDER_OTHER;
        (void)err_set(err, ERR_SURROUNDINGS,
                      "the dataset is in use by %.*s, process %.*s on host %s, since %s UTC",
                      (int)(process - name), name, (int)strcspn(process + 1, "@"), process + 1,
                      strchrnul(process, '@') + (strchr(process, '@') != NULL),
                      since ? since : "?");
    } else {
        holder = HOLDER_ENDING; /* its session is not listed any more */
        (void)err_set(err, ERR_SURROUNDINGS, "the dataset is in use by another process");
    }
    free(name);
    free(since);
    return holder;
}

static int try_lock(struct session *s, const struct dialect *d, bool *locked, struct err *err)
{
    struct rows replies;

    if (ask(s, d, "dataset_lock_try", &replies, err) < 0)
        return -1;
    if (replies.part[0].n_rows != 1)
        return err_set(err, ERR_DB, "dataset_lock_try: no answer");
    return cell_bool(rows_cell(&replies.part[0], 0, 0), locked, err);
}

int dataset_lock(struct session *s, const struct dialect *d, const char *who, struct err *err)
{
    const struct clock *clk = session_clock(s);
    const struct lock_name name = lock_name(who);
    const struct value arg = value_text(name.text, strlen(name.text));
    bool locked = false;

    if (tell(s, d, "dataset_lock_name", &arg, err) < 0)
        return -1;
    for (int tries = 1;; tries++) {
        int holder = HOLDER_US;

        if (try_lock(s, d, &locked, err) < 0)
            return -1;
        if (!locked)
            holder = held(s, d, &name, err);
        if (holder == HOLDER_US) {
            err_reset(err);
            return 0;
        }
        if (holder != HOLDER_ENDING || tries == LOCK_TRIES)
            return -1;
        clock_sleep_until_ns(clk, clock_now_ns(clk) + LOCK_WAIT_NS);
    }
}

void dataset_unlock(struct session *s, const struct dialect *d)
{
    struct err unseen = {0};

    if (s && session_alive(s) && dialect_find(d, "dataset_unlock"))
        (void)!tell(s, d, "dataset_unlock", NULL, &unseen);
}

int dataset_list(struct session *s, const struct dialect *d, struct strbuf *out, struct err *err)
{
    struct rows replies;
    const struct rows_part *p = &replies.part[0];

    if (ask(s, d, "dataset_list", &replies, err) < 0)
        return -1;
    for (uint32_t i = 0; i < p->n_rows && p->n_columns == 3; i++) {
        const struct cell *kind = rows_cell(p, i, 0);
        const struct cell *name = rows_cell(p, i, 1);
        char size[32] = "";
        int64_t bytes = 0;

        if (rows_cell(p, i, 2)->text) {
            if (cell_i64(rows_cell(p, i, 2), &bytes, err) < 0)
                return -1;
            units_format_bytes((uint64_t)bytes, size, sizeof(size));
        }
        strbuf_addf(out, "%.*s %.*s%s%s\n", (int)kind->len, kind->text, (int)name->len, name->text,
                    size[0] ? ", " : "", size);
    }
    return 0;
}

int dataset_drop(struct session *s, const struct dialect *d, struct err *err)
{
    struct manifest m;

    if (manifest_read(s, d, &m, err) < 0)
        return -1;
    if (m.state == DATASET_FOREIGN)
        return err_set(err, ERR_SURROUNDINGS,
                       "the schema tpcc is not ours and is left as it is: %s", m.why);
    if (m.state == DATASET_ABSENT)
        return 0;
    if (dataset_lock(s, d, "removal", err) < 0)
        return -1;
    return tell(s, d, "dataset_drop", NULL, err);
}
