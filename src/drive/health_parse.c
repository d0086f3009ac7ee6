/*
 * JSON of smartctl and nvme-cli to a health log: one table of keys for both, since the names of one
 * are mostly those of the other.
 */
#include "drive/health.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"

#define DATA_UNIT_BYTES 512000 /* NVMe: thousands of 512 bytes */
#define KELVIN 273
#define KELVIN_FROM 200 /* no drive has so many degrees C */
#define COUNT_MAX 9.2e18

/* A number in any of its dresses; NaN: none. */
static double number_of(const json_t *value)
{
    uint64_t n = 0;

    if (json_is_object(value))
        value = json_object_get(value, "value");
    if (json_is_integer(value))
        return (double)json_integer_value(value);
    if (json_is_real(value))
        return json_real_value(value);
    if (json_is_string(value)) {
        char digits[48] = "";
        size_t at = 0;

        for (const char *c = json_string_value(value); *c && at < sizeof(digits) - 1; c++) {
            if (*c != ',')
                digits[at++] = *c;
        }
        if (units_parse_u64(digits, &n, NULL) == 0)
            return (double)n;
    }
    return (double)NAN;
}

static int64_t count_of(const json_t *value)
{
    double n;

    if (json_is_integer(value))
        return json_integer_value(value) >= 0 ? json_integer_value(value) : -1;
    n = number_of(value);
    return n >= 0 && n < COUNT_MAX ? (int64_t)n : -1;
}

static const struct key {
    const char *smartctl, *nvme;
    size_t at;
    bool units; /* of 512,000 bytes */
} counts[] = {
    {"critical_warning", "critical_warning", offsetof(struct health_log, critical_warning), false},
    {"data_units_read", "data_units_read", offsetof(struct health_log, read_bytes), true},
    {"data_units_written", "data_units_written", offsetof(struct health_log, written_bytes), true},
    {"host_reads", "host_read_commands", offsetof(struct health_log, read_commands), false},
    {"host_writes", "host_write_commands", offsetof(struct health_log, write_commands), false},
    {"controller_busy_time", "controller_busy_time", offsetof(struct health_log, busy_minutes),
     false},
    {"power_on_hours", "power_on_hours", offsetof(struct health_log, power_on_hours), false},
    {"power_cycles", "power_cycles", offsetof(struct health_log, power_cycles), false},
    {"unsafe_shutdowns", "unsafe_shutdowns", offsetof(struct health_log, unsafe_shutdowns), false},
    {"media_errors", "media_errors", offsetof(struct health_log, media_errors), false},
    {"num_err_log_entries", "num_err_log_entries", offsetof(struct health_log, error_log_entries),
     false},
    {"warning_temp_time", "warning_temp_time", offsetof(struct health_log, warning_minutes), false},
    {"critical_comp_time", "critical_comp_time", offsetof(struct health_log, critical_minutes),
     false},
    {"thermal_mgmt_temperature_1_transition_count", "thm_temp1_trans_count",
     offsetof(struct health_log, throttled_1_count), false},
    {"thermal_mgmt_temperature_2_transition_count", "thm_temp2_trans_count",
     offsetof(struct health_log, throttled_2_count), false},
    {"thermal_mgmt_temperature_1_total_time", "thm_temp1_total_time",
     offsetof(struct health_log, throttled_1_seconds), false},
    {"thermal_mgmt_temperature_2_total_time", "thm_temp2_total_time",
     offsetof(struct health_log, throttled_2_seconds), false},
};

static void take_counts(const json_t *from, bool nvme, struct health_log *log)
{
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        const struct key *k = &counts[i];
        int64_t n = count_of(json_object_get(from, nvme ? k->nvme : k->smartctl));

        if (n >= 0 && k->units)
            n = n <= INT64_MAX / DATA_UNIT_BYTES ? n * DATA_UNIT_BYTES : -1;
        *(int64_t *)(void *)((char *)log + k->at) = n;
    }
}

static double celsius(const json_t *value)
{
    const double t = number_of(value);

    return t >= KELVIN_FROM ? t - KELVIN : t;
}

