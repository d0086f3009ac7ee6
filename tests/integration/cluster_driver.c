/*
 * Calls the private server's functions one after the other, as the words on the command line say,
 * for the scripts beside it: cluster-driver DIR [option=value]... WORD...
 *
 *   options   user= bin= conf= recovery_ms= buffer_mib= wal_mib= memory_mib= stop_after_ms= (then
 *             asks to stop)
 *   words     look  open  open-for-removal  start  start-unsafe  end-unsafe  stop  keep  note
 *             fresh (what is started after it, for a measured run)  memory  expect  free  remove
 * rebuild  alive  sql=TEXT  wait (until a line comes on standard input)
 *
 * Says "ok WORD" for each, and ends at the first that fails: "failed WORD: text", exit as the error
 * says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "base/units.h"
#include "cluster/cluster.h"
#include "cluster/layout.h"
#include "db/session.h"

struct driver {
    struct cluster_opts opts;
    struct cluster_settings settings;
    struct cluster *cluster;
    struct stop stop;
    uint64_t stop_after_ns;
};

static void say(enum log_level level, const char *line, void *ctx)
{
    (void)ctx;
    (void)printf("log %d %s\n", (int)level, line);
}

static void on_progress(const struct progress *p, void *ctx)
{
    (void)ctx;
    (void)printf("progress %s %ju %ju %ju ms\n", p->step, (uintmax_t)p->done, (uintmax_t)p->total,
                 (uintmax_t)(p->elapsed_ns / NS_PER_MS));
}

/* A thread that asks to stop some time after it began. */
static void *ask_later(void *ctx)
{
    struct driver *d = ctx;
    const struct clock *clk = d->opts.clock;

    clock_sleep_until_ns(clk, clock_now_ns(clk) + d->stop_after_ns);
    stop_ask(&d->stop);
    return NULL;
}

static int look(struct driver *d, struct err *err)
{
    struct cluster_look l;
    const int rc = cluster_look(&d->opts, &l, err);

    (void)printf("look ours=%d exists=%d running=%d kept=%d unsafe=%d same_boot=%d version=%s "
                 "discards=%d programs=%s warehouses=%ju complete=%d bytes=%ju\n",
                 l.ours, l.exists, l.running, l.kept, l.unsafe, l.unsafe_same_boot, l.pg_version,
                 l.discards, l.programs, (uintmax_t)l.dataset_warehouses, l.dataset_complete,
                 (uintmax_t)l.bytes);
    return rc;
}

static int open_it(struct driver *d, struct err *err)
{
    d->opts.for_removal = false;
    d->cluster = cluster_open(&d->opts, err);
    return d->cluster ? 0 : -1;
}

static int open_for_removal(struct driver *d, struct err *err)
{
    d->opts.for_removal = true;
    d->cluster = cluster_open(&d->opts, err);
    return d->cluster ? 0 : -1;
}

/* All that follows is with --rebuild. */
static int rebuild(struct driver *d, struct err *err)
{
    (void)err;
    d->opts.rebuild = true;
    return 0;
}

static int start(struct driver *d, struct err *err)
{
    return cluster_start(d->cluster, &d->settings, err);
}

static int start_unsafe(struct driver *d, struct err *err)
{
    return cluster_start_unsafe(d->cluster, &d->settings, err);
}

static int end_unsafe(struct driver *d, struct err *err)
{
    return cluster_end_unsafe(d->cluster, err);
}

static int stop_it(struct driver *d, struct err *err)
{
    return cluster_stop(d->cluster, err);
}

static int keep(struct driver *d, struct err *err)
{
    return cluster_keep(d->cluster, err);
}

static int note(struct driver *d, struct err *err)
{
    const struct dataset_note n = {
        .warehouses = 20, .complete = true, .bytes = UINT64_C(2120000000)};

    return cluster_note_dataset(d->cluster, &n, err);
}

static int remove_it(struct driver *d, struct err *err)
{
    return cluster_remove(d->cluster, err);
}

static int free_it(struct driver *d, struct err *err)
{
    (void)err;
    cluster_free(d->cluster);
    d->cluster = NULL;
    return 0;
}

static int alive(struct driver *d, struct err *err)
{
    (void)err;
    (void)printf("alive %d adopted %d conninfo %s\n", cluster_alive(d->cluster),
                 cluster_adopted(d->cluster), cluster_conninfo(d->cluster));
    return 0;
}

static int fresh(struct driver *d, struct err *err)
{
    (void)err;
    d->settings.fresh = true;
    return 0;
}

static int memory(struct driver *d, struct err *err)
{
    struct cluster_memory m;

    (void)err;
    cluster_memory(d->cluster, &m);
    (void)printf("memory limit=%ju how=%s why=%s kills=%jd cached=%jd\n", (uintmax_t)m.limit_bytes,
                 m.how ? m.how : "-", m.why_none ? m.why_none : "-", (intmax_t)m.kills,
                 (intmax_t)m.cached_bytes);
    return 0;
}

