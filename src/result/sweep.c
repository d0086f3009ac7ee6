/*
 * What the points of a curve say together, and whether they can be trusted. Pure functions of the
 * document.
 */
#include "result/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "result/result.h"
#include "result/verdict_rows.h"

#define FULL_PERCENT 80.0 /* of what may be under way */
#define SHORT_SECONDS 10.0
#define ROUNDING 1e-9 /* so that exactly 2 % is within */

struct sweep_point sweep_point_none(void)
{
    return (struct sweep_point){
        .percent = RESULT_NONE,
        .asked_iops = RESULT_NONE,
        .seconds = RESULT_NONE,
        .after_pause_s = RESULT_NONE,
        .iops = RESULT_NONE,
        .mib_per_s = RESULT_NONE,
        .read_iops = RESULT_NONE,
        .write_iops = RESULT_NONE,
        .latency_us = summary_none(),
        .outstanding = RESULT_NONE,
        .saturated = -1,
        .off = -1,
        .off_limit_percent = RESULT_NONE,
    };
}

static void profile_release(struct sweep_profile *p)
{
    for (size_t i = 0; i < p->points.n; i++)
        free(p->points.at[i].devices);
    VEC_RELEASE(&p->points);
    free(p->workload);
    free(p->name);
    free(p->mix);
    free(p->sources);
}

void sweep_release(struct result_sweep *s)
{
    for (size_t i = 0; i < s->profiles.n; i++)
        profile_release(&s->profiles.at[i]);
    VEC_RELEASE(&s->profiles);
    free(s->target);
    free(s->fio);
    free(s->taken_from);
    free(s->target_id);
    free(s->saved);
}

void sweep_drop_last(struct result_sweep *s)
{
    CHECK(s->profiles.n > 0);
    profile_release(&s->profiles.at[--s->profiles.n]);
}

const struct sweep_point *sweep_maximum(const struct sweep_profile *p)
{
    return p->points.n && isnan(p->points.at[0].asked_iops) ? &p->points.at[0] : NULL;
}

/* ---- the curve ---- */

/* Where y crosses `at` between two points, as a share of the way; both ends differ there. */
static double share(double from, double to, double at)
{
    return to == from ? 0 : (at - from) / (to - from);
}

static double between(double from, double to, double s)
{
    return from + (to - from) * s;
}

/* Latency rises by factors: between two points a curve is straight where its latency is drawn
 * logarithmically, as the page does, and a chord of the latency itself would lie above it. */
static double latency_between(double from, double to, double s)
{
    return from > 0 && to > 0 ? exp(between(log(from), log(to), s)) : between(from, to, s);
}

static double latency_share(double from, double to, double at)
{
    return from > 0 && to > 0 ? share(log(from), log(to), log(at)) : share(from, to, at);
}

/* The first asked point of the curve: the maximum stands before it. */
static size_t first_asked(const struct sweep_profile *p)
{
    return sweep_maximum(p) ? 1 : 0;
}

/* The latency at which the curve first reaches this rate; before its first point, that one's. */
static double latency_at(const struct sweep_profile *p, double iops)
{
    for (size_t i = first_asked(p); i < p->points.n; i++) {
        const struct sweep_point *to = &p->points.at[i];
        const struct sweep_point *from = i > first_asked(p) ? to - 1 : to;

        if (to->iops >= iops)
            return latency_between(from->latency_us.avg, to->latency_us.avg,
                                   share(from->iops, to->iops, iops));
    }
    /* Only the maximum reached it. */
    return sweep_maximum(p) ? sweep_maximum(p)->latency_us.avg : RESULT_NONE;
}

/* The highest rate of any point below the time, or on the line to the next one. */
static double iops_below(const struct sweep_profile *p, double us)
{
    double best = RESULT_NONE;

    for (size_t i = 0; i < p->points.n; i++) {
        const struct sweep_point *from = &p->points.at[i];
        const struct sweep_point *to = from + 1;
        double iops = from->iops;

        if (!(from->latency_us.avg < us))
            continue;
        if (i >= first_asked(p) && i + 1 < p->points.n && to->latency_us.avg >= us)
            iops = fmax(iops, between(from->iops, to->iops,
                                      latency_share(from->latency_us.avg, to->latency_us.avg, us)));
        best = fmax(best, iops);
    }
    return best;
}

void sweep_figures(struct sweep_profile *p)
{
    const struct sweep_point *peak = NULL;

    for (size_t i = 0; i < p->points.n; i++) {
        if (!peak || p->points.at[i].iops > peak->iops)
            peak = &p->points.at[i];
    }
    p->peak_iops = peak ? peak->iops : RESULT_NONE;
    p->peak_mib_per_s = peak ? peak->mib_per_s : RESULT_NONE;
    p->iops_at_95_percent = p->peak_iops * SWEEP_KNEE_PERCENT / 100;
    p->latency_us_at_95_percent = peak ? latency_at(p, p->iops_at_95_percent) : RESULT_NONE;
    p->iops_below_1_ms = iops_below(p, SWEEP_FAST_US);
}

/* Whether it was the drive that held the rate: all that may be under way was, or it did what it
 * does at most. (A stream that paces itself drains its queue now and then.) */
static bool drive_was_full(const struct sweep_profile *p, const struct sweep_point *point)
{
    const struct sweep_point *maximum = sweep_maximum(p);

    return 100 * point->outstanding >= FULL_PERCENT * (double)p->outstanding ||
           (maximum && 100 * point->iops >= SWEEP_KNEE_PERCENT * maximum->iops);
}

