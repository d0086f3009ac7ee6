/*
 * The figures of one device as a table row: the columns of `iostat -x`, in its order, widths and
 * units (kB are 1024 bytes, as there). A figure that does not exist is "-", never 0.
 */
#ifndef DRIVE_IOSTAT_H
#define DRIVE_IOSTAT_H

#include <stddef.h>

#include "base/strbuf.h"
#include "drive/diskstat.h"

#define IOSTAT_COLUMNS 22

/* One column: what iostat calls it, what JSON does, and its value. */
struct iostat_column {
    const char *title; /* "rkB/s" */
    const char *key;   /* "read_kib_per_s" */
    int width;
    double value; /* NaN: does not exist */
};

/* Fills all columns in order. d may be NULL: no figure exists. */
void iostat_columns(const struct disk_delta *d, struct iostat_column out[IOSTAT_COLUMNS]);

enum iostat_form {
    IOSTAT_ALIGNED, /* as iostat prints */
    IOSTAT_TABS,    /* one tab between fields */
};

/* Add one line, with its newline; `first` is the first cell ("Device", "nvme0n1"). */
void iostat_add_titles(struct strbuf *sb, enum iostat_form form, const char *first);
void iostat_add_row(struct strbuf *sb, enum iostat_form form, const char *first,
                    const struct disk_delta *d);

#endif
