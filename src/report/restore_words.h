/*
 * How the dataset was put back before the run, for text, page, Markdown and comparison alike.
 */
#ifndef REPORT_RESTORE_WORDS_H
#define REPORT_RESTORE_WORDS_H

#include "base/strbuf.h"
#include "result/result.h"

/* "restored by copy, rest 1m": what makes runs comparable; "not restored" where it was not. */
void restore_words_short(const struct result *r, struct strbuf *out);
/* The same with what it took and wrote, and where the image is. */
void restore_words(const struct result *r, struct strbuf *out);

#endif
