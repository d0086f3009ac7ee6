/*
 * Merges settings from their sources. Each value is parsed by spec_value.c where it is met, and
 * kept when no source of higher rank has spoken; the origin is kept with it. The order of the calls
 * is therefore free, but for the workload file, which run.workload must have named by then.
 */
#include "config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "config/spec_value.h"
#include "config/suggest.h"
#include "config/targets.h"
#include "config/yamltree.h"

void config_init(struct config *c, enum spec_program program)
{
    *c = (struct config){.program = program};
    spec_defaults(&c->s);
}

void config_release(struct config *c)
{
    spec_release(&c->s);
    free(c->command);
    free(c->command_base);
    free(c->workload_file);
    for (size_t i = 0; i < c->args.n; i++)
        free(c->args.at[i]);
    VEC_RELEASE(&c->args);
    for (size_t i = 0; i < c->names.n; i++)
        free(c->names.at[i]);
    VEC_RELEASE(&c->names);
    config_targets_release(&c->targets);
    *c = (struct config){.program = c->program};
}

/* A copy of the text that lives as long as c. */
static const char *keep(struct config *c, const char *text)
{
    if (!text)
        return NULL;
    for (size_t i = 0; i < c->names.n; i++) {
        if (strcmp(c->names.at[i], text) == 0)
            return c->names.at[i];
    }
    VEC_PUSH(&c->names, xstrdup(text));
    return c->names.at[c->names.n - 1];
}

static int err_at_origin(const struct origin *o, const char *path, struct err *err)
{
    if (o->kind == ORIGIN_COMMAND && o->option)
        return err_wrap(err, "%s", o->option);
    if (o->file && o->line)
        return err_wrap(err, "%s:%zu:%zu: %s", o->file, o->line, o->column, path);
    return err_wrap(err, "%s", path);
}

int config_err_at(const struct config *c, const char *path, struct err *err)
{
    const struct spec *row = spec_find(path);

    CHECK(row);
    return err_at_origin(&c->origin[spec_index(row)], path, err);
}

static int unknown_path(const char *path, struct err *err)
{
    const char *near = spec_suggest_path(path);

    if (near)
        return err_set(err, ERR_USAGE, "\"%.80s\" is not a setting (try %s)", path, near);
    return err_set(err, ERR_USAGE, "\"%.80s\" is not a setting (config/README.md has them all)",
                   path);
}

/* Parses into settings of its own when the value will not be kept. */
static int parse_only(const struct spec *row, const char *text, struct err *err)
{
    struct settings *scratch = xcalloc(1, sizeof(*scratch));
    const int rc = spec_value_parse(row, text, scratch, err);

    spec_value_clear(row, scratch);
    free(scratch);
    return rc;
}

static int set_row(struct config *c, const struct spec *row, const char *text,
                   const struct origin *origin, struct err *err)
{
    struct origin *had = &c->origin[spec_index(row)];

    if (origin->kind < had->kind)
        return parse_only(row, text, err);
    if (row->type == SPEC_LIST && origin->kind > had->kind)
        spec_value_clear(row, &c->s);
    if (spec_value_parse(row, text, &c->s, err) < 0)
        return -1;
    *had = *origin;
    had->file = keep(c, origin->file);
    had->option = keep(c, origin->option);
    return 0;
}

int config_set(struct config *c, const char *path, const char *text, const struct origin *origin,
               struct err *err)
{
    const struct spec *row = spec_find(path);

    if (!row) {
        unknown_path(path, err);
        return origin->option ? err_wrap(err, "%s", origin->option) : -1;
    }
    if (set_row(c, row, text, origin, err) < 0)
        return err_at_origin(origin, path, err);
    return 0;
}

