/*
 * One row a column: no report of a ladder knows a figure by itself.
 */
#include "report/ladder_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMN(table, key, head, form, m)                                                          \
    {                                                                                              \
        table, key, head, form, offsetof(struct ladder_step, m)                                    \
    }

/* clang-format off */
const struct ladder_column ladder_columns[LADDER_COLUMNS] = {
    COLUMN(LADDER_RESPONSE, "tps", "TPS", LADDER_FIXED_1, tps),
    COLUMN(LADDER_RESPONSE, "tps_percent_of_ceiling", "% ceil.", LADDER_FIXED_1, tps_percent_of_ceiling),
    COLUMN(LADDER_RESPONSE, "response_avg_ms", "avg", LADDER_FIGURE, response.avg),
    COLUMN(LADDER_RESPONSE, "response_p50_ms", "p50", LADDER_FIGURE, response.p50),
    COLUMN(LADDER_RESPONSE, "response_p95_ms", "p95", LADDER_FIGURE, response.p95),
    COLUMN(LADDER_RESPONSE, "response_p99_ms", "p99", LADDER_FIGURE, response.p99),
    COLUMN(LADDER_RESPONSE, "response_max_ms", "max", LADDER_FIGURE, response.max),
    COLUMN(LADDER_RESPONSE, "sample_s", "s", LADDER_FIGURE, seconds),
    COLUMN(LADDER_DEVICE, "reads_per_s", "r/s", LADDER_FIGURE, rates.reads_per_s),
    COLUMN(LADDER_DEVICE, "writes_per_s", "w/s", LADDER_FIGURE, rates.writes_per_s),
    COLUMN(LADDER_DEVICE, "flushes_per_s", "f/s", LADDER_FIGURE, rates.flushes_per_s),
    COLUMN(LADDER_DEVICE, "read_mib_per_s", "rMiB/s", LADDER_FIGURE, rates.read_mib_per_s),
    COLUMN(LADDER_DEVICE, "write_mib_per_s", "wMiB/s", LADDER_FIGURE, rates.write_mib_per_s),
    COLUMN(LADDER_DEVICE, "read_await_ms", "r-ms", LADDER_FIGURE, rates.read_await_ms),
    COLUMN(LADDER_DEVICE, "write_await_ms", "w-ms", LADDER_FIGURE, rates.write_await_ms),
    COLUMN(LADDER_DEVICE, "flush_await_ms", "f-ms", LADDER_FIGURE, rates.flush_await_ms),
    COLUMN(LADDER_DEVICE, "queue", "queue", LADDER_FIGURE, rates.queue),
    COLUMN(LADDER_COST, "reads_per_transaction", "reads", LADDER_FIGURE, reads_per_txn),
    COLUMN(LADDER_COST, "read_kib_per_transaction", "KiB", LADDER_FIGURE, read_kib_per_txn),
    COLUMN(LADDER_COST, "writes_per_transaction", "writes", LADDER_FIGURE, writes_per_txn),
    COLUMN(LADDER_COST, "write_kib_per_transaction", "KiB", LADDER_FIGURE, write_kib_per_txn),
    COLUMN(LADDER_COST, "flushes_per_transaction", "flushes", LADDER_FIGURE, flushes_per_txn),
    COLUMN(LADDER_COST, "server_cpu_percent", "CPU %", LADDER_FIXED_1, server_cpu_percent),
    COLUMN(LADDER_COST, "failed", "failed", LADDER_WHOLE, failed),
    COLUMN(LADDER_COST, "unfinished", "unfin.", LADDER_WHOLE, unfinished),
};
/* clang-format on */

const char *ladder_table_title(enum ladder_table t)
{
    static const char *const titles[] = {
        [LADDER_RESPONSE] = "response, ms",
        [LADDER_DEVICE] = "the drive",
        [LADDER_COST] = "a transaction",
    };

    _Static_assert(ARRAY_LEN(titles) == LADDER_TABLES, "titles of the tables");
    CHECK(t < LADDER_TABLES);
    return titles[t];
}

