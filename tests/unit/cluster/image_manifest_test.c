/*
 * manifest.json of an image: what is written is what is read, and what is broken is an error.
 */
#include "cluster/image_manifest.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static const struct image_about about = {
    .there = true,
    .of = {.major = 15, .warehouses = 20, .loaded_at_us = INT64_C(1796085360391736)},
    .bytes = UINT64_C(5000000000),
    .made_us = INT64_C(1796085362917867),
};

static struct files made_files(void)
{
    struct files f = {.bytes = UINT64_C(5000000000)};

    VEC_PUSH(&f.folders, ((struct files_folder){xstrdup("base"), 0700}));
    VEC_PUSH(&f.list,
             ((struct files_one){xstrdup("base/1"), UINT64_C(4999999997), UINT32_MAX, 0600}));
    VEC_PUSH(&f.list, ((struct files_one){xstrdup("PG_VERSION"), 3, 0, 0640}));
    return f;
}

/* The manifest with the first `from` replaced; free() it. */
static char *changed(const char *from, const char *to)
{
    struct files f = made_files();
    char *text = image_manifest_format(&about, &f);
    char *at = strstr(text, from);
    char *out = NULL;

    UNIT_TRUE(from, at != NULL);
    if (at)
        out = xasprintf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    files_release(&f);
    return out ? out : xstrdup("");
}

static int read_text(const char *text, struct image_about *got, struct files *f, struct err *err)
{
    char *dir = tmpdir_new();
    char *path = xasprintf("%s/manifest.json", dir);
    int rc;

    tmpdir_write(dir, "/manifest.json", text);
    rc = image_manifest_read(path, got, f, err);
    free(path);
    tmpdir_free(dir);
    return rc;
}

static void test_both_ways(void)
{
    struct files f = made_files();
    char *text = image_manifest_format(&about, &f);
    struct image_about got = {0};
    struct files back = {0};
    struct err err = {0};

    UNIT_EQ_I64(err.text, read_text(text, &got, &back, &err), 0);
    UNIT_TRUE("there", got.there);
    UNIT_TRUE("of the same", image_is_of(&got, &about.of));
    UNIT_EQ_U64("", got.bytes, about.bytes);
    UNIT_EQ_I64("", got.made_us, about.made_us);
    UNIT_EQ_U64("", back.list.n, 2);
    UNIT_EQ_STR("", back.list.at[0].path, "base/1");
    UNIT_EQ_U64("", back.list.at[0].bytes, UINT64_C(4999999997));
    UNIT_EQ_U64("", back.list.at[0].crc, UINT32_MAX);
    UNIT_EQ_I64("", back.list.at[1].mode, 0640);
    UNIT_EQ_U64("", back.folders.n, 1);
    UNIT_EQ_I64("", back.folders.at[0].mode, 0700);
    files_release(&back);
    files_release(&f);
    free(text);
}

static void test_broken(void)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"tpcc-run-image/1", "tpcc-run-image/2", "of format \"tpcc-run-image/2\""},
        {"\"server_major\": 15", "\"server_major\": \"15\"", "server_major"},
        {"\"warehouses\": 20", "\"warehouses\": -1", "warehouses"},
        {"5000000000", "5000000001", "bytes"},
        {"\"base/1\"", "\"../../etc/passwd\"", "path"},
        {"\"base/1\"", "\"base/../../1\"", "path"},
        {"\"base/1\"", "\"/base/1\"", "path"},
        {"\"base/1\"", "\"\"", "path"},
        {"\"base/1\"", "null", "path"},
        {"\"mode\": 384", "\"mode\": 65536", "mode"},
        {"4294967295", "4294967296", "crc32"},
        {"\"files\"", "\"filed\"", "files"},
        {"\"folders\": [", "\"folders\": 3, \"x\": [", "folders"},
        {"}", "", "manifest.json"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *text = changed(cases[i].from, cases[i].to);
        struct image_about got = {0};
        struct files f = {0};
        struct err err = {0};

        UNIT_EQ_I64(cases[i].to, read_text(text, &got, &f, &err), -1);
        UNIT_TRUE(err.text, strstr(err.text, cases[i].says) != NULL);
        UNIT_TRUE(cases[i].to, !got.there);
        files_release(&f);
        free(text);
    }
}

static void test_is_of(void)
{
    struct image_of of = about.of;
    struct image_about none = about;

    UNIT_TRUE("", image_is_of(&about, &of));
    of.major = 16;
    UNIT_TRUE("another server", !image_is_of(&about, &of));
    of = about.of;
    of.loaded_at_us++;
    UNIT_TRUE("another load", !image_is_of(&about, &of));
    of = about.of;
    of.warehouses = 2;
    UNIT_TRUE("another size", !image_is_of(&about, &of));
    none.there = false;
    UNIT_TRUE("none", !image_is_of(&none, &about.of));
}

static const struct unit_test tests[] = {
    {"both ways", test_both_ways},
    {"broken ones", test_broken},
    {"of which dataset", test_is_of},
};

const struct unit_suite image_manifest_suite = UNIT_SUITE("image_manifest", tests);
