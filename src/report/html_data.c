/*
 * The raw data of a page: series.csv and result.json, deflated (zlib) and in base 64, which
 * page_data.js unpacks, to draw and to save; and the points of the percentile curves, as JSON.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "report/cell.h"
#include "report/html_parts.h"
#include "report/html_text.h"

#define POINTS_PER_DECADE 20

static void add_base64(const unsigned char *bytes, size_t n, struct strbuf *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *to = strbuf_reserve(out, (n + 2) / 3 * 4);
    size_t at = 0;

    for (size_t i = 0; i < n; i += 3) {
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (i + 2 < n ? (uint32_t)bytes[i + 2] : 0);

        to[at++] = digits[three >> 18];
        to[at++] = digits[three >> 12 & 63];
        to[at++] = i + 1 < n ? digits[three >> 6 & 63] : '=';
        to[at++] = i + 2 < n ? digits[three & 63] : '=';
    }
    strbuf_commit(out, at);
}

void html_packed(const char *id, const char *text, struct strbuf *out)
{
    const size_t len = strlen(text);
    uLongf n = compressBound(len);
    unsigned char *packed = xmalloc(n);

    /* It fails only without memory or room, and compressBound() is room. */
    CHECK(compress2(packed, &n, (const unsigned char *)text, len, Z_DEFAULT_COMPRESSION) == Z_OK);
    strbuf_addf(out, "<script type=\"application/octet-stream\" id=\"%s\">", id);
    add_base64(packed, n, out);
    strbuf_adds(out, "</script>\n");
    free(packed);
}

void html_curve(const struct hist *h, struct strbuf *out)
{
    const double last = log10((double)hist_count(h));

    strbuf_adds(out, "[");
    for (int i = 1; (double)i / POINTS_PER_DECADE < last; i++) {
        const double nines = (double)i / POINTS_PER_DECADE;

        strbuf_addf(out, "[%.2f,%.6g],", nines,
                    hist_percentile_ms(h, 100.0 * (1.0 - pow(10.0, -nines))));
    }
    strbuf_addf(out, "[%.4f,%.6g]]", last, hist_max_ms(h));
}

static void add_curves(const struct result *r, struct strbuf *out)
{
    bool first = true;

    strbuf_adds(out, "<script type=\"application/json\" id=\"packed-curves\">{");
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        const struct hist *h = r->latency[row][TIME_RESPONSE];

        if (!h || hist_count(h) == 0)
            continue;
        strbuf_addf(out, "%s\"%s\":", first ? "" : ",", result_txn_name(row));
        html_curve(h, out);
        first = false;
    }
    strbuf_adds(out, "}</script>\n");
}

void html_data(const struct html_data *data, struct strbuf *out)
{
    html_section(out, "data", "Raw data");
    strbuf_adds(out,
                "<p>In this page, and beside it in the result directory with the histograms "
                "(<code>latency.csv</code>) and the sample in 120 batches "
                "(<code>batches.csv</code>):</p>\n<p class=\"controls\">\n"
                "<button type=\"button\" data-save=\"series.csv\">Series, CSV</button>\n"
                "<button type=\"button\" data-save=\"series.json\">Series, JSON</button>\n"
                "<button type=\"button\" data-save=\"result.json\">All figures, JSON</button>\n"
                "</p>\n");
    html_packed("packed-series", data->series, out);
    html_packed("packed-result", data->json, out);
    add_curves(data->latency, out);
    html_section_end(out);
}
