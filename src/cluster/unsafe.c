/*
 * The UNSAFE marker's text: boot_id, and diskseq of every device under the path. diskseq grows with
 * each device that comes up, so a loop or USB device that was detached and attached again has
 * another one although its name and contents are the same.
 */
#include "cluster/unsafe.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "drive/blockdev.h"

/* A partition's is that of the disk, one folder up. */
static char *diskseq(const struct fsroot *root, const char *sysfs)
{
    char *own = xasprintf("%s/diskseq", sysfs);
    char *above = xasprintf("%s/../diskseq", sysfs);
    char *seq = fsroot_read_line(root, own);

    if (!seq)
        seq = fsroot_read_line(root, above);
    free(own);
    free(above);
    return seq;
}

static void add_devices(const struct fsroot *root, const char *path, struct strbuf *out)
{
    const struct blockdev_probe probe = blockdev_probe_system(root);
    struct drive_map map = {0};

    if (blockdev_map(&probe, path, &map, NULL) == 0) {
        for (size_t i = 0; i < map.devices.n; i++) {
            const struct drive_device *d = &map.devices.at[i];
            char *seq = diskseq(root, d->sysfs);

            strbuf_addf(out, "device=%s diskseq=%s\n", d->name, seq ? seq : "unknown");
            free(seq);
        }
    }
    if (map.devices.n == 0)
        strbuf_adds(out, "device=unknown\n");
    drive_map_release(&map);
}

char *unsafe_mark(const struct fsroot *root, const char *path, struct err *err)
{
    char *boot = fsroot_read_line(root, "/proc/sys/kernel/random/boot_id");
    struct strbuf text;

    if (!boot) {
        (void)err_set(err, ERR_SURROUNDINGS,
                      "no /proc/sys/kernel/random/boot_id: can't tell this boot from the next");
        return NULL;
    }
    strbuf_init(&text);
    strbuf_addf(&text, "boot_id=%s\n", boot);
    add_devices(root, path, &text);
    free(boot);
    return strbuf_detach(&text);
}
