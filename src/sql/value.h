/*
 * One value that goes to a database, and one cell that comes back. Money is integer cents, rates
 * (taxes, discounts) are integer ten-thousandths, times are microseconds since 1970-01-01 UTC.
 */
#ifndef SQL_VALUE_H
#define SQL_VALUE_H

#include <stddef.h>
#include <stdint.h>

enum value_kind {
    VALUE_NULL,
    VALUE_I32,
    VALUE_I64,
    VALUE_CENTS,     /* numeric with 2 decimals; i = cents */
    VALUE_RATE,      /* numeric(4,4); i = ten-thousandths */
    VALUE_TEXT,      /* text, len bytes, not 0-terminated */
    VALUE_TIME_US,   /* timestamp without zone, UTC */
    VALUE_I32_ARRAY, /* len elements; the dialect names how it travels */
};

struct value {
    uint8_t kind; /* enum value_kind */
    uint32_t len; /* bytes of text, elements of an array */
    union {
        int64_t i;
        const char *text;     /* borrowed: lives as long as the batch or row */
        const int32_t *array; /* borrowed */
    };
};

static inline struct value value_null(void)
{
    return (struct value){.kind = VALUE_NULL};
}

static inline struct value value_int(enum value_kind kind, int64_t i)
{
    return (struct value){.kind = (uint8_t)kind, .i = i};
}

static inline struct value value_text(const char *text, size_t len)
{
    return (struct value){.kind = VALUE_TEXT, .len = (uint32_t)len, .text = text};
}

static inline struct value value_array(const int32_t *array, size_t n)
{
    return (struct value){.kind = VALUE_I32_ARRAY, .len = (uint32_t)n, .array = array};
}

#endif
