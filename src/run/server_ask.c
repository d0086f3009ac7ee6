/*
 * The table of questions is all that is known of versions here: a question stands for a block of
 * the dialect and, where not all servers have it, for a column that must be in the catalog. Those
 * that can be asked go as one batch, one round trip.
 */
#include "run/server_ask.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

#define ANSWER_NS (5 * NS_PER_S)
#define PROCESSES_MAX 2048
#define NO_COLUMN SERVER_COUNTERS

/* Counters by the columns of an answer's only row. */
static const struct question {
    const char *block;
    const char *needs;             /* a column of the catalog; NULL: of all */
    const char *but_not;           /* ... and one that says that another block knows better */
    enum server_counter column[5]; /* ended by NO_COLUMN */
} questions[] = {
    {"watch_database", NULL, NULL, {COUNT_COMMITS, COUNT_PAGES_READ, COUNT_PAGES_HIT, NO_COLUMN}},
    {"watch_wal", "pg_stat_wal.wal_bytes", NULL, {COUNT_FULL_PAGES, COUNT_WAL_BYTES, NO_COLUMN}},
    {"watch_wal_flushes",
     "pg_stat_wal.wal_sync_time",
     NULL,
     {COUNT_WAL_WRITES, COUNT_WAL_FLUSHES, COUNT_WAL_WRITE_US, COUNT_WAL_FLUSH_US, NO_COLUMN}},
    {"watch_wal_flushes_io",
     "pg_stat_io.write_bytes",
     "pg_stat_wal.wal_sync_time",
     {COUNT_WAL_WRITES, COUNT_WAL_FLUSHES, COUNT_WAL_WRITE_US, COUNT_WAL_FLUSH_US, NO_COLUMN}},
    {"watch_checkpoints_bgwriter",
     "pg_stat_bgwriter.checkpoints_timed",
     NULL,
     {COUNT_CHECKPOINTS_TIMED, COUNT_CHECKPOINTS_REQUESTED, NO_COLUMN}},
    {"watch_checkpoints",
     "pg_stat_checkpointer.num_timed",
     NULL,
     {COUNT_CHECKPOINTS_TIMED, COUNT_CHECKPOINTS_REQUESTED, NO_COLUMN}},
    {"watch_control", NULL, NULL, {COUNT_CHECKPOINT, COUNT_CHECKPOINT_AGE_MS, NO_COLUMN}},
    {"watch_vacuums", NULL, NULL, {NO_COLUMN}},
    {"watch_processes", NULL, NULL, {NO_COLUMN}},
};

struct server_ask {
    const struct dialect *dialect;
    struct db_config db;
    char *name; /* of the session that looks: not that of those it looks at */
    struct session *session;
    const struct stmt *sessions;
    struct value of_whom; /* the run's sessions' name */
    const struct question *asked[BATCH_MAX];
    struct batch counts;
    struct server_facts facts;
    const struct fsroot *root; /* NULL: no processes to be seen */
    int64_t pid;               /* of the looking session */
    int64_t postmaster;
    uint64_t cpu_ns; /* the greatest so far */
    struct strbuf missing;
};

static int ask(struct server_ask *a, const struct batch *b, struct rows *rows, struct err *err)
{
    const struct exec_opts opts = {.within_ns = ANSWER_NS};

    return session_exec(a->session, b, rows, &opts, err);
}

static int ask_block(struct server_ask *a, const char *block, struct rows *rows, struct err *err)
{
    struct batch b = {.n = 1, .commits = true};

    b.part[0].stmt = dialect_need(a->dialect, block, err);
    return b.part[0].stmt ? ask(a, &b, rows, err) : -1;
}

/* ---- finding out what can be asked ---- */

static bool has_column(const struct rows_part *columns, const char *name)
{
    for (uint32_t i = 0; i < columns->n_rows; i++) {
        const struct cell *c = rows_cell(columns, i, 0);

        if (c->text && c->len == strlen(name) && memcmp(c->text, name, c->len) == 0)
            return true;
    }
    return false;
}

static void note_missing(struct server_ask *a, const char *block, const struct err *why)
{
    strbuf_addf(&a->missing, "%s%s (%s)", a->missing.len ? ", " : "", block, why->text);
}

