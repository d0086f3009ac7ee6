/*
 * result/series_csv and latency_csv: what is written reads back equal and writes the same bytes.
 */
#include "result/result_csv.h"

#include <stdlib.h>

#include "harness/unit.h"
#include "result/csv.h"
#include "result/made_result.h"

static char *series_text(const struct result *r)
{
    struct strbuf out;
    char *text = NULL;

    strbuf_init(&out);
    series_csv_header(r, &out);
    for (size_t i = 0; i < r->series.n_rows; i++)
        series_csv_row(series_at(&r->series, i), r->series.n_devices, &out);
    text = strbuf_detach(&out);
    strbuf_release(&out);
    return text;
}

static char *latency_text(const struct result *r)
{
    struct strbuf out;
    char *text = NULL;

    strbuf_init(&out);
    latency_csv_write(r, &out);
    text = strbuf_detach(&out);
    strbuf_release(&out);
    return text;
}

static char *batches_text(const struct result *r)
{
    struct strbuf out;
    char *text = NULL;

    strbuf_init(&out);
    batches_csv_write(r, &out);
    text = strbuf_detach(&out);
    strbuf_release(&out);
    return text;
}

typedef char *(*write_fn)(const struct result *r);
typedef int (*read_fn)(char *text, struct result *r, struct err *err);

static int read_copy(const char *text, read_fn fn, struct result *r, struct err *err)
{
    char *copy = xstrdup(text);
    const int rc = fn(copy, r, err);

    free(copy);
    return rc;
}

static void round_trip(const char *what, write_fn write, read_fn read)
{
    struct result r;
    struct result back;
    struct err err = {0};
    char *first = NULL;
    char *second = NULL;

    made_result(&r);
    first = write(&r);
    result_init(&back);
    UNIT_EQ_I64(what, read_copy(first, read, &back, &err), 0);
    UNIT_EQ_STR(what, err.text, "");
    second = write(&back);
    UNIT_EQ_STR(what, second, first);
    free(first);
    free(second);
    result_release(&r);
    result_release(&back);
}

static void test_round_trips(void)
{
    round_trip("series", series_text, series_csv_read);
    round_trip("latency", latency_text, latency_csv_read);
    round_trip("batches", batches_text, batches_csv_read);
}

static void test_histograms_are_equal(void)
{
    struct result r;
    struct result back;
    struct err err = {0};
    char *latency = NULL;
    char *batches = NULL;

    made_result(&r);
    latency = latency_text(&r);
    batches = batches_text(&r);
    result_init(&back);
    UNIT_EQ_I64("", read_copy(latency, latency_csv_read, &back, &err), 0);
    UNIT_EQ_I64("", read_copy(batches, batches_csv_read, &back, &err), 0);
    UNIT_TRUE("with one above the range", hist_equal(back.latency[0][0], r.latency[0][0]));
    UNIT_TRUE("", hist_equal(back.latency[4][2], r.latency[4][2]));
    UNIT_TRUE("no row: none", back.latency[5][0] == NULL);
    UNIT_TRUE("", hist_equal(back.batches[119].response, r.batches[119].response));
    UNIT_EQ_U64("", back.batches[119].sum_ns, r.batches[119].sum_ns);
    UNIT_TRUE("an empty batch", back.batches[6].response == NULL);
    free(latency);
    free(batches);
    result_release(&r);
    result_release(&back);
}

static void test_only_above_the_range(void)
{
    struct result r;
    struct result back;
    struct err err = {0};
    char *text = NULL;

    result_init(&r);
    r.batches[3].response = hist_new();
    hist_record_ns(r.batches[3].response, UINT64_C(4000000000000));
    r.latency[1][0] = hist_new();
    hist_add(r.latency[1][0], r.batches[3].response);
    result_init(&back);
    text = batches_text(&r);
    UNIT_EQ_I64(err.text, read_copy(text, batches_csv_read, &back, &err), 0);
    UNIT_TRUE("", back.batches[3].response &&
                      hist_equal(back.batches[3].response, r.batches[3].response));
    free(text);
    text = latency_text(&r);
    UNIT_EQ_STR("", text,
                "transaction,kind,upper_us,count,sum_ns,min_ns,max_ns\n"
                "payment,response,inf,1,4000000000000,4000000000000,4000000000000\n");
    UNIT_EQ_I64(err.text, read_copy(text, latency_csv_read, &back, &err), 0);
    free(text);
    result_release(&r);
    result_release(&back);
}

