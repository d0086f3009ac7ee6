/*
 * result/foreign: whose I/O it was, worked out by hand, and where nothing is said.
 */
#include "result/foreign.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/made_result.h"

/* 240 s; the server 10 MiB/s read and 20 written; 12 MiB dirty at the start. */
static void make(struct result *r, double read, double written)
{
    made_result(r);
    r->sample.seconds = 240;
    r->sample.server.io_read_mib_per_s = 10;
    r->sample.server.io_write_mib_per_s = 20;
    r->sample.server_sample.dirty_bytes = 12 * 1048576;
    for (int i = 0; i < 2; i++) {
        r->sample.devices[i].read_mib_per_s = read;
        r->sample.devices[i].write_mib_per_s = written;
    }
}

static void test_by_hand(void)
{
    struct result r;
    struct foreign f;

    make(&r, 10, 20);
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("all the server's", f.least_mib_per_s, 0, 1e-12);
    UNIT_NEAR("", f.ours_mib_per_s, 30, 1e-12);
    UNIT_NEAR("", f.drive_mib_per_s, 30, 1e-12);
    result_release(&r);

    make(&r, 15, 32); /* 30 MiB/s for 0.3 s is 0.0375 MiB/s over 240 s */
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("reads and writes", f.least_mib_per_s,
              (15 - 10.2 - 0.1 - 0.0375) + (32 - 22 - 0.25 - 0.05 - 0.0375), 1e-9);
    UNIT_NEAR("", f.least_percent, 100 * f.least_mib_per_s / 47, 1e-9);
    result_release(&r);

    make(&r, 5, 32); /* a page cache that answers does not make up for others' writes */
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("writes alone", f.least_mib_per_s, 32 - 22 - 0.25 - 0.05 - 0.0375, 1e-9);
    result_release(&r);

    make(&r, 0, 0);
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("nothing moved", f.least_percent, 0, 1e-12);
    result_release(&r);
}

static void test_what_a_write_is(void)
{
    struct result r;
    struct foreign f;

    make(&r, 10, 100);
    free(r.drive.filesystem);
    r.drive.filesystem = xstrdup("btrfs");
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("its trees are written too", f.least_mib_per_s, 0, 1e-12);
    free(r.drive.filesystem);
    r.drive.filesystem = xstrdup("ext4");
    UNIT_TRUE("", foreign_find(&r, &f) && f.least_mib_per_s > 70);
    free(r.drive.mount_options);
    r.drive.mount_options = xstrdup("rw,relatime,data=journal");
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("everything twice", f.least_mib_per_s, 0, 1e-12);
    free(r.drive.mount_options);
    r.drive.mount_options = NULL;
    r.sample.server_sample.dirty_bytes = -1;
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("not known what was dirty", f.least_mib_per_s, 0, 1e-12);
    result_release(&r);
}

/* What another partition's users do slows the drive as well. */
static void test_whole_disk(void)
{
    struct result r;
    struct foreign f;

    make(&r, 10, 20);
    r.sample.devices[1].read_mib_per_s = 40; /* nvme0n1 of nvme0n1p1 */
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_TRUE("on another partition", f.least_mib_per_s > 29);
    r.sample.devices[1] = result_rates_none();
    UNIT_TRUE("no counters of the disk", foreign_find(&r, &f));
    UNIT_NEAR("", f.drive_mib_per_s, 30, 1e-12);
    r.sample.devices[1] = r.sample.devices[0];
    r.sample.devices[1].read_mib_per_s = 40;
    free(r.drive.devices.at[1].name);
    r.drive.devices.at[1].name = xstrdup("nvme0n");
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("not a partition of that disk", f.drive_mib_per_s, 30, 1e-12);
    result_release(&r);
}

static void test_unknown(void)
{
    struct result r;
    struct foreign f;

    make(&r, 10, 20);
    r.sample.server.io_read_mib_per_s = RESULT_NONE;
    UNIT_TRUE("the server's processes are not to be seen", !foreign_find(&r, &f));
    result_release(&r);
    make(&r, RESULT_NONE, RESULT_NONE);
    UNIT_TRUE("no counters", !foreign_find(&r, &f));
    result_release(&r);
    make(&r, 10, 20);
    r.sample.seconds = 0;
    UNIT_TRUE("no sample", !foreign_find(&r, &f));
    result_release(&r);
}

/* Another target's server on the same drive is no stranger; what it moved must be known. */
static void test_beside(void)
{
    struct result r;
    struct foreign f;
    struct result_server_sample *s = &r.sample.server_sample;

    make(&r, 30, 60);
    UNIT_TRUE("", foreign_find(&r, &f) && f.least_percent > 50);
    s->beside = 1;
    s->beside_read_mib_per_s = 20;
    s->beside_write_mib_per_s = 40;
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("all of the two", f.least_mib_per_s, 0, 1e-12);
    UNIT_NEAR("", f.ours_mib_per_s, 90, 1e-12);
    s->beside_write_mib_per_s = 20; /* 90 MiB/s for 0.3 s ... */
    UNIT_TRUE("", foreign_find(&r, &f));
    UNIT_NEAR("a third's writes", f.least_mib_per_s, 60 - 44 - 0.25 - 0.05 - 0.0875, 1e-9);
    s->beside_read_mib_per_s = RESULT_NONE;
    UNIT_TRUE("not known what it moved", !foreign_find(&r, &f));
    s->beside = 0;
    UNIT_TRUE("no other", foreign_find(&r, &f) && f.least_percent > 50);
    result_release(&r);
}

static void rename_device(struct result *r, int i, const char *name)
{
    xset_text(&r->drive.devices.at[i].name, name);
}

/* The made drive is nvme0n1p1 of nvme0n1. */
static void test_who_is_beside(void)
{
    struct result r;
    struct result other;

    make(&r, 10, 20);
    make(&other, 10, 20);
    UNIT_TRUE("the same", foreign_is_beside(&r, &other));
    rename_device(&other, 0, "nvme0n1p2");
    UNIT_TRUE("another partition, of which the disk is counted", foreign_is_beside(&r, &other));
    r.sample.devices[1] = result_rates_none();
    UNIT_TRUE("another partition, which is not", !foreign_is_beside(&r, &other));
    rename_device(&r, 0, "dm-0");
    rename_device(&other, 0, "dm-1");
    UNIT_TRUE("two volumes of one disk", !foreign_is_beside(&r, &other));
    rename_device(&other, 1, "dm-0");
    UNIT_TRUE("one stands on the other", foreign_is_beside(&r, &other));
    result_release(&r);
    result_release(&other);
}

static const struct unit_test tests[] = {
    {"worked out by hand", test_by_hand},
    {"what a write is", test_what_a_write_is},
    {"of a partition its whole disk", test_whole_disk},
    {"not known", test_unknown},
    {"another target's server", test_beside},
    {"who is beside", test_who_is_beside},
};
const struct unit_suite foreign_suite = UNIT_SUITE("foreign", tests);
