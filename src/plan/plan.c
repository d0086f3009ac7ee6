/*
 * Derives the plan from settings and facts, in the order in which one number needs another: pace,
 * warehouses and users, sessions, phases, buffer, load, space. Each step is one function that fills
 * its part. Pure: no clock, no files, no server.
 */
#include "plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "config/rules.h"
#include "plan/ladder.h"
#include "plan/memory.h"
#include "plan/space.h"
#include "stats/steady.h"

#define BUFFER_SHARE 0.144 /* of the dataset: 48 GB of 333 GB, as the reviews */
#define BUFFER_RAM_SHARE 0.4
#define BUFFER_MIN (UINT64_C(16) << 20)
#define SESSION_TIME_S 0.1 /* sessions = ceiling TPS x this */
#define SESSIONS_MIN 16
#define SESSIONS_MAX 400
#define SESSIONS_LEFT 5        /* connections left to others on a server that is not ours */
#define SESSIONS_A_CPU 8       /* without a pace */
#define GUESSED_TPS_A_CPU 1000 /* without a pace, for the space */
#define SERIES_ROWS 10800
#define CHECKPOINT_MIN_S 30
#define CHECKPOINT_MAX_S 300
#define WAL_MIN_BYTES UINT64_C(1000000000)
#define REACH_TIMES_MEMORY 4
#define UNIT_TABLE_CPUS 4 /* up to so many cores a private server is loaded by whole tables */
#define LOADERS_MAX 16
/* Seconds of one core per warehouse for rows, keys, vacuum and checks. */
#define LOAD_CORE_S_PRIVATE 2.6
#define LOAD_CORE_S 4.2

_Static_assert((int)SETTINGS_TXN == (int)TXN_TYPES, "transactions of settings and of tpcc");
_Static_assert((int)SETTINGS_DIST_NORMAL == (int)DIST_NORMAL, "kinds of distribution");
_Static_assert((int)SETTINGS_PACE_NONE == (int)PACE_NONE, "kinds of pace");

const char *plan_phase_name(enum plan_phase p)
{
    static const char *const names[] = {"ramp", "precondition", "sample", "drain"};

    _Static_assert(ARRAY_LEN(names) == PHASES, "names of phases");
    CHECK(p < PHASES);
    return names[p];
}

static struct dist dist_of(const struct settings_dist_of *d)
{
    return (struct dist){
        .kind = (enum dist_kind)d->kind,
        .mean_ns = (double)d->mean_ns,
        .low_ns = (double)d->low_ns,
        .high_ns = (double)d->high_ns,
        .sd_ns = (double)d->sd_ns,
    };
}

static uint32_t ppm_of(double percent)
{
    return (uint32_t)llround(percent * 10000);
}

static void build_workload(struct plan *p, const struct settings_workload *w)
{
    p->pace.kind = (enum pace_kind)w->pace;
    p->pace.factor = w->factor;
    p->pace.interval = dist_of(&w->interval);
    for (int t = 0; t < TXN_TYPES; t++) {
        p->mix[t] = (uint8_t)w->mix[t];
        p->pace.keying[t] = dist_of(&w->keying[t]);
        p->pace.think[t] = dist_of(&w->think[t]);
    }
    p->delivery_deferred = w->delivery_deferred;
    p->rules.rollback_ppm = ppm_of(w->rollback_percent);
    p->rules.remote_line_ppm = ppm_of(w->remote_line_percent);
    p->rules.remote_payment_ppm = ppm_of(w->remote_payment_percent);
    p->rules.by_name_ppm = ppm_of(w->by_name_percent);
}

/* A dataset that is there stays unless --rebuild drops it: its size then is what can be asked for.
 */
