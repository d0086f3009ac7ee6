/*
 * drive/health: what smartctl and nvme-cli of several versions say of one drive gives equal
 * figures; what is missing is none; what is no health log is an error.
 */
#include "drive/health.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "harness/unit.h"

#define SMART_BODY                                                                                 \
    "\"temperature\": 47, \"available_spare\": 99, \"available_spare_threshold\": 10, "            \
    "\"percentage_used\": 3, \"data_units_read\": 201526305, \"data_units_written\": 188048213, "  \
    "\"host_reads\": 660948177, \"host_writes\": 251748228, \"controller_busy_time\": 4612, "      \
    "\"power_cycles\": 6, \"power_on_hours\": 241, \"unsafe_shutdowns\": 2, \"media_errors\": 1, " \
    "\"num_err_log_entries\": 5, \"warning_temp_time\": 7, \"critical_comp_time\": 0"

static const char smartctl_7_3[] =
    "{\"json_format_version\": [1, 0], \"smartctl\": {\"version\": [7, 3], \"exit_status\": 0},"
    "\"device\": {\"name\": \"/dev/nvme0n1\", \"protocol\": \"NVMe\"},"
    "\"nvme_smart_health_information_log\": {\"critical_warning\": 2, " SMART_BODY "},"
    "\"temperature\": {\"current\": 47}}";

static const char smartctl_7_4[] =
    "{\"json_format_version\": [1, 0], \"smartctl\": {\"version\": [7, 4], \"pre_release\": false},"
    "\"nvme_smart_health_information_log\": {\"nsid\": -1, \"critical_warning\": 2, " SMART_BODY
    ", \"temperature_sensors\": [47, 61]}}";

static const char smartctl_7_6[] =
    "{\"smartctl\": {\"version\": [7, 6]},"
    "\"nvme_smart_health_information_log\": {\"critical_warning\": 2, " SMART_BODY
    ", \"thermal_mgmt_temperature_1_transition_count\": 4,"
    "\"thermal_mgmt_temperature_2_transition_count\": 1,"
    "\"thermal_mgmt_temperature_1_total_time\": 120,"
    "\"thermal_mgmt_temperature_2_total_time\": 9}}";

#define NVME_TAIL                                                                                  \
    "\"warning_temp_time\": 7, \"critical_comp_time\": 0, \"temperature_sensor_1\": 320, "         \
    "\"thm_temp1_trans_count\": 4, \"thm_temp2_trans_count\": 1, \"thm_temp1_total_time\": 120, "  \
    "\"thm_temp2_total_time\": 9}"

static const char nvme_1[] =
    "{\"critical_warning\": 2, \"temperature\": 320, \"avail_spare\": 99, \"spare_thresh\": 10,"
    "\"percent_used\": 3, \"data_units_read\": 201526305, \"data_units_written\": 188048213,"
    "\"host_read_commands\": 660948177, \"host_write_commands\": 251748228,"
    "\"controller_busy_time\": 4612, \"power_cycles\": 6, \"power_on_hours\": 241,"
    "\"unsafe_shutdowns\": 2, \"media_errors\": 1, \"num_err_log_entries\": 5," NVME_TAIL;

/* Reals for long numbers. */
static const char nvme_2[] =
    "{\"critical_warning\": {\"value\": 2, \"available_spare\": 0, \"temp_threshold\": 1},"
    "\"temperature\": 320, \"avail_spare\": 99, \"spare_thresh\": 10, \"percent_used\": 3,"
    "\"endurance_grp_critical_warning_summary\": 0, \"data_units_read\": 201526305.0,"
    "\"data_units_written\": 1.88048213e8, \"host_read_commands\": 660948177,"
    "\"host_write_commands\": 251748228, \"controller_busy_time\": 4612, \"power_cycles\": 6,"
    "\"power_on_hours\": 241, \"unsafe_shutdowns\": 2, \"media_errors\": 1,"
    "\"num_err_log_entries\": 5," NVME_TAIL;

