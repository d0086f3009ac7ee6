/*
 * result.json, read: the file is foreign, so every type is looked at and every list has a bound;
 * a message names the place in the document. Unknown keys are accepted.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "result/result_fields.h"
#include "result/ladder.h"
#include "result/repeats.h"
#include "result/targets.h"
#include "result/result_json.h"
#include "result/sweep_json.h"
#include "result/verdict.h"

#define ELEMENTS_MAX 10000 /* of one list or object; a run's are a few hundred at most */

/* Reads one member of an object or one element of a list into r. */
typedef int (*read_node_fn)(struct result *r, const struct json_node *node, struct err *err);

static int read_part(const struct json_node *node, void *to, enum result_part part, struct err *err)
{
    return json_read_fields(node, to, result_fields(part), err);
}

/* The object under `key` into `to`. */
static int read_under(const struct json_node *node, const char *key, void *to,
                      enum result_part part, struct err *err)
{
    const struct json_node child = json_child(node, key);

    return read_part(&child, to, part, err);
}

/* Each object of a list. */
static int each_element(struct result *r, const struct json_node *list, read_node_fn fn,
                        struct err *err)
{
    if (json_expect(list, JSON_ARRAY, err) < 0)
        return -1;
    if (json_array_size(list->value) > ELEMENTS_MAX)
        return json_complain(list, err, "more than %d elements", ELEMENTS_MAX);
    for (size_t i = 0; i < json_array_size(list->value); i++) {
        const struct json_node item = json_element(list, i);

        if (json_expect(&item, JSON_OBJECT, err) < 0 || fn(r, &item, err) < 0)
            return -1;
    }
    return 0;
}

static int each_member(struct result *r, const struct json_node *object, read_node_fn fn,
                       struct err *err)
{
    json_t *value = NULL;
    void *at = NULL;

    if (json_expect(object, JSON_OBJECT, err) < 0)
        return -1;
    if (json_object_size(object->value) > ELEMENTS_MAX)
        return json_complain(object, err, "more than %d members", ELEMENTS_MAX);
    at = object->value ? json_object_iter(object->value) : NULL;
    for (; at; at = json_object_iter_next(object->value, at)) {
        struct json_node member = {.up = object, .key = json_object_iter_key(at)};

        value = json_object_iter_value(at);
        member.value = json_is_null(value) ? NULL : value;
        if (fn(r, &member, err) < 0)
            return -1;
    }
    return 0;
}

static int read_reason(struct result *r, const struct json_node *node, struct err *err)
{
    const struct json_node code = json_child(node, "code");
    struct verdict_reason reason = {.code = ""};

    if (json_expect(&code, JSON_STRING, err) < 0)
        return -1;
    if (read_part(node, &reason, PART_REASON, err) < 0) {
        free(reason.text);
        free(reason.advice);
        return -1;
    }
    reason.code = result_keep_text(r, code.value ? json_string_value(code.value) : "");
    if (!reason.text)
        reason.text = xstrdup("");
    VEC_PUSH(&r->verdict.reasons, reason);
    return 0;
}

static int read_verdict(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node verdict = json_child(root, "verdict");
    const struct json_node reasons = json_child(&verdict, "reasons");
    struct json_node status;

    result_verdict_clear(r);
    if (json_expect(&verdict, JSON_OBJECT, err) < 0)
        return -1;
    if (!verdict.value) {
        r->partial = true;
        return 0;
    }
    status = json_child(&verdict, "status");
    if (json_expect(&status, JSON_STRING, err) < 0)
        return -1;
    for (int s = VERDICT_VALID; status.value && s <= VERDICT_INVALID; s++) {
        if (strcmp(json_string_value(status.value), verdict_name((enum verdict_status)s)) == 0) {
            r->verdict.status = (enum verdict_status)s;
            return each_element(r, &reasons, read_reason, err);
        }
    }
    return json_complain(&verdict, err, "its status is neither valid, questionable nor invalid");
}

static int read_setting(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_setting setting = {0};

    if (json_read_text(node, &setting.value, err) < 0)
        return -1;
    if (!setting.value)
        setting.value = xstrdup("");
    setting.name = xstrdup(node->key);
    VEC_PUSH(&r->database.settings, setting);
    return 0;
}

static int txn_row(const char *name)
{
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        if (strcmp(name, result_txn_name(row)) == 0)
            return row;
    }
    return -1;
}

