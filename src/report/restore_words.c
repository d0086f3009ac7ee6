/*
 * The line about the restore. Pure text.
 */
#include "report/restore_words.h"

#include "base/clock.h"
#include "base/units.h"
#include "report/cell.h"

#define REST_MAX_S 1e9

/* Whole seconds: the wait ends some microseconds late. */
static void add_rest(const struct result_restore *d, struct strbuf *out)
{
    char text[40];

    if (!(d->rest_s >= 0 && d->rest_s < REST_MAX_S))
        return;
    units_format_duration((uint64_t)d->rest_s * NS_PER_S, text, sizeof(text));
    strbuf_addf(out, ", %s of rest", text);
}

void restore_words_short(const struct result *r, struct strbuf *out)
{
    const struct result_restore *d = &r->dataset.restore;

    if (!d->method) {
        strbuf_adds(out, "not restored");
        return;
    }
    strbuf_addf(out, "restored by %s", d->method);
    add_rest(d, out);
}

void restore_words(const struct result *r, struct strbuf *out)
{
    const struct result_restore *d = &r->dataset.restore;

    if (!d->method) {
        strbuf_adds(out, "not restored");
        return;
    }
    strbuf_addf(out, "restored by %s%s, %s written in %s", d->method,
                d->same_device == 1   ? " on the same device"
                : d->same_device == 0 ? " from another device"
                                      : "",
                cell_bytes(d->bytes_written).text, cell_duration(d->seconds).text);
    add_rest(d, out);
}
