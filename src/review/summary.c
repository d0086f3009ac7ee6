/*
 * See the header. Each figure is the step's own result's.
 */
#include "review/summary.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/prep.h"
#include "result/json_fields.h"
#include "result/result_dir.h"
#include "result/result_json.h"

static void add_profiles(const struct result *r, struct strbuf *out)
{
    strbuf_addf(out, "%-11s%-24s %10s %8s %10s %10s\n", "", "profile", "peak IOPS", "MiB/s",
                "us at 95 %", "below 1 ms");
    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];

        strbuf_addf(out, "%-11s", "");
        cell_clip(out, p->name, 24, 1);
        strbuf_addf(out, " %10s %8s %10s %10s\n", cell_figure(p->peak_iops).text,
                    cell_figure(p->peak_mib_per_s).text,
                    cell_figure(p->latency_us_at_95_percent).text,
                    cell_figure(p->iops_below_1_ms).text);
    }
}

static void add_run(const struct result *r, struct strbuf *out)
{
    const struct summary *t = &r->sample.time[TIME_RESPONSE];

    strbuf_addf(out, "%-11s%s users on %s warehouse%s: %s TPS, %s %% of the ceiling\n", "",
                cell_count(r->workload.users).text, cell_count(r->dataset.warehouses).text,
                r->dataset.warehouses == 1 ? "" : "s", cell_figure(r->sample.tps).text,
                cell_fixed(r->sample.tps_percent_of_ceiling, 1).text);
    strbuf_addf(out, "%-11sresponse avg %s, p95 %s, p99 %s, max %s ms\n", "",
                cell_figure(t->avg).text, cell_figure(t->p95).text, cell_figure(t->p99).text,
                cell_figure(t->max).text);
}

static void add_figures(const struct result *r, struct strbuf *out)
{
    struct strbuf words;

    if (result_is_sweep(r)) {
        add_profiles(r, out);
    } else if (result_is_prep(r)) {
        strbuf_init(&words);
        prep_words(&r->drive.prep, &words);
        cell_paragraph(out, "", words.buf);
        strbuf_release(&words);
    } else {
        add_run(r, out);
    }
}

static void add_step(const char *path, const struct review_state *s, int step, struct strbuf *out)
{
    const struct review_done *d = &s->done[step];
    char *full = NULL;
    struct result r;

    if (!d->result) {
        strbuf_addf(out, "%-11snot done\n", review_step_name(step));
        return;
    }
    strbuf_addf(out, "%-11s%s, %s, in %s\n", review_step_name(step), review_step_words(step),
                d->verdict ? d->verdict : "-", cell_duration(d->seconds).text);
    strbuf_addf(out, "%-11s%s\n", "", d->result);
    full = xasprintf("%s/%s", path, d->result);
    result_init(&r);
    if (result_dir_read_figures(full, &r, NULL) == 0)
        add_figures(&r, out);
    result_release(&r);
    free(full);
}

void review_summary(const char *path, const struct review_state *s, struct strbuf *out)
{
    strbuf_adds(out, "Review of ");
    cell_clean(out, s->drive);
    if (s->model) {
        strbuf_adds(out, ", ");
        cell_clean(out, s->model);
    }
    strbuf_addf(out, ", %s\n\n", cell_bytes(s->size_bytes).text);
    strbuf_addf(out, "begun      %s\n", s->started ? s->started : "-");
    strbuf_addf(out, "ended      %s\n", s->ended ? s->ended : "-");
    for (int step = 0; step < REVIEW_STEPS; step++)
        add_step(path, s, step, out);
    strbuf_addf(out,
                "\nBoth kinds in one report, also beside another drive's review:\n"
                "  tpcc-report %s [REVIEW...]\n",
                path);
    strbuf_addf(out, "result: %s\n", path);
}

/* As its result.json: read, so that what is broken there is not passed on. */
static json_t *document_of(const char *path, const char *result)
{
    char *full = xasprintf("%s/%s", path, result);
    char *text = NULL;
    json_t *json = NULL;
    struct result r;

    result_init(&r);
    if (result_dir_read_figures(full, &r, NULL) == 0) {
        text = result_json_write(&r);
        json = json_parse(text, NULL);
    }
    result_release(&r);
    free(text);
    free(full);
    return json ? json : json_null();
}

char *review_summary_json(const char *path, const struct review_state *s)
{
    char *state = review_state_write(s);
    json_t *root = json_parse(state, NULL);
    json_t *steps = json_object_get(root, "steps");

    free(state);
    CHECK(root);
    CHECK(steps);
    json_put(root, "path", json_text(path));
    for (int step = 0; step < REVIEW_STEPS; step++) {
        json_t *one = json_object_get(steps, review_step_name(step));

        CHECK(one);
        json_put(one, "document",
                 s->done[step].result ? document_of(path, s->done[step].result) : json_null());
    }
    return json_finish(root);
}
