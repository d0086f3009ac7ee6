/*
 * See the header. Percents are of the maximum that was measured just before, by this profile.
 */
#include "block/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct sweeping {
    const struct sweep_env *env;
    struct fio_env io;
    struct result *r;
    struct sweep_profile *profile;        /* the last of r's */
    uint64_t started_ns, step_started_ns; /* started_ns: as if it had never been cut off */
    uint64_t done_ns, total_ns;           /* by the schedule; total grows with rounds */
    double after_pause_s;                 /* of the next point; NaN */
    char *output;
};

static uint64_t now_ns(const struct sweeping *s)
{
    return clock_now_ns(s->env->io.clock);
}

static void tell(struct sweeping *s, uint64_t done_ns)
{
    const struct progress p = {
        .step = "sweep",
        .unit = "s",
        .done = done_ns / NS_PER_S,
        .total = s->total_ns / NS_PER_S,
        .elapsed_ns = now_ns(s) - s->started_ns,
    };

    if (s->env->progress)
        s->env->progress(&p, s->env->ctx);
}

static void tick(void *ctx)
{
    struct sweeping *s = ctx;
    const uint64_t in_step_ns = now_ns(s) - s->step_started_ns;
    const uint64_t point_ns = schedule_point_ns(s->env->schedule);

    /* Never all of it before it has ended. */
    tell(s, s->done_ns + (in_step_ns < point_ns ? in_step_ns : point_ns) * 9 / 10);
}

/* ---- one point ---- */

static struct sweep_point point_of(const struct fio_figures *f, struct result_rates *devices,
                                   size_t n)
{
    struct sweep_point point = sweep_point_none();

    point.seconds = f->seconds;
    point.iops = f->iops;
    point.mib_per_s = f->mib_per_s;
    point.read_iops = f->read_iops;
    point.write_iops = f->write_iops;
    point.latency_us = f->latency_us;
    point.outstanding = f->iops * f->latency_us.avg / 1e6;
    point.devices = devices;
    point.n_devices = n;
    return point;
}

static int measure(struct sweeping *s, const struct schedule_step *step, double asked_iops,
                   struct sweep_point *out, struct err *err)
{
    const struct fio_point point = {
        .profile = step->profile,
        .fio = s->env->fio,
        .path = s->env->target->path,
        .output = s->output,
        .area_bytes = s->env->target->bytes,
        .asked_iops = asked_iops,
        .settle_ns = s->env->schedule->settle_ns,
        .duration_ns = s->env->schedule->duration_ns,
    };
    struct result_rates *devices = s->io.n_names ? xcalloc(s->io.n_names, sizeof(*devices)) : NULL;
    struct fio_figures figures;

    s->step_started_ns = now_ns(s);
    if (fio_run(&s->io, &point, &figures, devices, err) < 0) {
        free(devices);
        return -1;
    }
    s->done_ns += schedule_point_ns(s->env->schedule);
    if (!s->r->sweep.fio)
        s->r->sweep.fio = xstrdup(figures.version);
    *out = point_of(&figures, devices, s->io.n_names);
    out->asked_iops = asked_iops;
    return 0;
}

/* ---- the maximum ---- */

static bool is_steady(const double *iops, size_t n)
{
    return n >= STEADY_WINDOW && steady_judge(iops + n - STEADY_WINDOW, NULL).steady;
}

/* Rounds until it is steady, of which the last is the maximum; without until_steady one. */
static int measure_maximum(struct sweeping *s, const struct schedule_step *step,
                           struct sweep_point *out, struct err *err)
{
    const bool until_steady = s->env->schedule->until_steady;
    const size_t most = until_steady ? SCHEDULE_ROUNDS_MAX : 1;
    double iops[SCHEDULE_ROUNDS_MAX];
    size_t n = 0;

    do {
        if (n > 0)
            free(out->devices);
        if (n >= STEADY_WINDOW)
            s->total_ns += schedule_point_ns(s->env->schedule);
        if (measure(s, step, (double)NAN, out, err) < 0)
            return -1;
        iops[n++] = out->iops;
        if (until_steady)
            log_line(s->io.log, LOG_INFO, "%s: round %zu of the maximum: %.0f IOPS",
                     step->profile->name, n, out->iops);
    } while (n < most && !is_steady(iops, n));
    s->profile->rounds = (int64_t)n;
    s->profile->steady = until_steady ? is_steady(iops, n) : -1;
    return 0;
}

/* ---- in order ---- */

static void begin_profile(struct sweeping *s, const struct schedule_step *step)
{
    struct sweep_profile profile = {
        .workload = xstrdup(step->set->name),
        .name = xstrdup(step->profile->name),
        .modelled = step->set->modelled,
        .outstanding = step->profile->outstanding,
        .read_spread = profile_sizes_spread(&step->profile->read),
        .write_spread = profile_sizes_spread(&step->profile->write),
        .steady = -1,
    };
    struct strbuf text;

    strbuf_init(&text);
    profile_say(step->profile, &text);
    profile.mix = strbuf_detach(&text);
    for (size_t i = 0; i < step->set->sources.n; i++)
        strbuf_addf(&text, "%s%s", i ? "; " : "", step->set->sources.at[i]);
    if (text.len)
        profile.sources = strbuf_detach(&text);
    strbuf_release(&text);
    sweep_figures(&profile);
    VEC_PUSH(&s->r->sweep.profiles, profile);
    s->profile = &s->r->sweep.profiles.at[s->r->sweep.profiles.n - 1];
}

