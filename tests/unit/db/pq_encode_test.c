/*
 * The wire forms of values: bytes worked out by hand from PostgreSQL's numeric and array formats,
 * and the numeric read back over the whole range.
 */
#include "db/pq_encode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "harness/unit.h"

static const char *hex(const char *from, const char *to)
{
    static char text[512];
    size_t n = 0;

    for (; from < to && n + 3 < sizeof(text); from++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%02x", (unsigned char)*from);
    text[n] = '\0';
    return text;
}

static void test_binary(void)
{
    static const int32_t array[] = {1, -2};
    static const struct {
        struct value v;
        const char *want;
    } cases[] = {
        {{.kind = VALUE_NULL}, "ffffffff"},
        {{.kind = VALUE_I32, .i = -2}, "00000004fffffffe"},
        {{.kind = VALUE_I64, .i = 258}, "000000080000000000000102"},
        {{.kind = VALUE_TEXT, .len = 2, .text = "ab!"}, "000000026162"},
        {{.kind = VALUE_TEXT, .len = 0, .text = ""}, "00000000"},
        {{.kind = VALUE_TIME_US, .i = INT64_C(946684800000001)}, "000000080000000000000001"},
        {{.kind = VALUE_TIME_US, .i = 0}, "00000008fffca2fec4c82000"},
        /* length, digits, weight, sign, scale, digits in base 10,000 */
        {{.kind = VALUE_CENTS, .i = 0}, "000000080000000000000002"},
        {{.kind = VALUE_CENTS, .i = 1}, "0000000a0001ffff000000020064"},
        {{.kind = VALUE_CENTS, .i = -150},
         "0000000c00020000400000020001"
         "1388"},
        {{.kind = VALUE_CENTS, .i = 50000}, "0000000a000100000000000201f4"},
        {{.kind = VALUE_CENTS, .i = 30000000}, "0000000a0001000100000002001e"},
        {{.kind = VALUE_CENTS, .i = 100000050}, "0000000e0003000100000002006400001388"},
        {{.kind = VALUE_RATE, .i = 0}, "000000080000000000000004"},
        {{.kind = VALUE_RATE, .i = 1234}, "0000000a0001ffff0000000404d2"},
        {{.kind = VALUE_RATE, .i = 20001},
         "0000000c0002000000000004"
         "00020001"},
        {{.kind = VALUE_I32_ARRAY, .len = 2, .array = array},
         "00000024000000010000000000000017000000020000000100000004000000"
         "0100000004fffffffe"},
        {{.kind = VALUE_I32_ARRAY, .len = 0, .array = array}, "0000000c000000000000000000000017"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char buf[256];
        char what[32];

        snprintf(what, sizeof(what), "case %zu", i);
        UNIT_EQ_STR(what, hex(buf, pq_put_binary(buf, &cases[i].v)), cases[i].want);
    }
}

static void test_text(void)
{
    static const int32_t array[] = {INT32_MIN, 0, 7};
    static const struct {
        struct value v;
        const char *plain;
        const char *copy;
    } cases[] = {
        {{.kind = VALUE_NULL}, "", "\\N"},
        {{.kind = VALUE_I32, .i = 0}, "0", "0"},
        {{.kind = VALUE_I64, .i = INT64_MIN}, "-9223372036854775808", "-9223372036854775808"},
        {{.kind = VALUE_CENTS, .i = -5}, "-0.05", "-0.05"},
        {{.kind = VALUE_CENTS, .i = 123456}, "1234.56", "1234.56"},
        {{.kind = VALUE_RATE, .i = 37}, "0.0037", "0.0037"},
        {{.kind = VALUE_TEXT, .len = 6, .text = "a\tb\n\\\r"}, "a\tb\n\\\r", "a\\tb\\n\\\\\\r"},
        {{.kind = VALUE_TIME_US, .i = INT64_C(951782399999999)},
         "2000-02-28 23:59:59.999999",
         "2000-02-28 23:59:59.999999"},
        {{.kind = VALUE_TIME_US, .i = INT64_C(951782400000000)},
         "2000-02-29 00:00:00.000000",
         "2000-02-29 00:00:00.000000"},
        {{.kind = VALUE_TIME_US, .i = -1},
         "1969-12-31 23:59:59.999999",
         "1969-12-31 23:59:59.999999"},
        {{.kind = VALUE_I32_ARRAY, .len = 3, .array = array},
         "{-2147483648,0,7}",
         "{-2147483648,0,7}"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char buf[256];
        char what[32];

        snprintf(what, sizeof(what), "case %zu", i);
        *pq_put_text(buf, &cases[i].v) = '\0';
        UNIT_EQ_STR(what, buf, cases[i].plain);
        *pq_put_copy_text(buf, &cases[i].v) = '\0';
        UNIT_EQ_STR(what, buf, cases[i].copy);
    }
}

__extension__ typedef __int128 i128;

static unsigned word(const char *p)
{
    return (unsigned)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

/* A numeric read back, in ten-thousandths; its digits must not begin or end with zero. */
static i128 read_numeric(const char *p)
{
    const unsigned n = word(p + 4);
    const int weight = (int16_t)word(p + 6);
    i128 v = 0;

    for (unsigned i = 0; i < n; i++)
        v = v * 10000 + word(p + 12 + 2 * i);
    for (int i = (int)n; i < weight + 2; i++)
        v *= 10000;
    if (n > 0) {
        UNIT_TRUE("no leading zero", word(p + 12) != 0);
        UNIT_TRUE("no trailing zero", word(p + 10 + 2 * n) != 0);
    }
    return word(p + 8) ? -v : v;
}

static void test_numeric_of_all_sizes(void)
{
    struct rng r = rng_at(rng_key(20261130, 1));

    for (int i = 0; i < 20000; i++) {
        const int64_t v = (int64_t)(rng_next(&r) >> (1 + i % 63)) * (i % 2 ? -1 : 1);
        const struct value cents = {.kind = VALUE_CENTS, .i = v};
        const struct value rate = {.kind = VALUE_RATE, .i = v};
        char buf[64];
        char what[32];

        snprintf(what, sizeof(what), "%" PRId64, v);
        UNIT_TRUE(what, (size_t)(pq_put_binary(buf, &cents) - buf) <= pq_size_max(&cents));
        UNIT_TRUE(what, read_numeric(buf) == (i128)v * 100);
        (void)pq_put_binary(buf, &rate);
        UNIT_TRUE(what, read_numeric(buf) == v);
    }
}

/* The room promised is enough for the longest of each kind in each form. */
static void test_room(void)
{
    static const int32_t lows[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    const struct value values[] = {
        {.kind = VALUE_NULL},
        {.kind = VALUE_I32, .i = INT32_MIN},
        {.kind = VALUE_I64, .i = INT64_MIN},
        {.kind = VALUE_CENTS, .i = INT64_MIN},
        {.kind = VALUE_RATE, .i = INT64_MIN},
        {.kind = VALUE_TEXT, .len = 4, .text = "\\\\\\\\"},
        {.kind = VALUE_TIME_US, .i = INT64_MAX / 2},
        {.kind = VALUE_I32_ARRAY, .len = 3, .array = lows},
    };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char buf[128];
        char what[32];

        snprintf(what, sizeof(what), "case %zu", i);
        UNIT_TRUE(what, (size_t)(pq_put_binary(buf, &values[i]) - buf) <= pq_size_max(&values[i]));
        UNIT_TRUE(what,
                  (size_t)(pq_put_copy_text(buf, &values[i]) - buf) < pq_size_max(&values[i]));
    }
}

static const struct unit_test tests[] = {
    {"binary", test_binary},
    {"text", test_text},
    {"numeric of all sizes", test_numeric_of_all_sizes},
    {"room", test_room},
};
const struct unit_suite pq_encode_suite = UNIT_SUITE("pq_encode", tests);
