/*
 * See the header. Reads files, changes none.
 */
#include "job/sweep_resume.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "block/sweep.h"
#include "config/config.h"
#include "result/result_dir.h"

/* FNV-1a: no secret, but no serial number in a file that is shown around. */
static uint64_t hash(uint64_t h, const char *text)
{
    do {
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    } while (*text++);
    return h;
}

char *sweep_target_id(const struct block_target *t)
{
    uint64_t h = UINT64_C(14695981039346656037);

    h = hash(h, t->serial && t->place ? t->serial : t->path);
    h = hash(h, t->serial && t->place ? t->place : "");
    return xasprintf("%016" PRIx64, h);
}

char *sweep_plan_text(const struct settings *s)
{
    struct settings copy = *s; /* only read */
    struct strbuf text;

    copy.sweep.resume = NULL; /* asks for one thing once */
    strbuf_init(&text);
    config_write_group(&copy, "sweep", PROGRAM_SWEEP, &text);
    return strbuf_detach(&text);
}

char *sweep_workload_text(const struct profile_set *set)
{
    struct strbuf text;

    strbuf_init(&text);
    profile_write(set, &text);
    return strbuf_detach(&text);
}

char *sweep_workload_name(const struct profile_set *set)
{
    return xasprintf("workload-%s.yaml", set->name);
}

/* ---- the same options? ---- */

/* How fio is reached and how long it is waited for change no figure. */
static bool matters(const char *line)
{
    return strncmp(line, "  fio:", 6) != 0 && strncmp(line, "  patience:", 11) != 0;
}

/* The next line that matters, without the spaces before it; NULL: there is none. */
static char *next_line(char **at)
{
    for (;;) {
        char *line = strsep(at, "\n");

        if (!line)
            return NULL;
        if (*line && matters(line))
            return line + strspn(line, " ");
    }
}

/* The first setting in which two plans differ. */
static int compare_plans(const char *had, const char *now, struct err *err)
{
    char *a = xstrdup(had);
    char *b = xstrdup(now);
    char *at_a = a;
    char *at_b = b;
    char *x = NULL;
    char *y = NULL;
    int rc = 0;

    do {
        x = next_line(&at_a);
        y = next_line(&at_b);
    } while (x && y && strcmp(x, y) == 0);
    if (x || y)
        rc = err_set(err, ERR_USAGE, "it was asked for %.100s, not for %.100s",
                     x ? x : "nothing more", y ? y : "nothing more");
    free(a);
    free(b);
    return rc;
}

static int same_plan(const char *path, const struct settings *s, const struct sweep_plan *plan,
                     struct err *err)
{
    char *had = result_dir_read_text(path, "plan.yaml", err);
    char *now = sweep_plan_text(s);
    int rc = had ? compare_plans(had, now, err) : -1;

    for (size_t i = 0; i < plan->sets.n && rc == 0; i++) {
        char *name = sweep_workload_name(&plan->sets.at[i]);

        free(had);
        free(now);
        now = sweep_workload_text(&plan->sets.at[i]);
        had = result_dir_read_text(path, name, err);
        if (!had)
            rc = -1;
        else if (strcmp(had, now) != 0)
            rc = err_set(err, ERR_USAGE, "the workload %s is another one now than in its %s",
                         plan->sets.at[i].name, name);
        free(name);
    }
    free(had);
    free(now);
    return rc;
}

/* ---- the same drive? ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int same_target(const struct result *had, const struct result *now, struct err *err)
{
    const struct prep_record *before = &had->drive.prep;
    const struct prep_record *after = &now->drive.prep;

    if (!same_text(had->sweep.target_id, now->sweep.target_id) ||
        had->sweep.area_bytes != now->sweep.area_bytes ||
        had->drive.devices.n != now->drive.devices.n)
        return err_set(err, ERR_USAGE,
                       "it is of another drive: %s of %" PRId64 " bytes, not %s of %" PRId64,
                       had->drive.path ? had->drive.path : "?", had->sweep.area_bytes,
                       now->drive.path, now->sweep.area_bytes);
    if (!same_text(before->id, after->id))
        return err_set(err, ERR_USAGE, "the drive was prepared anew since");
    return 0;
}

static int check(const struct settings *s, const struct sweep_plan *plan, const struct result *had,
                 const struct result *now, struct err *err)
{
    if (!result_is_sweep(had))
        return err_set(err, ERR_USAGE, "it is no sweep");
    if (!had->partial && had->sweep.points_done > 0 &&
        had->sweep.points_done >= had->sweep.points_planned)
        return err_set(err, ERR_USAGE, "all of its points are measured");
    if (s->run.label && !same_text(s->run.label, had->label))
        return err_set(err, ERR_USAGE, "its label is %s, not %s", had->label ? had->label : "none",
                       s->run.label);
    if (same_plan(s->sweep.resume, s, plan, err) < 0 || same_target(had, now, err) < 0)
        return -1;
    if (had->sweep.fio && strcmp(had->sweep.fio, plan->fio) != 0)
        return err_set(err, ERR_USAGE, "its points are by %s, and this is %s", had->sweep.fio,
                       plan->fio);
    if (!sweep_fits(&plan->schedule, had))
        return err_set(err, ERR_USAGE, "its points are not those of its plan");
    return 0;
}

/* ---- going on ---- */

/* What was found stays, on the devices as they are called now, with how it was prepared then. */
static void take_over(struct result *had, struct result *r)
{
    const struct result_drive then = had->drive;
    const struct prep_record prep = had->drive.prep;

    had->drive = r->drive;
    had->drive.prep = prep;
    const struct result fresh = *r;

    *r = *had;
    *had = fresh;
    had->drive = then;
    had->drive.prep = fresh.drive.prep;
    r->partial = false;
    if (r->sweep.points_done < 0) /* it does not say: sweep_fits() found none */
        r->sweep.points_done = 0;
    r->sweep.interrupted = false;
    xset_text(&r->ended, NULL);
}

static double since(const char *saved)
{
    int64_t then_us = 0;

    if (clock_parse_utc(saved, &then_us) < 0)
        return (double)NAN;
    return fmax(0, (double)(clock_real_us(clock_system()) - then_us) / (double)US_PER_S);
}

int sweep_resume(const struct settings *s, const struct sweep_plan *plan, struct result *r,
                 double *pause_s, struct err *err)
{
    struct result had;
    int rc = -1;

    *pause_s = (double)NAN;
    result_init(&had);
    if (result_dir_read_figures(s->sweep.resume, &had, err) < 0 ||
        check(s, plan, &had, r, err) < 0) {
        err->kind = ERR_USAGE;
        (void)err_wrap(err, "--resume %s", s->sweep.resume);
        goto out;
    }
    take_over(&had, r);
    if (r->sweep.points_done > 0)
        *pause_s = since(r->sweep.saved);
    rc = 0;
out:
    result_release(&had);
    return rc;
}