static int check_dataset(uint64_t asked, const struct settings *s, const struct plan_facts *f,
                         struct err *err)
{
    if (!f->dataset_warehouses || s->load.rebuild || asked == f->dataset_warehouses)
        return 0;
    return err_set(err, ERR_USAGE,
                   "%s %" PRIu64 " warehouses, not %" PRIu64 " (give --warehouses %" PRIu64
                   " to use it, or --rebuild to drop it and load anew)",
                   f->dataset_complete ? "the dataset that is there has"
                                       : "the load that was cut off here is of",
                   f->dataset_warehouses, asked, f->dataset_warehouses);
}

static int build_dataset(struct plan *p, const struct settings *s, const struct plan_facts *f,
                         struct err *err)
{
    uint64_t warehouses = s->load.warehouses;

    if (s->load.size_bytes)
        warehouses = space_warehouses(s->load.size_bytes);
    if (warehouses && check_dataset(warehouses, s, f, err) < 0)
        return -1;
    if (!warehouses)
        warehouses = f->dataset_warehouses ? f->dataset_warehouses : (s->run.users + 9) / 10;
    p->dataset.warehouses = (int32_t)warehouses;
    p->dataset.seed = s->load.seed;
    p->dataset.load_time_us = s->load.time_us;
    p->dataset.c_load = nurand_c_load(s->load.seed);
    p->rules.seed = s->run.seed;
    p->rules.warehouses = p->dataset.warehouses;
    p->reach_bytes = space_of_dataset(warehouses);
    return 0;
}

static void build_users(struct plan *p, const struct settings *s, const struct plan_facts *f)
{
    const uint64_t warehouses = (uint64_t)p->dataset.warehouses;

    p->users = p->pace.kind == PACE_NONE ? 10 * warehouses : s->run.users;
    p->home_drawn = p->users < warehouses;
    p->mean_cycle_s = pace_mean_cycle_ns(&p->pace, p->mix) / (double)NS_PER_S;
    p->ceiling_tps = pace_ceiling_tps(&p->pace, p->mix, p->users);
    p->space_tps = isnan(p->ceiling_tps) ? GUESSED_TPS_A_CPU * fmax(f->cpus, 1) : p->ceiling_tps;
}

static uint64_t clamp(uint64_t n, uint64_t low, uint64_t high)
{
    return n < low ? low : n > high ? high : n;
}

static int build_sessions(struct plan *p, const struct settings *s, const struct plan_facts *f,
                          struct err *err)
{
    const double wanted = p->pace.kind == PACE_NONE ? SESSIONS_A_CPU * fmax(f->cpus, 1)
                                                    : round(p->ceiling_tps * SESSION_TIME_S);
    const uint64_t automatic =
        clamp((uint64_t)fmin(wanted, SESSIONS_MAX), SESSIONS_MIN, SESSIONS_MAX);
    const int64_t room = f->free_connections - SESSIONS_LEFT;
    uint64_t n = s->run.sessions ? s->run.sessions : automatic;

    if (!f->private_server && f->free_connections >= 0) {
        if (room < 1)
            return err_set(err, ERR_SURROUNDINGS,
                           "the server has %" PRId64 " free connections, at least %d are needed "
                           "(raise its max_connections, or end other sessions)",
                           f->free_connections, SESSIONS_LEFT + 1);
        if (s->run.sessions > (uint64_t)room)
            return err_set(err, ERR_SURROUNDINGS,
                           "the server has %" PRId64 " free connections, of which %d are left to "
                           "others: %" PRIu64 " sessions do not fit (try --sessions %" PRId64 ")",
                           f->free_connections, SESSIONS_LEFT, s->run.sessions, room);
        n = n > (uint64_t)room ? (uint64_t)room : n;
    }
    p->sessions = (uint32_t)n;
    p->delivery_sessions = p->delivery_deferred ? (uint32_t)clamp(n / 10, 1, n) : 0;
    return 0;
}

