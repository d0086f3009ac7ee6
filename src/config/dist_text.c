/*
 * Distributions from text and back. No state: any thread.
 */
#include "config/dist_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"

#define WORDS_MAX 3

static const struct {
    const char *word;
    int times; /* how many follow */
} kinds[] = {
    [SETTINGS_DIST_FIXED] = {"fixed", 1},
    [SETTINGS_DIST_UNIFORM] = {"uniform", 2},
    [SETTINGS_DIST_NEGEXP] = {"negexp", 1},
    [SETTINGS_DIST_NORMAL] = {"normal", 2},
};

/* Splits at blanks, in place; the number of words, WORDS_MAX + 1 for more than fit. */
static int split(char *copy, char *word[WORDS_MAX])
{
    char *save = NULL;
    int n = 0;

    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (n == WORDS_MAX)
            return WORDS_MAX + 1;
        word[n++] = w;
    }
    return n;
}

static int kind_of(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strcmp(kinds[i].word, word) == 0)
            return (int)i;
    }
    return -1;
}

/* The words behind the kind. */
static int parse_times(char *const *word, int n, struct settings_dist_of *d)
{
    const bool uniform = d->kind == SETTINGS_DIST_UNIFORM;
    uint64_t *at[2] = {uniform ? &d->low_ns : &d->mean_ns, uniform ? &d->high_ns : &d->sd_ns};

    if (n != kinds[d->kind].times)
        return -1;
    for (int i = 0; i < n && i < 2; i++) {
        if (units_parse_duration_ns(word[i], at[i], NULL) < 0)
            return -1;
    }
    return 0;
}

int dist_text_parse(const char *text, struct settings_dist_of *out, struct err *err)
{
    struct settings_dist_of d = {.kind = SETTINGS_DIST_FIXED};
    char *copy = xstrdup(text);
    char *word[WORDS_MAX] = {NULL};
    const int n = split(copy, word);
    int rc = -1;

    if (n == 1 && units_parse_duration_ns(word[0], &d.mean_ns, NULL) == 0) {
        rc = 0; /* "18s" */
        goto out;
    }
    d.kind = n >= 1 ? kind_of(word[0]) : -1;
    if (d.kind < 0 || parse_times(word + 1, n - 1, &d) < 0) {
        err_set(err, ERR_USAGE,
                "\"%.80s\" is not a distribution (try \"fixed 18s\", \"negexp 12s\", "
                "\"uniform 1s 3s\" or \"normal 5s 1s\")",
                text);
        goto out;
    }
    if (d.low_ns > d.high_ns) {
        err_set(err, ERR_USAGE, "\"%.80s\" ends before it begins (try \"uniform %.20s %.20s\")",
                text, word[2], word[1]);
        goto out;
    }
    rc = 0;
out:
    if (rc == 0)
        *out = d;
    free(copy);
    return rc;
}

static void add_duration(struct strbuf *out, uint64_t ns)
{
    char text[80];

    units_format_duration(ns, text, sizeof(text));
    strbuf_addf(out, " %s", text);
}

void dist_text_format(const struct settings_dist_of *d, struct strbuf *out)
{
    const bool uniform = d->kind == SETTINGS_DIST_UNIFORM;

    CHECK(d->kind >= 0 && (size_t)d->kind < ARRAY_LEN(kinds));
    strbuf_adds(out, kinds[d->kind].word);
    add_duration(out, uniform ? d->low_ns : d->mean_ns);
    if (kinds[d->kind].times == 2)
        add_duration(out, uniform ? d->high_ns : d->sd_ns);
}
