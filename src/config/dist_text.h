/*
 * A waiting time's distribution as one text: "fixed 18s" (or just "18s"), "uniform 1s 3s" (from,
 * to), "negexp 12s" (mean), "normal 5s 1s" (mean, standard deviation).
 */
#ifndef CONFIG_DIST_TEXT_H
#define CONFIG_DIST_TEXT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "config/settings.h"

int dist_text_parse(const char *text, struct settings_dist_of *out, struct err *err) MUST_CHECK;
/* Appends it so that it parses back to the same. */
void dist_text_format(const struct settings_dist_of *d, struct strbuf *out);

#endif
