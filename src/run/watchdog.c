/*
 * The watchdog of a run. Main thread.
 */
#include "run/watchdog.h"

#include <inttypes.h>

#include "base/units.h"

void watchdog_init(struct watchdog *w, struct log *log, uint64_t now_ns)
{
    *w = (struct watchdog){.log = log, .ended_ns = now_ns};
}

static bool may_say(struct watchdog *w, uint64_t now_ns)
{
    if (w->said_ns != 0 && now_ns - w->said_ns < WATCHDOG_AGAIN_NS)
        return false;
    w->said_ns = now_ns;
    return true;
}

bool watchdog_look(struct watchdog *w, const struct slice *s, uint64_t ended)
{
    const uint64_t now_ns = s->end_ns;
    char since[32];
    char oldest[32];

    if (ended != w->ended || (s->queue == 0 && s->busy == 0)) {
        w->ended = ended;
        w->ended_ns = now_ns;
        return false;
    }
    if (now_ns < w->ended_ns + WATCHDOG_STUCK_NS || !may_say(w, now_ns))
        return false;
    units_format_duration_short(now_ns - w->ended_ns, since, sizeof(since));
    units_format_duration_short(s->oldest_ns, oldest, sizeof(oldest));
    log_line(w->log, LOG_WARN,
             "no transaction has ended for %s: %u on sessions, the oldest for %s, %" PRIu64
             " users wait, %u sessions alive",
             since, (unsigned)s->busy, oldest, s->queue, (unsigned)s->alive);
    return true;
}

bool watchdog_opening(struct watchdog *w, uint32_t opened, uint64_t silent_ns, uint64_t now_ns)
{
    char silent[32];

    if (silent_ns < WATCHDOG_SILENCE_NS || !may_say(w, now_ns))
        return false;
    units_format_duration_short(silent_ns, silent, sizeof(silent));
    log_line(w->log, LOG_WARN,
             "the server has let no session in for %s: %u are open, the next one is waited for",
             silent, (unsigned)opened);
    return true;
}

bool watchdog_silence(struct watchdog *w, uint64_t silent_ns, uint64_t now_ns)
{
    char silent[32];

    if (silent_ns < WATCHDOG_SILENCE_NS || !may_say(w, now_ns))
        return false;
    units_format_duration_short(silent_ns, silent, sizeof(silent));
    log_line(w->log, LOG_WARN,
             "the event loop has not answered for %s: it hangs in a driver, or the"
             " machine is overloaded",
             silent);
    return true;
}