/* The smallest of 1, 2, 5, 10, 30, 60 s that keeps the series short. */
static uint64_t choose_interval_ns(uint64_t duration_ns, uint64_t sample_ns)
{
    static const uint64_t seconds[] = {1, 2, 5, 10, 30, 60};
    uint64_t interval_ns = 0;

    for (size_t i = 0; i < ARRAY_LEN(seconds); i++) {
        interval_ns = seconds[i] * NS_PER_S;
        if (duration_ns <= interval_ns * SERIES_ROWS)
            break;
    }
    return interval_ns < sample_ns ? interval_ns : sample_ns;
}

/* A whole checkpoint, so that its saw-tooth is no drift; in a run that does not hold the rounds of
 * a window, as long as gives one more than these. Whole intervals. */
static uint64_t choose_round_ns(const struct plan *p)
{
    const uint64_t checkpoint_ns = p->checkpoint_timeout_s * NS_PER_S;
    const uint64_t span_ns = p->precondition_ns + p->sample_ns - p->ramp_ns;
    uint64_t round_ns = checkpoint_ns;

    if (span_ns < STEADY_WINDOW * checkpoint_ns)
        round_ns = span_ns / (STEADY_WINDOW + 1);
    else
        round_ns += p->interval_ns - 1;
    round_ns -= round_ns % p->interval_ns;
    return round_ns > 0 ? round_ns : p->interval_ns;
}

/* With --until-steady: the bound, with room for a window of rounds behind the ramp. */
static uint64_t precondition_bound_ns(const struct plan *p, const struct settings_run *r)
{
    const uint64_t checkpoint_ns = p->checkpoint_timeout_s * NS_PER_S;
    const uint64_t least_ns = p->ramp_ns + (STEADY_WINDOW + 1) * checkpoint_ns;
    const uint64_t asked_ns =
        r->precondition_max_ns ? r->precondition_max_ns : 2 * p->precondition_planned_ns;

    return asked_ns > least_ns ? asked_ns : least_ns;
}

static void build_phases(struct plan *p, const struct settings_run *r, uint64_t sample_ns)
{
    const uint64_t cycle_ns = (uint64_t)(p->mean_cycle_s * (double)NS_PER_S);
    uint64_t duration_ns;

    CHECK(sample_ns > 0);
    CHECK(sample_ns < r->duration_ns);
    p->sample_ns = sample_ns;
    p->precondition_planned_ns = r->duration_ns - sample_ns;
    p->precondition_ns = p->precondition_planned_ns;
    p->until_steady = r->until_steady;
    p->checkpoint_timeout_s = clamp(sample_ns / 6 / NS_PER_S, CHECKPOINT_MIN_S, CHECKPOINT_MAX_S);
    p->ramp_ns = r->ramp_ns == UINT64_MAX ? cycle_ns : r->ramp_ns;
    if (p->ramp_ns > p->precondition_ns)
        p->ramp_ns = p->precondition_ns;
    if (p->until_steady)
        p->precondition_ns = precondition_bound_ns(p, r);
    duration_ns = p->precondition_ns + sample_ns;
    p->drain_ns = r->drain_ns;
    p->interval_ns = r->interval_ns ? r->interval_ns : choose_interval_ns(duration_ns, sample_ns);
    p->txn_timeout_ns = r->txn_timeout_ns;
    p->attempts_max = (uint32_t)r->attempts;
    p->check_before = r->check < 0 ? CHECK_QUICK : r->check;
    p->check_after = r->check < 0 ? CHECK_FULL : r->check;
    p->round_ns = choose_round_ns(p);
}

/* Whole pages of the server. */
static uint64_t page_floor(uint64_t bytes)
{
    return bytes / 8192 * 8192;
}

static int build_buffer(struct plan *p, const struct settings *s, const struct plan_facts *f,
                        struct err *err)
{
    const double dataset = (double)space_of_dataset((uint64_t)p->dataset.warehouses);
    double automatic = BUFFER_SHARE * dataset;
    char asked[32];
    char memory[32];

