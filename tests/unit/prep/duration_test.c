/*
 * prep/duration: every step's time, by what was measured on the drive or by what is assumed.
 */
#include "prep/duration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"

#define LIT(text) ((char *)(uintptr_t)(text))
#define MIB (UINT64_C(1) << 20)
#define DRIVE_BYTES (UINT64_C(1000) * 1000 * MIB) /* of 1000 s at 1000 MiB/s */

static struct prep_plan plan(const char *mount_point)
{
    return (struct prep_plan){.ways = {PREP_ERASE_DISCARD},
                              .n_ways = 1,
                              .fill = true,
                              .size_bytes = DRIVE_BYTES,
                              .part_size_bytes = DRIVE_BYTES / 2,
                              .filesystem = mount_point ? 0 : -1,
                              .mount_point = LIT(mount_point)};
}

static struct prep_record measured(void)
{
    struct prep_record r;

    prep_record_init(&r);
    r.ended = LIT("2026-11-30T13:45:01Z");
    r.erase = LIT("discard");
    r.erased_bytes = (int64_t)DRIVE_BYTES;
    r.erase_seconds = 7;
    r.filled_bytes = (int64_t)DRIVE_BYTES;
    r.fill_seconds = 2000;
    return r;
}

static char *print(const struct prep_plan *p, const struct prep_known *known)
{
    struct prep_duration d;
    struct strbuf out;

    strbuf_init(&out);
    prep_duration_make(p, known, &d);
    prep_duration_print(&d, &out);
    prep_duration_release(&d);
    return strbuf_detach(&out);
}

static void check(const struct prep_plan *p, const struct prep_known *known, const char *want)
{
    char *text = print(p, known);

    UNIT_EQ_STR("", text, want);
    free(text);
}

static void test_assumed(void)
{
    const struct prep_plan raw = plan(NULL);
    const struct prep_plan database = plan("/mnt/x");
    struct prep_plan none = {.size_bytes = DRIVE_BYTES, .filesystem = -1};

    check(&raw, &(struct prep_known){.nvme = true},
          "  duration    about 16m 52s\n"
          "    erase          10 s  discard, assumed: 10 s a TB\n"
          "    fill        16m 40s  at 1000 MiB/s, assumed of an NVMe drive\n"
          "    sample          1 s  assumed: 1024 reads of 4 KiB\n"
          "    partition       1 s  assumed\n");
    check(&database, &(struct prep_known){.rotational = 1},
          "  duration    about 1h 52m\n"
          "    erase          10 s  discard, assumed: 10 s a TB\n"
          "    fill         1h 51m  at 150 MiB/s, assumed of a disk\n"
          "    sample         10 s  assumed: 1024 reads of 4 KiB\n"
          "    partition       1 s  assumed\n"
          "    filesystem     59 s  assumed: ext4 writes 9.27 GB at 150 MiB/s\n"
          "    mount           1 s  assumed\n");
    check(&none, &(struct prep_known){.rotational = -1},
          "  duration    about 1 s\n"
          "    partition       1 s  assumed\n");
}

