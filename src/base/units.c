/*
 * Durations, sizes and numbers from text and back. Written digit by digit instead of with strtod,
 * so that "1.5h" is exact, that nothing behind the number is overlooked and that what does not fit
 * is an error and never a wrapped value. No state: any thread.
 */
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"

__extension__ typedef unsigned __int128 u128;

struct unit {
    const char *name;
    uint64_t factor;
};

/* Biggest first: the parts of a duration must go downwards. */
static const struct unit duration_units[] = {
    {"h", 3600 * NS_PER_S}, {"m", 60 * NS_PER_S}, {"s", NS_PER_S},
    {"ms", NS_PER_MS},      {"us", NS_PER_US},    {"ns", 1},
};

static const struct unit size_units[] = {
    {"B", 1},
    {"kB", UINT64_C(1000)},
    {"KB", UINT64_C(1000)},
    {"MB", UINT64_C(1000000)},
    {"GB", UINT64_C(1000000000)},
    {"TB", UINT64_C(1000000000000)},
    {"PB", UINT64_C(1000000000000000)},
    {"KiB", UINT64_C(1) << 10},
    {"MiB", UINT64_C(1) << 20},
    {"GiB", UINT64_C(1) << 30},
    {"TiB", UINT64_C(1) << 40},
    {"PiB", UINT64_C(1) << 50},
};

/* A decimal as written: value = digits / 10^decimals. */
struct decimal {
    uint64_t digits;
    unsigned decimals;
};

enum parsed { PARSED, NOT_A_NUMBER, TOO_BIG, TOO_FINE };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Reads "12" or "12.5" and moves *at behind it. */
static enum parsed read_decimal(const char **at, struct decimal *out)
{
    const char *c = *at;
    bool fraction = false;

    *out = (struct decimal){0};
    if (!is_digit(*c))
        return NOT_A_NUMBER;
    for (; is_digit(*c) || (*c == '.' && !fraction); c++) {
        if (*c == '.') {
            fraction = true;
            if (!is_digit(c[1]))
                return NOT_A_NUMBER;
            continue;
        }
        if (__builtin_mul_overflow(out->digits, 10, &out->digits) ||
            __builtin_add_overflow(out->digits, (uint64_t)(*c - '0'), &out->digits))
            return TOO_BIG;
        out->decimals += fraction;
    }
    *at = c;
    return PARSED;
}

/* value * factor, which must be a whole number that fits. */
static enum parsed scale(const struct decimal *value, uint64_t factor, uint64_t *out)
{
    u128 product = (u128)value->digits * factor;

    for (unsigned i = 0; i < value->decimals; i++) {
        if (product % 10 != 0)
            return TOO_FINE;
        product /= 10;
    }
    if (product > UINT64_MAX)
        return TOO_BIG;
    *out = (uint64_t)product;
    return PARSED;
}

/* The unit at *at, which ends where its letters end; NULL where there is none of that name. */
static const struct unit *read_unit(const char **at, const struct unit *units, size_t n)
{
    size_t len = 0;

    while (is_letter((*at)[len]))
        len++;
    for (size_t i = 0; i < n; i++) {
        if (strlen(units[i].name) == len && memcmp(units[i].name, *at, len) == 0) {
            *at += len;
            return &units[i];
        }
    }
    return NULL;
}

/* One part such as "1h" or "30m"; the units from `first` on are still allowed. */
static enum parsed read_duration_part(const char **at, size_t *first, uint64_t *out_ns)
{
    struct decimal value;
    const struct unit *unit = NULL;
    const enum parsed rc = read_decimal(at, &value);

    if (rc != PARSED)
        return rc;
    unit = read_unit(at, duration_units + *first, ARRAY_LEN(duration_units) - *first);
    if (!unit)
        return NOT_A_NUMBER;
    if (value.decimals > 0 && **at)
        return NOT_A_NUMBER; /* "1.5h30m": only the last part may have decimals */
    *first = (size_t)(unit - duration_units) + 1;
    return scale(&value, unit->factor, out_ns);
}

static enum parsed read_duration(const char *text, uint64_t *out_ns)
{
    const char *at = text;
    struct decimal value;
    uint64_t sum_ns = 0;
    size_t first = 0;
    enum parsed rc = read_decimal(&at, &value);

