/*
 * report/html: the same to the byte from a live result and a saved one, with the text report's
 * figures, nothing foreign as markup, the raw data whole, and small. How it looks is for eyes and
 * tests/e2e/html.sh.
 */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "harness/unit.h"
#include "report/cell.h"
#include "result/made_result.h"
#include "result/result_csv.h"
#include "result/result_json.h"

#define MB 1000000

static const char plan[] = "run:\n  users: 15000  # default\n  label: \"a  # b\"\nlist:\n"
                           "  - \"x\"\n  - \"y\"\nworkload:\n  mix:\n"
                           "    payment: 43  # oltp.yaml:7\n";

static char *page_of(const struct result *r, const char *plan_yaml)
{
    struct strbuf out;
    char *text = NULL;

    strbuf_init(&out);
    report_html(r, plan_yaml, &out);
    text = strbuf_detach(&out);
    strbuf_release(&out);
    return text;
}

static bool says(const struct result *r, const char *plan_yaml, const char *part)
{
    char *text = page_of(r, plan_yaml);
    const bool yes = strstr(text, part) != NULL;

    free(text);
    return yes;
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

static char *series_of(const struct result *r, int n_devices)
{
    struct result some = *r;
    struct strbuf out;
    char *text = NULL;

    some.drive.devices.n = (size_t)n_devices;
    strbuf_init(&out);
    series_csv_header(&some, &out);
    for (size_t i = 0; i < r->series.n_rows; i++)
        series_csv_row(series_at(&r->series, i), n_devices, &out);
    text = strbuf_detach(&out);
    strbuf_release(&out);
    return text;
}

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    return (int)(strchr(digits, c) - digits);
}

/* What the page's script of that id unpacks to; free() it. */
static char *unpacked(const char *page, const char *id)
{
    const char *at = strstr(strstr(page, id), ">") + 1;
    const size_t n = (size_t)(strstr(at, "</script>") - at);
    unsigned char *packed = xmalloc(n);
    uLongf len = 64 * MB;
    char *text = xmalloc(len);
    size_t bytes = 0;

    for (size_t i = 0; i + 3 < n; i += 4) {
        unsigned v = 0;

        for (size_t k = 0; k < 4; k++)
            v = v << 6 | (at[i + k] == '=' ? 0U : (unsigned)digit(at[i + k]));
        packed[bytes++] = (unsigned char)(v >> 16);
        packed[bytes++] = (unsigned char)(v >> 8);
        packed[bytes++] = (unsigned char)v;
    }
    UNIT_EQ_I64(id, uncompress((unsigned char *)text, &len, packed, bytes), Z_OK);
    text[len] = '\0';
    free(packed);
    return text;
}

static void spoil(struct result *r, uint64_t seed)
{
    double *figures[] = {&r->sample.tps, &r->sample.time[TIME_RESPONSE].p99,
                         &r->sample.devices[0].read_await_ms, &series_at(&r->series, 3)->tps_all,
                         &series_at(&r->series, 4)->device[1].queue};

    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        *figures[i] = (double)(seed >> 40) / 2000.0 + (seed & 1 ? 1e-13 : -1e-13);
    }
}

/* From what the files hold: result.json, series.csv and latency.csv. */
static void read_back(const struct result *r, struct result *back)
{
    char *json = result_json_write(r);
    char *series = series_of(r, r->series.n_devices);
    struct strbuf latency;
    struct err err = {0};

    strbuf_init(&latency);
    latency_csv_write(r, &latency);
    result_init(back);
    UNIT_EQ_I64(err.text, result_json_read(json, back, &err), 0);
    UNIT_EQ_I64(err.text, series_csv_read(series, back, &err), 0);
    UNIT_EQ_I64(err.text, latency_csv_read(latency.buf, back, &err), 0);
    strbuf_release(&latency);
    free(series);
    free(json);
}

