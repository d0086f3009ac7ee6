/*
 * Callbacks of a run that hand what it tells to the console.
 */
#include "cmd/watch_run.h"

#include <math.h>

static const char *phase_text(enum run_state state)
{
    switch (state) {
    case RUN_CONNECTING:
        return "connecting";
    case RUN_RAMP:
        return "ramp";
    case RUN_PRECONDITION:
        return "precondition";
    case RUN_SAMPLE:
        return "sample";
    case RUN_DRAIN:
        return "drain";
    case RUN_ENDED:
        return "ended";
    }
    UNREACHABLE();
}

struct live_moment run_moment(const struct run_interval *iv)
{
    return (struct live_moment){
        .phase = phase_text(iv->state),
        .until_steady =
            iv->state == RUN_PRECONDITION && isfinite(iv->result->steadiness.precondition_bound_s),
        .phase_left_ns = iv->state_left_ns,
        .run_left_ns = iv->run_left_ns,
    };
}

static void on_interval(const struct run_interval *iv, void *ctx)
{
    struct program *p = ctx;
    const struct live_moment moment = run_moment(iv);

    console_interval(p->console, &moment, iv->result, iv->row);
}

static void on_connecting(uint32_t done, uint32_t total, void *ctx)
{
    struct program *p = ctx;
    const struct progress step = {
        .step = "connect",
        .unit = "sessions",
        .done = done,
        .total = total,
    };

    console_progress(&step, p->console);
}

void watch_run(struct program *p)
{
    p->ui.interval = on_interval;
    p->ui.connecting = on_connecting;
}
