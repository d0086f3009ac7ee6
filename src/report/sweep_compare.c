/*
 * See the header. One thread.
 */
#include "report/sweep_compare.h"

#include <math.h>
#include <string.h>

#include "report/cell.h"
#include "report/markdown.h"
#include "report/sweep_csv.h"
#include "report/sweep_text.h"
#include "result/csv.h"
#include "result/drive_set.h"

#define ROWS_MAX 400
#define US_PER_MS_F 1000.0
#define KIB_PER_MIB 1024.0
#define FIT_READ_POINTS 10.0 /* percent of the I/Os */
#define FIT_SIZE_SHARE 0.25

struct sweep_run_io sweep_run_io(const struct result *r)
{
    const struct drive_set drive = drive_set_of(r, (int)r->drive.devices.n);
    const struct result_rates d = drive_set_rates(&drive, r->sample.devices);
    const double reads = isfinite(d.reads_per_s) ? d.reads_per_s : 0;
    const double writes = isfinite(d.writes_per_s) ? d.writes_per_s : 0;
    const double ms =
        (reads > 0 ? reads * d.read_await_ms : 0) + (writes > 0 ? writes * d.write_await_ms : 0);

    if (!(reads + writes > 0))
        return (struct sweep_run_io){RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE};
    return (struct sweep_run_io){
        .iops = reads + writes,
        .latency_us = ms * US_PER_MS_F / (reads + writes),
        .read_percent = 100 * reads / (reads + writes),
        .kib = KIB_PER_MIB * (d.read_mib_per_s + d.write_mib_per_s) / (reads + writes),
    };
}

/* What the curve's I/Os really were, by the point of its peak. */
static struct sweep_run_io io_of(const struct sweep_profile *p)
{
    const struct sweep_point *most = sweep_maximum(p);

    if (!most || !(most->iops > 0))
        return (struct sweep_run_io){RESULT_NONE, RESULT_NONE, RESULT_NONE, RESULT_NONE};
    return (struct sweep_run_io){.iops = most->iops,
                                 .latency_us = most->latency_us.avg,
                                 .read_percent = 100 * most->read_iops / most->iops,
                                 .kib = KIB_PER_MIB * most->mib_per_s / most->iops};
}

bool sweep_run_fits(const struct result *run, const struct sweep_profile *p)
{
    const struct sweep_run_io of_run = sweep_run_io(run);
    const struct sweep_run_io of_curve = io_of(p);

    if (!(of_run.iops > 0))
        return false;
    if (p->workload && strcmp(p->workload, "oltp-blocks") == 0)
        return true;
    return !(p->mix && strstr(p->mix, "sequential")) &&
           fabs(of_run.read_percent - of_curve.read_percent) <= FIT_READ_POINTS &&
           fabs(of_run.kib / of_curve.kib - 1) <= FIT_SIZE_SHARE;
}

/* ---- rows ---- */

static bool is_before(const struct sweep_row *a, const struct sweep_row *b)
{
    return a->profile->peak_iops > b->profile->peak_iops;
}

/* By insertion: few. */
static void insert(struct sweep_row *row, size_t from, size_t to)
{
    const struct sweep_row last = row[to];
    size_t at = to;

    for (; at > from && is_before(&last, &row[at - 1]); at--)
        row[at] = row[at - 1];
    row[at] = last;
}

size_t sweep_rows(const struct sweep_named *all, size_t n, struct sweep_row *row, size_t most)
{
    sweep_profile_list profiles = {0};
    size_t rows = 0;

    sweep_list_profiles(all, n, &profiles);
    for (size_t k = 0; k < profiles.n; k++) {
        const size_t from = rows;

        for (size_t i = 0; i < n && rows < most; i++) {
            const struct sweep_profile *p = sweep_profile_like(all[i].r, profiles.at[k]);

            if (!p)
                continue;
            row[rows] = (struct sweep_row){.name = all[i].name, .profile = p};
            insert(row, from, rows++);
        }
        for (size_t i = from; i < rows; i++) {
            row[i].first = i == from;
            row[i].percent = 100 * (1 - row[i].profile->peak_iops / row[from].profile->peak_iops);
        }
    }
    VEC_RELEASE(&profiles);
    return rows;
}

struct cell sweep_row_less(const struct sweep_row *row)
{
    struct cell less = {"best"};

    if (row->first)
        return less;
    less = cell_fixed(-row->percent, 1);
    (void)strncat(less.text, " %", sizeof(less.text) - strlen(less.text) - 1);
    return less;
}

static struct cell whole(double value)
{
    return cell_count(isfinite(value) ? (int64_t)llround(value) : -1);
}

/* ---- text ---- */

