/*
 * Tables of members between structs and jansson's objects (see the header). No state; any thread,
 * each with its own objects.
 */
#include "result/json_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "result/result.h"

/* With 15 digits the biggest doubles would be rounded to one that can't be read. */
#define FIGURE_MAX 1e300

/* A copy in which every byte that is not ASCII is "?": for text that is not UTF-8. */
static char *ascii_of(const char *text)
{
    char *copy = xstrdup(text);

    for (char *c = copy; *c; c++) {
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    }
    return copy;
}

static json_t *must(json_t *value)
{
    CHECK(value); /* jansson has no other failure here than memory */
    return value;
}

json_t *json_text(const char *text)
{
    json_t *value = NULL;
    char *copy = NULL;

    if (!text)
        return must(json_null());
    value = json_string(text);
    if (value)
        return value;
    copy = ascii_of(text);
    value = must(json_string(copy));
    free(copy);
    return value;
}

json_t *json_figure(double value)
{
    return must(fabs(value) <= FIGURE_MAX ? json_real(value) : json_null());
}

void json_put(json_t *object, const char *key, json_t *value)
{
    char *copy = NULL;

    if (json_object_set(object, key, value) < 0) {
        copy = ascii_of(key);
        CHECK(json_object_set(object, copy, value) == 0);
        free(copy);
    }
    json_decref(value);
}

json_t *json_parse(const char *text, struct err *err)
{
    json_error_t where;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &where);

    if (!root)
        (void)err_set(err, ERR_SURROUNDINGS, "line %d column %d: %s", where.line, where.column,
                      where.text);
    return root;
}

char *json_finish(json_t *root)
{
    char *dumped = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    char *text = NULL;

    CHECK(dumped);
    text = xasprintf("%s\n", dumped);
    free(dumped);
    json_decref(root);
    return text;
}

static json_t *count_to_json(uint64_t count)
{
    char digits[24];

    if (count <= INT64_MAX)
        return must(json_integer((json_int_t)count));
    (void)snprintf(digits, sizeof(digits), "%" PRIu64, count);
    return must(json_string(digits));
}

static json_t *field_to_json(const void *at, enum json_kind kind)
{
    switch (kind) {
    case JSON_TEXT:
        return json_text(*(char *const *)at);
    case JSON_FIGURE:
    case JSON_LEVEL:
        return json_figure(*(const double *)at);
    case JSON_WHOLE: {
        const int64_t value = *(const int64_t *)at;

        return must(value < 0 ? json_null() : json_integer(value));
    }
    case JSON_SIGNED:
        return must(json_integer(*(const int64_t *)at));
    case JSON_COUNT:
        return count_to_json(*(const uint64_t *)at);
    case JSON_YES:
        return must(json_boolean(*(const bool *)at));
    case JSON_MAYBE: {
        const int value = *(const int *)at;

        return must(value < 0 ? json_null() : json_boolean(value));
    }
    }
    UNREACHABLE();
}

void json_add_fields(json_t *object, const void *from, struct json_fields fields)
{
    for (size_t i = 0; i < fields.n; i++) {
        const struct json_field *f = &fields.at[i];

        json_put(object, f->key, field_to_json((const char *)from + f->at, f->kind));
    }
}

json_t *json_write_fields(const void *from, struct json_fields fields)
{
    json_t *object = must(json_object());

    json_add_fields(object, from, fields);
    return object;
}

struct json_node json_child(const struct json_node *node, const char *key)
{
    json_t *value = json_object_get(node->value, key);

    return (struct json_node){.up = node, .key = key, .value = json_is_null(value) ? NULL : value};
}

struct json_node json_element(const struct json_node *list, size_t index)
{
    json_t *value = json_array_get(list->value, index);

    return (struct json_node){
        .up = list, .index = index, .value = json_is_null(value) ? NULL : value};
}

/* As many levels as the document has: seven. */
static void add_place(const struct json_node *node, struct strbuf *out)
{
    if (!node->up)
        return;
    add_place(node->up, out);
    if (!node->key)
        strbuf_addf(out, "[%zu]", node->index);
    else
        strbuf_addf(out, "%s%s", out->len ? "." : "", node->key);
}

int json_complain(const struct json_node *node, struct err *err, const char *fmt, ...)
{
    struct strbuf text;
    va_list ap;

    strbuf_init(&text);
    add_place(node, &text);
    if (text.len)
        strbuf_adds(&text, ": ");
    va_start(ap, fmt);
    strbuf_vaddf(&text, fmt, ap);
    va_end(ap);
    (void)err_set(err, ERR_SURROUNDINGS, "%s", text.buf);
    strbuf_release(&text);
    return -1;
}

static const char *type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_REAL:
        return "a number with decimals";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    }
    UNREACHABLE();
}

