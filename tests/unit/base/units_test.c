/*
 * base/units: what people write is taken whole or refused with a sentence; what is printed parses
 * back to the same value.
 */
#include "base/units.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "harness/unit.h"

struct good {
    const char *text;
    uint64_t value;
};

struct bad {
    const char *text;
    const char *message;
};

typedef int (*parse_u64_fn)(const char *text, uint64_t *out, struct err *err);

static void all_good(parse_u64_fn parse, const struct good *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err err = {0};
        uint64_t value = 77;

        UNIT_EQ_I64(rows[i].text, parse(rows[i].text, &value, &err), 0);
        UNIT_EQ_U64(rows[i].text, value, rows[i].value);
    }
}

static void all_bad(parse_u64_fn parse, const struct bad *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err err = {0};
        uint64_t value = 77;

        UNIT_EQ_I64(rows[i].text, parse(rows[i].text, &value, &err), -1);
        UNIT_EQ_STR(rows[i].text, err.text, rows[i].message);
        UNIT_EQ_I64(rows[i].text, err.kind, ERR_USAGE);
        UNIT_EQ_U64("left alone", value, 77);
    }
}

static void test_durations(void)
{
    static const struct good rows[] = {
        {"0", 0},
        {"0s", 0},
        {"90", 90 * NS_PER_S},
        {"90s", 90 * NS_PER_S},
        {"500ms", 500 * NS_PER_MS},
        {"250us", 250 * NS_PER_US},
        {"7ns", 7},
        {"5m", 300 * NS_PER_S},
        {"3h", 10800 * NS_PER_S},
        {"1h30m", 5400 * NS_PER_S},
        {"2h0m1s", 7201 * NS_PER_S},
        {"1h500us", 3600 * NS_PER_S + 500 * NS_PER_US},
        {"1m30.5s", 90 * NS_PER_S + 500 * NS_PER_MS},
        {"1.5h", 5400 * NS_PER_S},
        {"0.5", 500 * NS_PER_MS},
        {"0.000000001", 1},
        {"1.500000000000", 1500 * NS_PER_MS},
        {"007s", 7 * NS_PER_S},
        {"18446744073709551615ns", UINT64_MAX},
        {"18446744073.709551615", UINT64_MAX},
    };

    all_good(units_parse_duration_ns, rows, ARRAY_LEN(rows));
}

static void test_not_durations(void)
{
#define NOT(text)                                                                                  \
    {                                                                                              \
        text, "\"" text "\" is not a duration (try 5m)"                                            \
    }
    static const struct bad rows[] = {
        NOT("5 fortnights"),
        NOT(""),
        NOT(" 5m"),
        NOT("5m "),
        NOT("5 m"),
        NOT("-5m"),
        NOT("+5m"),
        NOT("m"),
        NOT("5d"),
        NOT("5M"),
        NOT("5mm"),
        NOT("30m1h"),
        NOT("1h1h"),
        NOT("1h30"),
        NOT("1.5h3m"),
        NOT("1."),
        NOT(".5s"),
        NOT("1.s"),
        NOT("1..5s"),
        NOT("1.2.3s"),
        NOT("0x10"),
        NOT("1e3"),
        NOT("inf"),
        NOT("5m,"),
        NOT("1h-30m"),
        {"5124096h", "\"5124096h\" is too long (at most 584 years)"},
        {"5124095h34m34s", "\"5124095h34m34s\" is too long (at most 584 years)"},
        {"18446744073709551616ns", "\"18446744073709551616ns\" is too long (at most 584 years)"},
        {"99999999999999999999999999",
         "\"99999999999999999999999999\" is too long (at most 584 years)"},
        {"0.5ns", "\"0.5ns\" is finer than 1 ns (try 250us)"},
        {"0.0000000001", "\"0.0000000001\" is finer than 1 ns (try 250us)"},
    };

    all_bad(units_parse_duration_ns, rows + 0, ARRAY_LEN(rows));
}

static void test_sizes(void)
{
    static const struct good rows[] = {
        {"0", 0},
        {"512", 512},
        {"512B", 512},
        {"8kB", 8000},
        {"8KB", 8000},
        {"8KiB", 8192},
        {"48GB", UINT64_C(48000000000)},
        {"48GiB", UINT64_C(48) << 30},
        {"1.5GB", UINT64_C(1500000000)},
        {"1.5KiB", 1536},
        {"2TB", UINT64_C(2000000000000)},
        {"2TiB", UINT64_C(2) << 40},
        {"3MB", 3000000},
        {"3MiB", UINT64_C(3) << 20},
        {"1PB", UINT64_C(1000000000000000)},
        {"16383PiB", UINT64_C(16383) << 50},
        {"18446744073709551615", UINT64_MAX},
    };

    all_good(units_parse_bytes, rows, ARRAY_LEN(rows));
}

