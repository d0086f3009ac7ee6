/*
 * What a session is given in one go: 1 to BATCH_MAX statements with their arguments. `commits`
 * says that the batch ends the transaction: from the moment it is sent until its reply is read the
 * outcome is in doubt when the connection is lost.
 */
#ifndef SQL_BATCH_H
#define SQL_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sql/stmt.h"
#include "sql/value.h"

#define BATCH_MAX 8

struct batch_part {
    const struct stmt *stmt;
    const struct value *args; /* stmt->n_params of them */
};

struct batch {
    uint8_t n;
    bool commits;
    struct batch_part part[BATCH_MAX];
};

#endif
