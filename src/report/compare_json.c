/*
 * The comparison as JSON: compare_files.h. One thread.
 */
#include <jansson.h>
#include <stdlib.h>

#include "report/compare_files.h"
#include "report/compare_words.h"
#include "result/json_fields.h"

#define COMPARE_FORMAT "tpcc-compare/1"
#define DIGITS 9

static json_t *must(json_t *value)
{
    CHECK(value);
    return value;
}

static json_t *yes(bool value)
{
    return must(value ? json_true() : json_false());
}

static json_t *whole(size_t n)
{
    return must(json_integer((json_int_t)n));
}

static void push(json_t *list, json_t *item)
{
    CHECK(json_array_append_new(list, item) == 0);
}

static json_t *new_interval(const struct signif_interval *i)
{
    json_t *object = must(json_object());

    json_put(object, "value", json_figure(i->value));
    json_put(object, "low", json_figure(i->low));
    json_put(object, "high", json_figure(i->high));
    return object;
}

static json_t *new_figures(const struct signif_interval *figure)
{
    json_t *object = must(json_object());

    for (int by = 0; by < COMPARE_MEASURES; by++)
        json_put(object, compare_measure_word((enum compare_measure)by), new_interval(&figure[by]));
    return object;
}

static json_t *new_results(const struct compare *c)
{
    json_t *list = must(json_array());

    for (size_t i = 0; i < c->n_runs; i++) {
        json_t *object = must(json_object());

        json_put(object, "path", json_text(c->run[i].path));
        json_put(object, "group", json_text(c->group[c->run[i].group].name));
        json_put(object, "figures", new_figures(c->run[i].figure));
        push(list, object);
    }
    return list;
}

static json_t *new_spread(const struct compare_group *g)
{
    json_t *object = must(json_object());

    for (int by = 0; by < COMPARE_MEASURES; by++) {
        json_t *spread = must(json_object());

        json_put(spread, "between_runs_percent", json_figure(g->between_percent[by]));
        json_put(spread, "within_run_percent", json_figure(g->within_percent[by]));
        json_put(object, compare_measure_word((enum compare_measure)by), spread);
    }
    return object;
}

static json_t *new_groups(const struct compare *c)
{
    json_t *list = must(json_array());

    for (size_t g = 0; g < c->n_groups; g++) {
        json_t *object = must(json_object());
        json_t *results = must(json_array());

        for (size_t i = 0; i < c->group[g].n; i++)
            push(results, json_text(c->run[c->group[g].run[i]].path));
        json_put(object, "name", json_text(c->group[g].name));
        json_put(object, "results", results);
        json_put(object, "figures", new_figures(c->group[g].figure));
        json_put(object, "spread", new_spread(&c->group[g]));
        push(list, object);
    }
    return list;
}

static const char *says_word(enum compare_says says)
{
    switch (says) {
    case COMPARE_FASTER:
        return "faster";
    case COMPARE_SAME:
        return "no difference shown";
    case COMPARE_UNKNOWN:
        return "spread between runs unknown";
    case COMPARE_NOT:
        return "not compared";
    }
    UNREACHABLE();
}

static json_t *new_pair(const struct compare *c, const struct compare_pair *p)
{
    json_t *object = must(json_object());
    struct strbuf text;

    strbuf_init(&text);
    compare_say_pair(c, p, &text);
    json_put(object, "a", json_text(c->group[p->a].name));
    json_put(object, "b", json_text(c->group[p->b].name));
    json_put(object, "says", json_text(says_word(p->says)));
    json_put(object, "percent", json_figure(p->percent.value));
    json_put(object, "low", json_figure(p->percent.low));
    json_put(object, "high", json_figure(p->percent.high));
    json_put(object, "less_than_percent", json_figure(p->most_percent));
    json_put(object, "why", json_text(p->why));
    json_put(object, "unfair", yes(p->unfair));
    json_put(object, "text", json_text(text.buf));
    strbuf_release(&text);
    return object;
}

static json_t *new_pairs(const struct compare *c)
{
    json_t *list = must(json_array());

    for (size_t i = 0; i < c->pairs.n; i++)
        push(list, new_pair(c, &c->pairs.at[i]));
    return list;
}

static json_t *new_settings(const struct compare *c, size_t from, size_t to)
{
    json_t *list = must(json_array());

    for (size_t i = from; i < to; i++) {
        const struct compare_setting *s = &c->settings.differ.at[i];
        json_t *object = must(json_object());
        json_t *values = must(json_array());

        for (size_t k = 0; k < c->n_runs; k++)
            push(values, json_text(s->value[k]));
        json_put(object, "name", json_text(s->name));
        json_put(object, "values", values);
        push(list, object);
    }
    return list;
}

void compare_json(const struct compare *c, struct strbuf *out)
{
    json_t *root = must(json_object());
    json_t *notes = must(json_array());
    char *text = NULL;

    for (size_t i = 0; i < c->settings.notes.n; i++)
        push(notes, json_text(c->settings.notes.at[i]));
    json_put(root, "format", json_text(COMPARE_FORMAT));
    json_put(root, "by", json_text(compare_measure_word(c->by)));
    json_put(root, "unit", json_text(c->by == COMPARE_TPS ? "1/s" : "ms"));
    json_put(root, "pairs_judged", whole(c->n_judged));
    json_put(root, "level", json_figure(c->level));
    json_put(root, "results", new_results(c));
    json_put(root, "groups", new_groups(c));
    json_put(root, "pairs", new_pairs(c));
    json_put(root, "unfair", new_settings(c, 0, c->settings.n_unfair));
    json_put(root, "differs", new_settings(c, c->settings.n_unfair, c->settings.differ.n));
    json_put(root, "notes", notes);
    text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
    CHECK(text);
    strbuf_adds(out, text);
    strbuf_addc(out, '\n');
    free(text);
    json_decref(root);
}
