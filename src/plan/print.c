/*
 * The plan in words, 80 columns wide: what the user agrees to before anything is written.
 */
#include "plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "config/odbcstr.h"
#include "config/spec_value.h"
#include "config/utf8.h"
#include "plan/ladder.h"
#include "plan/memory.h"
#include "stats/steady.h"

enum { WIDTH = 80, LABEL_WIDTH = 14 };

struct text {
    char t[80];
};

static struct text bytes(uint64_t n)
{
    struct text out = {""};

    units_format_bytes(n, out.t, sizeof(out.t));
    return out;
}

static struct text count(uint64_t n)
{
    struct text out = {""};

    units_format_count(n, out.t, sizeof(out.t));
    return out;
}

static struct text rate(double tps)
{
    struct text out = {""};

    if (tps < 1000)
        (void)snprintf(out.t, sizeof(out.t), "%.1f", tps);
    else
        units_format_count((uint64_t)llround(tps), out.t, sizeof(out.t));
    return out;
}

static struct text duration(uint64_t ns)
{
    struct text out = {""};

    units_format_duration(ns, out.t, sizeof(out.t));
    return out;
}

static struct text short_duration(double s)
{
    struct text out = {""};

    units_format_duration_short((uint64_t)(s * 1e9), out.t, sizeof(out.t));
    return out;
}

/* "  label       text", wrapped at WIDTH, further lines under the text. */
static void add_line(struct strbuf *out, const char *label, const char *text)
{
    size_t column = LABEL_WIDTH;

    strbuf_addf(out, "  %-*s", LABEL_WIDTH - 2, label);
    while (*text) {
        const size_t len = strcspn(text, " ");

        if (column > LABEL_WIDTH && column + 1 + len > WIDTH) {
            strbuf_addf(out, "\n%*s", LABEL_WIDTH, "");
            column = LABEL_WIDTH;
        } else if (column > LABEL_WIDTH) {
            strbuf_addc(out, ' ');
            column++;
        }
        strbuf_add(out, text, len);
        column += len;
        text += len + strspn(text + len, " ");
    }
    strbuf_addc(out, '\n');
}

PRINTF_LIKE(3, 4)
static void add(struct strbuf *out, const char *label, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;

    va_start(ap, fmt);
    text = xvasprintf(fmt, ap);
    va_end(ap);
    add_line(out, label, text);
    free(text);
}

static void add_target(struct strbuf *out, const struct settings *s, const struct plan_facts *f)
{
    char *shown = NULL;

    if (f->private_server) {
        add(out, "server", "private PostgreSQL in %s/tpcc-run/",
            s->target.drive ? s->target.drive : ".");
        return;
    }
    if (s->target.odbc)
        shown = odbcstr_redact(s->target.odbc);
    else if (s->target.pg)
        shown = config_redact_conninfo(s->target.pg);
    add(out, "server", "%s \"%s\"", s->target.odbc ? "through ODBC," : "PostgreSQL at",
        shown ? shown : "");
    free(shown);
}

static void add_dataset(struct strbuf *out, const struct plan *p, const struct plan_facts *f,
                        bool rebuild)
{
    const uint64_t warehouses = (uint64_t)p->dataset.warehouses;
    const char *state = "to be loaded";

    if (f->dataset_warehouses && rebuild)
        state = "to be loaded anew, what is there is dropped";
    else if (f->dataset_complete)
        state = "already there";
    else if (f->dataset_warehouses)
        state = "a load that was cut off goes on";
    add(out, "dataset", "%s warehouse%s, %s: %s", count(warehouses).t, warehouses == 1 ? "" : "s",
        bytes(p->space.dataset).t, state);
    if (p->space.dataset_missing)
        add(out, "load", "%s %s, with %" PRIu32 " loader%s, one %s at a time each",
            p->load_known ? "as the last one here:" : "estimated by cores:",
            short_duration(p->load_seconds).t, p->loaders, p->loaders == 1 ? "" : "s",
            p->unit_table ? "table" : "warehouse");
}

