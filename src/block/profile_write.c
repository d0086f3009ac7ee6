/*
 * Profiles as YAML that profile_parse() reads back, in words, and what follows from their figures.
 */
#include <inttypes.h>
#include <math.h>

#include "block/profile.h"

#define KIB 1024

bool profile_writes(const struct profile *p)
{
    return p->trace ? p->trace_writes : p->read_percent < 100;
}

bool profile_set_writes(const struct profile_set *set)
{
    for (size_t i = 0; i < set->profiles.n; i++) {
        if (profile_writes(&set->profiles.at[i]))
            return true;
    }
    return false;
}

double profile_sizes_mean(const struct profile_sizes *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += (double)s->at[i].bytes * s->at[i].percent / 100;
    return sum;
}

double profile_sizes_spread(const struct profile_sizes *s)
{
    const double mean = profile_sizes_mean(s);
    double variance = 0;

    for (size_t i = 0; i < s->n; i++) {
        const double off = (double)s->at[i].bytes - mean;

        variance += off * off * s->at[i].percent / 100;
    }
    return mean > 0 ? sqrt(variance) / mean : 0;
}

double profile_mean_bytes(const struct profile *p)
{
    return (p->read_percent * profile_sizes_mean(&p->read) +
            (100 - p->read_percent) * profile_sizes_mean(&p->write)) /
           100;
}

/* ---- YAML ---- */

static void add_quoted(struct strbuf *out, const char *text)
{
    strbuf_addc(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            strbuf_addc(out, '\\');
        if ((unsigned char)*c >= ' ' && *c != 0x7f)
            strbuf_addc(out, *c);
    }
    strbuf_addc(out, '"');
}

static void add_bytes(struct strbuf *out, uint64_t bytes)
{
    if (bytes % KIB == 0)
        strbuf_addf(out, "%" PRIu64 "KiB", bytes / KIB);
    else
        strbuf_addf(out, "%" PRIu64, bytes);
}

static void add_sizes(const char *key, const struct profile_sizes *s, struct strbuf *out)
{
    if (s->n == 0)
        return;
    strbuf_addf(out, "      %s: {", key);
    for (size_t i = 0; i < s->n; i++) {
        strbuf_adds(out, i ? ", " : "");
        add_bytes(out, s->at[i].bytes);
        strbuf_addf(out, ": %d", s->at[i].percent);
    }
    strbuf_adds(out, "}\n");
}

static void add_profile(const struct profile *p, struct strbuf *out)
{
    strbuf_addf(out, "    - name: %s\n", p->name);
    if (p->trace) {
        strbuf_adds(out, "      trace: ");
        add_quoted(out, p->trace);
        strbuf_addf(out, "\n      outstanding: %" PRId64 "\n", p->outstanding);
        return;
    }
    strbuf_addf(out, "      read: %d\n      random: %d\n      outstanding: %" PRId64 "\n",
                p->read_percent, p->random_percent, p->outstanding);
    add_sizes("read_sizes", &p->read, out);
    add_sizes("write_sizes", &p->write, out);
    for (size_t i = 0; i < p->rates.n; i++)
        strbuf_addf(out, "%s%.15g", i ? ", " : "      rates: [", p->rates.at[i]);
    strbuf_adds(out, p->rates.n ? "]\n" : "");
}

void profile_write(const struct profile_set *set, struct strbuf *out)
{
    strbuf_addf(out, "block:\n  name: %s\n  modelled: %s\n", set->name,
                set->modelled ? "true" : "false");
    if (set->taken_from) {
        strbuf_adds(out, "  taken_from: ");
        add_quoted(out, set->taken_from);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, set->sources.n ? "  sources:\n" : "");
    for (size_t i = 0; i < set->sources.n; i++) {
        strbuf_adds(out, "    - ");
        add_quoted(out, set->sources.at[i]);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "  points: [");
    for (size_t i = 0; i < set->points.n; i++)
        strbuf_addf(out, "%s%d", i ? ", " : "", set->points.at[i]);
    strbuf_adds(out, "]\n  profiles:\n");
    for (size_t i = 0; i < set->profiles.n; i++)
        add_profile(&set->profiles.at[i], out);
}

/* ---- words ---- */

static void say_sizes(const struct profile_sizes *s, struct strbuf *out)
{
    if (s->n == 1)
        strbuf_addf(out, "%.4g KiB", (double)s->at[0].bytes / KIB);
    else
        strbuf_addf(out, "%.3g KiB (mean)", profile_sizes_mean(s) / KIB);
}

void profile_say(const struct profile *p, struct strbuf *out)
{
    if (p->trace) {
        strbuf_adds(out, "trace ");
        strbuf_adds(out, p->trace);
        return;
    }
    if (p->read_percent == 100 || p->read_percent == 0) {
        say_sizes(p->read_percent ? &p->read : &p->write, out);
        if (p->random_percent > 0 && p->random_percent < 100)
            strbuf_addf(out, " %d %%", p->random_percent);
        strbuf_addf(out, " %s %s", p->random_percent ? "random" : "sequential",
                    p->read_percent ? "read" : "write");
        return;
    }
    strbuf_addf(out, "%d %% reads of ", p->read_percent);
    say_sizes(&p->read, out);
    strbuf_adds(out, ", writes of ");
    say_sizes(&p->write, out);
    strbuf_addf(out, ", %d %% random", p->random_percent);
}
