/*
 * latency.csv and batches.csv, both ways: histograms as their used buckets and what is exact in
 * them beside, so that one that is read back is equal to the one that was written.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "result/csv.h"
#include "result/result_csv.h"

static const char *const latency_columns[] = {
    "transaction", "kind", "upper_us", "count", "sum_ns", "min_ns", "max_ns",
};
enum { L_TXN, L_KIND, L_UPPER, L_COUNT, L_SUM, L_MIN, L_MAX };

static const char *const batch_columns[] = {
    "batch", "count", "sum_ns", "min_ns", "max_ns", "over", "response",
};
enum { B_BATCH, B_COUNT, B_SUM, B_MIN, B_MAX, B_OVER, B_RESPONSE };

/* What stands beside the buckets. */
struct exact {
    uint64_t sum_ns, min_ns, max_ns, over;
};

static void write_header(const char *const *names, size_t n, struct strbuf *out)
{
    for (size_t i = 0; i < n; i++)
        csv_text(out, names[i]);
    csv_end(out);
}

static void latency_row(int row, int kind, struct strbuf *out)
{
    csv_text(out, result_txn_name(row));
    csv_text(out, result_time_name((enum result_kind_of_time)kind));
}

static void latency_write_one(const struct result *r, int row, int kind, struct strbuf *out)
{
    const struct hist *h = r->latency[row][kind];

    if (!h || hist_count(h) == 0)
        return;
    for (int i = hist_first(h); i >= 0; i = hist_after(h, i)) {
        latency_row(row, kind, out);
        csv_count(out, hist_bucket_upper_us(i));
        csv_count(out, hist_bucket_count(h, i));
        csv_text(out, "");
        csv_text(out, "");
        csv_text(out, "");
        csv_end(out);
    }
    latency_row(row, kind, out);
    csv_text(out, "inf");
    csv_count(out, hist_over(h));
    csv_count(out, hist_sum_ns(h));
    csv_count(out, hist_min_ns(h));
    csv_count(out, hist_max_ns(h));
    csv_end(out);
}

void latency_csv_write(const struct result *r, struct strbuf *out)
{
    write_header(latency_columns, ARRAY_LEN(latency_columns), out);
    for (int row = 0; row < RESULT_TXN_ROWS; row++) {
        for (int kind = 0; kind < TIME_KINDS; kind++)
            latency_write_one(r, row, kind, out);
    }
}

/* One bucket; each only once, none empty, the whole within 64 bits. */
static int put_bucket(struct hist *h, uint64_t upper_us, uint64_t count, const struct csv *csv,
                      struct err *err)
{
    const int i = hist_index_of_upper_us(upper_us);

    if (i < 0)
        return csv_complain(csv, err, "no bucket ends at %" PRIu64 " us", upper_us);
    if (count == 0 || hist_bucket_count(h, i) != 0)
        return csv_complain(csv, err, "the bucket at %" PRIu64 " us is empty or there twice",
                            upper_us);
    if (count > UINT64_MAX - hist_count(h))
        return csv_complain(csv, err, "count: %" PRIu64 " is too big", count);
    hist_restore_bucket(h, i, count);
    return 0;
}

static int put_exact(struct hist *h, const struct exact *e, const struct csv *csv, struct err *err)
{
    if (e->over > UINT64_MAX - hist_count(h))
        return csv_complain(csv, err, "count: %" PRIu64 " is too big", e->over);
    if (hist_count(h) + e->over == 0)
        return csv_complain(csv, err, "an empty histogram");
    if (e->min_ns > e->max_ns || e->max_ns > e->sum_ns)
        return csv_complain(csv, err, "min_ns, max_ns and sum_ns do not fit each other");
    hist_restore_exact(h, e->sum_ns, e->min_ns, e->max_ns, e->over);
    return 0;
}

/* Where the rows of the file are: the histogram that is being read. */
struct latency_state {
    int row, kind;
    struct hist *open; /* not yet closed by its "inf" row */
};

static int find_hist(const struct csv *csv, int *row, int *kind, struct err *err)
{
    const char *txn = csv->cells.at[L_TXN];
    const char *time = csv->cells.at[L_KIND];

    for (*row = 0; *row < RESULT_TXN_ROWS; ++*row) {
        if (strcmp(txn, result_txn_name(*row)) == 0)
            break;
    }
    for (*kind = 0; *kind < TIME_KINDS; ++*kind) {
        if (strcmp(time, result_time_name((enum result_kind_of_time) * kind)) == 0)
            break;
    }
    if (*row == RESULT_TXN_ROWS || *kind == TIME_KINDS)
        return csv_complain(csv, err, "\"%s\", \"%s\" is no transaction with a kind of time", txn,
                            time);
    return 0;
}

static int latency_read_row(const struct csv *csv, struct result *r, struct latency_state *s,
                            struct err *err)
{
    int row = 0;
    int kind = 0;
    uint64_t upper_us = 0;
    uint64_t count = 0;
    struct exact e = {0};

    if (find_hist(csv, &row, &kind, err) < 0 ||
        csv_get_count(csv, L_COUNT, "count", &count, err) < 0)
        return -1;
    if (!s->open) {
        if (r->latency[row][kind])
            return csv_complain(csv, err, "this histogram was there before");
        s->open = r->latency[row][kind] = hist_new();
        s->row = row;
        s->kind = kind;
    }
    if (s->row != row || s->kind != kind)
        return csv_complain(csv, err, "the \"inf\" row of the histogram before is missing");
    if (strcmp(csv->cells.at[L_UPPER], "inf") != 0) {
        if (csv_get_count(csv, L_UPPER, "upper_us", &upper_us, err) < 0)
            return -1;
        return put_bucket(s->open, upper_us, count, csv, err);
    }
    e.over = count;
    if (csv_get_count(csv, L_SUM, "sum_ns", &e.sum_ns, err) < 0 ||
        csv_get_count(csv, L_MIN, "min_ns", &e.min_ns, err) < 0 ||
        csv_get_count(csv, L_MAX, "max_ns", &e.max_ns, err) < 0 ||
        put_exact(s->open, &e, csv, err) < 0)
        return -1;
    s->open = NULL;
    return 0;
}