/* Of a run of a second: intervals of a tenth, and no look met a transaction. */
static void test_short_run(void)
{
    struct result r;
    char *page = NULL;

    made_result(&r);
    for (size_t i = 0; i < r.series.n_rows; i++) {
        struct series_row *row = series_at(&r.series, i);

        row->time_s /= 10;
        row->server.active = 0;
    }
    for (int k = 0; k < WAIT_CLASSES; k++)
        r.sample.server.wait_percent[k] = RESULT_NONE;
    page = page_of(&r, plan);
    UNIT_TRUE("", strstr(page, "; intervals of 0.1 s had ") != NULL);
    UNIT_TRUE("", strstr(page, "no look at the server found a session within") != NULL);
    free(page);
    result_release(&r);
}

static void test_temperature(void)
{
    struct result r;
    char *page = NULL;

    made_result(&r);
    page = page_of(&r, plan);
    UNIT_TRUE("none tells", strstr(page, "id=\"temperature\"") == NULL);
    free(page);
    for (size_t i = 0; i < r.series.n_rows; i++)
        series_at(&r.series, i)->temperature_c = 40 + (double)(i % 5);
    page = page_of(&r, plan);
    UNIT_TRUE("", strstr(page, "id=\"temperature\"") != NULL);
    UNIT_TRUE("", strstr(page, "the hottest drive had 4") != NULL);
    free(page);
    result_release(&r);
}

static void test_same_to_the_byte(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct result r;
        struct result back;
        char *live = NULL;
        char *saved = NULL;

        made_result(&r);
        spoil(&r, seed);
        read_back(&r, &back);
        live = page_of(&r, plan);
        saved = page_of(&back, plan);
        UNIT_TRUE("", strcmp(live, saved) == 0);
        free(live);
        free(saved);
        result_release(&back);
        result_release(&r);
    }
}

static void test_figures(void)
{
    static const char *const parts[] = {
        "<p class=\"status\"><span class=\"sign\" aria-hidden=\"true\">&#10003;</span> valid</p>",
        "<p class=\"big\">712.5</p>",
        "99.7 % of the ceiling 714.6 that the pace allows. TPS is bound by the pace",
        "<dt>average</dt><dd>3.12</dd>",
        "<dt>p95</dt><dd>6.75</dd>",
        "<dt>p99</dt><dd>11.4</dd>",
        "<dt>max</dt><dd>61.0</dd>",
        "<th scope=\"row\">reads</th><td>1250</td><td>9.75</td><td>0.125</td>",
        "EXAMPLE SSD 2TB, 2 TB, /mnt/nvme (ext4, 12.5 % used)",
        "limit 1.07 GB by cgroup v2, RAM 67.4 GB",
        "15,000 on 72 sessions, workload tpcc",
        "2026-11-30 13:45:01 to 13:51:22 UTC",
        "<td data-label=\"limit of p90\">20 s &#10003; kept</td>",
        /* 2.95 writes of 15.3 KiB x 712.5 x 86,400 s */
        "<td data-label=\"requests a day\">182 million</td>",
        "61.6 million transactions: the drive reads 883 GB and writes 2.85 TB",
        "114,900 new orders were committed and 114,900 are in the database",
        "<figure class=\"chart\" id=\"tps\">",
        "<figure class=\"chart\" id=\"depth\">",
    };
    struct result r;

    made_result(&r);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        UNIT_TRUE(parts[i], says(&r, plan, parts[i]));
    result_release(&r);
}

static void replace(char **text, const char *with)
{
    free(*text);
    *text = xstrdup(with);
}

