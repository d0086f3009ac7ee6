/*
 * A target's values are parsed by the option table into settings of its own, of which only those
 * with an origin count.
 */
#include "config/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"
#include "config/rules.h"
#include "config/spec_value.h"

/* What may differ. Pace and phases may not: their samples are one window. */
static const char *const own_paths[] = {
    "run.label",     "target.drive",        "target.pg", "target.odbc",
    "target.device", "target.dialect",      "run.users", "run.sessions",
    "run.seed",      "load.warehouses",     "load.size", "load.image",
    "server.buffer", "server.memory-limit",
};

static const char *word_of(const char *path)
{
    return strrchr(path, '.') + 1;
}

const char *config_target_key(const struct spec *row)
{
    for (size_t i = 0; i < ARRAY_LEN(own_paths); i++) {
        if (strcmp(own_paths[i], row->path) == 0)
            return word_of(row->path);
    }
    return NULL;
}

static const struct spec *row_of_key(const char *key)
{
    for (size_t i = 0; i < ARRAY_LEN(own_paths); i++) {
        if (strcmp(word_of(own_paths[i]), key) == 0)
            return spec_find(own_paths[i]);
    }
    return NULL;
}

/* ---- reading ---- */

static int fail_at(const struct origin *o, const struct yamlnode *node, struct err *err)
{
    return err_wrap(err, "%s:%zu:%zu: " CONFIG_TARGETS, o->file, node->line, node->column);
}

