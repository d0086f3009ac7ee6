/*
 * The table of questions is all that is known of servers here: a question stands for a block of the
 * dialect, and NAME_if, where there is one, for another that says whether this server has what it
 * asks for. Those that can be asked go as one batch, one round trip.
 */
#include "run/server_ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

#define ANSWER_NS (5 * NS_PER_S)
#define PROCESSES_MAX 2048
#define NO_COLUMN SERVER_COUNTERS

/* Counters by the columns of an answer's only row; of two that tell the same, the later one's. */
static const struct question {
    const char *block;
    enum server_counter column[5]; /* ended by NO_COLUMN */
} questions[] = {
    {"watch_database", {COUNT_COMMITS, COUNT_PAGES_READ, COUNT_PAGES_HIT, NO_COLUMN}},
    {"watch_wal", {COUNT_FULL_PAGES, COUNT_WAL_BYTES, NO_COLUMN}},
    {"watch_wal_flushes",
     {COUNT_WAL_WRITES, COUNT_WAL_FLUSHES, COUNT_WAL_WRITE_US, COUNT_WAL_FLUSH_US, NO_COLUMN}},
    {"watch_wal_flushes_io",
     {COUNT_WAL_WRITES, COUNT_WAL_FLUSHES, COUNT_WAL_WRITE_US, COUNT_WAL_FLUSH_US, NO_COLUMN}},
    {"watch_checkpoints_bgwriter",
     {COUNT_CHECKPOINTS_TIMED, COUNT_CHECKPOINTS_REQUESTED, NO_COLUMN}},
    {"watch_checkpoints", {COUNT_CHECKPOINTS_TIMED, COUNT_CHECKPOINTS_REQUESTED, NO_COLUMN}},
    {"watch_control", {COUNT_CHECKPOINT, COUNT_CHECKPOINT_AGE_MS, NO_COLUMN}},
    {"watch_vacuums", {NO_COLUMN}},
    {"watch_processes", {NO_COLUMN}},
};

struct server_ask {
    const struct dialect *dialect;
    const struct db_ops *ops;
    struct db_config db;
    char *name; /* of the session that looks: not that of those it looks at */
    struct session *session;
    const struct stmt *sessions;
    struct value of_whom; /* the run's sessions' name */
    const struct question *asked[BATCH_MAX];
    struct batch counts;
    struct server_facts facts;
    const struct fsroot *root;
    bool local; /* by the connection */
    struct server_process process;
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

static void copy_cell(const struct cell *c, char *out, size_t size)
{
    const size_t n = c->text ? (c->len < size ? c->len : size - 1) : 0;

    if (n > 0)
        memcpy(out, c->text, n);
    out[n] = '\0';
}

/* ---- finding out what can be asked ---- */

static void note_missing(struct server_ask *a, const char *block, const struct err *why)
{
    strbuf_addf(&a->missing, "%s%s (%s)", a->missing.len ? ", " : "", block, why->text);
}

/* Whether the server has what the block asks for; where even that can't be told, it has not. */
static bool is_for_this(struct server_ask *a, const char *block, struct err *err)
{
    char *name = xasprintf("%s_if", block);
    bool is = true;
    struct rows rows;
    int64_t n = 0;

    if (dialect_find(a->dialect, name))
        is = ask_block(a, name, &rows, err) == 0 && rows.part[0].n_rows == 1 &&
             cell_i64(rows_cell(&rows.part[0], 0, 0), &n, err) == 0 && n > 0;
    free(name);
    return is;
}

static void find_questions(struct server_ask *a)
{
    struct rows rows;

    a->counts.n = 0;
    a->missing.len = 0;
    for (size_t i = 0; i < ARRAY_LEN(questions) && a->counts.n < BATCH_MAX; i++) {
        const struct stmt *st = dialect_find(a->dialect, questions[i].block);
        struct err why = {0};

        if (!st || !is_for_this(a, questions[i].block, NULL))
            continue;
        if (ask_block(a, questions[i].block, &rows, &why) < 0) {
            note_missing(a, questions[i].block, &why);
            continue;
        }
        a->asked[a->counts.n] = &questions[i];
        a->counts.part[a->counts.n++].stmt = st;
    }
    a->counts.commits = true;
}

/* A server that is one process tells of its name, its machine's and of its thread for us. */
static void find_process(struct server_ask *a, int64_t pid)
{
    char name[32];
    char host[256];
    struct server_process_said said = {.name = name, .host = host};
    struct rows rows;

    if (!dialect_find(a->dialect, "watch_process")) {
        if (a->local)
            server_process_find(&a->process, a->root, pid);
        return;
    }
    if (ask_block(a, "watch_process", &rows, NULL) < 0 || rows.part[0].n_rows != 1 ||
        rows.part[0].n_columns != 3)
        return;
    copy_cell(rows_cell(&rows.part[0], 0, 0), name, sizeof(name));
    copy_cell(rows_cell(&rows.part[0], 0, 1), host, sizeof(host));
    if (cell_i64(rows_cell(&rows.part[0], 0, 2), &said.thread, NULL) == 0)
        server_process_find_thread(&a->process, a->root, &said);
}

static int find_self(struct server_ask *a, struct err *err)
{
    struct rows rows;
    int64_t pid = 0;

    a->process = (struct server_process){0};
    if (ask_block(a, "watch_self", &rows, err) < 0)
        return -1;
    if (rows.part[0].n_rows != 1 || rows.part[0].n_columns != 3)
        return err_set(err, ERR_DB, "watch_self: one row of three was expected");
    if (cell_i64(rows_cell(&rows.part[0], 0, 0), &pid, err) < 0 ||
        cell_i64(rows_cell(&rows.part[0], 0, 1), &a->facts.page_bytes, err) < 0)
        return -1;
    if (cell_bool(rows_cell(&rows.part[0], 0, 2), &a->facts.times_wal, NULL) < 0)
        a->facts.times_wal = false;
    find_process(a, pid);
    a->facts.local = a->local || a->process.root != NULL;
    a->facts.cpus = a->process.root ? process_processors(a->root, a->process.pid) : -1;
    return 0;
}

int server_ask_connect(struct server_ask *a, uint64_t within_ns, struct err *err)
{
    struct server_delta seen = {0};

    session_free(a->session);
    a->session = session_connect(a->ops, &a->db, within_ns, err);
    if (!a->session)
        return -1;
    if (!is_for_this(a, "watch_sessions", err))
        return err_wrap(err, "no right to look at its sessions (watch_sessions_if)");
    if (find_self(a, err) < 0)
        return -1;
    find_questions(a);
    return server_ask_sessions(a, &seen, err);
}

struct server_ask *server_ask_new(const struct server_ask_opts *opts, struct err *err)
{
    struct server_ask *a = xcalloc(1, sizeof(*a));
    const char *whom = opts->db->application_name ? opts->db->application_name : "";

