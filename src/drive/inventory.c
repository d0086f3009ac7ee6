/*
 * Reads what a device says of itself: a partition's own size, and for the rest the disk's folder,
 * its `queue`, and its `device` link, whose files are named differently by each driver.
 */
#include "drive/inventory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "drive/sysfs.h"

#define SECTOR_BYTES 512

/* Trims and makes printable, in place; NULL (and freed) where nothing is left. */
static char *tidy(char *text)
{
    char *start = text;
    size_t n;

    if (text == NULL)
        return NULL;
    for (char *c = text; *c != '\0'; c++) {
        if (*c < ' ' || *c > '~')
            *c = '?';
    }
    start += strspn(start, " ");
    n = strlen(start);
    while (n > 0 && start[n - 1] == ' ')
        n--;
    memmove(text, start, n);
    text[n] = '\0';
    if (n > 0)
        return text;
    free(text);
    return NULL;
}

/* The first of the attributes (ended by NULL) that is there and says something. */
static char *first_text(const struct fsroot *root, const char *sysfs, const char *const *names)
{
    char *text = NULL;

    for (; *names != NULL && text == NULL; names++)
        text = tidy(sysfs_attr(root, sysfs, *names));
    return text;
}

/* The serial number of a SCSI or SATA drive: its page 0x80, four bytes of head with the length in
 * the last two, then text. NULL where the driver keeps none; free() it. */
static char *scsi_serial(const struct fsroot *root, const char *disk)
{
    char *path = xasprintf("%s/device/vpd_pg80", disk);
    unsigned char page[256];
    int fd = fsroot_open(root, path, NULL);
    ssize_t n = -1;
    char *serial = NULL;

    free(path);
    if (fd < 0)
        return NULL;
    do
        n = read(fd, page, sizeof(page));
    while (n < 0 && errno == EINTR);
    close_fd(&fd);
    if (n > 4 && page[1] == 0x80) {
        const size_t len = (size_t)page[2] << 8 | page[3];
        const size_t there = (size_t)n - 4;

        serial = tidy(xstrndup((const char *)page + 4, len < there ? len : there));
    }
    return serial;
}

static int64_t number(const struct fsroot *root, const char *sysfs, const char *name)
{
    char *text = sysfs_attr(root, sysfs, name);
    int64_t value = -1;

    if (text == NULL || units_parse_i64(text, &value, NULL) < 0 || value < 0)
        value = -1;
    free(text);
    return value;
}

/* "none [mq-deadline] kyber": the one in brackets; a single word stands for itself. */
static char *scheduler_in_use(char *text)
{
    char *open = text != NULL ? strchr(text, '[') : NULL;
    char *close = open != NULL ? strchr(open, ']') : NULL;

    if (close != NULL) {
        *close = '\0';
        memmove(text, open + 1, strlen(open + 1) + 1);
    }
    return tidy(text);
}

/* "8.0 GT/s PCIe" (older kernels: "8 GT/s") without the bus; NULL where it is not said. */
static char *pcie_speed(const struct fsroot *root, const char *disk, const char *name)
{
    char *speed = tidy(sysfs_attr(root, disk, name));
    char *bus = speed != NULL ? strstr(speed, " PCIe") : NULL;

    if (bus != NULL)
        *bus = '\0';
    return speed;
}

/* A virtual function, or one on no link, says "Unknown", and a width of 0 or 255. */
static bool is_link(const char *speed, const char *width)
{
    return speed != NULL && width != NULL && *speed >= '0' && *speed <= '9' &&
           strcmp(width, "0") != 0 && strcmp(width, "255") != 0;
}

static char *pcie_link(const struct fsroot *root, const char *disk)
{
    /* disk/device is the controller, whose `device` is the PCI function. */
    char *speed = pcie_speed(root, disk, "device/device/current_link_speed");
    char *width = tidy(sysfs_attr(root, disk, "device/device/current_link_width"));
    char *speed_max = pcie_speed(root, disk, "device/device/max_link_speed");
    char *width_max = tidy(sysfs_attr(root, disk, "device/device/max_link_width"));
    char *link = NULL;

    if (is_link(speed, width) && is_link(speed_max, width_max))
        link = xasprintf("PCIe %s x%s of %s x%s", speed, width, speed_max, width_max);
    else if (is_link(speed, width))
        link = xasprintf("PCIe %s x%s", speed, width);
    free(width_max);
    free(speed_max);
    free(width);
    free(speed);
    return link;
}

