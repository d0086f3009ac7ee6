/*
 * The verdict's row `memory`: whether RAM may have answered in place of the drive. Pure, as the
 * others.
 */
#include "result/verdict_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In the reviews the dataset was so many times RAM. */
#define HONEST_RATIO 5.2
#define REACHED_PERCENT 50.0
#define CACHED_PERCENT 2.0
#define BYTES_PER_MIB 1048576.0

/* The kernel ended a part of the server, which then ends all its sessions. */
static bool memory_killed(const struct result *r, struct finding *f)
{
    if (r->run.oom_kills <= 0)
        return false;
    f->status = VERDICT_INVALID;
    f->value = (double)r->run.oom_kills;
    f->limit = 0;
    (void)snprintf(f->text, sizeof(f->text),
                   "the memory limit was too small: the kernel ended %" PRId64
                   " process%s of the server",
                   r->run.oom_kills, r->run.oom_kills == 1 ? "" : "es");
    (void)snprintf(f->advice, sizeof(f->advice),
                   "leave --memory-limit out, or give it more, or take fewer --sessions");
    return true;
}

/* Whatever the limit is: what the server read and the drive did not came from RAM. */
static bool reads_hidden(const struct result *r, struct finding *f)
{
    f->value = result_drive_read_percent(r);
    f->limit = REACHED_PERCENT;
    if (!(f->value < f->limit))
        return false;
    (void)snprintf(f->text, sizeof(f->text),
                   "of the %.1f MiB/s of pages that the server read, the drive was asked for %.0f "
                   "%%: the rest came from RAM",
                   result_server_read_bytes(r) / BYTES_PER_MIB, f->value);
    (void)snprintf(f->advice, sizeof(f->advice),
                   "take more --warehouses, or a smaller --memory-limit");
    return true;
}

static bool memory_unlimited(const struct result *r, struct finding *f)
{
    const char *why = r->database.memory_unlimited;
    const double percent = result_drive_read_percent(r);
    char reads[64] = "";
    const double ram = r->host.memory_bytes > 0 ? (double)r->host.memory_bytes : RESULT_NONE;
    const double dataset =
        r->dataset.bytes_before > 0 ? (double)r->dataset.bytes_before : RESULT_NONE;
    const double warehouses = ceil((double)r->dataset.warehouses * HONEST_RATIO * ram / dataset);

    f->value = dataset / ram;
    f->limit = HONEST_RATIO;
    if (f->value >= f->limit)
        return reads_hidden(r, f);
    if (isfinite(percent))
        (void)snprintf(reads, sizeof(reads), "; %.0f %% of the page reads reached the drive",
                       percent);
    (void)snprintf(f->text, sizeof(f->text),
                   "memory not limited%s%.180s%s: reads may have come from RAM%s", why ? " (" : "",
                   why ? why : "", why ? ")" : "", reads);
    if (warehouses > 0 && warehouses < 1e9)
        (void)snprintf(f->advice, sizeof(f->advice),
                       "%s from --warehouses %.0f on the dataset is %g times this machine's RAM",
                       why ? "run as root, or where systemd may limit memory for you;"
                           : "the private server can be limited (--memory-limit);",
                       warehouses, HONEST_RATIO);
    return true;
}

bool memory_broken(const struct result *r, struct finding *f)
{
    const char *kind = r->database.kind;
    const double limit = (double)r->database.memory_limit_bytes;
    const double dataset = (double)r->dataset.bytes_before;

    if (kind && strcmp(kind, "null") == 0)
        return false;
    if (memory_killed(r, f))
        return true;
    if (r->database.memory_limit_bytes < 0)
        return memory_unlimited(r, f);
    if (dataset > 0 && dataset <= limit) {
        f->value = dataset / limit;
        f->limit = 1;
        (void)snprintf(f->text, sizeof(f->text),
                       "the dataset fits into the memory limit: reads may have come from RAM");
        (void)snprintf(f->advice, sizeof(f->advice),
                       "take more --warehouses, or a smaller --memory-limit");
        return true;
    }
    f->limit = CACHED_PERCENT;
    f->value = dataset > 0 ? 100.0 * (double)r->dataset.cached_bytes / dataset : RESULT_NONE;
    if (!(f->value > f->limit))
        return reads_hidden(r, f);
    (void)snprintf(f->text, sizeof(f->text),
                   "%.0f %% of the dataset were in the page cache when the run's server started",
                   f->value);
    (void)snprintf(f->advice, sizeof(f->advice),
                   "the file system may be memory itself, or another program has the files open");
    return true;
}
