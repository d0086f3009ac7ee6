/*
 * Rows of the verdict's table about what the drive did along the run: whether it was steady, what
 * its health log tells, whose I/O it was, and whether its counters were there.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/foreign.h"
#include "result/steadiness.h"
#include "result/verdict_rows.h"

#define SHORT_S 180.0

/* A change of level inside the sample; NULL: none. */
static const struct result_mark *change_in_sample(const struct result *r)
{
    for (size_t p = 0; p < r->phases.n; p++) {
        const struct result_phase *phase = &r->phases.at[p];

        if (!phase->name || strcmp(phase->name, "sample") != 0)
            continue;
        for (size_t i = 0; i < r->marks.n; i++) {
            const struct result_mark *m = &r->marks.at[i];

            if (m->kind && strcmp(m->kind, "change") == 0 && m->start_s > phase->start_s &&
                m->start_s < phase->end_s)
                return m;
        }
    }
    return NULL;
}

/* Of the measure that is furthest beyond its limits. */
static bool window_unsteady(const struct result *r, struct finding *f)
{
    const struct result_steadiness *s = &r->steadiness;
    double worst = 0;
    bool by_chance = false;

    for (int m = 0; m < STEADY_MEASURES; m++) {
        const struct result_steady_measure *of = &s->measure[m];
        const struct steady_window w = steadiness_window(of);
        const bool range = of->range_percent > steady_range_limit(&w);

        if (of->steady != 0 || steady_excess(&w) <= worst)
            continue;
        worst = steady_excess(&w);
        f->value = range ? of->range_percent : fabs(of->slope_percent);
        f->limit = range ? steady_range_limit(&w) : steady_slope_limit(&w);
        by_chance = f->limit > (range ? STEADY_RANGE_PERCENT : STEADY_SLOPE_PERCENT);
        (void)snprintf(f->text, sizeof(f->text),
                       "over %d rounds of %g s the %s %s by %.0f %% of its mean, over %.0f %%%s",
                       STEADY_WINDOW, s->round_s, steadiness_words(m),
                       range                   ? "ranged"
                       : of->slope_percent > 0 ? "rose"
                                               : "fell",
                       f->value, f->limit, by_chance ? " that chance may make" : "");
    }
    return worst > 0;
}

bool unsteady_broken(const struct result *r, struct finding *f)
{
    const struct result_mark *change = change_in_sample(r);

    /* The rounds of a short sample may be parts of a checkpoint: `short` says enough. */
    if (r->steadiness.steady == 0 && !(r->sample.seconds < SHORT_S) && window_unsteady(r, f))
        return true;
    if (!change)
        return false;
    f->limit = RESULT_NONE;
    (void)snprintf(f->text, sizeof(f->text),
                   "the level changed within the sample, at %.0f s: %.200s", change->start_s,
                   change->text ? change->text : "-");
    return true;
}

bool throttled_broken(const struct result *r, struct finding *f)
{
    char words[128];

    for (size_t i = 0; i < r->health.drives.n; i++) {
        const struct result_drive_health *d = &r->health.drives.at[i];

        if (d->used.throttled_seconds <= 0 && d->used.throttled_count <= 0)
            continue;
        f->value = (double)d->used.throttled_seconds;
        (void)snprintf(f->text, sizeof(f->text),
                       "%.32s slowed itself down or was too hot: %" PRId64 " s, %" PRId64 " times",
                       d->device, d->used.throttled_seconds, d->used.throttled_count);
        return true;
    }
    if (r->health.critical_warning <= 0)
        return false;
    f->value = (double)r->health.critical_warning;
    health_warning_words(r->health.critical_warning, words, sizeof(words));
    (void)snprintf(f->text, sizeof(f->text), "a drive gave a critical warning at %.0f s: %s",
                   r->health.warned_at_s, words);
    return true;
}

