/*
 * The loader on the null backend: the real dialect, answers made by the test.
 */
#ifndef TESTS_LOAD_NULL_LOAD_H
#define TESTS_LOAD_NULL_LOAD_H

#include "db/null.h"
#include "load/loader.h"

struct null_load {
    struct clock_fake clk; /* sessions and loader wait on it: in no time */
    struct null_script script;
    struct stop stop;
    struct load_env env;
};

/* answer: see null_script; ctx is the test's. */
void null_load_init(struct null_load *n,
                    void (*answer)(const struct batch *b, struct null_answer *a, void *ctx),
                    void *ctx);
void null_load_release(struct null_load *n);
/* A session on it. */
struct session *null_load_session(struct null_load *n);

#endif
