/*
 * How the world's failures travel: a fallible function returns 0 or -1 and fills a struct err.
 * Each layer may put its context in front, so that the user reads one line. Text is lower case,
 * without a full stop, and says what, where and what to do.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

enum err_kind {
    ERR_NONE = 0,
    ERR_USAGE,        /* wrong usage or configuration: exit 2 */
    ERR_SURROUNDINGS, /* server, device, disk, rights: exit 3 */
    ERR_DB,           /* a statement failed; sqlstate and native are filled: exit 3 */
    ERR_CHECK_FAILED, /* a condition, a sum or a comparison does not hold: exit 1 */
    ERR_INTERRUPTED,  /* the user asked us to stop: exit 130 */
};

/* Whose codes `native` holds: they mean something only with their owner. */
enum err_owner {
    ERR_OWNER_NONE,      /* PostgreSQL, whose SQLSTATEs tell all, or not known */
    ERR_OWNER_MARIADB,   /* and MySQL */
    ERR_OWNER_SQLSERVER, /* and what speaks its language */
};

struct err {
    enum err_kind kind;
    uint8_t owner;    /* enum err_owner */
    char sqlstate[6]; /* "" where there is none */
    int32_t native;   /* the database's own code, 0 where there is none */
    int sys_errno;    /* 0 where there is none */
    char text[512];   /* one line; cut with "..." where it is longer */
};

/* Fills err (which may be NULL: then nothing is kept). Always returns -1, so that a caller can
 * write `return err_set(...)`. */
int err_set(struct err *err, enum err_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* As err_set with ": <strerror(sys_errno)>" behind, kind ERR_SURROUNDINGS. Returns -1. */
int err_sys(struct err *err, int sys_errno, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Puts "<context>: " in front of the text. Returns -1. */
int err_wrap(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Empties. */
void err_reset(struct err *err);

/* The exit code that stands for this kind: 0, 1, 2, 3 or 130 (README, "Exit codes"). */
int err_exit_code(const struct err *err);

#endif
