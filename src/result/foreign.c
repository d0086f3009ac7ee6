/*
 * What the allowances are for, and how they were found: see the comments at each. They are wide on
 * purpose: a run is not to be doubted for what its own server caused.
 */
#include "result/foreign.h"

#include <math.h>
#include <string.h>

#include "result/drive_set.h"

/* Journal and metadata. Measured on ext4 and xfs of nobody else, with PostgreSQL 15 and
 * kernel 6.18: the drive got 0.10 to 0.14 MiB/s more than was accounted where that was 0.7 MiB/s,
 * and less than was accounted from 3 MiB/s on. */
#define JOURNAL_SHARE 0.10
#define JOURNAL_MIB_PER_S 0.25
/* Blocks of metadata that a thread of the kernel fetched. In the same runs reads of 1 to 46 MiB/s
 * agreed to 0.02 MiB/s. */
#define READ_SHARE 0.02
#define READ_MIB_PER_S 0.1
/* The two are read one after the other, at either end of the sample. */
#define APART_S 0.3
#define BYTES_PER_MIB 1048576.0

/* "sda1" of "sda", "nvme0n1p2" of "nvme0n1". */
static bool is_partition_of(const char *name, const char *disk)
{
    const size_t n = strlen(disk);
    const char *rest = name + n;

    if (strncmp(name, disk, n) != 0)
        return false;
    rest += *rest == 'p' ? 1 : 0;
    return *rest && rest[strspn(rest, "0123456789")] == '\0';
}

/* The whole disk, as its place among the devices, where the only file system lies on a partition of
 * it; -1: else. */
static int whole_disk(const struct result *r)
{
    const struct result_device *partition = NULL;
    size_t disk = 0;
    size_t n_leaves = 0;

    for (size_t i = 0; i < r->drive.devices.n && i < RESULT_DEVICES_MAX; i++) {
        const struct result_device *d = &r->drive.devices.at[i];

        if (d->summed && partition)
            return -1;
        if (d->summed)
            partition = d;
        if (d->role && strstr(d->role, "leaf")) {
            disk = i;
            n_leaves++;
        }
    }
    if (n_leaves != 1 || !partition ||
        !is_partition_of(partition->name, r->drive.devices.at[disk].name))
        return -1;
    return (int)disk;
}

/* The disk whose partition the database lies on, if its counters are there. */
static int counted_disk(const struct result *r)
{
    const int disk = whole_disk(r);
    const struct result_rates *rates = disk < 0 ? NULL : &r->sample.devices[disk];

    return rates && isfinite(rates->read_mib_per_s) && isfinite(rates->write_mib_per_s) ? disk : -1;
}

static bool drive_moved(const struct result *r, struct result_moved *m)
{
    const int disk = counted_disk(r);

    if (disk < 0)
        return result_devices_moved(r, m);
    *m = (struct result_moved){.read = r->sample.devices[disk].read_mib_per_s,
                               .write = r->sample.devices[disk].write_mib_per_s};
    return true;
}

static bool has_device(const struct result *r, const char *name)
{
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        if (strcmp(r->drive.devices.at[i].name, name) == 0)
            return true;
    }
    return false;
}

bool foreign_is_beside(const struct result *r, const struct result *other)
{
    const struct drive_set set = drive_set_of(r, (int)r->drive.devices.n);
    const int disk = counted_disk(r);

    if (disk >= 0)
        return has_device(other, r->drive.devices.at[disk].name);
    for (int i = 0; i < set.n; i++) {
        if (has_device(other, r->drive.devices.at[set.at[i]].name))
            return true;
    }
    return false;
}

/* What the server, this program and the servers of other targets on the drive moved. */
static struct result_moved ours(const struct result *r)
{
    const struct result_server_sample *s = &r->sample.server_sample;
    struct result_moved m = {r->sample.server.io_read_mib_per_s,
                             r->sample.server.io_write_mib_per_s};

    if (s->beside > 0) {
        m.read += s->beside_read_mib_per_s;
        m.write += s->beside_write_mib_per_s;
    }
    return m;
}

/* Whether a page that is made dirty is written once, and in its place. */
static bool writes_are_plain(const struct result *r)
{
    static const char *const plain[] = {"ext2", "ext3", "ext4", "xfs"};
    const char *options = r->drive.mount_options ? r->drive.mount_options : "";

    for (size_t i = 0; r->drive.filesystem && i < ARRAY_LEN(plain); i++) {
        if (strcmp(r->drive.filesystem, plain[i]) == 0)
            return !strstr(options, "data=journal");
    }
    return false;
}

bool foreign_find(const struct result *r, struct foreign *f)
{
    const struct result_moved own = ours(r);
    const double seconds = r->sample.seconds;
    const double apart = APART_S / seconds * (own.read + own.write);
    const double dirty = (double)r->sample.server_sample.dirty_bytes / BYTES_PER_MIB / seconds;
    struct result_moved m;
    double reads;
    double writes = 0;

    if (!(seconds > 0) || !isfinite(apart) || !drive_moved(r, &m) || !isfinite(m.read + m.write))
        return false;
    reads = m.read - own.read * (1 + READ_SHARE) - READ_MIB_PER_S - apart;
    if (writes_are_plain(r) && dirty >= 0)
        writes = m.write - own.write * (1 + JOURNAL_SHARE) - JOURNAL_MIB_PER_S - dirty - apart;
    f->drive_mib_per_s = m.read + m.write;
    f->ours_mib_per_s = own.read + own.write;
    f->least_mib_per_s = fmax(0, reads) + fmax(0, writes);
    f->least_percent = f->drive_mib_per_s > 0 ? 100.0 * f->least_mib_per_s / f->drive_mib_per_s : 0;
    return true;
}
