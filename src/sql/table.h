/*
 * A table described as data: what the row makers fill, what the bulk sinks encode and what the
 * checksum goes over.
 */
#ifndef SQL_TABLE_H
#define SQL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sql/value.h"

#define TABLE_COLUMNS_MAX 24

struct column {
    const char *name;
    uint8_t kind;  /* enum value_kind */
    uint16_t size; /* greatest length of a text, 0 for others */
    bool nullable;
};

struct table {
    const char *name;
    uint8_t n_columns;
    const struct column *columns;
};

#endif