double ladder_value(const struct ladder_column *c, const struct ladder_step *s)
{
    const char *at = (const char *)s + c->at;
    int64_t whole = 0;
    double figure = 0;

    if (c->form == LADDER_WHOLE) {
        memcpy(&whole, at, sizeof(whole));
        return whole < 0 ? RESULT_NONE : (double)whole;
    }
    memcpy(&figure, at, sizeof(figure));
    return figure;
}

struct cell ladder_cell(const struct ladder_column *c, const struct ladder_step *s)
{
    const double value = ladder_value(c, s);

    switch (c->form) {
    case LADDER_WHOLE:
        return cell_count(isfinite(value) ? llround(value) : -1);
    case LADDER_FIGURE:
        return cell_figure(value);
    case LADDER_FIXED_1:
        return cell_fixed(value, 1);
    }
    UNREACHABLE();
}

const char *ladder_head(const struct ladder *l, const struct ladder_column *c)
{
    const bool of_ceiling = c->at == offsetof(struct ladder_step, tps_percent_of_ceiling);

    return l->is_rates && of_ceiling ? "% off." : c->head;
}

const char *ladder_load_head(const struct ladder *l)
{
    return l->is_rates ? "offered" : "users";
}

static bool has_star(const struct ladder *l, const struct ladder_step *s)
{
    return l->is_rates ? s->saturated == 1 : ladder_step_is_beyond(s);
}

struct cell ladder_load_short(const struct ladder *l, const struct ladder_step *s)
{
    const char *star = has_star(l, s) ? "*" : "";
    struct cell c = {"maximum"};

    if (!l->is_rates)
        (void)snprintf(c.text, sizeof(c.text), "%.40s%s", cell_count(s->users).text, star);
    else if (!ladder_step_is_maximum(s))
        (void)snprintf(c.text, sizeof(c.text), "%.40s/s%s", cell_figure(s->ceiling_tps).text, star);
    return c;
}

struct cell ladder_load_cell(const struct ladder *l, const struct ladder_step *s)
{
    struct cell c = ladder_load_short(l, s);

    if (l->is_rates && !ladder_step_is_maximum(s))
        (void)snprintf(c.text, sizeof(c.text), "%.20s/s %.16s%%%s",
                       cell_figure(s->ceiling_tps).text, cell_fixed(s->percent_of_maximum, 0).text,
                       has_star(l, s) ? "*" : "");
    return c;
}

const char *ladder_star_note(const struct ladder *l)
{
    for (size_t i = 0; i < l->steps.n; i++) {
        if (has_star(l, &l->steps.at[i]))
            return l->is_rates ? "* saturated: not all that was due got done; the response grows "
                                 "while that lasts"
                               : "* more users a warehouse than the standard's 10";
    }
    return NULL;
}

void ladder_say_state(const struct ladder *l, struct strbuf *out)
{
    const char *asked = l->asked ? l->asked : "-";

    strbuf_addf(out, "%zu", l->steps.n);
    if (l->planned_steps > 0)
        strbuf_addf(out, " of %s", cell_count(l->planned_steps).text);
    strbuf_addf(out, " step%s ", l->steps.n == 1 && l->planned_steps <= 1 ? "" : "s");
    if (l->is_rates)
        strbuf_addf(out, "of response over offered rates%s%s",
                    l->is_search ? ", and the largest with " : "", l->is_search ? asked : "");
    else if (l->is_search)
        strbuf_addf(out, "in search of the most users with %s", asked);
    else
        strbuf_addf(out, "of %s users", asked);
    if (!l->ended_by)
        strbuf_adds(out, ": cut off, or still under way");
    else if (!ladder_ended_as_planned(l))
        strbuf_addf(out, ": ended by %s", l->ended_by);
    if (!ladder_ended_as_planned(l))
        strbuf_adds(out, " (--resume goes on)");
}

static bool ended_with(const struct ladder *l, const char *end)
{
    return l->answer.end && strcmp(l->answer.end, end) == 0;
}

