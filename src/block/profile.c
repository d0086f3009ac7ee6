/*
 * Profiles from YAML, strictly: unknown and repeated keys, wrong numbers and sums are errors with
 * their place. No state; any thread.
 */
#include "block/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "block/trace.h"
#include "config/suggest.h"
#include "config/yamltree.h"

#define SIZE_MIN 512
#define SIZE_MAX_BYTES (UINT64_C(16) << 20)
#define PROFILES_MAX 64
#define RATE_MAX 1e8

struct reading {
    const char *file;
    struct err *err;
};

static int wrong(const struct reading *in, const struct yamlnode *n, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

static int wrong(const struct reading *in, const struct yamlnode *n, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;

    va_start(ap, fmt);
    text = xvasprintf(fmt, ap);
    va_end(ap);
    (void)err_set(in->err, ERR_USAGE, "%s:%zu:%zu: %s%s%s", in->file, n->line, n->column,
                  n->key ? n->key : "", n->key ? ": " : "", text);
    free(text);
    return -1;
}

/* ---- values ---- */

static int take_text(const struct reading *in, const struct yamlnode *n, char **out)
{
    if (n->kind != YAMLNODE_SCALAR || !*n->text)
        return wrong(in, n, "a text is wanted");
    free(*out);
    *out = xstrdup(n->text);
    return 0;
}

static int take_whole(const struct reading *in, const struct yamlnode *n, int64_t low, int64_t high,
                      int64_t *out)
{
    if (n->kind != YAMLNODE_SCALAR || units_parse_i64(n->text, out, NULL) < 0)
        return wrong(in, n, "a whole number is wanted");
    if (*out < low || *out > high)
        return wrong(in, n, "\"%s\" is not within %" PRId64 " and %" PRId64, n->text, low, high);
    return 0;
}

static int take_percent(const struct reading *in, const struct yamlnode *n, int *out)
{
    int64_t value = 0;

    if (take_whole(in, n, 0, 100, &value) < 0)
        return -1;
    *out = (int)value;
    return 0;
}

static int take_bytes(const struct reading *in, const struct yamlnode *n, const char *text,
                      uint64_t *out)
{
    struct err why = {0};

    if (units_parse_bytes(text, out, &why) < 0)
        return wrong(in, n, "%s", why.text);
    if (*out < SIZE_MIN || *out > SIZE_MAX_BYTES || *out % SIZE_MIN != 0)
        return wrong(in, n, "\"%s\" is no block size (512 to 16MiB, in steps of 512)", text);
    return 0;
}

static int take_sizes(const struct reading *in, const struct yamlnode *n, struct profile_sizes *out)
{
    int sum = 0;

    if (n->kind != YAMLNODE_MAP || n->n_items == 0)
        return wrong(in, n, "sizes with percents are wanted (try {4KiB: 60, 64KiB: 40})");
    if (n->n_items > PROFILE_SIZES_MAX)
        return wrong(in, n, "more than %d sizes", PROFILE_SIZES_MAX);
    for (out->n = 0; out->n < n->n_items; out->n++) {
        const struct yamlnode *item = n->item[out->n];
        struct profile_size *size = &out->at[out->n];

        if (take_bytes(in, item, item->key, &size->bytes) < 0 ||
            take_percent(in, item, &size->percent) < 0)
            return -1;
        sum += size->percent;
    }
    /* fio takes whole percents and silently mends a sum that is not 100. */
    return sum == 100 ? 0 : wrong(in, n, "the percents sum to %d, not to 100", sum);
}

static int take_points(const struct reading *in, const struct yamlnode *n, struct profile_set *set)
{
    int64_t value = 0;

    if (n->kind != YAMLNODE_LIST || n->n_items == 0)
        return wrong(in, n, "a list of percents is wanted (try [10, 50, 100])");
    for (size_t i = 0; i < n->n_items; i++) {
        if (take_whole(in, n->item[i], 1, PROFILE_POINT_MAX, &value) < 0)
            return -1;
        if (set->points.n && value <= set->points.at[set->points.n - 1])
            return wrong(in, n->item[i], "the points must rise");
        VEC_PUSH(&set->points, (int)value);
    }
    return 0;
}

static int take_rates(const struct reading *in, const struct yamlnode *n, struct profile *p)
{
    if (n->kind != YAMLNODE_LIST)
        return wrong(in, n, "a list of I/Os a second is wanted");
    for (size_t i = 0; i < n->n_items; i++) {
        double value = 0;

        if (n->item[i]->kind != YAMLNODE_SCALAR ||
            units_parse_double(n->item[i]->text, &value, NULL) < 0 || !(value >= 1) ||
            value > RATE_MAX)
            return wrong(in, n->item[i], "a number of I/Os a second is wanted, 1 or more");
        VEC_PUSH(&p->rates, value);
    }
    return 0;
}

static int take_sources(const struct reading *in, const struct yamlnode *n, struct profile_set *set)
{
    if (n->kind != YAMLNODE_LIST)
        return wrong(in, n, "a list of texts is wanted");
    for (size_t i = 0; i < n->n_items; i++) {
        char *text = NULL;

        if (take_text(in, n->item[i], &text) < 0)
            return -1;
        VEC_PUSH(&set->sources, text);
    }
    return 0;
}

static int take_modelled(const struct reading *in, const struct yamlnode *n, bool *out)
{
    if (n->kind != YAMLNODE_SCALAR ||
        (strcmp(n->text, "true") != 0 && strcmp(n->text, "false") != 0))
        return wrong(in, n, "true or false is wanted");
    *out = strcmp(n->text, "true") == 0;
    return 0;
}

/* ---- maps ---- */

/* The index of the node's key, or -1 and an error that names the nearest. */
static int key_of(const struct reading *in, const struct yamlnode *n, const char *const *keys)
{
    struct suggest near = suggest_for(n->key);

    for (int i = 0; keys[i]; i++) {
        if (strcmp(keys[i], n->key) == 0)
            return i;
        suggest_offer(&near, keys[i], keys[i]);
    }
    return err_set(in->err, ERR_USAGE, "%s:%zu:%zu: \"%.40s\" is not known here%s%s%s", in->file,
                   n->key_line, n->key_column, n->key, near.answer ? " (try " : "",
                   near.answer ? near.answer : "", near.answer ? ")" : "");
}

static const char *const profile_keys[] = {"name",  "read",       "random",      "outstanding",
                                           "size",  "read_sizes", "write_sizes", "rates",
                                           "trace", NULL};

static int take_profile_key(const struct reading *in, const struct yamlnode *n, struct profile *p)
{
    const int key = key_of(in, n, profile_keys);

    switch (key) {
    case 0:
        return take_text(in, n, &p->name);
    case 1:
        return take_percent(in, n, &p->read_percent);
    case 2:
        return take_percent(in, n, &p->random_percent);
    case 3:
        return take_whole(in, n, 1, PROFILE_OUTSTANDING_MAX, &p->outstanding);
    case 4:
        p->read = (struct profile_sizes){.n = 1, .at = {{.percent = 100}}};
        if (n->kind != YAMLNODE_SCALAR)
            return wrong(in, n, "a size is wanted (try 4KiB)");
        if (take_bytes(in, n, n->text, &p->read.at[0].bytes) < 0)
            return -1;
        p->write = p->read;
        return 0;
    case 5:
        return take_sizes(in, n, &p->read);
    case 6:
        return take_sizes(in, n, &p->write);
    case 7:
        return take_rates(in, n, p);
    case 8:
        return take_text(in, n, &p->trace);
    default:
        return -1;
    }
}

/* A name is part of file names and headings. */
static int check_name(const struct reading *in, const struct yamlnode *n, const char *name)
{
    if (!name)
        return wrong(in, n, "a name is missing (name: ...)");
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") !=
            strlen(name) ||
        strlen(name) > 40)
        return wrong(in, n,
                     "the name \"%.50s\" may have letters, digits, \"-\", \"_\", \".\" only, "
                     "40 at most",
                     name);
    return 0;
}

