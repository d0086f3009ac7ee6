/*
 * Texts on their way to an ODBC driver and back: statements with ? instead of $n, values, messages.
 * No driver is needed to test them.
 */
#include "db/odbc_conn.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "db/pq_encode.h"
#include "sql/dialect.h"

/* The number behind a $, from 1; 0 where there is none. */
static unsigned parameter_at(const char *s, const char **end)
{
    unsigned n = 0;

    if (*s++ != '$')
        return 0;
    while (isdigit((unsigned char)*s) && n <= STMT_PARAMS_MAX)
        n = n * 10 + (unsigned)(*s++ - '0');
    *end = s;
    return n;
}

int odbc_translate(const struct stmt *st, const struct odbc_binds *binds, struct odbc_text *out,
                   struct err *err)
{
    struct strbuf text;

    strbuf_init(&text);
    *out = (struct odbc_text){0};
    for (const char *s = st->text; *s;) {
        const char *behind = dialect_skip_quoted(s);
        const char *end = NULL;
        const unsigned n = behind == s && st->n_params > 0 ? parameter_at(s, &end) : 0;

        if (behind != s) {
            strbuf_add(&text, s, (size_t)(behind - s));
            s = behind;
        } else if (n == 0) {
            strbuf_addc(&text, *s++);
        } else if (n > st->n_params || out->n_marks == ODBC_MARKS_MAX) {
            strbuf_release(&text);
            return err_set(err, ERR_USAGE, "%s: $%u is not one of its parameters, or too many are",
                           st->name ? st->name : "statement", n);
        } else {
            const char *bind = binds->of[st->param_kind[n - 1]];

            strbuf_adds(&text, bind ? bind : "?");
            out->from[out->n_marks++] = (uint8_t)(n - 1);
            s = end;
        }
    }
    out->text = strbuf_detach(&text);
    return 0;
}

static void put_columns(struct strbuf *out, const struct table *t)
{
    for (uint8_t i = 0; i < t->n_columns; i++)
        strbuf_addf(out, "%s%s", i ? ", " : "", t->columns[i].name);
}

static void put_marks(struct strbuf *out, const struct odbc_words *words)
{
    for (uint8_t i = 0; i < words->table->n_columns; i++) {
        const char *bind = words->binds->of[words->table->columns[i].kind];

        strbuf_addf(out, "%s%s", i ? ", " : "", bind ? bind : "?");
    }
}

static bool word_is(const char *at, size_t len, const char *word)
{
    return len == strlen(word) && memcmp(at, word, len) == 0;
}

/* Names are ours, plain words: no database needs them quoted. */
static bool put_word(struct strbuf *out, const struct odbc_words *words, const char *at, size_t len)
{
    if (word_is(at, len, "table"))
        strbuf_addf(out, "%s%s%s", words->schema ? words->schema : "", words->schema ? "." : "",
                    words->table->name);
    else if (word_is(at, len, "columns"))
        put_columns(out, words->table);
    else if (word_is(at, len, "marks") && words->binds)
        put_marks(out, words);
    else if (word_is(at, len, "file") && words->file)
        strbuf_adds(out, words->file);
    else
        return false;
    return true;
}

int odbc_fill_in(const struct stmt *st, const struct odbc_words *words, struct strbuf *out,
                 struct err *err)
{
    for (const char *s = st->text; *s; s++) {
        const char *end = *s == '{' ? strchr(s, '}') : NULL;

        if (!end) {
            strbuf_addc(out, *s);
            continue;
        }
        if (!put_word(out, words, s + 1, (size_t)(end - s - 1)))
            return err_set(err, ERR_USAGE, "%s: %.*s} stands for nothing there", st->name,
                           (int)(end - s), s);
        s = end;
    }
    return 0;
}

void odbc_put_param(struct strbuf *out, const struct value *v)
{
    char buf[64];

    switch ((enum value_kind)v->kind) {
    case VALUE_TEXT:
        strbuf_add(out, v->text, v->len);
        return;
    case VALUE_I32_ARRAY:
        for (uint32_t i = 0; i < v->len; i++)
            strbuf_addf(out, "%s%d", i ? "," : "", (int)v->array[i]);
        return;
    case VALUE_NULL:
    case VALUE_I32:
    case VALUE_I64:
    case VALUE_CENTS:
    case VALUE_RATE:
    case VALUE_TIME_US:
        strbuf_add(out, buf, (size_t)(pq_put_text(buf, v) - buf));
        return;
    }
    UNREACHABLE();
}

void odbc_put_literal(struct strbuf *out, const struct value *v)
{
    switch ((enum value_kind)v->kind) {
    case VALUE_NULL:
        strbuf_adds(out, "NULL");
        return;
    case VALUE_I32:
    case VALUE_I64:
    case VALUE_CENTS:
    case VALUE_RATE:
        odbc_put_param(out, v);
        return;
    case VALUE_TIME_US:
        strbuf_addc(out, '\'');
        odbc_put_param(out, v);
        strbuf_addc(out, '\'');
        return;
    case VALUE_TEXT:
        /* Rows are ours: what could be read in two ways does not occur in them. */
        CHECK(!memchr(v->text, '\'', v->len));
        CHECK(!memchr(v->text, '\\', v->len));
        CHECK(!memchr(v->text, '?', v->len));
        CHECK(!memchr(v->text, '{', v->len));
        strbuf_addc(out, '\'');
        strbuf_add(out, v->text, v->len);
        strbuf_addc(out, '\'');
        return;
    case VALUE_I32_ARRAY:
        break;
    }
    UNREACHABLE();
}

void odbc_clean_message(const char *text, char *out, size_t size)
{
    size_t n = 0;

    while (*text == '[' && strchr(text, ']')) {
        text = strchr(text, ']') + 1;
        while (*text == ' ')
            text++;
    }
    for (; *text && n + 1 < size; text++)
        out[n++] = *text == '\n' || *text == '\r' || *text == '\t' ? ' ' : *text;
    while (n > 0 && (out[n - 1] == ' ' || out[n - 1] == ';'))
        n--;
    out[n] = '\0';
}
