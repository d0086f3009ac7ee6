/*
 * Pieces of a page. What comes from outside (names of devices, settings, errors) goes in through
 * html_text or a table's cells, which let no markup through; all else is markup of ours.
 */
#ifndef REPORT_HTML_TEXT_H
#define REPORT_HTML_TEXT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends the text so that it stands for itself, also between double quotes; NULL: "-". Control
 * characters become "?"; a text that is not UTF-8 throughout loses all that is not ASCII. */
void html_text(struct strbuf *out, const char *text);
/* The same, and no line ends within an option ("--memory-limit"). */
void html_advice(struct strbuf *out, const char *text);
/* "<p>text</p>" with a class, or without one (NULL). */
void html_paragraph(struct strbuf *out, const char *class, const char *text);
/* "<h2 id=ID>text</h2>" within a new section; html_section_end() closes it. */
void html_section(struct strbuf *out, const char *id, const char *title);
void html_section_end(struct strbuf *out);

/* The frame of a chart, which a script finds by its id and draws into. Between begin and end stand
 * the words that say the same. All is markup of ours. */
struct html_chart {
    const char *id, *title;
    const char *axis;  /* what goes up, with its unit */
    const char *under; /* what goes to the right; NULL: the time */
};

/* Both pages have one of percentiles. */
#define HTML_CURVE_ID "curve"
#define HTML_CURVE_AXIS "response, ms, logarithmic"
#define HTML_CURVE_UNDER "percentile of the transactions due in the sample"

void html_chart_begin(const struct html_chart *chart, struct strbuf *out);
void html_chart_end(const struct html_chart *chart, struct strbuf *out);

/* A table is filled cell by cell; rows begin and end by themselves. The first column heads its row.
 * On narrow screens each row of many columns is a list of "column: value". */
struct html_column {
    const char *head; /* markup of ours */
    bool text;        /* set left, not right */
};

struct html_table {
    struct strbuf *out;
    const struct html_column *columns;
    size_t n, at;
};

void html_table_begin(struct html_table *t, struct strbuf *out, const char *caption,
                      const struct html_column *columns, size_t n);
/* The next cell; NULL: "-". */
void html_cell(struct html_table *t, const char *text);
/* The same of markup of ours. */
void html_cell_markup(struct html_table *t, const char *markup);
/* Closes the table: the last row must be full. */
void html_table_end(struct html_table *t);

#endif
