/* stats/health: what a run did to a drive, from two readings of its log. */
#include "stats/health.h"

#include <math.h>

#include "harness/unit.h"

static void test_used(void)
{
    struct health_log a = health_log_none();
    struct health_log b = health_log_none();
    struct health_used u;

    a.written_bytes = 900000000000;
    b.written_bytes = 1000000000000;
    a.media_written_bytes = 2000000000000;
    b.media_written_bytes = 2250000000000;
    a.worn_percent = 4;
    b.worn_percent = 5;
    a.media_errors = 3;
    b.media_errors = 4;
    a.throttled_1_seconds = 10;
    b.throttled_1_seconds = 17;
    a.throttled_2_seconds = b.throttled_2_seconds = 0;
    a.throttled_1_count = 1;
    b.throttled_1_count = 3;
    u = health_used_of(&a, &b, 36000);
    UNIT_EQ_I64("", u.written_bytes, 100000000000);
    UNIT_EQ_I64("", u.read_bytes, -1);
    UNIT_EQ_I64("", u.media_errors, 1);
    UNIT_NEAR("", u.write_amplification, 2.5, 1e-12);
    UNIT_NEAR("", u.worn_percent, 1, 1e-12);
    UNIT_NEAR("20 TB wear it out", u.life_bytes, 20e12, 1);
    UNIT_NEAR("", u.life_percent, 0.5, 1e-12);
    UNIT_NEAR("19 TB left at 10 GB an hour", u.years_left, 1900.0 / 8766, 1e-9);
    UNIT_EQ_I64("", u.throttled_seconds, 7);
    UNIT_EQ_I64("", u.throttled_count, 2);
    a.warning_minutes = 5;
    b.warning_minutes = 6;
    u = health_used_of(&a, &b, 36000);
    UNIT_EQ_I64("a minute too hot is more", u.throttled_seconds, 60);
}

static void test_unknown(void)
{
    struct health_log a = health_log_none();
    struct health_log b = health_log_none();
    struct health_used u = health_used_of(&a, &b, 60);

    UNIT_EQ_I64("", u.written_bytes, -1);
    UNIT_TRUE("", isnan(u.write_amplification));
    UNIT_TRUE("", isnan(u.life_percent));
    UNIT_EQ_I64("not told", u.throttled_seconds, -1);
    UNIT_EQ_I64("not told", u.throttled_count, -1);
    a.written_bytes = 500;
    b.written_bytes = 400;
    b.worn_percent = 0;
    u = health_used_of(&a, &b, 60);
    UNIT_EQ_I64("went back", u.written_bytes, -1);
    b.written_bytes = 600;
    u = health_used_of(&a, &b, 60);
    UNIT_TRUE("not worn yet", isnan(u.years_left));
}

static void test_words(void)
{
    char buf[64];

    health_warning_words(HEALTH_TEMPERATURE | HEALTH_READ_ONLY, buf, sizeof(buf));
    UNIT_EQ_STR("", buf, "temperature, read-only");
    health_warning_words(-1, buf, sizeof(buf));
    UNIT_EQ_STR("", buf, "");
    health_warning_words(63, buf, 12);
    UNIT_EQ_STR("clipped", buf, "spare block");
}

static const struct unit_test tests[] = {
    {"used", test_used}, {"unknown", test_unknown}, {"words", test_words}};
const struct unit_suite health_suite = UNIT_SUITE("health", tests);
