/*
 * What is to be done, in one list: units of loading (a table x a range of warehouses), the keys of
 * each table once all its units are in, and the steps over whole tables or parts of them. Plain
 * data without a session or a thread; the crew's owner alone touches it.
 */
#ifndef LOAD_UNITS_H
#define LOAD_UNITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "tpcc/rows.h"

enum load_step {
    STEP_FILL,
    STEP_KEYS,
    STEP_VACUUM,
    STEP_SUMS,
    STEP_READ, /* rows read back for the checksum */
};

/* "fill", "keys", "vacuum", "sums", "read": the words of load_progress. */
const char *load_step_name(enum load_step step);

struct job {
    enum load_step step;
    enum tpcc_table table;
    int32_t first_w, last_w;
    int64_t first_block, last_block; /* STEP_READ: the last one is not included */
    uint64_t rows;                   /* its weight in the progress; exact for STEP_FILL */
    bool done;
    bool before;               /* done before this list was made: no part of its progress */
    atomic_uint_fast64_t seen; /* rows handled so far: display only */
    atomic_int keys_made;      /* STEP_KEYS: of the table's keys; display only */
};

/*
 * Invariant: jobs are taken in the order of the list; a table's keys lie behind all jobs and are
 * taken first of all once fills_left[table] is 0. A job is given out once.
 */
struct units {
    VEC(struct job) jobs;
    size_t next;
    size_t start[TABLE_COUNT];    /* a table's first job ... */
    int32_t span[TABLE_COUNT];    /* ... and the warehouses of each */
    struct job keys[TABLE_COUNT]; /* rows == 0: none */
    uint32_t fills_left[TABLE_COUNT];
    bool keys_given[TABLE_COUNT];
};

void units_init(struct units *u);
void units_release(struct units *u);

/* Units of a load, the tables with the most work first. whole: one unit a table. */
void units_add_fills(struct units *u, const struct tpcc_dataset *ds, bool whole);
/* One job a table (TABLE_COUNT of them, those with the most rows first). */
void units_add_tables(struct units *u, const struct tpcc_dataset *ds, enum load_step step);
/* Jobs of at most `span` warehouses a table; HISTORY, which has no key, and ITEM in one. */
void units_add_ranges(struct units *u, const struct tpcc_dataset *ds, enum load_step step,
                      int32_t span);
/* Part of a table's blocks. */
void units_add_blocks(struct units *u, enum tpcc_table t, int64_t first, int64_t last);

/* The job, or NULL. STEP_KEYS: first_w 1. */
struct job *units_find(struct units *u, enum load_step step, enum tpcc_table t, int32_t first_w);
/* Notes what load_progress says is done; false where there is no such job. */
bool units_mark(struct units *u, enum load_step step, enum tpcc_table t, int32_t first_w);
/* The next job to give out, or NULL where none is ready now. */
struct job *units_next(struct units *u);
/* A job given out has ended well. */
void units_done(struct units *u, struct job *j);

/* Rows of a step: all that were not done when the list was made, and those done or seen of them. */
struct units_sum {
    uint64_t done, total;
    bool all_done;
};
struct units_sum units_sum(const struct units *u, enum load_step step);

#endif
