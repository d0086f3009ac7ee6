/*
 * The health log of a drive, read by smartctl or nvme-cli (JSON). Their formats differ by version:
 * smartctl before 7.4 leaves the thermal counters out, nvme-cli gives temperatures in kelvin, and
 * numbers come as integers, as reals, as digits in a text or in an object; what is not there is
 * none. Runs programs, without a shell and with a bound: not for a thread that measures.
 */
#ifndef DRIVE_HEALTH_H
#define DRIVE_HEALTH_H

#include "base/err.h"
#include "base/fsroot.h"
#include "stats/health.h"

struct health_reading {
    struct health_log log;
    char *tool;     /* "smartctl 7.3, nvme-cli"; NULL: none could tell */
    char *why_none; /* why there are no figures, in words; NULL where there are */
};

/* Texts before the first brace are skipped. -1: no JSON, or none of a drive's health. */
int health_parse_smartctl(const char *text, struct health_log *log, char **version,
                          struct err *err) MUST_CHECK;
int health_parse_nvme(const char *text, struct health_log *log, struct err *err) MUST_CHECK;
/* The extended log of the Open Compute Project: only what is written to the flash. */
int health_parse_ocp(const char *text, struct health_log *log, struct err *err) MUST_CHECK;

/* A leaf's name under /sys/block. Never fails: what is wrong is in why_none. */
void health_read(const struct fsroot *root, const char *name, struct health_reading *out);
void health_reading_release(struct health_reading *reading);
/* From hwmon, which needs no rights: degrees C; NaN: none. */
double health_temperature_c(const struct fsroot *root, const char *name);

#endif
