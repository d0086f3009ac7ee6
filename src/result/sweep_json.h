/*
 * The "sweep" of result.json, both ways.
 */
#ifndef RESULT_SWEEP_JSON_H
#define RESULT_SWEEP_JSON_H

#include "result/json_fields.h"
#include "result/result.h"

/* A new object. */
json_t *sweep_json_write(const struct result *r);
/* From the document's member "sweep"; drive.devices are read already. */
int sweep_json_read(const struct json_node *root, struct result *r, struct err *err) MUST_CHECK;

#endif