static void add_head(const struct sweep_profile *p, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_addf(&line, "%s: %s, %s under way%s", p->name, p->mix ? p->mix : "?",
                cell_count(p->outstanding).text, p->modelled ? ", modelled" : "");
    strbuf_addc(out, '\n');
    cell_paragraph(out, "profile", line.buf);
    strbuf_addf(out, "%-18s %10s %8s %9s %10s %9s %10s\n", "drive", "peak IOPS", "", "MiB/s",
                "95 % IOPS", "at us", "below 1 ms");
    strbuf_release(&line);
}

static void add_row(const struct sweep_row *row, struct strbuf *out)
{
    const struct sweep_profile *p = row->profile;
    const struct cell less = sweep_row_less(row);

    if (row->first)
        add_head(p, out);
    cell_clip(out, row->name, 18, 1);
    strbuf_addf(out, " %10s %8s %9s", whole(p->peak_iops).text, less.text,
                cell_figure(p->peak_mib_per_s).text);
    strbuf_addf(out, " %10s %9s %10s\n", whole(p->iops_at_95_percent).text,
                cell_figure(p->latency_us_at_95_percent).text, whole(p->iops_below_1_ms).text);
}

static void add_method(const struct sweep_named *one, struct strbuf *out)
{
    struct strbuf line;

    if (!result_is_sweep(one->r))
        return;
    strbuf_init(&line);
    strbuf_addf(&line, "%s: ", one->name);
    sweep_say_method(one->r, &line);
    cell_paragraph(out, "sweep", line.buf);
    strbuf_release(&line);
}

/* "the database run's own I/O: 3,210 a second at 420 us". */
static void say_run(const struct sweep_named *run, struct strbuf *out)
{
    const struct sweep_run_io io = sweep_run_io(run->r);

    strbuf_addf(out,
                "%s, a database run, put %s I/Os a second on its drive, which took %s us on "
                "average",
                run->name, whole(io.iops).text, cell_figure(io.latency_us).text);
}

void sweep_compare_text(const struct sweep_named *all, size_t n, struct strbuf *out)
{
    struct sweep_row row[ROWS_MAX];
    const size_t rows = sweep_rows(all, n, row, ROWS_MAX);

    strbuf_adds(out, "Block tests\n");
    for (size_t i = 0; i < n; i++)
        add_method(&all[i], out);
    for (size_t i = 0; i < rows; i++)
        add_row(&row[i], out);
    for (size_t i = 0; i < n; i++) {
        struct strbuf line;

        if (result_is_sweep(all[i].r))
            continue;
        strbuf_init(&line);
        say_run(&all[i], &line);
        strbuf_addc(out, '\n');
        cell_paragraph(out, "run", line.buf);
        strbuf_release(&line);
    }
}

/* ---- Markdown ---- */

static void add_markdown_row(const struct sweep_row *row, struct strbuf *out)
{
    const struct sweep_profile *p = row->profile;

    strbuf_adds(out, "| ");
    markdown_text(out, p->name);
    strbuf_adds(out, " | ");
    markdown_text(out, row->name);
    strbuf_addf(out, " | %s | %s | %s | %s | %s |\n", whole(p->peak_iops).text,
                cell_figure(p->peak_mib_per_s).text, whole(p->iops_at_95_percent).text,
                cell_figure(p->latency_us_at_95_percent).text, whole(p->iops_below_1_ms).text);
}

void sweep_compare_markdown(const struct sweep_named *all, size_t n, struct strbuf *out)
{
    struct sweep_row row[ROWS_MAX];
    const size_t rows = sweep_rows(all, n, row, ROWS_MAX);
    struct strbuf line;

    strbuf_init(&line);
    strbuf_adds(out, "## Block tests\n\n| profile | drive | peak IOPS | MiB/s | IOPS at 95 % | "
                     "latency there, us | IOPS below 1 ms |\n|---|---|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < rows; i++)
        add_markdown_row(&row[i], out);
    strbuf_addc(out, '\n');
    for (size_t i = 0; i < n; i++) {
        strbuf_reset(&line);
        if (result_is_sweep(all[i].r)) {
            strbuf_addf(&line, "%s: ", all[i].name);
            sweep_say_method(all[i].r, &line);
        } else {
            say_run(&all[i], &line);
        }
        strbuf_adds(out, "- ");
        markdown_text(out, line.buf);
        strbuf_addc(out, '\n');
    }
    strbuf_release(&line);
}

/* ---- CSV ---- */

void sweep_compare_csv(const struct sweep_named *all, size_t n, struct strbuf *out)
{
    sweep_points_csv_titles("result", out);
    for (size_t i = 0; i < n; i++)
        sweep_points_csv_rows(all[i].r, all[i].name, out);
}
