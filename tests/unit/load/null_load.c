/*
 * The loader on the null backend.
 */
#include "null_load.h"

#include <string.h>

#include "harness/unit.h"

void null_load_init(struct null_load *n,
                    void (*answer)(const struct batch *b, struct null_answer *a, void *ctx),
                    void *ctx)
{
    struct err err = {0};

    memset(n, 0, sizeof(*n));
    clock_fake_init(&n->clk, NS_PER_S, 0);
    n->script.answer = answer;
    n->script.ctx = ctx;
    n->env.ops = &null_ops;
    n->env.db.null_script = &n->script;
    n->env.db.clock = &n->clk.clk;
    n->env.db.application_name = "load-test";
    n->env.clock = &n->clk.clk;
    n->env.stop = &n->stop;
    n->env.dialect = dialect_read("schema/postgresql", &err);
    UNIT_TRUE(err.text, n->env.dialect != NULL);
}

void null_load_release(struct null_load *n)
{
    dialect_free((struct dialect *)(uintptr_t)n->env.dialect);
}

struct session *null_load_session(struct null_load *n)
{
    struct err err = {0};
    struct session *s = session_connect(n->env.ops, &n->env.db, 0, &err);

    UNIT_TRUE(err.text, s != NULL);
    return s;
}
