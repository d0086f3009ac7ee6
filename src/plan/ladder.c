/*
 * Each step is planned as a run of its own, by the same functions; nothing here knows more of a run
 * than its settings. Settings have passed config_validate().
 */
#include "plan/ladder.h"

#include "base/check.h"
#include "base/units.h"
#include "config/steps.h"

/* A search takes eight steps or so, of which most have some six tenths of the most users. */
#define SEARCH_RUNS 5.0

static struct steps steps_of(const struct settings *s)
{
    struct steps steps;
    const int rc = steps_parse(s->ladder.steps, &steps, NULL);

    CHECK(rc == 0);
    CHECK(steps.n > 0);
    return steps;
}

bool ladder_is_asked(const struct settings *s)
{
    return s->ladder.steps || s->ladder.find_users;
}

void ladder_step_settings(const struct settings *s, uint64_t users, unsigned number,
                          struct settings *out)
{
    *out = *s;
    out->ladder = (struct settings_ladder){.sample_ns = s->ladder.sample_ns};
    out->run.users = users;
    out->run.seed = s->run.seed + number;
    out->run.sample_ns = s->ladder.sample_ns;
    out->run.duration_ns =
        s->ladder.sample_ns + (s->ladder.settle_ns ? s->ladder.settle_ns : s->ladder.sample_ns);
    out->run.until_steady = s->run.until_steady || s->ladder.settle_ns == 0;
}

struct ladder_extent ladder_extent(const struct settings *s)
{
    if (s->ladder.find_users)
        return (struct ladder_extent){.users = s->run.users, .runs = SEARCH_RUNS};

    const struct steps steps = steps_of(s);
    struct ladder_extent out = {.users = steps.users[steps.n - 1]};

    for (size_t i = 0; i < steps.n; i++)
        out.runs += (double)steps.users[i] / (double)out.users;
    return out;
}

static void search_words(const struct settings *s, struct strbuf *out)
{
    char most[40];
    char sample[40];

    units_format_count(s->run.users, most, sizeof(most));
    units_format_duration(s->ladder.sample_ns, sample, sizeof(sample));
    strbuf_addf(out,
                "a search for the most users, up to %s, that hold %s, each step with a sample of "
                "%s, more where that does not decide; below is the largest",
                most, s->ladder.find_users, sample);
}

static void step_words(const struct settings *s, struct strbuf *out)
{
    const struct steps steps = steps_of(s);
    char text[40];

    strbuf_addf(out, "%zu: ", steps.n);
    for (size_t i = 0; i < steps.n; i++) {
        units_format_count(steps.users[i], text, sizeof(text));
        strbuf_addf(out, "%s%s", i ? ", " : "", text);
    }
    units_format_duration(s->ladder.sample_ns, text, sizeof(text));
    strbuf_addf(out, " users, each with a sample of %s; below is the last", text);
}

void ladder_words(const struct settings *s, struct strbuf *out)
{
    if (s->ladder.find_users)
        search_words(s, out);
    else
        step_words(s, out);
}