void ladder_say_maximum(const struct ladder *l, struct strbuf *out)
{
    const struct ladder_step *peak = l->is_rates ? ladder_peak(l) : NULL;

    if (!isfinite(l->maximum_tps))
        return;
    strbuf_addf(out, "%s TPS without a pace", cell_figure(l->maximum_tps).text);
    if (l->steps.n > 0)
        strbuf_addf(out, ", on %s sessions", cell_count(l->steps.at[0].sessions).text);
    if (peak)
        strbuf_addf(out, "; of the offered rates %s TPS brought the most, %s TPS, %s %% of it",
                    cell_figure(peak->ceiling_tps).text, cell_figure(peak->tps).text,
                    cell_fixed(100 * peak->tps / l->maximum_tps, 1).text);
}

static bool is_one_user(const struct ladder *l, int64_t users)
{
    return !l->is_rates && users == 1;
}

/* "1,000 users", "812.4 TPS" with a unit; "1,000", "812.4" without one. */
static struct cell load_of(const struct ladder *l, int64_t users, bool unit)
{
    const struct ladder_step *s = l->is_rates ? ladder_step_of(l, users) : NULL;
    struct cell c;

    if (l->is_rates)
        (void)snprintf(c.text, sizeof(c.text), "%.24s%s",
                       cell_figure(s ? s->ceiling_tps : RESULT_NONE).text, unit ? " TPS" : "");
    else
        (void)snprintf(c.text, sizeof(c.text), "%.24s%s", cell_count(users).text,
                       !unit        ? ""
                       : users == 1 ? " user"
                                    : " users");
    return c;
}

static void say_bounds(const struct ladder *l, struct strbuf *out)
{
    const struct ladder_answer *a = &l->answer;

    if (a->next > 0 && a->next == a->fails)
        strbuf_addf(out, "; %s do not", load_of(l, a->fails, false).text);
    else if (a->next > 0)
        strbuf_addf(out, "; with %s it stays unsure, however often they were measured",
                    load_of(l, a->next, false).text);
    if (a->next > 0 && a->fails > 0 && a->next != a->fails)
        strbuf_addf(out, "; %s do not", load_of(l, a->fails, false).text);
}

void ladder_say_answer(const struct ladder *l, struct strbuf *out)
{
    const struct ladder_answer *a = &l->answer;
    const char *asked = l->asked ? l->asked : "-";

    if (ended_with(l, LADDER_CEILING)) {
        strbuf_addf(out, "all %s hold%s %s: that is the most that was to be tried (more with %s)",
                    load_of(l, a->holds, true).text, is_one_user(l, a->holds) ? "s" : "", asked,
                    l->is_rates ? "--step-percent" : "--users");
    } else if (ended_with(l, LADDER_FLOOR)) {
        strbuf_addf(out, "%s %s hold%s %s, the fewest that were tried",
                    a->next == a->fails ? "not even" : "it can't be shown that even",
                    load_of(l, a->next, true).text, is_one_user(l, a->next) ? "s" : "", asked);
    } else if (a->holds > 0) {
        strbuf_addf(out, "%s%s hold%s %s", a->end ? "" : "so far ", load_of(l, a->holds, true).text,
                    is_one_user(l, a->holds) ? "s" : "", asked);
        say_bounds(l, out);
    } else {
        strbuf_addf(out, "not found yet: no %s is known to hold %s",
                    l->is_rates ? "rate" : "number of users", asked);
    }
}

static const struct ladder_step *step_of_next(const struct ladder *l)
{
    return l->answer.next > 0 ? ladder_step_of(l, l->answer.next) : NULL;
}

void ladder_say_next(const struct ladder *l, struct strbuf *out)
{
    const struct ladder_step *s = step_of_next(l);

    if (!s)
        return;
    strbuf_addf(out, "%s %s limited by %s: %s", load_of(l, s->users, true).text,
                is_one_user(l, s->users) ? "is" : "are", s->limited ? s->limited : "-",
                s->evidence ? s->evidence : "-");
}

