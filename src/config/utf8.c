/*
 * Checks texts that come from command lines and files before they are stored or shown. No state:
 * any thread. The ranges are those of the Unicode standard, table 3-7.
 */
#include "config/utf8.h"

#include <stddef.h>

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