int json_wrong_type(const struct json_node *node, const char *want, struct err *err)
{
    return json_complain(node, err, "%s was expected, not %s", want, type_name(node->value));
}

static const char *wanted_name(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        break;
    }
    UNREACHABLE();
}

int json_expect(const struct json_node *node, json_type type, struct err *err)
{
    if (node->value && json_typeof(node->value) != type)
        return json_wrong_type(node, wanted_name(type), err);
    return 0;
}

int json_read_text(const struct json_node *node, char **out, struct err *err)
{
    if (json_expect(node, JSON_STRING, err) < 0)
        return -1;
    free(*out);
    *out = node->value ? xstrdup(json_string_value(node->value)) : NULL;
    return 0;
}

int json_read_whole(const struct json_node *node, int64_t *out, struct err *err)
{
    *out = -1;
    if (!node->value)
        return 0;
    if (!json_is_integer(node->value))
        return json_wrong_type(node, "a whole number", err);
    if (json_integer_value(node->value) < 0)
        return json_complain(node, err, "%lld is negative", json_integer_value(node->value));
    *out = json_integer_value(node->value);
    return 0;
}

static int read_count(const struct json_node *node, uint64_t *out, struct err *err)
{
    int64_t whole = 0;

    *out = 0;
    if (!node->value)
        return 0;
    if (json_is_string(node->value)) {
        if (units_parse_u64(json_string_value(node->value), out, NULL) < 0)
            return json_complain(node, err, "a whole number was expected, not this text");
        return 0;
    }
    if (json_read_whole(node, &whole, err) < 0)
        return -1;
    *out = (uint64_t)whole;
    return 0;
}

static int read_level(const struct json_node *node, double *out, struct err *err)
{
    *out = (double)NAN;
    if (!node->value)
        return 0;
    if (!json_is_number(node->value))
        return json_wrong_type(node, "a number", err);
    if (fabs(json_number_value(node->value)) > FIGURE_MAX)
        return json_complain(node, err, "too big a number");
    *out = json_number_value(node->value);
    return 0;
}

static int read_figure(const struct json_node *node, double *out, struct err *err)
{
    if (read_level(node, out, err) < 0)
        return -1;
    if (*out < 0)
        return json_complain(node, err, "%g is negative", *out);
    return 0;
}

static int read_signed(const struct json_node *node, int64_t *out, struct err *err)
{
    *out = 0;
    if (!node->value)
        return 0;
    if (!json_is_integer(node->value))
        return json_wrong_type(node, "a whole number", err);
    *out = json_integer_value(node->value);
    return 0;
}

static int read_maybe(const struct json_node *node, int *out, struct err *err)
{
    *out = -1;
    if (!node->value)
        return 0;
    if (!json_is_boolean(node->value))
        return json_wrong_type(node, "true or false", err);
    *out = json_is_true(node->value) ? 1 : 0;
    return 0;
}

static int read_field(const struct json_node *node, void *at, enum json_kind kind, struct err *err)
{
    int maybe = -1;

    switch (kind) {
    case JSON_TEXT:
        return json_read_text(node, at, err);
    case JSON_FIGURE:
        return read_figure(node, at, err);
    case JSON_LEVEL:
        return read_level(node, at, err);
    case JSON_WHOLE:
        return json_read_whole(node, at, err);
    case JSON_SIGNED:
        return read_signed(node, at, err);
    case JSON_COUNT:
        return read_count(node, at, err);
    case JSON_YES:
        if (read_maybe(node, &maybe, err) < 0)
            return -1;
        *(bool *)at = maybe == 1;
        return 0;
    case JSON_MAYBE:
        return read_maybe(node, at, err);
    }
    UNREACHABLE();
}

int json_read_fields(const struct json_node *node, void *to, struct json_fields fields,
                     struct err *err)
{
    if (json_expect(node, JSON_OBJECT, err) < 0)
        return -1;
    for (size_t i = 0; i < fields.n; i++) {
        const struct json_field *f = &fields.at[i];
        const struct json_node member = json_child(node, f->key);

        if (read_field(&member, (char *)to + f->at, f->kind, err) < 0)
            return -1;
    }
    return 0;
}

int json_expect_kind(const json_t *root, const char *kind, const char *otherwise, struct err *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *is = json_string_value(json_object_get(root, "kind"));

    if (!format || strcmp(format, RESULT_FORMAT) != 0)
        return err_set(err, ERR_SURROUNDINGS, "format \"%.40s\" is not known here, only \"%s\"",
                       format ? format : "", RESULT_FORMAT);
    if (!is || strcmp(is, kind) != 0)
        return err_set(err, ERR_USAGE, "%s", otherwise);
    return 0;
}
