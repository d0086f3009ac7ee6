/*
 * A comparison as text for a terminal of 80 columns.
 */
#ifndef REPORT_COMPARE_TEXT_H
#define REPORT_COMPARE_TEXT_H

#include "base/strbuf.h"
#include "report/compare.h"

void compare_text(const struct compare *c, struct strbuf *out);

#endif
