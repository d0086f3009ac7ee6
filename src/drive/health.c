/*
 * Runs the tools that are there, smartctl first; nvme-cli fills in what it left out. As an ordinary
 * user neither may: that is said, and the temperature still comes from hwmon.
 */
#include "drive/health.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/proc.h"
#include "base/units.h"
#include "base/xalloc.h"

#define TOOL_NS (10 * NS_PER_S)
#define ARGS_MAX 8
#define MILLI 1000.0

/* The output, or NULL with err; the exit status says little: bits of smartctl's tell of old faults,
 * and what is missing is missing in the output. */
static char *run_tool(const char *const argv[ARGS_MAX], struct err *err)
{
    static const char *const env[] = {"LC_ALL=C", NULL};
    const struct proc_opts opts = {.argv = argv, .env = env, .timeout_ns = TOOL_NS};
    struct strbuf out;
    int status = 0;
    int rc;

    strbuf_init(&out);
    rc = proc_run(&opts, &status, &out, err);
    if (rc == 0 && out.len == 0) {
        err_set(err, ERR_SURROUNDINGS, "%s said nothing (status %d)", argv[0], status);
        rc = -1;
    }
    if (rc < 0) {
        strbuf_release(&out);
        return NULL;
    }
    return strbuf_detach(&out);
}

static int read_smartctl(const char *device, struct health_reading *out, struct err *err)
{
    const char *const argv[ARGS_MAX] = {"smartctl", "-j", "-i", "-H", "-A", device};
    char *text = run_tool(argv, err);
    char *version = NULL;
    int rc = -1;

    if (text)
        rc = health_parse_smartctl(text, &out->log, &version, err);
    if (rc == 0)
        out->tool = xstrdup(version ? version : "smartctl");
    else
        err_wrap(err, "smartctl");
    free(version);
    free(text);
    return rc;
}

static void name_tool(struct health_reading *out, const char *name)
{
    char *both = out->tool ? xasprintf("%s, %s", out->tool, name) : xstrdup(name);

    free(out->tool);
    out->tool = both;
}

/* What is there already stays. */
static int read_nvme(const char *device, struct health_reading *out, struct err *err)
{
    const char *const argv[ARGS_MAX] = {"nvme", "smart-log", device, "-o", "json"};
    const char *const ocp_argv[ARGS_MAX] = {"nvme", "ocp", "smart-add-log", device, "-o", "json"};
    struct health_log log;
    char *text = run_tool(argv, err);
    char *ocp = NULL;
    int rc = -1;

    if (text)
        rc = health_parse_nvme(text, &log, err);
    if (rc < 0) {
        err_wrap(err, "nvme smart-log");
        goto out;
    }
    health_log_fill(&out->log, &log);
    name_tool(out, "nvme-cli");
    ocp = run_tool(ocp_argv, NULL);
    if (ocp && health_parse_ocp(ocp, &log, NULL) == 0)
        health_log_fill(&out->log, &log);
out:
    free(ocp);
    free(text);
    return rc;
}

/* What has no log, since it is no drive. */
static bool is_made_up(const char *name)
{
    static const char *const prefixes[] = {"loop", "ram", "zram", "dm-", "md", "nbd", "bcache"};

    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

static void explain(struct health_reading *out, const struct err *smart, const struct err *nvme)
{
    if (nvme && nvme->text[0])
        out->why_none = xasprintf("%s; %s", smart->text, nvme->text);
    else
        out->why_none = xstrdup(smart->text);
}

void health_read(const struct fsroot *root, const char *name, struct health_reading *out)
{
    const bool nvme = strncmp(name, "nvme", 4) == 0;
    struct err smart_err = {0};
    struct err nvme_err = {0};
    char *device = xasprintf("/dev/%s", name);
    bool got;

    *out = (struct health_reading){.log = health_log_none()};
    if (is_made_up(name) || root->prefix[0]) {
        out->why_none = xasprintf("%s is no drive of its own", name);
        goto out;
    }
    got = read_smartctl(device, out, &smart_err) == 0;
    if (!got)
        out->log = health_log_none();
    if (nvme && (!got || out->log.throttled_1_count < 0 || out->log.media_written_bytes < 0))
        got = read_nvme(device, out, &nvme_err) == 0 || got;
    if (!got)
        explain(out, &smart_err, nvme ? &nvme_err : NULL);
out:
    if (isnan(out->log.temperature_c))
        out->log.temperature_c = health_temperature_c(root, name);
    free(device);
}

void health_reading_release(struct health_reading *reading)
{
    free(reading->tool);
    free(reading->why_none);
    *reading = (struct health_reading){.log = health_log_none()};
}

static double read_input(const struct fsroot *root, const char *folder, const char *hwmon)
{
    char *path = xasprintf("%s/%s/temp1_input", folder, hwmon);
    char *line = fsroot_read_line(root, path);
    int64_t milli = 0;
    double c = (double)NAN;

    if (line && units_parse_i64(line, &milli, NULL) == 0)
        c = (double)milli / MILLI;
    free(line);
    free(path);
    return c;
}

/* The driver's folder has hwmonN, or hwmon/hwmonN, by its kind. */
double health_temperature_c(const struct fsroot *root, const char *name)
{
    static const char *const places[] = {"", "/hwmon"};
    double c = (double)NAN;

    for (size_t p = 0; p < ARRAY_LEN(places) && isnan(c); p++) {
        char *folder = xasprintf("/sys/block/%s/device%s", name, places[p]);
        char **names = fsroot_list(root, folder);

        for (size_t i = 0; names && names[i] && isnan(c); i++) {
            if (strncmp(names[i], "hwmon", 5) == 0 && strcmp(names[i], "hwmon") != 0)
                c = read_input(root, folder, names[i]);
        }
        fsroot_list_free(names);
        free(folder);
    }
    return c;
}