int config_set_pair(struct config *c, const char *pair, struct err *err)
{
    const char *equals = strchr(pair, '=');
    char *path = xstrndup(pair, equals ? (size_t)(equals - pair) : 0);
    const struct spec *row = spec_find(path);
    char *option = xasprintf("--set %s", path);
    const struct origin origin = {.kind = ORIGIN_COMMAND, .option = option};
    int rc = -1;

    if (!equals || equals == pair) {
        err_set(err, ERR_USAGE, "--set: \"%.80s\" is not PATH=VALUE (try run.duration=30s)",
                equals ? "=..." : pair);
        goto out;
    }
    if (row && !spec_takes(row, c->program)) {
        err_set(err, ERR_USAGE, "%s: %s has no such setting", option,
                spec_program_name(c->program));
        goto out;
    }
    rc = config_set(c, path, equals + 1, &origin, err);
out:
    free(option);
    free(path);
    return rc;
}

/* One file being read. */
struct reading {
    struct config *c;
    const struct origin *origin;
    bool seen[CONFIG_SPEC_ROWS];
    struct err *err;
};

static int fail_at_key(const struct reading *r, const struct yamlnode *node)
{
    return err_wrap(r->err, "%s:%zu:%zu", r->origin->file, node->key_line, node->key_column);
}

static int set_from_node(struct reading *r, const struct spec *row, const struct yamlnode *node)
{
    struct origin origin = *r->origin;

    origin.line = node->line;
    origin.column = node->column;
    return config_set(r->c, row->path, node->text, &origin, r->err);
}

static int read_value(struct reading *r, const struct spec *row, const struct yamlnode *node)
{
    if (r->seen[spec_index(row)]) {
        err_set(r->err, ERR_USAGE, "%s stands here again", row->path);
        return fail_at_key(r, node);
    }
    r->seen[spec_index(row)] = true;
    if (node->kind == YAMLNODE_SCALAR)
        return set_from_node(r, row, node);
    if (node->kind == YAMLNODE_LIST && (row->flags & SPEC_MAY_REPEAT)) {
        for (size_t i = 0; i < node->n_items; i++) {
            if (node->item[i]->kind != YAMLNODE_SCALAR) {
                err_set(r->err, ERR_USAGE, "%s takes a list of texts", row->path);
                return fail_at_key(r, node);
            }
            if (set_from_node(r, row, node->item[i]) < 0)
                return -1;
        }
        return 0;
    }
    err_set(r->err, ERR_USAGE, "%s takes one value, not a %s", row->path,
            node->kind == YAMLNODE_LIST ? "list" : "group");
    return fail_at_key(r, node);
}

static bool is_group(const char *path)
{
    const size_t len = strlen(path);

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        if (strncmp(config_spec[i].path, path, len) == 0 && config_spec[i].path[len] == '.')
            return true;
    }
    return false;
}

static int read_group(struct reading *r, const struct yamlnode *map, const char *prefix);

static int read_item(struct reading *r, const struct yamlnode *node, const char *path)
{
    const struct spec *row = spec_find(path);

    if (r->origin->kind == ORIGIN_WORKLOAD && strcmp(path, "workload") != 0 &&
        strncmp(path, "workload.", strlen("workload.")) != 0) {
        err_set(r->err, ERR_USAGE,
                "\"%.80s\" in a workload file, which has the group workload only", path);
        return fail_at_key(r, node);
    }
    if (strcmp(path, CONFIG_TARGETS) == 0) {
        const struct origin origin = {.kind = r->origin->kind, .file = keep(r->c, r->origin->file)};

        return config_targets_read(&r->c->targets, node, &origin, r->err);
    }
    if (row)
        return read_value(r, row, node);
    if (is_group(path)) {
        if (node->kind == YAMLNODE_MAP)
            return read_group(r, node, path);
        if (node->kind == YAMLNODE_SCALAR && !*node->text)
            return 0; /* "run:" with nothing in it */
        err_set(r->err, ERR_USAGE, "%s is a group of settings, not a value", path);
        return fail_at_key(r, node);
    }
    unknown_path(path, r->err);
    return fail_at_key(r, node);
}