static int check_profile(const struct reading *in, const struct yamlnode *n, struct profile *p)
{
    if (check_name(in, n, p->name) < 0)
        return -1;
    if (p->outstanding == 0)
        return wrong(in, n, "%s: outstanding is missing (how many I/Os may be under way)", p->name);
    if (p->trace) {
        if (p->read.n || p->write.n || p->rates.n || p->read_percent >= 0 || p->random_percent >= 0)
            return wrong(in, n, "%s: a trace has its own mix, sizes and rates", p->name);
        return 0;
    }
    if (p->read_percent < 0 || p->random_percent < 0)
        return wrong(in, n, "%s: %s is missing (percent of the I/Os)", p->name,
                     p->read_percent < 0 ? "read" : "random");
    if (p->read_percent == 0)
        p->read.n = 0;
    if (p->read_percent == 100)
        p->write.n = 0;
    if (p->read_percent > 0 && !p->read.n)
        return wrong(in, n, "%s: size or read_sizes is missing", p->name);
    if (p->read_percent < 100 && !p->write.n)
        return wrong(in, n, "%s: size or write_sizes is missing", p->name);
    if (p->random_percent == 0 && p->read_percent != 0 && p->read_percent != 100)
        return wrong(in, n, "%s: a sequential stream either reads or writes", p->name);
    return 0;
}