/* By what a limit would be set here. */
static int expect(struct driver *d, struct err *err)
{
    struct err why = {0};
    const char *how = cluster_memory_expect(&why);

    (void)d;
    (void)err;
    (void)printf("expect %s %s\n", how ? how : "none", why.text);
    return 0;
}

static int wait_line(struct driver *d, struct err *err)
{
    char line[64];

    (void)d;
    (void)printf("waiting\n");
    return fgets(line, (int)sizeof(line), stdin) ? 0 : err_set(err, ERR_USAGE, "no line came");
}

static int run_sql(struct driver *d, const char *sql, struct err *err)
{
    const struct db_config cfg = {.conninfo = cluster_conninfo(d->cluster),
                                  .application_name = "driver",
                                  .clock = d->opts.clock};
    struct session *s = session_connect(db_find("pq"), &cfg, 0, err);
    struct rows rows = {0};
    int rc = -1;

    if (s)
        rc = session_exec_text(s, sql, &rows, NULL, err);
    for (uint32_t i = 0; rc == 0 && rows.n > 0 && i < rows.part[0].n_rows; i++) {
        const struct cell *c = rows_cell(&rows.part[0], i, 0);

        (void)printf("row %.*s\n", (int)c->len, c->text ? c->text : "");
    }
    session_free(s);
    return rc < 0 ? cluster_explain(d->cluster, err) : 0;
}

static const struct {
    const char *word;
    int (*fn)(struct driver *d, struct err *err);
} words[] = {
    {"look", look},      {"open", open_it},     {"open-for-removal", open_for_removal},
    {"start", start},    {"stop", stop_it},     {"start-unsafe", start_unsafe},
    {"keep", keep},      {"note", note},        {"end-unsafe", end_unsafe},
    {"free", free_it},   {"remove", remove_it}, {"alive", alive},
    {"wait", wait_line}, {"rebuild", rebuild},  {"fresh", fresh},
    {"memory", memory},  {"expect", expect},
};

static int do_word(struct driver *d, const char *word, struct err *err)
{
    if (strncmp(word, "sql=", 4) == 0)
        return run_sql(d, word + 4, err);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strcmp(word, words[i].word) == 0)
            return words[i].fn(d, err);
    }
    return err_set(err, ERR_USAGE, "no such word");
}

/* What stands behind "name=" in word; NULL where it is another word. */
static const char *value_of(const char *word, const char *name)
{
    const size_t n = strlen(name);

    return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

/* True where the word is that text option. */
static bool take_text(const char *word, const char *name, const char **out)
{
    const char *value = value_of(word, name);

    if (value)
        *out = value;
    return value != NULL;
}

static bool take_number(const char *word, const char *name, uint64_t unit, uint64_t *out)
{
    const char *value = value_of(word, name);
    uint64_t n = 0;

    if (!value || units_parse_u64(value, &n, NULL) < 0)
        return false;
    *out = n * unit;
    return true;
}

/* True where the word was an option. */
static bool take_option(struct driver *d, const char *word)
{
    return take_text(word, "user", &d->opts.server_user) ||
           take_text(word, "bin", &d->opts.bin_dir) ||
           take_text(word, "conf", &d->opts.config_file) ||
           take_number(word, "recovery_ms", NS_PER_MS, &d->opts.recovery_timeout_ns) ||
           take_number(word, "buffer_mib", 1 << 20, &d->settings.buffer_bytes) ||
           take_number(word, "wal_mib", 1 << 20, &d->settings.max_wal_bytes) ||
           take_number(word, "memory_mib", 1 << 20, &d->settings.memory_limit_bytes) ||
           take_number(word, "stop_after_ms", NS_PER_MS, &d->stop_after_ns);
}

int main(int argc, char **argv)
{
    struct driver d = {
        .opts = {.config_file = "config/postgresql.conf",
                 .clock = clock_system(),
                 .on_progress = on_progress},
        .settings = {.buffer_bytes = 64 << 20,
                     .checkpoint_timeout_s = 300,
                     .max_wal_bytes = 256 << 20,
                     .max_connections = 20},
    };
    struct thread later = {0};
    struct err err = {0};

    if (argc < 3)
        return 2;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    d.opts.drive_dir = argv[1];
    d.opts.stop = &d.stop;
    d.opts.log = log_new(d.opts.clock, say, NULL);
    for (int i = 2; i < argc && err.kind == ERR_NONE; i++) {
        if (take_option(&d, argv[i])) {
            if (d.stop_after_ns && !later.started &&
                thread_start(&later, "later", ask_later, &d, &err) < 0)
                break;
            continue;
        }
        if (do_word(&d, argv[i], &err) < 0)
            (void)printf("failed %s: %s\n", argv[i], err.text);
        else
            (void)printf("ok %s\n", argv[i]);
    }
    thread_join(&later);
    cluster_free(d.cluster);
    log_free(d.opts.log);
    return err_exit_code(&err);
}