    if (rc == PARSED && !*at)
        return scale(&value, NS_PER_S, out_ns);
    at = text;
    do {
        uint64_t part_ns = 0;

        rc = read_duration_part(&at, &first, &part_ns);
        if (rc != PARSED)
            return rc;
        if (__builtin_add_overflow(sum_ns, part_ns, &sum_ns))
            return TOO_BIG;
    } while (*at);
    *out_ns = sum_ns;
    return PARSED;
}

static int refuse(struct err *err, const char *text, const char *what)
{
    return err_set(err, ERR_USAGE, "\"%.80s\" is %s", text, what);
}

int units_parse_duration_ns(const char *text, uint64_t *out_ns, struct err *err)
{
    uint64_t ns = 0;

    switch (read_duration(text, &ns)) {
    case PARSED:
        *out_ns = ns;
        return 0;
    case NOT_A_NUMBER:
        return refuse(err, text, "not a duration (try 5m)");
    case TOO_BIG:
        return refuse(err, text, "too long (at most 584 years)");
    case TOO_FINE:
        return refuse(err, text, "finer than 1 ns (try 250us)");
    }
    UNREACHABLE();
}

static enum parsed read_bytes(const char *text, uint64_t *out_bytes)
{
    const char *at = text;
    struct decimal value;
    const struct unit *unit = NULL;
    const enum parsed rc = read_decimal(&at, &value);

    if (rc != PARSED)
        return rc;
    if (!*at)
        return scale(&value, 1, out_bytes);
    unit = read_unit(&at, size_units, ARRAY_LEN(size_units));
    if (!unit || *at)
        return NOT_A_NUMBER;
    return scale(&value, unit->factor, out_bytes);
}

int units_parse_bytes(const char *text, uint64_t *out_bytes, struct err *err)
{
    uint64_t bytes = 0;

    switch (read_bytes(text, &bytes)) {
    case PARSED:
        *out_bytes = bytes;
        return 0;
    case NOT_A_NUMBER:
        return refuse(err, text, "not a size (try 48GB or 512MiB)");
    case TOO_BIG:
        return refuse(err, text, "too big (at most 18 EB)");
    case TOO_FINE:
        return refuse(err, text, "not a whole number of bytes (try 48GB)");
    }
    UNREACHABLE();
}

int units_parse_u64(const char *text, uint64_t *out, struct err *err)
{
    char *end = NULL;
    unsigned long long value = 0;

    if (!is_digit(text[0]))
        return refuse(err, text, "not a whole number (try 100)");
    errno = 0;
    value = strtoull(text, &end, 10);
    if (*end)
        return refuse(err, text, "not a whole number (try 100)");
    if (errno == ERANGE)
        return refuse(err, text, "too big (at most 18446744073709551615)");
    *out = value;
    return 0;
}

int units_parse_i64(const char *text, int64_t *out, struct err *err)
{
    char *end = NULL;
    long long value = 0;

    if (!is_digit(text[0] == '-' ? text[1] : text[0]))
        return refuse(err, text, "not a whole number (try 100)");
    errno = 0;
    value = strtoll(text, &end, 10);
    if (*end)
        return refuse(err, text, "not a whole number (try 100)");
    if (errno == ERANGE)
        return refuse(err, text, "out of range (9223372036854775807 at most)");
    *out = value;
    return 0;
}

static size_t digits_at(const char *c)
{
    size_t n = 0;

    while (is_digit(c[n]))
        n++;
    return n;
}

/* [-] digits [. digits] [e [+-] digits], and nothing else: no "inf", "nan", hex or blanks. */
static bool is_decimal(const char *text)
{
    const char *c = text;
    size_t n = 0;

    if (*c == '-')
        c++;
    n = digits_at(c);
    if (n == 0)
        return false;
    c += n;
    if (*c == '.') {
        n = digits_at(++c);
        if (n == 0)
            return false;
        c += n;
    }
    if (*c == 'e' || *c == 'E') {
        c++;
        if (*c == '-' || *c == '+')
            c++;
        n = digits_at(c);
        if (n == 0)
            return false;
        c += n;
    }
    return *c == 0;
}