/* The recursion is bounded by the depth of the tree. */
static int read_group(struct reading *r, const struct yamlnode *map, const char *prefix)
{
    for (size_t i = 0; i < map->n_items; i++) {
        const struct yamlnode *node = map->item[i];
        char *path = xasprintf("%s%s%s", prefix, *prefix ? "." : "", node->key);
        const int rc = read_item(r, node, path);

        free(path);
        if (rc < 0)
            return -1;
    }
    return 0;
}

int config_read_text(struct config *c, const char *bytes, size_t len, const struct origin *origin,
                     struct err *err)
{
    struct reading r = {.c = c, .origin = origin, .err = err};
    struct yamlnode *root = yamltree_parse(bytes, len, origin->file, err);
    int rc = -1;

    if (!root)
        return -1;
    if (root->kind == YAMLNODE_MAP)
        rc = read_group(&r, root, "");
    else
        err_set(err, ERR_USAGE, "%s:%zu:%zu: not a map of settings (try \"run: {users: 100}\")",
                origin->file, root->line, root->column);
    yamltree_free(root);
    return rc;
}

/* The bytes of a file, at most one more than YAMLTREE_BYTES_MAX. 1 where it is not there. */
static int read_bytes(const char *path, struct strbuf *out, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    int rc = -1;

    if (fd < 0 && errno == ENOENT)
        return 1;
    if (fd < 0) {
        err_set(err, ERR_USAGE, "%s: %s", path, strerror(errno));
        goto out;
    }
    while (out->len <= YAMLTREE_BYTES_MAX) {
        const size_t room = YAMLTREE_BYTES_MAX + 1 - out->len;
        const ssize_t n = read(fd, strbuf_reserve(out, room), room);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            err_set(err, ERR_USAGE, "%s: %s", path, strerror(errno));
            goto out;
        }
        if (n == 0)
            break;
        strbuf_commit(out, (size_t)n);
    }
    rc = 0;
out:
    close_fd(&fd);
    return rc;
}

int config_read_file(struct config *c, const char *path, enum origin_kind kind, bool optional,
                     struct err *err)
{
    const struct origin origin = {.kind = kind, .file = path};
    struct strbuf bytes;
    int rc = -1;

    strbuf_init(&bytes);
    rc = read_bytes(path, &bytes, err);
    if (rc > 0)
        rc = optional ? 0 : err_set(err, ERR_USAGE, "%s: no such file", path);
    else if (rc == 0)
        rc = config_read_text(c, bytes.buf, bytes.len, &origin, err);
    strbuf_release(&bytes);
    return rc;
}

static bool is_workload_row(const struct spec *row)
{
    return strncmp(row->path, "workload.", strlen("workload.")) == 0;
}

/* "tpcc" of "tpcc.yaml", NULL for what is no YAML file. free() it. */
static char *workload_of_file(const char *name)
{
    const size_t len = strlen(name);

    return len > 5 && strcmp(name + len - 5, ".yaml") == 0 ? xstrndup(name, len - 5) : NULL;
}

static int unknown_workload(const char *name, const char *dir, struct err *err)
{
    struct fsroot machine;
    struct suggest best = suggest_for(name);
    struct strbuf all;
    char *full = dir ? realpath(dir, NULL) : NULL;
    char **files = NULL;

    fsroot_init(&machine, "");
    strbuf_init(&all);
    files = full ? fsroot_list(&machine, full) : NULL;
    for (size_t i = 0; files && files[i]; i++) {
        char *word = workload_of_file(files[i]);

        if (word) {
            strbuf_addf(&all, "%s%s", all.len ? ", " : "", word);
            suggest_offer(&best, word, files[i]);
        }
        free(word);
    }
    if (best.answer)
        err_set(err, ERR_USAGE, "\"%.80s\" is not a workload (try %.*s)", name,
                (int)(strlen(best.answer) - 5), best.answer);
    else
        err_set(err, ERR_USAGE,
                "\"%.80s\" is neither a workload (%s) nor a file with a \"/\" in its "
                "name",
                name, all.len ? all.buf : "none found");
    fsroot_list_free(files);
    free(full);
    strbuf_release(&all);
    fsroot_release(&machine);
    return -1;
}

