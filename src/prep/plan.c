/*
 * The decisions, a function each. The chain of ways to erase goes from what makes a drive as good
 * as new to what merely overwrites it: NVMe format, discard, overwrite.
 */
#include "prep/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"
#include "prep/filesystem.h"
#include "prep/partition.h"

#define BLOCKS_PERCENT 5
#define QLC_PERCENT 1

const char *prep_erase_name(enum settings_prep_erase way)
{
    switch (way) {
    case PREP_ERASE_NVME_FORMAT:
        return "nvme format";
    case PREP_ERASE_DISCARD:
        return "discard";
    case PREP_ERASE_OVERWRITE:
        return "overwrite";
    case PREP_ERASE_SANITIZE:
        return "nvme sanitize";
    case PREP_ERASE_NONE:
        return "none";
    case PREP_ERASE_AUTO:
        break;
    }
    UNREACHABLE();
}

/* Why this way can't be gone; NULL: it can, as far as is known. */
static const char *hindrance(enum settings_prep_erase way, const struct prep_abilities *can)
{
    switch (way) {
    case PREP_ERASE_NVME_FORMAT:
        return can->nvme.no_format;
    case PREP_ERASE_SANITIZE:
        return can->nvme.no_sanitize;
    case PREP_ERASE_DISCARD:
        return can->discards ? NULL : "it does not discard";
    case PREP_ERASE_OVERWRITE:
    case PREP_ERASE_NONE:
    case PREP_ERASE_AUTO:
        return NULL;
    }
    UNREACHABLE();
}

static void note(struct prep_plan *p, enum settings_prep_erase way, const char *why)
{
    char *both = xasprintf("%s%sno %s: %s", p->erase_note ? p->erase_note : "",
                           p->erase_note ? "; " : "", prep_erase_name(way), why);

    free(p->erase_note);
    p->erase_note = both;
}

/* What is wished for first, then what comes after it in the chain. That a drive of another kind has
 * no NVMe format is worth a word only where it was wished for. */
static void plan_erase(const struct settings_prep *s, const struct prep_abilities *can,
                       struct prep_plan *p)
{
    static const enum settings_prep_erase chain[] = {PREP_ERASE_SANITIZE, PREP_ERASE_NVME_FORMAT,
                                                     PREP_ERASE_DISCARD, PREP_ERASE_OVERWRITE};
    const enum settings_prep_erase wish = (enum settings_prep_erase)s->erase;
    bool on = wish == PREP_ERASE_AUTO;

    for (size_t i = 0; i < ARRAY_LEN(chain) && wish != PREP_ERASE_NONE; i++) {
        const enum settings_prep_erase way = chain[i];
        const char *why = hindrance(way, can);

        on = on || way == wish;
        if (!on || (way == PREP_ERASE_SANITIZE && wish != way))
            continue;
        if (!why)
            p->ways[p->n_ways++] = way;
        else if (way == wish || can->nvme.is_nvme || way != PREP_ERASE_NVME_FORMAT)
            note(p, way, why);
    }
}

/* The fill overwrites the whole surface too: twice is no better than once. */
static void drop_overwrite(struct prep_plan *p)
{
    if (p->fill && p->n_ways > 0 && p->ways[p->n_ways - 1] == PREP_ERASE_OVERWRITE) {
        p->n_ways--;
        if (p->n_ways == 0)
            note(p, PREP_ERASE_OVERWRITE, "the fill overwrites everything");
    }
}

static int plan_partition(const struct settings_prep *s, const struct block_facts *f,
                          struct prep_plan *p, struct err *err)
{
    const uint64_t room = partition_room(p->size_bytes);
    const uint64_t percent = s->qlc ? QLC_PERCENT : BLOCKS_PERCENT;
    uint64_t size = s->size_bytes;

    if (size == 0 && s->purpose == PREP_BLOCKS)
        size = p->size_bytes / 100 * percent;
    if (size == 0 && s->purpose == PREP_DATABASE)
        size = room;
    if (s->size_bytes > room)
        return err_set(err, ERR_USAGE, "--size: %s holds a partition of %" PRIu64 " bytes at most",
                       f->node, room);
    p->part_start_bytes = PARTITION_ALIGN;
    p->part_size_bytes = (size + PARTITION_ALIGN - 1) / PARTITION_ALIGN * PARTITION_ALIGN;
    if (p->part_size_bytes > room)
        p->part_size_bytes = room;
    if (p->part_size_bytes == 0)
        return err_set(err, ERR_USAGE, "%s is too small for a partition", f->node);
    return 0;
}

