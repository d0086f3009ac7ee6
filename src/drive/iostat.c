/*
 * Lays out rates as iostat does. One table holds the columns; which figure stands in each is
 * written once, in iostat_columns().
 */
#include "drive/iostat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

#define NAME_WIDTH 13
#define KIB_PER_MIB 1024.0
#define NONE ((double)NAN)

static const struct iostat_column COLUMNS[IOSTAT_COLUMNS] = {
    {"r/s", "reads_per_s", 7, NONE},
    {"rkB/s", "read_kib_per_s", 9, NONE},
    {"rrqm/s", "reads_merged_per_s", 8, NONE},
    {"%rrqm", "reads_merged_percent", 6, NONE},
    {"r_await", "read_await_ms", 7, NONE},
    {"rareq-sz", "read_kib_avg", 8, NONE},
    {"w/s", "writes_per_s", 7, NONE},
    {"wkB/s", "write_kib_per_s", 9, NONE},
    {"wrqm/s", "writes_merged_per_s", 8, NONE},
    {"%wrqm", "writes_merged_percent", 6, NONE},
    {"w_await", "write_await_ms", 7, NONE},
    {"wareq-sz", "write_kib_avg", 8, NONE},
    {"d/s", "discards_per_s", 7, NONE},
    {"dkB/s", "discard_kib_per_s", 9, NONE},
    {"drqm/s", "discards_merged_per_s", 8, NONE},
    {"%drqm", "discards_merged_percent", 6, NONE},
    {"d_await", "discard_await_ms", 7, NONE},
    {"dareq-sz", "discard_kib_avg", 8, NONE},
    {"f/s", "flushes_per_s", 7, NONE},
    {"f_await", "flush_await_ms", 7, NONE},
    {"aqu-sz", "queue", 7, NONE},
    {"%util", "busy_percent", 6, NONE},
};

void iostat_columns(const struct disk_delta *d, struct iostat_column out[IOSTAT_COLUMNS])
{
    struct disk_rates r;
    struct disk_merge_rates m;

    memcpy(out, COLUMNS, sizeof(COLUMNS));
    if (d == NULL)
        return;
    disk_rates_of(d, &r);
    disk_merge_rates_of(d, &m);

    const double value[] = {
        r.reads_per_s,
        r.read_mib_per_s * KIB_PER_MIB,
        m.reads_per_s,
        m.read_percent,
        r.read_await_ms,
        r.read_kib_avg,
        r.writes_per_s,
        r.write_mib_per_s * KIB_PER_MIB,
        m.writes_per_s,
        m.write_percent,
        r.write_await_ms,
        r.write_kib_avg,
        r.discards_per_s,
        r.discard_mib_per_s * KIB_PER_MIB,
        m.discards_per_s,
        m.discard_percent,
        r.discard_await_ms,
        r.discard_kib_avg,
        r.flushes_per_s,
        r.flush_await_ms,
        r.queue,
        r.busy_percent,
    };

    _Static_assert(ARRAY_LEN(value) == IOSTAT_COLUMNS, "a value for each column");
    for (int i = 0; i < IOSTAT_COLUMNS; i++)
        out[i].value = value[i];
}

static void add_cell(struct strbuf *sb, enum iostat_form form, int width, const char *text)
{
    if (form == IOSTAT_TABS)
        strbuf_addf(sb, "\t%s", text);
    else
        strbuf_addf(sb, " %*s", width, text);
}

void iostat_add_titles(struct strbuf *sb, enum iostat_form form, const char *first)
{
    strbuf_addf(sb, "%-*s", form == IOSTAT_TABS ? 0 : NAME_WIDTH, first);
    for (int i = 0; i < IOSTAT_COLUMNS; i++)
        add_cell(sb, form, COLUMNS[i].width, COLUMNS[i].title);
    strbuf_addc(sb, '\n');
}

void iostat_add_row(struct strbuf *sb, enum iostat_form form, const char *first,
                    const struct disk_delta *d)
{
    struct iostat_column column[IOSTAT_COLUMNS];

    iostat_columns(d, column);
    strbuf_addf(sb, "%-*s", form == IOSTAT_TABS ? 0 : NAME_WIDTH, first);
    for (int i = 0; i < IOSTAT_COLUMNS; i++) {
        char text[64] = "-";

        if (!isnan(column[i].value))
            (void)snprintf(text, sizeof(text), "%.2f", column[i].value);
        add_cell(sb, form, column[i].width, text);
    }
    strbuf_addc(sb, '\n');
}