static void test_foreign_is_text(void)
{
    static const char evil[] = "</script><script>alert('1')</script>\"<!--&";
    struct result r;
    struct result_error error = {.class = xstrdup(evil),
                                 .sqlstate = xstrdup(evil),
                                 .text = xstrdup(evil),
                                 .count = 1,
                                 .first_at_s = 1};
    char *plain = NULL;
    char *page = NULL;

    made_result(&r);
    VEC_PUSH(&r.errors, error);
    plain = page_of(&r, plan);
    replace(&r.label, evil);
    replace(&r.command, evil);
    replace(&r.host.name, evil);
    replace(&r.host.cpu_model, evil);
    replace(&r.database.version, evil);
    replace(&r.database.settings.at[0].value, evil);
    replace(&r.drive.path, evil);
    replace(&r.drive.mount_options, evil);
    replace(&r.workload.name, evil);
    replace(&r.checks.after.at[1].outcome, evil);
    for (size_t i = 0; i < r.drive.devices.n; i++) {
        replace(&r.drive.devices.at[i].name, evil);
        replace(&r.drive.devices.at[i].model, evil);
    }
    page = page_of(&r, "run: {label: \"<script>alert(2)</script>\"}\n");
    UNIT_TRUE("", strstr(page, "<script>alert") == NULL);
    UNIT_TRUE("", strstr(page, "<!--&") == NULL);
    UNIT_TRUE("", strstr(page, "&lt;/script&gt;&lt;script&gt;alert(&#39;1&#39;)") != NULL);
    UNIT_TRUE("", strstr(page, "&lt;script&gt;alert(2)") != NULL);
    UNIT_EQ_U64("", count_of(page, "<script"), 4);
    UNIT_EQ_U64("", count_of(page, "</script"), 4);
    UNIT_EQ_U64("", count_of(page, "<style"), 1);
    UNIT_TRUE("nothing is fetched", strstr(page, " src=") == NULL);
    UNIT_TRUE("", strstr(page, "sourceMappingURL") == NULL);
    free(plain);
    free(page);
    result_release(&r);
}

static void test_data_is_whole(void)
{
    struct result r;
    char *page = NULL;
    char *json = NULL;
    char *series = NULL;
    char *got = NULL;

    made_result(&r);
    page = page_of(&r, plan);
    json = result_json_write(&r);
    series = series_of(&r, r.series.n_devices);
    got = unpacked(page, "id=\"packed-series\"");
    UNIT_EQ_STR("", got, series);
    free(got);
    got = unpacked(page, "id=\"packed-result\"");
    UNIT_EQ_STR("", got, json);
    /* 500 values, 997 ns x 4 x i^2: that of rank 450 in its bucket, and the greatest last. */
    UNIT_TRUE("", strstr(page, "\"payment\":[[0.05,") != NULL);
    UNIT_TRUE("", strstr(page, ",[1.00,807.") != NULL);
    UNIT_TRUE("", strstr(page, ",[2.6990,997]]") != NULL);
    free(got);
    free(series);
    free(json);
    free(page);
    result_release(&r);
}

static void test_settings(void)
{
    static const char row[] = "<wbr>users</th><td data-label=\"value\" class=\"t\">15000</td>"
                              "<td data-label=\"from\" class=\"t\">default</td>";
    struct result r;

    made_result(&r);
    UNIT_TRUE("value and origin", says(&r, plan, row));
    UNIT_TRUE("a mark within a text is none",
              says(&r, plan, ">a  # b</td><td data-label=\"from\" class=\"t\">-</td>"));
    UNIT_TRUE("a list", says(&r, plan, ">x, y</td>"));
    UNIT_TRUE("deeper", says(&r, plan, "workload.<wbr>mix.<wbr>payment</th>"));
    UNIT_TRUE("its origin", says(&r, plan, ">oltp.yaml:7</td>"));
    UNIT_TRUE("none", says(&r, NULL, "plan.yaml is not there"));
    UNIT_TRUE("broken", says(&r, "a: [", "can't be shown: plan.yaml:"));
    result_release(&r);
}

static void test_which_devices(void)
{
    struct result r;

    made_result(&r);
    UNIT_TRUE("",
              says(&r, NULL, "<p class=\"note\">Requests and bytes are of nvme0n1p1 (data, WAL)."));
    made_device(&r, "sd<b", "filesystem");
    r.sample.devices[2] = made_rates(1);
    UNIT_TRUE("", says(&r, NULL, "<h2>Drive nvme0n1p1 + sd&lt;b</h2>"));
    UNIT_TRUE("their writes together",
              says(&r, NULL, "writes</th><td>4200</td><td>63.0</td><td>0.062</td>"));
    UNIT_TRUE("", says(&r, NULL, "<dd>EXAMPLE SSD 2TB, /mnt/nvme"));
    r.drive.unseen = xstrdup("tablespace <x>");
    UNIT_TRUE("", says(&r, NULL,
                       " of nvme0n1p1 (data, WAL) + sd&lt;b (data, WAL); without "
                       "tablespace &lt;x&gt;.</p>"));
    result_release(&r);
}

