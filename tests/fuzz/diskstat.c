/*
 * Fuzz: a stat line. What is accepted gives a difference to itself of nothing, and rates that are
 * no worse than NaN; two lines in one input give a difference that is judged.
 */
#include "drive/diskstat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rates(const struct disk_delta *d)
{
    struct disk_rates r;
    struct disk_merge_rates m;

    disk_rates_of(d, &r);
    disk_merge_rates_of(d, &m);
    (void)disk_delta_plausible(d);
    CHECK(isnan(r.busy_percent) || (r.busy_percent >= 0 && r.busy_percent <= 100));
    CHECK(isnan(r.reads_per_s) || r.reads_per_s >= 0);
    CHECK(isnan(m.read_percent) || (m.read_percent >= 0 && m.read_percent <= 100));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xstrndup((const char *)data, size);
    char *second = strchr(text, '\n');
    struct diskstat a, b;
    struct disk_delta d, sum = {0};

    if (second != NULL)
        *second++ = '\0';
    if (diskstat_parse(text, &a, NULL) == 0) {
        CHECK(disk_delta_between(&a, &a, 1, &d));
        CHECK(d.by.reads == 0);
        check_rates(&d);
        if (second != NULL && diskstat_parse(second, &b, NULL) == 0 &&
            disk_delta_between(&a, &b, 1000000000, &d)) {
            check_rates(&d);
            disk_delta_add(&sum, &d);
            CHECK(memcmp(&sum, &d, sizeof(d)) == 0);
            disk_delta_add(&sum, &d);
        }
    }
    free(text);
    return 0;
}
