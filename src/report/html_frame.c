/*
 * The frame of a page (see the header). No state.
 */
#include "report/html_frame.h"

#include "report/html_text.h"
#include "report/page_assets.h"

void html_page_begin(const char *title, struct strbuf *out)
{
    strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\" class=\"plain\">\n<head>\n"
                     "<meta charset=\"utf-8\">\n"
                     /* Whatever is in it, the page asks nobody for anything. */
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; "
                     "base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html_text(out, title);
    strbuf_adds(out, "</title>\n<style>\n");
    strbuf_add(out, page_style, page_style_len);
    strbuf_adds(out, "</style>\n</head>\n<body>\n<main>\n");
}

void html_page_end(struct strbuf *out)
{
    html_page_end_saying(
        "Method after the reviews; derived from TPC-C, not comparable with published "
        "TPC results. Response = done \u2212 due: the wait for a session is in it.",
        out);
}

void html_page_end_saying(const char *words, struct strbuf *out)
{
    strbuf_adds(out, "<footer>\n<p>");
    html_text(out, words);
    strbuf_adds(out, "</p>\n<p>Charts by dygraphs (MIT licence). This page is one file and asks no "
                     "network.</p>\n</footer>\n</main>\n<script>\n");
    strbuf_add(out, page_script, page_script_len);
    strbuf_adds(out, "</script>\n</body>\n</html>\n");
}
