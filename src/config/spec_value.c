/*
 * Values of the option table. Fields are reached through the row's offset; the row's type is the
 * promise of what lies there (tests/unit/config/spec_test.c writes and reads every row). No state:
 * any thread.
 */
#include "config/spec_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "config/dist_text.h"
#include "config/odbcstr.h"
#include "config/suggest.h"
#include "config/utf8.h"

static int list_count(const struct spec *row, const struct settings *s)
{
    return *(const int *)((const char *)s + row->offset_n);
}

static void *field(const struct spec *row, struct settings *s)
{
    return (char *)s + row->offset;
}

static const void *field_const(const struct spec *row, const struct settings *s)
{
    return (const char *)s + row->offset;
}

const char *spec_type_words(const struct spec *row)
{
    switch (row->type) {
    case SPEC_BOOL:
        return row->choices ? "one of" : "true or false";
    case SPEC_COUNT:
    case SPEC_INTEGER:
        return "whole number";
    case SPEC_DECIMAL:
        return "number";
    case SPEC_DURATION:
        return "duration";
    case SPEC_BYTES:
        return "size";
    case SPEC_CHOICE:
        return "one of";
    case SPEC_TIME:
        return "time";
    case SPEC_TEXT:
        return "text";
    case SPEC_PATH:
        return "path";
    case SPEC_LIST:
        return "text, or a list of texts";
    case SPEC_DIST:
        return "distribution";
    }
    UNREACHABLE();
}

/* Parsing of one value, by type. */

static int parse_choice(const struct spec *row, const char *text, int *out, struct err *err)
{
    struct suggest best = suggest_for(text);
    struct strbuf all;

    for (int i = 0; row->choices[i]; i++) {
        if (strcmp(row->choices[i], text) == 0) {
            *out = i;
            return 0;
        }
        suggest_offer(&best, row->choices[i], row->choices[i]);
    }
    strbuf_init(&all);
    for (int i = 0; row->choices[i]; i++)
        strbuf_addf(&all, "%s%s", i ? ", " : "", row->choices[i]);
    err_set(err, ERR_USAGE, "\"%.80s\" is not one of %s (try %s)", text, all.buf,
            best.answer ? best.answer : row->choices[0]);
    strbuf_release(&all);
    return -1;
}

static int parse_bool(const struct spec *row, const char *text, bool *out, struct err *err)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    int choice = 0;

    if (row->choices) {
        if (parse_choice(row, text, &choice, err) < 0)
            return -1;
        *out = choice != 0;
        return 0;
    }
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i % 2 != 0;
            return 0;
        }
    }
    return err_set(err, ERR_USAGE, "\"%.80s\" is neither true nor false (try true)", text);
}

static int parse_time(const char *text, int64_t *out_us, struct err *err)
{
    int64_t us = 0;

    if (clock_parse_utc(text, &us) < 0 || us <= 0)
        return err_set(err, ERR_USAGE, "\"%.80s\" is not a time (try 2026-11-30T13:45:01Z)", text);
    *out_us = us;
    return 0;
}

/* The value of a row as a plain variable, before it is checked and stored. */
union value {
    bool b;
    int choice;
    uint64_t u64;
    int64_t i64;
    double number;
    struct settings_dist_of dist;
};

static int parse_plain(const struct spec *row, const char *text, union value *v, struct err *err)
{
    switch (row->type) {
    case SPEC_BOOL:
        return parse_bool(row, text, &v->b, err);
    case SPEC_COUNT:
        return units_parse_u64(text, &v->u64, err);
    case SPEC_INTEGER:
        return units_parse_i64(text, &v->i64, err);
    case SPEC_DECIMAL:
        return units_parse_double(text, &v->number, err);
    case SPEC_DURATION:
        return units_parse_duration_ns(text, &v->u64, err);
    case SPEC_BYTES:
        return units_parse_bytes(text, &v->u64, err);
    case SPEC_CHOICE:
        return parse_choice(row, text, &v->choice, err);
    case SPEC_TIME:
        return parse_time(text, &v->i64, err);
    case SPEC_DIST:
        return dist_text_parse(text, &v->dist, err);
    case SPEC_TEXT:
    case SPEC_PATH:
    case SPEC_LIST:
        break;
    }
    UNREACHABLE();
}

