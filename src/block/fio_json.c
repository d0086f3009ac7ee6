/*
 * See the header. Traps that were seen in the wild: notes and errors before the JSON, several
 * documents in one file, a document that was cut off, jobs that ended with an error though fio's
 * exit code was 0, no I/O at all.
 */
#include "block/fio_json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_US_F 1000.0
#define MIB_F 1048576.0

/* Where the first line stands that is "{", or NULL. */
static const char *find_document(const char *text)
{
    while (text && *text) {
        if (text[0] == '{' && (text[1] == '\n' || text[1] == '\r' || text[1] == '\0'))
            return text;
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return NULL;
}

/* The last whole document; NULL and err where there is none, or the last is not whole. */
static json_t *load_last(const char *text, struct err *err)
{
    const char *at = find_document(text);
    json_t *last = NULL;

    if (!at) {
        (void)err_set(err, ERR_SURROUNDINGS, "fio wrote no JSON");
        return NULL;
    }
    while (at) {
        json_error_t where;
        json_t *next = json_loads(at, JSON_DISABLE_EOF_CHECK, &where);

        json_decref(last);
        last = next;
        if (!next) {
            (void)err_set(err, ERR_SURROUNDINGS, "fio's JSON is broken or cut off: line %d: %s",
                          where.line, where.text);
            return NULL;
        }
        at = find_document(at + where.position);
    }
    return last;
}

/* A finite number under the key, or -1. */
static int number(const json_t *object, const char *key, double *out, struct err *err)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_number(value) || !isfinite(json_number_value(value)))
        return err_set(err, ERR_SURROUNDINGS, "fio's JSON has no number \"%s\"", key);
    *out = json_number_value(value);
    return 0;
}

static int latency(const json_t *side, struct summary *out, struct err *err)
{
    struct {
        const char *key;
        double *at;
    } percentiles[] = {
        {"50.000000", &out->p50}, {"90.000000", &out->p90},  {"95.000000", &out->p95},
        {"99.000000", &out->p99}, {"99.900000", &out->p999},
    };
    const json_t *lat = json_object_get(side, "lat_ns");
    const json_t *percentile = json_object_get(lat, "percentile");

    if (number(lat, "mean", &out->avg, err) < 0 || number(lat, "max", &out->max, err) < 0)
        return -1;
    out->avg /= NS_PER_US_F;
    out->max /= NS_PER_US_F;
    for (size_t i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++) {
        double ns = 0;

        if (number(percentile, percentiles[i].key, &ns, err) < 0)
            return -1;
        *percentiles[i].at = ns / NS_PER_US_F;
    }
    return 0;
}

/* The rate of one direction, NaN where there was none of it. */
static int direction(const json_t *job, const char *key, double *iops, struct err *err)
{
    const json_t *side = json_object_get(job, key);
    double ios = 0;

    *iops = (double)NAN;
    if (number(side, "total_ios", &ios, err) < 0)
        return -1;
    return ios > 0 ? number(side, "iops", iops, err) : 0;
}

static int check_job(const json_t *job, struct err *err)
{
    const json_t *mixed = json_object_get(job, "mixed");
    double error = 0;
    double total = 0;
    double lost = 0;
    double cut = 0;

    if (number(job, "error", &error, err) < 0)
        return -1;
    if (error != 0)
        return err_set(err, ERR_SURROUNDINGS, "fio's job ended with error %.0f: %s", error,
                       strerror((int)error));
    if (!mixed)
        return err_set(err, ERR_SURROUNDINGS,
                       "fio's JSON has no figures of reads and writes together (\"mixed\")");
    if (number(mixed, "total_ios", &total, err) < 0 || number(mixed, "short_ios", &cut, err) < 0 ||
        number(mixed, "drop_ios", &lost, err) < 0)
        return -1;
    if (total < 1)
        return err_set(err, ERR_SURROUNDINGS, "fio did no I/O within the time (see its log)");
    if (cut > 0 || lost > 0)
        return err_set(err, ERR_SURROUNDINGS, "%.0f I/Os were cut short and %.0f dropped", cut,
                       lost);
    return 0;
}

static int read_job(const json_t *job, struct fio_figures *out, struct err *err)
{
    const json_t *mixed = json_object_get(job, "mixed");
    double ms = 0;
    double bytes = 0;

    if (check_job(job, err) < 0 || number(mixed, "runtime", &ms, err) < 0 ||
        number(mixed, "iops", &out->iops, err) < 0 || number(mixed, "bw_bytes", &bytes, err) < 0 ||
        direction(job, "read", &out->read_iops, err) < 0 ||
        direction(job, "write", &out->write_iops, err) < 0 ||
        latency(mixed, &out->latency_us, err) < 0)
        return -1;
    out->seconds = ms / 1000;
    out->mib_per_s = bytes / MIB_F;
    if (!(out->seconds > 0) || !(out->iops > 0))
        return err_set(err, ERR_SURROUNDINGS, "fio says that it took no time, or did nothing");
    return 0;
}

static int read_document(const json_t *root, struct fio_figures *out, struct err *err)
{
    const json_t *version = json_object_get(root, "fio version");
    const json_t *jobs = json_object_get(root, "jobs");
    const json_t *ended = json_object_get(root, "timestamp_ms");

    if (json_array_size(jobs) != 1)
        return err_set(err, ERR_SURROUNDINGS, "fio's JSON has %zu reports of jobs, not one",
                       json_array_size(jobs));
    (void)snprintf(out->version, sizeof(out->version), "%s",
                   json_is_string(version) ? json_string_value(version) : "?");
    out->ended_real_us = json_is_integer(ended) ? json_integer_value(ended) * 1000 : -1;
    return read_job(json_array_get(jobs, 0), out, err);
}

int fio_json_read(const char *text, struct fio_figures *out, struct err *err)
{
    json_t *root = load_last(text, err);
    int rc = -1;

    *out = (struct fio_figures){.latency_us = summary_none()};
    if (root)
        rc = read_document(root, out, err);
    json_decref(root);
    return rc;
}

int fio_json_check_version(const char *version, struct err *err)
{
    int major = 0;
    int minor = 0;
    char *end = NULL;

    if (strncmp(version, "fio-", 4) == 0) {
        major = (int)strtol(version + 4, &end, 10);
        if (*end == '.')
            minor = (int)strtol(end + 1, NULL, 10);
    }
    if (major > FIO_OLDEST_MAJOR || (major == FIO_OLDEST_MAJOR && minor >= FIO_OLDEST_MINOR))
        return 0;
    return err_set(err, ERR_SURROUNDINGS,
                   "fio %d.%d or later is needed, and this says of itself \"%.40s\"",
                   FIO_OLDEST_MAJOR, FIO_OLDEST_MINOR, version);
}
