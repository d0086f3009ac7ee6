/*
 * The rules, one function for each kind of fact. Each adds its reasons to a list, so that all that
 * is wrong is told at once.
 */
#include "drive/block_refuse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

typedef VEC(char *) reasons;

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static void refuse_kind(const struct block_facts *f, const struct block_rules *rules, reasons *out)
{
    if (f->read_only)
        VEC_PUSH(out, xasprintf("%s is read-only", f->name));
    if (f->size_bytes <= 0)
        VEC_PUSH(out, xasprintf("%s has no size: no medium?", f->name));
    if (!rules->whole)
        return;
    if (f->partition)
        VEC_PUSH(out, xasprintf("%s is a partition: name the drive, /dev/%s", f->name, f->disk));
    if (f->stands_on)
        VEC_PUSH(out, xasprintf("%s stands on %s: name a drive", f->name, f->stands_on));
    if (!f->partition && !f->takes_partitions)
        VEC_PUSH(out, xasprintf("%s takes no partitions: name a drive", f->name));
}

static char *use_reason(const struct block_used *u)
{
    switch (u->use) {
    case BLOCK_MOUNTED:
        return xasprintf("%s is mounted at %s (umount it first)", u->name, u->by);
    case BLOCK_SWAP:
        return xasprintf("%s is a swap area (swapoff it first)", u->name);
    case BLOCK_HELD:
        return xasprintf("%s is held by %s", u->name, u->by);
    case BLOCK_LOOPED:
        return xasprintf("%s is what %s stands on (losetup -d /dev/%s)", u->name, u->by, u->by);
    case BLOCK_BTRFS:
        return xasprintf("%s is part of the mounted btrfs %s", u->name, u->by);
    case BLOCK_ROOT:
        return xasprintf("%s is under /", u->name);
    }
    UNREACHABLE();
}

static void refuse_uses(const struct block_facts *f, const struct block_rules *rules, reasons *out)
{
    for (size_t i = 0; i < f->used.n; i++) {
        const struct block_used *u = &f->used.at[i];

        if (u->use == BLOCK_MOUNTED && rules->own && same(u->by, rules->own->mount_point) &&
            strcmp(u->name, f->name) != 0)
            continue;
        VEC_PUSH(out, use_reason(u));
    }
}

static void refuse_signatures(const char *where, const contents_signatures *list,
                              const struct block_rules *rules, reasons *out)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct contents_signature *s = &list->at[i];

        VEC_PUSH(out, xasprintf("%s holds %s%s%s%s that %s did not make", where, s->type,
                                s->label ? " \"" : "", s->label ? s->label : "",
                                s->label ? "\"" : "", rules->program));
    }
}

/* The table, its only entry, and what is in it, each of them known. */
static bool is_own_table(const struct contents *c, const struct block_own *own)
{
    return own && same(c->table, "gpt") && same(c->table_uuid, own->table_uuid) &&
           c->parts.n == 1 && same(c->parts.at[0].uuid, own->part_uuid);
}

static bool is_own_signature(const contents_signatures *list, const struct block_own *own)
{
    return list->n == 0 || (list->n == 1 && same(list->at[0].uuid, own->fs_uuid));
}

static void refuse_contents(const struct block_facts *f, const struct block_rules *rules,
                            reasons *out)
{
    const struct contents *c = &f->contents;
    const bool own = is_own_table(c, rules->own);
    const size_t before = out->n;

    if (rules->own_all)
        return;
    if (c->table && !own)
        VEC_PUSH(out, xasprintf("%s has a partition table (%s, %zu partition%s) that %s did not "
                                "make",
                                f->name, c->table, c->parts.n, c->parts.n == 1 ? "" : "s",
                                rules->program));
    refuse_signatures(f->name, &c->signatures, rules, out);
    for (size_t i = 0; i < c->parts.n; i++) {
        const struct contents_part *part = &c->parts.at[i];
        char *where = xasprintf("its partition %d", part->number);

        if (!own || !is_own_signature(&part->signatures, rules->own))
            refuse_signatures(where, &part->signatures, rules, out);
        free(where);
    }
    if (out->n > before)
        VEC_PUSH(out, xasprintf("if nothing of that is wanted: wipefs --all %s", f->node));
}

static void judge(const struct block_facts *f, const struct block_rules *rules, reasons *out)
{
    CHECK(f->looked);
    refuse_kind(f, rules, out);
    refuse_uses(f, rules, out);
    refuse_contents(f, rules, out);
}

static void release(reasons *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    VEC_RELEASE(list);
}

int block_refuse(const struct block_facts *f, const struct block_rules *rules, struct err *err)
{
    reasons list = {0};
    struct strbuf all;
    int rc = 0;

    judge(f, rules, &list);
    strbuf_init(&all);
    for (size_t i = 0; i < list.n; i++)
        strbuf_addf(&all, "%s%s", i ? "; " : "", list.at[i]);
    if (list.n > 0)
        rc = err_set(err, ERR_SURROUNDINGS, "%s is left alone: %s", f->node, all.buf);
    strbuf_release(&all);
    release(&list);
    return rc;
}

char *block_consent(const struct block_facts *f)
{
    return f->serial ? xstrdup(f->serial) : xasprintf("%" PRId64, f->disk_bytes);
}

int block_consent_check(const struct block_facts *f, const char *given, struct err *err)
{
    char *want = block_consent(f);
    const char *what = f->serial      ? "its serial number"
                       : f->partition ? "its drive's size in bytes, since that has no serial,"
                                      : "its size in bytes, since it has no serial,";
    char *teller = f->serial ? xasprintf("drive-info --serial %s", f->node)
                             : xasprintf("blockdev --getsize64 %s%s", f->partition ? "/dev/" : "",
                                         f->partition ? f->disk : f->node);
    int rc = 0;

    if (!given)
        rc = err_set(err, ERR_USAGE,
                     "what is on %s would be lost: to agree, give %s with --i-will-lose "
                     "(%s tells it)",
                     f->node, what, teller);
    else if (strcmp(given, want) != 0)
        rc = err_set(err, ERR_USAGE,
                     "\"%s\" is not what stands for %s: to lose what is on it, give %s with "
                     "--i-will-lose (%s tells it)",
                     given, f->node, what, teller);
    free(teller);
    free(want);
    return rc;
}