static void test_not_sizes(void)
{
#define NO_SIZE(text)                                                                              \
    {                                                                                              \
        text, "\"" text "\" is not a size (try 48GB or 512MiB)"                                    \
    }
    static const struct bad rows[] = {
        NO_SIZE(""),
        NO_SIZE("48 GB"),
        NO_SIZE("GB"),
        NO_SIZE("-1"),
        NO_SIZE("48G"),
        NO_SIZE("48gb"),
        NO_SIZE("48GBx"),
        NO_SIZE("1MB2"),
        NO_SIZE("1GB1MB"),
        NO_SIZE("0x10"),
        NO_SIZE("1.GB"),
        NO_SIZE("1e9"),
        NO_SIZE("nan"),
        NO_SIZE("1,000"),
        {"16384PiB", "\"16384PiB\" is too big (at most 18 EB)"},
        {"99999999999999999999", "\"99999999999999999999\" is too big (at most 18 EB)"},
        {"1.5B", "\"1.5B\" is not a whole number of bytes (try 48GB)"},
        {"0.5", "\"0.5\" is not a whole number of bytes (try 48GB)"},
        {"1.0001kB", "\"1.0001kB\" is not a whole number of bytes (try 48GB)"},
    };

    all_bad(units_parse_bytes, rows, ARRAY_LEN(rows));
}

static void test_u64(void)
{
    static const struct good good[] = {
        {"0", 0}, {"15000", 15000}, {"18446744073709551615", UINT64_MAX}};
    static const struct bad bad[] = {
        {"", "\"\" is not a whole number (try 100)"},
        {"-1", "\"-1\" is not a whole number (try 100)"},
        {" 1", "\" 1\" is not a whole number (try 100)"},
        {"1 ", "\"1 \" is not a whole number (try 100)"},
        {"1.5", "\"1.5\" is not a whole number (try 100)"},
        {"0x1", "\"0x1\" is not a whole number (try 100)"},
        {"15,000", "\"15,000\" is not a whole number (try 100)"},
        {"18446744073709551616",
         "\"18446744073709551616\" is too big (at most 18446744073709551615)"},
    };

    all_good(units_parse_u64, good, ARRAY_LEN(good));
    all_bad(units_parse_u64, bad, ARRAY_LEN(bad));
}

static void test_i64(void)
{
    static const struct {
        const char *text;
        int rc;
        int64_t value;
    } rows[] = {
        {"0", 0, 0},
        {"-7", 0, -7},
        {"9223372036854775807", 0, INT64_MAX},
        {"-9223372036854775808", 0, INT64_MIN},
        {"9223372036854775808", -1, 77},
        {"-9223372036854775809", -1, 77},
        {"", -1, 77},
        {"-", -1, 77},
        {"--1", -1, 77},
        {"+1", -1, 77},
        {"1x", -1, 77},
        {" 1", -1, 77},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err err = {0};
        int64_t value = 77;

        UNIT_EQ_I64(rows[i].text, units_parse_i64(rows[i].text, &value, &err), rows[i].rc);
        UNIT_EQ_I64(rows[i].text, value, rows[i].value);
        UNIT_TRUE(rows[i].text, (rows[i].rc == 0) == (err.text[0] == 0));
    }
}

static void test_doubles(void)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"0", 0},      {"0.226", 0.226},   {"-1.5", -1.5},
                {"1e3", 1000}, {"2.5E-3", 0.0025}, {"1e+2", 100}};
    static const char *const bad[] = {"",    "1.", ".5",    "inf", "nan", "0x1p3", " 1", "1 ",
                                      "1,5", "1e", "1e400", "-",   "+1",  "1.5s",  "e5", "1e5.5"};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err err = {0};
        double value = 77;

        UNIT_EQ_I64(rows[i].text, units_parse_double(rows[i].text, &value, &err), 0);
        UNIT_NEAR(rows[i].text, value, rows[i].value, 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err err = {0};
        double value = 77;

        UNIT_EQ_I64(bad[i], units_parse_double(bad[i], &value, &err), -1);
        UNIT_EQ_I64(bad[i], err.kind, ERR_USAGE);
        UNIT_NEAR("left alone", value, 77, 0);
    }
}

static void test_long_junk_is_quoted_short(void)
{
    struct err err = {0};
    uint64_t value = 0;
    char text[3000];

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    UNIT_EQ_I64("", units_parse_duration_ns(text, &value, &err), -1);
    UNIT_TRUE("the advice is not cut off", strstr(err.text, "(try 5m)") != NULL);
}