static int read_round_trip(struct result *r, const struct json_node *node, struct err *err)
{
    const int row = txn_row(node->key);

    return row < 0 ? 0 : json_read_whole(node, &r->database.round_trips[row], err);
}

static int read_database(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node database = json_child(root, "database");
    const struct json_node trips = json_child(&database, "round_trips");
    const struct json_node settings = json_child(&database, "settings");

    if (read_part(&database, &r->database, PART_DATABASE, err) < 0)
        return -1;
    if (each_member(r, &trips, read_round_trip, err) < 0)
        return -1;
    return each_member(r, &settings, read_setting, err);
}

static int read_dataset(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node dataset = json_child(root, "dataset");

    if (read_part(&dataset, &r->dataset, PART_DATASET, err) < 0)
        return -1;
    if (read_under(&dataset, "restore", &r->dataset.restore, PART_RESTORE, err) < 0)
        return -1;
    if (read_under(&dataset, "c_load", r->dataset.c_load, PART_CONSTANTS, err) < 0)
        return -1;
    return read_under(&dataset, "c_run", r->dataset.c_run, PART_CONSTANTS, err);
}

static void device_release(struct result_device *d)
{
    free(d->name);
    free(d->role);
    free(d->holds);
    free(d->model);
    free(d->firmware);
    free(d->scheduler);
    free(d->write_cache);
    free(d->link);
}

static int read_device(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_device device = {0};
    int rc = -1;

    if (read_part(node, &device, PART_DEVICE, err) < 0)
        goto out;
    if (!device.name) {
        (void)json_complain(node, err, "a device without a name");
        goto out;
    }
    if (r->drive.devices.n == RESULT_DEVICES_MAX) {
        (void)json_complain(node, err, "more than %d devices", RESULT_DEVICES_MAX);
        goto out;
    }
    VEC_PUSH(&r->drive.devices, device);
    rc = 0;
out:
    if (rc < 0)
        device_release(&device);
    return rc;
}

static int read_remote(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_remote remote = {0};
    int rc = read_part(node, &remote, PART_REMOTE, err);

    if (rc == 0 && (!remote.host || r->drive.remotes.n == RESULT_REMOTES_MAX))
        rc = json_complain(node, err, "a host without a name, or more than %d", RESULT_REMOTES_MAX);
    if (rc == 0) {
        VEC_PUSH(&r->drive.remotes, remote);
        return 0;
    }
    free(remote.host);
    free(remote.reason);
    return -1;
}

static int read_drive(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node drive = json_child(root, "drive");
    const struct json_node devices = json_child(&drive, "devices");
    const struct json_node remotes = json_child(&drive, "remotes");

    if (read_part(&drive, &r->drive, PART_DRIVE, err) < 0 ||
        read_under(&drive, "prep", &r->drive.prep, PART_PREP, err) < 0 ||
        each_element(r, &remotes, read_remote, err) < 0)
        return -1;
    return each_element(r, &devices, read_device, err);
}

static int read_phase(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_phase phase = {0};

    if (read_part(node, &phase, PART_PHASE, err) < 0) {
        free(phase.name);
        return -1;
    }
    VEC_PUSH(&r->phases, phase);
    return 0;
}