static void add_pace(struct strbuf *out, const struct plan *p, const struct settings *s)
{
    const char *name = s->workload.name ? s->workload.name : "inline";
    const double per_warehouse = (double)p->users / p->dataset.warehouses;

    if (p->pace.kind == PACE_NONE) {
        add(out, "workload", "%s: no waits, every session takes the next of %s users", name,
            count(p->users).t);
        add(out, "ceiling", "none; the space is reckoned with %s TPS", rate(p->space_tps).t);
    } else {
        add(out, "workload", "%s: mean %s %.4g s", name,
            p->pace.kind == PACE_INTERARRIVAL ? "interval" : "cycle", p->mean_cycle_s);
        add(out, "ceiling", "%s TPS is the most that this pace allows", rate(p->ceiling_tps).t);
    }
    if (p->home_drawn)
        add(out, "users", "%s, fewer than warehouses: each transaction draws its home anew",
            count(p->users).t);
    else
        add(out, "users", "%s, %.4g a warehouse%s", count(p->users).t, per_warehouse,
            per_warehouse > 10 ? " (the standard has 10)" : "");
}

static void add_sessions(struct strbuf *out, const struct plan *p, const struct settings *s,
                         const struct plan_facts *f)
{
    char *room = NULL;

    if (!f->private_server && f->free_connections >= 0)
        room = xasprintf(" (the server has %" PRId64 " free connections)", f->free_connections);
    add(out, "sessions", "%" PRIu32 "%s%s", p->sessions, s->run.sessions ? ", as given" : "",
        room ? room : "");
    if (p->delivery_deferred)
        add(out, "Delivery", "deferred, executed by at most %" PRIu32 " sessions",
            p->delivery_sessions);
    free(room);
}

static void add_server(struct strbuf *out, const struct plan *p, const struct plan_facts *f)
{
    if (!f->private_server)
        return;
    add(out, "buffer", "%s, %.1f %% of the dataset", bytes(p->buffer_bytes).t,
        100.0 * (double)p->buffer_bytes / (double)p->space.dataset);
    add(out, "checkpoint", "every %s, WAL up to %s",
        duration(p->checkpoint_timeout_s * 1000000000).t, bytes(p->max_wal_bytes).t);
}

static void add_ladder(struct strbuf *out, const struct settings *s)
{
    struct strbuf words;

    if (!ladder_is_asked(s))
        return;
    strbuf_init(&words);
    ladder_words(s, &words);
    add(out, "steps", "%s", words.buf);
    strbuf_release(&words);
}

/* With --restore or without it. */
static void add_repeats(struct strbuf *out, uint64_t repeats, const struct plan_facts *f)
{
    if (repeats > 1)
        add(out, "repeats", "%s runs, %s", count(repeats).t,
            f->restore ? "the dataset put back before each"
                       : "in a row: each finds what the ones before it left (see --restore)");
}

static void add_restore(struct strbuf *out, const struct settings *s, const struct plan_facts *f)
{
    const bool copy = s->restore.method == RESTORE_COPY;
    const char *where = f->image_on_drive    ? "on the drive itself, which a copy reads and writes"
                        : f->image_on_device ? "on the same device, which a copy reads and writes"
                                             : "on another device";

    if (!f->restore)
        return;
    add(out, "restore", "by %s from an image in %s, %s; %s; then %s of rest",
        copy ? "copy" : "reflink", f->image_dir,
        f->image_there && !s->load.rebuild ? "already there" : "to be made first", where,
        duration(s->restore.rest_ns).t);
}

static const char *check_word(int level)
{
    return level == CHECK_NONE ? "none" : level == CHECK_QUICK ? "quick" : "full";
}

static void add_phase(struct strbuf *out, enum plan_phase phase, const char *from,
                      const char *length)
{
    strbuf_addf(out, "    %-14s %12s   %s\n", plan_phase_name(phase), from, length);
}

static void add_precondition(struct strbuf *out, const struct plan *p)
{
    char *length = NULL;

    if (!p->until_steady) {
        add_phase(out, PHASE_PRECONDITION, "0s", duration(p->precondition_ns).t);
        return;
    }
    length = xasprintf("until steady, planned %s, at most %s",
                       short_duration((double)p->precondition_planned_ns / 1e9).t,
                       short_duration((double)p->precondition_ns / 1e9).t);
    add_phase(out, PHASE_PRECONDITION, "0s", length);
    free(length);
}

