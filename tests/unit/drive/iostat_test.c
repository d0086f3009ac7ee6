/*
 * drive/iostat: its rows against ones that iostat (sysstat 12.6.1) printed of the same counters.
 */
#include "drive/iostat.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "harness/unit.h"

static struct disk_delta delta(const char *before, const char *after, uint64_t ns)
{
    struct diskstat a, b;
    struct disk_delta d;

    UNIT_EQ_I64("", diskstat_parse(before, &a, NULL), 0);
    UNIT_EQ_I64("", diskstat_parse(after, &b, NULL), 0);
    UNIT_TRUE("", disk_delta_between(&a, &b, ns, &d));
    return d;
}

#define ZEROES "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"

static void test_aligned(void)
{
    const struct disk_delta d =
        delta(ZEROES, "200 100 8000 50 400 0 6400 1000 0 500 1050 20 0 160 4 30 60", 2 * NS_PER_S);
    struct strbuf sb;

    strbuf_init(&sb);
    iostat_add_titles(&sb, IOSTAT_ALIGNED, "Device");
    iostat_add_row(&sb, IOSTAT_ALIGNED, "loop7", &d);
    UNIT_EQ_STR(
        "", sb.buf,
        "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   "
        "wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s "
        "f_await  aqu-sz  %util\n"
        "loop7          100.00   2000.00    50.00  33.33    0.25    20.00  200.00   1600.00     "
        "0.00   0.00    2.50     8.00   10.00     40.00     0.00   0.00    0.20     4.00   15.00   "
        " "
        "2.00    0.53  25.00\n");
    strbuf_release(&sb);
}

static void test_gap(void)
{
    struct strbuf sb;

    strbuf_init(&sb);
    iostat_add_row(&sb, IOSTAT_TABS, "sda", NULL);
    UNIT_EQ_STR("no figure, no 0", sb.buf,
                "sda\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n");
    strbuf_release(&sb);
}

static void test_fields_that_do_not_exist(void)
{
    const struct disk_delta d = delta("0 0 0 0 0 0 0 0 0 0 0", "4 0 32 2 0 0 0 0 0 2 2", NS_PER_S);
    struct strbuf sb;

    strbuf_init(&sb);
    iostat_add_row(&sb, IOSTAT_TABS, "sda", &d);
    UNIT_EQ_STR(
        "", sb.buf,
        "sda\t4.00\t16.00\t0.00\t0.00\t0.50\t4.00\t0.00\t0.00\t0.00\t-\t-\t-\t-\t-\t-\t-\t-\t-"
        "\t-\t-\t0.00\t0.20\n");
    strbuf_release(&sb);
}

static void test_keys_are_distinct(void)
{
    struct iostat_column c[IOSTAT_COLUMNS];

    iostat_columns(NULL, c);
    for (int i = 0; i < IOSTAT_COLUMNS; i++) {
        UNIT_TRUE(c[i].key, isnan(c[i].value));
        for (int j = 0; j < i; j++)
            UNIT_TRUE(c[i].key, strcmp(c[i].key, c[j].key) != 0);
    }
}

static const struct unit_test tests[] = {
    {"aligned", test_aligned},
    {"gap", test_gap},
    {"fields that do not exist", test_fields_that_do_not_exist},
    {"keys are distinct", test_keys_are_distinct},
};

const struct unit_suite iostat_suite = UNIT_SUITE("iostat", tests);
