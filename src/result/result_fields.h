/*
 * Which members of the document stand under which keys of result.json (format 1): the tables that
 * writing and reading share.
 */
#ifndef RESULT_RESULT_FIELDS_H
#define RESULT_RESULT_FIELDS_H

#include "result/json_fields.h"

enum result_part {
    PART_RESULT, /* struct result */
    PART_REASON, /* struct verdict_reason; its code apart */
    PART_HOST,
    PART_DATABASE,
    PART_DATASET,
    PART_RESTORE,   /* struct result_restore; of a run that was restored only */
    PART_CONSTANTS, /* int64_t[3] */
    PART_DRIVE,
    PART_PREP,
    PART_DEVICE,
    PART_REMOTE,
    PART_WORKLOAD,
    PART_PHASE,
    PART_SAMPLE,
    PART_SUMMARY,
    PART_TXN,
    PART_COUNTERS,
    PART_RATES,
    PART_PER_TXN,       /* struct result_sample */
    PART_SERVER,        /* struct result_server but the waits */
    PART_WAITS,         /* its wait_percent */
    PART_SERVER_SAMPLE, /* struct result_server_sample */
    PART_DRIVER,
    PART_LATENESS, /* struct result_driver */
    PART_RUN,
    PART_BAND, /* its name is the key */
    PART_CHECKS,
    PART_ERROR,
    PART_MARK,
    PART_HEALTH,
    PART_DRIVE_HEALTH,
    PART_HEALTH_LOG,
    PART_HEALTH_USED,
    PART_STEADINESS,
    PART_STEADY_MEASURE,
    RESULT_PARTS
};

struct json_fields result_fields(enum result_part part);

#endif