static int find_questions(struct server_ask *a, struct err *err)
{
    bool there[ARRAY_LEN(questions)];
    struct rows rows;

    if (ask_block(a, "watch_columns", &rows, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
        const struct question *q = &questions[i];

        there[i] = (!q->needs || has_column(&rows.part[0], q->needs)) &&
                   !(q->but_not && has_column(&rows.part[0], q->but_not));
    }
    for (size_t i = 0; i < ARRAY_LEN(questions) && a->counts.n < BATCH_MAX; i++) {
        struct err why = {0};

        if (!there[i])
            continue;
        if (ask_block(a, questions[i].block, &rows, &why) < 0) {
            note_missing(a, questions[i].block, &why);
            continue;
        }
        a->asked[a->counts.n] = &questions[i];
        a->counts.part[a->counts.n++].stmt = dialect_find(a->dialect, questions[i].block);
    }
    a->counts.commits = true;
    return 0;
}

/* Processes of that name may be another machine's by chance, or hidden in another name space. */
static void find_processes(struct server_ask *a)
{
    struct process_load self;
    struct process_load up;

    if (!a->root)
        return;
    if (!process_load_read(a->root, a->pid, &self) || strncmp(self.name, "postgres", 8) != 0 ||
        !process_load_read(a->root, self.parent, &up) || strncmp(up.name, "postgres", 8) != 0) {
        a->root = NULL;
        return;
    }
    a->postmaster = self.parent;
    a->facts.cpus = process_processors(a->root, a->postmaster);
}

static int find_self(struct server_ask *a, struct err *err)
{
    struct rows rows;

    a->facts.cpus = -1;
    if (ask_block(a, "watch_self", &rows, err) < 0)
        return -1;
    if (rows.part[0].n_rows != 1 || rows.part[0].n_columns != 3)
        return err_set(err, ERR_DB, "watch_self: one row of three was expected");
    if (cell_i64(rows_cell(&rows.part[0], 0, 0), &a->pid, err) < 0 ||
        cell_i64(rows_cell(&rows.part[0], 0, 1), &a->facts.page_bytes, err) < 0)
        return -1;
    if (cell_bool(rows_cell(&rows.part[0], 0, 2), &a->facts.times_wal, NULL) < 0)
        a->facts.times_wal = false;
    find_processes(a);
    return 0;
}

struct server_ask *server_ask_new(const struct server_ask_opts *opts, struct err *err)
{
    struct server_ask *a = xcalloc(1, sizeof(*a));
    const char *whom = opts->db->application_name ? opts->db->application_name : "";
    struct server_delta seen = {0};

    strbuf_init(&a->missing);
    a->dialect = opts->dialect;
    a->root = opts->root;
    a->name = xasprintf("%s watch", whom);
    a->of_whom = value_text(whom, strlen(whom));
    a->sessions = dialect_need(opts->dialect, "watch_sessions", err);
    if (!a->sessions)
        goto fail;
    a->db = *opts->db;
    a->db.application_name = a->name;
    a->db.prepare = &a->sessions;
    a->db.n_prepare = 1;
    a->session = session_connect(opts->ops, &a->db, 0, err);
    if (!a->session || find_self(a, err) < 0 || find_questions(a, err) < 0 ||
        server_ask_sessions(a, &seen, err) < 0)
        goto fail;
    return a;
fail:
    server_ask_free(a);
    return NULL;
}

void server_ask_free(struct server_ask *a)
{
    if (!a)
        return;
    session_free(a->session);
    strbuf_release(&a->missing);
    free(a->name);
    free(a);
}

const struct server_facts *server_ask_facts(const struct server_ask *a)
{
    return &a->facts;
}

const char *server_ask_missing(const struct server_ask *a)
{
    return a->missing.len ? a->missing.buf : NULL;
}

bool server_ask_alive(const struct server_ask *a)
{
    return session_alive(a->session);
}

/* ---- answers ---- */

static void copy_cell(const struct cell *c, char *out, size_t size)
{
    const size_t n = c->text ? (c->len < size ? c->len : size - 1) : 0;

    if (n > 0)
        memcpy(out, c->text, n);
    out[n] = '\0';
}

int server_ask_sessions(struct server_ask *a, struct server_delta *seen, struct err *err)
{
    const struct batch b = {.n = 1, .commits = true, .part[0] = {a->sessions, &a->of_whom}};
    struct rows rows;

    if (ask(a, &b, &rows, err) < 0)
        return -1;
    seen->looks++;
    for (uint32_t i = 0; i < rows.part[0].n_rows && rows.part[0].n_columns == 4; i++) {
        char text[3][SERVER_TABLE_NAME];
        int64_t n = 0;
        enum wait_class class;

        for (uint16_t k = 0; k < 3; k++)
            copy_cell(rows_cell(&rows.part[0], i, k), text[k], sizeof(text[k]));
        if (cell_i64(rows_cell(&rows.part[0], i, 3), &n, err) < 0)
            return -1;
        class = server_wait_class(text[0], text[1], strncmp(text[2], "idle", 4) == 0);
        seen->seen[class] += n > 0 ? (uint64_t)n : 0;
    }
    return 0;
}

static void take_counters(const struct question *q, const struct rows_part *part,
                          struct server_counts *out)
{
    if (part->n_rows != 1)
        return;
    for (uint16_t k = 0; k < part->n_columns && q->column[k] != NO_COLUMN; k++)
        out->has[q->column[k]] =
            cell_i64(rows_cell(part, 0, k), &out->count[q->column[k]], NULL) == 0;
}

static void take_vacuums(const struct rows_part *part, struct server_counts *out)
{
    for (uint32_t i = 0; i < part->n_rows && out->n_vacuums < SERVER_TABLES_MAX; i++) {
        struct server_vacuum *v = &out->vacuum[out->n_vacuums];

        copy_cell(rows_cell(part, i, 0), v->table, sizeof(v->table));
        if (cell_i64(rows_cell(part, i, 1), &v->ended, NULL) == 0 &&
            cell_bool(rows_cell(part, i, 2), &v->runs, NULL) == 0)
            out->n_vacuums++;
    }
}

static uint64_t listed_cpu_ns(const struct server_ask *a, const struct rows_part *part)
{
    struct process_load p;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < part->n_rows && i < PROCESSES_MAX; i++) {
        int64_t pid = 0;

        if (cell_i64(rows_cell(part, i, 0), &pid, NULL) == 0 && process_load_read(a->root, pid, &p))
            sum += p.cpu_ns;
    }
    if (process_load_read(a->root, a->postmaster, &p))
        sum += p.cpu_ns + p.ended_cpu_ns;
    return sum;
}

