/*
 * See the header. Who uses a device is told by drive/block_facts, by the kernel's own relations.
 */
#include "block/target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "drive/block_refuse.h"
#include "drive/blockdev.h"

#define BLOCKS_BYTES 512 /* of st_blocks */

static int agree(struct block_target *t, const struct block_asks *asks, struct err *err)
{
    if (!asks->writes || asks->look_only || (asks->given && strcmp(asks->given, t->consent) == 0))
        return 0;
    return err_set(err, ERR_USAGE,
                   "what is in %s would be overwritten: %s%s--i-will-lose %s says that it may be%s",
                   t->path, asks->given ? "not " : "", asks->given ? asks->given : "", t->consent,
                   asks->given ? "" : " (its size in bytes)");
}

static int open_file(struct block_target *t, const struct block_asks *asks, const struct stat *st,
                     struct err *err)
{
    t->bytes = (uint64_t)st->st_size;
    t->consent = xasprintf("%" PRIu64, t->bytes);
    if (asks->reads && (uint64_t)st->st_blocks * BLOCKS_BYTES < t->bytes)
        return err_set(err, ERR_SURROUNDINGS,
                       "%s has holes, and what was never written is read from nowhere: fill it "
                       "first (dd if=/dev/urandom of=%s bs=1M conv=notrunc count=%" PRIu64 ")",
                       t->path, t->path, t->bytes >> 20);
    if (agree(t, asks, err) < 0)
        return -1;
    t->fd = open(t->path, (asks->writes && !asks->look_only ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    return t->fd < 0 ? err_sys(err, errno, "can't open %s", t->path) : 0;
}

/* Nobody else's, and agreed to. */
static int claim(struct block_target *t, const struct block_facts *facts,
                 const struct block_asks *asks, struct err *err)
{
    static const struct block_rules rules = {.program = "drive-sweep"};

    t->consent = block_consent(facts);
    if (block_refuse(facts, &rules, err) < 0)
        return -1;
    return asks->look_only ? 0 : block_consent_check(facts, asks->given, err);
}

/* What a partition's name has more than its disk's. */
static const char *place_on_disk(const struct block_facts *facts)
{
    const size_t n = facts->disk ? strlen(facts->disk) : 0;

    return n > 0 && strncmp(facts->name, facts->disk, n) == 0 ? facts->name + n : facts->name;
}

static int open_device(const struct blockdev_probe *probe, struct block_target *t,
                       const struct block_asks *asks, struct err *err)
{
    const int flags = asks->writes && !asks->look_only ? O_RDWR | O_EXCL : O_RDONLY;
    struct block_facts facts;
    int rc = -1;

    t->is_device = true;
    if (block_facts_read(probe, t->path, &facts, err) < 0)
        goto out;
    t->bytes = (uint64_t)(facts.size_bytes > 0 ? facts.size_bytes : 0);
    t->serial = facts.serial ? xstrdup(facts.serial) : NULL;
    t->place = xstrdup(place_on_disk(&facts));
    t->fd = block_facts_open(&facts, flags, err);
    if (t->fd < 0)
        goto out;
    if (asks->writes &&
        (block_facts_look(&facts, t->fd, err) < 0 || claim(t, &facts, asks, err) < 0))
        goto out;
    rc = 0;
out:
    block_facts_release(&facts);
    return rc;
}

static int resolve(struct block_target *t, const struct block_asks *asks, struct stat *st,
                   struct err *err)
{
    t->path = realpath(asks->path, NULL);
    if (!t->path || stat(t->path, st) < 0)
        return err_sys(err, errno,
                       "%s (name a block device or a file that is there: nothing is "
                       "made)",
                       asks->path);
    if (S_ISDIR(st->st_mode))
        return err_set(err, ERR_USAGE,
                       "%s is a directory: name a block device, or a file in it that has the size "
                       "to test",
                       asks->path);
    if (!S_ISBLK(st->st_mode) && !S_ISREG(st->st_mode))
        return err_set(err, ERR_USAGE, "%s is neither a block device nor a file", asks->path);
    return 0;
}

int block_target_open(const struct fsroot *root, const struct block_asks *asks,
                      struct block_target *out, struct err *err)
{
    const struct blockdev_probe probe = blockdev_probe_system(root);
    struct stat st = {0};

    *out = (struct block_target){.fd = -1};
    if (resolve(out, asks, &st, err) < 0 || blockdev_map(&probe, out->path, &out->map, err) < 0)
        return -1;
    if ((S_ISBLK(st.st_mode) ? open_device(&probe, out, asks, err)
                             : open_file(out, asks, &st, err)) < 0)
        return -1;
    if (out->bytes < BLOCK_TARGET_MIN_BYTES)
        return err_set(err, ERR_SURROUNDINGS, "%s has %" PRIu64 " bytes: at least 1 MiB is needed",
                       out->path, out->bytes);
    return 0;
}

void block_target_release(struct block_target *t)
{
    close_fd(&t->fd);
    free(t->path);
    free(t->consent);
    free(t->serial);
    free(t->place);
    drive_map_release(&t->map);
}
