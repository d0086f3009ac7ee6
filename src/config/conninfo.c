/*
 * Reads PostgreSQL connection strings into (key, value) pairs with the place where each stands in
 * the text, so that leaving secrets out is cutting pieces from the text. Written for safety: what
 * is not understood is not shown. No state: any thread.
 */
#include "config/conninfo.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"

struct pair {
    char *key;
    char *value;
    size_t from, to; /* the piece of the text that this pair is, for cutting */
};

struct pairs {
    VEC(struct pair) v;
};

static void pairs_release(struct pairs *p)
{
    for (size_t i = 0; i < p->v.n; i++) {
        free(p->v.at[i].key);
        free(p->v.at[i].value);
    }
    VEC_RELEASE(&p->v);
}

/* The text, handed over. */
static char *take(struct strbuf *sb)
{
    char *text = strbuf_detach(sb);

    strbuf_release(sb);
    return text;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_secret(const char *key)
{
    return strstr(key, "password") || strstr(key, "secret") || strstr(key, "scram_");
}

static size_t uri_prefix_len(const char *text)
{
    static const char *const prefixes[] = {"postgresql://", "postgres://"};

    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
        if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
            return strlen(prefixes[i]);
    }
    return 0;
}

/* The keyword form. */

/* Reads a value that begins at text[*at], plain or between single quotes; NULL where it does not
 * end. */
static char *read_value(const char *text, size_t *at)
{
    const bool quoted = text[*at] == '\'';
    struct strbuf value;
    size_t i = *at + quoted;

    strbuf_init(&value);
    while (text[i] && (quoted ? text[i] != '\'' : !is_space(text[i]))) {
        if (text[i] == '\\' && text[i + 1])
            i++;
        strbuf_addc(&value, text[i++]);
    }
    if (quoted && text[i] != '\'') {
        strbuf_release(&value);
        return NULL;
    }
    *at = i + quoted;
    return take(&value);
}

/* As libpq names its parameters. */
static bool is_word(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '_' && (text[i] < 'a' || text[i] > 'z'))
            return false;
    }
    return n > 0;
}

static int parse_keywords(const char *text, struct pairs *out)
{
    size_t i = 0;

    for (;;) {
        struct pair pair = {0};
        size_t key_len = 0;

        while (is_space(text[i]))
            i++;
        if (!text[i])
            return 0;
        pair.from = i;
        while (text[i] && text[i] != '=' && !is_space(text[i]))
            i++;
        key_len = i - pair.from;
        if (!is_word(text + pair.from, key_len))
            return -1; /* perhaps a URI of another scheme, with a secret somewhere in it */
        while (is_space(text[i]))
            i++;
        if (text[i] != '=')
            return -1;
        i++;
        while (is_space(text[i]))
            i++;
        pair.value = read_value(text, &i);
        if (!pair.value)
            return -1;
        pair.to = i;
        pair.key = xstrndup(text + pair.from, key_len);
        VEC_PUSH(&out->v, pair);
    }
}

/* The URI form: prefix [user[:password]@] [host[:port][,...]] [/database] [?key=value[&...]]. */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* n bytes with their %XX decoded; NULL where a % stands wrong. */
static char *decode(const char *text, size_t n)
{
    struct strbuf out;

    strbuf_init(&out);
    for (size_t i = 0; i < n; i++) {
        const int high = text[i] == '%' && i + 2 < n ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;

        if (text[i] != '%') {
            strbuf_addc(&out, text[i]);
        } else if (low >= 0 && high + low > 0) {
            strbuf_addc(&out, (char)(high * 16 + low));
            i += 2;
        } else {
            strbuf_release(&out);
            return NULL;
        }
    }
    return take(&out);
}

static int add_decoded(struct pairs *out, const char *key, const char *text, struct pair where)
{
    where.value = decode(text + where.from, where.to - where.from);
    if (!where.value)
        return -1;
    where.key = xstrdup(key);
    VEC_PUSH(&out->v, where);
    return 0;
}

static int parse_userinfo(const char *text, size_t from, size_t to, struct pairs *out)
{
    const char *colon = memchr(text + from, ':', to - from);
    const size_t user_end = colon ? (size_t)(colon - text) : to;

    if (add_decoded(out, "user", text, (struct pair){.from = from, .to = user_end}) < 0)
        return -1;
    if (!colon)
        return 0;
    if (add_decoded(out, "password", text, (struct pair){.from = user_end + 1, .to = to}) < 0)
        return -1;
    out->v.at[out->v.n - 1].from = user_end; /* cut the colon, too */
    return 0;
}

/* One "host", "host:port" or "[::1]:port". */
static int parse_host(const char *text, size_t from, size_t to, struct pairs *out)
{
    const char *end = text + to;
    const char *host_end = NULL;
    size_t skip = 0;

    if (from < to && text[from] == '[') {
        host_end = memchr(text + from, ']', to - from);
        if (!host_end)
            return -1;
        skip = 1;
    } else {
        host_end = memchr(text + from, ':', to - from);
        if (!host_end)
            host_end = end;
    }
    for (const char *c = host_end + skip; c < end; c++) {
        if (*c != ':' && (*c < '0' || *c > '9'))
            return -1; /* no port: perhaps a password with a '/' in it */
    }
    if (host_end == text + from)
        return 0;
    return add_decoded(out, "host", text,
                       (struct pair){.from = from + skip, .to = (size_t)(host_end - text)});
}

