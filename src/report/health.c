/*
 * Wear, bytes, temperature and throttling, before, after and by this run.
 */
#include "report/health.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/cell.h"
#include "report/html_parts.h"
#include "report/html_text.h"

static void add_throttling(const struct health_used *u, struct strbuf *out)
{
    if (u->throttled_seconds < 0 && u->throttled_count < 0)
        strbuf_adds(out, ", throttling not told");
    else if (u->throttled_seconds > 0 || u->throttled_count > 0)
        strbuf_addf(out, ", throttled %s times for %s s", cell_count(u->throttled_count).text,
                    cell_count(u->throttled_seconds).text);
    else
        strbuf_adds(out, ", never throttled");
}

void report_drive_health(const struct result *r, const struct result_drive_health *d,
                         struct strbuf *out)
{
    const struct health_used *u = &d->used;

    cell_clean(out, d->device);
    if (d->why_none) {
        strbuf_adds(out, " not available: ");
        cell_clean(out, d->why_none);
        return;
    }
    strbuf_addf(out, " worn %s %%, wrote %s", cell_fixed(d->after.worn_percent, 0).text,
                cell_bytes(u->written_bytes).text);
    if (isfinite(u->write_amplification))
        strbuf_addf(out, " (%s to its flash)", cell_fixed(u->write_amplification, 2).text);
    if (isfinite(u->life_percent))
        strbuf_addf(out, ", %.2g %% of its life, %s years left at this load", u->life_percent,
                    cell_fixed(u->years_left, 1).text);
    strbuf_addf(out, ", media errors %s", cell_count(d->after.media_errors).text);
    if (isfinite(r->health.temperature_c_max))
        strbuf_addf(out, ", %s to %s C", cell_fixed(r->health.temperature_c_min, 0).text,
                    cell_fixed(r->health.temperature_c_max, 0).text);
    add_throttling(u, out);
}

void report_health(const struct result *r, struct strbuf *out)
{
    for (size_t i = 0; i < r->health.drives.n; i++) {
        struct strbuf line;

        strbuf_init(&line);
        report_drive_health(r, &r->health.drives.at[i], &line);
        cell_paragraph(out, i ? "" : "health", line.buf);
        strbuf_release(&line);
    }
}

static void add_row(struct html_table *t, const char *name, struct cell before, struct cell after)
{
    html_cell(t, name);
    html_cell(t, before.text);
    html_cell(t, after.text);
}

static struct cell warnings(int64_t bits)
{
    struct cell c = {"-"};
    char words[96];

    health_warning_words(bits, words, sizeof(words));
    if (bits >= 0)
        (void)snprintf(c.text, sizeof(c.text), "%.47s", bits ? words : "none");
    return c;
}

static void add_logs(const struct result_drive_health *d, struct strbuf *out)
{
    static const struct html_column columns[] = {
        {.head = "what the drive tells"}, {.head = "before"}, {.head = "after"}};
    const struct health_log *b = &d->before;
    const struct health_log *a = &d->after;
    struct html_table t;

    html_table_begin(&t, out, NULL, columns, ARRAY_LEN(columns));
    add_row(&t, "worn, %", cell_fixed(b->worn_percent, 0), cell_fixed(a->worn_percent, 0));
    add_row(&t, "spare, %", cell_fixed(b->spare_percent, 0), cell_fixed(a->spare_percent, 0));
    add_row(&t, "critical warning", warnings(b->critical_warning), warnings(a->critical_warning));
    add_row(&t, "written by the host", cell_bytes(b->written_bytes), cell_bytes(a->written_bytes));
    add_row(&t, "written to the flash", cell_bytes(b->media_written_bytes),
            cell_bytes(a->media_written_bytes));
    add_row(&t, "read by the host", cell_bytes(b->read_bytes), cell_bytes(a->read_bytes));
    add_row(&t, "media errors", cell_count(b->media_errors), cell_count(a->media_errors));
    add_row(&t, "error log entries", cell_count(b->error_log_entries),
            cell_count(a->error_log_entries));
    add_row(&t, "temperature, C", cell_fixed(b->temperature_c, 0), cell_fixed(a->temperature_c, 0));
    add_row(&t, "minutes too hot", cell_count(b->warning_minutes), cell_count(a->warning_minutes));
    add_row(&t, "light throttling, s", cell_count(b->throttled_1_seconds),
            cell_count(a->throttled_1_seconds));
    add_row(&t, "heavy throttling, s", cell_count(b->throttled_2_seconds),
            cell_count(a->throttled_2_seconds));
    add_row(&t, "power-on hours", cell_count(b->power_on_hours), cell_count(a->power_on_hours));
    add_row(&t, "unsafe shutdowns", cell_count(b->unsafe_shutdowns),
            cell_count(a->unsafe_shutdowns));
    html_table_end(&t);
}

/* The drive's bytes beside the kernel's, which began a little later. */
static void add_bytes(const struct result *r, const struct result_drive_health *d,
                      struct strbuf *out)
{
    if (d->used.written_bytes < 0 || r->run.bytes_written < 0)
        return;
    strbuf_addf(out, "<p class=\"note\">Write amplification: %s. ",
                isfinite(d->used.write_amplification)
                    ? cell_fixed(d->used.write_amplification, 2).text
                    : "not available, the drive does not tell");
    strbuf_addf(out,
                "The drive counted %s written by the host, the kernel's counters "
                "of the file system's device %s; the drive counts in half megabytes and its log "
                "may be a minute behind. Life and years are by what wore it so far.</p>\n",
                cell_bytes(d->used.written_bytes).text, cell_bytes(r->run.bytes_written).text);
}

void html_health(const struct result *r, struct strbuf *out)
{
    if (r->health.drives.n == 0)
        return;
    html_section(out, "health", "Health of the drives");
    for (size_t i = 0; i < r->health.drives.n; i++) {
        const struct result_drive_health *d = &r->health.drives.at[i];
        struct strbuf says;

        strbuf_init(&says);
        report_drive_health(r, d, &says);
        if (d->tool)
            strbuf_addf(&says, " (%s)", d->tool);
        strbuf_addc(&says, '.');
        html_paragraph(out, NULL, says.buf);
        strbuf_release(&says);
        if (d->why_none)
            continue;
        add_logs(d, out);
        add_bytes(r, d, out);
    }
    html_section_end(out);
}