static bool names_a_file(const char *workload)
{
    char *word = workload_of_file(workload);
    const bool is_file = word || strchr(workload, '/');

    free(word);
    return is_file;
}

/* The file that run.workload means; free() it. NULL and err where it can't be told. */
static char *find_workload(const struct config *c, const char *data_dir, struct err *err)
{
    const char *named = c->s.run.workload;
    const struct origin *origin = &c->origin[spec_index(spec_find("run.workload"))];
    const char *slash = origin->file ? strrchr(origin->file, '/') : NULL;
    char *dir = NULL;
    char *path = NULL;

    if (names_a_file(named)) {
        if (*named != '/' && slash) /* named in a file: beside that file */
            path = xasprintf("%.*s/%s", (int)(slash - origin->file), origin->file, named);
        else
            path = xstrdup(named);
        if (access(path, F_OK) == 0)
            return path;
        err_set(err, ERR_USAGE, "%s: no such file", path);
        config_err_at(c, "run.workload", err);
        free(path);
        return NULL;
    }
    dir = data_dir ? xasprintf("%s/workloads", data_dir) : NULL;
    path = dir ? xasprintf("%s/%s.yaml", dir, named) : NULL;
    if (!path || access(path, F_OK) != 0) {
        unknown_workload(named, dir, err);
        config_err_at(c, "run.workload", err);
        free(path);
        path = NULL;
    }
    free(dir);
    return path;
}

/* What config files say of the workload does not outlive the workload file. Where the file is not
 * named by somebody of higher rank, that is no wish but a mistake. */
static int reset_workload(struct config *c, struct err *err)
{
    const enum origin_kind named_by = c->origin[spec_index(spec_find("run.workload"))].kind;

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];
        struct origin *origin = &c->origin[i];

        if (!is_workload_row(row) || origin->kind == ORIGIN_DEFAULT ||
            origin->kind > ORIGIN_WORKLOAD)
            continue;
        if (origin->kind >= named_by) {
            err_set(err, ERR_USAGE,
                    "would be replaced by the workload \"%.80s\" (add "
                    "\"run: {workload: inline}\", or make it a workload file)",
                    c->s.run.workload);
            return config_err_at(c, row->path, err);
        }
        spec_value_clear(row, &c->s);
        if (row->def && spec_value_parse(row, row->def, &c->s, err) < 0)
            return -1;
        *origin = (struct origin){.kind = ORIGIN_DEFAULT};
    }
    return 0;
}

int config_read_workload(struct config *c, const char *data_dir, struct err *err)
{
    const bool from_group = strcmp(c->s.run.workload, CONFIG_INLINE) == 0;

    if (!from_group) {
        char *path = find_workload(c, data_dir, err);

        if (!path)
            return -1;
        free(c->workload_file);
        c->workload_file = path;
        if (reset_workload(c, err) < 0 ||
            config_read_file(c, path, ORIGIN_WORKLOAD, false, err) < 0)
            return -1;
    }
    if (!c->s.workload.name)
        c->s.workload.name = xstrdup(c->s.run.workload);
    return 0;
}

bool config_is_set(const struct config *c, const char *path)
{
    const struct spec *row = spec_find(path);

    CHECK(row);
    return c->origin[spec_index(row)].kind != ORIGIN_DEFAULT;
}

void config_origin_text(const struct origin *o, struct strbuf *out)
{
    if (o->kind == ORIGIN_DEFAULT)
        strbuf_adds(out, "default");
    else if (o->kind == ORIGIN_COMMAND)
        strbuf_adds(out, "command line");
    else
        strbuf_addf(out, "%s:%zu", o->file, o->line);
}