static int plan_filesystem(const struct settings_prep *s, struct prep_plan *p, struct err *err)
{
    p->filesystem = -1;
    if (s->purpose == PREP_BLOCKS) {
        if (s->mount)
            return err_set(err, ERR_USAGE,
                           "--mount is for --for database: block tests take the "
                           "partition as it is");
        return 0;
    }
    if (s->qlc)
        return err_set(err, ERR_USAGE,
                       "--qlc is for block tests: leave it out, or say --fill none");
    p->filesystem = s->filesystem;
    if (p->part_size_bytes < filesystem_min_bytes(s->filesystem))
        return err_set(err, ERR_USAGE, "%s needs a partition of %" PRIu64 " bytes",
                       filesystem_name(s->filesystem), filesystem_min_bytes(s->filesystem));
    p->mount_point = s->mount ? xstrdup(s->mount) : xasprintf("/mnt/%s", p->part_name);
    return 0;
}

int prep_plan_make(const struct settings_prep *s, const struct block_facts *f,
                   const struct prep_abilities *can, struct prep_plan *out, struct err *err)
{
    *out = (struct prep_plan){.filesystem = -1};
    out->size_bytes = (uint64_t)f->size_bytes;
    out->purpose = s->purpose == PREP_DATABASE ? "database" : "blocks";
    out->part_name = partition_name(f->name);
    out->fill = s->fill == PREP_FILL_FULL || (s->fill == PREP_FILL_AUTO && !s->qlc);
    plan_erase(s, can, out);
    drop_overwrite(out);
    if (plan_partition(s, f, out, err) < 0)
        return -1;
    return plan_filesystem(s, out, err);
}

void prep_plan_release(struct prep_plan *p)
{
    free(p->erase_note);
    free(p->mount_point);
    free(p->part_name);
    *p = (struct prep_plan){.filesystem = -1};
}

static void print_erase(const struct prep_plan *p, struct strbuf *out)
{
    strbuf_adds(out, "  erase       ");
    for (int i = 0; i < p->n_ways; i++)
        strbuf_addf(out, "%s%s", i ? ", or where that fails " : "", prep_erase_name(p->ways[i]));
    strbuf_addf(out, "%s%s%s%s\n", p->n_ways ? "" : "none", p->erase_note ? " (" : "",
                p->erase_note ? p->erase_note : "", p->erase_note ? ")" : "");
}

void prep_plan_print(const struct prep_plan *p, const struct block_facts *f, struct strbuf *out)
{
    char drive[32];
    char part[32];

    units_format_bytes(p->size_bytes, drive, sizeof(drive));
    units_format_bytes(p->part_size_bytes, part, sizeof(part));
    strbuf_addf(out, "  drive       %s, %s, %" PRIu64 " bytes (%s), serial %s\n", f->node,
                f->model ? f->model : "of no model", p->size_bytes, drive,
                f->serial ? f->serial : "none");
    print_erase(p, out);
    if (p->fill)
        strbuf_addf(out, "  fill        %s of incompressible data, then samples of it read back\n",
                    drive);
    else
        strbuf_adds(out, "  fill        none\n");
    strbuf_addf(out, "  partition   %s, %s (%.3g %%) from %" PRIu64 " KiB on\n", p->part_name, part,
                100.0 * (double)p->part_size_bytes / (double)p->size_bytes,
                p->part_start_bytes / 1024);
    if (p->mount_point)
        strbuf_addf(out, "  filesystem  %s, made without discard, mounted at %s\n",
                    filesystem_name(p->filesystem), p->mount_point);
    else
        strbuf_adds(out, "  filesystem  none: for block tests\n");
}

char *prep_plan_wish(const struct prep_plan *p, const struct settings_prep *s)
{
    const enum settings_prep_erase erase = (enum settings_prep_erase)s->erase;

    return xasprintf("for %s, erase %s, fill %s, partition %" PRIu64 ", file system %s at %s",
                     p->purpose, erase == PREP_ERASE_AUTO ? "auto" : prep_erase_name(erase),
                     p->fill ? "full" : "none", p->part_size_bytes,
                     p->filesystem < 0 ? "none" : filesystem_name(p->filesystem),
                     p->mount_point ? p->mount_point : "-");
}
