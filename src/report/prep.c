/*
 * Words of a preparation (see the header).
 */
#include "report/prep.h"

#include <math.h>
#include <string.h>

#include "report/cell.h"

#define BYTES_PER_MIB (1024.0 * 1024.0)

/* bytes -1: they did not go over the wire. */
static void add_rate(int64_t bytes, double seconds, struct strbuf *out)
{
    if (isnan(seconds))
        return;
    strbuf_addf(out, " in %s", cell_duration(seconds).text);
    if (seconds > 0 && bytes >= 0)
        strbuf_addf(out, ", %s MiB/s", cell_figure((double)bytes / BYTES_PER_MIB / seconds).text);
}

static void add_erase(const struct prep_record *p, struct strbuf *out)
{
    if (!p->erase || strcmp(p->erase, "none") == 0) {
        strbuf_adds(out, "not erased");
        return;
    }
    strbuf_addf(out, "erased by %s", p->erase);
}

static void add_samples(const struct prep_record *p, struct strbuf *out)
{
    strbuf_addf(out, "%s of %s samples there", cell_count(p->sampled_good).text,
                cell_count(p->sampled_blocks).text);
}

void prep_words(const struct prep_record *p, struct strbuf *out)
{
    strbuf_addf(out, "for %s: ", p->purpose ? p->purpose : "-");
    add_erase(p, out);
    if (p->filled_bytes > 0) {
        strbuf_addf(out, ", filled with %s, ", cell_bytes(p->filled_bytes).text);
        add_samples(p, out);
    } else {
        strbuf_adds(out, ", not filled");
    }
    if (!isnan(p->age_s))
        strbuf_addf(out, ", %s before", cell_duration(p->age_s).text);
}

void prep_paragraph(const struct result *r, struct strbuf *out)
{
    struct strbuf line;

    if (!r->drive.prep.id)
        return;
    strbuf_init(&line);
    prep_words(&r->drive.prep, &line);
    cell_paragraph(out, "prepared", line.buf);
    strbuf_release(&line);
}

static void add_erase_line(const struct prep_record *p, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    strbuf_adds(&line, p->erase ? p->erase : "-");
    if (p->erase && p->erased_bytes > 0) {
        strbuf_addf(&line, ", %s", cell_bytes(p->erased_bytes).text);
        add_rate(strcmp(p->erase, "overwrite") == 0 ? p->erased_bytes : -1, p->erase_seconds,
                 &line);
    }
    if (!isnan(p->zero_percent))
        strbuf_addf(&line, "; %s %% of the samples read as zeroes afterwards",
                    cell_figure(p->zero_percent).text);
    cell_paragraph(out, "erase", line.buf);
    if (p->erase_note)
        cell_paragraph(out, "", p->erase_note);
    strbuf_release(&line);
}

static void add_fill_line(const struct prep_record *p, struct strbuf *out)
{
    struct strbuf line;

    strbuf_init(&line);
    if (p->filled_bytes > 0) {
        strbuf_addf(&line, "%s", cell_bytes(p->filled_bytes).text);
        add_rate(p->filled_bytes, p->fill_seconds, &line);
        strbuf_adds(&line, "; ");
        add_samples(p, &line);
    } else {
        strbuf_adds(&line, "none");
    }
    cell_paragraph(out, "fill", line.buf);
    strbuf_release(&line);
}

void report_prep(const struct result *r, struct strbuf *out)
{
    const struct prep_record *p = &r->drive.prep;
    struct strbuf line;

    strbuf_init(&line);
    strbuf_adds(&line, r->drive.path ? r->drive.path : "-");
    if (r->drive.devices.n > 0)
        strbuf_addf(&line, ", %s, %s",
                    r->drive.devices.at[0].model ? r->drive.devices.at[0].model : "of no model",
                    cell_bytes(r->drive.devices.at[0].size_bytes).text);
    cell_paragraph(out, "drive", line.buf);
    add_erase_line(p, out);
    add_fill_line(p, out);
    strbuf_reset(&line);
    strbuf_addf(&line, "%s for %s", cell_bytes(p->partition_bytes).text,
                p->purpose ? p->purpose : "-");
    if (p->filesystem)
        strbuf_addf(&line, ", %s at %s", p->filesystem, p->mount_point ? p->mount_point : "-");
    cell_paragraph(out, "partition", line.buf);
    if (p->interruptions > 0) {
        strbuf_reset(&line);
        strbuf_addf(&line, "went on where it was cut off, %s time%s",
                    cell_count(p->interruptions).text, p->interruptions == 1 ? "" : "s");
        cell_paragraph(out, "resumed", line.buf);
    }
    strbuf_release(&line);
}
