/*
 * The text report: the summary that fits a screen of 80 columns. Made from a result, live or read
 * back, to the letter the same.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "base/strbuf.h"
#include "result/result.h"

void report_text(const struct result *r, const char *result_path, struct strbuf *out);

#endif
