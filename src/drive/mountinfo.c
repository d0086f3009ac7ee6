/*
 * Parses /proc/self/mountinfo (proc(5)):
 *   ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAG...] - TYPE SOURCE SUPER
 * Fields are separated by single spaces; space, tab, newline, backslash and '#' inside a field are
 * written as a backslash and three octal digits. Used by blockdev; holds nothing open.
 */
#include "drive/mountinfo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"

#define MOUNTINFO_BYTES_MAX ((size_t)16 << 20) /* some 100,000 mounts */

/* Cuts the next field off *rest; NULL at the end of the line. Fields are not empty, but for the
 * source, which may be. */
static char *next_field(char **rest)
{
    char *field = *rest;
    char *space;

    if (field == NULL)
        return NULL;
    space = strchr(field, ' ');
    if (space != NULL)
        *space++ = '\0';
    *rest = space;
    return field;
}

static bool parse_u32(const char *text, uint32_t *out)
{
    uint64_t v = 0;

    if (units_parse_u64(text, &v, NULL) < 0 || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static bool parse_device(char *text, struct mount *m)
{
    char *colon = strchr(text, ':');

    if (colon == NULL)
        return false;
    *colon = '\0';
    return parse_u32(text, &m->major) && parse_u32(colon + 1, &m->minor);
}

static void mount_release(struct mount *m)
{
    free(m->point);
    free(m->options);
    free(m->type);
    free(m->source);
    free(m->super);
}

static char *copy_unescaped(const char *field)
{
    char *copy = xstrdup(field);

    mountinfo_unescape(copy);
    return copy;
}

/* Fills m from one line, which it cuts up. False where it is not a mountinfo line. */
static bool parse_line(char *line, struct mount *m)
{
    char *rest = line;
    char *id = next_field(&rest);
    char *parent = next_field(&rest);
    char *device = next_field(&rest);
    char *root = next_field(&rest);
    char *point = next_field(&rest);
    char *options = next_field(&rest);
    char *type;
    char *source;
    char *super;

    if (id == NULL || parent == NULL || device == NULL || root == NULL || point == NULL ||
        options == NULL)
        return false;
    for (char *tag = next_field(&rest); tag == NULL || strcmp(tag, "-") != 0;
         tag = next_field(&rest)) {
        if (tag == NULL)
            return false;
    }
    type = next_field(&rest);
    source = next_field(&rest);
    super = next_field(&rest);
    if (type == NULL || source == NULL || super == NULL || type[0] == '\0' || point[0] != '/')
        return false;
    if (units_parse_u64(id, &m->id, NULL) < 0 || units_parse_u64(parent, &m->parent, NULL) < 0)
        return false;
    if (!parse_device(device, m))
        return false;

    m->point = copy_unescaped(point);
    m->options = xstrdup(options);
    m->type = copy_unescaped(type);
    m->source = copy_unescaped(source);
    m->super = xstrdup(super);
    return true;
}

int mountinfo_parse(const char *text, struct mountinfo *out, struct err *err)
{
    int rc = -1;
    int number = 0;
    char *copy = xstrdup(text);

    memset(out, 0, sizeof(*out));
    for (char *line = copy, *next; line != NULL && *line != '\0'; line = next) {
        struct mount m = {0};

        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        number++;
        if (!parse_line(line, &m)) {
            err_set(err, ERR_SURROUNDINGS, "mountinfo:%d: not a line of mountinfo", number);
            goto out;
        }
        VEC_PUSH(&out->mounts, m);
    }
    rc = 0;
out:
    if (rc < 0)
        mountinfo_release(out);
    free(copy);
    return rc;
}

int mountinfo_read(const struct fsroot *root, struct mountinfo *out, struct err *err)
{
    char *text = fsroot_read(root, "/proc/self/mountinfo", MOUNTINFO_BYTES_MAX, err);
    int rc;

    memset(out, 0, sizeof(*out));
    if (text == NULL)
        return -1;
    rc = mountinfo_parse(text, out, err);
    free(text);
    return rc;
}

void mountinfo_release(struct mountinfo *mi)
{
    for (size_t i = 0; i < mi->mounts.n; i++)
        mount_release(&mi->mounts.at[i]);
    VEC_RELEASE(&mi->mounts);
}

const struct mount *mountinfo_by_id(const struct mountinfo *mi, uint64_t id)
{
    for (size_t i = 0; i < mi->mounts.n; i++) {
        if (mi->mounts.at[i].id == id)
            return &mi->mounts.at[i];
    }
    return NULL;
}

/* "/a" is a prefix of "/a" and "/a/b", not of "/ab"; "/" of all. */
static bool is_path_prefix(const char *prefix, const char *path)
{
    size_t n = strlen(prefix);

    while (n > 0 && prefix[n - 1] == '/')
        n--;
    return strncmp(prefix, path, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

const struct mount *mountinfo_by_path(const struct mountinfo *mi, const char *path)
{
    const struct mount *best = NULL;

    for (size_t i = 0; i < mi->mounts.n; i++) {
        const struct mount *m = &mi->mounts.at[i];

        if (!is_path_prefix(m->point, path))
            continue;
        if (best == NULL || strlen(m->point) >= strlen(best->point))
            best = m;
    }
    return best;
}

char *mountinfo_option(const struct mount *m, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = m->super; *p != '\0';) {
        const size_t len = strcspn(p, ",");

        if (len > n && strncmp(p, name, n) == 0 && p[n] == '=') {
            char *value = xstrndup(p + n + 1, len - n - 1);

            mountinfo_unescape(value);
            return value;
        }
        p += len;
        p += *p == ',';
    }
    return NULL;
}

/* True where one of the comma-separated options in list is exactly this one. */
static bool has_option(const char *list, const char *option, size_t len)
{
    for (const char *p = list; *p != '\0';) {
        const size_t n = strcspn(p, ",");

        if (n == len && strncmp(p, option, n) == 0)
            return true;
        p += n;
        p += *p == ',';
    }
    return false;
}

char *mountinfo_all_options(const struct mount *m)
{
    struct strbuf sb;
    char *all;

    strbuf_init(&sb);
    strbuf_adds(&sb, m->options);
    for (const char *p = m->super; *p != '\0';) {
        const size_t n = strcspn(p, ",");

        /* A mount may be "ro" on a file system that is "rw". The other way round (a file system
         * that turned itself read-only after an error) both are shown. */
        if (!has_option(m->options, p, n) && !has_option("rw", p, n)) {
            if (sb.len > 0)
                strbuf_addc(&sb, ',');
            strbuf_add(&sb, p, n);
        }
        p += n;
        p += *p == ',';
    }
    all = strbuf_detach(&sb);
    strbuf_release(&sb);
    return all;
}

void mountinfo_unescape(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        bool octal = from[0] == '\\' && from[1] >= '0' && from[1] <= '3';

        octal = octal && from[2] >= '0' && from[2] <= '7' && from[3] >= '0' && from[3] <= '7';
        /* A zero byte can't be part of a path. */
        if (octal && (from[1] != '0' || from[2] != '0' || from[3] != '0')) {
            *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 3;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}