static void add_phases(struct strbuf *out, const struct plan *p)
{
    char *drain = xasprintf("up to %s", duration(p->drain_ns).t);
    char *ramp =
        xasprintf("%s, inside the precondition", short_duration((double)p->ramp_ns / 1e9).t);

    strbuf_adds(out, "\n  phase                  from   length\n");
    add_phase(out, PHASE_RAMP, "0s", ramp);
    add_precondition(out, p);
    add_phase(out, PHASE_SAMPLE, p->until_steady ? "then" : duration(p->precondition_ns).t,
              duration(p->sample_ns).t);
    add_phase(out, PHASE_DRAIN,
              p->until_steady ? "then" : duration(p->precondition_ns + p->sample_ns).t, drain);
    strbuf_addf(out, "  steadiness is judged over %d rounds of %s\n", STEADY_WINDOW,
                duration(p->round_ns).t);
    strbuf_addf(out, "  a row of the series every %s; checks: %s before, %s after\n",
                duration(p->interval_ns).t, check_word(p->check_before),
                check_word(p->check_after));
    free(ramp);
    free(drain);
}

static void add_term(struct strbuf *out, const char *term, uint64_t n, const char *note)
{
    const struct text value = bytes(n);

    strbuf_addf(out, "    %-22s %10s%s%s\n", term, value.t, *note ? "   " : "", note);
}

/* The whole machine's memory then counts as what may hide the drive. */
static void add_unlimited(struct strbuf *out, const struct plan *p, const struct plan_facts *f)
{
    const struct plan_memory *m = &p->memory;
    const char *why = m->limit ? f->memory_unlimited : "as asked for";
    const double times = (double)p->space.dataset / (double)f->memory_bytes;

    if (m->honest_warehouses == 0)
        add(out, "unlimited", "%s", why);
    else if ((uint64_t)p->dataset.warehouses >= m->honest_warehouses)
        add(out, "unlimited", "%s; the dataset is %.1f times this machine's memory: that does", why,
            times);
    else
        add(out, "unlimited",
            "%s: reads may come from RAM; from --warehouses %" PRIu64
            " on the dataset is 5.2 times this machine's memory",
            why, m->honest_warehouses);
}

/* What the limit is made of, or why there is none. */
static void add_memory(struct strbuf *out, const struct plan *p, const struct plan_facts *f)
{
    const struct plan_memory *m = &p->memory;
    char *sessions = xasprintf("12 MB for each of %" PRIu32 " sessions", p->sessions);
    const double dataset = (double)p->space.dataset;
    const bool limited = m->limit && f->memory_limiter;
    char *limit = NULL;

    strbuf_adds(out, "\n  memory of the server\n");
    add_term(out, "page cache", m->page_cache, "4.8 % of the dataset, at least 33.6 MB");
    add_term(out, "sessions", m->sessions, sessions);
    add_term(out, "the server's own", m->own, "1/16 of the dataset, 134 MB to 1 GB");
    add_term(out, "buffer", m->buffer, m->huge ? "in huge pages, not counted" : "");
    if (!m->huge)
        add_term(out, "page tables", m->page_tables,
                 "8 B a session and 4 KiB; none with huge pages");
    if (m->given)
        add_term(out, "sum", memory_sum(m), "");
    if (m->limit) {
        limit = xasprintf("%s%s; the dataset is %.1f times that", limited ? "by " : "wished for",
                          limited ? f->memory_limiter : "", dataset / (double)m->limit);
        add_term(out, m->given ? "limit, as given" : "limit, their sum", m->limit, limit);
    }
    free(limit);
    free(sessions);
    if (limited && m->limit < memory_sum(m) - m->page_cache)
        add(out, "beware",
            "the limit leaves less than the server may need beside its page cache: "
            "the kernel may end it");
    if (!limited)
        add_unlimited(out, p, f);
}

