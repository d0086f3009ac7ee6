/*
 * See the header. The rows are made once, for both forms.
 */
#include "report/prep_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/html_frame.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/markdown.h"
#include "report/prep.h"
#include "result/result_json.h"

#define BYTES_PER_MIB (1024.0 * 1024.0)
#define ROWS_MAX 5

/* A step as it stands in the table. */
struct row {
    const char *step;
    char *what; /* owned, as is found */
    struct cell bytes, seconds, mib_per_s;
    char *found;
};

struct rows {
    struct row at[ROWS_MAX];
    size_t n;
};

static const struct cell none = {"-"};

/* Takes what and found over; found NULL: nothing is looked for. */
static struct row *add(struct rows *rows, const char *step, char *what, char *found)
{
    struct row *row = &rows->at[rows->n++];

    CHECK(rows->n <= ROWS_MAX);
    *row = (struct row){.step = step, .bytes = none, .seconds = none, .mib_per_s = none};
    row->what = what;
    row->found = found;
    return row;
}

static double rate(int64_t bytes, double seconds)
{
    return bytes > 0 && seconds > 0 ? (double)bytes / BYTES_PER_MIB / seconds : RESULT_NONE;
}

static bool is(const char *text, const char *what)
{
    return text && strcmp(text, what) == 0;
}

static void add_erase(const struct prep_record *p, struct rows *rows)
{
    const bool erased = p->erase && !is(p->erase, "none");
    char *zeroes = isnan(p->zero_percent) ? NULL
                                          : xasprintf("%s %% of the samples read as zeroes",
                                                      cell_figure(p->zero_percent).text);
    struct row *row = add(rows, "erase", xstrdup(erased ? p->erase : "none"), zeroes);

    if (!erased)
        return;
    row->bytes = cell_bytes(p->erased_bytes);
    row->seconds = cell_duration(p->erase_seconds);
    /* What the drive does by itself is not written to it. */
    if (is(p->erase, "overwrite"))
        row->mib_per_s = cell_figure(rate(p->erased_bytes, p->erase_seconds));
}

static void add_fill(const struct prep_record *p, struct rows *rows)
{
    char *found = NULL;
    struct row *row;

    if (p->filled_bytes < 0) {
        (void)add(rows, "fill", xstrdup("none"), NULL);
        return;
    }
    if (p->sampled_blocks >= 0)
        found = xasprintf("%s of %s blocks that were read back are there",
                          cell_count(p->sampled_good).text, cell_count(p->sampled_blocks).text);
    row = add(rows, "fill", xstrdup("the whole surface, incompressible"), found);
    row->bytes = cell_bytes(p->filled_bytes);
    row->seconds = cell_duration(p->fill_seconds);
    row->mib_per_s = cell_figure(rate(p->filled_bytes, p->fill_seconds));
}

static void make_rows(const struct result *r, struct rows *rows)
{
    const struct prep_record *p = &r->drive.prep;
    const bool raw = !p->filesystem;

    *rows = (struct rows){.n = 0};
    add_erase(p, rows);
    add_fill(p, rows);
    add(rows, "partition", xstrdup(raw ? "raw, for block tests" : "for the database test"), NULL)
        ->bytes = cell_bytes(p->partition_bytes);
    if (!raw)
        (void)add(rows, "file system",
                  xasprintf("%s without discard, at %s", p->filesystem,
                            p->mount_point ? p->mount_point : "-"),
                  NULL);
}

static void release_rows(struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        free(rows->at[i].what);
        free(rows->at[i].found);
    }
}

/* What the table has no column for. */
static char *remarks(const struct prep_record *p)
{
    struct strbuf out;

    strbuf_init(&out);
    if (p->erase_note)
        strbuf_addf(&out, "Of the erase: %s.", p->erase_note);
    if (p->interruptions > 0)
        strbuf_addf(&out, "%sIt went on where it had been cut off, %s time%s.", out.len ? " " : "",
                    cell_count(p->interruptions).text, p->interruptions == 1 ? "" : "s");
    return out.len ? strbuf_detach(&out) : NULL;
}