static void test_series_is_as_documented(void)
{
    struct result r;
    struct strbuf out;
    struct series_row *row = NULL;

    result_init(&r);
    made_device(&r, "sd,a", "leaf");
    series_init(&r.series, 1);
    row = series_push(&r.series);
    row->time_s = 10800.5;
    row->phase = 2;
    row->tps[0] = 0.0000123456789;
    row->device[0].queue = 1234567.25;
    row->server.active = 1.25;
    row->server.psi_memory_percent = 0.5;
    row->lateness_max_ms = 0.25;
    row->temperature_c = -4;
    strbuf_init(&out);
    series_csv_header(&r, &out);
    series_csv_row(row, 1, &out);
    UNIT_EQ_STR(
        "", out.buf,
        "time_s,phase,users,tps,tps_new_order,tps_payment,tps_order_status,tps_delivery,"
        "tps_stock_level,tps_delivery_deferred,response_avg_ms,response_p50_ms,"
        "response_p95_ms,response_p99_ms,response_max_ms,queue,sessions_busy,retries,errors,"
        "\"sd,a.reads_per_s\",\"sd,a.writes_per_s\",\"sd,a.flushes_per_s\","
        "\"sd,a.read_mib_per_s\",\"sd,a.write_mib_per_s\",\"sd,a.read_await_ms\","
        "\"sd,a.write_await_ms\",\"sd,a.flush_await_ms\",\"sd,a.queue\","
        "\"sd,a.busy_percent\",server.active,server.wait_read_percent,server.wait_write_percent,"
        "server.wait_wal_percent,server.wait_lock_percent,server.wait_cpu_percent,"
        "server.wait_client_percent,server.wait_other_percent,server.commit_ms,"
        "server.commits_per_flush,server.wal_kib_per_transaction,server.full_page_percent,"
        "server.cache_hit_percent,server.page_reads_per_s,server.cpu_ms_per_transaction,"
        "server.cpu_percent,server.longest_silence_ms,server.io_read_mib_per_s,"
        "server.io_write_mib_per_s,server.host_cpu_percent,"
        "server.psi_cpu_percent,server.psi_io_percent,server.psi_memory_percent,"
        "lateness_avg_ms,lateness_max_ms,temperature_c\n"
        "10800.5,sample,,,1.23457e-05,,,,,,,,,,,,,,,,,,,,,,,1.23457e+06,,1.25,,,,,,,,,,,,,,,,,,,,,,"
        "0.5,,0.25,-4\n");
    {
        struct result back;
        struct err err = {0};

        result_init(&back);
        UNIT_EQ_I64(err.text, read_copy(out.buf, series_csv_read, &back, &err), 0);
        UNIT_NEAR("frost", series_at(&back.series, 0)->temperature_c, -4, 0);
        UNIT_EQ_STR("quoted", back.drive.devices.at[0].name, "sd,a");
        UNIT_TRUE("none stays none", isnan(series_at(&back.series, 0)->tps_all));
        UNIT_EQ_I64("none stays none", series_at(&back.series, 0)->queue, -1);
        result_release(&back);
    }
    strbuf_release(&out);
    result_release(&r);
}

static void test_more_columns(void)
{
    static const char text[] = "batch,count,sum_ns,min_ns,max_ns,over,response,later\n";
    struct result r;
    struct err err = {0};

    result_init(&r);
    UNIT_EQ_I64("", read_copy(text, batches_csv_read, &r, &err), -1);
    UNIT_EQ_STR("only the rows are missing", err.text,
                "line 1: the file was cut off here: 0 of 120 batches");
    result_release(&r);
}