static void add_space(struct strbuf *out, const struct plan *p, const struct plan_facts *f)
{
    const struct plan_space *x = &p->space;
    char *inserts = xasprintf("at %s TPS%s", rate(p->space_tps).t,
                              f->repeats > 1 && f->runs > 0 ? " over all runs"
                              : f->runs > 0                 ? ", less in smaller steps"
                                                            : " over the whole run");
    char *writes = xasprintf("about %s, WAL and pages", bytes(x->run_writes).t);

    strbuf_adds(out, "\n  space\n");
    add_term(out, "dataset to load", x->dataset_missing, "with its indexes");
    if (x->image)
        add_term(out, "image of the dataset", x->image, "on the same drive");
    if (!f->load_only) {
        add_term(out, "inserts of the run", x->inserts, inserts);
        add_term(out, "row versions", x->versions, "before autovacuum catches up");
        add_term(out, "WAL held", x->wal, "2.2 times a checkpoint interval's");
    }
    add_term(out, "file system's reserve", x->reserve, "10 % of its size");
    add_term(out, "needed", x->needed, "");
    if (f->fs_size_bytes)
        add_term(out, "free", x->free, x->fits ? "" : "not enough");
    else
        strbuf_addf(out, "    %-22s %10s   %s\n", "free", "?",
                    "the server's drive is not seen here");
    if (!f->load_only)
        add(out, "writes", "the run: %s%s%s", writes, x->dataset_missing ? "; the load: " : "",
            x->dataset_missing ? bytes(x->dataset_missing).t : "");
    free(writes);
    free(inserts);
}

void plan_print(const struct plan *plan, const struct settings *s, const struct plan_facts *facts,
                struct strbuf *out)
{
    CHECK(plan->printable);
    strbuf_adds(out, "Plan\n");
    add_target(out, s, facts);
    add_dataset(out, plan, facts, s->load.rebuild);
    add_restore(out, s, facts);
    if (facts->load_only) {
        add_space(out, plan, facts);
        return;
    }
    add_ladder(out, s);
    add_repeats(out, facts->repeats, facts);
    add_pace(out, plan, s);
    add_sessions(out, plan, s, facts);
    add_server(out, plan, facts);
    add_phases(out, plan);
    if (facts->private_server)
        add_memory(out, plan, facts);
    add_space(out, plan, facts);
    add(out, "reach", "%s within reach of the users%s%s%s", bytes(plan->reach_bytes).t,
        facts->memory_bytes ? ", memory " : "",
        facts->memory_bytes ? bytes(facts->memory_bytes).t : "",
        plan->reach_warning ? ": below 4 times the memory, so that reads may come from RAM and not "
                              "from the drive"
                            : "");
}

/* The setting's value: the plan's where it was left to it. */
static void add_origin_row(struct strbuf *out, const struct spec *row, const struct config *c,
                           const struct settings *resolved)
{
    const struct origin *origin = &c->origin[spec_index(row)];
    const bool automatic = spec_value_is_auto(row, &c->s);
    struct strbuf value;
    struct strbuf from;

    strbuf_init(&value);
    strbuf_init(&from);
    spec_value_format(row, automatic ? resolved : &c->s, &value);
    config_origin_text(origin, &from);
    if (automatic && strcmp(value.buf, "auto") != 0)
        strbuf_adds(&from, ", auto");
    if (value.len == 0)
        strbuf_addc(&value, '-');
    strbuf_addf(out, "  %-31s ", row->path);
    if (utf8_width(value.buf) > 20)
        strbuf_addf(out, "%s\n%34s%-20s ", value.buf, "", "");
    else
        strbuf_addf(out, "%s%*s ", value.buf, 20 - utf8_width(value.buf), "");
    strbuf_addf(out, "%s\n", from.buf);
    strbuf_release(&from);
    strbuf_release(&value);
}

void plan_print_origins(const struct plan *plan, const struct config *c, struct strbuf *out)
{
    struct settings resolved;

    plan_resolve(plan, &c->s, &resolved);
    strbuf_addf(out, "Settings\n  %-31s %-20s %s\n", "setting", "value", "from");
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        if ((config_spec[i].programs & c->program) && !(config_spec[i].flags & SPEC_HIDDEN))
            add_origin_row(out, &config_spec[i], c, &resolved);
    }
}