static int read_times(const struct json_node *node, struct summary time[TIME_KINDS],
                      struct err *err)
{
    for (int k = 0; k < TIME_KINDS; k++) {
        char *key = xasprintf("%s_ms", result_time_name((enum result_kind_of_time)k));
        const int rc = read_under(node, key, &time[k], PART_SUMMARY, err);

        free(key);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int read_txn(struct result *r, const struct json_node *node, struct err *err)
{
    const int row = txn_row(node->key);

    if (row < 0)
        return 0;
    if (read_part(node, &r->sample.by_type[row], PART_TXN, err) < 0)
        return -1;
    return read_times(node, r->sample.by_type[row].time, err);
}

static int read_rates(struct result *r, const struct json_node *node, struct err *err)
{
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        if (strcmp(node->key, r->drive.devices.at[i].name) == 0)
            return read_part(node, &r->sample.devices[i], PART_RATES, err);
    }
    return 0;
}

static int read_server(const struct json_node *node, struct result_sample *s, struct err *err)
{
    if (read_part(node, &s->server, PART_SERVER, err) < 0 ||
        read_under(node, "wait_percent", &s->server, PART_WAITS, err) < 0)
        return -1;
    return read_part(node, &s->server_sample, PART_SERVER_SAMPLE, err);
}

static int read_sample(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node sample = json_child(root, "sample");
    const struct json_node types = json_child(&sample, "transactions_by_type");
    const struct json_node devices = json_child(&sample, "devices");
    const struct json_node server = json_child(&sample, "server");
    const struct json_node driver = json_child(&sample, "driver");
    struct result_sample *s = &r->sample;

    if (read_part(&sample, s, PART_SAMPLE, err) < 0 || read_times(&sample, s->time, err) < 0 ||
        each_member(r, &types, read_txn, err) < 0 ||
        read_under(&sample, "outcomes", &s->outcomes, PART_COUNTERS, err) < 0 ||
        each_member(r, &devices, read_rates, err) < 0 ||
        read_under(&sample, "per_transaction", s, PART_PER_TXN, err) < 0 ||
        read_server(&server, s, err) < 0 || read_part(&driver, &s->driver, PART_DRIVER, err) < 0)
        return -1;
    return read_under(&driver, "lateness_ms", &s->driver, PART_LATENESS, err);
}

static int read_run(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node run = json_child(root, "run");

    if (read_part(&run, &r->run, PART_RUN, err) < 0)
        return -1;
    return read_under(&run, "outcomes", &r->run.outcomes, PART_COUNTERS, err);
}

static int read_band(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_band band = {0};

    if (read_part(node, &band, PART_BAND, err) < 0)
        return -1;
    band.name = result_keep_text(r, node->key);
    VEC_PUSH(&r->audit, band);
    return 0;
}

/* 3 of "condition_3"; 0 of any other name. */
static int condition_number(const char *name)
{
    static const char prefix[] = "condition_";
    int64_t number = 0;

    if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
        return 0;
    if (units_parse_i64(name + sizeof(prefix) - 1, &number, NULL) < 0)
        return 0;
    return number >= 1 && number <= 99 ? (int)number : 0;
}

static int make_check(const struct json_node *node, struct result_check *check, struct err *err)
{
    *check = (struct result_check){.number = condition_number(node->key)};
    if (json_read_text(node, &check->outcome, err) < 0)
        return -1;
    check->name = xstrdup(node->key);
    return 0;
}

static int read_check_before(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_check check;

    if (make_check(node, &check, err) < 0)
        return -1;
    VEC_PUSH(&r->checks.before, check);
    return 0;
}

static int read_check_after(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_check check;

    if (make_check(node, &check, err) < 0)
        return -1;
    VEC_PUSH(&r->checks.after, check);
    return 0;
}

static int read_checks(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node checks = json_child(root, "checks");
    const struct json_node before = json_child(&checks, "before");
    const struct json_node after = json_child(&checks, "after");

    if (read_part(&checks, &r->checks, PART_CHECKS, err) < 0)
        return -1;
    if (each_member(r, &before, read_check_before, err) < 0)
        return -1;
    return each_member(r, &after, read_check_after, err);
}

static int read_error(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_error error = {0};

    if (read_part(node, &error, PART_ERROR, err) < 0) {
        free(error.class);
        free(error.sqlstate);
        free(error.text);
        return -1;
    }
    VEC_PUSH(&r->errors, error);
    return 0;
}

static int read_drive_health(struct result *r, const struct json_node *node, struct err *err)
{
    const struct json_node logs = *node->up->up;
    const struct json_node before = json_child(&logs, "before");
    const struct json_node after = json_child(&logs, "after");
    struct result_drive_health d = {.device = NULL};

    if (r->health.drives.n == RESULT_DEVICES_MAX)
        return json_complain(node, err, "more than %d drives", RESULT_DEVICES_MAX);
    if (read_part(node, &d, PART_DRIVE_HEALTH, err) < 0 ||
        read_under(node, "used", &d.used, PART_HEALTH_USED, err) < 0 ||
        read_under(&before, node->key, &d.before, PART_HEALTH_LOG, err) < 0 ||
        read_under(&after, node->key, &d.after, PART_HEALTH_LOG, err) < 0) {
        free(d.tool);
        free(d.why_none);
        return -1;
    }
    d.device = xstrdup(node->key);
    VEC_PUSH(&r->health.drives, d);
    return 0;
}

static int read_health(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node health = json_child(root, "health");
    const struct json_node drives = json_child(&health, "drives");

    if (read_part(&health, &r->health, PART_HEALTH, err) < 0)
        return -1;
    return each_member(r, &drives, read_drive_health, err);
}

static int read_steadiness(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node steadiness = json_child(root, "steadiness");
    const struct json_node measures = json_child(&steadiness, "measures");

    if (read_part(&steadiness, &r->steadiness, PART_STEADINESS, err) < 0)
        return -1;
    for (int m = 0; m < STEADY_MEASURES; m++) {
        if (read_under(&measures, result_steady_name(m), &r->steadiness.measure[m],
                       PART_STEADY_MEASURE, err) < 0)
            return -1;
    }
    return 0;
}

static int read_mark(struct result *r, const struct json_node *node, struct err *err)
{
    struct result_mark mark = {0};
    int rc = read_part(node, &mark, PART_MARK, err);

    if (rc == 0 && !isfinite(mark.start_s))
        rc = json_complain(node, err, "a mark without a time");
    if (rc == 0) {
        result_add_mark(r, mark);
        return 0;
    }
    free(mark.kind);
    free(mark.text);
    return rc;
}

static int check_format(const json_t *root, struct err *err)
{
    const json_t *format = json_object_get(root, "format");
    const char *kind = json_string_value(json_object_get(root, "kind"));

    if (!json_is_string(format))
        return err_set(err, ERR_SURROUNDINGS, "no \"format\" in it: not a result of tpcc-run");
    if (strcmp(json_string_value(format), RESULT_FORMAT) != 0)
        return err_set(err, ERR_SURROUNDINGS,
                       "format \"%.40s\" is not known here, only \"%s\": use the tpcc-report that"
                       " belongs to the program that wrote it",
                       json_string_value(format), RESULT_FORMAT);
    if (kind && strcmp(kind, LADDER_KIND) == 0)
        return err_set(err, ERR_USAGE,
                       "a ladder of runs, which is reported alone; each of its steps is a result "
                       "(see steps/ in its directory)");
    if (kind && strcmp(kind, REPEATS_KIND) == 0)
        return err_set(err, ERR_USAGE,
                       "a set of repeats; each of its runs is a result (see runs/ in its "
                       "directory)");
    if (kind && strcmp(kind, TARGETS_KIND) == 0)
        return err_set(err, ERR_USAGE,
                       "of several targets; each of them is a result (see targets/ in its "
                       "directory)");
    return 0;
}

/* A file is foreign: what a run says of itself when its counters are wrong must be there. */
static int check_accounting(const struct json_node *root, const struct result *r, struct err *err)
{
    const struct json_node run = json_child(root, "run");

    if (r->partial || result_balances(r))
        return 0;
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        if (strcmp(r->verdict.reasons.at[i].code, "accounting") == 0)
            return 0;
    }
    return json_complain(&run, err,
                         "outcomes do not add up: started is not committed + rolled_back + failed"
                         " + in_doubt");
}

