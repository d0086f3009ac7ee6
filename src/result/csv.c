/*
 * Writing and reading the rows of the CSV files (see the header). The reader trusts nothing: a
 * file may have been cut off or be no CSV at all.
 */
#include "result/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"

#define CELLS_MAX 2000 /* of one row: 64 devices have 640 columns */

static void separate(struct strbuf *out)
{
    if (out->len && out->buf[out->len - 1] != '\n')
        strbuf_addc(out, ',');
}

/* Whether it is the first byte of a control character that a terminal would obey; lines and tabs
 * are a table's matter. */
static bool is_control(const char *c)
{
    const unsigned char first = (unsigned char)c[0];
    const unsigned char second = (unsigned char)c[1];

    if (first == 0xc2)
        return second >= 0x80 && second <= 0x9f;
    return (first < 0x20 && !strchr("\t\r\n", first)) || first == 0x7f;
}

void csv_text(struct strbuf *out, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;

    separate(out);
    if (quoted)
        strbuf_addc(out, '"');
    for (const char *c = text; *c; c++) {
        if (is_control(c)) {
            c += (unsigned char)*c == 0xc2;
            strbuf_addc(out, '?');
            continue;
        }
        if (*c == '"')
            strbuf_addc(out, '"');
        strbuf_addc(out, *c);
    }
    if (quoted)
        strbuf_addc(out, '"');
}

void csv_whole(struct strbuf *out, int64_t value)
{
    separate(out);
    if (value >= 0)
        strbuf_addf(out, "%" PRId64, value);
}

void csv_count(struct strbuf *out, uint64_t value)
{
    separate(out);
    strbuf_addf(out, "%" PRIu64, value);
}

void csv_figure(struct strbuf *out, double value, int digits)
{
    separate(out);
    if (isfinite(value))
        strbuf_addf(out, "%.*g", digits, value);
}

void csv_end(struct strbuf *out)
{
    strbuf_addc(out, '\n');
}

void csv_init(struct csv *c, char *text) /* NOLINT(readability-non-const-parameter) cut up */
{
    *c = (struct csv){.at = text};
}

void csv_release(struct csv *c)
{
    VEC_RELEASE(&c->cells);
}

int csv_complain(const struct csv *c, struct err *err, const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;

    va_start(ap, fmt);
    text = xvasprintf(fmt, ap);
    va_end(ap);
    (void)err_set(err, ERR_SURROUNDINGS, "line %zu: %s", c->line, text);
    free(text);
    return -1;
}

/* Takes the quotes off the cell at *from, which begins with one; returns what stands behind it, or
 * NULL where the closing quote is missing. */
static char *unquote(char *from)
{
    char *to = from;

    for (from++; *from; from++) {
        if (*from == '"' && from[1] == '"')
            from++;
        else if (*from == '"')
            break;
        *to++ = *from;
    }
    if (!*from)
        return NULL;
    *to = 0;
    return from + 1;
}

/* The next row into cells: 1; at the end 0; -1 and err where the file ends within a row. */
static int next_row(struct csv *c, struct err *err)
{
    c->cells.n = 0;
    if (!*c->at)
        return 0;
    c->line++;
    for (;;) {
        char *cell = c->at;
        char *end = *cell == '"' ? unquote(cell) : cell + strcspn(cell, ",\n");
        const char behind = end ? *end : 0;

        if (behind == 0)
            return csv_complain(c, err, "the file was cut off here");
        if (behind != ',' && behind != '\n')
            return csv_complain(c, err, "text behind a closing quote");
        if (c->cells.n == CELLS_MAX)
            return csv_complain(c, err, "more than %d cells", CELLS_MAX);
        *end = 0;
        c->at = end + 1;
        VEC_PUSH(&c->cells, cell);
        if (behind == '\n')
            return 1;
    }
}

int csv_get_whole(const struct csv *c, size_t cell, const char *name, int64_t *out, struct err *err)
{
    const char *text = c->cells.at[cell];
    struct err why = {0};

    *out = -1;
    if (!*text)
        return 0;
    if (units_parse_i64(text, out, &why) < 0)
        return csv_complain(c, err, "%s: %s", name, why.text);
    if (*out < 0)
        return csv_complain(c, err, "%s: %s is negative", name, text);
    return 0;
}

int csv_get_level(const struct csv *c, size_t cell, const char *name, double *out, struct err *err)
{
    const char *text = c->cells.at[cell];
    struct err why = {0};

    *out = (double)NAN;
    if (!*text)
        return 0;
    if (units_parse_double(text, out, &why) < 0)
        return csv_complain(c, err, "%s: %s", name, why.text);
    return 0;
}

int csv_get_figure(const struct csv *c, size_t cell, const char *name, double *out, struct err *err)
{
    if (csv_get_level(c, cell, name, out, err) < 0)
        return -1;
    if (*out < 0)
        return csv_complain(c, err, "%s: %s is negative", name, c->cells.at[cell]);
    return 0;
}

int csv_get_count(const struct csv *c, size_t cell, const char *name, uint64_t *out,
                  struct err *err)
{
    struct err why = {0};

    *out = 0;
    if (units_parse_u64(c->cells.at[cell], out, &why) < 0)
        return csv_complain(c, err, "%s: %s", name, why.text);
    return 0;
}

int csv_expect_header(struct csv *c, const char *const *names, size_t n, struct err *err)
{
    const int got = next_row(c, err);

    if (got < 0)
        return -1;
    if (got == 0)
        return err_set(err, ERR_SURROUNDINGS, "the file is empty");
    for (size_t i = 0; i < n; i++) {
        if (i >= c->cells.n || strcmp(c->cells.at[i], names[i]) != 0)
            return csv_complain(c, err, "column %zu should be \"%s\"", i + 1, names[i]);
    }
    return 0;
}

int csv_next_of(struct csv *c, size_t n, struct err *err)
{
    const int got = next_row(c, err);

    if (got == 1 && c->cells.n != n)
        return csv_complain(c, err, "%zu cells where the header has %zu", c->cells.n, n);
    return got;
}
