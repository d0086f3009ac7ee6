/*
 * A review in one screen: its steps, what each took, and the figures that a reader asks first.
 */
#ifndef REVIEW_SUMMARY_H
#define REVIEW_SUMMARY_H

#include "base/strbuf.h"
#include "review/state.h"

/* Reads the results of the steps that are done, below `path`. Whole lines of 80 columns; the last
 * one is "result: <path>". */
void review_summary(const char *path, const struct review_state *s, struct strbuf *out);

/* For scripts: review.json with its "path", and of each step its result.json as "document" (null
 * where it is not done). free() it. */
char *review_summary_json(const char *path, const struct review_state *s);

#endif
