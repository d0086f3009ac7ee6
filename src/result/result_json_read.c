/*
 * result.json, read: the file is foreign, so every type is looked at and every list has a bound;
 * a message names the place in the document. Unknown keys are accepted.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "result/result_fields.h"
#include "result/result_json.h"
#include "result/verdict.h"

#define ELEMENTS_MAX 10000 /* of one list or object; a run's are a few hundred at most */

/* Members of an object or a list that is read one by one. */
typedef int (*read_element_fn)(struct result *r, const char *key, const json_t *value,
                               const struct json_place *place, struct err *err);

static int read_part(const json_t *object, void *to, enum result_part part,
                     const struct json_place *place, struct err *err)
{
    return json_read_fields(object, to, result_fields(part), place, err);
}

/* The object under `key` of parent into `to`. */
static int read_named(const json_t *parent, const char *key, void *to, enum result_part part,
                      const struct json_place *up, struct err *err)
{
    const struct json_place place = {.up = up, .key = key};

    return read_part(json_object_get(parent, key), to, part, &place, err);
}

static int each_of_list(const json_t *parent, const char *key, const struct json_place *up,
                        read_element_fn fn, struct result *r, struct err *err)
{
    const struct json_place here = {.up = up, .key = key};
    json_t *list = NULL;

    if (json_member(parent, key, JSON_ARRAY, up, &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const struct json_place place = {.up = &here, .index = i};
        const json_t *item = json_array_get(list, i);

        if (i >= ELEMENTS_MAX)
            return json_complain(&here, err, "more than %d elements", ELEMENTS_MAX);
        if (!json_is_object(item))
            return json_wrong_type(&place, "an object", item, err);
        if (fn(r, NULL, item, &place, err) < 0)
            return -1;
    }
    return 0;
}

static int each_of_object(const json_t *parent, const char *key, const struct json_place *up,
                          read_element_fn fn, struct result *r, struct err *err)
{
    const struct json_place here = {.up = up, .key = key};
    json_t *object = NULL;
    json_t *value = NULL;
    const char *name = NULL;

    if (json_member(parent, key, JSON_OBJECT, up, &object, err) < 0)
        return -1;
    if (json_object_size(object) > ELEMENTS_MAX)
        return json_complain(&here, err, "more than %d members", ELEMENTS_MAX);
    json_object_foreach(object, name, value)
    {
        const struct json_place place = {.up = &here, .key = name};

        if (fn(r, name, value, &place, err) < 0)
            return -1;
    }
    return 0;
}

static int optional_text(const json_t *value, char **out, const struct json_place *place,
                         struct err *err)
{
    if (!json_is_null(value) && !json_is_string(value))
        return json_wrong_type(place, "a text", value, err);
    *out = json_is_string(value) ? xstrdup(json_string_value(value)) : NULL;
    return 0;
}

static int read_reason(struct result *r, const char *key, const json_t *value,
                       const struct json_place *place, struct err *err)
{
    struct verdict_reason reason = {.code = ""};
    json_t *code = NULL;

    (void)key;
    if (json_member(value, "code", JSON_STRING, place, &code, err) < 0)
        return -1;
    if (read_part(value, &reason, PART_REASON, place, err) < 0) {
        free(reason.text);
        free(reason.advice);
        return -1;
    }
    reason.code = result_keep_text(r, code ? json_string_value(code) : "");
    if (!reason.text)
        reason.text = xstrdup("");
    VEC_PUSH(&r->verdict.reasons, reason);
    return 0;
}

static int read_verdict(const json_t *root, struct result *r, struct err *err)
{
    const struct json_place place = {.key = "verdict"};
    json_t *verdict = NULL;
    json_t *status = NULL;

    result_verdict_clear(r);
    if (json_member(root, "verdict", JSON_OBJECT, NULL, &verdict, err) < 0)
        return -1;
    if (!verdict) {
        r->partial = true;
        return 0;
    }
    if (json_member(verdict, "status", JSON_STRING, &place, &status, err) < 0)
        return -1;
    for (int s = VERDICT_VALID; status && s <= VERDICT_INVALID; s++) {
        if (strcmp(json_string_value(status), verdict_name((enum verdict_status)s)) == 0) {
            r->verdict.status = (enum verdict_status)s;
            return each_of_list(verdict, "reasons", &place, read_reason, r, err);
        }
    }
    return json_complain(&place, err, "its status is neither valid, questionable nor invalid");
}

static int read_setting(struct result *r, const char *key, const json_t *value,
                        const struct json_place *place, struct err *err)
{
    struct result_setting setting = {0};

    if (optional_text(value, &setting.value, place, err) < 0)
        return -1;
    if (!setting.value)
        setting.value = xstrdup("");
    setting.name = xstrdup(key);
    VEC_PUSH(&r->database.settings, setting);
    return 0;
}

static int read_round_trip(struct result *r, const char *key, const json_t *value,
                           const struct json_place *place, struct err *err)
{
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        if (strcmp(key, result_txn_name(row)) != 0)
            continue;
        if (json_is_null(value))
            return 0;
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return json_complain(place, err, "a whole number was expected");
        r->database.round_trips[row] = json_integer_value(value);
    }
    return 0;
}

