/*
 * See the header. Every option that decides what is done is given, so that a later fio with other
 * defaults does the same.
 */
#include "block/fio_args.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "config/cmdline.h"

#define THREAD_IOPS_MIN 10.0 /* fewer threads where one would have less */
#define SPREAD 0.1           /* between the rates of the first and the last thread */

static void add(struct fio_args *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void add(struct fio_args *a, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    VEC_PUSH(&a->at, xvasprintf(fmt, ap));
    va_end(ap);
}

/* fio takes ":" for the end of a name. */
static char *escaped(const char *path)
{
    char *out = xmalloc(2 * strlen(path) + 1);
    char *to = out;

    for (; *path; path++) {
        if (*path == ':' || *path == '\\')
            *to++ = '\\';
        *to++ = *path;
    }
    *to = '\0';
    return out;
}

static void add_common(const struct fio_point *point, struct fio_args *a)
{
    add(a, "%s", point->fio);
    add(a, "--output=%s", point->output);
    add(a, "--output-format=json");
    add(a, "--eta=never");
    if (!profile_writes(point->profile))
        add(a, "--readonly");
    add(a, "--direct=1");
    add(a, "--thread=1");
    add(a, "--group_reporting=1");
    add(a, "--unified_rw_reporting=both");
    add(a, "--lat_percentiles=1");
    add(a, "--clat_percentiles=0");
    add(a, "--percentile_list=50:90:95:99:99.9");
    add(a, "--allow_file_create=0");
    add(a, "--fallocate=none");
    add(a, "--runtime=%" PRIu64 "ms", point->duration_ns / NS_PER_MS);
}

static void add_trace(const struct fio_point *point, struct fio_args *a)
{
    const struct profile *p = point->profile;
    char *trace = escaped(p->trace);
    char *path = escaped(point->path);

    add(a, "--ioengine=libaio");
    add(a, "--iodepth=%" PRId64, p->outstanding);
    add(a, "--read_iolog=%s", trace);
    add(a, "--replay_redirect=%s", path);
    add(a, "--replay_no_stall=%d", isnan(point->asked_iops));
    add(a, "--name=point");
    free(path);
    free(trace);
}

static void add_direction(struct strbuf *text, const struct profile_sizes *s)
{
    for (size_t i = 0; i < s->n; i++)
        strbuf_addf(text, "%s%" PRIu64 "/%d", i ? ":" : "", s->at[i].bytes, s->at[i].percent);
}

/* Reads, then writes; a direction that is not there takes the other's. */
static void add_sizes(const struct profile *p, struct fio_args *a)
{
    const struct profile_sizes *read = p->read.n ? &p->read : &p->write;
    const struct profile_sizes *write = p->write.n ? &p->write : &p->read;
    struct strbuf text;

    if (read->n == 1 && write->n == 1) {
        add(a, "--bs=%" PRIu64 ",%" PRIu64, read->at[0].bytes, write->at[0].bytes);
        return;
    }
    strbuf_init(&text);
    add_direction(&text, read);
    strbuf_addc(&text, ',');
    add_direction(&text, write);
    add(a, "--bssplit=%s", text.buf);
    /* Else each is rounded down to a multiple of the smallest: 12 KiB beside 8 would be 8. */
    add(a, "--bs_unaligned=1");
    strbuf_release(&text);
}

static const char *kind_of_io(const struct profile *p)
{
    if (p->random_percent == 0)
        return p->read_percent ? "read" : "write";
    if (p->read_percent == 100)
        return "randread";
    return p->read_percent == 0 ? "randwrite" : "randrw";
}

static void add_io(const struct fio_point *point, struct fio_args *a)
{
    const struct profile *p = point->profile;
    char *path = escaped(point->path);

    add(a, "--filename=%s", path);
    add(a, "--size=%" PRIu64, point->area_bytes);
    add(a, "--time_based=1");
    add(a, "--ramp_time=%" PRIu64 "ms", point->settle_ns / NS_PER_MS);
    add(a, "--rw=%s", kind_of_io(p));
    add(a, "--norandommap=1");
    add(a, "--randrepeat=0");
    if (p->random_percent > 0 && p->random_percent < 100)
        add(a, "--percentage_random=%d", p->random_percent);
    if (p->read_percent > 0 && p->read_percent < 100)
        add(a, "--rwmixread=%d", p->read_percent);
    if (profile_writes(p))
        add(a, "--refill_buffers=1");
    add_sizes(p, a);
    add(a, p->random_percent ? "--ioengine=psync" : "--ioengine=libaio");
    add(a, "--iodepth=%" PRId64, p->random_percent ? 1 : p->outstanding);
    free(path);
}

/* Bytes a second of one direction; one that is there always goes on: 0 would be no limit. */
static uint64_t bytes_per_s(double iops, int percent, const struct profile_sizes *s)
{
    const double bytes = iops * percent / 100 * profile_sizes_mean(s);

    return bytes < 1 ? 1 : (uint64_t)llround(bytes);
}

static void add_rate(const struct profile *p, double iops, struct fio_args *a)
{
    const uint64_t read = bytes_per_s(iops, p->read_percent, &p->read);
    const uint64_t write = bytes_per_s(iops, 100 - p->read_percent, &p->write);

    if (p->read_percent == 100)
        add(a, "--rate=%" PRIu64, read);
    else if (p->read_percent == 0)
        add(a, "--rate=,%" PRIu64, write);
    else
        add(a, "--rate=%" PRIu64 ",%" PRIu64, read, write);
}

/* A section for each thread, their rates around the mean, which is what is asked for by each. */
static void add_rated(const struct fio_point *point, struct fio_args *a)
{
    const struct profile *p = point->profile;
    const double most = p->random_percent ? (double)p->outstanding : 1;
    const double n = fmin(most, fmax(1, floor(point->asked_iops / THREAD_IOPS_MIN)));
    const double mean = point->asked_iops / n;

    for (size_t k = 0; k < (size_t)n; k++) {
        add(a, "--name=thread%zu", k);
        add_rate(p, mean * (1 + SPREAD * ((double)k - (n - 1) / 2) / n), a);
    }
}

void fio_args_make(const struct fio_point *point, struct fio_args *out)
{
    const struct profile *p = point->profile;

    *out = (struct fio_args){0};
    add_common(point, out);
    if (p->trace) {
        add_trace(point, out);
    } else {
        add_io(point, out);
        if (isnan(point->asked_iops)) {
            add(out, "--name=point");
            add(out, "--numjobs=%" PRId64, p->random_percent ? p->outstanding : 1);
        } else {
            add_rated(point, out);
        }
    }
    VEC_PUSH(&out->at, NULL);
}

void fio_args_release(struct fio_args *args)
{
    for (size_t i = 0; i < args->at.n; i++)
        free(args->at.at[i]);
    VEC_RELEASE(&args->at);
}

void fio_args_say(const struct fio_args *args, size_t most, struct strbuf *out)
{
    const size_t from = out->len;

    for (size_t i = 0; i + 1 < args->at.n; i++) {
        if (out->len - from > most) {
            strbuf_addf(out, " ... %zu words more", args->at.n - 1 - i);
            return;
        }
        strbuf_adds(out, i ? " " : "");
        cmdline_quote(args->at.at[i], out);
    }
}