    if (!f->private_server)
        return 0; /* it has its own */
    if (f->memory_bytes)
        automatic = fmin(automatic, BUFFER_RAM_SHARE * (double)f->memory_bytes);
    p->buffer_bytes =
        page_floor(s->server.buffer_bytes ? s->server.buffer_bytes
                                          : clamp((uint64_t)automatic, BUFFER_MIN, UINT64_MAX));
    if (!f->memory_bytes || p->buffer_bytes < f->memory_bytes)
        return 0;
    units_format_bytes(p->buffer_bytes, asked, sizeof(asked));
    units_format_bytes(f->memory_bytes, memory, sizeof(memory));
    return err_set(err, ERR_USAGE,
                   "a buffer of %s does not fit in this machine's %s of memory "
                   "(leave --buffer out, or give at most half)",
                   asked, memory);
}

static void build_load(struct plan *p, const struct settings *s, const struct plan_facts *f)
{
    const uint64_t cpus = f->cpus > 0 ? (uint64_t)f->cpus : 1;
    const double core_s = f->private_server ? LOAD_CORE_S_PRIVATE : LOAD_CORE_S;
    const uint64_t loaders =
        s->load.loaders ? (uint64_t)s->load.loaders : clamp(cpus, 1, LOADERS_MAX);
    const double missing =
        (double)p->space.dataset_missing / (double)(space_of_dataset(2) - space_of_dataset(1));

    p->loaders = (uint32_t)loaders;
    p->unit_table = s->load.unit ? s->load.unit == 2 : f->private_server && cpus <= UNIT_TABLE_CPUS;
    p->load_known = f->warehouse_load_s > 0;
    p->load_seconds = p->load_known ? missing * f->warehouse_load_s
                                    : missing * core_s / (double)clamp(loaders, 1, cpus);
}

/* Of all runs that follow each other. */
static uint64_t length_ns(const struct plan *p, const struct plan_facts *f)
{
    return (uint64_t)((double)(p->precondition_ns + p->sample_ns) * fmax(f->runs, 1));
}

static void build_space(struct plan *p, const struct settings *s, const struct plan_facts *f)
{
    const struct space_run run = {
        .warehouses = (uint64_t)p->dataset.warehouses,
        .mix = p->mix,
        .tps = p->space_tps,
        .duration_ns = length_ns(p, f),
        .checkpoint_timeout_s = p->checkpoint_timeout_s,
        .rebuild = s->load.rebuild,
    };

    space_build(&p->space, &run, f);
    p->max_wal_bytes = p->space.wal > WAL_MIN_BYTES ? p->space.wal : WAL_MIN_BYTES;
}

/* A smaller run: users in the same proportion to the warehouses, at least one. */
struct smaller {
    uint64_t warehouses;
    uint64_t users;
};

static bool smaller_fits(const struct plan *p, const struct settings *s, const struct plan_facts *f,
                         const struct smaller *try)
{
    const double a_user = p->users ? p->space_tps / (double)p->users : 0;
    struct plan_space space;
    const struct space_run run = {
        .warehouses = try->warehouses,
        .mix = p->mix,
        .tps = p->pace.kind == PACE_NONE ? p->space_tps : a_user * (double)try->users,
        .duration_ns = length_ns(p, f),
        .checkpoint_timeout_s = p->checkpoint_timeout_s,
        .rebuild = s->load.rebuild,
    };

    space_build(&space, &run, f);
    return space.fits;
}

/* The biggest that fits, by halving: more of both never takes less space. 0 warehouses: none. A
 * dataset that stays as it is can't be smaller, its users can be fewer. */