/* Texts for numbers of 128 bits, a warning before the JSON. */
static const char nvme_3[] =
    "warning: using defaults\n"
    "{\"critical_warning\": 2, \"temperature\": 320, \"avail_spare\": 99, \"spare_thresh\": 10,"
    "\"percent_used\": 3, \"data_units_read\": \"201526305\", \"data_units_written\": "
    "\"188,048,213\", \"host_read_commands\": \"660948177\", \"host_write_commands\": "
    "\"251748228\", \"controller_busy_time\": \"4612\", \"power_cycles\": \"6\","
    "\"power_on_hours\": \"241\", \"unsafe_shutdowns\": \"2\", \"media_errors\": \"1\","
    "\"num_err_log_entries\": \"5\"," NVME_TAIL;

static void expect(const char *what, const struct health_log *log, bool thermal)
{
    UNIT_NEAR(what, log->temperature_c, 47, 0);
    UNIT_NEAR(what, log->spare_percent, 99, 0);
    UNIT_NEAR(what, log->spare_threshold_percent, 10, 0);
    UNIT_NEAR(what, log->worn_percent, 3, 0);
    UNIT_EQ_I64(what, log->critical_warning, HEALTH_TEMPERATURE);
    UNIT_EQ_I64(what, log->read_bytes, INT64_C(201526305) * 512000);
    UNIT_EQ_I64(what, log->written_bytes, INT64_C(188048213) * 512000);
    UNIT_EQ_I64(what, log->read_commands, 660948177);
    UNIT_EQ_I64(what, log->write_commands, 251748228);
    UNIT_EQ_I64(what, log->busy_minutes, 4612);
    UNIT_EQ_I64(what, log->power_cycles, 6);
    UNIT_EQ_I64(what, log->power_on_hours, 241);
    UNIT_EQ_I64(what, log->unsafe_shutdowns, 2);
    UNIT_EQ_I64(what, log->media_errors, 1);
    UNIT_EQ_I64(what, log->error_log_entries, 5);
    UNIT_EQ_I64(what, log->warning_minutes, 7);
    UNIT_EQ_I64(what, log->critical_minutes, 0);
    UNIT_EQ_I64(what, log->throttled_1_count, thermal ? 4 : -1);
    UNIT_EQ_I64(what, log->throttled_2_count, thermal ? 1 : -1);
    UNIT_EQ_I64(what, log->throttled_1_seconds, thermal ? 120 : -1);
    UNIT_EQ_I64(what, log->throttled_2_seconds, thermal ? 9 : -1);
    UNIT_EQ_I64(what, log->media_written_bytes, -1);
}

