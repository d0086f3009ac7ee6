/*
 * One result as CSV, for spreadsheets and scripts: a header "key,value", then a row for each
 * figure and text of result.json. The key is its path there, "sample.response_ms.p99",
 * "drive.devices.0.model"; an empty value: none. Empty lists and objects have no row.
 */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "base/strbuf.h"
#include "result/result.h"

void report_csv(const struct result *r, struct strbuf *out);

#endif
