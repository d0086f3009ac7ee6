/*
 * The live view. On a terminal what redraws is one text of a few lines, the block: it is kept, so
 * that a line of the log can be put above it, and drawn over itself by moving the cursor up. Lines
 * are clipped to the terminal's width, since one that wraps would take two; where the terminal
 * became narrower since, they did wrap, and count as what they take now. The rest of the screen is
 * never touched. Elsewhere rows of a table (see live_text.c) and a line now and then for steps.
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
#define BOLD "\033[1m"
#define RED "\033[31m"
#define USUAL "\033[0m"

/* Invariant: `drawn` lines of the block stand right above the cursor, which is in column 0; 0 where
 * none or not on a terminal. */
struct live {
    FILE *out;
    bool terminal;
    bool quiet;
    int columns;         /* of a terminal; 0: asked each time */
    bool colours, utf8;  /* of a terminal */
    struct strbuf block; /* its lines, each with its "\n" */
    int drawn;
    int widths[LIVE_LINES_MAX]; /* of the drawn lines */
    bool alarm;                 /* the interval had errors */
    struct live_sparks sparks;
    char *phase;    /* of the last row, for the table's header; NULL: none yet */
    int rows;       /* since the last header */
    char *step;     /* of the progress that is shown; NULL: none */
    bool step_over; /* its end was shown */
    uint64_t step_shown_ns;
    uint64_t step_elapsed_ns;
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

/* What the locale's variables say of the terminal's characters. */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = getenv(names[i]);

        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

struct live *live_new(FILE *out, bool plain, bool quiet)
{
    const int fd = fileno(out);
    const char *term = getenv("TERM");
    const char *no_color = getenv("NO_COLOR");
    const bool dumb = !term || strcmp(term, "dumb") == 0;
    struct live *l = make(out, !plain && !dumb && fd >= 0 && isatty(fd), quiet, 0);

    live_look(l, !no_color || !*no_color, is_utf8());
    return l;
}

void live_look(struct live *l, bool colours, bool utf8)
{
    l->colours = colours;
    l->utf8 = utf8;
}

void live_resize(struct live *l, int columns)
{
    CHECK(columns > 0);
    l->columns = columns;
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

/* How many lines of a block can be drawn over: the cursor takes one, and none is reached that has
 * left the screen. */
static int lines_of(const struct live *l)
{
    struct winsize size = {0};

    if (l->columns > 0 || ioctl(fileno(l->out), TIOCGWINSZ, &size) < 0 || size.ws_row < 2)
        return LIVE_LINES_MAX;
    return size.ws_row - 1;
}

/* One write, so that a terminal never shows a half block. */
static void put(struct live *l, const struct strbuf *text)
{
    (void)fwrite(text->buf, 1, text->len, l->out);
    (void)fflush(l->out);
}

/* The rows that the drawn lines take on a terminal of this width. */
static int rows_drawn(const struct live *l)
{
    const int columns = columns_of(l);
    int rows = 0;

    for (int i = 0; i < l->drawn; i++)
        rows += l->widths[i] > columns ? (l->widths[i] + columns - 1) / columns : 1;
    return rows;
}

/* Back to the block's first line. */
static void add_return(const struct live *l, struct strbuf *out)
{
    if (l->drawn > 0)
        strbuf_addf(out, "\033[%dA", rows_drawn(l));
}

static const char *style_of(const struct live *l, const char *line)
{
    if (!l->colours)
        return "";
    if (l->drawn == 0)
        return BOLD;
    return l->alarm && strstr(line, "; retries ") ? RED : "";
}

/* Draws the block from here on, each line clipped. */
static void add_block(struct live *l, struct strbuf *out)
{
    const int columns = columns_of(l) - 1;
    const int lines = lines_of(l);
    struct strbuf line;

    strbuf_init(&line);
    l->drawn = 0;
    for (char *at = l->block.buf; *at && l->drawn < lines; l->drawn++) {
        char *end = at + strcspn(at, "\n");
        const char *style = style_of(l, at);

        CHECK(*end == '\n');
        CHECK(l->drawn < LIVE_LINES_MAX);
        *end = 0;
        strbuf_reset(&line);
        cell_clip(&line, at, columns, 0);
        l->widths[l->drawn] = cell_width(line.buf);
        strbuf_addf(out, "%s%s%s\033[K\n", style, line.buf, *style ? USUAL : "");
        *end = '\n';
        at = end + 1;
    }
    strbuf_release(&line);
}

/* In one write, each line over the old one: nothing flickers. */
static void redraw(struct live *l)
{
    struct strbuf out;

    strbuf_init(&out);
    add_return(l, &out);
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

/* What follows a step tells that it has ended, though it may never have reached what it was
 * expected to come to: its line stays as what it took. */
static void end_step(struct live *l)
{
    if (l->terminal && l->step && !l->step_over) {
        strbuf_reset(&l->block);
        live_text_step_end(l->step, l->step_elapsed_ns, &l->block);
        redraw(l);
    }
    live_end(l);
}

void live_say(struct live *l, const char *line)
{
    struct strbuf out;

    strbuf_init(&out);
    add_return(l, &out);
    if (l->drawn > 0)
        strbuf_adds(&out, "\033[J");
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
        .until_steady = m->until_steady && strcmp(m->phase, phase) == 0,
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
    const struct live_screen screen = {l->utf8, columns_of(l) - 1};

    if (l->quiet || isnan(row->tps_all))
        return;
    if (!l->terminal) {
        print_row(l, m, r, row);
        return;
    }
    if (l->step)
        end_step(l);
    live_sparks_add(&l->sparks, row);
    l->alarm = row->errors > 0;
    strbuf_reset(&l->block);
    live_text_block(m, r, row, &l->block);
    live_text_sparks(&l->sparks, &screen, &l->block);
    redraw(l);
}

void live_show(struct live *l, const char *block, const char *line)
{
    struct strbuf out;

    if (l->quiet)
        return;
    if (l->terminal) {
        if (l->step)
            end_step(l);
        l->alarm = false;
        strbuf_reset(&l->block);
        strbuf_adds(&l->block, block);
        redraw(l);
        return;
    }
    strbuf_init(&out);
    strbuf_adds(&out, line);
    put(l, &out);
    strbuf_release(&out);
}

/* Whether this state of the step is to be shown; notes that it is. */
static bool step_is_due(struct live *l, const struct progress *p, uint64_t now_ns)
{
    const bool over = p->total > 0 && p->done >= p->total;
    const uint64_t wait_ns = l->terminal ? REDRAW_NS : LINE_NS;

    if (!l->step || strcmp(l->step, p->step) != 0) {
        end_step(l);
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
    bool due = false;

    if (l->quiet)
        return;
    due = step_is_due(l, p, now_ns);
    l->step_elapsed_ns = p->elapsed_ns;
    if (!due)
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
