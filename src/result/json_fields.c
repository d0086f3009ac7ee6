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

static void add_place(const struct json_place *place, struct strbuf *out)
{
    if (!place)
        return;
    add_place(place->up, out);
    if (!place->key)
        strbuf_addf(out, "[%zu]", place->index);
    else
        strbuf_addf(out, "%s%s", out->len ? "." : "", place->key);
}

int json_complain(const struct json_place *place, struct err *err, const char *fmt, ...)
{
    struct strbuf text;
    va_list ap;

    strbuf_init(&text);
    add_place(place, &text);
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

int json_wrong_type(const struct json_place *place, const char *want, const json_t *got,
                    struct err *err)
{
    return json_complain(place, err, "%s was expected, not %s", want, type_name(got));
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

int json_member(const json_t *object, const char *key, json_type type,
                const struct json_place *place, json_t **out, struct err *err)
{
    const struct json_place here = {.up = place, .key = key};
    json_t *value = json_object_get(object, key);

    *out = NULL;
    if (!value || json_is_null(value))
        return 0;
    if (json_typeof(value) != type)
        return json_wrong_type(&here, wanted_name(type), value, err);
    *out = value;
    return 0;
}

static int read_whole(const json_t *value, int64_t *out, const struct json_place *place,
                      struct err *err)
{
    *out = -1;
    if (!value)
        return 0;
    if (!json_is_integer(value))
        return json_wrong_type(place, "a whole number", value, err);
    if (json_integer_value(value) < 0)
        return json_complain(place, err, "%lld is negative", json_integer_value(value));
    *out = json_integer_value(value);
    return 0;
}

static int read_count(const json_t *value, uint64_t *out, const struct json_place *place,
                      struct err *err)
{
    int64_t whole = 0;

    *out = 0;
    if (!value)
        return 0;
    if (json_is_string(value)) {
        if (units_parse_u64(json_string_value(value), out, NULL) < 0)
            return json_complain(place, err, "a whole number was expected, not this text");
        return 0;
    }
    if (read_whole(value, &whole, place, err) < 0)
        return -1;
    *out = (uint64_t)whole;
    return 0;
}

static int read_text(const json_t *value, char **out, const struct json_place *place,
                     struct err *err)
{
    if (value && !json_is_string(value))
        return json_wrong_type(place, "a text", value, err);
    free(*out);
    *out = value ? xstrdup(json_string_value(value)) : NULL;
    return 0;
}

static int read_figure(const json_t *value, double *out, const struct json_place *place,
                       struct err *err)
{
    *out = (double)NAN;
    if (!value)
        return 0;
    if (!json_is_number(value))
        return json_wrong_type(place, "a number", value, err);
    if (fabs(json_number_value(value)) > FIGURE_MAX)
        return json_complain(place, err, "too big a number");
    *out = json_number_value(value);
    return 0;
}

static int read_signed(const json_t *value, int64_t *out, const struct json_place *place,
                       struct err *err)
{
    *out = 0;
    if (!value)
        return 0;
    if (!json_is_integer(value))
        return json_wrong_type(place, "a whole number", value, err);
    *out = json_integer_value(value);
    return 0;
}

static int read_maybe(const json_t *value, int *out, const struct json_place *place,
                      struct err *err)
{
    *out = -1;
    if (!value)
        return 0;
    if (!json_is_boolean(value))
        return json_wrong_type(place, "true or false", value, err);
    *out = json_is_true(value) ? 1 : 0;
    return 0;
}

static int read_field(const json_t *value, void *at, enum json_kind kind,
                      const struct json_place *place, struct err *err)
{
    int maybe = -1;

    if (value && json_is_null(value))
        value = NULL;
    switch (kind) {
    case JSON_TEXT:
        return read_text(value, at, place, err);
    case JSON_FIGURE:
        return read_figure(value, at, place, err);
    case JSON_WHOLE:
        return read_whole(value, at, place, err);
    case JSON_SIGNED:
        return read_signed(value, at, place, err);
    case JSON_COUNT:
        return read_count(value, at, place, err);
    case JSON_YES:
        if (read_maybe(value, &maybe, place, err) < 0)
            return -1;
        *(bool *)at = maybe == 1;
        return 0;
    case JSON_MAYBE:
        return read_maybe(value, at, place, err);
    }
    UNREACHABLE();
}

int json_read_fields(const json_t *object, void *to, struct json_fields fields,
                     const struct json_place *place, struct err *err)
{
    if (object && json_is_null(object))
        object = NULL;
    if (object && !json_is_object(object))
        return json_wrong_type(place, "an object", object, err);
    for (size_t i = 0; i < fields.n; i++) {
        const struct json_field *f = &fields.at[i];
        const struct json_place here = {.up = place, .key = f->key};
        const json_t *value = object ? json_object_get(object, f->key) : NULL;

        if (read_field(value, (char *)to + f->at, f->kind, &here, err) < 0)
            return -1;
    }
    return 0;
}
