/*
 * result.json, written: the document as one JSON object, members by the tables of result_fields,
 * the rest here. Numbers with 15 digits, which read back and write again as the same text.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "result/limit.h"
#include "result/result_fields.h"
#include "result/result_json.h"
#include "result/sweep_json.h"
#include "result/verdict.h"

static json_t *new_object(void)
{
    json_t *object = json_object();

    CHECK(object);
    return object;
}

static json_t *new_list(void)
{
    json_t *list = json_array();

    CHECK(list);
    return list;
}

/* Takes item over. */
static void list_add(json_t *list, json_t *item)
{
    CHECK(json_array_append_new(list, item) == 0);
}

static json_t *write_part(const void *from, enum result_part part)
{
    return json_write_fields(from, result_fields(part));
}

static json_t *write_verdict(const struct result *r)
{
    json_t *object = NULL;
    json_t *reasons = NULL;

    if (r->partial)
        return json_null(); /* nobody has judged it yet */
    object = new_object();
    reasons = new_list();
    json_put(object, "status", json_text(verdict_name(r->verdict.status)));
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        const struct verdict_reason *reason = &r->verdict.reasons.at[i];
        json_t *item = new_object();

        json_put(item, "code", json_text(reason->code));
        json_add_fields(item, reason, result_fields(PART_REASON));
        list_add(reasons, item);
    }
    json_put(object, "reasons", reasons);
    return object;
}

static json_t *write_limit(const struct result *r)
{
    const struct limit_finding f = limit_find(r);
    json_t *object = NULL;

    if (f.limit == LIMIT_UNKNOWN)
        return json_null();
    object = new_object();
    json_put(object, "by", json_text(limit_name(f.limit)));
    json_put(object, "evidence", json_text(f.evidence));
    return object;
}

static json_t *write_database(const struct result_database *d)
{
    json_t *object = write_part(d, PART_DATABASE);
    json_t *trips = new_object();
    json_t *settings = new_object();

    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        const int64_t n = d->round_trips[row];

        json_put(trips, result_txn_name(row), n < 0 ? json_null() : json_integer(n));
    }
    for (size_t i = 0; i < d->settings.n; i++)
        json_put(settings, d->settings.at[i].name, json_text(d->settings.at[i].value));
    json_put(object, "round_trips", trips);
    json_put(object, "settings", settings);
    return object;
}

/* The three constants of NURand; null where they are not known. */
static json_t *write_constants(const int64_t c[3])
{
    return c[0] < 0 ? json_null() : write_part(c, PART_CONSTANTS);
}

static json_t *write_dataset(const struct result_dataset *d)
{
    json_t *object = write_part(d, PART_DATASET);

    json_put(object, "c_load", write_constants(d->c_load));
    json_put(object, "c_run", write_constants(d->c_run));
    if (d->restore.method)
        json_put(object, "restore", write_part(&d->restore, PART_RESTORE));
    return object;
}

static json_t *write_drive(const struct result_drive *d)
{
    json_t *object = write_part(d, PART_DRIVE);
    json_t *devices = new_list();
    json_t *remotes = new_list();

    for (size_t i = 0; i < d->remotes.n; i++)
        list_add(remotes, write_part(&d->remotes.at[i], PART_REMOTE));
    for (size_t i = 0; i < d->devices.n; i++)
        list_add(devices, write_part(&d->devices.at[i], PART_DEVICE));
    json_put(object, "devices", devices);
    if (d->prep.id)
        json_put(object, "prep", write_part(&d->prep, PART_PREP));
    if (d->remotes.n > 0)
        json_put(object, "remotes", remotes);
    else
        json_decref(remotes);
    return object;
}

static json_t *write_phases(const struct result *r)
{
    json_t *list = new_list();

    for (size_t i = 0; i < r->phases.n; i++)
        list_add(list, write_part(&r->phases.at[i], PART_PHASE));
    return list;
}

static void add_times(json_t *object, const struct summary time[TIME_KINDS])
{
    for (int k = 0; k < TIME_KINDS; k++) {
        char *key = xasprintf("%s_ms", result_time_name((enum result_kind_of_time)k));

        json_put(object, key, write_part(&time[k], PART_SUMMARY));
        free(key);
    }
}

static json_t *write_by_type(const struct result_sample *s)
{
    json_t *object = new_object();

    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        json_t *txn = json_null();

        if (s->by_type[row].count >= 0) {
            txn = write_part(&s->by_type[row], PART_TXN);
            add_times(txn, s->by_type[row].time);
        }
        json_put(object, result_txn_name(row), txn);
    }
    return object;
}

static json_t *write_devices(const struct result *r)
{
    json_t *object = new_object();

    for (size_t i = 0; i < r->drive.devices.n && i < RESULT_DEVICES_MAX; i++) {
        const char *name = r->drive.devices.at[i].name;

        CHECK(name);
        json_put(object, name, write_part(&r->sample.devices[i], PART_RATES));
    }
    return object;
}

static json_t *write_driver(const struct result_driver *d)
{
    json_t *object = write_part(d, PART_DRIVER);

    json_put(object, "lateness_ms", write_part(d, PART_LATENESS));
    return object;
}

/* Null where nothing was to be had of the server. */
static json_t *write_server(const struct result_sample *s)
{
    json_t *object = NULL;

    if (s->server_sample.looks < 0 && isnan(s->server.longest_silence_ms))
        return json_null();
    object = write_part(&s->server, PART_SERVER);
    json_put(object, "wait_percent", write_part(&s->server, PART_WAITS));
    json_add_fields(object, &s->server_sample, result_fields(PART_SERVER_SAMPLE));
    return object;
}