static void test_one_drive(void)
{
    static const struct {
        const char *what, *text, *version;
        bool thermal;
    } rows[] = {
        {"smartctl 7.3", smartctl_7_3, "smartctl 7.3", false},
        {"smartctl 7.4", smartctl_7_4, "smartctl 7.4", false},
        {"smartctl 7.6", smartctl_7_6, "smartctl 7.6", true},
        {"nvme-cli 1", nvme_1, NULL, true},
        {"nvme-cli 2", nvme_2, NULL, true},
        {"nvme-cli 3", nvme_3, NULL, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct health_log log;
        struct err err = {0};
        char *version = NULL;
        const int rc = rows[i].version ? health_parse_smartctl(rows[i].text, &log, &version, &err)
                                       : health_parse_nvme(rows[i].text, &log, &err);

        UNIT_EQ_I64(rows[i].what, rc, 0);
        UNIT_EQ_STR(rows[i].what, version, rows[i].version);
        expect(rows[i].what, &log, rows[i].thermal);
        free(version);
    }
}

/* smartctl of Debian 12 leaves out what nvme-cli has. */
static void test_fill(void)
{
    struct health_log log;
    struct health_log more;
    char *version = NULL;

    UNIT_EQ_I64("", health_parse_smartctl(smartctl_7_3, &log, &version, NULL), 0);
    UNIT_EQ_I64("", health_parse_nvme(nvme_2, &more, NULL), 0);
    health_log_fill(&log, &more);
    expect("both", &log, true);
    free(version);
}

static void test_ata(void)
{
    static const char text[] =
        "{\"smartctl\": {\"version\": [7, 3]}, \"logical_block_size\": 512,"
        "\"temperature\": {\"current\": 31}, \"power_cycle_count\": 12,"
        "\"power_on_time\": {\"hours\": 3600}, \"ata_smart_attributes\": {\"table\": ["
        "{\"id\": 241, \"name\": \"Total_LBAs_Written\", \"raw\": {\"value\": 2000000}},"
        "{\"id\": 187, \"name\": \"Reported_Uncorrect\", \"raw\": {\"value\": 0}}]}}";
    struct health_log log;
    char *version = NULL;

    UNIT_EQ_I64("", health_parse_smartctl(text, &log, &version, NULL), 0);
    UNIT_NEAR("", log.temperature_c, 31, 0);
    UNIT_EQ_I64("", log.written_bytes, 1024000000);
    UNIT_EQ_I64("", log.media_errors, 0);
    UNIT_EQ_I64("", log.power_on_hours, 3600);
    UNIT_EQ_I64("", log.power_cycles, 12);
    UNIT_EQ_I64("not told", log.critical_warning, -1);
    free(version);
}

static void test_ocp(void)
{
    struct health_log log;

    UNIT_EQ_I64("",
                health_parse_ocp("{\"Physical media units written\": {\"hi\": 0, \"lo\": 5000}}",
                                 &log, NULL),
                0);
    UNIT_EQ_I64("", log.media_written_bytes, 5000);
    UNIT_EQ_I64("", health_parse_ocp("{\"a\": 1}", &log, NULL), -1);
}

static void test_no_health(void)
{
    static const char refused[] =
        "{\"smartctl\": {\"version\": [7, 3], \"messages\": [{\"string\": \"Smartctl open device: "
        "/dev/sda failed: Permission denied\", \"severity\": \"error\"}], \"exit_status\": 2}}";
    struct health_log log;
    struct err err = {0};
    char *version = NULL;

    UNIT_EQ_I64("", health_parse_smartctl(refused, &log, &version, &err), -1);
    UNIT_TRUE("its own words", strstr(err.text, "Permission denied") != NULL);
    free(version);
    UNIT_EQ_I64("", health_parse_smartctl("no such device", &log, &version, &err), -1);
    UNIT_EQ_STR("", err.text, "no JSON in its output");
    UNIT_EQ_I64("", health_parse_smartctl("{\"a\": ", &log, &version, &err), -1);
    UNIT_EQ_I64("", health_parse_nvme("{}", &log, &err), -1);
    UNIT_EQ_I64("a negative figure is none",
                health_parse_nvme("{\"temperature\": 300, \"power_cycles\": -5,"
                                  "\"data_units_read\": 1e30, \"media_errors\": \"x\"}",
                                  &log, &err),
                0);
    UNIT_EQ_I64("", log.power_cycles, -1);
    UNIT_EQ_I64("", log.read_bytes, -1);
    UNIT_EQ_I64("", log.media_errors, -1);
    UNIT_NEAR("", log.temperature_c, 27, 0);
}

static void test_not_a_drive(void)
{
    struct fsroot root;
    struct health_reading reading;

    fsroot_init(&root, "");
    health_read(&root, "loop7", &reading);
    UNIT_EQ_STR("", reading.why_none, "loop7 is no drive of its own");
    UNIT_TRUE("", !reading.tool);
    health_reading_release(&reading);
    UNIT_TRUE("no such device", isnan(health_temperature_c(&root, "nodrive9")));
    fsroot_release(&root);
}

static const struct unit_test tests[] = {
    {"one drive", test_one_drive},
    {"fill", test_fill},
    {"ata", test_ata},
    {"ocp", test_ocp},
    {"no health", test_no_health},
    {"not a drive", test_not_a_drive},
};
const struct unit_suite health_suite = UNIT_SUITE("health", tests);
