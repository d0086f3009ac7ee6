/*
 * Checks texts that come from command lines and files before they are stored or shown, and measures
 * them. Any thread. The ranges are those of the Unicode standard, table 3-7.
 */
#include "config/utf8.h"

#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <wchar.h>

/* Bytes of a character by its first one, 0 where no character begins so. */
static size_t length_of(unsigned char first)
{
    if (first < 0x80)
        return first >= 0x20 && first != 0x7f;
    if (first >= 0xc2 && first <= 0xdf)
        return 2;
    if (first >= 0xe0 && first <= 0xef)
        return 3;
    return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/* C1 controls, overlong forms, surrogates, what lies beyond U+10FFFF. */
static bool second_is_wrong(unsigned char first, unsigned char second)
{
    return (first == 0xc2 && second < 0xa0) || (first == 0xe0 && second < 0xa0) ||
           (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
           (first == 0xf4 && second > 0x8f);
}

/* U+2028, U+2029, U+FEFF, U+FFFE, U+FFFF: no YAML reader takes them for text. */
static bool is_special(const unsigned char *c)
{
    return (c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9)) ||
           (c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf) ||
           (c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe);
}

static size_t printable_len(const unsigned char *c)
{
    const size_t n = length_of(c[0]);

    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    if (n >= 2 && second_is_wrong(c[0], c[1]))
        return 0;
    return n == 3 && is_special(c) ? 0 : n;
}

bool utf8_is_printable(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    while (*c) {
        const size_t n = printable_len(c);

        if (n == 0)
            return false;
        c += n;
    }
    return true;
}

/* ---- columns ---- */

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t utf8_locale; /* for wcwidth(), which goes by the locale; 0: there is none */

static void make_locale(void)
{
    utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* Columns of the character at c, and its bytes. One that the C library does not know takes one, as
 * does every one where the library knows no UTF-8. */
static int width_at(const char *c, size_t *bytes)
{
    mbstate_t state = {0};
    wchar_t wide = 0;
    const size_t n = mbrtowc(&wide, c, MB_LEN_MAX, &state);
    const int width = n > MB_LEN_MAX ? 1 : wcwidth(wide);

    *bytes = 1;
    while (((unsigned char)c[*bytes] & 0xc0) == 0x80)
        ++*bytes;
    return width < 0 ? 1 : width;
}

/* Of the longest part within `columns`: its bytes, and into *width its columns. */
static size_t measure(const char *text, int columns, int *width)
{
    locale_t usual = (locale_t)0;
    size_t n = 0;

    (void)pthread_once(&locale_once, make_locale);
    if (utf8_locale)
        usual = uselocale(utf8_locale);
    *width = 0;
    while (text[n]) {
        size_t bytes = 0;
        const int w = width_at(text + n, &bytes);

        if (w > columns - *width)
            break;
        *width += w;
        n += bytes;
    }
    if (usual)
        (void)uselocale(usual);
    return n;
}

int utf8_width(const char *text)
{
    int width = 0;

    (void)measure(text, INT_MAX, &width);
    return width;
}

size_t utf8_fitting(const char *text, int columns)
{
    int width = 0;

    return measure(text, columns, &width);
}
