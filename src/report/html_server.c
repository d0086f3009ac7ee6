/*
 * What the server did in the sample, and where its sessions' time went phase by phase: the figures
 * behind the line that says what limited the run.
 */
#include <math.h>

#include "report/cell.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/spans.h"

static void add_figures(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "WAL"},
        {.head = "ms a commit"},
        {.head = "commits a flush"},
        {.head = "KiB a transaction"},
        {.head = "full pages, %"},
        {.head = "cache hits, %"},
        {.head = "page reads/s"},
        {.head = "CPU ms a transaction"},
        {.head = "CPU, %"},
        {.head = "machine's CPU, %"},
        {.head = "longest silence, ms"},
    };
    const struct result_server *s = &r->sample.server;
    const double figures[] = {
        s->commit_ms,
        s->commits_per_flush,
        s->wal_kib_per_transaction,
        s->full_page_percent,
        s->cache_hit_percent,
        s->page_reads_per_s,
        s->cpu_ms_per_transaction,
        s->cpu_percent,
        s->host_cpu_percent,
        s->longest_silence_ms,
    };
    struct html_table t;

    html_table_begin(&t, out, "The server in the sample", columns, ARRAY_LEN(columns));
    html_cell(&t, "sample");
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        html_cell(&t, cell_figure(figures[i]).text);
    html_table_end(&t);
}

static void add_waits_row(struct html_table *t, const char *name, const double *percent,
                          double active)
{
    html_cell(t, name);
    html_cell(t, cell_figure(active).text);
    for (int c = 0; c < WAIT_CLASSES; c++)
        html_cell(t, cell_fixed(percent[c], 1).text);
}

static void add_waits(const struct result *r, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "phase"},          {.head = "sessions active"}, {.head = "data reads, %"},
        {.head = "data writes, %"}, {.head = "WAL, %"},          {.head = "locks, %"},
        {.head = "CPU, %"},         {.head = "driver, %"},       {.head = "other, %"},
    };
    struct html_table t;

    _Static_assert(ARRAY_LEN(columns) == WAIT_CLASSES + 2, "a column for each class");
    html_table_begin(&t, out, "Where a transaction's time at the server goes", columns,
                     ARRAY_LEN(columns));
    for (int phase = 0; phase < RESULT_PHASES; phase++) {
        const struct span active = span_of(r, phase, SPAN_FIGURE(server.active));
        double percent[WAIT_CLASSES];

        for (int c = 0; c < WAIT_CLASSES; c++)
            percent[c] = span_of(r, phase, span_wait((enum wait_class)c)).mean;
        if (active.n > 0)
            add_waits_row(&t, result_phase_name(phase), percent, active.mean);
    }
    if (!r->partial)
        add_waits_row(&t, "the sample's looks", r->sample.server.wait_percent,
                      r->sample.server.active);
    html_table_end(&t);
}

static void add_notes(const struct result *r, struct strbuf *out)
{
    const struct result_server_sample *n = &r->sample.server_sample;
    const struct result_server *s = &r->sample.server;

    strbuf_addf(
        out,
        "<p class=\"note\">The run's sessions were looked at %s times a second (%s looks in "
        "the sample). ",
        cell_fixed(n->looks_per_s, 1).text, cell_count(n->looks).text);
    if (isfinite(n->looking_percent))
        strbuf_addf(out,
                    "That took %s %% of the server's CPU time, and with the driver's part %s %% of "
                    "a core. ",
                    cell_fixed(n->looking_percent, 2).text,
                    cell_fixed(n->looking_core_percent, 2).text);
    if (n->checkpoints_timed >= 0)
        strbuf_addf(out, "Checkpoints begun in the sample: %s timed, %s requested; %s whole. ",
                    cell_count(n->checkpoints_timed).text,
                    cell_count(n->checkpoints_requested).text,
                    cell_count(n->checkpoints_whole).text);
    if (isfinite(s->psi_cpu_percent))
        strbuf_addf(out,
                    "Tasks of its machine waited (PSI, some): for a processor %s %%, for I/O %s "
                    "%%, for memory %s %% of the time. ",
                    cell_fixed(s->psi_cpu_percent, 1).text, cell_fixed(s->psi_io_percent, 1).text,
                    cell_fixed(s->psi_memory_percent, 1).text);
    strbuf_adds(out, "The silence is the longest time without a commit.");
    if (isfinite(s->full_page_percent))
        strbuf_adds(out,
                    " Full pages are reckoned at their whole size, which is a little too much.");
    strbuf_adds(out, "</p>\n");
}

void html_server(const struct result *r, struct strbuf *out)
{
    html_section(out, "server", "Server");
    if (!r->partial && r->sample.server_sample.looks < 0) {
        html_paragraph(out, NULL, "The server was not watched.");
    } else {
        if (!r->partial)
            add_figures(r, out);
        add_waits(r, out);
        if (!r->partial)
            add_notes(r, out);
    }
    html_section_end(out);
}
