/*
 * What was run, on what: the settings of plan.yaml with where each came from (a comment behind it),
 * the server's, dataset, workload, devices and host.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "config/yamltree.h"
#include "report/cell.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/memory_words.h"
#include "report/restore_words.h"

#define ORIGIN_MARK "  # "

/* Appends the comment at the end of a line (from 1) of the text, "-" where it has none. A text that
 * holds the mark itself ends in a quote. */
static void add_origin(const char *yaml, size_t line, struct strbuf *out)
{
    const char *mark = NULL;
    size_t len = 0;

    for (; line > 1 && *yaml; yaml++)
        line -= *yaml == '\n';
    len = strcspn(yaml, "\n");
    for (size_t i = 0; i + strlen(ORIGIN_MARK) < len; i++) {
        if (memcmp(yaml + i, ORIGIN_MARK, strlen(ORIGIN_MARK)) == 0)
            mark = yaml + i + strlen(ORIGIN_MARK);
    }
    if (mark && !memchr(mark, '"', (size_t)(yaml + len - mark)))
        strbuf_add(out, mark, (size_t)(yaml + len - mark));
}

static void add_setting(struct html_table *t, const char *path, const struct yamlnode *node,
                        const char *yaml)
{
    struct strbuf value;
    struct strbuf origin;

    strbuf_init(&value);
    strbuf_init(&origin);
    for (size_t i = 0; i < node->n_items; i++) {
        strbuf_adds(&value, i ? ", " : "");
        strbuf_adds(&value, node->item[i]->text ? node->item[i]->text : "");
    }
    if (node->text)
        strbuf_adds(&value, node->text);
    add_origin(yaml, node->line, &origin);
    html_cell(t, path);
    html_cell(t, value.len ? value.buf : NULL);
    html_cell(t, origin.len ? origin.buf : NULL);
    strbuf_release(&origin);
    strbuf_release(&value);
}

/* Recursion: YAMLTREE_DEPTH_MAX levels. */
static void add_settings(struct html_table *t, const char *path, const struct yamlnode *node,
                         const char *yaml)
{
    if (node->kind != YAMLNODE_MAP) {
        add_setting(t, path, node, yaml);
        return;
    }
    for (size_t i = 0; i < node->n_items; i++) {
        const struct yamlnode *item = node->item[i];
        char *inner = *path ? xasprintf("%s.%s", path, item->key) : xstrdup(item->key);

        add_settings(t, inner, item, yaml);
        free(inner);
    }
}

static void add_plan(const char *plan_yaml, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "setting"}, {.head = "value", .text = true}, {.head = "from", .text = true}};
    struct yamlnode *root = NULL;
    struct html_table t;
    struct err err = {0};

    if (plan_yaml)
        root = yamltree_parse(plan_yaml, strlen(plan_yaml), "plan.yaml", &err);
    if (!root) {
        strbuf_adds(out, "<p>The plan's settings can't be shown: ");
        html_text(out, plan_yaml ? err.text : "plan.yaml is not there");
        strbuf_adds(out, ".</p>\n");
        return;
    }
    html_table_begin(&t, out, "Settings of the run, as planned", columns, ARRAY_LEN(columns));
    add_settings(&t, "", root, plan_yaml);
    html_table_end(&t);
    yamltree_free(root);
}

static void add_server(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {{.head = "setting"},
                                                 {.head = "value", .text = true}};
    struct html_table t;

    if (r->database.settings.n == 0)
        return;
    html_table_begin(&t, out, "Settings of the server, as it printed them", columns,
                     ARRAY_LEN(columns));
    for (size_t i = 0; i < r->database.settings.n; i++) {
        html_cell(&t, r->database.settings.at[i].name);
        html_cell(&t, r->database.settings.at[i].value);
    }
    html_table_end(&t);
}

/* A row of the two-column table of facts, in foreign text. */
static void add_fact(struct html_table *t, const char *name, const char *text)
{
    html_cell(t, name);
    html_cell(t, text);
}

static void add_constants(struct html_table *t, const char *name, const int64_t c[3])
{
    char *text =
        xasprintf("C_LAST %" PRId64 ", C_ID %" PRId64 ", OL_I_ID %" PRId64, c[0], c[1], c[2]);

    add_fact(t, name, c[0] < 0 ? NULL : text);
    free(text);
}

