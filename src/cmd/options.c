/*
 * Puts the sources of settings together in their order: the machine's and the directory's file,
 * --config and the command line, the workload, then the rules between settings.
 */
#include "cmd/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cmd/signals.h"
#include "config/cmdline.h"
#include "config/datadir.h"
#include "config/help.h"
#include "config/rules.h"

#define ETC_FILE "/etc/tpcc-run.yaml"
#define CWD_FILE "./tpcc-run.yaml"

static int print(enum cmdline_asks asks, enum spec_program program, struct err *err)
{
    struct strbuf text;
    int rc = OPTIONS_DONE;

    strbuf_init(&text);
    switch (asks) {
    case CMDLINE_HELP:
        help_text(program, &text);
        break;
    case CMDLINE_VERSION:
        strbuf_addf(&text, "%s %s\n", spec_program_name(program), TPCC_VERSION);
        break;
    case CMDLINE_MAN:
        help_man(program, &text);
        break;
    case CMDLINE_REFERENCE:
        help_reference(&text);
        break;
    case CMDLINE_WORK:
        UNREACHABLE();
    }
    signals_end_with_reader(true);
    if (fwrite(text.buf, 1, text.len, stdout) != text.len || fflush(stdout) != 0)
        rc = err_sys(err, errno, "standard output");
    strbuf_release(&text);
    return rc;
}

/* What was killed is DIR.partial, also for who calls it DIR. */
static void find_killed(char **dir)
{
    const size_t n = strlen(*dir);
    char *partial = xasprintf("%.*s.partial", (int)(n - (n > 0 && (*dir)[n - 1] == '/')), *dir);

    if (access(*dir, F_OK) < 0 && access(partial, F_OK) == 0)
        xset_text(dir, partial);
    free(partial);
}

/* The settings of a ladder or a sweep that is to go on, as --config would read them. */
static int read_resumed(struct config *c, struct err *err)
{
    char **resume = c->program == PROGRAM_SWEEP ? &c->s.sweep.resume : &c->s.ladder.resume;
    char *plan = NULL;
    int rc = 0;

    if (!*resume)
        return 0;
    find_killed(resume);
    plan = xasprintf("%s/plan.yaml", *resume);
    if (access(plan, F_OK) < 0)
        rc = err_set(err, ERR_USAGE,
                     "--resume %s: there is no plan.yaml in it (name the directory of what was "
                     "interrupted)",
                     *resume);
    else
        rc = config_read_file(c, plan, ORIGIN_CONFIG, false, err);
    free(plan);
    return rc;
}

/* The plan of a review: the user's is as good as --config, ours a default. */
static int read_review(struct config *c, struct err *err)
{
    char *data_dir = NULL;
    char *path = NULL;
    int rc = -1;

    if (c->s.review.plan)
        return config_read_file(c, c->s.review.plan, ORIGIN_CONFIG, false, err);
    data_dir = datadir_find(err);
    if (!data_dir)
        return -1;
    path = xasprintf("%s/config/review.yaml", data_dir);
    rc = config_read_file(c, path, ORIGIN_DEFAULT, false, err);
    free(path);
    free(data_dir);
    return rc;
}

static int read_workload(struct config *c, struct err *err)
{
    char *data_dir = datadir_find(NULL);
    const int rc = config_read_workload(c, data_dir, err);

    free(data_dir);
    return rc;
}

int options_parse(enum spec_program program, int argc, char **argv, struct config *out,
                  struct err *err)
{
    enum cmdline_asks asks = CMDLINE_WORK;

    config_init(out, program);
    if (cmdline_parse(out, argc, argv, &asks, err) < 0)
        return -1;
    if (asks != CMDLINE_WORK)
        return print(asks, program, err);
    if (program == PROGRAM_REPORT)
        return 0;
    if (read_resumed(out, err) < 0 || (program == PROGRAM_REVIEW && read_review(out, err) < 0))
        return -1;
    if (config_read_file(out, ETC_FILE, ORIGIN_ETC, true, err) < 0 ||
        config_read_file(out, CWD_FILE, ORIGIN_CWD, true, err) < 0)
        return -1;
    if ((program == PROGRAM_RUN || program == PROGRAM_REVIEW) && read_workload(out, err) < 0)
        return -1;
    return config_validate(out, err);
}
