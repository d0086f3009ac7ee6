/*
 * Asks the running kernel about a path: realpath, statx with the mount's id (Linux 5.8), and for
 * btrfs, whose device number stands in no list, the file system's UUID by ioctl.
 */
#include "drive/blockdev_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static void format_uuid(const uint8_t bytes[16], char out[BLOCKDEV_UUID_SIZE])
{
    static const char hex[] = "0123456789abcdef";
    char *to = out;

    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = hex[bytes[i] >> 4];
        *to++ = hex[bytes[i] & 15];
    }
    *to = '\0';
}

/* Best effort: a directory that may not be read leaves the UUID unknown. */
static void ask_btrfs(const char *path, struct blockdev_path *out)
{
    struct statfs fs;
    struct btrfs_ioctl_fs_info_args info;
    int fd;

    if (statfs(path, &fs) < 0 || fs.f_type != BTRFS_SUPER_MAGIC)
        return;
    fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return;
    memset(&info, 0, sizeof(info));
    if (ioctl(fd, BTRFS_IOC_FS_INFO, &info) == 0)
        format_uuid(info.fsid, out->btrfs_uuid);
    close_fd(&fd);
}

static int ask(const struct blockdev_probe *p, const char *path, struct blockdev_path *out,
               struct err *err)
{
    struct statx stx;

    (void)p;
    memset(out, 0, sizeof(*out));
    out->canonical = realpath(path, NULL);
    if (out->canonical == NULL)
        return err_sys(err, errno, "%s", path);
    if (statx(AT_FDCWD, out->canonical, AT_STATX_SYNC_AS_STAT, STATX_TYPE | STATX_MNT_ID, &stx) <
        0) {
        err_sys(err, errno, "%s", path);
        free(out->canonical);
        out->canonical = NULL;
        return -1;
    }

    if (stx.stx_mask & STATX_MNT_ID)
        out->mount_id = stx.stx_mnt_id;
    out->is_block = S_ISBLK(stx.stx_mode);
    out->major = stx.stx_rdev_major;
    out->minor = stx.stx_rdev_minor;
    if (!out->is_block)
        ask_btrfs(out->canonical, out);
    return 0;
}

struct blockdev_probe blockdev_probe_system(const struct fsroot *root)
{
    return (struct blockdev_probe){.root = root, .ask = ask};
}