/* A file of an earlier program has no columns of the server, one of a later program has more. */
static void test_other_programs_columns(void)
{
#define HEAD                                                                                       \
    "time_s,phase,users,tps,tps_new_order,tps_payment,tps_order_status,tps_delivery,"              \
    "tps_stock_level,tps_delivery_deferred,response_avg_ms,response_p50_ms,response_p95_ms,"       \
    "response_p99_ms,response_max_ms,queue,sessions_busy,retries,errors"
#define ROW "1,sample,7,,,,,,,,,,,,,0,0,0,0"
    static const char early[] = HEAD "\n" ROW "\n";
    static const char late[] = HEAD ",server.later_percent,server.active\n" ROW ",x,2.5\n";
    struct result r;
    struct err err = {0};

    result_init(&r);
    UNIT_EQ_I64(err.text, read_copy(early, series_csv_read, &r, &err), 0);
    UNIT_TRUE("none", isnan(series_at(&r.series, 0)->server.active));
    UNIT_EQ_I64(err.text, read_copy(late, series_csv_read, &r, &err), 0);
    UNIT_EQ_I64("", series_at(&r.series, 0)->users, 7);
    UNIT_NEAR("", series_at(&r.series, 0)->server.active, 2.5, 1e-9);
    result_release(&r);
}

struct broken_case {
    read_fn read;
    const char *text; /* behind the header */
    const char *part;
};

#define L latency_csv_read
#define B batches_csv_read
static const struct broken_case broken[] = {
    {L, "new_order,response,5,1,,,", "line 2: the file was cut off here"},
    {L, "new_order,response,5,1,,,\n", "cut off"},
    {L, "new_order,response,5\n", "line 2: 3 cells where the header has 7"},
    {L, "old_order,response,5,1,,,\n", "\"old_order\", \"response\" is no transaction"},
    {L, "new_order,response,5,0,,,\n", "line 2: the bucket at 5 us is empty or there twice"},
    {L, "new_order,response,5,1,,,\nnew_order,response,5,1,,,\n", "line 3: the bucket at 5 us"},
    {L, "new_order,response,2048,1,,,\n", "no bucket ends at 2048 us"},
    {L, "new_order,response,x,1,,,\n", "upper_us: \"x\" is not a whole number"},
    {L, "new_order,response,5,1,,,\npayment,response,5,1,,,\n", "\"inf\" row of the histogram"},
    {L, "new_order,response,inf,0,0,0,0\n", "an empty histogram"},
    {L, "new_order,response,inf,1,5,6,4\n", "do not fit each other"},
    {L, "new_order,response,inf,1,,,\n", "sum_ns: \"\" is not"},
    {L, "new_order,response,inf,1,5,5,5\nnew_order,response,inf,1,5,5,5\n",
     "line 3: this histogram was there before"},
    {L, "new_order,response,5,18446744073709551615,,,\nnew_order,response,6,1,,,\n",
     "line 3: count: 1 is too big"},
    {L, "\"new_order\"x,response,5,1,,,\n", "text behind a closing quote"},
    {L, "\"new_order,response,5,1,,,\n", "cut off"},
    {B, "1,0,,,,,\n", "batch 1 was not expected here"},
    {B, "0,0,,,,,\n", "1 of 120 batches"},
    {B, "0,2,10,5,5,0,5:1\n", "count: its buckets hold 1"},
    {B, "0,1,5,5,5,0,5\n", "\"upper_us:count\" pairs"},
    {B, "0,1,5,5,5,0,5:\n", "\"upper_us:count\" pairs"},
    {B, "0,1,5,5,5,0,5:1 \n", "\"upper_us:count\" pairs"},
    {B, "0,1,5,5,5,0, 5:1\n", "\"upper_us:count\" pairs"},
    {B, "0,0,,,,\n", "6 cells where the header has 7"},
};
#undef L
#undef B

static void test_broken(void)
{
    struct result empty;

    result_init(&empty);
    for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
        const struct broken_case *c = &broken[i];
        struct result r;
        struct err err = {0};
        struct strbuf text;

        result_init(&r);
        strbuf_init(&text);
        strbuf_adds(&text, c->read == latency_csv_read
                               ? "transaction,kind,upper_us,count,sum_ns,min_ns,max_ns\n"
                               : "batch,count,sum_ns,min_ns,max_ns,over,response\n");
        strbuf_adds(&text, c->text);
        UNIT_EQ_I64(c->text, c->read(text.buf, &r, &err), -1);
        UNIT_TRUE(err.text, strstr(err.text, c->part) != NULL);
        strbuf_release(&text);
        result_release(&r);
    }
    result_release(&empty);
}

