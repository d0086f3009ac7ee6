/*
 * Each step is planned as a run of its own, by the same functions; nothing here knows more of a run
 * than its settings. Settings have passed config_validate().
 */
#include "plan/ladder.h"

#include <math.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "config/goals.h"
#include "config/steps.h"
#include "tpcc/pace.h"

/* A search takes eight steps or so, of which most have some six tenths of the most users. */
#define SEARCH_RUNS 5.0
/* Between two neighbours of the curve it takes two steps or so, some of them more than once. */
#define RATE_SEARCH_RUNS 2.0

_Static_assert(LADDER_USERS_MAX == STEPS_USERS_MAX, "as many users as a step may have");

static struct steps steps_of(const char *text, enum steps_of what)
{
    struct steps steps;
    const int rc = steps_parse(text, what, &steps, NULL);

    CHECK(rc == 0);
    CHECK(steps.n > 0);
    return steps;
}

bool ladder_is_asked(const struct settings *s)
{
    return s->ladder.steps || s->ladder.find_users || s->ladder.find_tps;
}

struct ladder_load ladder_offered(double tps, double percent)
{
    const struct dist wait = {.kind = DIST_NEGEXP, .mean_ns = LADDER_SOURCE_S * (double)NS_PER_S};
    const double users = tps * percent / 100.0 * dist_mean_ns(&wait) / (double)NS_PER_S;
    const double most = LADDER_USERS_MAX;

    return (struct ladder_load){
        .kind = LADDER_RATE,
        .users = (uint64_t)fmin(fmax(round(users), 1), most),
    };
}

static char *workload_name(const char *name, enum ladder_load_kind kind)
{
    static const char *const paced[] = {
        [LADDER_USERS] = "", [LADDER_MOST] = ", no pace", [LADDER_RATE] = ", offered rate"};

    if (!name && kind == LADDER_USERS)
        return NULL;
    return xasprintf("%s%s", name ? name : "inline", paced[kind]);
}

/* The workload's transactions, its pace replaced but where users are asked for. */
static void set_pace(enum ladder_load_kind kind, struct settings_workload *w)
{
    w->name = workload_name(w->name, kind);
    if (kind == LADDER_USERS)
        return;
    w->factor = 1;
    w->pace = kind == LADDER_MOST ? SETTINGS_PACE_NONE : SETTINGS_PACE_INTERARRIVAL;
    if (kind == LADDER_RATE)
        w->interval = (struct settings_dist_of){.kind = SETTINGS_DIST_NEGEXP,
                                                .mean_ns = LADDER_SOURCE_S * NS_PER_S};
}

void ladder_step_settings(const struct settings *s, struct ladder_load load, unsigned number,
                          struct settings *out)
{
    *out = *s;
    out->ladder = (struct settings_ladder){.sample_ns = s->ladder.sample_ns};
    if (load.kind != LADDER_MOST)
        out->run.users = load.users;
    set_pace(load.kind, &out->workload);
    out->run.seed = s->run.seed + number;
    out->run.sample_ns = s->ladder.sample_ns;
    out->run.duration_ns =
        s->ladder.sample_ns + (s->ladder.settle_ns ? s->ladder.settle_ns : s->ladder.sample_ns);
    out->run.until_steady = s->run.until_steady || s->ladder.settle_ns == 0;
}

/* The maximum, and of the others what the drive gives at most of what is offered. */
static double rate_runs(const struct settings *s)
{
    const struct steps percents = steps_of(s->ladder.percents, STEPS_OF_PERCENTS);
    double runs = goals_is_curve(s->ladder.find_tps) ? 1 : 1 + RATE_SEARCH_RUNS;

    for (size_t i = 0; i < percents.n; i++)
        runs += fmin((double)percents.at[i], 100) / 100;
    return runs;
}

struct ladder_extent ladder_extent(const struct settings *s)
{
    struct ladder_extent out = {.load = {LADDER_USERS, s->run.users}, .runs = SEARCH_RUNS};
    struct steps steps;

    if (s->ladder.find_users)
        return out;
    if (s->ladder.find_tps)
        return (struct ladder_extent){{LADDER_MOST, 0}, rate_runs(s)};
    steps = steps_of(s->ladder.steps, STEPS_OF_USERS);
    out.load.users = steps.at[steps.n - 1];
    out.runs = 0;
    for (size_t i = 0; i < steps.n; i++)
        out.runs += (double)steps.at[i] / (double)out.load.users;
    return out;
}

/* ---- words ---- */

static void search_words(const struct settings *s, const char *sample, struct strbuf *out)
{
    char most[40];

    units_format_count(s->run.users, most, sizeof(most));
    strbuf_addf(out,
                "a search for the most users, up to %s, that hold %s, each step with a sample of "
                "%s, more where that does not decide; below is the largest",
                most, s->ladder.find_users, sample);
}

static void add_list(const struct steps *steps, struct strbuf *out)
{
    char text[40];

    for (size_t i = 0; i < steps->n; i++) {
        units_format_count(steps->at[i], text, sizeof(text));
        strbuf_addf(out, "%s%s", i ? ", " : "", text);
    }
}

static void rate_words(const struct settings *s, const char *sample, struct strbuf *out)
{
    const struct steps percents = steps_of(s->ladder.percents, STEPS_OF_PERCENTS);

    strbuf_adds(out, "the maximum without a pace, then offered rates of ");
    add_list(&percents, out);
    strbuf_adds(out, " % of it");
    if (!goals_is_curve(s->ladder.find_tps))
        strbuf_addf(out, ", then a search for the largest that holds %s", s->ladder.find_tps);
    strbuf_addf(out, ", each with a sample of %s; below is the maximum", sample);
}

static void step_words(const struct settings *s, const char *sample, struct strbuf *out)
{
    const struct steps steps = steps_of(s->ladder.steps, STEPS_OF_USERS);

    strbuf_addf(out, "%zu: ", steps.n);
    add_list(&steps, out);
    strbuf_addf(out, " users, each with a sample of %s; below is the last", sample);
}

void ladder_words(const struct settings *s, struct strbuf *out)
{
    char sample[40];

    units_format_duration(s->ladder.sample_ns, sample, sizeof(sample));
    if (s->ladder.find_users)
        search_words(s, sample, out);
    else if (s->ladder.find_tps)
        rate_words(s, sample, out);
    else
        step_words(s, sample, out);
}
