/*
 * One thread that is told when the run began and says CHECKPOINT once, at its time. Owned by the
 * main thread; the session inside belongs to the thread from its start to its end.
 */
#include "job/checkpoint.h"

#include <stdlib.h>

#include "base/bqueue.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "job/ask.h"

#define LOOK_NS NS_PER_S /* how long the end of the run may go unseen */

struct checkpointer {
    const struct target *target;
    struct session *session;
    char *name;
    struct bqueue *word; /* one uint64_t: when the run began */
    struct thread thread;
    uint64_t offset_ns;
};

uint64_t checkpointer_offset_ns(uint64_t precondition_ns, uint64_t checkpoint_timeout_ns)
{
    return checkpoint_timeout_ns > 0 ? precondition_ns % checkpoint_timeout_ns : 0;
}

uint64_t checkpointer_wait_ns(uint64_t go_ns, uint64_t offset_ns, uint64_t now_ns)
{
    const uint64_t due_ns = go_ns + offset_ns;

    if (go_ns == 0 || due_ns > now_ns + LOOK_NS)
        return LOOK_NS;
    return due_ns > now_ns ? due_ns - now_ns : 0;
}

static void *checkpointer_main(void *ctx)
{
    struct checkpointer *c = ctx;
    const struct clock *clk = c->target->env->clock;
    struct err err = {0};
    struct rows rows;
    uint64_t go_ns = 0;
    uint64_t wait_ns = LOOK_NS;

    while (wait_ns > 0) {
        if (bqueue_closed(c->word))
            return NULL;
        (void)!bqueue_pop(c->word, &go_ns, wait_ns);
        wait_ns = checkpointer_wait_ns(go_ns, c->offset_ns, clock_now_ns(clk));
    }
    if (ask_rows(c->session, c->target->dialect, "server_checkpoint", &rows, &err) < 0)
        log_line(c->target->env->log, LOG_WARN, "the checkpoint before the sample: %s", err.text);
    return NULL;
}

struct checkpointer *checkpointer_new(const struct target *t, const struct plan *plan,
                                      struct err *err)
{
    struct checkpointer *c = xcalloc(1, sizeof(*c));
    struct db_config db = target_db(t);

    c->target = t;
    c->offset_ns =
        checkpointer_offset_ns(plan->precondition_ns, plan->checkpoint_timeout_s * NS_PER_S);
    c->word = bqueue_new(1, sizeof(uint64_t));
    /* A name of its own: it is none of the run's sessions, whose waits are looked at. */
    c->name = xasprintf("%s checkpoint", t->env->program);
    db.application_name = c->name;
    c->session = session_connect(t->ops, &db, 0, err);
    if (!c->session)
        err_wrap(err, "private server");
    if (c->session && thread_start(&c->thread, "checkpoint", checkpointer_main, c, err) == 0)
        return c;
    checkpointer_free(c);
    return NULL;
}

void checkpointer_go(struct checkpointer *c, uint64_t go_ns)
{
    if (c)
        CHECK(bqueue_try_push(c->word, &go_ns));
}

void checkpointer_free(struct checkpointer *c)
{
    if (!c)
        return;
    bqueue_close(c->word);
    if (c->thread.started && !thread_join_timed(&c->thread, 10 * NS_PER_S)) {
        session_cancel(c->session);
        if (!thread_join_timed(&c->thread, 10 * NS_PER_S))
            return; /* stuck inside the driver: it keeps what it uses */
    }
    session_free(c->session);
    bqueue_free(c->word);
    free(c->name);
    free(c);
}
