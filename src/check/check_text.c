/*
 * Printing what a check found. Pure.
 */
#include "check/check_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include <jansson.h>

static void add_rows(const struct check_finding *f, struct strbuf *out)
{
    size_t n = 0;

    while (n < CHECK_ROWS_KEPT && f->rows[n])
        strbuf_addf(out, "      %s\n", f->rows[n++]);
    if (f->offending > n)
        strbuf_addf(out, "      ... and %" PRIu64 " more\n", f->offending - n);
}

void check_report_text(const struct check_report *report, struct strbuf *out)
{
    int run = 0;
    int hold = 0;

    for (int i = 0; i < CONDITIONS; i++) {
        const struct check_finding *f = &report->finding[i];

        if (!f->run)
            continue;
        run++;
        hold += f->holds ? 1 : 0;
        strbuf_addf(out, "%2d %-6s %7.2f s  %s\n", f->number, f->holds ? "ok" : "BROKEN",
                    f->seconds, conditions()[i].text);
        add_rows(f, out);
    }
    strbuf_addf(out, "%d of %d conditions hold (%.1f s)\n", hold, run, report->seconds);
}

static json_t *finding_json(const struct check_finding *f)
{
    json_t *rows = json_array();
    json_t *one = NULL;

    for (size_t i = 0; i < CHECK_ROWS_KEPT && f->rows[i]; i++)
        CHECK(json_array_append_new(rows, json_string(f->rows[i])) == 0);
    one = json_pack("{s:i, s:s, s:b, s:I, s:f, s:o}", "number", f->number, "text",
                    conditions()[f->number - 1].text, "holds", f->holds, "offending",
                    (json_int_t)f->offending, "seconds", f->seconds, "rows", rows);
    CHECK(one);
    return one;
}

void check_report_json(const struct check_report *report, struct strbuf *out)
{
    json_t *list = json_array();
    json_t *all = NULL;
    char *text = NULL;

    for (int i = 0; i < CONDITIONS; i++)
        if (report->finding[i].run)
            CHECK(json_array_append_new(list, finding_json(&report->finding[i])) == 0);
    all = json_pack("{s:s, s:b, s:f, s:o}", "format", "tpcc-check/1", "all_hold", report->all_hold,
                    "seconds", report->seconds, "conditions", list);
    CHECK(all);
    text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    CHECK(text);
    strbuf_adds(out, text);
    strbuf_addc(out, '\n');
    free(text);
    json_decref(all);
}
