/*
 * See the header. Pure.
 */
#include "block/from_result.h"

#include <math.h>

#include "base/xalloc.h"
#include "result/drive_set.h"

#define STEP_BYTES 4096.0
#define MIB_F 1048576.0
#define OUTSTANDING_MIN 16 /* so that the curve has a maximum worth the name */

/* The mean as two neighbouring multiples of STEP_BYTES, in whole percents. */
static struct profile_sizes sizes_around(double mean_bytes)
{
    const double low = fmax(1, floor(mean_bytes / STEP_BYTES));
    const double above = fmin(1, fmax(0, mean_bytes / STEP_BYTES - low));
    const int percent = (int)lround(100 * above);
    struct profile_sizes s = {0};

    if (percent < 100)
        s.at[s.n++] = (struct profile_size){(uint64_t)(low * STEP_BYTES), 100 - percent};
    if (percent > 0)
        s.at[s.n++] = (struct profile_size){(uint64_t)((low + 1) * STEP_BYTES), percent};
    return s;
}

static int64_t outstanding_for(double queue)
{
    int64_t n = OUTSTANDING_MIN;

    while ((double)n < queue && n < PROFILE_OUTSTANDING_MAX)
        n *= 2;
    return n;
}

int profile_from_result(const struct result *r, const char *path, struct profile_set *out,
                        struct err *err)
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);
    const struct result_rates put = drive_set_rates(&drive, r->sample.devices);
    const double total = put.reads_per_s + put.writes_per_s;
    struct profile profile = {.random_percent = 100, .trace_iops = (double)NAN};

    *out = (struct profile_set){.name = NULL};
    if (!result_is_oltp(r) || r->partial)
        return err_set(err, ERR_USAGE, "%s is no whole result of tpcc-run", path);
    if (!(total >= 1))
        return err_set(err, ERR_USAGE, "%s does not say what its device did (%s)", path,
                       r->drive.why_none ? r->drive.why_none : "fewer than one I/O a second");
    out->name = xstrdup("oltp-blocks");
    out->taken_from = xstrdup(path);
    profile_default_points(out);
    profile.name = xstrdup("oltp-blocks");
    profile.read_percent = (int)lround(100 * put.reads_per_s / total);
    if (profile.read_percent > 0)
        profile.read = sizes_around(put.read_mib_per_s * MIB_F / put.reads_per_s);
    if (profile.read_percent < 100)
        profile.write = sizes_around(put.write_mib_per_s * MIB_F / put.writes_per_s);
    profile.outstanding = outstanding_for(put.queue);
    VEC_PUSH(&profile.rates, total);
    VEC_PUSH(&out->profiles, profile);
    return 0;
}