/* The folder of a SATA drive goes through ".../ata3/...", beside which its link stands. */
static char *sata_link(const struct fsroot *root, const char *disk)
{
    const char *ata = strstr(disk, "/ata");
    const size_t digits = ata != NULL ? strspn(ata + 4, "0123456789") : 0;
    const char *port = ata != NULL ? ata + 4 : NULL;
    char *attribute = NULL;
    char *dir = NULL;
    char *speed = NULL;
    char *link = NULL;

    if (digits == 0 || port[digits] != '/')
        return NULL;
    dir = xstrndup(disk, (size_t)(port - disk) + digits);
    attribute =
        xasprintf("link%.*s/ata_link/link%.*s/sata_spd", (int)digits, port, (int)digits, port);
    speed = tidy(sysfs_attr(root, dir, attribute));
    if (speed != NULL)
        link = xasprintf("SATA %s", speed);
    free(speed);
    free(attribute);
    free(dir);
    return link;
}

void inventory_read(const struct fsroot *root, const char *sysfs, bool with_serial,
                    struct inventory *out)
{
    static const char *const MODEL[] = {"device/model", "device/name", NULL};
    static const char *const FIRMWARE[] = {"device/firmware_rev", "device/rev", "device/fwrev",
                                           NULL};
    static const char *const SERIAL[] = {"device/serial", "serial", NULL};
    static const char *const CACHE[] = {"queue/write_cache", NULL};
    char *disk = sysfs_disk_of(root, sysfs);
    const int64_t sectors = number(root, sysfs, "size");

    memset(out, 0, sizeof(*out));
    out->size_bytes =
        sectors >= 0 && sectors <= INT64_MAX / SECTOR_BYTES ? sectors * SECTOR_BYTES : -1;
    out->model = first_text(root, disk, MODEL);
    out->firmware = first_text(root, disk, FIRMWARE);
    out->serial = with_serial ? first_text(root, disk, SERIAL) : NULL;
    if (with_serial && out->serial == NULL)
        out->serial = scsi_serial(root, disk);
    out->rotational = (int)number(root, disk, "queue/rotational");
    out->scheduler = scheduler_in_use(sysfs_attr(root, disk, "queue/scheduler"));
    out->write_cache = first_text(root, disk, CACHE);
    out->logical_block_bytes = number(root, disk, "queue/logical_block_size");
    out->physical_block_bytes = number(root, disk, "queue/physical_block_size");
    out->discard_max_bytes = number(root, disk, "queue/discard_max_bytes");
    out->requests_max = number(root, disk, "queue/nr_requests");
    out->link = pcie_link(root, disk);
    if (out->link == NULL)
        out->link = sata_link(root, disk);
    out->diskseq = number(root, disk, "diskseq");
    free(disk);
}

void inventory_release(struct inventory *inv)
{
    free(inv->model);
    free(inv->firmware);
    free(inv->serial);
    free(inv->scheduler);
    free(inv->write_cache);
    free(inv->link);
    memset(inv, 0, sizeof(*inv));
}

void inventory_of(const struct fsroot *root, const struct drive_device *d, struct inventory *out)
{
    if (d->inventory == NULL) {
        inventory_read(root, d->sysfs, false, out);
        return;
    }
    *out = *d->inventory;
    out->model = xstrdup_or_null(out->model);
    out->firmware = xstrdup_or_null(out->firmware);
    out->serial = xstrdup_or_null(out->serial);
    out->scheduler = xstrdup_or_null(out->scheduler);
    out->write_cache = xstrdup_or_null(out->write_cache);
    out->link = xstrdup_or_null(out->link);
}