static struct smaller find_smaller(const struct plan *p, const struct settings *s,
                                   const struct plan_facts *f)
{
    const bool fixed = f->dataset_warehouses && !s->load.rebuild;
    const uint64_t warehouses = (uint64_t)p->dataset.warehouses;
    uint64_t low = 0;
    uint64_t high = fixed ? p->users : warehouses;
    struct smaller best = {0};

    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        const uint64_t users = fixed ? middle : p->users * middle / warehouses;
        const struct smaller try = {
            .warehouses = fixed ? warehouses : middle,
            .users = users ? users : 1,
        };

        if (smaller_fits(p, s, f, &try)) {
            best = try;
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return best;
}

static int refuse_space(const struct plan *p, const struct settings *s, const struct plan_facts *f,
                        struct err *err)
{
    const struct smaller fit = find_smaller(p, s, f);
    const char *command = f->command ? f->command : "tpcc-run";
    char needed[32];
    char free_text[32];

    units_format_bytes(p->space.needed, needed, sizeof(needed));
    units_format_bytes(p->space.free, free_text, sizeof(free_text));
    if (!fit.warehouses)
        return err_set(err, ERR_SURROUNDINGS,
                       "%s needed, %s free, and no smaller run of this duration fits (free some "
                       "space, or give a shorter --duration)",
                       needed, free_text);
    if (strlen(command) > 380)
        command = "add";
    return err_set(err, ERR_SURROUNDINGS,
                   "%s needed, %s free; this fits: %s --warehouses %" PRIu64 " --users %" PRIu64,
                   needed, free_text, command, fit.warehouses, fit.users);
}

int plan_build(struct plan *plan, const struct settings *s, const struct plan_facts *facts,
               struct err *err)
{
    *plan = (struct plan){0};
    build_workload(plan, &s->workload);
    if (build_dataset(plan, s, facts, err) < 0)
        return -1;
    build_users(plan, s, facts);
    if (build_sessions(plan, s, facts, err) < 0)
        return -1;
    build_phases(plan, &s->run, config_sample_ns(s));
    if (build_buffer(plan, s, facts, err) < 0 || memory_build(plan, s, facts, err) < 0)
        return -1;
    plan->reach_warning = (!plan->memory.limit || !facts->memory_limiter) && facts->memory_bytes &&
                          facts->fs_size_bytes &&
                          plan->reach_bytes / REACH_TIMES_MEMORY < facts->memory_bytes;
    build_space(plan, s, facts);
    build_load(plan, s, facts);
    plan->printable = true;
    return plan->space.fits ? 0 : refuse_space(plan, s, facts, err);
}

void plan_resolve(const struct plan *plan, const struct settings *s, struct settings *out)
{
    static char here[] = ".";

    *out = *s;
    if (!s->target.drive && !s->target.pg && !s->target.odbc)
        out->target.drive = here;
    out->load.warehouses = (uint64_t)plan->dataset.warehouses;
    out->load.size_bytes = 0;
    out->load.seed = plan->dataset.seed; /* of what is there, whatever was asked for */
    out->load.time_us = plan->dataset.load_time_us;
    out->load.loaders = plan->loaders;
    out->load.unit = plan->unit_table ? 2 : 1;
    if (!ladder_is_asked(s)) { /* else each step's own */
        out->run.users = plan->users;
        out->run.sessions = plan->sessions;
        out->run.sample_ns = plan->sample_ns;
        out->run.ramp_ns = plan->ramp_ns;
        out->run.interval_ns = plan->interval_ns;
    }
    out->server.buffer_bytes = plan->buffer_bytes;
    if (plan->memory.limit)
        out->server.memory_limit_bytes = plan->memory.limit;
}

static void add_yaml_head(struct strbuf *out)
{
    strbuf_addf(out,
                "# The resolved plan of a run by tpcc-run %s. To repeat the run:\n"
                "#   tpcc-run --config plan.yaml\n",
                TPCC_VERSION);
}

void plan_yaml(const struct plan *plan, const struct settings *s, struct strbuf *out)
{
    struct settings resolved;

    plan_resolve(plan, s, &resolved);
    add_yaml_head(out);
    config_write_yaml(&resolved, out);
}

void plan_yaml_origins(const struct plan *plan, const struct config *c, struct strbuf *out)
{
    struct settings resolved;

    plan_resolve(plan, &c->s, &resolved);
    add_yaml_head(out);
    config_write_yaml_origins(c, &resolved, out);
}
