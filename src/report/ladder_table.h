/*
 * What all reports of a ladder share: its columns, and what is said of it in words.
 */
#ifndef REPORT_LADDER_TABLE_H
#define REPORT_LADDER_TABLE_H

#include "base/strbuf.h"
#include "report/cell.h"
#include "result/ladder.h"

enum ladder_table { LADDER_RESPONSE, LADDER_DEVICE, LADDER_COST, LADDER_TABLES };

enum ladder_form { LADDER_WHOLE, LADDER_FIGURE, LADDER_FIXED_1 };

struct ladder_column {
    enum ladder_table table;
    const char *key;  /* in CSV */
    const char *head; /* in tables for people; ladder_head() */
    enum ladder_form form;
    size_t at; /* in struct ladder_step: int64_t where whole, else double */
};

#define LADDER_COLUMNS 25
/* All of them, those of a table beside each other. The load is each table's first column and not
 * among them. */
extern const struct ladder_column ladder_columns[LADDER_COLUMNS];

const char *ladder_table_title(enum ladder_table t);
/* The figure; NaN where there is none. */
double ladder_value(const struct ladder_column *c, const struct ladder_step *s);
struct cell ladder_cell(const struct ladder_column *c, const struct ladder_step *s);
const char *ladder_head(const struct ladder *l, const struct ladder_column *c);
/* "users", "offered": what the first column is. */
const char *ladder_load_head(const struct ladder *l);
/* "10,000" users, with a star behind it where they are more a warehouse than the standard has;
 * "812.4/s 80%" of an offered rate, with a star where it was more than could be done; "maximum". */
struct cell ladder_load_cell(const struct ladder *l, const struct ladder_step *s);
/* The same without the percents. */
struct cell ladder_load_short(const struct ladder *l, const struct ladder_step *s);
/* What the star means; NULL: no step has one. */
const char *ladder_star_note(const struct ladder *l);

/* "3 of 3 steps", "2 of 3 steps: ended by interrupt". */
void ladder_say_state(const struct ladder *l, struct strbuf *out);
/* What was the most that the database did, without a pace and at an offered rate; or nothing. */
void ladder_say_maximum(const struct ladder *l, struct strbuf *out);
/* How many users hold, or why that is not known. Of a search only, as the next two. */
void ladder_say_answer(const struct ladder *l, struct strbuf *out);
/* What limited the step above the answer; appends nothing where there is none. */
void ladder_say_next(const struct ladder *l, struct strbuf *out);
/* What one user and one transaction cost the drive at the answer; or nothing. */
void ladder_say_cost(const struct ladder *l, struct strbuf *out);
/* "fails p95<20ms with 21.3 ms (20.5 to 22.4)": each condition at a step; or nothing. */
void ladder_say_goals(const struct ladder_step *s, struct strbuf *out);
/* On what: workload, dataset, database, drive. */
void ladder_say_ground(const struct ladder *l, struct strbuf *out);
void ladder_say_check(const struct ladder *l, struct strbuf *out);
/* What limited a step, with the evidence, the verdict and its reasons. */
void ladder_say_limit(const struct ladder_step *s, struct strbuf *out);

#endif