static void test_odd_ones(void)
{
    struct result r;

    result_init(&r);
    verdict_judge(&r);
    UNIT_TRUE("of nothing", says(&r, NULL, "no interval had ended"));
    r.partial = true;
    verdict_judge(&r);
    UNIT_TRUE("killed at once", says(&r, NULL, "no interval had ended"));
    UNIT_TRUE("no figures", !says(&r, NULL, "id=\"figures\""));
    result_release(&r);
    made_result(&r);
    r.partial = true;
    verdict_judge(&r);
    UNIT_TRUE("killed", says(&r, NULL, "A run that was killed has no distributions"));
    UNIT_TRUE("its series", says(&r, NULL, "<figure class=\"chart\" id=\"tps\">"));
    result_release(&r);
}

static void add_rows(struct result *r, size_t n)
{
    uint64_t seed = 1;

    series_release(&r->series);
    series_init(&r->series, (int)r->drive.devices.n);
    for (size_t i = 0; i < n; i++) {
        struct series_row *row = series_push(&r->series);
        double *figures[] = {&row->tps[0], &row->tps[1],  &row->tps[2], &row->tps[3],
                             &row->tps[4], &row->tps_all, &row->avg_ms, &row->p50_ms,
                             &row->p95_ms, &row->p99_ms,  &row->max_ms};

        row->time_s = (double)i + 1;
        row->phase = i < n / 2 ? 1 : 2;
        row->users = 15000;
        row->queue = row->sessions_busy = (int64_t)(i % 7);
        for (size_t k = 0; k < ARRAY_LEN(figures); k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            *figures[k] = (double)(seed >> 44) / 1000.0;
        }
        for (int d = 0; d < r->series.n_devices; d++)
            row->device[d] = made_rates((double)(seed >> 50) / 100 * (d < 2 ? 1 : d));
    }
}

/* Three hours of a drive with a partition, all figures noise. */
static void test_small(void)
{
    struct result r;
    char *page = NULL;

    made_result(&r);
    add_rows(&r, 10800);
    page = page_of(&r, plan);
    UNIT_TRUE("", strlen(page) < 3 * (size_t)MB);
    free(page);
    result_release(&r);
}

static void test_many_devices(void)
{
    struct result r;
    char *page = NULL;
    char *got = NULL;

    made_result(&r);
    while (r.drive.devices.n < 64) {
        char *name = xasprintf("sd%zu", r.drive.devices.n);

        made_device(&r, name, "leaf");
        free(name);
    }
    add_rows(&r, 10800);
    page = page_of(&r, plan);
    UNIT_TRUE("it stays small", strlen(page) < 3 * (size_t)MB);
    got = unpacked(page, "id=\"packed-series\"");
    UNIT_TRUE("the first devices", strstr(got, ",sd2.reads_per_s,") != NULL);
    UNIT_TRUE("not the last", strstr(got, ",sd63.") == NULL);
    UNIT_TRUE("said", strstr(page, " of 64 devices are in this page") != NULL);
    UNIT_EQ_U64("no choice of what is not there", count_of(page, "<option"),
                count_of(got, ".reads_per_s"));
    free(got);
    free(page);
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"live and saved are the same to the byte", test_same_to_the_byte},
    {"a short run", test_short_run},
    {"temperature", test_temperature},
    {"figures", test_figures},
    {"what is foreign is text", test_foreign_is_text},
    {"the raw data is whole", test_data_is_whole},
    {"settings with their origin", test_settings},
    {"which devices", test_which_devices},
    {"of nothing, of a killed run", test_odd_ones},
    {"three hours are small", test_small},
    {"many devices", test_many_devices},
};
const struct unit_suite html_suite = UNIT_SUITE("html", tests);
