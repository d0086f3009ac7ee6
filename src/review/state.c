/*
 * See the header. Reads files, changes none.
 */
#include "review/state.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/xalloc.h"
#include "result/json_fields.h"
#include "result/result_dir.h"
#include "result/verdict.h"

#define FORMAT "tpcc-run/review/1"
#define PARTIAL ".partial"

static const struct json_field state_table[] = {
    {"drive", JSON_TEXT, offsetof(struct review_state, drive)},
    {"model", JSON_TEXT, offsetof(struct review_state, model)},
    {"serial", JSON_TEXT, offsetof(struct review_state, serial)},
    {"size_bytes", JSON_WHOLE, offsetof(struct review_state, size_bytes)},
    {"version", JSON_TEXT, offsetof(struct review_state, version)},
    {"label", JSON_TEXT, offsetof(struct review_state, label)},
    {"command", JSON_TEXT, offsetof(struct review_state, command)},
    {"started", JSON_TEXT, offsetof(struct review_state, started)},
    {"ended", JSON_TEXT, offsetof(struct review_state, ended)},
};
static const struct json_fields state_fields = {state_table, ARRAY_LEN(state_table)};

static const struct json_field done_table[] = {
    {"result", JSON_TEXT, offsetof(struct review_done, result)},
    {"seconds", JSON_FIGURE, offsetof(struct review_done, seconds)},
    {"verdict", JSON_TEXT, offsetof(struct review_done, verdict)},
};
static const struct json_fields done_fields = {done_table, ARRAY_LEN(done_table)};

static void done_release(struct review_done *d)
{
    free(d->result);
    free(d->verdict);
    *d = (struct review_done){.seconds = (double)NAN};
}

void review_state_init(struct review_state *s)
{
    *s = (struct review_state){.size_bytes = -1};
    for (int i = 0; i < REVIEW_STEPS; i++)
        s->done[i].seconds = (double)NAN;
}

void review_state_release(struct review_state *s)
{
    free(s->drive);
    free(s->model);
    free(s->serial);
    free(s->version);
    free(s->label);
    free(s->command);
    free(s->started);
    free(s->ended);
    for (int i = 0; i < REVIEW_STEPS; i++)
        done_release(&s->done[i]);
    review_state_init(s);
}

char *review_state_write(const struct review_state *s)
{
    json_t *root = json_object();
    json_t *steps = json_object();

    CHECK(root);
    CHECK(steps);
    json_put(root, "format", json_text(FORMAT));
    json_put(root, "kind", json_text("review"));
    json_add_fields(root, s, state_fields);
    for (int i = 0; i < REVIEW_STEPS; i++)
        json_put(steps, review_step_name(i), json_write_fields(&s->done[i], done_fields));
    json_put(root, "steps", steps);
    return json_finish(root);
}

/* A way out of the review's directory is none into a result. */
static bool is_below(const char *path)
{
    return !path || (path[0] != '/' && !strstr(path, ".."));
}

static int read_steps(const struct json_node *root, struct review_state *s, struct err *err)
{
    const struct json_node steps = json_child(root, "steps");

    if (json_expect(&steps, JSON_OBJECT, err) < 0)
        return -1;
    for (int i = 0; i < REVIEW_STEPS; i++) {
        const struct json_node step = json_child(&steps, review_step_name(i));

        if (json_read_fields(&step, &s->done[i], done_fields, err) < 0)
            return -1;
        if (!is_below(s->done[i].result))
            return err_set(err, ERR_SURROUNDINGS, "steps.%s.result: not below the review",
                           review_step_name(i));
    }
    return 0;
}

int review_state_read(const char *text, struct review_state *s, struct err *err)
{
    json_t *value = json_parse(text, err);
    const struct json_node root = {.value = value};
    char *format = NULL;
    int rc = -1;

    if (!value)
        return -1;
    const struct json_node format_node = json_child(&root, "format");

    if (json_expect(&root, JSON_OBJECT, err) < 0 ||
        json_read_text(&format_node, &format, err) < 0 ||
        json_read_fields(&root, s, state_fields, err) < 0 || read_steps(&root, s, err) < 0)
        goto out;
    if (!format || strcmp(format, FORMAT) != 0 || !s->drive)
        (void)err_set(err, ERR_SURROUNDINGS, "not a review of this program");
    else
        rc = 0;
out:
    free(format);
    json_decref(value);
    return rc;
}

bool review_state_same_drive(const struct review_state *a, const struct review_state *b)
{
    if (a->size_bytes != b->size_bytes)
        return false;
    if (a->serial || b->serial)
        return a->serial && b->serial && strcmp(a->serial, b->serial) == 0;
    return a->drive && b->drive && strcmp(a->drive, b->drive) == 0;
}

/* ---- the steps' folders ---- */

/* Whether a result is a finished one of this step, so that it need not be done again. */
static bool is_done(int step, const struct result *r)
{
    if (r->partial || !r->kind || strcmp(r->kind, review_step_kind(step)) != 0)
        return false;
    switch ((enum review_step)step) {
    case REVIEW_PREPARE:
    case REVIEW_FILESYSTEM:
        return r->verdict.status != VERDICT_INVALID; /* else the drive lost what was written */
    case REVIEW_SWEEP:
        return !r->sweep.interrupted;
    case REVIEW_DATABASE:
        return !r->run.interrupted;
    case REVIEW_STEPS:
        break;
    }
    UNREACHABLE();
}

