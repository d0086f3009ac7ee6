/*
 * Figures and texts as reports show them: few digits, "-" for none, 80 columns, nothing that a
 * terminal would take as a command.
 */
#ifndef REPORT_CELL_H
#define REPORT_CELL_H

#include <stdint.h>

#include "base/strbuf.h"

#define CELL_COLUMNS 80
#define CELL_INDENT 11 /* of what stands beside a label */

struct cell {
    char text[48];
};

/* Three or four figures: "0.031", "3.13", "61.0", "12345"; "-" where NaN. */
struct cell cell_figure(double value);
/* With so many decimals. */
struct cell cell_fixed(double value, int decimals);
/* "15,000"; "-" where negative. */
struct cell cell_count(int64_t n);
/* The same in at most 9 columns: from ten million on "12.3M". */
struct cell cell_short_count(int64_t n);
/* "333 GB"; "-" where negative. */
struct cell cell_bytes(int64_t bytes);
/* "2h 05m", of seconds; "-" where NaN or negative. */
struct cell cell_duration(double seconds);
/* "0:05:12" since the first user. */
struct cell cell_moment(double seconds);

/* Appends the text without control characters; NULL: "-". A text that is not UTF-8 throughout
 * loses all that is not ASCII. */
void cell_clean(struct strbuf *out, const char *text);
/* Appends as much of it as takes at most `columns` columns of a terminal (utf8_width()), the last
 * ones
 * "..." where there is more, and blanks up to `columns` where pad is set. */
void cell_clip(struct strbuf *out, const char *text, int columns, int pad);
/* The same with the "..." within it: what tells long names apart often stands at their ends. */
void cell_clip_middle(struct strbuf *out, const char *text, int columns, int pad);
/* Columns that a text takes which cell_clip or cell_clean made. */
int cell_width(const char *text);
/* Appends the label and, CELL_INDENT columns in, the text broken between words at CELL_COLUMNS. A
 * label that leaves no space before the text stands on a line of its own. */
void cell_paragraph(struct strbuf *out, const char *label, const char *text);

#endif
