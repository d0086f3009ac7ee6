/*
 * How a drive was prepared, in words: the report of a preparation itself, and the one paragraph
 * that a later result of the drive carries.
 */
#ifndef REPORT_PREP_H
#define REPORT_PREP_H

#include "base/strbuf.h"
#include "result/result.h"

/* The body of the report of kind "prep": all but title and verdict. */
void report_prep(const struct result *r, struct strbuf *out);
/* "for blocks: erased by discard, filled with 2.00 TB, 1,024 of 1,024 samples there, 3h 05m before"
 */
void prep_words(const struct prep_record *p, struct strbuf *out);
/* That as a paragraph of a text report; nothing where there is no record. */
void prep_paragraph(const struct result *r, struct strbuf *out);

#endif
