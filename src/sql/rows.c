/*
 * Reads the cells of a reply. Every reader looks at the whole cell: what a server answers is
 * foreign, and a cell that is not what was asked for is an error and never a 0.
 */
#include "sql/rows.h"

#include <string.h>

#include "base/xalloc.h"

/* As much of a cell as an error shows. */
#define SHOWN(c) (int)((c)->len < 40 ? (c)->len : 40), (c)->text

static int not_null(const struct cell *c, const char *what, struct err *err)
{
    if (!c->text)
        return err_set(err, ERR_DB, "the server answered NULL where %s was asked for", what);
    return 0;
}

/* Digits from *at on, as long as they last, onto *value; false where it would overflow. */
static bool digits(const struct cell *c, uint32_t *at, uint64_t *value)
{
    for (; *at < c->len && c->text[*at] >= '0' && c->text[*at] <= '9'; (*at)++)
        if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, (uint64_t)(c->text[*at] - '0'), value))
            return false;
    return true;
}

/* -value or value; false where an int64_t can't hold it. */
static bool signed_of(uint64_t value, bool negative, int64_t *out)
{
    if (value > (uint64_t)INT64_MAX + (negative ? 1 : 0))
        return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

int cell_i64(const struct cell *c, int64_t *out, struct err *err)
{
    uint64_t value = 0;
    uint32_t at = 0;
    bool negative = false;
    uint32_t start = 0;

    if (not_null(c, "an integer", err) < 0)
        return -1;
    if (c->len > 0 && (c->text[0] == '-' || c->text[0] == '+')) {
        negative = c->text[0] == '-';
        at = 1;
    }
    start = at;
    if (!digits(c, &at, &value) || at == start || at != c->len || !signed_of(value, negative, out))
        return err_set(err, ERR_DB, "the server answered \"%.*s\" where an integer was asked for",
                       SHOWN(c));
    return 0;
}

/* Up to `places` decimals onto the value, which is scaled by them; further ones must be 0. */
static bool decimals(const struct cell *c, uint32_t *at, int places, uint64_t *value)
{
    for (int i = 0; i < places; i++) {
        uint64_t digit = 0;

        if (*at < c->len && c->text[*at] >= '0' && c->text[*at] <= '9')
            digit = (uint64_t)(c->text[(*at)++] - '0');
        if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, digit, value))
            return false;
    }
    while (*at < c->len && c->text[*at] == '0')
        (*at)++;
    return true;
}

static int decimal(const struct cell *c, int places, int64_t *out, struct err *err)
{
    uint64_t value = 0;
    uint32_t at = 0;
    bool negative = false;
    uint32_t start = 0;

    if (not_null(c, "a number", err) < 0)
        return -1;
    if (c->len > 0 && c->text[0] == '-') {
        negative = true;
        at = 1;
    }
    start = at;
    if (!digits(c, &at, &value) || at == start)
        goto bad;
    if (at < c->len && c->text[at] == '.')
        at++;
    if (!decimals(c, &at, places, &value) || at != c->len || !signed_of(value, negative, out))
        goto bad;
    return 0;
bad:
    return err_set(err, ERR_DB,
                   "the server answered \"%.*s\" where a number with at most %d decimals was "
                   "asked for",
                   SHOWN(c), places);
}

int cell_cents(const struct cell *c, int64_t *out, struct err *err)
{
    return decimal(c, 2, out, err);
}

int cell_rate(const struct cell *c, int64_t *out, struct err *err)
{
    return decimal(c, 4, out, err);
}

static bool cell_is(const struct cell *c, const char *text)
{
    return c->len == strlen(text) && memcmp(c->text, text, c->len) == 0;
}

int cell_bool(const struct cell *c, bool *out, struct err *err)
{
    if (not_null(c, "yes or no", err) < 0)
        return -1;
    *out = cell_is(c, "t") || cell_is(c, "true") || cell_is(c, "1");
    if (!*out && !cell_is(c, "f") && !cell_is(c, "false") && !cell_is(c, "0"))
        return err_set(err, ERR_DB, "the server answered \"%.*s\" where yes or no was asked for",
                       SHOWN(c));
    return 0;
}

char *cell_dup(const struct cell *c)
{
    return c->text ? xstrndup(c->text, c->len) : NULL;
}
