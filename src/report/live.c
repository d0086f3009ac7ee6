/*
 * The live view. On a terminal what redraws is one text of a few lines, the block: it is kept, so
 * that a line of the log can be put above it, and drawn over itself by moving the cursor up. Lines
 * are clipped to the terminal's width, since one that wraps would take two. The rest of the screen
 * is never touched. Elsewhere rows of a table (see live_text.c) and a line now and then for steps.
 */
#include "report/live.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "report/cell.h"
#include "report/live_text.h"

#define REDRAW_NS (NS_PER_S / 5)
#define LINE_NS (10 * NS_PER_S)
#define ROWS_PER_HEADER 30
#define DEFAULT_COLUMNS 80

/* Invariant: `drawn` lines of the block stand right above the cursor, which is in column 0; 0 where
 * none or not on a terminal. */
struct live {
    FILE *out;
    bool terminal;
    bool quiet;
    int columns;         /* of a terminal; 0: asked each time */
    struct strbuf block; /* its lines, each with its "\n" */
    int drawn;
    char *phase;    /* of the last row, for the table's header; NULL: none yet */
    int rows;       /* since the last header */
    char *step;     /* of the progress that is shown; NULL: none */
    bool step_over; /* its end was shown */
    uint64_t step_shown_ns;
};

static struct live *make(FILE *out, bool terminal, bool quiet, int columns)
{
    struct live *l = xcalloc(1, sizeof(*l));

    l->out = out;
    l->terminal = terminal;
    l->quiet = quiet;
    l->columns = columns;
    strbuf_init(&l->block);
    return l;
}

struct live *live_new(FILE *out, bool plain, bool quiet)
{
    const int fd = fileno(out);
    const char *term = getenv("TERM");
    const bool dumb = !term || strcmp(term, "dumb") == 0;

    return make(out, !plain && !dumb && fd >= 0 && isatty(fd), quiet, 0);
}

struct live *live_new_terminal(FILE *out, int columns)
{
    CHECK(columns > 0);
    return make(out, true, false, columns);
}

void live_free(struct live *l)
{
    if (!l)
        return;
    live_end(l);
    strbuf_release(&l->block);
    free(l->phase);
    free(l->step);
    free(l);
}

static int columns_of(const struct live *l)
{
    struct winsize size = {0};

    if (l->columns > 0)
        return l->columns;
    if (ioctl(fileno(l->out), TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        return DEFAULT_COLUMNS;
    return size.ws_col;
}

/* One write, so that a terminal never shows a half block. */
static void put(struct live *l, const struct strbuf *text)
{
    (void)fwrite(text->buf, 1, text->len, l->out);
    (void)fflush(l->out);
}

/* Back to the block's first line; all below it is erased. */
static void add_erase(const struct live *l, struct strbuf *out)
{
    if (l->drawn > 0)
        strbuf_addf(out, "\033[%dA\033[J", l->drawn);
}

/* Draws the block from here on, each line clipped. */
static void add_block(struct live *l, struct strbuf *out)
{
    const int columns = columns_of(l) - 1;

    l->drawn = 0;
    for (char *at = l->block.buf; *at; l->drawn++) {
        char *end = at + strcspn(at, "\n");

        CHECK(*end == '\n');
        *end = 0;
        cell_clip(out, at, columns, 0);
        strbuf_adds(out, "\033[K\n");
        *end = '\n';
        at = end + 1;
    }
}

static void redraw(struct live *l)
{
    struct strbuf out;

    strbuf_init(&out);
    if (l->drawn > 0)
        strbuf_addf(&out, "\033[%dA", l->drawn);
    add_block(l, &out);
    strbuf_adds(&out, "\033[J");
    put(l, &out);
    strbuf_release(&out);
}

void live_end(struct live *l)
{
    l->drawn = 0;
    strbuf_reset(&l->block);
    free(l->step);
    l->step = NULL;
}

void live_say(struct live *l, const char *line)
{
    struct strbuf out;

    if (l->quiet)
        return;
    strbuf_init(&out);
    add_erase(l, &out);
    cell_clean(&out, line);
    strbuf_addc(&out, '\n');
    if (l->drawn > 0)
        add_block(l, &out);
    put(l, &out);
    strbuf_release(&out);
}

/* A row stands under the phase it is of, which at a phase's end is not that of the moment. */
static void print_row(struct live *l, const struct live_moment *m, const struct result *r,
                      const struct series_row *row)
{
    const char *phase = result_phase_name(row->phase);
    const bool new_phase = !l->phase || strcmp(l->phase, phase) != 0;
    const struct live_moment of_row = {
        .phase = phase,
        .phase_left_ns = strcmp(m->phase, phase) == 0 ? m->phase_left_ns : 0,
    };
    struct strbuf out;

    strbuf_init(&out);
    if (new_phase) {
        free(l->phase);
        l->phase = xstrdup(phase);
        live_text_phase(&of_row, &out);
    }
    if (new_phase || l->rows == ROWS_PER_HEADER) {
        live_text_header(r, &out);
        l->rows = 0;
    }
    live_text_row(r, row, &out);
    l->rows++;
    put(l, &out);
    strbuf_release(&out);
}

void live_interval(struct live *l, const struct live_moment *m, const struct result *r,
                   const struct series_row *row)
{
    if (l->quiet || isnan(row->tps_all))
        return;
    if (!l->terminal) {
        print_row(l, m, r, row);
        return;
    }
    if (l->step)
        live_end(l); /* its last state stays on the screen */
    strbuf_reset(&l->block);
    live_text_block(m, r, row, &l->block);
    redraw(l);
}

/* Whether this state of the step is to be shown; notes that it is. */
static bool step_is_due(struct live *l, const struct progress *p, uint64_t now_ns)
{
    const bool over = p->total > 0 && p->done >= p->total;
    const uint64_t wait_ns = l->terminal ? REDRAW_NS : LINE_NS;

    if (!l->step || strcmp(l->step, p->step) != 0) {
        live_end(l);
        l->step = xstrdup(p->step);
        l->step_over = over;
        l->step_shown_ns = now_ns;
        return l->terminal || over;
    }
    if (over ? l->step_over : now_ns - l->step_shown_ns < wait_ns)
        return false;
    l->step_over = over;
    l->step_shown_ns = now_ns;
    return true;
}

void live_progress(struct live *l, const struct progress *p, uint64_t now_ns)
{
    struct strbuf line;

    if (l->quiet || !step_is_due(l, p, now_ns))
        return;
    if (l->terminal) {
        strbuf_reset(&l->block);
        live_text_step(p, true, &l->block);
        redraw(l);
        return;
    }
    strbuf_init(&line);
    live_text_step(p, false, &line);
    put(l, &line);
    strbuf_release(&line);
}
