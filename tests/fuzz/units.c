/*
 * Fuzz target: base/units. No text makes the parsers crash; a duration that is taken is printed so
 * that it parses back to the same value; a refusal says something.
 */
#include "base/units.h"

#include <stdlib.h>

#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xstrndup((const char *)data, size);
    struct err err = {0};
    uint64_t value = 0;
    uint64_t back = 0;
    int64_t whole = 0;
    double real = 0;
    char printed[40];

    if (units_parse_duration_ns(text, &value, &err) == 0) {
        units_format_duration(value, printed, sizeof(printed));
        CHECK(units_parse_duration_ns(printed, &back, NULL) == 0);
        CHECK(back == value);
        units_format_duration_short(value, printed, sizeof(printed));
    } else {
        CHECK(err.text[0]);
    }
    if (units_parse_bytes(text, &value, NULL) == 0)
        units_format_bytes(value, printed, sizeof(printed));
    if (units_parse_u64(text, &value, NULL) == 0)
        units_format_count(value, printed, sizeof(printed));
    if (units_parse_i64(text, &whole, NULL) == 0 && whole >= 0)
        CHECK(units_parse_u64(text[0] == '-' ? text + 1 : text, &value, NULL) == 0);
    CHECK(units_parse_double(text, &real, &err) == 0 || err.text[0]);
    free(text);
    return 0;
}
