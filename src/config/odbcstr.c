/*
 * Reads ODBC connection strings pair by pair. Written for safety: what is not understood is not
 * shown. No state: any thread.
 */
#include "config/odbcstr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fsroot.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "config/conninfo.h"

#define FILE_BYTES_MAX 65536
#define WORD_MIN 3 /* shorter ones stand in any text */
#define ENV_PREFIX "env:"

/* A piece "key=value" of the text, without its ";". */
struct piece {
    const char *at;
    size_t key_len;
    size_t len;
};

static bool names_source(const char *text)
{
    return *text == '@' || strncmp(text, ENV_PREFIX, strlen(ENV_PREFIX)) == 0;
}

/* The piece that begins at *at, which moves behind it. False where it is none. */
static bool next_piece(const char **at, struct piece *p)
{
    const char *s = *at;
    const char *end;

    p->at = s;
    p->key_len = strcspn(s, "=;{}");
    if (s[p->key_len] != '=' || p->key_len == 0)
        return false;
    end = s + p->key_len + 1;
    if (*end == '{') { /* "}}" is a brace within */
        for (end++; *end && (*end != '}' || end[1] == '}'); end++)
            end += *end == '}';
        if (*end != '}')
            return false;
        end++;
    } else {
        end += strcspn(end, ";");
    }
    if (*end && *end != ';')
        return false;
    p->len = (size_t)(end - s);
    *at = end + (*end == ';');
    return true;
}

static bool is_secret(const struct piece *p)
{
    static const char *const words[] = {"pwd",   "password",   "secret",
                                        "token", "passphrase", "pqopt"};
    char *key = xstrndup(p->at, p->key_len);
    bool found = false;

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        found = found || strcasestr(key, words[i]);
    free(key);
    return found;
}

/* Appends what may be shown to out, which may be NULL. */
static bool read_pieces(const char *text, struct strbuf *out)
{
    struct piece p;

    if (!strchr(text, '=')) /* the name of a DSN */
        return *text && !strpbrk(text, ";{}");
    for (const char *at = text; *at;) {
        if (!next_piece(&at, &p))
            return false;
        if (!out || is_secret(&p))
            continue;
        if (out->len > 0)
            strbuf_addc(out, ';');
        strbuf_add(out, p.at, p.len);
    }
    return true;
}

char *odbcstr_redact(const char *text)
{
    struct strbuf out;

    if (names_source(text) || (!strchr(text, '=') && read_pieces(text, NULL)))
        return xstrdup(text);
    strbuf_init(&out);
    if (!read_pieces(text, &out)) {
        strbuf_reset(&out);
        strbuf_adds(&out, CONNINFO_NOT_SHOWN);
    }
    return strbuf_detach(&out);
}

/* Each word of a secret: a string in a string may be quoted by its parts. */
static void hide_words(const char *secret, size_t len, char *text)
{
    static const char between[] = " \t={};'\"";
    char *copy = xstrndup(secret, len);
    char *rest = NULL;

    for (const char *word = strtok_r(copy, between, &rest); word;
         word = strtok_r(NULL, between, &rest)) {
        const size_t n = strlen(word);

        for (char *at = strstr(text, word); at && n >= WORD_MIN; at = strstr(at + n, word))
            memset(at, '*', n);
    }
    explicit_bzero(copy, len);
    free(copy);
}

void odbcstr_hide(const char *connection, char *text)
{
    struct piece p;

    for (const char *at = connection; *at && next_piece(&at, &p);) {
        if (is_secret(&p))
            hide_words(p.at + p.key_len + 1, p.len - p.key_len - 1, text);
    }
}

bool odbcstr_is_valid(const char *text)
{
    return names_source(text) || read_pieces(text, NULL);
}

/* The file, wherever the working directory is; a pipe has no other path than its own. */
static char *read_file(const char *name, struct err *err)
{
    char *path = name[0] == '/' ? xstrdup(name) : realpath(name, NULL);
    struct fsroot machine;
    char *found = NULL;

    fsroot_init(&machine, "");
    if (path)
        found = fsroot_read(&machine, path, FILE_BYTES_MAX, err);
    else
        (void)err_sys(err, errno, "can't open %s", name);
    fsroot_release(&machine);
    free(path);
    return found;
}

static char *read_source(const char *text, struct err *err)
{
    const char *variable = text + strlen(ENV_PREFIX);
    char *found = NULL;

    if (*text != '@') {
        if (!getenv(variable))
            err_set(err, ERR_USAGE, "--odbc %s: there is no such environment variable", text);
        else
            found = xstrdup(getenv(variable));
        return found;
    }
    found = read_file(text + 1, err);
    if (!found) {
        if (err)
            err->kind = ERR_USAGE;
        err_wrap(err, "--odbc %s", text);
    }
    return found;
}

char *odbcstr_resolve(const char *text, struct err *err)
{
    char *found = NULL;

    if (!names_source(text))
        return xstrdup(text);
    found = read_source(text, err);
    if (!found)
        return NULL;
    found[strcspn(found, "\r\n")] = '\0';
    if (read_pieces(found, NULL))
        return found;
    err_set(err, ERR_USAGE, "--odbc %s: what it holds is not a connection string", text);
    explicit_bzero(found, strlen(found));
    free(found);
    return NULL;
}

char *config_redact(const struct spec *row, const char *text)
{
    return row->flags & SPEC_ODBC ? odbcstr_redact(text) : config_redact_conninfo(text);
}

bool config_secret_is_valid(const struct spec *row, const char *text)
{
    return row->flags & SPEC_ODBC ? odbcstr_is_valid(text) : conninfo_is_valid(text);
}