bool foreign_broken(const struct result *r, struct finding *f)
{
    struct foreign found;

    if (!foreign_find(r, &found) || !(found.least_percent > f->limit))
        return false;
    f->value = found.least_percent;
    (void)snprintf(f->text, sizeof(f->text),
                   "at least %.0f %% of what the drive moved, %.1f of %.1f MiB/s, was not the "
                   "server's%s, over %g %%",
                   f->value, found.least_mib_per_s, found.drive_mib_per_s,
                   r->sample.server_sample.beside > 0 ? " nor another target's" : "", f->limit);
    if (r->drive.shared)
        (void)snprintf(f->advice, sizeof(f->advice),
                       "%.32s stand%s on it too: take a drive of its own, or stop what uses it "
                       "(pidstat -d shows who)",
                       r->drive.shared, strstr(r->drive.shared, " and ") ? "" : "s");
    return true;
}

/* "PCIe 8.0 GT/s x4 of 16.0 GT/s x4": what is in use, and the most that the drive can. */
bool link_broken(const struct result *r, struct finding *f)
{
    static const char bus[] = "PCIe ";
    static const char of[] = " of ";

    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_device *d = &r->drive.devices.at[i];
        const char *used =
            d->link && strncmp(d->link, bus, strlen(bus)) == 0 ? d->link + strlen(bus) : NULL;
        const char *most = used ? strstr(used, of) : NULL;
        const size_t n = most ? (size_t)(most - used) : 0;

        if (!most || !d->role || !strstr(d->role, "leaf"))
            continue;
        most += strlen(of);
        if (strlen(most) == n && strncmp(used, most, n) == 0)
            continue;
        (void)snprintf(f->text, sizeof(f->text),
                       "%.32s is linked by less than it can: PCIe %.*s instead of %.60s", d->name,
                       (int)n, used, most);
        return true;
    }
    return false;
}

/* A drive with a volatile cache that was never told to write it out, though the server committed:
 * what fsync promised did not reach it (a virtual disk's cache mode, a mount without barriers). */
bool no_flush_broken(const struct result *r, struct finding *f)
{
    for (size_t i = 0; i < r->drive.devices.n && i < RESULT_DEVICES_MAX; i++) {
        const struct result_device *d = &r->drive.devices.at[i];
        const struct result_rates *rates = &r->sample.devices[i];
        const bool volatile_cache = d->write_cache && strcmp(d->write_cache, "write back") == 0;

        if (!volatile_cache || !d->role || !strstr(d->role, "leaf") ||
            r->sample.outcomes.committed == 0)
            continue;
        if (!(rates->writes_per_s > 1) || rates->flushes_per_s != 0)
            continue;
        f->value = 0;
        (void)snprintf(f->text, sizeof(f->text),
                       "%.32s has a write-back cache and got no flush at all: fsync does not reach "
                       "the drive",
                       d->name);
        (void)snprintf(f->advice, sizeof(f->advice),
                       "look at the virtual disk's cache mode and the mount options");
        return true;
    }
    return false;
}

/* A host that was lost and whose devices therefore lack some of the sample; NULL: none. */
static const struct result_remote *lost_remote(const struct result *r)
{
    for (size_t i = 0; i < r->drive.remotes.n; i++) {
        const struct result_remote *remote = &r->drive.remotes.at[i];

        if (remote->losses > 0 || remote->answered == 0)
            return remote;
    }
    return NULL;
}

bool gaps_broken(const struct result *r, struct finding *f)
{
    const struct result_remote *remote = lost_remote(r);
    char when[48] = "";
    char missing[16];

    f->value = r->sample.devices_missing_percent;
    if (remote && f->value > 0) {
        if (!isnan(remote->lost_at_s))
            (void)snprintf(when, sizeof(when), " at %.0f s", remote->lost_at_s);
        (void)snprintf(missing, sizeof(missing), "%.1f", f->value);
        (void)snprintf(f->text, sizeof(f->text),
                       "the connection to %.60s was lost%s: no counters of its devices for %s %% "
                       "of the sample: %.100s",
                       remote->host, when, missing, remote->reason ? remote->reason : "-");
        (void)snprintf(f->advice, sizeof(f->advice),
                       "what the drive did is of the rest; see that host's log of sshd and the "
                       "network");
        return true;
    }
    if (!(f->value > f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "a device has no counters for %.1f %% of the sample, over %g %%", f->value,
                   f->limit);
    return true;
}
