/*
 * result.json of several targets, both ways by the same tables of members; a target's row is
 * written as a step of a ladder.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "result/ladder_fields.h"
#include "result/result_dir.h"
#include "result/result_fields.h"
#include "result/targets.h"

#define FIELD(kind, T, m)                                                                          \
    {                                                                                              \
#m, kind, offsetof(struct T, m)                                                            \
    }

/* clang-format off */
static const struct json_field head_table[] = {
    FIELD(JSON_TEXT, targets, version),
    FIELD(JSON_TEXT, targets, started),
    FIELD(JSON_TEXT, targets, ended),
    FIELD(JSON_TEXT, targets, label),
    FIELD(JSON_TEXT, targets, command),
    FIELD(JSON_TEXT, targets, ended_by),
    FIELD(JSON_TEXT, targets, verdict),
    FIELD(JSON_TEXT, targets, shared),
    FIELD(JSON_WHOLE, targets, planned),
    FIELD(JSON_WHOLE, targets, summed),
    FIELD(JSON_TEXT, targets, host),
    FIELD(JSON_TEXT, targets, workload),
    FIELD(JSON_FIGURE, targets, mean_cycle_s),
};

static const struct json_field driver_table[] = {
    FIELD(JSON_FIGURE, targets_driver, cpu_percent),
    FIELD(JSON_FIGURE, targets_driver, cpu_us_per_transaction),
    FIELD(JSON_FIGURE, targets_driver, rss_mib),
    FIELD(JSON_FIGURE, targets_driver, lateness_p99_ms),
};

static const struct json_field row_table[] = {
    FIELD(JSON_TEXT, target_row, name),
    FIELD(JSON_TEXT, target_row, ended_by),
    FIELD(JSON_TEXT, target_row, database),
    FIELD(JSON_TEXT, target_row, drive),
    FIELD(JSON_YES, target_row, summed),
    FIELD(JSON_FIGURE, target_row, lateness_p99_ms),
};

static const struct {
    const char *key;
    size_t at; /* double[RESULT_BATCHES] */
} line_table[] = {
    {"tps", offsetof(struct targets_line, tps)},
    {"response_avg_ms", offsetof(struct targets_line, avg_ms)},
    {"response_p99_ms", offsetof(struct targets_line, p99_ms)},
};
/* clang-format on */

#define FIELDS(table) ((struct json_fields){table, ARRAY_LEN(table)})

static json_t *write_line(const struct targets_line *l)
{
    json_t *object = json_object();

    CHECK(object);
    for (size_t i = 0; i < ARRAY_LEN(line_table); i++) {
        const double *value = (const double *)(const void *)((const char *)l + line_table[i].at);
        json_t *list = json_array();

        CHECK(list);
        for (int b = 0; b < RESULT_BATCHES; b++)
            CHECK(json_array_append_new(list, json_figure(value[b])) == 0);
        json_put(object, line_table[i].key, list);
    }
    return object;
}

static json_t *write_row(const struct target_row *row)
{
    json_t *object = json_write_fields(row, FIELDS(row_table));

    json_put(object, "run", ladder_step_write(&row->run));
    json_put(object, "batches", write_line(&row->line));
    return object;
}

static json_t *write_sum(const struct targets *t)
{
    json_t *object = NULL;

    if (t->summed < 1)
        return json_null();
    object = ladder_step_write(&t->sum);
    json_put(object, "batches", write_line(&t->line));
    return object;
}

char *targets_json_write(const struct targets *t)
{
    json_t *root = json_object();
    json_t *rows = json_array();

    CHECK(root);
    CHECK(rows);
    json_put(root, "format", json_text(RESULT_FORMAT));
    json_put(root, "kind", json_text(TARGETS_KIND));
    json_add_fields(root, t, FIELDS(head_table));
    json_put(root, "driver", json_write_fields(&t->driver, FIELDS(driver_table)));
    json_put(root, "sum", write_sum(t));
    for (size_t i = 0; i < t->rows.n; i++)
        CHECK(json_array_append_new(rows, write_row(&t->rows.at[i])) == 0);
    json_put(root, "targets", rows);
    return json_finish(root);
}

