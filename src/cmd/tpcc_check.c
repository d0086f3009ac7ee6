/*
 * tpcc-check: the twelve consistency conditions on the dataset of a server, a line each, with the
 * rows that break them. Exit 1 where one does not hold.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "check/check.h"
#include "check/check_text.h"
#include "cmd/options.h"
#include "config/datadir.h"
#include "load/manifest.h"

enum { SESSIONS_LEAST = 2, SESSIONS_MOST = 8 };

static uint32_t sessions(void)
{
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);

    if (cpus < SESSIONS_LEAST)
        return SESSIONS_LEAST;
    return cpus > SESSIONS_MOST ? SESSIONS_MOST : (uint32_t)cpus;
}

static void say(enum log_level level, const char *line, void *ctx)
{
    (void)level;
    (void)ctx;
    (void)fprintf(stderr, "%s\n", line);
}

static struct dialect *read_dialect(const struct settings *s, struct err *err)
{
    char *data_dir = s->target.dialect ? NULL : datadir_find(err);
    char *dir = NULL;
    struct dialect *d = NULL;

    if (s->target.dialect)
        dir = xstrdup(s->target.dialect);
    else if (data_dir)
        dir = xasprintf("%s/schema/postgresql", data_dir);
    if (dir)
        d = dialect_read(dir, err);
    free(dir);
    free(data_dir);
    return d;
}

/* How many warehouses there are; -1 where there is no complete dataset. */
static int read_warehouses(const struct check_env *env, int32_t *warehouses, struct err *err)
{
    struct session *s = session_connect(env->ops, &env->db, 0, err);
    struct manifest m;
    int rc = -1;

    if (!s || manifest_read(s, env->dialect, &m, err) < 0)
        goto out;
    if (m.state != DATASET_COMPLETE) {
        (void)err_set(err, ERR_SURROUNDINGS,
                      "there is no complete dataset to check%s%s (tpcc-load builds one)",
                      m.state == DATASET_FOREIGN ? ": " : "",
                      m.state == DATASET_FOREIGN ? m.why : "");
        goto out;
    }
    *warehouses = m.dataset.warehouses;
    rc = 0;
out:
    session_free(s);
    return rc;
}

static int print(const struct check_report *report, bool json, struct err *err)
{
    struct strbuf text;
    int rc = 0;

    strbuf_init(&text);
    if (json)
        check_report_json(report, &text);
    else
        check_report_text(report, &text);
    if (fwrite(text.buf, 1, text.len, stdout) != text.len || fflush(stdout) != 0)
        rc = err_sys(err, errno, "standard output");
    strbuf_release(&text);
    return rc;
}

/* The exit code, or -1 and err. */
static int check(const struct config *c, struct log *log, struct err *err)
{
    const struct settings *s = &c->s;
    struct check_env env = {
        .ops = db_find("pq"),
        .db = {.conninfo = s->target.pg, .application_name = "tpcc-check", .clock = clock_system()},
        .clock = clock_system(),
        .log = log,
        .sessions = sessions(),
        .quick = s->run.check == CHECK_QUICK};
    struct dialect *dialect = NULL;
    struct check_report report = {0};
    int rc = -1;

    if (!s->target.pg)
        return err_set(err, ERR_USAGE, "name the server with --pg CONNINFO");
    if (s->run.check == CHECK_NONE)
        return err_set(err, ERR_USAGE, "--check none leaves nothing to do: quick or full");
    dialect = read_dialect(s, err);
    env.dialect = dialect;
    if (!dialect || read_warehouses(&env, &env.warehouses, err) < 0 ||
        check_run(&env, &report, err) < 0 || print(&report, s->output.json, err) < 0)
        goto out;
    rc = report.all_hold ? 0 : 1;
out:
    check_report_release(&report);
    dialect_free(dialect);
    return rc;
}

int main(int argc, char **argv)
{
    struct config config;
    struct err err = {0};
    int rc = options_parse(PROGRAM_CHECK, argc, argv, &config, &err);

    if (rc == 0) {
        struct log *log = log_new(clock_system(), config.s.output.quiet ? NULL : say, NULL);

        rc = check(&config, log, &err);
        log_free(log);
    } else if (rc == OPTIONS_DONE) {
        rc = 0;
    }
    if (rc < 0) {
        (void)fprintf(stderr, "tpcc-check: %s\n", err.text);
        rc = err_exit_code(&err);
    }
    config_release(&config);
    return rc;
}
