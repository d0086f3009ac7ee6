/*
 * See the header. Pure.
 */
#include "block/schedule.h"

#include <inttypes.h>
#include <math.h>

#include "base/clock.h"
#include "base/units.h"

#define FIO_START_NS NS_PER_S /* making threads, looking at the target */

static void add(struct schedule *s, struct schedule_step step)
{
    VEC_PUSH(&s->steps, step);
}

static void add_profile(struct schedule *s, const struct profile_set *set, const struct profile *p)
{
    add(s, (struct schedule_step){set, p, SCHEDULE_MAXIMUM, 0});
    s->maxima++;
    if (p->trace) {
        if (!isnan(p->trace_iops))
            add(s, (struct schedule_step){set, p, SCHEDULE_RATE, p->trace_iops});
        return;
    }
    for (size_t i = 0; i < set->points.n; i++)
        add(s, (struct schedule_step){set, p, SCHEDULE_PERCENT, set->points.at[i]});
    for (size_t i = 0; i < p->rates.n; i++)
        add(s, (struct schedule_step){set, p, SCHEDULE_RATE, p->rates.at[i]});
}

void schedule_make(const struct schedule_opts *opts, struct schedule *out)
{
    *out = (struct schedule){.settle_ns = opts->settle_ns,
                             .duration_ns = opts->duration_ns,
                             .until_steady = opts->until_steady};
    for (size_t i = 0; i < opts->n_sets; i++) {
        for (size_t k = 0; k < opts->sets[i].profiles.n; k++)
            add_profile(out, &opts->sets[i], &opts->sets[i].profiles.at[k]);
    }
}

void schedule_release(struct schedule *s)
{
    VEC_RELEASE(&s->steps);
}

uint64_t schedule_point_ns(const struct schedule *s)
{
    return FIO_START_NS + s->settle_ns + s->duration_ns;
}

static uint64_t with_rounds(const struct schedule *s, uint64_t rounds)
{
    return (s->steps.n + s->maxima * (rounds - 1)) * schedule_point_ns(s);
}

uint64_t schedule_least_ns(const struct schedule *s)
{
    return with_rounds(s, s->until_steady ? STEADY_WINDOW : 1);
}

uint64_t schedule_most_ns(const struct schedule *s)
{
    return with_rounds(s, s->until_steady ? SCHEDULE_ROUNDS_MAX : 1);
}

static size_t points_of(const struct schedule *s, const struct profile *p)
{
    size_t n = 0;

    for (size_t i = 0; i < s->steps.n; i++)
        n += s->steps.at[i].profile == p;
    return n;
}

static void print_set(const struct profile_set *set, struct strbuf *out)
{
    strbuf_addf(out, "  workload    %s%s\n", set->name,
                set->modelled ? ", modelled after published figures:" : "");
    for (size_t i = 0; i < set->sources.n; i++)
        strbuf_addf(out, "              %s\n", set->sources.at[i]);
    if (set->taken_from)
        strbuf_addf(out, "              made of %s\n", set->taken_from);
}

static void print_profile(const struct schedule *s, const struct profile *p, struct strbuf *out)
{
    strbuf_addf(out, "    %-22s %" PRId64 " under way, %zu points\n      ", p->name, p->outstanding,
                points_of(s, p));
    profile_say(p, out);
    strbuf_addc(out, '\n');
}

void schedule_print(const struct schedule *s, struct strbuf *out)
{
    const struct profile_set *before = NULL;
    char text[32];

    for (size_t i = 0; i < s->steps.n; i++) {
        const struct schedule_step *step = &s->steps.at[i];

        if (step->kind != SCHEDULE_MAXIMUM)
            continue;
        if (step->set != before)
            print_set(step->set, out);
        before = step->set;
        print_profile(s, step->profile, out);
    }
    units_format_duration(s->duration_ns, text, sizeof(text));
    strbuf_addf(out, "  points      %zu, of %s each", s->steps.n, text);
    units_format_duration(s->settle_ns, text, sizeof(text));
    strbuf_addf(out, " after %s of settling\n", text);
    units_format_duration_short(schedule_least_ns(s), text, sizeof(text));
    strbuf_addf(out, "  duration    %s%s", s->until_steady ? "at least " : "", text);
    units_format_duration_short(schedule_most_ns(s), text, sizeof(text));
    if (s->until_steady)
        strbuf_addf(out, ", at most %s: each maximum until it is steady", text);
    strbuf_addc(out, '\n');
}