/* ATA: few attributes mean the same on all drives. */
static void take_ata(const json_t *root, struct health_log *log)
{
    const json_t *table = json_object_get(json_object_get(root, "ata_smart_attributes"), "table");
    const double block = number_of(json_object_get(root, "logical_block_size"));
    size_t i = 0;
    json_t *row = NULL;

    json_array_foreach(table, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        const int64_t raw = count_of(json_object_get(json_object_get(row, "raw"), "value"));

        if (!name || raw < 0)
            continue;
        if (strcmp(name, "Total_LBAs_Written") == 0 && block > 0)
            log->written_bytes = (double)raw < COUNT_MAX / block ? raw * (int64_t)block : -1;
        else if (strcmp(name, "Total_LBAs_Read") == 0 && block > 0)
            log->read_bytes = (double)raw < COUNT_MAX / block ? raw * (int64_t)block : -1;
        else if (strcmp(name, "NAND_Writes_1GiB") == 0)
            log->media_written_bytes = raw < (INT64_MAX >> 30) ? raw << 30 : -1;
        else if (strcmp(name, "Reported_Uncorrect") == 0)
            log->media_errors = raw;
    }
}

static json_t *parse(const char *text, struct err *err)
{
    const char *brace = strchr(text, '{');
    json_error_t where;
    json_t *root = brace ? json_loads(brace, JSON_DISABLE_EOF_CHECK, &where) : NULL;

    if (!brace)
        err_set(err, ERR_SURROUNDINGS, "no JSON in its output");
    else if (!root)
        err_set(err, ERR_SURROUNDINGS, "line %d of its output: %s", where.line, where.text);
    return root;
}

/* What the tool says of itself when it could not read the drive. */
static int no_health(const json_t *root, struct err *err)
{
    const json_t *messages = json_object_get(json_object_get(root, "smartctl"), "messages");
    const char *text = json_string_value(json_object_get(json_array_get(messages, 0), "string"));

    return err_set(err, ERR_SURROUNDINGS, "%.300s", text ? text : "it tells no health");
}

static char *version_of(const json_t *root)
{
    const json_t *version = json_object_get(json_object_get(root, "smartctl"), "version");

    if (json_array_size(version) < 2)
        return NULL;
    return xasprintf("smartctl %lld.%lld",
                     (long long)json_integer_value(json_array_get(version, 0)),
                     (long long)json_integer_value(json_array_get(version, 1)));
}

int health_parse_smartctl(const char *text, struct health_log *log, char **version, struct err *err)
{
    json_t *root = parse(text, err);
    const json_t *nvme = json_object_get(root, "nvme_smart_health_information_log");
    int rc = -1;

    *log = health_log_none();
    *version = NULL;
    if (!root)
        return -1;
    *version = version_of(root);
    if (!nvme && !json_object_get(root, "ata_smart_attributes") &&
        !json_object_get(root, "temperature")) {
        (void)no_health(root, err);
        goto out;
    }
    take_counts(nvme, false, log);
    log->spare_percent = number_of(json_object_get(nvme, "available_spare"));
    log->spare_threshold_percent = number_of(json_object_get(nvme, "available_spare_threshold"));
    log->worn_percent = number_of(json_object_get(nvme, "percentage_used"));
    log->temperature_c =
        celsius(nvme ? json_object_get(nvme, "temperature")
                     : json_object_get(json_object_get(root, "temperature"), "current"));
    if (log->power_on_hours < 0)
        log->power_on_hours =
            count_of(json_object_get(json_object_get(root, "power_on_time"), "hours"));
    if (log->power_cycles < 0)
        log->power_cycles = count_of(json_object_get(root, "power_cycle_count"));
    take_ata(root, log);
    rc = 0;
out:
    json_decref(root);
    return rc;
}

int health_parse_nvme(const char *text, struct health_log *log, struct err *err)
{
    json_t *root = parse(text, err);
    int rc = -1;

    *log = health_log_none();
    if (!root)
        return -1;
    take_counts(root, true, log);
    log->spare_percent = number_of(json_object_get(root, "avail_spare"));
    log->spare_threshold_percent = number_of(json_object_get(root, "spare_thresh"));
    log->worn_percent = number_of(json_object_get(root, "percent_used"));
    log->temperature_c = celsius(json_object_get(root, "temperature"));
    if (log->written_bytes < 0 && isnan(log->temperature_c))
        err_set(err, ERR_SURROUNDINGS, "it tells no health");
    else
        rc = 0;
    json_decref(root);
    return rc;
}

int health_parse_ocp(const char *text, struct health_log *log, struct err *err)
{
    json_t *root = parse(text, err);
    const json_t *written = NULL;
    int rc = -1;

    *log = health_log_none();
    if (!root)
        return -1;
    written = json_object_get(root, "Physical media units written");
    if (json_is_object(written) && count_of(json_object_get(written, "hi")) == 0)
        log->media_written_bytes = count_of(json_object_get(written, "lo"));
    else if (!json_is_object(written))
        log->media_written_bytes = count_of(written);
    if (log->media_written_bytes < 0)
        err_set(err, ERR_SURROUNDINGS, "it does not tell what is written to the flash");
    else
        rc = 0;
    json_decref(root);
    return rc;
}
