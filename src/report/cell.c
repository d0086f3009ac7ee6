/*
 * How the text report and the live view write one figure or one text (see the header). No state.
 */
#include "report/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "config/utf8.h"

#define NS_PER_S_D 1e9
#define SECONDS_MAX 1e9

struct cell cell_fixed(double value, int decimals)
{
    struct cell c = {"-"};

    if (isfinite(value))
        (void)snprintf(c.text, sizeof(c.text), fabs(value) < 1e15 ? "%.*f" : "%.*e", decimals,
                       value);
    return c;
}

struct cell cell_figure(double value)
{
    const double size = fabs(value);

    return cell_fixed(value, size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 999.95 ? 1 : 0);
}

struct cell cell_count(int64_t n)
{
    struct cell c = {"-"};

    if (n >= 0)
        units_format_count((uint64_t)n, c.text, sizeof(c.text));
    return c;
}

struct cell cell_short_count(int64_t n)
{
    struct cell c = cell_count(n);

    if (n >= 10000000)
        (void)snprintf(c.text, sizeof(c.text), "%.1fM", (double)n / 1e6);
    return c;
}

struct cell cell_bytes(int64_t bytes)
{
    struct cell c = {"-"};

    if (bytes >= 0)
        units_format_bytes((uint64_t)bytes, c.text, sizeof(c.text));
    return c;
}

struct cell cell_duration(double seconds)
{
    struct cell c = {"-"};

    if (seconds >= 0 && seconds < SECONDS_MAX)
        units_format_duration_short((uint64_t)(seconds * NS_PER_S_D), c.text, sizeof(c.text));
    return c;
}

struct cell cell_moment(double seconds)
{
    struct cell c = {"-"};

    if (seconds >= 0 && seconds < SECONDS_MAX) {
        const long s = lround(seconds);

        (void)snprintf(c.text, sizeof(c.text), "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    }
    return c;
}

static char clean_byte(char c, bool ascii_only)
{
    const unsigned char u = (unsigned char)c;

    if (c == '\n' || c == '\t' || c == '\r')
        return ' ';
    if (u < 0x20 || u == 0x7f || (ascii_only && u >= 0x80))
        return '?';
    return c;
}

void cell_clean(struct strbuf *out, const char *text)
{
    const bool ascii_only = text && !utf8_is_printable(text);

    if (!text) {
        strbuf_addc(out, '-');
        return;
    }
    for (; *text; text++)
        strbuf_addc(out, clean_byte(*text, ascii_only));
}

int cell_width(const char *text)
{
    return utf8_width(text);
}

static void add_blanks(struct strbuf *out, int n)
{
    for (; n > 0; n--)
        strbuf_addc(out, ' ');
}

void cell_clip(struct strbuf *out, const char *text, int columns, int pad)
{
    const size_t start = out->len;
    struct strbuf clean;
    bool fits = true;

    strbuf_init(&clean);
    cell_clean(&clean, text);
    fits = cell_width(clean.buf) <= columns;
    strbuf_add(out, clean.buf, fits ? clean.len : utf8_fitting(clean.buf, columns - 3));
    if (!fits)
        strbuf_adds(out, "...");
    if (pad) /* also where half a wide character was left out */
        add_blanks(out, columns - cell_width(out->buf + start));
    strbuf_release(&clean);
}

/* Where the longest end of the text begins that takes at most `columns`. */
static const char *end_within(const char *text, int columns)
{
    while (*text && cell_width(text) > columns)
        text += utf8_fitting(text, 1) ? utf8_fitting(text, 1) : utf8_fitting(text, 2);
    return text;
}

void cell_clip_middle(struct strbuf *out, const char *text, int columns, int pad)
{
    const int ends = columns - 3;
    struct strbuf clean;
    struct strbuf clipped;

    strbuf_init(&clean);
    strbuf_init(&clipped);
    cell_clean(&clean, text);
    if (cell_width(clean.buf) > columns && ends >= 2) {
        strbuf_add(&clipped, clean.buf, utf8_fitting(clean.buf, ends - ends / 2));
        strbuf_adds(&clipped, "...");
        strbuf_adds(&clipped, end_within(clean.buf, ends / 2));
    }
    cell_clip(out, clipped.len > 0 ? clipped.buf : clean.buf, columns, pad);
    strbuf_release(&clipped);
    strbuf_release(&clean);
}

/* The bytes of the longest run of whole words that fits; a word that fits no line is cut. */
static size_t line_len(const char *text, int columns)
{
    const size_t most = utf8_fitting(text, columns);
    size_t n = most;

    if (!text[most])
        return most;
    while (n > 0 && text[n] != ' ')
        n--;
    return n > 0 ? n : most;
}

void cell_paragraph(struct strbuf *out, const char *label, const char *text)
{
    struct strbuf clean;
    const char *at = NULL;

    strbuf_init(&clean);
    cell_clean(&clean, text);
    strbuf_adds(out, label);
    if (cell_width(label) >= CELL_INDENT)
        strbuf_addc(out, '\n');
    add_blanks(out, CELL_INDENT - (cell_width(label) < CELL_INDENT ? cell_width(label) : 0));
    for (at = clean.buf; *at;) {
        const size_t n = line_len(at, CELL_COLUMNS - CELL_INDENT);

        if (at != clean.buf)
            strbuf_addf(out, "%*s", CELL_INDENT, "");
        strbuf_add(out, at, n);
        strbuf_addc(out, '\n');
        at += n;
        while (*at == ' ')
            at++;
    }
    if (!*clean.buf)
        strbuf_addc(out, '\n');
    strbuf_release(&clean);
}
