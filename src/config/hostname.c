/*
 * Finds where a host's name ends. An address of IPv6 stands in brackets, as its colons are not the
 * one that is looked for.
 */
#include "config/hostname.h"

#include <ctype.h>
#include <string.h>

#define HOST_MAX 255

size_t hostname_length(const char *text)
{
    const size_t before = strcspn(text, ":/[");
    const char *bracket = text[before] == '[' ? strchr(text + before, ']') : NULL;

    if (bracket != NULL)
        return bracket[1] == ':' ? (size_t)(bracket + 1 - text) : 0;
    return text[before] == ':' ? before : 0;
}

bool hostname_is_elsewhere(const char *text)
{
    static const char here[] = "localhost";
    const size_t len = hostname_length(text);

    return len > 0 && (len != strlen(here) || strncmp(text, here, len) != 0);
}

bool hostname_is_sane(const char *text, size_t len)
{
    bool bracket = false;

    if (len == 0 || len > HOST_MAX || text[0] == '-' || text[len - 1] == '@')
        return false;
    for (size_t i = 0; i < len; i++) {
        const char c = text[i];

        bracket = bracket || c == '[';
        if (c == ':' && !bracket) /* "user:secret@host" */
            return false;
        if (!isalnum((unsigned char)c) && (c == '\0' || !strchr("._-@:%[]", c)))
            return false;
    }
    return true;
}

const char *hostname_rest(const char *text)
{
    const size_t len = hostname_length(text);

    return len > 0 ? text + len + 1 : text;
}