static void test_format_duration(void)
{
    static const struct good rows[] = {
        {"0s", 0},
        {"1ns", 1},
        {"250us", 250 * NS_PER_US},
        {"1.5ms", 1500 * NS_PER_US},
        {"999.999999ms", NS_PER_S - 1},
        {"1.5s", 1500 * NS_PER_MS},
        {"10s", 10 * NS_PER_S},
        {"59.000000001s", 59 * NS_PER_S + 1},
        {"5m", 300 * NS_PER_S},
        {"1m30s", 90 * NS_PER_S},
        {"3h", 10800 * NS_PER_S},
        {"2h30m", 9000 * NS_PER_S},
        {"2h1s", 7201 * NS_PER_S},
        {"1h1us", 3600 * NS_PER_S + NS_PER_US},
        {"5124095h34m33.709551615s", UINT64_MAX},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[40];

        units_format_duration(rows[i].value, text, sizeof(text));
        UNIT_EQ_STR("", text, rows[i].text);
    }
}

static void test_durations_come_back(void)
{
    struct rng rng = rng_at(rng_key(20240707, 1));

    for (int i = 0; i < 20000; i++) {
        const uint64_t step[] = {1, NS_PER_US, NS_PER_MS, NS_PER_S, 60 * NS_PER_S, 3600 * NS_PER_S};
        const uint64_t unit = step[rng_uniform(&rng, 0, 5)];
        const uint64_t ns = (rng_next(&rng) >> rng_uniform(&rng, 0, 63)) / unit * unit;
        uint64_t back = 0;
        char text[40];

        units_format_duration(ns, text, sizeof(text));
        if (!UNIT_EQ_I64(text, units_parse_duration_ns(text, &back, NULL), 0) ||
            !UNIT_EQ_U64(text, back, ns))
            return;
    }
}

static void test_format_short(void)
{
    static const struct good rows[] = {
        {"0 s", 0},
        {"5 ns", 5},
        {"250 us", 250 * NS_PER_US},
        {"3.2 ms", 3200 * NS_PER_US},
        {"3.21 ms", 3210 * NS_PER_US},
        {"1.5 s", 1500 * NS_PER_MS},
        {"12 s", 12 * NS_PER_S},
        {"12 s", 12400 * NS_PER_MS},
        {"1m 00s", 59500 * NS_PER_MS},
        {"4m 10s", 250 * NS_PER_S},
        {"2h 05m", 7500 * NS_PER_S},
        {"1h 00m", 3599500 * NS_PER_MS},
        {"3h 00m", 10799 * NS_PER_S},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[40];

        units_format_duration_short(rows[i].value, text, sizeof(text));
        UNIT_EQ_STR("", text, rows[i].text);
    }
}

static void test_format_bytes(void)
{
    static const struct good rows[] = {
        {"0 B", 0},
        {"999 B", 999},
        {"1 kB", 1000},
        {"8.19 kB", 8192},
        {"1.06 GB", UINT64_C(1060000000)},
        {"10.6 GB", UINT64_C(10600000000)},
        {"333 GB", UINT64_C(333000000000)},
        {"1 TB", UINT64_C(999600000000)},
        {"18.4 EB", UINT64_MAX},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[16];

        units_format_bytes(rows[i].value, text, sizeof(text));
        UNIT_EQ_STR("", text, rows[i].text);
    }
}

static void test_format_count(void)
{
    static const struct good rows[] = {
        {"0", 0},
        {"999", 999},
        {"1,000", 1000},
        {"15,000", 15000},
        {"100,000", 100000},
        {"1,234,567", 1234567},
        {"18,446,744,073,709,551,615", UINT64_MAX},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[32];

        units_format_count(rows[i].value, text, sizeof(text));
        UNIT_EQ_STR("", text, rows[i].text);
    }
}

static void format_into_too_small(void *ctx)
{
    char text[4];

    (void)ctx;
    units_format_count(1000, text, sizeof(text));
}

static void test_too_small_a_buffer_is_a_bug(void)
{
    UNIT_TRUE("", unit_aborts(format_into_too_small, NULL));
}

static const struct unit_test tests[] = {
    {"durations", test_durations},
    {"not durations", test_not_durations},
    {"sizes", test_sizes},
    {"not sizes", test_not_sizes},
    {"u64", test_u64},
    {"i64", test_i64},
    {"doubles", test_doubles},
    {"long junk is quoted short", test_long_junk_is_quoted_short},
    {"format duration", test_format_duration},
    {"durations come back", test_durations_come_back},
    {"format short", test_format_short},
    {"format bytes", test_format_bytes},
    {"format count", test_format_count},
    {"too small a buffer is a bug", test_too_small_a_buffer_is_a_bug},
};

const struct unit_suite units_suite = UNIT_SUITE("units", tests);