static uint64_t dist_greatest(const struct settings_dist_of *d)
{
    const uint64_t a = d->mean_ns > d->high_ns ? d->mean_ns : d->high_ns;

    return a > d->sd_ns ? a : d->sd_ns;
}

/* -1, 0 or 1 as a is below, at or above b. */
static int compare(const struct spec *row, const union value *a, const union value *b)
{
    switch (row->type) {
    case SPEC_COUNT:
    case SPEC_DURATION:
    case SPEC_BYTES:
        return (a->u64 > b->u64) - (a->u64 < b->u64);
    case SPEC_INTEGER:
        return (a->i64 > b->i64) - (a->i64 < b->i64);
    case SPEC_DECIMAL:
        return (a->number > b->number) - (a->number < b->number);
    case SPEC_DIST: {
        const uint64_t x = dist_greatest(&a->dist);
        const uint64_t y = dist_greatest(&b->dist);

        return (x > y) - (x < y);
    }
    case SPEC_BOOL:
    case SPEC_CHOICE:
    case SPEC_TIME:
    case SPEC_TEXT:
    case SPEC_PATH:
    case SPEC_LIST:
        break;
    }
    UNREACHABLE();
}

/* A limit of the table; a wrong one is a bug. */
static union value limit_of(const struct spec *row, const char *text)
{
    union value v = {0};
    struct err err = {0};

    CHECK(parse_plain(row, text, &v, &err) == 0);
    return v;
}

static int check_range(const struct spec *row, const char *text, const union value *v,
                       struct err *err)
{
    if (row->min) {
        const union value low = limit_of(row, row->min);

        if (compare(row, v, &low) < 0)
            return err_set(err, ERR_USAGE, "\"%.80s\" is below %s (try %s)", text, row->min,
                           row->min);
    }
    if (row->max) {
        const union value high = limit_of(row, row->max);

        if (compare(row, v, &high) > 0)
            return err_set(err, ERR_USAGE, "\"%.80s\" is above %s (try %s)", text, row->max,
                           row->max);
    }
    return 0;
}

static union value auto_of(const struct spec *row)
{
    union value v = {0};

    switch (row->type) {
    case SPEC_CHOICE:
        v.choice = (int)row->auto_value;
        return v;
    case SPEC_COUNT:
    case SPEC_DURATION:
    case SPEC_BYTES:
        v.u64 = (uint64_t)row->auto_value; /* -1: UINT64_MAX */
        return v;
    case SPEC_INTEGER:
    case SPEC_TIME:
        v.i64 = row->auto_value;
        return v;
    case SPEC_BOOL:
    case SPEC_DECIMAL:
    case SPEC_TEXT:
    case SPEC_PATH:
    case SPEC_LIST:
    case SPEC_DIST:
        break;
    }
    UNREACHABLE();
}

static void store(const struct spec *row, const union value *v, struct settings *s)
{
    void *at = field(row, s);

    switch (row->type) {
    case SPEC_BOOL:
        *(bool *)at = v->b;
        return;
    case SPEC_COUNT:
    case SPEC_DURATION:
    case SPEC_BYTES:
        *(uint64_t *)at = v->u64;
        return;
    case SPEC_INTEGER:
    case SPEC_TIME:
        *(int64_t *)at = v->i64;
        return;
    case SPEC_DECIMAL:
        *(double *)at = v->number;
        return;
    case SPEC_CHOICE:
        *(int *)at = v->choice;
        return;
    case SPEC_DIST:
        *(struct settings_dist_of *)at = v->dist;
        return;
    case SPEC_TEXT:
    case SPEC_PATH:
    case SPEC_LIST:
        break;
    }
    UNREACHABLE();
}