static int parse_authority(const char *text, size_t from, size_t to, struct pairs *out)
{
    const char *at = memrchr(text + from, '@', to - from);

    if (at) {
        if (parse_userinfo(text, from, (size_t)(at - text), out) < 0)
            return -1;
        from = (size_t)(at - text) + 1;
    }
    while (from < to) {
        const char *comma = memchr(text + from, ',', to - from);
        const size_t end = comma ? (size_t)(comma - text) : to;

        if (parse_host(text, from, end, out) < 0)
            return -1;
        from = end + 1;
    }
    return 0;
}

static int parse_parameters(const char *text, size_t from, struct pairs *out)
{
    while (text[from]) {
        const size_t to = from + strcspn(text + from, "&");
        const char *equals = memchr(text + from, '=', to - from);
        struct pair pair = {.from = from, .to = to};

        if (!equals)
            return -1;
        pair.key = decode(text + from, (size_t)(equals - text) - from);
        pair.value = decode(equals + 1, (size_t)(text + to - equals) - 1);
        if (!pair.key || !pair.value) {
            free(pair.key);
            free(pair.value);
            return -1;
        }
        VEC_PUSH(&out->v, pair);
        from = text[to] ? to + 1 : to;
    }
    return 0;
}

static int parse_uri(const char *text, size_t prefix, struct pairs *out)
{
    const size_t authority_end = prefix + strcspn(text + prefix, "/?");
    const size_t path_end = authority_end + strcspn(text + authority_end, "?");

    if (memchr(text + authority_end, '@', path_end - authority_end))
        return -1; /* perhaps a password with a "/" in it; in a database's name it is written %40 */
    if (parse_authority(text, prefix, authority_end, out) < 0)
        return -1;
    if (path_end > authority_end + 1 &&
        add_decoded(out, "dbname", text, (struct pair){.from = authority_end + 1, .to = path_end}) <
            0)
        return -1;
    return text[path_end] ? parse_parameters(text, path_end + 1, out) : 0;
}

static int parse(const char *text, struct pairs *out)
{
    const size_t prefix = uri_prefix_len(text);

    return prefix ? parse_uri(text, prefix, out) : parse_keywords(text, out);
}

/* The text without pair i: with the blank or "&" behind it, or, for the last one, before it. */
static void cut(char *text, const struct pair *pair)
{
    size_t from = pair->from;
    size_t to = pair->to;

    if (text[to] == '&' || is_space(text[to]))
        to++;
    else if (!text[to] && from > 0 && (strchr("&?", text[from - 1]) || is_space(text[from - 1])))
        from--;
    memmove(text + from, text + to, strlen(text + to) + 1);
}

char *config_redact_conninfo(const char *conninfo)
{
    struct pairs pairs = {0};
    char *text = xstrdup(conninfo);

    if (parse(conninfo, &pairs) < 0) {
        free(text);
        text = xstrdup(CONNINFO_NOT_SHOWN);
    } else {
        for (size_t i = pairs.v.n; i > 0; i--) { /* from behind: places before stay right */
            if (is_secret(pairs.v.at[i - 1].key))
                cut(text, &pairs.v.at[i - 1]);
        }
    }
    pairs_release(&pairs);
    return text;
}

bool conninfo_is_valid(const char *conninfo)
{
    struct pairs pairs = {0};
    const bool valid = parse(conninfo, &pairs) == 0;

    pairs_release(&pairs);
    return valid;
}

static bool is_this_machine(const char *host)
{
    char own[256] = "";

    if (!*host || host[0] == '/' || host[0] == '@')
        return true; /* a socket */
    if (strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0 || strncmp(host, "127.", 4) == 0)
        return true;
    return gethostname(own, sizeof(own) - 1) == 0 && strcmp(host, own) == 0;
}

/* Of a list "a,b,c": the first that is another machine. */
static char *other_in_list(const char *hosts)
{
    char *copy = xstrdup(hosts);
    char *save = NULL;
    char *found = NULL;

    for (char *h = strtok_r(copy, ",", &save); h && !found; h = strtok_r(NULL, ",", &save)) {
        if (!is_this_machine(h))
            found = xstrdup(h);
    }
    free(copy);
    return found;
}

char *conninfo_other_host(const char *conninfo)
{
    const char *host = getenv("PGHOST");
    const char *address = getenv("PGHOSTADDR"); /* goes before a host, wherever that is named */
    struct pairs pairs = {0};
    char *found = NULL;

    if (parse(conninfo, &pairs) < 0)
        goto out;
    for (size_t i = 0; i < pairs.v.n && !found; i++) {
        const bool is_address = strcmp(pairs.v.at[i].key, "hostaddr") == 0;

        if (!is_address && strcmp(pairs.v.at[i].key, "host") != 0)
            continue;
        host = NULL;
        address = is_address ? NULL : address;
        found = other_in_list(pairs.v.at[i].value);
    }
    if (!found && address)
        found = other_in_list(address);
    if (!found && host)
        found = other_in_list(host);
out:
    pairs_release(&pairs);
    return found;
}