static double seconds_of(const struct result *r)
{
    int64_t from_us = 0;
    int64_t to_us = 0;

    if (clock_parse_utc(r->started, &from_us) < 0 || clock_parse_utc(r->ended, &to_us) < 0 ||
        to_us < from_us)
        return (double)NAN;
    return (double)(to_us - from_us) / (double)US_PER_S;
}

static bool is_partial(const char *name)
{
    const size_t n = strlen(name);

    return n >= strlen(PARTIAL) && strcmp(name + n - strlen(PARTIAL), PARTIAL) == 0;
}

static void look_at(const char *path, const char *name, int step, struct review_done *out)
{
    char *full = xasprintf("%s/%s", path, name);
    struct result r;

    result_init(&r);
    if (result_dir_read_figures(full, &r, NULL) == 0 && is_done(step, &r)) {
        done_release(out);
        out->result = xstrdup(name);
        out->seconds = seconds_of(&r);
        out->verdict = xstrdup(verdict_name(r.verdict.status));
    }
    result_release(&r);
    free(full);
}

void review_state_look(const char *path, struct review_state *s)
{
    char *top = realpath(path, NULL);
    struct fsroot root;

    fsroot_init(&root, "");
    for (int step = 0; step < REVIEW_STEPS; step++) {
        char *folder = xasprintf("%s/%s", top ? top : "", review_step_name(step));
        char **names = top ? fsroot_list(&root, folder) : NULL;

        done_release(&s->done[step]);
        for (char **n = names; n && *n; n++) { /* by name, which begins with the time */
            char *name = xasprintf("%s/%s", review_step_name(step), *n);

            if (!is_partial(*n))
                look_at(path, name, step, &s->done[step]);
            free(name);
        }
        fsroot_list_free(names);
        free(folder);
    }
    fsroot_release(&root);
    free(top);
}

static bool has_points(const char *path)
{
    struct result r;
    bool yes;

    result_init(&r);
    yes = result_dir_read_figures(path, &r, NULL) == 0 && result_is_sweep(&r) &&
          r.sweep.points_done > 0 && !is_done(REVIEW_SWEEP, &r);
    result_release(&r);
    return yes;
}

char *review_cut_sweep(const char *path)
{
    char *top = realpath(path, NULL);
    char *folder = xasprintf("%s/%s", top ? top : "", review_step_name(REVIEW_SWEEP));
    struct fsroot root;
    char **names = NULL;
    char *found = NULL;

    fsroot_init(&root, "");
    names = top ? fsroot_list(&root, folder) : NULL;
    for (char **n = names; n && *n; n++) { /* by name, which begins with the time */
        char *full = xasprintf("%s/%s/%s", path, review_step_name(REVIEW_SWEEP), *n);

        if (has_points(full)) {
            free(found);
            found = full;
        } else {
            free(full);
        }
    }
    fsroot_list_free(names);
    fsroot_release(&root);
    free(folder);
    free(top);
    return found;
}

int review_state_next(const struct review_state *s)
{
    int step = 0;

    while (step < REVIEW_STEPS && s->done[step].result)
        step++;
    return step;
}

/* ---- which one goes on ---- */

bool review_dir_is(const char *path)
{
    char *text = result_dir_read_text(path, RESULT_REVIEW_FILE, NULL);
    const bool yes = text != NULL;

    free(text);
    return yes;
}

static int try_dir(const char *path, const struct review_state *drive, const char *plan,
                   struct review_state *s)
{
    char *text = result_dir_read_text(path, RESULT_REVIEW_FILE, NULL);
    char *had = result_dir_read_text(path, "plan.yaml", NULL);
    int found = REVIEW_NONE;

    review_state_release(s);
    if (text && had && review_state_read(text, s, NULL) == 0 && review_state_same_drive(s, drive))
        found = strcmp(had, plan) == 0 ? REVIEW_GOES_ON : REVIEW_OTHER_PLAN;
    free(had);
    free(text);
    return found;
}

int review_find(const char *results, const struct review_state *drive, const char *plan,
                char **path, struct review_state *s)
{
    char *top = realpath(results, NULL);
    struct fsroot root;
    char **names;
    size_t n = 0;
    int found = REVIEW_NONE;

    *path = NULL;
    if (!top)
        return found;
    fsroot_init(&root, "");
    names = fsroot_list(&root, top);
    while (names && names[n])
        n++;
    for (; n > 0 && found == REVIEW_NONE; n--) {
        char *dir = xasprintf("%s/%s", results, names[n - 1]);

        if (is_partial(names[n - 1]))
            found = try_dir(dir, drive, plan, s);
        if (found != REVIEW_NONE)
            *path = dir;
        else
            free(dir);
    }
    fsroot_list_free(names);
    fsroot_release(&root);
    free(top);
    return found;
}
