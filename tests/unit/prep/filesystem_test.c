/*
 * prep/filesystem: the room that is reckoned for a file system before it is made is there on a real
 * one, and not much less than that.
 */
#include "prep/filesystem.h"

#include <stdio.h>

#include "harness/unit.h"

#define MIB (UINT64_C(1) << 20)

/* statvfs of fresh ones by mkfs.ext4 1.47 and mkfs.xfs 6.1: what is lost of the size, in all and
 * for who is not root. */
static void test_room(void)
{
    static const struct {
        int kind;
        uint64_t mib;
        double lost_mb, kept_mb;
    } rows[] = {
        {0, 64, 9.7, 14.4},
        {0, 320, 31.6, 52.6},
        {0, 600, 27.6, 71.6},
        {0, 1 << 10, 53.0, 123.5},
        {0, 4 << 10, 151.3, 382.8},
        {0, 16 << 10, 450.0, 1325.8},
        {0, 100 << 10, 2284.9, 7670.4},
        {0, 1 << 20, 18410.5, 73402.8},
        {0, 4 << 20, 35840.4, 255759.5},
        {1, 320, 67.1, 86.0},
        {1, 1 << 10, 67.1, 108.0},
        {1, 16 << 10, 67.1, 220.3},
        {1, 100 << 10, 67.1, 849.1},
        {1, 1 << 20, 536.9, 8232.9},
        {1, 4 << 20, 2137.0, 32819.7},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint64_t bytes = rows[i].mib * MIB;
        const struct filesystem_room room = filesystem_room(rows[i].kind, bytes);
        const double size = (double)bytes - rows[i].lost_mb * 1e6;
        const double free_bytes = (double)bytes - rows[i].kept_mb * 1e6;
        char what[32];

        (void)snprintf(what, sizeof(what), "%s, %llu MiB", filesystem_name(rows[i].kind),
                       (unsigned long long)rows[i].mib);
        UNIT_TRUE(what, (double)room.size_bytes <= size);
        UNIT_TRUE(what, (double)room.free_bytes <= free_bytes);
        UNIT_TRUE(what, (double)room.size_bytes > 0.9 * size);
        UNIT_TRUE(what, (double)room.free_bytes > 0.85 * free_bytes);
    }
}

static const struct unit_test tests[] = {
    {"room", test_room},
};
const struct unit_suite filesystem_suite = UNIT_SUITE("filesystem", tests);