static int unknown_key(const struct origin *o, const struct yamlnode *node, struct err *err)
{
    struct strbuf known;

    strbuf_init(&known);
    for (size_t i = 0; i < ARRAY_LEN(own_paths); i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", word_of(own_paths[i]));
    err_set(err, ERR_USAGE, "\"%.40s\" is nothing that a target has of its own (only %s)",
            node->key, known.buf);
    strbuf_release(&known);
    return fail_at(o, node, err);
}

static int set_value(struct config_target *t, const struct spec *row, const struct yamlnode *node,
                     const struct origin *o, struct err *err)
{
    struct origin *at = &t->origin[spec_index(row)];

    *at = *o;
    at->line = node->line;
    at->column = node->column;
    if (spec_value_parse(row, node->text, &t->own, err) == 0)
        return 0;
    err_wrap(err, "%s", word_of(row->path));
    return fail_at(o, node, err);
}

static int read_key(struct config_target *t, const struct yamlnode *node, const struct origin *o,
                    struct err *err)
{
    const struct spec *row = row_of_key(node->key);

    if (!row)
        return unknown_key(o, node, err);
    if (node->kind == YAMLNODE_SCALAR)
        return set_value(t, row, node, o, err);
    for (size_t i = 0; i < node->n_items; i++) {
        if (node->kind != YAMLNODE_LIST || !(row->flags & SPEC_MAY_REPEAT) ||
            node->item[i]->kind != YAMLNODE_SCALAR) {
            err_set(err, ERR_USAGE, "%s takes one value", node->key);
            return fail_at(o, node, err);
        }
        if (set_value(t, row, node->item[i], o, err) < 0)
            return -1;
    }
    return 0;
}

static int name_it(struct config_target *t, size_t number, struct err *err)
{
    char *name = NULL;
    int rc = 0;

    if (!t->own.run.label) {
        name = xasprintf("target-%zu", number);
        rc = spec_value_parse(spec_find("run.label"), name, &t->own, err);
        free(name);
    }
    return rc;
}

static int read_target(struct config_targets *to, const struct yamlnode *node, struct err *err)
{
    struct config_target *t = NULL;

    if (node->kind != YAMLNODE_MAP) {
        err_set(err, ERR_USAGE, "not a map (try \"- {drive: /mnt/left, users: 5000}\")");
        return fail_at(&to->origin, node, err);
    }
    if (to->all.n == CONFIG_TARGETS_MOST) {
        err_set(err, ERR_USAGE, "more than %d", CONFIG_TARGETS_MOST);
        return fail_at(&to->origin, node, err);
    }
    t = xcalloc(1, sizeof(*t));
    VEC_PUSH(&to->all, t); /* the list's from here on */
    for (size_t i = 0; i < node->n_items; i++) {
        if (read_key(t, node->item[i], &to->origin, err) < 0)
            return -1;
    }
    return 0;
}

static void take(struct config_targets *t, struct config_targets *more)
{
    if (t->all.n > 0 && more->origin.kind < t->origin.kind)
        return;
    if (more->origin.kind > t->origin.kind)
        config_targets_release(t);
    if (t->all.n == 0)
        t->origin = more->origin;
    for (size_t i = 0; i < more->all.n; i++)
        VEC_PUSH(&t->all, more->all.at[i]);
    more->all.n = 0;
}

int config_targets_read(struct config_targets *t, const struct yamlnode *list,
                        const struct origin *origin, struct err *err)
{
    struct config_targets more = {.origin = *origin};
    int rc = 0;

    more.origin.line = list->line;
    more.origin.column = list->column;
    if (list->kind != YAMLNODE_LIST) {
        err_set(err, ERR_USAGE, "not a list (try \"- {drive: /mnt/left, users: 5000}\")");
        rc = fail_at(origin, list, err);
    }
    for (size_t i = 0; rc == 0 && i < list->n_items; i++)
        rc = read_target(&more, list->item[i], err);
    if (rc == 0)
        take(t, &more);
    for (size_t i = 0; rc == 0 && i < t->all.n; i++)
        rc = name_it(t->all.at[i], i + 1, err);
    config_targets_release(&more);
    return rc;
}

void config_targets_release(struct config_targets *t)
{
    for (size_t i = 0; i < t->all.n; i++) {
        spec_release(&t->all.at[i]->own);
        free(t->all.at[i]);
    }
    VEC_RELEASE(&t->all);
}

/* ---- one of them ---- */

static size_t field_size(const struct spec *row)
{
    switch (row->type) {
    case SPEC_BOOL:
        return sizeof(bool);
    case SPEC_CHOICE:
        return sizeof(int);
    case SPEC_COUNT:
    case SPEC_INTEGER:
    case SPEC_DECIMAL:
    case SPEC_DURATION:
    case SPEC_BYTES:
    case SPEC_TIME:
        return sizeof(uint64_t);
    case SPEC_TEXT:
    case SPEC_PATH:
        return sizeof(char *);
    case SPEC_LIST:
        return sizeof(char *) * SETTINGS_DEVICES_MAX;
    case SPEC_DIST:
        return sizeof(struct settings_dist_of);
    }
    UNREACHABLE();
}

/* The value itself, not a copy of what it points at. */
static void lend(const struct spec *row, const struct settings *from, struct settings *to)
{
    memcpy((char *)to + row->offset, (const char *)from + row->offset, field_size(row));
    if (row->type == SPEC_LIST)
        memcpy((char *)to + row->offset_n, (const char *)from + row->offset_n, sizeof(int));
}

void config_of_target(const struct config *c, size_t i, struct config *out)
{
    const struct config_target *t = c->targets.all.at[i];
    const struct spec *label = spec_find("run.label");

    *out = *c;
    out->targets = (struct config_targets){0};
    out->s.run.seed += i;
    for (size_t row = 0; row < CONFIG_SPEC_ROWS; row++) {
        if (t->origin[row].kind == ORIGIN_DEFAULT)
            continue;
        lend(&config_spec[row], &t->own, &out->s);
        out->origin[row] = t->origin[row];
    }
    lend(label, &t->own, &out->s);
}

/* ---- rules ---- */

static int refuse_at(const struct origin *o, struct err *err)
{
    return err_wrap(err, "%s:%zu:%zu: " CONFIG_TARGETS, o->file, o->line, o->column);
}

/* A switch that is off is as good as not there. */
static bool is_asked(const struct config *c, const char *path)
{
    const struct spec *row = spec_find(path);
    bool on = true;

    if (row->type == SPEC_BOOL)
        memcpy(&on, (const char *)&c->s + row->offset, sizeof(on));
    return on && config_is_set(c, path);
}

/* What is said once for all beside a list of targets, or makes many runs. */
static int check_beside(const struct config *c, struct err *err)
{
    static const struct {
        const char *path, *why;
    } no[] = {
        {"target.drive", "each of the targets names its own"},
        {"target.pg", "each of the targets names its own"},
        {"target.odbc", "each of the targets names its own"},
        {"target.device", "each of the targets names its own"},
        {"ladder.steps", "raises the load of one target: name it with --drive, without the list"},
        {"ladder.find-users", "searches one target: name it with --drive, without the list"},
        {"ladder.find-tps", "searches one target: name it with --drive, without the list"},
        {"ladder.resume", "goes on with runs of one target: leave it out, or the list"},
        {"load.image", "would be one place for the images of all: each keeps its own on its drive, "
                       "or has its image in the list"},
        {"run.until-steady", "would begin each target's sample at another time"},
        {"load.remove", "takes one target: name it with --drive or --pg, without the list"},
    };

    if (c->s.run.repeat > 1) {
        err_set(err, ERR_USAGE,
                "is of one target: leave it out and start the run again for each, with one --label "
                "(tpcc-report puts the targets of several runs side by side)");
        return config_err_at(c, "run.repeat", err);
    }
    for (size_t i = 0; i < ARRAY_LEN(no); i++) {
        if (!is_asked(c, no[i].path))
            continue;
        err_set(err, ERR_USAGE, "%s", no[i].why);
        return config_err_at(c, no[i].path, err);
    }
    return 0;
}

static const char *place_of(const struct settings *s)
{
    return s->target.drive ? s->target.drive : s->target.pg ? s->target.pg : s->target.odbc;
}

/* Two that are the same in so many words; what only looks different is found when it is looked at.
 */
static int check_pair(const struct config *c, size_t a, size_t b, struct err *err)
{
    const struct config_target *x = c->targets.all.at[a];
    const struct config_target *y = c->targets.all.at[b];

    if (strcmp(x->own.run.label, y->own.run.label) == 0)
        return err_set(err, ERR_USAGE, "two are labelled \"%.60s\"", x->own.run.label);
    if (place_of(&x->own) && place_of(&y->own) && strcmp(place_of(&x->own), place_of(&y->own)) == 0)
        return err_set(err, ERR_USAGE, "\"%.60s\" and \"%.60s\" are the same server",
                       x->own.run.label, y->own.run.label);
    return 0;
}

static bool has_own(const struct config *c, size_t i, const char *path)
{
    return c->targets.all.at[i]->origin[spec_index(spec_find(path))].kind != ORIGIN_DEFAULT;
}

static int check_one(const struct config *c, size_t i, struct err *err)
{
    struct config one;

    config_of_target(c, i, &one);
    if (!place_of(&one.s))
        return err_set(err, ERR_USAGE, "\"%.60s\" names no server: drive, pg or odbc",
                       one.s.run.label);
    if (!one.s.target.drive &&
        (has_own(c, i, "server.buffer") || has_own(c, i, "server.memory-limit")))
        return err_set(err, ERR_USAGE,
                       "\"%.60s\" is a server that already runs: buffer and memory-limit are for a "
                       "private one (drive)",
                       one.s.run.label);
    return config_validate(&one, err) < 0 ? err_wrap(err, "\"%.60s\"", one.s.run.label) : 0;
}

int config_targets_validate(const struct config *c, struct err *err)
{
    const struct config_targets *t = &c->targets;
    int rc = 0;

    if (t->all.n == 0)
        return 0;
    if (c->program != PROGRAM_RUN)
        rc = err_set(err, ERR_USAGE,
                     "several at once are for tpcc-run; name one with --drive or "
                     "--pg, without the list");
    else if (t->all.n < CONFIG_TARGETS_LEAST || t->all.n > CONFIG_TARGETS_MOST)
        rc = err_set(err, ERR_USAGE, "%zu of them, from %d to %d are possible", t->all.n,
                     CONFIG_TARGETS_LEAST, CONFIG_TARGETS_MOST);
    if (rc == 0 && check_beside(c, err) < 0)
        return -1;
    for (size_t a = 0; rc == 0 && a < t->all.n; a++) {
        for (size_t b = 0; rc == 0 && b < a; b++)
            rc = check_pair(c, b, a, err);
        if (rc == 0)
            rc = check_one(c, a, err);
    }
    return rc < 0 ? refuse_at(&t->origin, err) : 0;
}
