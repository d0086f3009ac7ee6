/*
 * The assumptions stand in one place below, and each is said where it is used. Rates of drives
 * after their cache is full, not of data sheets: a time that turns out shorter annoys nobody.
 */
#include "prep/duration.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "prep/filesystem.h"
#include "prep/surface.h"

#define BYTES_PER_MIB ((double)SURFACE_CHUNK)
#define BYTES_PER_TB 1e12

/* Sustained writing, in MiB/s. */
#define NVME_RATE 1000.0
#define SSD_RATE 400.0
#define DISK_RATE 150.0

#define FORMAT_SECONDS 60.0
#define SANITIZE_SECONDS 600.0
#define DISCARD_SECONDS_PER_TB 10.0
#define SMALL_STEP_SECONDS 1.0
#define DISK_SEEK_SECONDS 0.01
#define SSD_SEEK_SECONDS 0.0002

struct rate {
    double mib_per_s;
    char *why; /* owned */
};

static const char *kind_of(const struct prep_known *k)
{
    return k->nvme ? "an NVMe drive" : k->rotational == 1 ? "a disk" : "an SSD";
}

static struct rate assumed_rate(const struct prep_known *k)
{
    const double mib_per_s = k->nvme ? NVME_RATE : k->rotational == 1 ? DISK_RATE : SSD_RATE;

    return (struct rate){
        .mib_per_s = mib_per_s,
        .why = xasprintf("at %.0f MiB/s, assumed of %s", mib_per_s, kind_of(k)),
    };
}

/* Of a record's surface write; none where it has no such figures. */
static bool measured_rate(const struct prep_record *r, const char *what, struct rate *out)
{
    const bool filled = strcmp(what, "fill") == 0;
    const double bytes = (double)(filled ? r->filled_bytes : r->erased_bytes);
    const double seconds = filled ? r->fill_seconds : r->erase_seconds;

    if (!filled && (!r->erase || strcmp(r->erase, prep_erase_name(PREP_ERASE_OVERWRITE)) != 0))
        return false;
    if (!(bytes > 0) || !(seconds > 0))
        return false;
    out->mib_per_s = bytes / BYTES_PER_MIB / seconds;
    out->why = xasprintf("at %.4g MiB/s, measured at its %s of %s", out->mib_per_s, what,
                         r->ended     ? r->ended
                         : r->started ? r->started
                                      : "before");
    return true;
}

/* How fast the drive takes what is written all over it. */
static struct rate rate_of(const struct prep_known *k)
{
    struct rate rate;

    if (k->last &&
        (measured_rate(k->last, "fill", &rate) || measured_rate(k->last, "overwrite", &rate)))
        return rate;
    return assumed_rate(k);
}

/* Takes why over. */
static struct prep_step_time step_time(double seconds, char *why)
{
    return (struct prep_step_time){.seconds = seconds, .why = why};
}

static struct prep_step_time no_time(void)
{
    return step_time(0, NULL);
}

static struct prep_step_time by_rate(double bytes, const struct rate *rate)
{
    return step_time(bytes / BYTES_PER_MIB / rate->mib_per_s, xstrdup(rate->why));
}

/* ---- a step each ---- */

/* The same way took this long on this drive; NaN: not known. */
static double erase_took(const struct prep_known *k, enum settings_prep_erase way)
{
    const struct prep_record *r = k->last;

    if (!r || !r->erase || strcmp(r->erase, prep_erase_name(way)) != 0 || !(r->erase_seconds > 0))
        return (double)NAN;
    return r->erase_seconds;
}

static struct prep_step_time erase_itself(const struct prep_plan *p, const struct prep_known *k,
                                          enum settings_prep_erase way)
{
    const double took = erase_took(k, way);

    if (!isnan(took))
        return step_time(took, xasprintf("%s, as long as it took on %s", prep_erase_name(way),
                                         k->last->ended ? k->last->ended : k->last->started));
    if (way == PREP_ERASE_DISCARD)
        return step_time(
            fmax(SMALL_STEP_SECONDS, DISCARD_SECONDS_PER_TB * (double)p->size_bytes / BYTES_PER_TB),
            xasprintf("discard, assumed: %.0f s a TB", DISCARD_SECONDS_PER_TB));
    return step_time(
        way == PREP_ERASE_SANITIZE ? SANITIZE_SECONDS : FORMAT_SECONDS,
        xasprintf("%s, assumed: the drive takes as long as it likes", prep_erase_name(way)));
}

