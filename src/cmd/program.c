/*
 * The frame of a main: blocks signals first, reads the options, finds the data directory, opens
 * the console. Only here and in the mains are errors printed.
 */
#include "cmd/program.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cmd/options.h"
#include "cmd/page.h"
#include "cmd/signals.h"
#include "config/datadir.h"
#include "db/conninfo.h"
#include "db/session.h"
#include "plan/plan.h"
#include "report/sweep_csv.h"
#include "report/text.h"
#include "result/result_json.h"

static struct log *signal_log; /* set before the thread of signals starts */

static void say_stopping(int level)
{
    if (level == 1)
        log_line(signal_log, LOG_WARN,
                 "stopping: what there is will be written (once more: leave at once)");
    else
        log_line(signal_log, LOG_WARN, "leaving at once");
}

/* What is planned goes to standard error: standard output belongs to the report, or to --json. With
 * --dry-run it is what was asked for. */
static void put_plan(const char *text, bool dry_run)
{
    FILE *to = dry_run ? stdout : stderr;

    signals_end_with_reader(dry_run);
    (void)fputs(text, to);
    (void)fflush(to);
    signals_end_with_reader(false);
}

static void show_plan(const struct job_planned *planned, void *ctx)
{
    struct program *p = ctx;
    const struct config *c = p->of_target ? p->of_target : &p->config;
    const struct settings *s = &c->s;
    struct strbuf out;

    if (s->output.quiet && !s->output.dry_run)
        return;
    strbuf_init(&out);
    if (p->of_target)
        strbuf_addf(&out, "target %s\n", s->run.label);
    plan_print(planned->plan, planned->settings, planned->facts, &out);
    strbuf_addf(&out, "  device      %s\n", planned->device);
    if (s->output.dry_run)
        plan_print_origins(planned->plan, c, &out);
    put_plan(out.buf, s->output.dry_run);
    strbuf_release(&out);
}

static void show_plan_text(const char *text, void *ctx)
{
    struct program *p = ctx;
    const struct settings *s = &p->config.s;

    if (s->output.quiet && !s->output.dry_run)
        return;
    console_flush(p->console);
    put_plan(text, s->output.dry_run);
}

static bool ask(const char *question, void *ctx)
{
    struct program *p = ctx;

    return console_confirm(p->console, question);
}

static char *make_page(const struct result *r, const char *dir, void *ctx)
{
    struct strbuf page;

    (void)ctx;
    strbuf_init(&page);
    page_make(r, dir, &page);
    return strbuf_detach(&page);
}

static char *make_sweep_points(const struct result *r, void *ctx)
{
    struct strbuf table;

    (void)ctx;
    strbuf_init(&table);
    sweep_points_csv(r, &table);
    return strbuf_detach(&table);
}

static void progress(const struct progress *step, void *ctx)
{
    struct program *p = ctx;

    console_progress(step, p->console);
}

static int find_data(struct program *p, struct err *err)
{
    const struct settings *s = &p->config.s;

    p->data_dir = datadir_find(err);
    if (!p->data_dir)
        return -1;
    p->schema_dir = s->target.dialect ? xstrdup(s->target.dialect)
                                      : xasprintf("%s/schema/postgresql", p->data_dir);
    p->schema_root = xasprintf("%s/schema", p->data_dir);
    p->server_conf = xasprintf("%s/config/postgresql.conf", p->data_dir);
    return 0;
}

/* No server of somebody else's is asked for, whose connection the environment may complete. */
static bool has_own_servers_only(const struct config *c)
{
    bool others = c->s.target.pg || c->s.target.odbc;

    for (size_t i = 0; i < c->targets.all.n; i++) {
        const struct settings *own = &c->targets.all.at[i]->own;

        others = others || own->target.pg || own->target.odbc;
    }
    return !others;
}

int program_begin(struct program *p, enum spec_program which, int argc, char **argv)
{
    struct err err = {0};
    int rc;

    *p = (struct program){0};
    signals_block();
    rc = options_parse(which, argc, argv, &p->config, &err);
    if (rc == OPTIONS_DONE)
        return 0;
    if (rc < 0)
        return program_fail(p, &err);
    if (has_own_servers_only(&p->config))
        conninfo_forget_environment();
    db_registry_check();
    p->console = console_new(clock_system(), p->config.s.output.plain, p->config.s.output.quiet);
    signal_log = console_log(p->console);
    if (find_data(p, &err) < 0 || signals_watch(&p->stop, say_stopping, &err) < 0)
        return program_fail(p, &err);
    p->ui = (struct job_ui){.plan = show_plan,
                            .plan_text = show_plan_text,
                            .confirm = ask,
                            .progress = progress,
                            .page = make_page,
                            .sweep_points = make_sweep_points,
                            .ctx = p};
    p->env = (struct job_env){
        .settings = &p->config.s,
        .config = &p->config,
        .program = spec_program_name(which),
        .version = TPCC_VERSION,
        .command = p->config.command,
        .command_base = p->config.command_base,
        .schema_dir = p->schema_dir,
        .schema_root = p->schema_root,
        .server_conf = p->server_conf,
        .clock = clock_system(),
        .log = console_log(p->console),
        .stop = &p->stop,
        .ui = &p->ui,
    };
    return PROGRAM_GO;
}

int program_end(struct program *p, int rc)
{
    if (p->console)
        console_flush(p->console);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "%s: standard output: not all of it could be written\n",
                      spec_program_name(p->config.program));
        rc = rc ? rc : err_exit_code(&(struct err){.kind = ERR_SURROUNDINGS});
    }
    /* The thread of signals may still speak: the console stays until the process ends. */
    free(p->data_dir);
    free(p->schema_dir);
    free(p->schema_root);
    free(p->server_conf);
    config_release(&p->config);
    return rc;
}

void program_print(const struct program *p, const struct result *r, const char *path)
{
    if (p->config.s.output.json) {
        char *json = result_json_write(r);

        (void)fputs(json, stdout);
        free(json);
        (void)fprintf(stderr, "%s\n", path);
    } else {
        struct strbuf text;

        strbuf_init(&text);
        report_text(r, path, &text);
        (void)fwrite(text.buf, 1, text.len, stdout);
        strbuf_release(&text);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) /* program_end() tells */
        (void)fprintf(stderr, "the result is in %s\n", path);
}

int program_fail(struct program *p, const struct err *err)
{
    if (p->console)
        console_flush(p->console);
    fprintf(stderr, "%s: %s\n", spec_program_name(p->config.program), err->text);
    return err_exit_code(err);
}