/* ---- reading ---- */

/* A list of other than RESULT_BATCHES figures is foreign. */
static int read_figures(const struct json_node *list, double *out, struct err *err)
{
    if (json_expect(list, JSON_ARRAY, err) < 0)
        return -1;
    if (list->value && json_array_size(list->value) != RESULT_BATCHES)
        return json_complain(list, err, "%d figures were expected", RESULT_BATCHES);
    for (size_t b = 0; b < RESULT_BATCHES; b++) {
        const json_t *value = json_array_get(list->value, b);

        if (value && !json_is_null(value) && !json_is_number(value)) {
            const struct json_node node = json_element(list, b);

            return json_wrong_type(&node, "a number", err);
        }
        out[b] = json_is_number(value) ? json_number_value(value) : RESULT_NONE;
    }
    return 0;
}

static int read_line(const struct json_node *of, struct targets_line *l, struct err *err)
{
    const struct json_node node = json_child(of, "batches");

    for (size_t i = 0; i < ARRAY_LEN(line_table); i++) {
        const struct json_node list = json_child(&node, line_table[i].key);

        if (read_figures(&list, (double *)(void *)((char *)l + line_table[i].at), err) < 0)
            return -1;
    }
    return 0;
}

static int read_row(const struct json_node *node, struct target_row *row, struct err *err)
{
    const struct json_node run = json_child(node, "run");

    if (json_expect(node, JSON_OBJECT, err) < 0 ||
        json_read_fields(node, row, FIELDS(row_table), err) < 0 ||
        ladder_step_read(&run, &row->run, err) < 0)
        return -1;
    if (!row->name)
        return json_complain(node, err, "a target without a name");
    return read_line(node, &row->line, err);
}

static int read_rows(const struct json_node *root, struct targets *t, struct err *err)
{
    const struct json_node list = json_child(root, "targets");
    const size_t n = json_array_size(list.value);

    if (json_expect(&list, JSON_ARRAY, err) < 0)
        return -1;
    if (n > TARGETS_MOST)
        return json_complain(&list, err, "more than %d targets", TARGETS_MOST);
    for (size_t i = 0; i < n; i++) {
        const struct json_node node = json_element(&list, i);
        const struct target_row none = {0};

        VEC_PUSH(&t->rows, none); /* the document's from here on */
        if (read_row(&node, &t->rows.at[i], err) < 0)
            return -1;
    }
    return 0;
}

static int read_sum(const struct json_node *root, struct targets *t, struct err *err)
{
    const struct json_node sum = json_child(root, "sum");

    if (json_expect(&sum, JSON_OBJECT, err) < 0)
        return -1;
    if (!sum.value)
        return 0;
    return ladder_step_read(&sum, &t->sum, err) < 0 ? -1 : read_line(&sum, &t->line, err);
}

int targets_json_read(const char *text, struct targets *t, struct err *err)
{
    json_t *document = json_parse(text, err);
    const struct json_node root = {.value = document};
    int rc = -1;

    if (!document)
        return -1;
    const struct json_node driver = json_child(&root, "driver");

    if (json_expect_kind(document, TARGETS_KIND, "not of several targets", err) == 0 &&
        json_read_fields(&root, t, FIELDS(head_table), err) == 0 &&
        json_read_fields(&driver, &t->driver, FIELDS(driver_table), err) == 0 &&
        read_sum(&root, t, err) == 0 && read_rows(&root, t, err) == 0)
        rc = 0;
    json_decref(document);
    return rc;
}

bool targets_dir_is(const char *path)
{
    return result_dir_is_kind(path, TARGETS_KIND);
}

int targets_dir_read(const char *path, struct targets *t, struct err *err)
{
    char *text = result_dir_read_text(path, "result.json", err);
    int rc = -1;

    if (!text)
        return -1;
    rc = targets_json_read(text, t, err);
    if (rc < 0)
        (void)err_wrap(err, "%s/result.json", path);
    free(text);
    return rc;
}