/* Relative to the file that names it. */
static void resolve_trace(const struct reading *in, struct profile *p)
{
    const char *slash = strrchr(in->file, '/');
    char *path = NULL;

    if (p->trace[0] == '/' || !slash)
        return;
    path = xasprintf("%.*s/%s", (int)(slash - in->file), in->file, p->trace);
    free(p->trace);
    p->trace = path;
}

static int look_at_trace(const struct reading *in, const struct yamlnode *n, struct profile *p)
{
    struct trace_facts facts;
    struct err why = {0};

    resolve_trace(in, p);
    if (trace_look(p->trace, &facts, &why) < 0)
        return wrong(in, n, "%s: %s", p->name, why.text);
    p->trace_iops = facts.iops;
    p->trace_writes = facts.writes;
    return 0;
}

static int take_profile(const struct reading *in, const struct yamlnode *n, struct profile_set *set)
{
    const struct profile empty = {
        .read_percent = -1, .random_percent = -1, .trace_iops = (double)NAN};
    struct profile *p = NULL;

    if (n->kind != YAMLNODE_MAP)
        return wrong(in, n, "a profile is a map (name: ..., read: ...)");
    VEC_PUSH(&set->profiles, empty);
    p = &set->profiles.at[set->profiles.n - 1];
    for (size_t i = 0; i < n->n_items; i++) {
        if (take_profile_key(in, n->item[i], p) < 0)
            return -1;
    }
    if (check_profile(in, n, p) < 0)
        return -1;
    for (size_t i = 0; i + 1 < set->profiles.n; i++) {
        if (strcmp(set->profiles.at[i].name, p->name) == 0)
            return wrong(in, n, "the name \"%s\" stands twice", p->name);
    }
    return p->trace ? look_at_trace(in, n, p) : 0;
}

static int take_profiles(const struct reading *in, const struct yamlnode *n,
                         struct profile_set *set)
{
    if (n->kind != YAMLNODE_LIST || n->n_items == 0 || n->n_items > PROFILES_MAX)
        return wrong(in, n, "a list of 1 to %d profiles is wanted", PROFILES_MAX);
    for (size_t i = 0; i < n->n_items; i++) {
        if (take_profile(in, n->item[i], set) < 0)
            return -1;
    }
    return 0;
}