static void say_cost_of_a_user(const struct ladder_cost *u, struct strbuf *out)
{
    strbuf_addf(out, "one user makes %s reads (%s KiB), %s writes (%s KiB), %s flushes a second; ",
                cell_figure(u->reads).text, cell_figure(u->read_kib).text,
                cell_figure(u->writes).text, cell_figure(u->write_kib).text,
                cell_figure(u->flushes).text);
}

void ladder_say_cost(const struct ladder *l, struct strbuf *out)
{
    const struct ladder_step *s = ladder_step_of(l, l->answer.holds);

    if (!s || !isfinite(s->writes_per_txn))
        return;
    if (isfinite(l->answer.a_user.writes))
        say_cost_of_a_user(&l->answer.a_user, out);
    strbuf_addf(out, "one transaction %s%s reads (%s KiB), %s writes (%s KiB), %s flushes",
                l->is_rates ? "makes " : "", cell_figure(s->reads_per_txn).text,
                cell_figure(s->read_kib_per_txn).text, cell_figure(s->writes_per_txn).text,
                cell_figure(s->write_kib_per_txn).text, cell_figure(s->flushes_per_txn).text);
}

void ladder_say_goals(const struct ladder_step *s, struct strbuf *out)
{
    for (size_t i = 0; i < s->goals.n; i++) {
        const struct ladder_goal *g = &s->goals.at[i];

        strbuf_addf(out, "%s%s %s with %s ms", i ? "; " : "", g->says ? g->says : "-",
                    g->text ? g->text : "-", cell_figure(g->value_ms).text);
        if (isfinite(g->low_ms) && g->low_ms < g->high_ms)
            strbuf_addf(out, " (%s to %s)", cell_figure(g->low_ms).text,
                        cell_figure(g->high_ms).text);
    }
}

void ladder_say_ground(const struct ladder *l, struct strbuf *out)
{
    strbuf_adds(out, l->workload ? l->workload : "-");
    if (l->is_rates)
        strbuf_adds(out, "'s transactions, due by chance, none skipped");
    else
        strbuf_addf(out, ", a mean cycle of %s s", cell_figure(l->mean_cycle_s).text);
    strbuf_addf(out, "; %s warehouse%s; %s; drive %s", cell_count(l->warehouses).text,
                l->warehouses == 1 ? "" : "s", l->database ? l->database : "-",
                l->drive ? l->drive : "-");
    if (l->steps.n > 0 && l->steps.at[0].device)
        strbuf_addf(out, " (%s)", l->steps.at[0].device);
}

void ladder_say_check(const struct ladder *l, struct strbuf *out)
{
    const struct ladder_check *c = &l->check;

    if (c->conditions < 0 && c->first)
        strbuf_adds(out, c->first);
    else if (c->conditions < 0)
        strbuf_adds(out, "none after the last step");
    else
        strbuf_addf(out, "after the last step: %lld of %lld ok (%s s)%s%s",
                    (long long)(c->conditions - c->failed), (long long)c->conditions,
                    cell_fixed(c->seconds, 1).text, c->first ? ", the first that failed: " : "",
                    c->first ? c->first : "");
}

void ladder_say_limit(const struct ladder_step *s, struct strbuf *out)
{
    ladder_say_goals(s, out);
    if (s->goals.n > 0)
        strbuf_adds(out, "; ");
    if (s->saturated == 1)
        strbuf_addf(out, "saturated, of %s that were due %s got done in the sample; ",
                    cell_count(s->due).text, cell_count(s->transactions).text);
    if (s->goals.n > 0 || s->saturated == 1)
        strbuf_adds(out, "limited by ");
    strbuf_addf(out, "%s: %s; %s", s->limited ? s->limited : "-", s->evidence ? s->evidence : "-",
                s->verdict ? s->verdict : "-");
    if (s->reasons)
        strbuf_addf(out, " (%s)", s->reasons);
}