static void say_drive(const struct result *r, struct strbuf *out)
{
    strbuf_adds(out, r->drive.path ? r->drive.path : "-");
    if (r->drive.devices.n > 0)
        strbuf_addf(out, ", %s, %s, firmware %s",
                    r->drive.devices.at[0].model ? r->drive.devices.at[0].model : "of no model",
                    cell_bytes(r->drive.devices.at[0].size_bytes).text,
                    r->drive.devices.at[0].firmware ? r->drive.devices.at[0].firmware : "not told");
}

/* ---- page ---- */

static void add_facts(const struct result *r, struct strbuf *out)
{
    struct strbuf text;

    strbuf_init(&text);
    strbuf_adds(out, "<dl class=\"facts\">\n");
    say_drive(r, &text);
    html_fact(out, "Drive", text.buf);
    strbuf_reset(&text);
    prep_words(&r->drive.prep, &text);
    html_fact(out, "Prepared", text.buf);
    html_fact_host(r, out);
    html_fact(out, "Command", r->command);
    html_fact_date(r, out);
    strbuf_adds(out, "</dl>\n\n");
    strbuf_release(&text);
}

static void add_steps(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "step"},  {.head = "what", .text = true},  {.head = "bytes"}, {.head = "time"},
        {.head = "MiB/s"}, {.head = "found", .text = true},
    };
    char *more = remarks(&r->drive.prep);
    struct html_table t;
    struct rows rows;

    make_rows(r, &rows);
    html_section(out, "steps", "Steps");
    html_table_begin(&t, out, NULL, columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < rows.n; i++) {
        html_cell(&t, rows.at[i].step);
        html_cell(&t, rows.at[i].what);
        html_cell(&t, rows.at[i].bytes.text);
        html_cell(&t, rows.at[i].seconds.text);
        html_cell(&t, rows.at[i].mib_per_s.text);
        html_cell(&t, rows.at[i].found);
    }
    html_table_end(&t);
    if (more)
        html_paragraph(out, "note", more);
    html_section_end(out);
    release_rows(&rows);
    free(more);
}

void prep_html(const struct result *r, struct strbuf *out)
{
    char *json = result_json_write(r);
    char *title = xasprintf("%s: %s", r->label && *r->label ? r->label : "drive-prep",
                            r->started ? r->started : "-");

    html_page_begin(title, out);
    html_title(r, out);
    html_verdict(r, out);
    add_facts(r, out);
    add_steps(r, out);
    html_section(out, "data", "Raw data");
    strbuf_adds(out, "<p class=\"controls\">\n<button type=\"button\" data-save=\"result.json\">"
                     "Result, JSON</button>\n</p>\n");
    html_packed("packed-json", json, out);
    html_section_end(out);
    html_page_end_saying(
        "What a preparation left is told by the results of the tests on this drive. Rates "
        "are bytes over the time of the step, by this machine's clock.",
        out);
    free(title);
    free(json);
}

/* ---- Markdown ---- */

void prep_markdown(const struct result *r, struct strbuf *out)
{
    char *more = remarks(&r->drive.prep);
    struct strbuf text;
    struct rows rows;

    strbuf_init(&text);
    say_drive(r, &text);
    strbuf_adds(out, "Preparation of ");
    markdown_text(out, text.buf);
    strbuf_adds(out, ".\n\n| step | what | bytes | time | MiB/s | found |\n"
                     "|---|---|--:|--:|--:|---|\n");
    make_rows(r, &rows);
    for (size_t i = 0; i < rows.n; i++) {
        const struct row *row = &rows.at[i];

        strbuf_addf(out, "| %s | ", row->step);
        markdown_text(out, row->what);
        strbuf_addf(out, " | %s | %s | %s | ", row->bytes.text, row->seconds.text,
                    row->mib_per_s.text);
        markdown_text(out, row->found ? row->found : "-");
        strbuf_adds(out, " |\n");
    }
    strbuf_addc(out, '\n');
    if (more) {
        markdown_text(out, more);
        strbuf_adds(out, "\n\n");
    }
    release_rows(&rows);
    strbuf_release(&text);
    free(more);
}