/* The variance of a direction's rate that comes from the chance of its sizes. */
static double chance(double iops, double spread, double seconds)
{
    return iops > 0 && spread > 0 && seconds > 0 ? iops * spread * spread / seconds : 0;
}

static double off_limit_percent(const struct sweep_profile *p, const struct sweep_point *point)
{
    const double variance = chance(point->read_iops, p->read_spread, point->seconds) +
                            chance(point->write_iops, p->write_spread, point->seconds);

    if (isnan(point->asked_iops))
        return RESULT_NONE;
    return fmax(SWEEP_OFF_PERCENT, 100 * SWEEP_OFF_SIGMAS * sqrt(variance) / point->asked_iops);
}

void sweep_add_point(struct sweep_profile *p, struct sweep_point point)
{
    const double off = 100 * (point.iops / point.asked_iops - 1);
    const double limit = off_limit_percent(p, &point);

    point.off_limit_percent = limit;
    point.saturated =
        isnan(point.asked_iops) || (off < -limit - ROUNDING && drive_was_full(p, &point));
    point.off = !point.saturated && fabs(off) > limit + ROUNDING;
    VEC_PUSH(&p->points, point);
    sweep_figures(p);
}

/* ---- verdict ---- */

bool result_is_oltp(const struct result *r)
{
    return !r->kind || strcmp(r->kind, "oltp") == 0;
}

bool result_is_sweep(const struct result *r)
{
    return r->kind && strcmp(r->kind, "sweep") == 0;
}

bool result_is_prep(const struct result *r)
{
    return r->kind && strcmp(r->kind, "prep") == 0;
}

/* Takes text over. */
static void question(struct result *r, struct verdict_reason reason)
{
    VEC_PUSH(&r->verdict.reasons, reason);
    if (r->verdict.status == VERDICT_VALID)
        r->verdict.status = VERDICT_QUESTIONABLE;
}

/* How many points are off by their rate, and the furthest. */
static void judge_rates(struct result *r)
{
    double worst = 0;
    double limit = SWEEP_OFF_PERCENT;
    int n = 0;

    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];

        for (size_t k = 0; k < p->points.n; k++) {
            const double off = 100 * (p->points.at[k].iops / p->points.at[k].asked_iops - 1);

            if (p->points.at[k].off != 1)
                continue;
            n++;
            if (fabs(off) <= fabs(worst))
                continue;
            worst = off;
            limit = p->points.at[k].off_limit_percent;
        }
    }
    if (n == 0)
        return;
    question(r, (struct verdict_reason){
                    .code = "rate",
                    .text = xasprintf("%d %s not at the rate that was asked for, up to %+.1f %%, "
                                      "over %.3g %%",
                                      n, n == 1 ? "point was" : "points were", worst, limit),
                    .value = fabs(worst),
                    .limit = limit,
                    .advice = xstrdup("longer points; nothing else on this machine")});
}

/* The number under way is the rig's own check: X x R = N at saturation. */
static void judge_outstanding(struct result *r)
{
    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];
        const struct sweep_point *m = sweep_maximum(p);
        double off = 0;

        if (!m || p->outstanding < 1)
            continue;
        off = 100 * (m->outstanding / (double)p->outstanding - 1);
        if (!(fabs(off) > SWEEP_OUTSTANDING_PERCENT))
            continue;
        question(r,
                 (struct verdict_reason){
                     .code = "outstanding",
                     .text = xasprintf("at its maximum %s had %.1f I/Os under way, not %lld",
                                       p->name, m->outstanding, (long long)p->outstanding),
                     .value = fabs(off),
                     .limit = SWEEP_OUTSTANDING_PERCENT,
                     .advice = xstrdup("this machine may be too slow for the drive: see its CPU")});
    }
}

static void judge_steady(struct result *r)
{
    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];

        if (p->steady != 0)
            continue;
        question(r, (struct verdict_reason){
                        .code = "unsteady",
                        .text = xasprintf("the maximum of %s was not steady after %lld rounds",
                                          p->name, (long long)p->rounds),
                        .value = (double)p->rounds,
                        .limit = RESULT_NONE,
                        .advice = xstrdup("prepare the drive first, or take longer points")});
    }
}

/* By the same row as a run of the database test. */
static void judge_health(struct result *r)
{
    struct finding f = {.limit = 0};

    if (throttled_broken(r, &f))
        question(r, (struct verdict_reason){
                        .code = "throttled",
                        .text = xstrdup(f.text),
                        .value = f.value,
                        .limit = f.limit,
                        .advice = xstrdup("cool the drive, and sweep it again: its peaks are lower "
                                          "than they may be"),
                    });
}

void sweep_judge(struct result *r)
{
    const struct result_sweep *s = &r->sweep;

    result_verdict_clear(r);
    if (s->points_done < s->points_planned)
        question(r, (struct verdict_reason){.code = "cut",
                                            .text = xasprintf("%lld of %lld points were measured",
                                                              (long long)s->points_done,
                                                              (long long)s->points_planned),
                                            .value = (double)s->points_done,
                                            .limit = (double)s->points_planned});
    if (s->point_seconds < SHORT_SECONDS)
        question(r, (struct verdict_reason){
                        .code = "short",
                        .text = xasprintf("points of %.3g s: good for function, not for figures",
                                          s->point_seconds),
                        .value = s->point_seconds,
                        .limit = SHORT_SECONDS,
                        .advice = xstrdup("--point-duration 60s")});
    judge_rates(r);
    judge_outstanding(r);
    judge_steady(r);
    judge_health(r);
}