static int take_set(const struct reading *in, const struct yamlnode *n, struct profile_set *set)
{
    static const char *const keys[] = {"name",     "modelled",   "sources", "points",
                                       "profiles", "taken_from", NULL};

    switch (key_of(in, n, keys)) {
    case 0:
        return take_text(in, n, &set->name);
    case 1:
        return take_modelled(in, n, &set->modelled);
    case 2:
        return take_sources(in, n, set);
    case 3:
        return take_points(in, n, set);
    case 4:
        return take_profiles(in, n, set);
    case 5:
        return take_text(in, n, &set->taken_from);
    default:
        return -1;
    }
}

void profile_default_points(struct profile_set *set)
{
    for (int percent = 10; percent <= 120; percent += 10)
        VEC_PUSH(&set->points, percent);
}

static int take_document(const struct reading *in, const struct yamlnode *root,
                         struct profile_set *set)
{
    const struct yamlnode *block = NULL;

    if (root->kind != YAMLNODE_MAP || root->n_items != 1 ||
        strcmp(root->item[0]->key, "block") != 0 || root->item[0]->kind != YAMLNODE_MAP)
        return wrong(in, root, "a block workload is a map \"block:\" and nothing beside it");
    block = root->item[0];
    for (size_t i = 0; i < block->n_items; i++) {
        if (take_set(in, block->item[i], set) < 0)
            return -1;
    }
    if (check_name(in, block, set->name) < 0)
        return -1;
    if (set->profiles.n == 0)
        return wrong(in, block, "profiles are missing");
    if (set->modelled && set->sources.n == 0)
        return wrong(in, block, "what is modelled names its sources (sources: [...])");
    if (set->points.n == 0)
        profile_default_points(set);
    return 0;
}

int profile_parse(const char *bytes, size_t len, const char *name, struct profile_set *out,
                  struct err *err)
{
    const struct reading in = {.file = name, .err = err};
    struct yamlnode *root = NULL;
    int rc = -1;

    *out = (struct profile_set){.name = NULL};
    root = yamltree_parse(bytes, len, name, err);
    if (root)
        rc = take_document(&in, root, out);
    yamltree_free(root);
    return rc;
}

static int read_text(const char *path, char *to, size_t size, size_t *len, struct err *err)
{
    FILE *file = fopen(path, "re");

    if (!file)
        return err_sys(err, errno, "can't read %s", path);
    *len = fread(to, 1, size, file);
    if (ferror(file)) {
        (void)fclose(file);
        return err_sys(err, EIO, "can't read %s", path);
    }
    (void)fclose(file);
    return 0;
}

static bool is_path(const char *name)
{
    const size_t n = strlen(name);

    return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".yaml") == 0);
}

int profile_read(const char *name, const char *data_dir, struct profile_set *out, struct err *err)
{
    char *path = is_path(name)
                     ? xstrdup(name)
                     : xasprintf("%s/workloads/block/%s.yaml", data_dir ? data_dir : "", name);
    char *text = xmalloc(YAMLTREE_BYTES_MAX + 1);
    size_t len = 0;
    int rc = -1;

    *out = (struct profile_set){.name = NULL};
    if (!is_path(name) && access(path, F_OK) < 0)
        (void)err_set(err, ERR_USAGE,
                      "\"%.80s\" is no block workload (the ones there are: %s/workloads/block; a "
                      "file of your own: ./NAME.yaml)",
                      name, data_dir ? data_dir : "");
    else if (read_text(path, text, YAMLTREE_BYTES_MAX + 1, &len, err) == 0)
        rc = profile_parse(text, len, path, out, err);
    free(text);
    free(path);
    return rc;
}

void profile_set_release(struct profile_set *set)
{
    for (size_t i = 0; i < set->profiles.n; i++) {
        free(set->profiles.at[i].name);
        free(set->profiles.at[i].trace);
        VEC_RELEASE(&set->profiles.at[i].rates);
    }
    VEC_RELEASE(&set->profiles);
    for (size_t i = 0; i < set->sources.n; i++)
        free(set->sources.at[i]);
    VEC_RELEASE(&set->sources);
    VEC_RELEASE(&set->points);
    free(set->name);
    free(set->taken_from);
    *set = (struct profile_set){.name = NULL};
}