static int read_document(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node phases = json_child(root, "phases");
    const struct json_node audit = json_child(root, "audit");
    const struct json_node errors = json_child(root, "errors");
    const struct json_node marks = json_child(root, "marks");

    if (check_format(root->value, err) < 0 || read_part(root, r, PART_RESULT, err) < 0 ||
        read_verdict(root, r, err) < 0 || read_under(root, "host", &r->host, PART_HOST, err) < 0 ||
        read_database(root, r, err) < 0 || read_dataset(root, r, err) < 0 ||
        read_drive(root, r, err) < 0 || sweep_json_read(root, r, err) < 0 ||
        read_under(root, "workload", &r->workload, PART_WORKLOAD, err) < 0 ||
        each_element(r, &phases, read_phase, err) < 0 || read_sample(root, r, err) < 0 ||
        read_run(root, r, err) < 0 || read_steadiness(root, r, err) < 0 ||
        read_health(root, r, err) < 0 || each_member(r, &audit, read_band, err) < 0 ||
        read_checks(root, r, err) < 0 || each_element(r, &errors, read_error, err) < 0 ||
        each_element(r, &marks, read_mark, err) < 0)
        return -1;
    return check_accounting(root, r, err);
}

int result_json_read(const char *text, struct result *r, struct err *err)
{
    json_t *document = json_parse(text, err);
    const struct json_node root = {.value = document};
    int rc = -1;

    if (!document)
        return -1;
    rc = read_document(&root, r, err);
    json_decref(document);
    return rc;
}