/* The ways to erase, of which the first is what is done. */
static void test_erase(void)
{
    static const struct {
        enum settings_prep_erase ways[2];
        int n_ways;
        double seconds;
        const char *why;
    } rows[] = {
        {{PREP_ERASE_NVME_FORMAT, PREP_ERASE_DISCARD},
         2,
         60,
         "nvme format, assumed: the drive takes as long as it likes"},
        {{PREP_ERASE_SANITIZE, PREP_ERASE_NVME_FORMAT},
         2,
         600,
         "nvme sanitize, assumed: the drive takes as long as it likes"},
        {{PREP_ERASE_OVERWRITE}, 1, 2500, "at 400 MiB/s, assumed of an SSD"},
        {{PREP_ERASE_NVME_FORMAT, PREP_ERASE_OVERWRITE},
         2,
         60,
         "nvme format, assumed: the drive takes as long as it likes; where that fails 41m 40s "
         "more, "
         "overwritten"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct prep_plan p = plan(NULL);
        struct prep_duration d;

        memcpy(p.ways, rows[i].ways, sizeof(rows[i].ways));
        p.n_ways = rows[i].n_ways;
        prep_duration_make(&p, &(struct prep_known){.rotational = 0}, &d);
        UNIT_NEAR(rows[i].why, d.steps[STEP_ERASE].seconds, rows[i].seconds, 0.01);
        UNIT_EQ_STR("", d.steps[STEP_ERASE].why, rows[i].why);
        UNIT_NEAR(rows[i].why, d.seconds, rows[i].seconds + 2502, 0.01);
        prep_duration_release(&d);
    }
}

/* What this drive did before goes before what is assumed, step by step. */
static void test_measured(void)
{
    const struct prep_plan p = plan("/mnt/x");
    struct prep_record last = measured();
    const struct prep_known known = {.nvme = true, .last = &last};

    check(&p, &known,
          "  duration    about 33m 48s\n"
          "    erase           7 s  discard, as long as it took on 2026-11-30T13:45:01Z\n"
          "    fill        33m 20s  at 500 MiB/s, measured at its fill of 2026-11-30T13:45:01Z\n"
          "    sample          1 s  assumed: 1024 reads of 4 KiB\n"
          "    partition       1 s  assumed\n"
          "    filesystem     18 s  assumed: ext4 writes 9.27 GB at 500 MiB/s\n"
          "    mount           1 s  assumed\n");
    /* Another way to erase tells nothing; an overwrite tells how fast a fill will be. */
    last.erase = LIT("overwrite");
    last.erase_seconds = 4000;
    last.filled_bytes = -1;
    last.fill_seconds = (double)NAN;
    last.ended = NULL;
    last.started = LIT("2026-11-29T10:00:00Z");
    check(&p, &known,
          "  duration    about 1h 07m\n"
          "    erase          10 s  discard, assumed: 10 s a TB\n"
          "    fill         1h 07m  at 250 MiB/s, measured at its overwrite of "
          "2026-11-29T10:00:00Z\n"
          "    sample          1 s  assumed: 1024 reads of 4 KiB\n"
          "    partition       1 s  assumed\n"
          "    filesystem     35 s  assumed: ext4 writes 9.27 GB at 250 MiB/s\n"
          "    mount           1 s  assumed\n");
    last.erased_bytes = 0; /* no bytes, no rate */
    check(&(struct prep_plan){.fill = true, .size_bytes = DRIVE_BYTES, .filesystem = -1}, &known,
          "  duration    about 16m 42s\n"
          "    fill        16m 40s  at 1000 MiB/s, assumed of an NVMe drive\n"
          "    sample          1 s  assumed: 1024 reads of 4 KiB\n"
          "    partition       1 s  assumed\n");
}

/* Only what is left. */
static void test_goes_on(void)
{
    const struct prep_plan raw = plan(NULL);
    struct prep_plan over = plan(NULL);
    struct prep_record own = measured();
    struct prep_known known = {.last = &own, .step = STEP_FILL, .done_bytes = DRIVE_BYTES / 4};

    own.ended = NULL;
    own.started = LIT("2026-11-30T12:00:00Z");
    own.filled_bytes = (int64_t)(DRIVE_BYTES / 4);
    own.fill_seconds = 250;
    check(&raw, &known,
          "  duration    about 12m 32s\n"
          "    fill        12m 30s  at 1000 MiB/s, measured at its fill of 2026-11-30T12:00:00Z\n"
          "    sample          1 s  assumed: 1024 reads of 4 KiB\n"
          "    partition       1 s  assumed\n");
    over.ways[1] = PREP_ERASE_OVERWRITE; /* the discard failed before it was cut off */
    over.n_ways = 2;
    over.fill = false;
    known.step = STEP_ERASE;
    known.done_bytes = DRIVE_BYTES / 2;
    check(&over, &known,
          "  duration    about 8m 21s\n"
          "    erase        8m 20s  at 1000 MiB/s, measured at its fill of 2026-11-30T12:00:00Z\n"
          "    partition       1 s  assumed\n");
    known.step = STEP_DONE;
    check(&raw, &known, "  duration    about 0 s\n");
}

static const struct unit_test tests[] = {
    {"assumed", test_assumed},
    {"erase", test_erase},
    {"measured", test_measured},
    {"goes_on", test_goes_on},
};
const struct unit_suite duration_suite = UNIT_SUITE("duration", tests);
