/*
 * Reads the folder of a dialect: every *.sql in it, in order of their names, cut into blocks at the
 * lines "-- name: NAME". What stands before the first block of a file is a comment to people.
 *
 * A block's parameters are counted in its text ($1, $2 ...), outside of quotes and comments, and
 * must agree with its "-- params:" line, so that a slip is found at start-up and not in a run.
 */
#include "sql/dialect.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "sql/value.h"

#define FILE_BYTES_MAX (1u << 20)
#define BLOCKS_MAX 4096

struct dialect {
    char *dir;
    VEC(struct stmt) stmts; /* name and text are owned */
};

/* Where we are in a file. */
struct reader {
    const char *path;
    const char *at; /* start of the next line */
    int line;       /* its number, from 1 */
};

/* One line without its newline. */
struct line {
    const char *text;
    size_t len;
    int number;
};

static bool next_line(struct reader *r, struct line *line)
{
    const char *end = NULL;

    if (*r->at == '\0')
        return false;
    end = strchrnul(r->at, '\n');
    *line = (struct line){.text = r->at, .len = (size_t)(end - r->at), .number = r->line};
    while (line->len > 0 && isspace((unsigned char)line->text[line->len - 1]))
        line->len--;
    r->at = *end == '\n' ? end + 1 : end;
    r->line++;
    return true;
}

/* What stands behind "-- <key>:" without blanks around it; false where the line is another. */
static bool header_line(const struct line *line, const char *key, struct line *value)
{
    const size_t n = strlen(key);
    size_t at = 3 + n + 1;

    if (line->len < at || memcmp(line->text, "-- ", 3) != 0 ||
        memcmp(line->text + 3, key, n) != 0 || line->text[3 + n] != ':')
        return false;
    while (at < line->len && isspace((unsigned char)line->text[at]))
        at++;
    *value = (struct line){line->text + at, line->len - at, line->number};
    return true;
}

static int param_kind(const char *word, size_t len)
{
    static const struct {
        const char *word;
        enum value_kind kind;
    } kinds[] = {
        {"i32", VALUE_I32},         {"i64", VALUE_I64},   {"cents", VALUE_CENTS},
        {"rate", VALUE_RATE},       {"text", VALUE_TEXT}, {"time", VALUE_TIME_US},
        {"i32[]", VALUE_I32_ARRAY},
    };

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (strlen(kinds[i].word) == len && memcmp(kinds[i].word, word, len) == 0)
            return (int)kinds[i].kind;
    return -1;
}

static int read_params(const struct reader *r, const struct line *list, struct stmt *st,
                       struct err *err)
{
    size_t at = 0;

    while (at < list->len) {
        const char *word = list->text + at;
        size_t len = 0;
        int kind = 0;

        while (at + len < list->len && !isspace((unsigned char)word[len]))
            len++;
        kind = param_kind(word, len);
        if (kind < 0)
            return err_set(err, ERR_USAGE,
                           "%s:%d: \"%.*s\" is not a kind of parameter (i32, i64, cents, rate, "
                           "text, time, i32[])",
                           r->path, list->number, (int)len, word);
        if (st->n_params == STMT_PARAMS_MAX)
            return err_set(err, ERR_USAGE, "%s:%d: more than %d parameters", r->path, list->number,
                           STMT_PARAMS_MAX);
        st->param_kind[st->n_params++] = (uint8_t)kind;
        at += len;
        while (at < list->len && isspace((unsigned char)list->text[at]))
            at++;
    }
    return 0;
}

const char *dialect_skip_quoted(const char *s)
{
    const char *end = NULL;
    size_t tag = 1;

    if (*s == '\'' || *s == '"') {
        end = strchr(s + 1, *s);
        return end ? end + 1 : s + strlen(s);
    }
    if (s[0] == '-' && s[1] == '-')
        return strchrnul(s, '\n');
    if (*s != '$')
        return s;
    while (isalpha((unsigned char)s[tag]) || s[tag] == '_')
        tag++;
    if (s[tag] != '$')
        return s;
    tag++;
    end = memmem(s + tag, strlen(s + tag), s, tag);
    return end ? end + tag : s + strlen(s);
}

static int greatest_parameter(const char *text)
{
    int greatest = 0;

    for (const char *s = text; *s;) {
        const char *behind = dialect_skip_quoted(s);
        int n = 0;

        if (behind != s) {
            s = behind;
            continue;
        }
        if (*s++ != '$')
            continue;
        for (; isdigit((unsigned char)*s) && n < 1000; s++)
            n = n * 10 + (*s - '0');
        greatest = n > greatest ? n : greatest;
    }
    return greatest;
}

static void strip_end(struct strbuf *text)
{
    while (text->len > 0 &&
           (isspace((unsigned char)text->buf[text->len - 1]) || text->buf[text->len - 1] == ';'))
        text->buf[--text->len] = '\0';
}

/* A block as far as it is read. */
struct block {
    struct line name;
    struct stmt st;
    struct strbuf text;
};

