/*
 * Prints a drive map. Names come from outside (volume groups, files, drives): control characters
 * never reach the terminal.
 */
#include "cmd/drive_show.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "drive/blockdev_shared.h"
#include "drive/inventory.h"

static void print_safe(FILE *out, const char *text)
{
    char *plain = xstrdup(text);

    plain_line(plain);
    (void)fputs(plain, out);
    free(plain);
}

static void print_line(FILE *out, const char *title, const char *text)
{
    if (text == NULL)
        return;
    (void)fprintf(out, "%-9s", title);
    print_safe(out, text);
    (void)fputc('\n', out);
}

static int depth_of(const struct drive_map *map, size_t i)
{
    int depth = 0;

    for (int p = map->devices.at[i].parent; p >= 0; p = map->devices.at[p].parent)
        depth++;
    return depth;
}

static const char *role_shown(unsigned roles)
{
    const unsigned both = DRIVE_FILESYSTEM | DRIVE_LEAF;

    if ((roles & both) == both)
        return "file system, leaf";
    if (roles & DRIVE_FILESYSTEM)
        return "file system";
    return roles == 0 ? "-" : drive_role_name(roles);
}

static void add_fact(struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void add_fact(struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;

    if (sb->len > 0)
        strbuf_adds(sb, ", ");
    va_start(ap, fmt);
    strbuf_vaddf(sb, fmt, ap);
    va_end(ap);
}

/* The second line of a device: what the drive says of itself; empty where it says nothing. */
static void add_inventory(struct strbuf *sb, const struct inventory *inv)
{
    if (inv->model != NULL)
        add_fact(sb, "%s", inv->model);
    if (inv->firmware != NULL)
        add_fact(sb, "firmware %s", inv->firmware);
    if (inv->serial != NULL)
        add_fact(sb, "serial %s", inv->serial);
    if (inv->link != NULL)
        add_fact(sb, "%s", inv->link);
    if (inv->rotational >= 0)
        add_fact(sb, "%s", inv->rotational ? "rotating" : "not rotating");
    if (inv->scheduler != NULL)
        add_fact(sb, "scheduler %s", inv->scheduler);
    if (inv->write_cache != NULL)
        add_fact(sb, "%s", inv->write_cache);
    if (inv->logical_block_bytes > 0 && inv->physical_block_bytes > 0)
        add_fact(sb, "blocks %" PRId64 "/%" PRId64, inv->logical_block_bytes,
                 inv->physical_block_bytes);
    if (inv->discard_max_bytes >= 0)
        add_fact(sb, "%s", inv->discard_max_bytes > 0 ? "discards" : "no discard");
}

static void size_text(const struct inventory *inv, char *buf, size_t size)
{
    (void)snprintf(buf, size, "-");
    if (inv->size_bytes >= 0)
        units_format_bytes((uint64_t)inv->size_bytes, buf, size);
}

static void show_device(const struct drive_show *show, size_t i, FILE *out)
{
    const struct drive_device *d = &show->map->devices.at[i];
    const int indent = 2 * depth_of(show->map, i);
    struct inventory inv;
    struct strbuf facts;
    char size[32];

    inventory_read(show->root, d->sysfs, show->with_serial, &inv);
    strbuf_init(&facts);
    size_text(&inv, size, sizeof(size));
    (void)fprintf(out, "%*s%-*s  %-17s %9s  %s", indent, "", indent < 22 ? 22 - indent : 0, d->name,
                  role_shown(d->roles), size, d->kind);
    if (d->label != NULL) {
        (void)fputc(' ', out);
        print_safe(out, d->label);
    }
    (void)fputc('\n', out);
    /* A partition's are its disk's, which follows. */
    if (strcmp(d->kind, "partition") != 0)
        add_inventory(&facts, &inv);
    if (facts.len > 0)
        (void)fprintf(out, "%*s%s\n", indent + 4, "", facts.buf);
    if (d->note != NULL) {
        (void)fprintf(out, "%*snote: ", indent + 4, "");
        print_safe(out, d->note);
        (void)fputc('\n', out);
    }
    strbuf_release(&facts);
    inventory_release(&inv);
}

static void show_device_plain(const struct drive_show *show, size_t i, FILE *out)
{
    const struct drive_device *d = &show->map->devices.at[i];
    const char *parent = d->parent >= 0 ? show->map->devices.at[d->parent].name : "-";
    struct inventory inv;

    inventory_read(show->root, d->sysfs, show->with_serial, &inv);
    (void)fprintf(out, "%s\t%s\t%s\t%s\t%" PRId64 "\t%s\t", d->name, drive_role_name(d->roles),
                  parent, d->kind, inv.size_bytes, inv.model ? inv.model : "-");
    print_safe(out, d->label ? d->label : "-");
    (void)fputc('\n', out);
    inventory_release(&inv);
}

void drive_show_text(const struct drive_show *show, FILE *out)
{
    const struct drive_map *map = show->map;

    if (show->plain) {
        for (size_t i = 0; i < map->devices.n; i++)
            show_device_plain(show, i, out);
        return;
    }
    print_line(out, "host", show->host);
    print_line(out, "path", map->path);
    print_line(out, "mount", map->mount_point);
    if (map->fs_type != NULL) {
        print_line(out, "type", map->fs_type);
        print_line(out, "options", map->mount_options);
    }
    print_line(out, "found", map->how_found);
    if (show->shared & BLOCKDEV_ROOT)
        print_line(out, "beware", "/ is on the same drive");
    if (show->shared & BLOCKDEV_SWAP)
        print_line(out, "beware", "swap is on the same drive");
    if (map->devices.n > 0)
        (void)fprintf(out, "\n%-22s  %-17s %9s  %s\n", "device", "role", "size", "kind");
    for (size_t i = 0; i < map->devices.n; i++)
        show_device(show, i, out);
}

/* A JSON string of any text (bytes that are not UTF-8 become '?'), null of NULL. */
static json_t *json_of(const char *text)
{
    json_t *json;
    char *ascii;

    if (text == NULL)
        return json_null();
    json = json_string(text);
    if (json != NULL)
        return json;
    ascii = xstrdup(text);
    for (char *c = ascii; *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    }
    json = json_string(ascii);
    free(ascii);
    return json;
}

static json_t *json_number(int64_t value)
{
    return value >= 0 ? json_integer(value) : json_null();
}

static void set(json_t *object, const char *key, json_t *value)
{
    CHECK(value != NULL);
    CHECK(json_object_set_new(object, key, value) == 0);
}

static json_t *device_json(const struct drive_show *show, size_t i)
{
    const struct drive_device *d = &show->map->devices.at[i];
    json_t *o = json_object();
    struct inventory inv;

    inventory_read(show->root, d->sysfs, show->with_serial, &inv);
    set(o, "name", json_of(d->name));
    set(o, "role", json_of(drive_role_name(d->roles)));
    set(o, "parent", json_of(d->parent >= 0 ? show->map->devices.at[d->parent].name : NULL));
    set(o, "kind", json_of(d->kind));
    set(o, "label", json_of(d->label));
    set(o, "counts", json_boolean(d->counts));
    set(o, "note", json_of(d->note));
    set(o, "size_bytes", json_number(inv.size_bytes));
    set(o, "model", json_of(inv.model));
    set(o, "firmware", json_of(inv.firmware));
    if (show->with_serial)
        set(o, "serial", json_of(inv.serial));
    set(o, "link", json_of(inv.link));
    set(o, "rotational", inv.rotational >= 0 ? json_boolean(inv.rotational) : json_null());
    set(o, "scheduler", json_of(inv.scheduler));
    set(o, "write_cache", json_of(inv.write_cache));
    set(o, "logical_block_bytes", json_number(inv.logical_block_bytes));
    set(o, "physical_block_bytes", json_number(inv.physical_block_bytes));
    set(o, "discard_max_bytes", json_number(inv.discard_max_bytes));
    set(o, "requests_max", json_number(inv.requests_max));
    set(o, "diskseq", json_number(inv.diskseq));
    inventory_release(&inv);
    return o;
}

void drive_show_json(const struct drive_show *show, FILE *out)
{
    const struct drive_map *map = show->map;
    json_t *o = json_object();
    json_t *devices = json_array();

    set(o, "host", json_of(show->host));
    set(o, "path", json_of(map->path));
    set(o, "mount_point", json_of(map->mount_point));
    set(o, "filesystem", json_of(map->fs_type));
    set(o, "mount_options", json_of(map->mount_options));
    set(o, "source", json_of(map->source));
    set(o, "how_found", json_of(map->how_found));
    set(o, "reason", json_of(map->reason));
    set(o, "with_root", json_boolean(show->shared & BLOCKDEV_ROOT));
    set(o, "with_swap", json_boolean(show->shared & BLOCKDEV_SWAP));
    for (size_t i = 0; i < map->devices.n; i++)
        CHECK(json_array_append_new(devices, device_json(show, i)) == 0);
    set(o, "devices", devices);
    (void)json_dumpf(o, out, JSON_INDENT(2));
    (void)fputc('\n', out);
    json_decref(o);
}