static int read_database(const json_t *root, struct result *r, struct err *err)
{
    const struct json_place place = {.key = "database"};
    const json_t *database = json_object_get(root, "database");

    if (read_part(database, &r->database, PART_DATABASE, &place, err) < 0)
        return -1;
    if (each_of_object(database, "round_trips", &place, read_round_trip, r, err) < 0)
        return -1;
    return each_of_object(database, "settings", &place, read_setting, r, err);
}

static int read_dataset(const json_t *root, struct result *r, struct err *err)
{
    const struct json_place place = {.key = "dataset"};
    const json_t *dataset = json_object_get(root, "dataset");

    if (read_part(dataset, &r->dataset, PART_DATASET, &place, err) < 0)
        return -1;
    if (read_named(dataset, "c_load", r->dataset.c_load, PART_CONSTANTS, &place, err) < 0)
        return -1;
    return read_named(dataset, "c_run", r->dataset.c_run, PART_CONSTANTS, &place, err);
}

static void device_release(struct result_device *d)
{
    free(d->name);
    free(d->role);
    free(d->model);
    free(d->firmware);
    free(d->scheduler);
    free(d->write_cache);
}

static int read_device(struct result *r, const char *key, const json_t *value,
                       const struct json_place *place, struct err *err)
{
    struct result_device device = {0};
    int rc = -1;

    (void)key;
    if (read_part(value, &device, PART_DEVICE, place, err) < 0)
        goto out;
    if (!device.name) {
        (void)json_complain(place, err, "a device without a name");
        goto out;
    }
    if (r->drive.devices.n == RESULT_DEVICES_MAX) {
        (void)json_complain(place, err, "more than %d devices", RESULT_DEVICES_MAX);
        goto out;
    }
    VEC_PUSH(&r->drive.devices, device);
    rc = 0;
out:
    if (rc < 0)
        device_release(&device);
    return rc;
}

static int read_drive(const json_t *root, struct result *r, struct err *err)
{
    const struct json_place place = {.key = "drive"};
    const json_t *drive = json_object_get(root, "drive");

    if (read_part(drive, &r->drive, PART_DRIVE, &place, err) < 0)
        return -1;
    return each_of_list(drive, "devices", &place, read_device, r, err);
}

static int read_phase(struct result *r, const char *key, const json_t *value,
                      const struct json_place *place, struct err *err)
{
    struct result_phase phase = {0};

    (void)key;
    if (read_part(value, &phase, PART_PHASE, place, err) < 0) {
        free(phase.name);
        return -1;
    }
    VEC_PUSH(&r->phases, phase);
    return 0;
}

static int read_times(const json_t *object, struct summary time[TIME_KINDS],
                      const struct json_place *place, struct err *err)
{
    for (int k = 0; k < TIME_KINDS; k++) {
        char *key = xasprintf("%s_ms", result_time_name((enum result_kind_of_time)k));
        const int rc = read_named(object, key, &time[k], PART_SUMMARY, place, err);

        free(key);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int read_txn(struct result *r, const char *key, const json_t *value,
                    const struct json_place *place, struct err *err)
{
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        struct result_txn *txn = &r->sample.by_type[row];

        if (strcmp(key, result_txn_name(row)) != 0)
            continue;
        if (read_part(value, txn, PART_TXN, place, err) < 0)
            return -1;
        return read_times(value, txn->time, place, err);
    }
    return 0;
}

static int read_rates(struct result *r, const char *key, const json_t *value,
                      const struct json_place *place, struct err *err)
{
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        if (strcmp(key, r->drive.devices.at[i].name) == 0)
            return read_part(value, &r->sample.devices[i], PART_RATES, place, err);
    }
    return 0;
}

static int read_sample(const json_t *root, struct result *r, struct err *err)
{
    const struct json_place place = {.key = "sample"};
    const json_t *sample = json_object_get(root, "sample");
    const struct json_place driver_place = {.up = &place, .key = "driver"};
    const json_t *driver = json_object_get(sample, "driver");
    struct result_sample *s = &r->sample;

    if (read_part(sample, s, PART_SAMPLE, &place, err) < 0 ||
        read_times(sample, s->time, &place, err) < 0 ||
        each_of_object(sample, "transactions_by_type", &place, read_txn, r, err) < 0 ||
        read_named(sample, "outcomes", &s->outcomes, PART_COUNTERS, &place, err) < 0 ||
        each_of_object(sample, "devices", &place, read_rates, r, err) < 0 ||
        read_named(sample, "per_transaction", s, PART_PER_TXN, &place, err) < 0 ||
        read_part(driver, &s->driver, PART_DRIVER, &driver_place, err) < 0)
        return -1;
    return read_named(driver, "lateness_ms", &s->driver, PART_LATENESS, &driver_place, err);
}

