/*
 * One probe for the whole and one for each entry of the table, at its place on the same descriptor:
 * no node of a partition is needed, and none that another device could have taken is opened. All
 * signatures are collected, not the first: what is ambiguous is somebody's too.
 */
#include "drive/contents.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <string.h>

#define SECTOR_BYTES 512
#define SIGNATURES_MAX 64 /* at one place; more is no drive but noise */

static char *dup_printable(const char *text)
{
    char *copy = text && *text ? xstrdup(text) : NULL;

    for (char *c = copy; c && *c; c++) {
        if (*c < ' ' || *c > '~')
            *c = '?';
    }
    return copy;
}

static char *value_of(blkid_probe pr, const char *name)
{
    const char *data = NULL;

    return blkid_probe_lookup_value(pr, name, &data, NULL) == 0 ? dup_printable(data) : NULL;
}

static bool known(const contents_signatures *list, const char *type)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->at[i].type, type) == 0)
            return true;
    }
    return false;
}

/* The superblocks of the probe's area, each type once. */
static int read_signatures(blkid_probe pr, contents_signatures *out, struct err *err)
{
    int rc = 1;

    (void)blkid_probe_enable_partitions(pr, 0);
    (void)blkid_probe_enable_superblocks(pr, 1);
    (void)blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_UUID |
                                                    BLKID_SUBLKS_LABEL | BLKID_SUBLKS_BADCSUM);
    for (int n = 0; n < SIGNATURES_MAX && (rc = blkid_do_probe(pr)) == 0; n++) {
        struct contents_signature s = {.type = value_of(pr, "TYPE")};

        if (!s.type || known(out, s.type)) {
            free(s.type);
            continue;
        }
        s.uuid = value_of(pr, "UUID");
        s.label = value_of(pr, "LABEL");
        VEC_PUSH(out, s);
    }
    return rc < 0 ? err_sys(err, errno ? errno : EIO, "looking for signatures") : 0;
}

static blkid_probe probe_at(int fd, uint64_t start_bytes, uint64_t size_bytes, struct err *err)
{
    blkid_probe pr = blkid_new_probe();

    if (pr &&
        blkid_probe_set_device(pr, fd, (blkid_loff_t)start_bytes, (blkid_loff_t)size_bytes) == 0)
        return pr;
    (void)err_sys(err, errno ? errno : EIO, "libblkid");
    blkid_free_probe(pr);
    return NULL;
}

static void add_part(blkid_partition from, struct contents *out)
{
    struct contents_part part = {
        .number = blkid_partition_get_partno(from),
        .start_bytes = (uint64_t)blkid_partition_get_start(from) * SECTOR_BYTES,
        .size_bytes = (uint64_t)blkid_partition_get_size(from) * SECTOR_BYTES,
        .uuid = dup_printable(blkid_partition_get_uuid(from)),
        .name = dup_printable(blkid_partition_get_name(from)),
        .type = dup_printable(blkid_partition_get_type_string(from)),
    };

    if (!part.type)
        part.type = xasprintf("0x%02x", (unsigned)blkid_partition_get_type(from));
    VEC_PUSH(&out->parts, part);
}

static int read_table(blkid_probe pr, struct contents *out, struct err *err)
{
    blkid_partlist list;
    blkid_parttable table;
    int rc;

    (void)blkid_probe_enable_superblocks(pr, 0);
    (void)blkid_probe_enable_partitions(pr, 1);
    (void)blkid_probe_set_partitions_flags(pr, BLKID_PARTS_FORCE_GPT);
    rc = blkid_do_fullprobe(pr);
    if (rc < 0)
        return err_sys(err, errno ? errno : EIO, "looking for a partition table");
    list = rc == 0 ? blkid_probe_get_partitions(pr) : NULL;
    table = list ? blkid_partlist_get_table(list) : NULL;
    if (!table) {
        out->table = rc == 0 ? value_of(pr, "PTTYPE") : NULL; /* seen, but not understood */
        return 0;
    }
    out->table = dup_printable(blkid_parttable_get_type(table));
    out->table_uuid = dup_printable(blkid_parttable_get_id(table));
    for (int i = 0; i < blkid_partlist_numof_partitions(list); i++)
        add_part(blkid_partlist_get_partition(list, i), out);
    return 0;
}

int contents_read(int fd, struct contents *out, struct err *err)
{
    blkid_probe pr;
    int rc;

    *out = (struct contents){0};
    errno = 0;
    pr = probe_at(fd, 0, 0, err);
    if (!pr)
        return -1;
    rc = read_table(pr, out, err);
    blkid_free_probe(pr);
    pr = rc == 0 ? probe_at(fd, 0, 0, err) : NULL;
    rc = pr ? read_signatures(pr, &out->signatures, err) : -1;
    blkid_free_probe(pr);
    for (size_t i = 0; rc == 0 && i < out->parts.n; i++) {
        struct contents_part *part = &out->parts.at[i];

        if (part->size_bytes == 0)
            continue;
        pr = probe_at(fd, part->start_bytes, part->size_bytes, err);
        rc = pr ? read_signatures(pr, &part->signatures, err) : -1;
        blkid_free_probe(pr);
    }
    return rc;
}

static void release_signatures(contents_signatures *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->at[i].type);
        free(list->at[i].uuid);
        free(list->at[i].label);
    }
    VEC_RELEASE(list);
}

void contents_release(struct contents *c)
{
    for (size_t i = 0; i < c->parts.n; i++) {
        free(c->parts.at[i].type);
        free(c->parts.at[i].uuid);
        free(c->parts.at[i].name);
        release_signatures(&c->parts.at[i].signatures);
    }
    VEC_RELEASE(&c->parts);
    release_signatures(&c->signatures);
    free(c->table);
    free(c->table_uuid);
    c->table = NULL;
    c->table_uuid = NULL;
}
