/*
 * What a page carries besides its text: style and scripts, of page.css, page*.js (page_base.js
 * first), compare.css, compare.js and the installed dygraphs, joined to arrays by the build
 * (embed.sh).
 */
#ifndef REPORT_PAGE_ASSETS_H
#define REPORT_PAGE_ASSETS_H

#include <stddef.h>

extern const unsigned char page_style[];
extern const size_t page_style_len;
extern const unsigned char page_script[];
extern const size_t page_script_len;

#endif
