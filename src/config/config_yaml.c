/*
 * Writes settings as YAML that config.c reads back to the same (config.h). Numbers and words stand
 * plain, texts between double quotes, so that no YAML reader takes one for something else.
 */
#include "config/config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "config/odbcstr.h"
#include "config/spec_value.h"
#include "config/targets.h"

/* Values hold no control characters (spec_value_parse): only quotes and backslashes need care. */
static void add_quoted(struct strbuf *out, const char *text)
{
    strbuf_addc(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            strbuf_addc(out, '\\');
        strbuf_addc(out, *c);
    }
    strbuf_addc(out, '"');
}

/* A relative path would mean something else from another directory. */
static void add_path(struct strbuf *out, const char *path)
{
    char *cwd = *path == '/' ? NULL : getcwd(NULL, 0);
    char *full = NULL;

    if (!cwd) {
        add_quoted(out, path);
        return;
    }
    if (strcmp(path, ".") == 0)
        full = xstrdup(cwd);
    else
        full = xasprintf("%s/%s", strcmp(cwd, "/") == 0 ? "" : cwd, path);
    add_quoted(out, full);
    free(full);
    free(cwd);
}

static void add_item(const struct spec *row, const char *item, struct strbuf *out)
{
    char *shown = NULL;

    if (row->type == SPEC_PATH) {
        add_path(out, item);
        return;
    }
    if (row->flags & SPEC_SECRET)
        shown = config_redact(row, item);
    /* Where nothing is left, an empty host stands for libpq's defaults: an empty value can't. */
    add_quoted(out, shown ? (*shown ? shown : "host=''") : item);
    free(shown);
}

static void add_value(const struct spec *row, const struct settings *s, struct strbuf *out)
{
    const size_t n = spec_value_items(row, s);

    if (row->type == SPEC_LIST) {
        strbuf_addc(out, '[');
        for (size_t i = 0; i < n; i++) {
            strbuf_adds(out, i ? ", " : "");
            add_item(row, spec_value_item(row, s, i), out);
        }
        strbuf_addc(out, ']');
    } else if (row->type == SPEC_TEXT || row->type == SPEC_PATH) {
        add_item(row, spec_value_item(row, s, 0), out);
    } else {
        spec_value_format(row, s, out);
    }
}

/* Opens the groups in which the row stands and that are not open yet ("workload", "mix"), and
 * gives its own word and how deep it stands. */
static const char *open_groups(const char *path, const char *before, struct strbuf *out, int *depth)
{
    const char *word = path;
    bool same = true;

    *depth = 0;
    for (const char *dot = strchr(word, '.'); dot; dot = strchr(word, '.')) {
        const size_t len = (size_t)(dot - path) + 1;

        same = same && before && strncmp(path, before, len) == 0;
        if (!same)
            strbuf_addf(out, "%*s%.*s:\n", 2 * *depth, "", (int)(dot - word), word);
        word = dot + 1;
        (*depth)++;
    }
    return word;
}

/* A file may be named with what would end the comment. */
static void add_origin(const struct spec *row, const struct config *c, struct strbuf *out)
{
    const size_t start = out->len;

    strbuf_adds(out, "  # ");
    config_origin_text(&c->origin[spec_index(row)], out);
    if (spec_value_is_auto(row, &c->s))
        strbuf_adds(out, ", auto");
    for (size_t i = start; i < out->len; i++) {
        if ((unsigned char)out->buf[i] < ' ' || out->buf[i] == 0x7f)
            out->buf[i] = '?';
    }
}

struct writing {
    const struct config *config; /* whose origins are told; NULL: none */
    const struct settings *s;
    enum spec_program program; /* only what is taken by it; 0: all */
    const char *group;         /* only this one, also what is asked for once; NULL: all others */
};

static bool is_written(const struct writing *w, const struct spec *row)
{
    if (spec_value_is_unset(row, w->s))
        return false;
    if ((row->flags & SPEC_SECRET) && !config_secret_is_valid(row, spec_value_item(row, w->s, 0)))
        return false;
    if (w->program && (!spec_takes(row, w->program) || (row->flags & SPEC_HIDDEN)))
        return false;
    if (!w->group)
        return !(row->flags & SPEC_ACTION);
    return spec_group_len(row) == strlen(w->group) &&
           memcmp(row->path, w->group, strlen(w->group)) == 0;
}

static void write_yaml(const struct writing *w, struct strbuf *out)
{
    const char *before = NULL;

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];
        const char *word = NULL;
        int depth = 0;

        if (!is_written(w, row))
            continue;
        word = open_groups(row->path, before, out, &depth);
        strbuf_addf(out, "%*s%s: ", 2 * depth, "", word);
        if (strcmp(row->path, "run.workload") == 0)
            strbuf_adds(out, CONFIG_INLINE);
        else
            add_value(row, w->s, out);
        if (w->config)
            add_origin(row, w->config, out);
        strbuf_addc(out, '\n');
        before = row->path;
    }
}

void config_write_group(const struct settings *s, const char *group, enum spec_program program,
                        struct strbuf *out)
{
    const struct writing w = {.s = s, .program = program, .group = group};

    write_yaml(&w, out);
}

static void write_target(const struct config_target *t, struct strbuf *out)
{
    const char *before = "  - ";

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        if (t->origin[i].kind == ORIGIN_DEFAULT)
            continue;
        strbuf_addf(out, "%s%s: ", before, config_target_key(row));
        if ((row->flags & SPEC_SECRET) &&
            !config_secret_is_valid(row, spec_value_item(row, &t->own, 0)))
            strbuf_adds(out, "\"\"");
        else
            add_value(row, &t->own, out);
        strbuf_addc(out, '\n');
        before = "    ";
    }
}

void config_write_targets(const struct config *c, struct strbuf *out)
{
    if (c->targets.all.n > 0)
        strbuf_adds(out, CONFIG_TARGETS ":\n");
    for (size_t i = 0; i < c->targets.all.n; i++)
        write_target(c->targets.all.at[i], out);
}

void config_write_yaml(const struct settings *s, struct strbuf *out)
{
    const struct writing w = {.s = s};

    write_yaml(&w, out);
}

void config_write_yaml_origins(const struct config *c, const struct settings *s, struct strbuf *out)
{
    const struct writing w = {.config = c, .s = s};

    write_yaml(&w, out);
}
