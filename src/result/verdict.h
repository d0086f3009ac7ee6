/*
 * The verdict (design: "Verdict"): a pure function of the result, one table in the code with code,
 * quantity, limit and advice.
 */
#ifndef RESULT_VERDICT_H
#define RESULT_VERDICT_H

#include "result/result.h"

/* Fills r->verdict anew from the rest of r. */
void verdict_judge(struct result *r);
const char *verdict_name(enum verdict_status s); /* "valid" ... */

#endif
