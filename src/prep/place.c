/*
 * See the header. That it is the preparation's is told by the GUID of its partition table.
 */
#include "prep/place.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "drive/block_facts.h"
#include "prep/filesystem.h"
#include "prep/partition.h"
#include "prep/state.h"

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* The record whose table is on the drive, finished and for this purpose; NULL: none. */
static const struct prep_state *find_record(const prep_states *states,
                                            const struct block_facts *facts, const char *purpose)
{
    for (size_t i = 0; i < states->n; i++) {
        const struct prep_state *s = &states->at[i];

        if (s->step == STEP_DONE && same(s->record.id, facts->contents.table_uuid) &&
            same(s->record.purpose, purpose) && s->size_bytes == facts->size_bytes)
            return s;
    }
    return NULL;
}

static bool is_mounted(const struct block_facts *facts, const char *dir)
{
    for (size_t i = 0; i < facts->used.n; i++) {
        if (facts->used.at[i].use == BLOCK_MOUNTED && same(facts->used.at[i].by, dir))
            return true;
    }
    return false;
}

static int mount_again(const struct prep_record *r, const char *node, struct err *err)
{
    int kind = 0;

    while (kind < FILESYSTEMS && !same(filesystem_name(kind), r->filesystem))
        kind++;
    if (kind == FILESYSTEMS)
        return err_set(err, ERR_SURROUNDINGS, "%s: a preparation with the file system %s", node,
                       r->filesystem ? r->filesystem : "none");
    return filesystem_mount(kind, node, r->mount_point, err);
}

static int find(const struct fsroot *root, const struct block_facts *facts,
                const struct prep_state *s, struct prep_place *out, struct err *err)
{
    const struct partition p = {
        .table_uuid = s->record.id,
        .part_uuid = s->part_uuid,
        .start_bytes = (uint64_t)s->part_start_bytes,
        .size_bytes = (uint64_t)s->record.partition_bytes,
    };
    int fd = block_facts_open(facts, O_RDONLY, err);
    int rc = -1;

    if (fd < 0 || partition_announce(fd, &p, err) < 0)
        goto out;
    close_fd(&fd); /* a mount may want the partition for itself */
    out->node = partition_node(root, facts->sysfs, err);
    if (!out->node)
        goto out;
    out->mount_point = s->record.mount_point ? xstrdup(s->record.mount_point) : NULL;
    if (out->mount_point && !is_mounted(facts, out->mount_point) &&
        mount_again(&s->record, out->node, err) < 0)
        goto out;
    rc = 0;
out:
    close_fd(&fd);
    return rc < 0 ? err_wrap(err, "%s", facts->node) : 0;
}

int prep_place_find(const struct prep_place_asks *asks, struct prep_place *out, struct err *err)
{
    const struct prep_state *s = NULL;
    struct block_facts facts;
    struct fsroot root;
    prep_states states;
    int broken = 0;
    int fd = -1;
    int rc = -1;

    *out = (struct prep_place){.node = NULL};
    fsroot_init(&root, "");
    const struct blockdev_probe probe = blockdev_probe_system(&root);
    prep_states_read(asks->state_dir, &states, &broken);
    if (block_facts_read(&probe, asks->device, &facts, err) < 0)
        goto out;
    fd = block_facts_open(&facts, O_RDONLY, err);
    if (fd < 0 || block_facts_look(&facts, fd, err) < 0)
        goto out;
    s = find_record(&states, &facts, asks->purpose);
    if (!s)
        (void)err_set(err, ERR_SURROUNDINGS,
                      "%s does not hold what its preparation for %s made (by the records in %s)",
                      asks->device, same(asks->purpose, "blocks") ? "block tests" : "the database",
                      asks->state_dir);
    else
        rc = find(&root, &facts, s, out, err);
out:
    close_fd(&fd);
    block_facts_release(&facts);
    prep_states_release(&states);
    fsroot_release(&root);
    return rc;
}

void prep_place_release(struct prep_place *p)
{
    free(p->node);
    free(p->mount_point);
    *p = (struct prep_place){.node = NULL};
}
