/*
 * From a map of devices to the record of the disk among them (see the header). Never fails: what
 * can't be told is not carried.
 */
#include "prep/carry.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "drive/block_facts.h"
#include "drive/inventory.h"
#include "drive/sysfs.h"
#include "prep/partition.h"
#include "prep/state.h"

#define SECTOR_BYTES 512

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static bool is_table_of(const struct contents *c, const struct prep_state *s)
{
    const contents_signatures *inside;

    if (!same(c->table_uuid, s->record.id) || c->parts.n != 1 ||
        !same(c->parts.at[0].uuid, s->part_uuid))
        return false;
    inside = &c->parts.at[0].signatures;
    return !s->fs_uuid || (inside->n == 1 && same(inside->at[0].uuid, s->fs_uuid));
}

static bool attr_is(const struct fsroot *root, const char *sysfs, const char *name, int64_t want)
{
    char *text = sysfs_attr(root, sysfs, name);
    int64_t value = -1;
    const bool is =
        text && units_parse_i64(text, &value, NULL) == 0 && value == want / SECTOR_BYTES;

    free(text);
    return is;
}

/* Without a look at the drive. */
static bool is_place_of(const struct fsroot *root, const char *sysfs, const struct prep_state *s)
{
    struct inventory inv;
    char *name = partition_name(sysfs_name_of(sysfs));
    char *part = xasprintf("%s/%s", sysfs, name);
    bool is;

    inventory_read(root, sysfs, true, &inv);
    is = same(inv.serial, s->serial) && inv.size_bytes == s->size_bytes &&
         attr_is(root, part, "start", s->part_start_bytes) &&
         attr_is(root, part, "size", s->record.partition_bytes);
    inventory_release(&inv);
    free(part);
    free(name);
    return is;
}

/* What is on a disk; false where we may not look. */
static bool look(const struct fsroot *root, const char *name, struct block_facts *f)
{
    const struct blockdev_probe probe = blockdev_probe_system(root);
    char *node = xasprintf("/dev/%s", name);
    int fd = -1;

    if (block_facts_read(&probe, node, f, NULL) == 0)
        fd = block_facts_open(f, O_RDONLY, NULL);
    if (fd >= 0)
        f->looked = block_facts_look(f, fd, NULL) == 0;
    close_fd(&fd);
    free(node);
    return f->looked;
}

static const struct prep_state *find(const struct fsroot *root, const struct drive_device *d,
                                     const prep_states *states)
{
    const struct prep_state *found = NULL;
    struct block_facts f;
    const bool looked = look(root, d->name, &f);

    for (size_t i = 0; i < states->n; i++) {
        const struct prep_state *s = &states->at[i];

        if (s->step == STEP_DONE && s->record.ended &&
            (looked ? is_table_of(&f.contents, s) : is_place_of(root, d->sysfs, s)))
            found = s;
    }
    block_facts_release(&f);
    return found;
}

void prep_carry(const struct fsroot *root, const char *state_dir, const struct drive_map *map,
                int64_t now_us, struct prep_record *out)
{
    const struct prep_state *found = NULL;
    prep_states states;
    int broken = 0;

    prep_states_read(state_dir, &states, &broken);
    for (size_t i = 0; states.n > 0 && i < map->devices.n && !found; i++) {
        if (!sysfs_has_attr(root, map->devices.at[i].sysfs, "partition"))
            found = find(root, &map->devices.at[i], &states);
    }
    if (found) {
        prep_record_copy(out, &found->record);
        out->age_s = (double)(now_us - found->updated_us) / (double)US_PER_S;
    }
    prep_states_release(&states);
}
