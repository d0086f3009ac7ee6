/*
 * result.json, both ways (jansson). Writing, reading and writing again gives the same bytes.
 */
#ifndef RESULT_RESULT_JSON_H
#define RESULT_RESULT_JSON_H

#include "base/err.h"
#include "result/result.h"

/* free() it. */
char *result_json_write(const struct result *r);
/* Unknown keys are accepted; a wrong type, a missing format or another format number is an error
 * with line and column or path. */
int result_json_read(const char *text, struct result *r, struct err *err) MUST_CHECK;

#endif