int units_parse_double(const char *text, double *out, struct err *err)
{
    char *end = NULL;
    double value = 0;

    if (!is_decimal(text))
        return refuse(err, text, "not a number (try 0.5)");
    value = strtod(text, &end);
    if (*end)
        return refuse(err, text, "not a number (try 0.5)");
    if (!isfinite(value))
        return refuse(err, text, "too big a number");
    *out = value;
    return 0;
}

static void put(char *buf, size_t size, const char *text)
{
    CHECK(strlen(text) < size);
    (void)snprintf(buf, size, "%s", text);
}

/* ns below one minute as one decimal with the biggest unit that gives a whole part. */
static void format_part(uint64_t ns, char *buf, size_t size)
{
    size_t i = 2; /* "s" */
    int decimals = 9;
    uint64_t factor = 0;
    size_t n = 0;

    for (; duration_units[i].factor > ns && i + 1 < ARRAY_LEN(duration_units); i++)
        decimals -= 3;
    factor = duration_units[i].factor;
    if (ns % factor == 0) {
        (void)snprintf(buf, size, "%" PRIu64 "%s", ns / factor, duration_units[i].name);
        return;
    }
    (void)snprintf(buf, size, "%" PRIu64 ".%0*" PRIu64, ns / factor, decimals, ns % factor);
    n = strlen(buf);
    while (buf[n - 1] == '0')
        n--;
    (void)snprintf(buf + n, size - n, "%s", duration_units[i].name);
}

void units_format_duration(uint64_t ns, char *buf, size_t size)
{
    const uint64_t minute_ns = 60 * NS_PER_S;
    const uint64_t minutes = ns / minute_ns;
    char hours_text[24] = "";
    char minutes_text[24] = "";
    char part[32] = "";
    char text[80];

    if (minutes >= 60)
        (void)snprintf(hours_text, sizeof(hours_text), "%" PRIu64 "h", minutes / 60);
    if (minutes % 60 != 0)
        (void)snprintf(minutes_text, sizeof(minutes_text), "%" PRIu64 "m", minutes % 60);
    if (ns % minute_ns != 0)
        format_part(ns % minute_ns, part, sizeof(part));
    else if (ns == 0)
        put(part, sizeof(part), "0s");
    (void)snprintf(text, sizeof(text), "%s%s%s", hours_text, minutes_text, part);
    put(buf, size, text);
}

/* A value with three figures, without zeros behind the point. */
static void format_figures(double value, const char *unit, char *text, size_t size)
{
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    size_t n = 0;

    (void)snprintf(text, size, "%.*f", decimals, value);
    n = strlen(text);
    while (decimals > 0 && text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    (void)snprintf(text + n, size - n, " %s", unit);
}

void units_format_duration_short(uint64_t ns, char *buf, size_t size)
{
    const uint64_t s = ns / NS_PER_S + (ns % NS_PER_S >= NS_PER_S / 2);
    char text[48];

    if (s >= 3600) {
        const uint64_t minutes = (s + 30) / 60;

        (void)snprintf(text, sizeof(text), "%" PRIu64 "h %02" PRIu64 "m", minutes / 60,
                       minutes % 60);
    } else if (s >= 60) {
        (void)snprintf(text, sizeof(text), "%" PRIu64 "m %02" PRIu64 "s", s / 60, s % 60);
    } else if (ns >= 10 * NS_PER_S || ns == 0) {
        (void)snprintf(text, sizeof(text), "%" PRIu64 " s", s);
    } else {
        size_t i = 2;

        while (duration_units[i].factor > ns)
            i++;
        format_figures((double)ns / (double)duration_units[i].factor, duration_units[i].name, text,
                       sizeof(text));
    }
    put(buf, size, text);
}

void units_format_bytes(uint64_t bytes, char *buf, size_t size)
{
    static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t i = 0;
    char text[48];

    while (value >= 999.5 && i + 1 < ARRAY_LEN(names)) {
        value /= 1000;
        i++;
    }
    format_figures(value, names[i], text, sizeof(text));
    put(buf, size, text);
}

void units_format_count(uint64_t n, char *buf, size_t size)
{
    char digits[24];
    char text[32];
    size_t len = 0;
    size_t out = 0;

    (void)snprintf(digits, sizeof(digits), "%" PRIu64, n);
    len = strlen(digits);
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            text[out++] = ',';
        text[out++] = digits[i];
    }
    text[out] = 0;
    put(buf, size, text);
}
