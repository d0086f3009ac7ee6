/*
 * Each step is planned as a run of its own, by the same functions; nothing here knows more of a run
 * than its settings. Settings have passed config_validate().
 */
#include "plan/ladder.h"

#include "base/check.h"
#include "base/units.h"
#include "config/steps.h"

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
    return s->ladder.steps != NULL;
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
    const struct steps steps = steps_of(s);
    struct ladder_extent out = {.users = steps.users[steps.n - 1]};

    for (size_t i = 0; i < steps.n; i++)
        out.runs += (double)steps.users[i] / (double)out.users;
    return out;
}

void ladder_words(const struct settings *s, struct strbuf *out)
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
