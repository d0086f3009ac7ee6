/*
 * The wire forms of values. The binary numeric is PostgreSQL's own: digits in base 10,000 with the
 * weight of the first, so that cents and rates need one division each and no text. A load spends
 * its driver's time here and in the row makers: no call per value that the compiler can't inline,
 * no allocation.
 */
#include "db/pq_encode.h"

#include <string.h>

#include "base/check.h"
#include "base/clock.h"

#define EPOCH_2000_US INT64_C(946684800000000) /* 2000-01-01 UTC, PostgreSQL's zero */
#define NUMERIC_BASE 10000
#define NUMERIC_NEG 0x4000

enum oid {
    OID_INT8 = 20,
    OID_INT4 = 23,
    OID_TEXT = 25,
    OID_INT4_ARRAY = 1007,
    OID_TIMESTAMP = 1114,
    OID_NUMERIC = 1700
};

uint32_t pq_type_oid(enum value_kind kind)
{
    switch (kind) {
    case VALUE_NULL:
        return 0;
    case VALUE_I32:
        return OID_INT4;
    case VALUE_I64:
        return OID_INT8;
    case VALUE_CENTS:
    case VALUE_RATE:
        return OID_NUMERIC;
    case VALUE_TEXT:
        return OID_TEXT;
    case VALUE_TIME_US:
        return OID_TIMESTAMP;
    case VALUE_I32_ARRAY:
        return OID_INT4_ARRAY;
    }
    UNREACHABLE();
}

size_t pq_size_max(const struct value *v)
{
    switch ((enum value_kind)v->kind) {
    case VALUE_TEXT:
        return 8 + (size_t)v->len * 2;
    case VALUE_I32_ARRAY:
        return 32 + (size_t)v->len * 12;
    case VALUE_NULL:
    case VALUE_I32:
    case VALUE_I64:
    case VALUE_CENTS:
    case VALUE_RATE:
    case VALUE_TIME_US:
        return 48;
    }
    UNREACHABLE();
}

char *pq_put_u16(char *p, uint16_t v)
{
    v = __builtin_bswap16(v);
    memcpy(p, &v, sizeof(v));
    return p + sizeof(v);
}

char *pq_put_u32(char *p, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof(v));
    return p + sizeof(v);
}

char *pq_put_u64(char *p, uint64_t v)
{
    v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof(v));
    return p + sizeof(v);
}

static uint64_t magnitude(int64_t i)
{
    return i < 0 ? UINT64_C(0) - (uint64_t)i : (uint64_t)i;
}

/* Length, number of digits, weight, sign, scale, digits: i / unit with log10(unit) decimals.
 * Leading and trailing zero digits are left out, as the server keeps them. */
static inline char *put_numeric(char *p, int64_t i, uint64_t unit, uint16_t scale)
{
    const uint64_t u = magnitude(i);
    uint64_t whole = u / unit;
    const uint16_t frac = (uint16_t)(u % unit * (NUMERIC_BASE / unit));
    uint16_t digit[6];  /* least first: the fraction, then up to 5 of the whole */
    unsigned first = 0; /* the least one kept */
    unsigned n = 1;

    digit[0] = frac;
    for (; whole; whole /= NUMERIC_BASE)
        digit[n++] = (uint16_t)(whole % NUMERIC_BASE);
    while (first < n && digit[first] == 0)
        first++;
    p = pq_put_u32(p, 8 + 2 * (n - first));
    p = pq_put_u16(p, (uint16_t)(n - first));
    p = pq_put_u16(p, first == n ? 0 : (uint16_t)(n - 2)); /* -1 where only the fraction is there */
    p = pq_put_u16(p, i < 0 ? NUMERIC_NEG : 0);
    p = pq_put_u16(p, scale);
    while (n > first)
        p = pq_put_u16(p, digit[--n]);
    return p;
}

/* One dimension from index 1, no nulls; an empty array has no dimension. */
static char *put_array(char *p, const struct value *v)
{
    const uint32_t dimensions = v->len > 0;

    p = pq_put_u32(p, dimensions ? 20 + 8 * v->len : 12);
    p = pq_put_u32(p, dimensions);
    p = pq_put_u32(p, 0);
    p = pq_put_u32(p, OID_INT4);
    if (!dimensions)
        return p;
    p = pq_put_u32(p, v->len);
    p = pq_put_u32(p, 1);
    for (uint32_t i = 0; i < v->len; i++) {
        p = pq_put_u32(p, 4);
        p = pq_put_u32(p, (uint32_t)v->array[i]);
    }
    return p;
}

