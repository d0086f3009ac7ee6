/*
 * JSON by jansson, whose integers are whole and signed: lengths fit. What is read is foreign, so
 * every member is looked at.
 */
#include "cluster/image_manifest.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define FORMAT "tpcc-run-image/1"
#define MODES 07777

static void put(json_t *object, const char *key, json_t *value)
{
    CHECK(value);
    CHECK(json_object_set_new(object, key, value) == 0);
}

static void add(json_t *list, json_t *value)
{
    CHECK(value);
    CHECK(json_array_append_new(list, value) == 0);
}

/* Names of files are bytes, not always UTF-8; a server's are ASCII. */
static json_t *path_text(const char *path)
{
    json_t *text = json_string(path);

    return text ? text : json_string("?");
}

char *image_manifest_format(const struct image_about *about, const struct files *files)
{
    json_t *root = json_object();
    json_t *folders = json_array();
    json_t *list = json_array();
    char *text = NULL;

    CHECK(root);
    put(root, "format", json_string(FORMAT));
    put(root, "made_us", json_integer(about->made_us));
    put(root, "server_major", json_integer(about->of.major));
    put(root, "warehouses", json_integer((json_int_t)about->of.warehouses));
    put(root, "loaded_at_us", json_integer(about->of.loaded_at_us));
    put(root, "bytes", json_integer((json_int_t)files->bytes));
    for (size_t i = 0; i < files->folders.n; i++) {
        json_t *folder = json_object();

        put(folder, "path", path_text(files->folders.at[i].path));
        put(folder, "mode", json_integer(files->folders.at[i].mode));
        add(folders, folder);
    }
    for (size_t i = 0; i < files->list.n; i++) {
        const struct files_one *f = &files->list.at[i];
        json_t *one = json_object();

        put(one, "path", path_text(f->path));
        put(one, "mode", json_integer(f->mode));
        put(one, "bytes", json_integer((json_int_t)f->bytes));
        put(one, "crc32", json_integer(f->crc));
        add(list, one);
    }
    put(root, "folders", folders);
    put(root, "files", list);
    text = json_dumps(root, JSON_INDENT(1));
    CHECK(text);
    json_decref(root);
    return text;
}

static int broken(struct err *err, const char *what)
{
    return err_set(err, ERR_SURROUNDINGS, "its manifest.json has no sound \"%s\"", what);
}

/* A whole number up to `most`. */
static int number(const json_t *object, const char *key, uint64_t most, uint64_t *out,
                  struct err *err)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > most)
        return broken(err, key);
    *out = (uint64_t)json_integer_value(value);
    return 0;
}

/* Below the image, and nowhere else. */
static bool is_inside(const char *path)
{
    if (!path || !path[0] || path[0] == '/')
        return false;
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return false;
    }
    return true;
}

/* Its path, free() it, and its mode; NULL and err for a broken one. */
static char *entry(const json_t *node, mode_t *mode, struct err *err)
{
    const char *path = json_string_value(json_object_get(node, "path"));
    uint64_t bits = 0;

    if (!is_inside(path)) {
        (void)broken(err, "path");
        return NULL;
    }
    if (number(node, "mode", MODES, &bits, err) < 0)
        return NULL;
    *mode = (mode_t)bits;
    return xstrdup(path);
}

static int read_folders(const json_t *list, struct files *files, struct err *err)
{
    if (!json_is_array(list))
        return broken(err, "folders");
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct files_folder f = {0};

        f.path = entry(json_array_get(list, i), &f.mode, err);
        if (!f.path)
            return -1;
        VEC_PUSH(&files->folders, f);
    }
    return 0;
}

static int read_files(const json_t *list, struct files *files, struct err *err)
{
    if (!json_is_array(list))
        return broken(err, "files");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *node = json_array_get(list, i);
        struct files_one f = {0};
        uint64_t crc = 0;

        f.path = entry(node, &f.mode, err);
        if (!f.path)
            return -1;
        VEC_PUSH(&files->list, f);
        if (number(node, "bytes", INT64_MAX, &files->list.at[i].bytes, err) < 0 ||
            number(node, "crc32", UINT32_MAX, &crc, err) < 0)
            return -1;
        files->list.at[i].crc = (uint32_t)crc;
        files->bytes += files->list.at[i].bytes;
    }
    return 0;
}

static int read_head(const json_t *root, struct image_about *about, struct err *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    uint64_t major = 0;
    uint64_t loaded_at_us = 0;
    uint64_t made_us = 0;

    if (!format || strcmp(format, FORMAT) != 0)
        return err_set(err, ERR_SURROUNDINGS,
                       "its manifest.json is of format \"%.40s\", not \"%s\"", format ? format : "",
                       FORMAT);
    if (number(root, "server_major", 999, &major, err) < 0 ||
        number(root, "warehouses", INT32_MAX, &about->of.warehouses, err) < 0 ||
        number(root, "loaded_at_us", INT64_MAX, &loaded_at_us, err) < 0 ||
        number(root, "made_us", INT64_MAX, &made_us, err) < 0 ||
        number(root, "bytes", INT64_MAX, &about->bytes, err) < 0)
        return -1;
    about->of.major = (int)major;
    about->of.loaded_at_us = (int64_t)loaded_at_us;
    about->made_us = (int64_t)made_us;
    return 0;
}

int image_manifest_read(const char *path, struct image_about *about, struct files *files,
                        struct err *err)
{
    json_error_t where;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    int rc = -1;

    *files = (struct files){0};
    if (!root)
        return err_set(err, ERR_SURROUNDINGS, "%s: %s", path, where.text);
    if (read_head(root, about, err) == 0 &&
        read_folders(json_object_get(root, "folders"), files, err) == 0 &&
        read_files(json_object_get(root, "files"), files, err) == 0)
        rc = files->bytes == about->bytes ? 0 : broken(err, "bytes");
    about->there = rc == 0;
    json_decref(root);
    return rc;
}