static void series_broken(const char *from, const char *to, const char *part)
{
    struct result r;
    struct result back;
    struct err err = {0};
    struct strbuf text;
    char *good = NULL;
    char *at = NULL;

    made_result(&r);
    good = series_text(&r);
    at = strstr(good, from);
    CU_ASSERT_FATAL(at != NULL);
    strbuf_init(&text);
    strbuf_add(&text, good, (size_t)(at - good));
    strbuf_adds(&text, to);
    strbuf_adds(&text, at + strlen(from));
    result_init(&back);
    made_drive(&back);
    UNIT_EQ_I64(part, series_csv_read(text.buf, &back, &err), -1);
    UNIT_TRUE(err.text, strstr(err.text, part) != NULL);
    strbuf_release(&text);
    free(good);
    result_release(&r);
    result_release(&back);
}

static void test_broken_series(void)
{
    series_broken("users", "people", "line 1: column 3 should be \"users\"");
    series_broken("nvme0n1p1.reads", "sda.reads", "\"sda.reads_per_s\": this device is not in");
    series_broken("\n1,ramp", "\n1,warm", "line 2: phase: \"warm\" is none");
    series_broken("\n1,ramp", "\n,ramp", "line 2: time_s: none");
    series_broken("\n1,ramp,15000", "\n1,ramp,-1", "users: -1 is negative");
    series_broken("\n1,ramp,15000,510", "\n1,ramp,15000,nan", "tps: \"nan\" is not a number");
    series_broken("\n1,ramp,15000,510", "\n1,ramp,15000,-510", "tps: -510");
    series_broken("\n1,ramp,", "\n1,ramp,,", "cells where the header has");
}

static void test_partial_series(void)
{
    struct result r;
    struct result back;
    struct err err = {0};
    char *text = NULL;

    made_result(&r);
    text = series_text(&r);
    text[strlen(text) - 20] = 0;
    result_init(&back);
    UNIT_EQ_I64("whole: an error", read_copy(text, series_csv_read, &back, &err), -1);
    result_release(&back);
    result_init(&back);
    back.partial = true;
    UNIT_EQ_I64("killed", read_copy(text, series_csv_read, &back, &err), 0);
    UNIT_EQ_U64("its last line is left out", back.series.n_rows, MADE_ROWS - 1);
    result_release(&back);
    result_init(&back);
    back.partial = true;
    UNIT_EQ_I64("killed at once", read_copy("time_s,pha", series_csv_read, &back, &err), 0);
    result_release(&back);
    free(text);
    result_release(&r);
}

static void test_texts(void)
{
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"a,b", "\"a,b\""},
        {"a \"b\"", "\"a \"\"b\"\"\""},
        {"a\tb\nc", "\"a\tb\nc\""},
        {"\x1b]0;x\x07\x1b[2J\x7f", "?]0;x??[2J?"},
        {"\xc2\x9b"
         "2J, \xc3\xa9\xc2\xa0",
         "\"?2J, \xc3\xa9\xc2\xa0\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct strbuf out;

        strbuf_init(&out);
        csv_text(&out, cases[i][0]);
        UNIT_EQ_STR(cases[i][0], out.buf, cases[i][1]);
        strbuf_release(&out);
    }
}

static const struct unit_test tests[] = {
    {"texts", test_texts},
    {"series.csv of other programs", test_other_programs_columns},
    {"write, read, write gives the same bytes", test_round_trips},
    {"histograms come back equal", test_histograms_are_equal},
    {"only values above the range", test_only_above_the_range},
    {"series.csv is as documented", test_series_is_as_documented},
    {"a later program's columns", test_more_columns},
    {"broken files", test_broken},
    {"broken series", test_broken_series},
    {"a killed run's series", test_partial_series},
};
const struct unit_suite result_csv_suite = UNIT_SUITE("result_csv", tests);
