/*
 * A step of a ladder as JSON, both ways: what the document of several targets has of it, too.
 */
#ifndef RESULT_LADDER_FIELDS_H
#define RESULT_LADDER_FIELDS_H

#include "result/json_fields.h"
#include "result/ladder.h"

json_t *ladder_step_write(const struct ladder_step *s);
/* The node must be an object. What was read is the step's, also on failure. */
int ladder_step_read(const struct json_node *node, struct ladder_step *s,
                     struct err *err) MUST_CHECK;

#endif