static json_t *write_sample(const struct result *r)
{
    const struct result_sample *s = &r->sample;
    json_t *object = write_part(s, PART_SAMPLE);

    add_times(object, s->time);
    json_put(object, "transactions_by_type", write_by_type(s));
    json_put(object, "outcomes",
             s->transactions < 0 ? json_null() : write_part(&s->outcomes, PART_COUNTERS));
    json_put(object, "devices", write_devices(r));
    json_put(object, "per_transaction", write_part(s, PART_PER_TXN));
    json_put(object, "server", write_server(s));
    json_put(object, "driver", write_driver(&s->driver));
    return object;
}

static json_t *write_run(const struct result_run *run)
{
    json_t *object = new_object();

    json_put(object, "outcomes", write_part(&run->outcomes, PART_COUNTERS));
    json_add_fields(object, run, result_fields(PART_RUN));
    return object;
}

static json_t *write_audit(const struct result *r)
{
    json_t *object = new_object();

    for (size_t i = 0; i < r->audit.n; i++)
        json_put(object, r->audit.at[i].name, write_part(&r->audit.at[i], PART_BAND));
    return object;
}

static json_t *write_check_list(const struct result_check *at, size_t n)
{
    json_t *object = new_object();

    for (size_t i = 0; i < n; i++) {
        char *key = at[i].name ? xstrdup(at[i].name) : xasprintf("condition_%d", at[i].number);

        json_put(object, key, json_text(at[i].outcome));
        free(key);
    }
    return object;
}

static json_t *write_checks(const struct result_checks *c)
{
    json_t *object = new_object();

    json_put(object, "before", write_check_list(c->before.at, c->before.n));
    json_put(object, "after", write_check_list(c->after.at, c->after.n));
    json_add_fields(object, c, result_fields(PART_CHECKS));
    return object;
}

static json_t *write_errors(const struct result *r)
{
    json_t *list = new_list();

    for (size_t i = 0; i < r->errors.n; i++)
        list_add(list, write_part(&r->errors.at[i], PART_ERROR));
    return list;
}

static json_t *write_marks(const struct result *r)
{
    json_t *list = new_list();

    for (size_t i = 0; i < r->marks.n; i++)
        list_add(list, write_part(&r->marks.at[i], PART_MARK));
    return list;
}

static json_t *write_logs(const struct result_health *h, bool before)
{
    json_t *object = new_object();

    for (size_t i = 0; i < h->drives.n; i++) {
        const struct result_drive_health *d = &h->drives.at[i];

        CHECK(d->device);
        json_put(object, d->device, write_part(before ? &d->before : &d->after, PART_HEALTH_LOG));
    }
    return object;
}

/* null where nobody looked, as before the run. */
static json_t *write_health(const struct result_health *h)
{
    json_t *object = NULL;
    json_t *drives = NULL;

    if (h->drives.n == 0)
        return json_null();
    object = write_part(h, PART_HEALTH);
    drives = new_object();
    for (size_t i = 0; i < h->drives.n; i++) {
        const struct result_drive_health *d = &h->drives.at[i];
        json_t *drive = write_part(d, PART_DRIVE_HEALTH);

        json_put(drive, "used", write_part(&d->used, PART_HEALTH_USED));
        json_put(drives, d->device, drive);
    }
    json_put(object, "drives", drives);
    json_put(object, "before", write_logs(h, true));
    json_put(object, "after", write_logs(h, false));
    return object;
}

static json_t *write_steadiness(const struct result_steadiness *s)
{
    json_t *object = write_part(s, PART_STEADINESS);
    json_t *measures = new_object();

    for (int m = 0; m < STEADY_MEASURES; m++) {
        json_put(measures, result_steady_name(m),
                 isnan(s->measure[m].mean) ? json_null()
                                           : write_part(&s->measure[m], PART_STEADY_MEASURE));
    }
    json_put(object, "measures", measures);
    return object;
}

static void add_database(json_t *root, const struct result *r)
{
    json_put(root, "database", write_database(&r->database));
    json_put(root, "dataset", write_dataset(&r->dataset));
}

static void add_run(json_t *root, const struct result *r)
{
    json_put(root, "workload", write_part(&r->workload, PART_WORKLOAD));
    json_put(root, "phases", write_phases(r));
    json_put(root, "sample", write_sample(r));
    json_put(root, "run", write_run(&r->run));
    json_put(root, "steadiness", write_steadiness(&r->steadiness));
    json_put(root, "audit", write_audit(r));
    json_put(root, "checks", write_checks(&r->checks));
}

static void add_events(json_t *root, const struct result *r)
{
    json_put(root, "errors", write_errors(r));
    json_put(root, "marks", write_marks(r));
}

/* A sweep and a preparation have nothing of what is a database's. */
static json_t *write_document(const struct result *r)
{
    const bool oltp = result_is_oltp(r);
    json_t *root = new_object();

    json_put(root, "format", json_text(RESULT_FORMAT));
    json_add_fields(root, r, result_fields(PART_RESULT));
    json_put(root, "verdict", write_verdict(r));
    if (oltp)
        json_put(root, "limited", write_limit(r));
    json_put(root, "host", write_part(&r->host, PART_HOST));
    if (oltp)
        add_database(root, r);
    json_put(root, "drive", write_drive(&r->drive));
    if (oltp)
        add_run(root, r);
    if (result_is_sweep(r))
        json_put(root, "sweep", sweep_json_write(r));
    json_put(root, "health", write_health(&r->health));
    if (oltp)
        add_events(root, r);
    return root;
}

char *result_json_write(const struct result *r)
{
    return json_finish(write_document(r));
}
