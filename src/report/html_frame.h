/*
 * What stands around every page: head with style, footer and scripts, all within the file.
 */
#ifndef REPORT_HTML_FRAME_H
#define REPORT_HTML_FRAME_H

#include "base/strbuf.h"

/* Up to the opened <main>. The title may be any text. */
void html_page_begin(const char *title, struct strbuf *out);
/* From the footer, still within <main>, to the end. */
void html_page_end(struct strbuf *out);
/* With words of its own on what its figures are. */
void html_page_end_saying(const char *words, struct strbuf *out);

#endif