static void load(const struct spec *row, const struct settings *s, union value *v)
{
    const void *at = field_const(row, s);

    switch (row->type) {
    case SPEC_BOOL:
        v->b = *(const bool *)at;
        return;
    case SPEC_COUNT:
    case SPEC_DURATION:
    case SPEC_BYTES:
        v->u64 = *(const uint64_t *)at;
        return;
    case SPEC_INTEGER:
    case SPEC_TIME:
        v->i64 = *(const int64_t *)at;
        return;
    case SPEC_DECIMAL:
        v->number = *(const double *)at;
        return;
    case SPEC_CHOICE:
        v->choice = *(const int *)at;
        return;
    case SPEC_DIST:
        v->dist = *(const struct settings_dist_of *)at;
        return;
    case SPEC_TEXT:
    case SPEC_PATH:
    case SPEC_LIST:
        break;
    }
    UNREACHABLE();
}

static bool is_text(const struct spec *row)
{
    return row->type == SPEC_TEXT || row->type == SPEC_PATH;
}

static int store_item(const struct spec *row, const char *text, struct settings *s, struct err *err)
{
    char **at = field(row, s);
    int *n = NULL;

    if (is_text(row)) {
        free(*at);
        *at = xstrdup(text);
        return 0;
    }
    n = (int *)((char *)s + row->offset_n);
    if (*n == SETTINGS_DEVICES_MAX)
        return err_set(err, ERR_USAGE, "more than %d values", SETTINGS_DEVICES_MAX);
    at[(*n)++] = xstrdup(text);
    return 0;
}

int spec_value_parse(const struct spec *row, const char *text, struct settings *s, struct err *err)
{
    union value v = {0};

    if (!*text)
        return err_set(err, ERR_USAGE, "the value is empty");
    if (!utf8_is_printable(text))
        return err_set(err, ERR_USAGE, "the value has control characters or is not UTF-8");
    if (strlen(text) > SPEC_TEXT_MAX)
        return err_set(err, ERR_USAGE, "the value is longer than %d bytes", SPEC_TEXT_MAX);
    if (is_text(row) || row->type == SPEC_LIST)
        return store_item(row, text, s, err);
    if ((row->flags & SPEC_AUTO) && strcmp(text, "auto") == 0) {
        v = auto_of(row);
    } else if ((row->flags & SPEC_NONE) && strcmp(text, "none") == 0) {
        v.u64 = UINT64_MAX;
    } else {
        if (parse_plain(row, text, &v, err) < 0 || check_range(row, text, &v, err) < 0)
            return -1;
    }
    store(row, &v, s);
    return 0;
}

void spec_value_clear(const struct spec *row, struct settings *s)
{
    char **at = field(row, s);

    if (is_text(row)) {
        free(*at);
        *at = NULL;
    } else if (row->type == SPEC_LIST) {
        int *n = (int *)((char *)s + row->offset_n);

        while (*n > 0) {
            free(at[--(*n)]);
            at[*n] = NULL;
        }
    }
}

/* Formatting, by type. */

static void add_duration(struct strbuf *out, uint64_t ns)
{
    char text[80];

    units_format_duration(ns, text, sizeof(text));
    strbuf_adds(out, text);
}

/* The biggest unit that divides it. */
static void add_bytes(struct strbuf *out, uint64_t bytes)
{
    static const struct {
        const char *name;
        uint64_t factor;
    } units[] = {
        {"GB", UINT64_C(1000000000)}, {"GiB", UINT64_C(1) << 30}, {"MB", UINT64_C(1000000)},
        {"MiB", UINT64_C(1) << 20},   {"kB", UINT64_C(1000)},     {"KiB", UINT64_C(1) << 10},
    };

    for (size_t i = 0; bytes && i < ARRAY_LEN(units); i++) {
        if (bytes % units[i].factor == 0) {
            strbuf_addf(out, "%" PRIu64 "%s", bytes / units[i].factor, units[i].name);
            return;
        }
    }
    strbuf_addf(out, "%" PRIu64, bytes);
}

