/*
 * The arithmetic of phases, intervals and batches. Integers only: edges are multiples, never sums.
 */
#include "run/windows.h"

#include "base/check.h"
#include "result/result.h"

void windows_init(struct windows *w, const struct plan *plan, uint64_t go_ns)
{
    CHECK(plan->interval_ns > 0);
    CHECK(plan->sample_ns >= RESULT_BATCHES);
    w->go_ns = go_ns;
    w->ramp_end_ns = go_ns + plan->ramp_ns;
    w->sample_start_ns = go_ns + plan->precondition_ns;
    w->sample_end_ns = w->sample_start_ns + plan->sample_ns;
    w->planned_end_ns = w->sample_end_ns;
    w->interval_ns = plan->interval_ns;
}

void windows_start_sample(struct windows *w, uint64_t at_ns)
{
    const uint64_t length_ns = w->planned_end_ns - w->sample_start_ns;

    CHECK(at_ns > w->go_ns);
    CHECK(at_ns <= w->sample_start_ns);
    CHECK((w->sample_start_ns - at_ns) % w->interval_ns == 0);
    CHECK(w->sample_end_ns == w->planned_end_ns);
    w->sample_start_ns = at_ns;
    w->sample_end_ns = at_ns + length_ns;
    w->planned_end_ns = w->sample_end_ns;
    if (w->ramp_end_ns > at_ns)
        w->ramp_end_ns = at_ns;
}

void windows_end(struct windows *w, uint64_t now_ns)
{
    if (now_ns < w->sample_end_ns)
        w->sample_end_ns = now_ns;
}

uint64_t windows_grid_start_ns(const struct windows *w)
{
    return w->go_ns + (w->sample_start_ns - w->go_ns) % w->interval_ns;
}

enum plan_phase windows_phase(const struct windows *w, uint64_t at_ns)
{
    if (at_ns >= w->sample_end_ns)
        return PHASE_DRAIN;
    if (at_ns >= w->sample_start_ns)
        return PHASE_SAMPLE;
    return at_ns >= w->ramp_end_ns ? PHASE_PRECONDITION : PHASE_RAMP;
}

bool windows_in_sample(const struct windows *w, uint64_t at_ns)
{
    return at_ns >= w->sample_start_ns && at_ns < w->sample_end_ns;
}

static uint64_t batch_edge_ns(const struct windows *w, uint64_t k)
{
    const uint64_t length_ns = w->planned_end_ns - w->sample_start_ns;

    /* k <= 120 and a sample below 100 years: no overflow. */
    return w->sample_start_ns + length_ns * k / RESULT_BATCHES;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t windows_next_edge_ns(const struct windows *w, uint64_t at_ns)
{
    const uint64_t grid_ns = windows_grid_start_ns(w);
    uint64_t edge_ns = grid_ns;

    if (at_ns >= grid_ns)
        edge_ns = at_ns - (at_ns - grid_ns) % w->interval_ns + w->interval_ns;
    if (at_ns < w->sample_end_ns)
        edge_ns = least(edge_ns, w->sample_end_ns);
    if (at_ns < w->sample_start_ns)
        return least(edge_ns, w->sample_start_ns);
    if (windows_in_sample(w, at_ns))
        edge_ns = least(edge_ns, batch_edge_ns(w, (uint64_t)windows_batch(w, at_ns) + 1));
    return edge_ns;
}

bool windows_ends_interval(const struct windows *w, uint64_t at_ns)
{
    const uint64_t grid_ns = windows_grid_start_ns(w);

    if (at_ns == w->sample_end_ns)
        return true;
    return at_ns >= grid_ns && at_ns > w->go_ns && (at_ns - grid_ns) % w->interval_ns == 0;
}

/* False where the run ended before its sample. */
static bool has_sample(const struct windows *w)
{
    return w->sample_start_ns < w->sample_end_ns;
}

bool windows_is_sample_edge(const struct windows *w, uint64_t at_ns)
{
    return has_sample(w) && (at_ns == w->sample_start_ns || at_ns == w->sample_end_ns);
}

int windows_sample_edges_after(const struct windows *w, uint64_t at_ns)
{
    if (!has_sample(w))
        return 0;
    return (at_ns < w->sample_start_ns ? 1 : 0) + (at_ns < w->sample_end_ns ? 1 : 0);
}

int windows_batch(const struct windows *w, uint64_t at_ns)
{
    const uint64_t length_ns = w->planned_end_ns - w->sample_start_ns;
    uint64_t k;

    if (at_ns >= w->sample_end_ns)
        at_ns = w->sample_end_ns - 1;
    if (at_ns < w->sample_start_ns)
        return 0;
    /* At most 120 x the sample's length: no overflow below 4.8 years. */
    k = (at_ns - w->sample_start_ns) * RESULT_BATCHES / length_ns;
    while (k + 1 < RESULT_BATCHES && at_ns >= batch_edge_ns(w, k + 1))
        k++;
    while (k > 0 && at_ns < batch_edge_ns(w, k))
        k--;
    return (int)k;
}
