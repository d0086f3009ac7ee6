/*
 * The drives' own health log in words and as a table of the page.
 */
#ifndef REPORT_HEALTH_H
#define REPORT_HEALTH_H

#include "base/strbuf.h"
#include "result/result.h"

/* What the run did to the drive, in one sentence without a full stop. */
void report_drive_health(const struct result *r, const struct result_drive_health *d,
                         struct strbuf *out);
/* That of each drive as paragraphs of a text report; nothing where nobody looked. */
void report_health(const struct result *r, struct strbuf *out);
/* A section with a table a drive; nothing where nobody looked. */
void html_health(const struct result *r, struct strbuf *out);

#endif