int latency_csv_read(char *text, struct result *r, struct err *err)
{
    struct csv csv;
    struct latency_state state = {.open = NULL};
    size_t n_cells = 0;
    int got = 0;
    int rc = -1;

    csv_init(&csv, text);
    if (csv_expect_header(&csv, latency_columns, ARRAY_LEN(latency_columns), err) < 0)
        goto out;
    n_cells = csv.cells.n;
    while ((got = csv_next_of(&csv, n_cells, err)) > 0) {
        if (latency_read_row(&csv, r, &state, err) < 0)
            goto out;
    }
    if (got == 0 && state.open)
        got = csv_complain(&csv, err, "the file was cut off here");
    rc = got;
out:
    csv_release(&csv);
    return rc;
}

static void add_buckets(const struct hist *h, struct strbuf *out)
{
    for (int i = hist_first(h); i >= 0; i = hist_after(h, i))
        strbuf_addf(out, "%s%" PRIu64 ":%" PRIu64, out->len ? " " : "", hist_bucket_upper_us(i),
                    hist_bucket_count(h, i));
}

void batches_csv_write(const struct result *r, struct strbuf *out)
{
    struct strbuf buckets;

    strbuf_init(&buckets);
    write_header(batch_columns, ARRAY_LEN(batch_columns), out);
    for (size_t i = 0; i < RESULT_BATCHES; i++) {
        const struct hist *h = r->batches[i].response;

        csv_count(out, i);
        if (!h || hist_count(h) == 0) {
            strbuf_adds(out, ",0,,,,,");
        } else {
            csv_count(out, hist_count(h));
            csv_count(out, hist_sum_ns(h));
            csv_count(out, hist_min_ns(h));
            csv_count(out, hist_max_ns(h));
            csv_count(out, hist_over(h));
            strbuf_reset(&buckets);
            add_buckets(h, &buckets);
            csv_text(out, buckets.buf);
        }
        csv_end(out);
    }
    strbuf_release(&buckets);
}

/* "312:5 344:9" into h. */
static int read_buckets(const struct csv *csv, struct hist *h, struct err *err)
{
    char *at = csv->cells.at[B_RESPONSE];
    char *pair = NULL;

    if (!*at)
        return 0; /* all values are above the range */
    while ((pair = strsep(&at, " ")) != NULL) {
        char *count_text = strchr(pair, ':');
        uint64_t upper_us = 0;
        uint64_t count = 0;

        if (count_text)
            *count_text++ = 0;
        if (!count_text || units_parse_u64(pair, &upper_us, NULL) < 0 ||
            units_parse_u64(count_text, &count, NULL) < 0)
            return csv_complain(csv, err, "response: \"upper_us:count\" pairs were expected");
        if (put_bucket(h, upper_us, count, csv, err) < 0)
            return -1;
    }
    return 0;
}

static int batch_read_row(const struct csv *csv, struct result *r, size_t i, struct err *err)
{
    struct result_batch *b = NULL;
    uint64_t number = 0;
    uint64_t count = 0;
    struct exact e = {0};

    if (csv_get_count(csv, B_BATCH, "batch", &number, err) < 0 ||
        csv_get_count(csv, B_COUNT, "count", &count, err) < 0)
        return -1;
    if (number != i || i >= RESULT_BATCHES)
        return csv_complain(csv, err, "batch %" PRIu64 " was not expected here", number);
    if (count == 0)
        return 0;
    b = &r->batches[i];
    hist_free(b->response);
    b->response = hist_new();
    if (csv_get_count(csv, B_SUM, "sum_ns", &e.sum_ns, err) < 0 ||
        csv_get_count(csv, B_MIN, "min_ns", &e.min_ns, err) < 0 ||
        csv_get_count(csv, B_MAX, "max_ns", &e.max_ns, err) < 0 ||
        csv_get_count(csv, B_OVER, "over", &e.over, err) < 0 ||
        read_buckets(csv, b->response, err) < 0 || put_exact(b->response, &e, csv, err) < 0)
        return -1;
    if (hist_count(b->response) != count)
        return csv_complain(csv, err, "count: its buckets hold %" PRIu64, hist_count(b->response));
    b->count = count;
    b->sum_ns = e.sum_ns;
    return 0;
}

int batches_csv_read(char *text, struct result *r, struct err *err)
{
    struct csv csv;
    size_t n_cells = 0;
    size_t i = 0;
    int got = 0;
    int rc = -1;

    csv_init(&csv, text);
    if (csv_expect_header(&csv, batch_columns, ARRAY_LEN(batch_columns), err) < 0)
        goto out;
    n_cells = csv.cells.n;
    while ((got = csv_next_of(&csv, n_cells, err)) > 0) {
        if (batch_read_row(&csv, r, i, err) < 0)
            goto out;
        i++;
    }
    if (got == 0 && i != RESULT_BATCHES)
        got = csv_complain(&csv, err, "the file was cut off here: %zu of %d batches", i,
                           RESULT_BATCHES);
    rc = got;
out:
    csv_release(&csv);
    return rc;
}
