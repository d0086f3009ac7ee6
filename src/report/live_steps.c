/*
 * Keeps the last line of each target's step as text, since what it was made of is the caller's.
 */
#include "report/live_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/xalloc.h"
#include "report/cell.h"
#include "report/live_text.h"

#define NAME_COLUMNS 14
#define SHOW_NS (NS_PER_S / 5)
#define LINE_NS (10 * NS_PER_S)

struct step {
    char *name; /* NULL: it has not begun */
    char *kind; /* "load" ...; NULL: none yet */
    char *line; /* with its "\n" */
    bool over;  /* it came to its total */
    bool ready;
    bool due;            /* as a row */
    uint64_t row_due_ns; /* the next one */
};

struct live_steps {
    size_t n;
    uint64_t shown_ns;
    struct step at[];
};

struct live_steps *live_steps_new(size_t n)
{
    struct live_steps *t = xcalloc(1, sizeof(*t) + n * sizeof(t->at[0]));

    t->n = n;
    return t;
}

void live_steps_free(struct live_steps *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++) {
        free(t->at[i].name);
        free(t->at[i].kind);
        free(t->at[i].line);
    }
    free(t);
}

static bool is_over(const struct progress *p)
{
    return p->total > 0 && p->done >= p->total;
}

bool live_steps_progress(struct live_steps *t, size_t i, const char *name, const struct progress *p,
                         uint64_t now_ns)
{
    struct step *s = &t->at[i];
    const bool new_step = !s->kind || strcmp(s->kind, p->step) != 0;
    const bool ends = is_over(p) && (new_step || !s->over);
    struct strbuf line;

    CHECK(i < t->n);
    if (!ends && !new_step && now_ns < s->row_due_ns && now_ns - t->shown_ns < SHOW_NS)
        return false;
    strbuf_init(&line);
    live_text_step(p, false, &line);
    xset_text(&s->name, name);
    xset_text(&s->kind, p->step);
    xset_text(&s->line, line.buf);
    strbuf_release(&line);
    if (new_step)
        s->row_due_ns = now_ns + LINE_NS;
    s->over = is_over(p);
    s->due = s->due || ends;
    t->shown_ns = now_ns;
    return true;
}

void live_steps_ready(struct live_steps *t, size_t i, const char *name)
{
    CHECK(i < t->n);
    xset_text(&t->at[i].name, name);
    xset_text(&t->at[i].line, "ready\n");
    t->at[i].ready = true;
    t->at[i].due = true;
}

static void add_line(const struct step *s, struct strbuf *out)
{
    cell_clip_middle(out, s->name, NAME_COLUMNS, 1);
    strbuf_addf(out, " %s", s->line);
}

/* Where not all fit, those that are ready are left out first. */
static size_t add_lines(const struct live_steps *t, bool ready, size_t most, struct strbuf *out)
{
    size_t lines = 0;

    for (size_t i = 0; i < t->n && lines < most; i++) {
        if (!t->at[i].line || t->at[i].ready != ready)
            continue;
        add_line(&t->at[i], out);
        lines++;
    }
    return lines;
}

void live_steps_block(const struct live_steps *t, struct strbuf *out)
{
    size_t most = LIVE_LINES_MAX - 1;
    size_t ready = 0;

    for (size_t i = 0; i < t->n; i++)
        ready += t->at[i].ready;
    strbuf_addf(out, "before the run: %zu of %zu targets are ready\n", ready, t->n);
    most -= add_lines(t, false, most, out);
    (void)add_lines(t, true, most, out);
}

void live_steps_rows(struct live_steps *t, uint64_t now_ns, struct strbuf *out)
{
    for (size_t i = 0; i < t->n; i++) {
        struct step *s = &t->at[i];

        if (!s->line || !(s->due || (!s->ready && !s->over && now_ns >= s->row_due_ns)))
            continue;
        add_line(s, out);
        s->due = false;
        s->row_due_ns = now_ns + LINE_NS;
    }
}
