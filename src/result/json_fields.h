/*
 * Plain structs to JSON objects and back by a table: one row a member, so that what is written is
 * what is read. "None" (NaN, -1, NULL) is null; a key that is missing or null reads as "none".
 */
#ifndef RESULT_JSON_FIELDS_H
#define RESULT_JSON_FIELDS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum json_kind {
    JSON_TEXT,   /* char *, owned by the struct */
    JSON_FIGURE, /* double, NaN: none; never a negative number, as a JSON_WHOLE */
    JSON_LEVEL,  /* double, any; NaN: none: temperatures, differences, times from GO */
    JSON_WHOLE,  /* int64_t, -1: none; never another negative number */
    JSON_SIGNED, /* int64_t, any; 0 where missing */
    JSON_COUNT,  /* uint64_t; 0 where missing; above 2^63 a text of digits, since JSON can't */
    JSON_YES,    /* bool; false where missing */
    JSON_MAYBE,  /* int: 1, 0, -1: none */
};

struct json_field {
    const char *key;
    enum json_kind kind;
    size_t at;
};

struct json_fields {
    const struct json_field *at;
    size_t n;
};

/* A value of a document that is read, with the way to it for messages: "drive.devices[2].name". */
struct json_node {
    const struct json_node *up; /* NULL: the document */
    const char *key;            /* NULL: the document, or an element of a list */
    size_t index;
    json_t *value; /* only read; NULL: missing, or null */
};

/* A document of a file, json_decref() it; NULL and "line 3 column 7: ..." where it is none. */
json_t *json_parse(const char *text, struct err *err);
/* The document as a file holds it; free() it. Takes root over. */
char *json_finish(json_t *root);

/* Takes value over; a key or a text that is not UTF-8 is made so. */
void json_put(json_t *object, const char *key, json_t *value);
json_t *json_text(const char *text); /* NULL: null */
json_t *json_figure(double value);   /* NaN, or beyond what can be read again: null */

/* A new object, or the members added to an object that is there. */
json_t *json_write_fields(const void *from, struct json_fields fields);
void json_add_fields(json_t *object, const void *from, struct json_fields fields);

/* What stands under key; a value of no object has nothing under it. */
struct json_node json_child(const struct json_node *node, const char *key);
struct json_node json_element(const struct json_node *list, size_t index);

/* The node's members; where it has no value all are "none". -1 where it is no object or a member's
 * type is wrong. Texts that the struct held are freed. */
int json_read_fields(const struct json_node *node, void *to, struct json_fields fields,
                     struct err *err) MUST_CHECK;
/* -1 where there is a value of another type; JSON_OBJECT, JSON_ARRAY and JSON_STRING only. */
int json_expect(const struct json_node *node, json_type type, struct err *err) MUST_CHECK;
/* A copy of the node's text, NULL where it has no value. */
int json_read_text(const struct json_node *node, char **out, struct err *err) MUST_CHECK;
int json_read_whole(const struct json_node *node, int64_t *out, struct err *err) MUST_CHECK;
/* "sample.tps: a number was expected, not a text". Returns -1. */
int json_wrong_type(const struct json_node *node, const char *want, struct err *err);
/* "sample.tps: <text>". Returns -1. */
int json_complain(const struct json_node *node, struct err *err, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* A document of our format and that kind; `otherwise` says what one of another kind is. */
int json_expect_kind(const json_t *root, const char *kind, const char *otherwise,
                     struct err *err) MUST_CHECK;

#endif