static double asked_of(const struct sweeping *s, const struct schedule_step *step)
{
    const struct sweep_point *maximum = sweep_maximum(s->profile);

    CHECK(maximum);
    if (step->kind == SCHEDULE_RATE)
        return step->value;
    return fmax(1, maximum->iops * step->value / 100);
}

static int run_step(struct sweeping *s, const struct schedule_step *step, struct err *err)
{
    struct sweep_point point = sweep_point_none();
    char now[32];
    int rc = 0;

    if (step->kind == SCHEDULE_MAXIMUM) {
        begin_profile(s, step);
        rc = measure_maximum(s, step, &point, err);
    } else {
        rc = measure(s, step, asked_of(s, step), &point, err);
        point.percent = step->kind == SCHEDULE_PERCENT ? step->value : (double)NAN;
    }
    if (rc < 0)
        return err_wrap(err, "%s", step->profile->name);
    point.after_pause_s = s->after_pause_s;
    s->after_pause_s = (double)NAN;
    sweep_add_point(s->profile, point);
    s->r->sweep.points_done++;
    clock_format_utc(clock_real_us(s->io.clock), now, sizeof(now));
    xset_text(&s->r->sweep.saved, now);
    tell(s, s->done_ns);
    return s->env->measured ? s->env->measured(s->r, s->profile, s->env->ctx, err) : 0;
}

/* ---- going on ---- */

static bool point_is_of(const struct sweep_point *point, const struct schedule_step *step)
{
    switch (step->kind) {
    case SCHEDULE_MAXIMUM:
        return isnan(point->asked_iops);
    case SCHEDULE_PERCENT:
        return point->percent == step->value;
    case SCHEDULE_RATE:
        return isnan(point->percent) && fabs(point->asked_iops - step->value) <= 1e-6 * step->value;
    }
    UNREACHABLE();
}

bool sweep_fits(const struct schedule *schedule, const struct result *r)
{
    const size_t done = r->sweep.points_done > 0 ? (size_t)r->sweep.points_done : 0;
    size_t profiles = 0;
    size_t points = 0; /* of the last profile, so far */

    if (done > schedule->steps.n)
        return false;
    for (size_t i = 0; i < done; i++) {
        const struct schedule_step *step = &schedule->steps.at[i];
        const struct sweep_profile *p = NULL;

        if (step->kind == SCHEDULE_MAXIMUM) {
            if (profiles > 0 && points != r->sweep.profiles.at[profiles - 1].points.n)
                return false;
            profiles++;
            points = 0;
        }
        if (profiles == 0 || profiles > r->sweep.profiles.n)
            return false;
        p = &r->sweep.profiles.at[profiles - 1];
        if (strcmp(p->name, step->profile->name) != 0 || points >= p->points.n ||
            !point_is_of(&p->points.at[points++], step))
            return false;
    }
    return profiles == r->sweep.profiles.n &&
           (profiles == 0 || points == r->sweep.profiles.at[profiles - 1].points.n);
}

int sweep_run(const struct sweep_env *env, struct result *r, struct err *err)
{
    const struct schedule *schedule = env->schedule;
    struct sweeping s = {.env = env, .io = env->io, .r = r, .after_pause_s = env->after_pause_s};
    const size_t had = (size_t)r->sweep.points_done;
    int rc = 0;

    CHECK(sweep_fits(schedule, r));
    if (r->sweep.profiles.n > 0)
        s.profile = &r->sweep.profiles.at[r->sweep.profiles.n - 1];

    s.io.tick = tick;
    s.io.ctx = &s;
    s.output = xasprintf("%s/fio.json", env->io.dir);
    s.done_ns = had * schedule_point_ns(schedule);
    s.started_ns = now_ns(&s) - s.done_ns;
    s.total_ns = schedule_least_ns(schedule);
    r->sweep.points_planned = (int64_t)schedule->steps.n;
    r->sweep.point_seconds = (double)schedule->duration_ns / NS_PER_S;
    r->sweep.settle_seconds = (double)schedule->settle_ns / NS_PER_S;
    for (size_t i = had; i < schedule->steps.n && rc == 0; i++)
        rc = run_step(&s, &schedule->steps.at[i], err);
    /* A profile of which nothing was measured says nothing. */
    if (s.profile && s.profile->points.n == 0)
        sweep_drop_last(&r->sweep);
    r->sweep.interrupted = rc < 0 && err->kind == ERR_INTERRUPTED;
    free(s.output);
    return rc;
}
