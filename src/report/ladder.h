/*
 * The reports of a ladder: text, page, Markdown, and a table for a spreadsheet. Made from its
 * document as result.json holds it, so that they are the same at its end and from its directory.
 */
#ifndef REPORT_LADDER_H
#define REPORT_LADDER_H

#include "base/strbuf.h"
#include "result/ladder.h"

/* 80 columns; the last line names the result. */
void ladder_text(const struct ladder *l, const char *result_path, struct strbuf *out);
void ladder_html(const struct ladder *l, struct strbuf *out);
void ladder_markdown(const struct ladder *l, const char *result_path, struct strbuf *out);
/* A row a step, in the order of users. */
void ladder_csv(const struct ladder *l, struct strbuf *out);

#endif