/* The first way; what comes after it is told only where it is of another order. */
static struct prep_step_time erase_time(const struct prep_plan *p, const struct prep_known *k,
                                        const struct rate *rate)
{
    const double left = (double)(p->size_bytes - (k->step == STEP_ERASE ? k->done_bytes : 0));
    const enum settings_prep_erase last = p->n_ways ? p->ways[p->n_ways - 1] : PREP_ERASE_NONE;
    struct prep_step_time t;
    char *why = NULL;
    char text[32];

    if (p->n_ways == 0)
        return no_time();
    if (p->ways[0] == PREP_ERASE_OVERWRITE ||
        (last == PREP_ERASE_OVERWRITE && k->done_bytes > 0 && k->step == STEP_ERASE))
        return by_rate(left, rate);
    t = erase_itself(p, k, p->ways[0]);
    if (last != PREP_ERASE_OVERWRITE)
        return t;
    units_format_duration_short(
        (uint64_t)(left / BYTES_PER_MIB / rate->mib_per_s * (double)NS_PER_S), text, sizeof(text));
    why = xasprintf("%s; where that fails %s more, overwritten", t.why, text);
    free(t.why);
    t.why = why;
    return t;
}

static struct prep_step_time sample_time(const struct prep_known *k)
{
    const double each = k->rotational == 1 ? DISK_SEEK_SECONDS : SSD_SEEK_SECONDS;

    return step_time(fmax(SMALL_STEP_SECONDS, each * PREP_SAMPLE_BLOCKS),
                     xasprintf("assumed: %d reads of 4 KiB", PREP_SAMPLE_BLOCKS));
}

static struct prep_step_time filesystem_time(const struct prep_plan *p, const struct rate *rate)
{
    const double mib =
        (double)filesystem_written(p->filesystem, p->part_size_bytes) / BYTES_PER_MIB;

    return step_time(fmax(SMALL_STEP_SECONDS, mib / rate->mib_per_s),
                     xasprintf("assumed: %s writes %.3g GB at %.4g MiB/s",
                               filesystem_name(p->filesystem), mib * BYTES_PER_MIB / 1e9,
                               rate->mib_per_s));
}

static struct prep_step_time time_of(int step, const struct prep_plan *p,
                                     const struct prep_known *k, const struct rate *rate)
{
    const double filled = k->step == STEP_FILL ? (double)k->done_bytes : 0;

    switch ((enum prep_step)step) {
    case STEP_ERASE:
        return erase_time(p, k, rate);
    case STEP_FILL:
        return p->fill ? by_rate((double)p->size_bytes - filled, rate) : no_time();
    case STEP_SAMPLE:
        return p->fill ? sample_time(k) : no_time();
    case STEP_PARTITION:
        return step_time(SMALL_STEP_SECONDS, xstrdup("assumed"));
    case STEP_FILESYSTEM:
        return p->mount_point ? filesystem_time(p, rate) : no_time();
    case STEP_MOUNT:
        return p->mount_point ? step_time(SMALL_STEP_SECONDS, xstrdup("assumed")) : no_time();
    case STEP_DONE:
    case PREP_STEPS:
        break;
    }
    UNREACHABLE();
}

void prep_duration_make(const struct prep_plan *p, const struct prep_known *known,
                        struct prep_duration *out)
{
    struct rate rate = rate_of(known);

    *out = (struct prep_duration){.seconds = 0};
    for (int step = known->step; step < STEP_DONE; step++) {
        out->steps[step] = time_of(step, p, known, &rate);
        out->seconds += out->steps[step].seconds;
    }
    free(rate.why);
}

void prep_duration_release(struct prep_duration *d)
{
    for (int step = 0; step < STEP_DONE; step++)
        free(d->steps[step].why);
    *d = (struct prep_duration){.seconds = 0};
}

void prep_duration_print(const struct prep_duration *d, struct strbuf *out)
{
    char text[32];

    units_format_duration_short((uint64_t)(d->seconds * (double)NS_PER_S), text, sizeof(text));
    strbuf_addf(out, "  duration    about %s\n", text);
    for (int step = 0; step < STEP_DONE; step++) {
        const struct prep_step_time *t = &d->steps[step];

        if (!t->why)
            continue;
        units_format_duration_short((uint64_t)(t->seconds * (double)NS_PER_S), text, sizeof(text));
        strbuf_addf(out, "    %-10s %8s  %s\n", prep_step_name(step), text, t->why);
    }
}
