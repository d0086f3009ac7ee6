/*
 * One thread that waits for one word and then says CHECKPOINT once. Owned by the main thread; the
 * session inside belongs to the thread from its start to its end.
 */
#include "job/checkpoint.h"

#include <stdlib.h>

#include "base/bqueue.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "job/ask.h"

#define WORD_WAIT_NS NS_PER_S

struct checkpointer {
    const struct target *target;
    struct session *session;
    char *name;
    struct bqueue *word; /* one int: 1 = now */
    struct thread thread;
    uint64_t offset_ns;
    bool told;
};

uint64_t checkpointer_offset_ns(uint64_t precondition_ns, uint64_t checkpoint_timeout_ns)
{
    return checkpoint_timeout_ns > 0 ? precondition_ns % checkpoint_timeout_ns : 0;
}

static void *checkpointer_main(void *ctx)
{
    struct checkpointer *c = ctx;
    struct err err = {0};
    struct rows rows;
    int word = 0;

    while (!bqueue_closed(c->word) && !word)
        if (!bqueue_pop(c->word, &word, WORD_WAIT_NS))
            word = 0;
    if (word && ask_rows(c->session, c->target->dialect, "server_checkpoint", &rows, &err) < 0)
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
    c->word = bqueue_new(1, sizeof(int));
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

void checkpointer_tell(struct checkpointer *c, double time_s)
{
    const int now = 1;

    if (!c || c->told || time_s * (double)NS_PER_S < (double)c->offset_ns)
        return;
    c->told = bqueue_try_push(c->word, &now);
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
