/*
 * A statement: its name and its text with $1, $2 ... (which may repeat and come in any order), and
 * the kinds of its parameters. Made by the dialect from schema/<dialect>/ files; immutable after.
 */
#ifndef SQL_STMT_H
#define SQL_STMT_H

#include <stdint.h>

#define STMT_PARAMS_MAX 16

struct stmt {
    const char *name; /* unique within a dialect; also the prepared statement's name */
    const char *text;
    uint8_t n_params;
    uint8_t param_kind[STMT_PARAMS_MAX]; /* enum value_kind */
    uint16_t id;                         /* dense, 0..: index into a session's prepared ones */
};

#endif
