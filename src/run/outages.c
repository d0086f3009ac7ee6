/*
 * Outages as marks (see the header).
 */
#include "run/outages.h"

#include "base/clock.h"
#include "base/xalloc.h"

#define NS_PER_S_D 1e9

void outages_begin(struct outages *o, uint64_t now_ns)
{
    if (o->down)
        return;
    o->down = true;
    if (o->n < OUTAGES_MAX)
        o->at[o->n] = (struct outage){.from_ns = now_ns};
    o->n++;
}

void outages_end(struct outages *o, uint64_t now_ns)
{
    if (o->down && o->n <= OUTAGES_MAX)
        o->at[o->n - 1].to_ns = now_ns;
    o->down = false;
}

static double seconds(uint64_t at_ns, uint64_t go_ns)
{
    return ((double)at_ns - (double)go_ns) / NS_PER_S_D;
}

void outages_report(const struct outages *o, uint64_t go_ns, struct result *r)
{
    for (uint32_t i = 0; i < o->n && i < OUTAGES_MAX; i++) {
        const struct outage *at = &o->at[i];
        struct result_mark mark = {.kind = xstrdup("restart"),
                                   .start_s = seconds(at->from_ns, go_ns),
                                   .end_s = RESULT_NONE,
                                   .bytes_written = -1};

        if (at->to_ns) {
            mark.end_s = seconds(at->to_ns, go_ns);
            mark.text = xstrdup("all sessions were lost and opened again");
        } else {
            mark.text = xstrdup("all sessions were lost, none could be opened again");
        }
        result_add_mark(r, mark);
    }
}