static void add_database(const struct result *r, struct html_table *t)
{
    const struct result_database *db = &r->database;
    struct strbuf limit;
    char *text = xasprintf("%s %s", db->kind ? db->kind : "-", db->version ? db->version : "-");

    add_fact(t, "database", text);
    add_fact(t, "driver", db->driver);
    add_fact(t, "transport", db->transport);
    add_fact(t, "buffer", cell_bytes(db->buffer_bytes).text);
    strbuf_init(&limit);
    memory_words_limit(r, &limit);
    add_fact(t, "memory limit", limit.buf);
    strbuf_release(&limit);
    add_fact(t, "in the page cache at the start", cell_bytes(r->dataset.cached_bytes).text);
    add_fact(t, "page reads that reached the drive, %",
             cell_fixed(result_drive_read_percent(r), 1).text);
    free(text);
}

static void add_dataset(const struct result *r, struct html_table *t)
{
    const struct result_dataset *d = &r->dataset;
    char *seed = xasprintf("%" PRIu64, d->seed);
    struct strbuf restored;

    add_fact(t, "warehouses", cell_count(d->warehouses).text);
    add_fact(t, "dataset's seed", seed);
    add_fact(t, "loaded", d->loaded_at);
    add_fact(t, "load took", cell_duration(d->load_seconds).text);
    add_fact(t, "runs since the load", cell_count(d->runs_since_load).text);
    if (d->restore.method) {
        strbuf_init(&restored);
        restore_words(r, &restored);
        add_fact(t, "before the run", restored.buf);
        add_fact(t, "image", d->restore.image);
        strbuf_release(&restored);
    }
    add_constants(t, "constants of the load", d->c_load);
    add_constants(t, "constants of the run", d->c_run);
    free(seed);
}

static void add_workload(const struct result *r, struct html_table *t)
{
    const struct result_workload *w = &r->workload;

    add_fact(t, "workload", w->name);
    add_fact(t, "loop", w->loop);
    add_fact(t, "mean cycle, s", cell_fixed(w->mean_cycle_s, 3).text);
    add_fact(t, "ceiling, TPS", cell_fixed(w->ceiling_tps, 1).text);
    add_fact(t, "Delivery", w->delivery);
}

static void add_host(const struct result *r, struct html_table *t)
{
    const struct result_drive *d = &r->drive;

    add_fact(t, "host", r->host.name);
    add_fact(t, "kernel", r->host.kernel);
    add_fact(t, "processor", r->host.cpu_model);
    add_fact(t, "CPU governor", r->host.governor);
    add_fact(t, "processors", cell_count(r->host.cpus).text);
    add_fact(t, "memory", cell_bytes(r->host.memory_bytes).text);
    add_fact(t, "path", d->path);
    add_fact(t, "file system", d->filesystem);
    add_fact(t, "mount options", d->mount_options);
    add_fact(t, "used, %", cell_fixed(d->used_percent, 1).text);
    add_fact(t, "also on it", d->shared);
    add_fact(t, "found by", d->how_found);
    add_fact(t, "run ended by", r->run.ended_by);
    add_fact(t, "command", r->command);
}

static void add_facts(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {{.head = "fact"}, {.head = "value", .text = true}};
    struct html_table t;

    html_table_begin(&t, out, "Database, dataset, workload", columns, ARRAY_LEN(columns));
    add_database(r, &t);
    add_dataset(r, &t);
    add_workload(r, &t);
    html_table_end(&t);
    html_table_begin(&t, out, "Host and drive", columns, ARRAY_LEN(columns));
    add_host(r, &t);
    html_table_end(&t);
}

static void add_devices(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "device"},
        {.head = "role", .text = true},
        {.head = "model", .text = true},
        {.head = "firmware", .text = true},
        {.head = "size", .text = true},
        {.head = "kind", .text = true},
        {.head = "scheduler", .text = true},
        {.head = "write cache", .text = true},
        {.head = "link", .text = true},
    };
    struct html_table t;

    if (r->drive.devices.n == 0)
        return;
    html_table_begin(&t, out, "Devices", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_device *d = &r->drive.devices.at[i];

        html_cell(&t, d->name);
        html_cell(&t, d->role);
        html_cell(&t, d->model);
        html_cell(&t, d->firmware);
        html_cell(&t, cell_bytes(d->size_bytes).text);
        html_cell(&t, d->rotational < 0 ? NULL : d->rotational ? "rotating" : "not rotating");
        html_cell(&t, d->scheduler);
        html_cell(&t, d->write_cache);
        html_cell(&t, d->link);
    }
    html_table_end(&t);
}

void html_setup(const struct result *r, const char *plan_yaml, struct strbuf *out)
{
    html_section(out, "setup", "Settings, devices, host");
    add_devices(r, out);
    strbuf_adds(out, "<div class=\"columns\">\n<div>\n");
    add_plan(plan_yaml, out);
    strbuf_adds(out, "</div>\n<div>\n");
    add_facts(r, out);
    add_server(r, out);
    strbuf_adds(out, "</div>\n</div>\n");
    html_section_end(out);
}
