/*
 * job/neighbours: what each is told of the others on its drive.
 */
#include "job/neighbours.h"

#include <math.h>

#include "base/xalloc.h"
#include "harness/unit.h"

static void make(struct result *r, const char *device, double moved)
{
    const struct result_device d = {.name = xstrdup(device), .summed = true};

    result_init(r);
    VEC_PUSH(&r->drive.devices, d);
    r->run.ended_by = xstrdup("plan");
    r->sample.seconds = 60;
    r->sample.server.io_read_mib_per_s = moved;
    r->sample.server.io_write_mib_per_s = 2 * moved;
}

static void expect(struct neighbours *nb, size_t i, struct result *r, double read)
{
    neighbours_ask(nb, i, r);
    UNIT_EQ_I64("beside", r->sample.server_sample.beside, read > 0 ? 1 : 0);
    UNIT_NEAR("read", r->sample.server_sample.beside_read_mib_per_s, read, 1e-12);
    UNIT_NEAR("written", r->sample.server_sample.beside_write_mib_per_s, 2 * read, 1e-12);
}

static void test_those_of_one_drive(void)
{
    struct neighbours *nb = neighbours_new(3);
    struct result r[3];

    make(&r[0], "sda", 10);
    make(&r[1], "sda", 20);
    make(&r[2], "sdb", 40);
    for (size_t i = 0; i < 3; i++)
        neighbours_tell(nb, i, &r[i]);
    r[1].sample.server.io_read_mib_per_s = 99;
    neighbours_tell(nb, 1, &r[1]); /* harmless again */
    expect(nb, 0, &r[0], 20);
    expect(nb, 1, &r[1], 10);
    expect(nb, 2, &r[2], 0);
    for (size_t i = 0; i < 3; i++)
        result_release(&r[i]);
    neighbours_free(nb);
    neighbours_free(NULL);
}

/* What one that was lost moved is not known of the whole sample. */
static void test_one_that_was_lost(void)
{
    struct neighbours *nb = neighbours_new(2);
    struct result r[2];

    make(&r[0], "sda", 10);
    make(&r[1], "sda", 20);
    xset_text(&r[1].run.ended_by, "server gone");
    for (size_t i = 0; i < 2; i++)
        neighbours_tell(nb, i, &r[i]);
    neighbours_ask(nb, 0, &r[0]);
    UNIT_EQ_I64("", r[0].sample.server_sample.beside, 1);
    UNIT_TRUE("", isnan(r[0].sample.server_sample.beside_read_mib_per_s));
    for (size_t i = 0; i < 2; i++)
        result_release(&r[i]);
    neighbours_free(nb);
}

static const struct unit_test tests[] = {
    {"those of one drive", test_those_of_one_drive},
    {"one that was lost", test_one_that_was_lost},
};
const struct unit_suite neighbours_suite = UNIT_SUITE("neighbours", tests);