    strbuf_init(&a->missing);
    a->dialect = opts->dialect;
    a->ops = opts->ops;
    a->root = opts->root;
    a->local = opts->local;
    a->name = xasprintf("%s watch", whom);
    a->of_whom = value_text(whom, strlen(whom));
    a->sessions = dialect_need(opts->dialect, "watch_sessions", err);
    a->db = *opts->db;
    a->db.application_name = a->name;
    a->db.prepare = &a->sessions;
    a->db.n_prepare = 1;
    if (!a->sessions || server_ask_connect(a, 0, err) < 0) {
        server_ask_free(a);
        return NULL;
    }
    return a;
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

uint64_t server_ask_thread_cpu_ns(const struct server_ask *a)
{
    return a->session ? session_thread_cpu_ns(a->session) : 0;
}

bool server_ask_alive(const struct server_ask *a)
{
    return a->session && session_alive(a->session);
}

/* ---- answers ---- */

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
    for (uint16_t k = 0; k < part->n_columns && q->column[k] != NO_COLUMN; k++) {
        if (cell_i64(rows_cell(part, 0, k), &out->count[q->column[k]], NULL) == 0)
            out->has[q->column[k]] = true;
    }
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

static size_t listed(const struct rows_part *part, int64_t pids[PROCESSES_MAX])
{
    size_t n = 0;

    for (uint32_t i = 0; i < part->n_rows && n < PROCESSES_MAX; i++)
        n += cell_i64(rows_cell(part, i, 0), &pids[n], NULL) == 0;
    return n;
}

int server_ask_counts(struct server_ask *a, struct server_counts *out, struct err *err)
{
    int64_t pids[PROCESSES_MAX];
    struct server_process_list list = {.pid = pids};
    struct rows rows = {0};

    memset(out, 0, sizeof(*out));
    if (a->counts.n > 0 && ask(a, &a->counts, &rows, err) < 0)
        return -1;
    for (uint8_t i = 0; i < rows.n; i++) {
        const struct question *q = a->asked[i];

        if (strcmp(q->block, "watch_vacuums") == 0)
            take_vacuums(&rows.part[i], out);
        else if (strcmp(q->block, "watch_processes") == 0)
            list.n = listed(&rows.part[i], pids);
        else
            take_counters(q, &rows.part[i], out);
    }
    server_process_use(&a->process, list, &out->use);
    return 0;
}