/* This program writes its files beside the server's, for all it knows. */
static void take_io(const struct server_ask *a, struct server_counts *out)
{
    struct process_io own;

    if (!process_family_io(a->root, a->postmaster, &out->io) ||
        !process_io_read(a->root, getpid(), &own))
        return;
    out->io.read_bytes += own.read_bytes;
    out->io.write_bytes += own.write_bytes;
    out->has_io = true;
}

/* The postmaster's and its children's; where the kernel has no list of them, those that the server
 * tells of, of which one that is about to end is missing for a moment. */
static void take_processes(struct server_ask *a, const struct rows_part *part,
                           struct server_counts *out)
{
    struct process_load p;
    uint64_t ns = 0;

    if (!a->root || !process_load_read(a->root, a->pid, &p))
        return;
    if (!process_family_cpu_ns(a->root, a->postmaster, &ns))
        ns = listed_cpu_ns(a, part);
    if (ns > a->cpu_ns)
        a->cpu_ns = ns;
    out->cpu_ns = a->cpu_ns;
    out->looking_cpu_ns = p.cpu_ns;
    out->has_cpu = true;
    take_io(a, out);
}

int server_ask_counts(struct server_ask *a, struct server_counts *out, struct err *err)
{
    struct rows rows;

    memset(out, 0, sizeof(*out));
    if (a->counts.n == 0)
        return 0;
    if (ask(a, &a->counts, &rows, err) < 0)
        return -1;
    for (uint8_t i = 0; i < rows.n; i++) {
        const struct question *q = a->asked[i];

        if (strcmp(q->block, "watch_vacuums") == 0)
            take_vacuums(&rows.part[i], out);
        else if (strcmp(q->block, "watch_processes") == 0)
            take_processes(a, &rows.part[i], out);
        else
            take_counters(q, &rows.part[i], out);
    }
    return 0;
}