static int read_run(const json_t *root, struct result *r, struct err *err)
{
    const struct json_place place = {.key = "run"};
    const json_t *run = json_object_get(root, "run");

    if (read_part(run, &r->run, PART_RUN, &place, err) < 0)
        return -1;
    return read_named(run, "outcomes", &r->run.outcomes, PART_COUNTERS, &place, err);
}

static int read_band(struct result *r, const char *key, const json_t *value,
                     const struct json_place *place, struct err *err)
{
    struct result_band band = {0};

    if (read_part(value, &band, PART_BAND, place, err) < 0)
        return -1;
    band.name = result_keep_text(r, key);
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

static int make_check(const char *key, const json_t *value, const struct json_place *place,
                      struct result_check *check, struct err *err)
{
    *check = (struct result_check){.number = condition_number(key)};
    if (optional_text(value, &check->outcome, place, err) < 0)
        return -1;
    check->name = xstrdup(key);
    return 0;
}

static int read_check_before(struct result *r, const char *key, const json_t *value,
                             const struct json_place *place, struct err *err)
{
    struct result_check check;

    if (make_check(key, value, place, &check, err) < 0)
        return -1;
    VEC_PUSH(&r->checks.before, check);
    return 0;
}

static int read_check_after(struct result *r, const char *key, const json_t *value,
                            const struct json_place *place, struct err *err)
{
    struct result_check check;

    if (make_check(key, value, place, &check, err) < 0)
        return -1;
    VEC_PUSH(&r->checks.after, check);
    return 0;
}

static int read_checks(const json_t *root, struct result *r, struct err *err)
{
    const struct json_place place = {.key = "checks"};
    const json_t *checks = json_object_get(root, "checks");

    if (read_part(checks, &r->checks, PART_CHECKS, &place, err) < 0)
        return -1;
    if (each_of_object(checks, "before", &place, read_check_before, r, err) < 0)
        return -1;
    return each_of_object(checks, "after", &place, read_check_after, r, err);
}

static int read_error(struct result *r, const char *key, const json_t *value,
                      const struct json_place *place, struct err *err)
{
    struct result_error error = {0};

    (void)key;
    if (read_part(value, &error, PART_ERROR, place, err) < 0) {
        free(error.class);
        free(error.sqlstate);
        free(error.text);
        return -1;
    }
    VEC_PUSH(&r->errors, error);
    return 0;
}

static int check_format(const json_t *root, struct err *err)
{
    const json_t *format = json_object_get(root, "format");

    if (!json_is_object(root) || !json_is_string(format))
        return err_set(err, ERR_SURROUNDINGS, "no \"format\" in it: not a result of tpcc-run");
    if (strcmp(json_string_value(format), RESULT_FORMAT) != 0)
        return err_set(err, ERR_SURROUNDINGS,
                       "format \"%.40s\" is not known here, only \"%s\": use the tpcc-report that"
                       " belongs to the program that wrote it",
                       json_string_value(format), RESULT_FORMAT);
    return 0;
}

/* A file is foreign: what a run says of itself when its counters are wrong must be there. */
static int check_accounting(const struct result *r, struct err *err)
{
    const struct json_place place = {.key = "run"};

    if (r->partial || result_balances(r))
        return 0;
    for (size_t i = 0; i < r->verdict.reasons.n; i++) {
        if (strcmp(r->verdict.reasons.at[i].code, "accounting") == 0)
            return 0;
    }
    return json_complain(&place, err,
                         "outcomes do not add up: started is not committed + rolled_back + failed"
                         " + in_doubt");
}

int result_json_read(const char *text, struct result *r, struct err *err)
{
    json_error_t where;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    int rc = -1;

    if (!root)
        return err_set(err, ERR_SURROUNDINGS, "line %d column %d: %s", where.line, where.column,
                       where.text);
    if (check_format(root, err) < 0 || read_part(root, r, PART_RESULT, NULL, err) < 0 ||
        read_verdict(root, r, err) < 0 ||
        read_named(root, "host", &r->host, PART_HOST, NULL, err) < 0 ||
        read_database(root, r, err) < 0 || read_dataset(root, r, err) < 0 ||
        read_drive(root, r, err) < 0 ||
        read_named(root, "workload", &r->workload, PART_WORKLOAD, NULL, err) < 0 ||
        each_of_list(root, "phases", NULL, read_phase, r, err) < 0 ||
        read_sample(root, r, err) < 0 || read_run(root, r, err) < 0 ||
        each_of_object(root, "audit", NULL, read_band, r, err) < 0 ||
        read_checks(root, r, err) < 0 || each_of_list(root, "errors", NULL, read_error, r, err) < 0)
        goto out;
    rc = check_accounting(r, err);
out:
    json_decref(root);
    return rc;
}
