/*
 * The set's document in memory and as result.json, both ways by the same tables of members.
 */
#include "result/repeats.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "result/json_fields.h"
#include "result/result_dir.h"
#include "result/verdict.h"
#include "stats/signif.h"

#define FIELD(kind, T, m)                                                                          \
    {                                                                                              \
#m, kind, offsetof(struct T, m)                                                            \
    }
#define FIELDS(table) ((struct json_fields){table, ARRAY_LEN(table)})

static const struct json_field head_table[] = {
    FIELD(JSON_TEXT, repeats, version),  FIELD(JSON_TEXT, repeats, started),
    FIELD(JSON_TEXT, repeats, ended),    FIELD(JSON_TEXT, repeats, label),
    FIELD(JSON_TEXT, repeats, command),  FIELD(JSON_TEXT, repeats, ended_by),
    FIELD(JSON_WHOLE, repeats, planned), FIELD(JSON_YES, repeats, restored),
};

static const struct json_field run_table[] = {
    FIELD(JSON_TEXT, repeats_run, directory),        FIELD(JSON_TEXT, repeats_run, started),
    FIELD(JSON_TEXT, repeats_run, verdict),          FIELD(JSON_TEXT, repeats_run, restored),
    FIELD(JSON_WHOLE, repeats_run, runs_since_load), FIELD(JSON_FIGURE, repeats_run, tps),
    FIELD(JSON_FIGURE, repeats_run, avg_ms),         FIELD(JSON_FIGURE, repeats_run, p95_ms),
    FIELD(JSON_FIGURE, repeats_run, p99_ms),
};

static const struct json_field spread_table[] = {
    FIELD(JSON_FIGURE, repeats_spread, mean),
    FIELD(JSON_FIGURE, repeats_spread, low),
    FIELD(JSON_FIGURE, repeats_spread, high),
    FIELD(JSON_FIGURE, repeats_spread, percent),
};

static const struct {
    const char *key;
    size_t at;
} figures[REPEATS_FIGURES] = {
    [REPEATS_TPS] = {"tps", offsetof(struct repeats_run, tps)},
    [REPEATS_AVG] = {"avg_ms", offsetof(struct repeats_run, avg_ms)},
    [REPEATS_P95] = {"p95_ms", offsetof(struct repeats_run, p95_ms)},
    [REPEATS_P99] = {"p99_ms", offsetof(struct repeats_run, p99_ms)},
};

void repeats_init(struct repeats *all)
{
    *all = (struct repeats){.planned = -1};
}

void repeats_release(struct repeats *all)
{
    free(all->version);
    free(all->started);
    free(all->ended);
    free(all->label);
    free(all->command);
    free(all->ended_by);
    for (size_t i = 0; i < all->runs.n; i++) {
        free(all->runs.at[i].directory);
        free(all->runs.at[i].started);
        free(all->runs.at[i].verdict);
        free(all->runs.at[i].restored);
    }
    VEC_RELEASE(&all->runs);
    repeats_init(all);
}

void repeats_add(struct repeats *all, const struct result *r, const char *directory)
{
    const struct summary *response = &r->sample.time[TIME_RESPONSE];
    const struct repeats_run run = {
        .directory = xstrdup(directory),
        .started = xstrdup_or_null(r->started),
        .verdict = xstrdup(verdict_name(r->verdict.status)),
        .restored = xstrdup_or_null(r->dataset.restore.method),
        .runs_since_load = r->dataset.runs_since_load,
        .tps = r->sample.tps,
        .avg_ms = response->avg,
        .p95_ms = response->p95,
        .p99_ms = response->p99,
    };

    VEC_PUSH(&all->runs, run);
}

struct repeats_spread repeats_spread(const struct repeats *all, enum repeats_figure f)
{
    double value[REPEATS_MAX];
    struct signif_group group;
    struct signif_interval mean;

    CHECK(all->runs.n <= REPEATS_MAX);
    if (all->runs.n == 0)
        return (struct repeats_spread){RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE};
    for (size_t i = 0; i < all->runs.n; i++) {
        const void *figure = (const char *)&all->runs.at[i] + figures[f].at;

        value[i] = *(const double *)figure;
    }
    group = signif_group_of(value, all->runs.n);
    mean = signif_group_interval(&group, SIGNIF_LEVEL);
    return (struct repeats_spread){mean.value, mean.low, mean.high,
                                   signif_group_spread_percent(&group)};
}

char *repeats_json_write(const struct repeats *all)
{
    json_t *root = json_object();
    json_t *runs = json_array();
    json_t *spread = json_object();

    CHECK(root);
    CHECK(runs);
    json_put(root, "format", json_text(RESULT_FORMAT));
    json_put(root, "kind", json_text(REPEATS_KIND));
    json_add_fields(root, all, FIELDS(head_table));
    for (int f = 0; f < REPEATS_FIGURES; f++) {
        const struct repeats_spread s = repeats_spread(all, (enum repeats_figure)f);

        json_put(spread, figures[f].key, json_write_fields(&s, FIELDS(spread_table)));
    }
    json_put(root, "spread", spread);
    for (size_t i = 0; i < all->runs.n; i++)
        CHECK(json_array_append_new(runs, json_write_fields(&all->runs.at[i], FIELDS(run_table))) ==
              0);
    json_put(root, "runs", runs);
    return json_finish(root);
}

/* In runs/ and nowhere else: reports read what it names. */
static bool is_inside(const char *directory)
{
    return directory && strncmp(directory, "runs/", 5) == 0 && directory[5] != '.' &&
           directory[5] != 0 && !strchr(directory + 5, '/');
}

static int read_runs(const struct json_node *root, struct repeats *all, struct err *err)
{
    const struct json_node list = json_child(root, "runs");
    const size_t n = json_array_size(list.value);

    if (json_expect(&list, JSON_ARRAY, err) < 0)
        return -1;
    if (n > REPEATS_MAX)
        return json_complain(&list, err, "more than %d runs", REPEATS_MAX);
    for (size_t i = 0; i < n; i++) {
        const struct json_node node = json_element(&list, i);
        const struct repeats_run none = {0};

        VEC_PUSH(&all->runs, none); /* the set's from here on */
        if (json_expect(&node, JSON_OBJECT, err) < 0 ||
            json_read_fields(&node, &all->runs.at[i], FIELDS(run_table), err) < 0)
            return -1;
        if (!is_inside(all->runs.at[i].directory))
            return json_complain(&node, err, "a run without a directory in runs/");
    }
    return 0;
}

int repeats_json_read(const char *text, struct repeats *all, struct err *err)
{
    json_t *document = json_parse(text, err);
    const struct json_node root = {.value = document};
    int rc = -1;

    if (!document)
        return -1;
    if (json_expect_kind(document, REPEATS_KIND, "no repeats (of --repeat)", err) == 0 &&
        json_read_fields(&root, all, FIELDS(head_table), err) == 0)
        rc = read_runs(&root, all, err);
    json_decref(document);
    return rc;
}

bool repeats_dir_is(const char *path)
{
    return result_dir_is_kind(path, REPEATS_KIND);
}

int repeats_dir_read(const char *path, struct repeats *all, struct err *err)
{
    char *text = result_dir_read_text(path, "result.json", err);
    int rc = text ? repeats_json_read(text, all, err) : -1;

    if (text && rc < 0)
        (void)err_wrap(err, "%s/result.json", path);
    free(text);
    return rc;
}
