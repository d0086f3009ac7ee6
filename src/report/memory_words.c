/*
 * The line about the memory of a run, for text, page and Markdown alike. Pure text.
 */
#include "report/memory_words.h"

#include "report/cell.h"

void memory_words_limit(const struct result *r, struct strbuf *out)
{
    const struct result_database *db = &r->database;

    if (db->memory_limit_bytes < 0)
        strbuf_adds(out, "none");
    else
        strbuf_adds(out, cell_bytes(db->memory_limit_bytes).text);
    if (db->memory_limit_bytes >= 0 && db->memory_limit_by)
        strbuf_addf(out, " by %s", db->memory_limit_by);
    else if (db->memory_unlimited)
        strbuf_addf(out, " (%s)", db->memory_unlimited);
}

void memory_words(const struct result *r, struct strbuf *out)
{
    const double percent = result_drive_read_percent(r);

    strbuf_addf(out, "dataset %s, buffer %s, limit ", cell_bytes(r->dataset.bytes_before).text,
                cell_bytes(r->database.buffer_bytes).text);
    memory_words_limit(r, out);
    strbuf_addf(out, ", RAM %s", cell_bytes(r->host.memory_bytes).text);
    if (isfinite(percent))
        strbuf_addf(out, "; %.0f %% of the server's page reads reached the drive", percent);
}