char *pq_put_binary(char *p, const struct value *v)
{
    switch ((enum value_kind)v->kind) {
    case VALUE_NULL:
        return pq_put_u32(p, UINT32_MAX);
    case VALUE_I32:
        p = pq_put_u32(p, 4);
        return pq_put_u32(p, (uint32_t)v->i);
    case VALUE_I64:
        p = pq_put_u32(p, 8);
        return pq_put_u64(p, (uint64_t)v->i);
    case VALUE_CENTS:
        return put_numeric(p, v->i, 100, 2);
    case VALUE_RATE:
        return put_numeric(p, v->i, 10000, 4);
    case VALUE_TEXT:
        p = pq_put_u32(p, v->len);
        memcpy(p, v->text, v->len);
        return p + v->len;
    case VALUE_TIME_US:
        p = pq_put_u32(p, 8);
        return pq_put_u64(p, (uint64_t)(v->i - EPOCH_2000_US));
    case VALUE_I32_ARRAY:
        return put_array(p, v);
    }
    UNREACHABLE();
}

static char *put_digits(char *p, uint64_t u, unsigned at_least)
{
    char text[20];
    unsigned n = 0;

    do {
        text[n++] = (char)('0' + u % 10);
        u /= 10;
    } while (u || n < at_least);
    while (n)
        *p++ = text[--n];
    return p;
}

static char *put_integer(char *p, int64_t i)
{
    if (i < 0)
        *p++ = '-';
    return put_digits(p, magnitude(i), 1);
}

static char *put_decimal(char *p, int64_t i, uint64_t unit, unsigned decimals)
{
    if (i < 0)
        *p++ = '-';
    p = put_digits(p, magnitude(i) / unit, 1);
    *p++ = '.';
    return put_digits(p, magnitude(i) % unit, decimals);
}

/* Days since 1970-01-01 to the Gregorian calendar, by eras of 400 years that begin in March. */
static char *put_date(char *p, int64_t days)
{
    const int64_t z = days + 719468; /* since 0000-03-01 */
    const int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    const int64_t doe = z - era * 146097;
    const int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    const int64_t mp = (5 * doy + 2) / 153;
    const int64_t month = mp < 10 ? mp + 3 : mp - 9;
    const int64_t year = yoe + era * 400 + (month <= 2);

    p = put_digits(p, (uint64_t)year, 4);
    *p++ = '-';
    p = put_digits(p, (uint64_t)month, 2);
    *p++ = '-';
    return put_digits(p, (uint64_t)(doy - (153 * mp + 2) / 5 + 1), 2);
}

static char *put_timestamp(char *p, int64_t us)
{
    const int64_t day_us = 86400 * US_PER_S;
    int64_t days = us / day_us;
    int64_t rest = us % day_us;

    if (rest < 0) {
        rest += day_us;
        days--;
    }
    p = put_date(p, days);
    *p++ = ' ';
    p = put_digits(p, (uint64_t)(rest / (3600 * US_PER_S)), 2);
    *p++ = ':';
    p = put_digits(p, (uint64_t)(rest / (60 * US_PER_S) % 60), 2);
    *p++ = ':';
    p = put_digits(p, (uint64_t)(rest / US_PER_S % 60), 2);
    *p++ = '.';
    return put_digits(p, (uint64_t)(rest % US_PER_S), 6);
}

char *pq_put_text(char *p, const struct value *v)
{
    switch ((enum value_kind)v->kind) {
    case VALUE_NULL:
        return p;
    case VALUE_I32:
    case VALUE_I64:
        return put_integer(p, v->i);
    case VALUE_CENTS:
        return put_decimal(p, v->i, 100, 2);
    case VALUE_RATE:
        return put_decimal(p, v->i, 10000, 4);
    case VALUE_TEXT:
        memcpy(p, v->text, v->len);
        return p + v->len;
    case VALUE_TIME_US:
        return put_timestamp(p, v->i);
    case VALUE_I32_ARRAY:
        *p++ = '{';
        for (uint32_t i = 0; i < v->len; i++) {
            if (i)
                *p++ = ',';
            p = put_integer(p, v->array[i]);
        }
        *p++ = '}';
        return p;
    }
    UNREACHABLE();
}

static char *put_escaped(char *p, const char *text, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++) {
        char c = text[i];

        if (c == '\\' || c == '\n' || c == '\r' || c == '\t') {
            *p++ = '\\';
            c = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c;
        }
        *p++ = c;
    }
    return p;
}

char *pq_put_copy_text(char *p, const struct value *v)
{
    if (v->kind == VALUE_TEXT)
        return put_escaped(p, v->text, v->len);
    if (v->kind == VALUE_NULL) {
        *p++ = '\\';
        *p++ = 'N';
        return p;
    }
    return pq_put_text(p, v);
}

size_t pq_row_size_max(const struct table *t)
{
    size_t n = 16;

    for (uint8_t i = 0; i < t->n_columns; i++) {
        const struct value v = {.kind = t->columns[i].kind, .len = t->columns[i].size};

        CHECK(v.kind != VALUE_I32_ARRAY);
        n += pq_size_max(&v);
    }
    return n;
}

char *pq_put_row_text(char *p, const struct value *row, uint8_t n)
{
    for (uint8_t i = 0; i < n; i++) {
        if (i)
            *p++ = '\t';
        p = pq_put_copy_text(p, &row[i]);
    }
    *p++ = '\n';
    return p;
}