/* The fewest digits that give the same number again. */
static void add_decimal(struct strbuf *out, double number)
{
    char text[40] = "";
    struct err err = {0};

    for (int digits = 6; digits <= 17; digits++) {
        double again = 0;

        (void)snprintf(text, sizeof(text), "%.*g", digits, number);
        if (units_parse_double(text, &again, &err) == 0 && !(again < number) && !(again > number))
            break;
    }
    strbuf_adds(out, text);
}

static void add_time(struct strbuf *out, int64_t us)
{
    char text[24];

    clock_format_utc(us, text, sizeof(text));
    strbuf_adds(out, text);
}

static void add_plain(const struct spec *row, const union value *v, struct strbuf *out)
{
    switch (row->type) {
    case SPEC_BOOL:
        strbuf_adds(out, row->choices ? row->choices[v->b] : v->b ? "true" : "false");
        return;
    case SPEC_COUNT:
        strbuf_addf(out, "%" PRIu64, v->u64);
        return;
    case SPEC_INTEGER:
        strbuf_addf(out, "%" PRId64, v->i64);
        return;
    case SPEC_DECIMAL:
        add_decimal(out, v->number);
        return;
    case SPEC_DURATION:
        add_duration(out, v->u64);
        return;
    case SPEC_BYTES:
        add_bytes(out, v->u64);
        return;
    case SPEC_CHOICE:
        strbuf_adds(out, row->choices[v->choice]);
        return;
    case SPEC_TIME:
        add_time(out, v->i64);
        return;
    case SPEC_DIST:
        dist_text_format(&v->dist, out);
        return;
    case SPEC_TEXT:
    case SPEC_PATH:
    case SPEC_LIST:
        break;
    }
    UNREACHABLE();
}

size_t spec_value_items(const struct spec *row, const struct settings *s)
{
    const void *at = field_const(row, s);

    if (is_text(row))
        return *(char *const *)at != NULL;
    if (row->type == SPEC_LIST)
        return (size_t)list_count(row, s);
    return 1;
}

const char *spec_value_item(const struct spec *row, const struct settings *s, size_t i)
{
    char *const *at = field_const(row, s);

    CHECK(is_text(row) || row->type == SPEC_LIST);
    CHECK(i < spec_value_items(row, s));
    return at[i];
}

bool spec_value_is_unset(const struct spec *row, const struct settings *s)
{
    return spec_value_items(row, s) == 0;
}

bool spec_value_is_auto(const struct spec *row, const struct settings *s)
{
    union value v = {0};
    union value automatic = {0};

    if (!(row->flags & SPEC_AUTO))
        return row->type == SPEC_CHOICE && strcmp(row->choices[0], "auto") == 0 &&
               *(const int *)field_const(row, s) == 0;
    load(row, s, &v);
    automatic = auto_of(row);
    return row->type == SPEC_CHOICE ? v.choice == automatic.choice : v.u64 == automatic.u64;
}

void spec_value_format(const struct spec *row, const struct settings *s, struct strbuf *out)
{
    union value v = {0};

    if (is_text(row) || row->type == SPEC_LIST) {
        for (size_t i = 0; i < spec_value_items(row, s); i++) {
            char *shown = NULL;

            if (row->flags & SPEC_SECRET)
                shown = config_redact(row, spec_value_item(row, s, i));
            strbuf_addf(out, "%s%s", i ? ", " : "", shown ? shown : spec_value_item(row, s, i));
            free(shown);
        }
        return;
    }
    if (spec_value_is_auto(row, s)) {
        strbuf_adds(out, "auto");
        return;
    }
    load(row, s, &v);
    if ((row->flags & SPEC_NONE) && v.u64 == UINT64_MAX) {
        strbuf_adds(out, "none");
        return;
    }
    add_plain(row, &v, out);
}

void spec_defaults(struct settings *s)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        struct err err = {0};

        if (config_spec[i].def)
            CHECK(spec_value_parse(&config_spec[i], config_spec[i].def, s, &err) == 0);
    }
}

void spec_release(struct settings *s)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++)
        spec_value_clear(&config_spec[i], s);
}