/* Takes the text over. */
static int add_block(struct dialect *d, const struct reader *r, struct block *b, struct err *err)
{
    const struct line *name = &b->name;
    struct stmt *st = &b->st;
    struct strbuf *text = &b->text;
    int used = 0;

    strip_end(text);
    st->name = xstrndup(name->text, name->len);
    used = greatest_parameter(text->buf);
    if (text->len == 0)
        (void)err_set(err, ERR_USAGE, "%s:%d: block \"%s\" is empty", r->path, name->number,
                      st->name);
    else if (dialect_find(d, st->name))
        (void)err_set(err, ERR_USAGE, "%s:%d: block \"%s\" is there already", r->path, name->number,
                      st->name);
    else if (used != st->n_params)
        (void)err_set(err, ERR_USAGE,
                      "%s:%d: block \"%s\" uses $%d as its last parameter, its params line has %d",
                      r->path, name->number, st->name, used, st->n_params);
    else if (d->stmts.n == BLOCKS_MAX)
        (void)err_set(err, ERR_USAGE, "%s:%d: more than %d blocks", r->path, name->number,
                      BLOCKS_MAX);
    else {
        st->id = (uint16_t)d->stmts.n;
        st->text = strbuf_detach(text);
        VEC_PUSH(&d->stmts, *st);
        return 0;
    }
    free((void *)(uintptr_t)st->name);
    return -1;
}

/* One block: r stands behind its name line, `line` is that line; afterwards `line` is the next
 * block's name line, or *more is false. */
static int read_block(struct dialect *d, struct reader *r, struct line *line, bool *more,
                      struct err *err)
{
    int rc = -1;
    struct line value = {0};
    struct block b = {0};
    bool first = true;

    strbuf_init(&b.text);
    CHECK(header_line(line, "name", &b.name));
    if (b.name.len == 0) {
        (void)err_set(err, ERR_USAGE, "%s:%d: a block without a name", r->path, b.name.number);
        goto out;
    }
    while ((*more = next_line(r, line)) && !header_line(line, "name", &value)) {
        if (first && header_line(line, "params", &value)) {
            if (read_params(r, &value, &b.st, err) < 0)
                goto out;
        } else {
            strbuf_add(&b.text, line->text, line->len);
            strbuf_addc(&b.text, '\n');
        }
        first = false;
    }
    rc = add_block(d, r, &b, err);
out:
    strbuf_release(&b.text);
    return rc;
}

static int read_file(struct dialect *d, const char *path, struct err *err)
{
    int rc = -1;
    struct fsroot machine;
    struct reader r = {.path = path, .line = 1};
    struct line line = {0};
    struct line name = {0};
    char *bytes = NULL;
    bool more = false;

    fsroot_init(&machine, "");
    bytes = fsroot_read(&machine, path, FILE_BYTES_MAX, err);
    if (!bytes)
        goto out;
    r.at = bytes;
    do
        more = next_line(&r, &line);
    while (more && !header_line(&line, "name", &name));
    while (more)
        if (read_block(d, &r, &line, &more, err) < 0)
            goto out;
    rc = 0;
out:
    free(bytes);
    fsroot_release(&machine);
    return rc;
}

static bool is_sql(const char *name)
{
    const size_t len = strlen(name);

    return len > 4 && strcmp(name + len - 4, ".sql") == 0;
}

struct dialect *dialect_read(const char *dir, struct err *err)
{
    struct dialect *d = xcalloc(1, sizeof(*d));
    struct fsroot machine;
    char **names = NULL;
    int rc = -1;

    fsroot_init(&machine, "");
    d->dir = realpath(dir, NULL);
    names = d->dir ? fsroot_list(&machine, d->dir) : NULL;
    if (!names) {
        (void)err_set(err, ERR_USAGE, "can't read the dialect's folder %s", dir);
        goto out;
    }
    for (char **name = names; *name; name++) {
        char *path = NULL;
        bool read = false;

        if (!is_sql(*name))
            continue;
        path = xasprintf("%s/%s", d->dir, *name);
        read = read_file(d, path, err) == 0;
        free(path);
        if (!read)
            goto out;
    }
    if (d->stmts.n == 0) {
        (void)err_set(err, ERR_USAGE, "no *.sql file with a block in the dialect's folder %s", dir);
        goto out;
    }
    rc = 0;
out:
    fsroot_list_free(names);
    fsroot_release(&machine);
    if (rc < 0) {
        dialect_free(d);
        return NULL;
    }
    return d;
}

void dialect_free(struct dialect *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->stmts.n; i++) {
        free((void *)(uintptr_t)d->stmts.at[i].name);
        free((void *)(uintptr_t)d->stmts.at[i].text);
    }
    VEC_RELEASE(&d->stmts);
    free(d->dir);
    free(d);
}

const struct stmt *dialect_find(const struct dialect *d, const char *name)
{
    for (size_t i = 0; i < d->stmts.n; i++)
        if (strcmp(d->stmts.at[i].name, name) == 0)
            return &d->stmts.at[i];
    return NULL;
}

const struct stmt *dialect_need(const struct dialect *d, const char *name, struct err *err)
{
    const struct stmt *st = dialect_find(d, name);

    if (!st)
        (void)err_set(err, ERR_USAGE, "the dialect in %s has no block \"%s\"", d->dir, name);
    return st;
}

size_t dialect_count(const struct dialect *d)
{
    return d->stmts.n;
}

const struct stmt *dialect_at(const struct dialect *d, size_t i)
{
    CHECK(i < d->stmts.n);
    return &d->stmts.at[i];
}

const char *dialect_dir(const struct dialect *d)
{
    return d->dir;
}
