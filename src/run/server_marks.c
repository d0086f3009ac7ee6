/*
 * A checkpoint is known by its end, when the control file names another one and when that began (to
 * the second); what kind it was, by which of two counters rose. A vacuum is seen while it runs, and
 * one that was too short for that by the table's count of them.
 */
#include "run/server_marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define NS_PER_S_D 1e9
#define START_ACCURACY_S 1.0 /* of the control file's time */

static double seconds_at(const struct server_marks *m, uint64_t at_ns)
{
    return ((double)at_ns - (double)m->go_ns) / NS_PER_S_D;
}

void server_marks_init(struct server_marks *m, uint64_t go_ns, struct log *log, struct result *r)
{
    memset(m, 0, sizeof(*m));
    m->log = log;
    m->result = r;
    m->go_ns = go_ns;
    m->begun_s = RESULT_NONE;
}

void server_marks_release(struct server_marks *m)
{
    VEC_RELEASE(&m->checkpoints);
}

static void add(struct server_marks *m, const char *kind, const char *text,
                struct server_mark_span at)
{
    result_add_mark(m->result, (struct result_mark){
                                   .kind = xstrdup(kind),
                                   .text = xstrdup(text),
                                   .start_s = at.start_s,
                                   .end_s = at.end_s,
                                   .bytes_written = -1,
                               });
}

/* The counter rises when one begins: so it tells what kind the one that ended now was. */
static const char *kind_of(const struct server_marks *m, const struct server_counts *now)
{
    if (!now->has[COUNT_CHECKPOINTS_TIMED] || !now->has[COUNT_CHECKPOINTS_REQUESTED])
        return "checkpoint";
    if (now->count[COUNT_CHECKPOINTS_REQUESTED] > m->requested)
        return "checkpoint, requested";
    if (now->count[COUNT_CHECKPOINTS_TIMED] > m->timed)
        return "checkpoint, timed";
    return "checkpoint";
}

static void look_at_checkpoints(struct server_marks *m, const struct server_counts *now,
                                uint64_t at_ns)
{
    const int64_t timed = now->count[COUNT_CHECKPOINTS_TIMED];
    const int64_t requested = now->count[COUNT_CHECKPOINTS_REQUESTED];
    struct server_mark_span at = {.end_s = seconds_at(m, at_ns)};

    if (timed < m->timed || requested < m->requested) { /* begun anew, after a crash */
        m->timed = 0;
        m->requested = 0;
        m->begun_s = RESULT_NONE;
    }

    if (now->has[COUNT_CHECKPOINT] && m->last.has[COUNT_CHECKPOINT] &&
        now->count[COUNT_CHECKPOINT] != m->last.count[COUNT_CHECKPOINT]) {
        const char *kind = kind_of(m, now);

        at.start_s = at.end_s - (double)now->count[COUNT_CHECKPOINT_AGE_MS] / 1e3;
        VEC_PUSH(&m->checkpoints, at);
        add(m, "checkpoint", kind, at);
        log_line(m->log, LOG_INFO, "%s: from %.0f to %.0f s", kind, at.start_s, at.end_s);
        m->timed = timed;
        m->requested = requested;
        m->begun_s = RESULT_NONE;
    } else if (isnan(m->begun_s) && (timed > m->timed || requested > m->requested)) {
        m->begun_s = at.end_s;
    }
}

static void vacuum_ended(struct server_marks *m, const char *table, struct server_mark_span at)
{
    char *text = xasprintf("vacuum of %s", table);

    add(m, "vacuum", text, at);
    log_line(m->log, LOG_DEBUG, "%s: from %.0f to %.0f s", text, at.start_s, at.end_s);
    free(text);
}

static void look_at_vacuum(struct server_marks *m, const struct server_counts *now, uint32_t i,
                           uint64_t at_ns)
{
    const struct server_vacuum *v = &now->vacuum[i];
    const bool ended = v->ended > m->last.vacuum[i].ended;
    const uint64_t since_ns = m->vacuum_since_ns[i];
    const struct server_mark_span at = {
        .start_s = seconds_at(m, since_ns ? since_ns : m->last_ns),
        .end_s = seconds_at(m, at_ns),
    };

    if (ended || (since_ns && !v->runs))
        vacuum_ended(m, v->table, at);
    if (!v->runs)
        m->vacuum_since_ns[i] = 0;
    else if (!since_ns || ended)
        m->vacuum_since_ns[i] = at_ns;
}

void server_marks_look(struct server_marks *m, const struct server_counts *now, uint64_t at_ns)
{
    const bool same_tables = m->has_last && m->last.n_vacuums == now->n_vacuums;

    if (m->has_last)
        look_at_checkpoints(m, now, at_ns);
    for (uint32_t i = 0; i < now->n_vacuums; i++) {
        if (same_tables && strcmp(m->last.vacuum[i].table, now->vacuum[i].table) == 0)
            look_at_vacuum(m, now, i, at_ns);
        else
            m->vacuum_since_ns[i] = now->vacuum[i].runs ? at_ns : 0;
    }
    if (!m->has_last) {
        m->timed = now->count[COUNT_CHECKPOINTS_TIMED];
        m->requested = now->count[COUNT_CHECKPOINTS_REQUESTED];
    }
    m->last = *now;
    m->last_ns = at_ns;
    m->has_last = true;
}

void server_marks_end(struct server_marks *m)
{
    struct server_mark_span at = {.start_s = m->begun_s, .end_s = RESULT_NONE};

    if (!m->result)
        return; /* interrupted before the first user */
    if (!isnan(m->begun_s))
        add(m, "checkpoint", "checkpoint, not ended with the run", at);
    for (uint32_t i = 0; i < m->last.n_vacuums; i++) {
        char *text;

        if (!m->vacuum_since_ns[i])
            continue;
        text = xasprintf("vacuum of %s, not ended with the run", m->last.vacuum[i].table);
        at.start_s = seconds_at(m, m->vacuum_since_ns[i]);
        add(m, "vacuum", text, at);
        free(text);
    }
}

int64_t server_marks_whole(const struct server_marks *m, const struct windows *w,
                           uint64_t interval_ns)
{
    const double from_s = seconds_at(m, w->sample_start_ns) - START_ACCURACY_S;
    const double to_s = seconds_at(m, w->sample_end_ns) + (double)interval_ns / NS_PER_S_D;
    int64_t n = 0;

    for (size_t i = 0; i < m->checkpoints.n; i++) {
        const struct server_mark_span *at = &m->checkpoints.at[i];

        n += at->start_s >= from_s && at->end_s <= to_s;
    }
    return n;
}
