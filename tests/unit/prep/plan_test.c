/*
 * prep/plan: how it is erased, what size the partition gets, and what can't be had.
 */
#include "prep/plan.h"

#include <stdlib.h>
#include <string.h>

#include "harness/unit.h"

#define LIT(text) ((char *)(uintptr_t)(text))
#define MIB (INT64_C(1) << 20)

static struct block_facts drive(int64_t size_bytes)
{
    return (struct block_facts){
        .node = LIT("/dev/nvme0n1"), .name = LIT("nvme0n1"), .size_bytes = size_bytes};
}

/* What a drive can do, in three letters: Format, Sanitize, Discard; "N": it is NVMe. */
static struct prep_abilities can(const char *letters)
{
    struct prep_abilities a = {.discards = strchr(letters, 'D') != NULL};

    a.nvme.is_nvme = strchr(letters, 'N') != NULL;
    a.nvme.no_format = strchr(letters, 'F') ? NULL : LIT("no F");
    a.nvme.no_sanitize = strchr(letters, 'S') ? NULL : LIT("no S");
    return a;
}

static void test_erase(void)
{
    static const struct {
        const char *abilities;
        int erase, fill;
        const char *ways; /* joined by ", " */
        const char *note;
    } rows[] = {
        {"NFSD", PREP_ERASE_AUTO, PREP_FILL_FULL, "nvme format, discard", NULL},
        {"NFSD", PREP_ERASE_AUTO, PREP_FILL_NONE, "nvme format, discard, overwrite", NULL},
        {"ND", PREP_ERASE_AUTO, PREP_FILL_FULL, "discard", "no nvme format: no F"},
        {"D", PREP_ERASE_AUTO, PREP_FILL_FULL, "discard", NULL},
        {"D", PREP_ERASE_NVME_FORMAT, PREP_FILL_FULL, "discard", "no nvme format: no F"},
        {"", PREP_ERASE_AUTO, PREP_FILL_NONE, "overwrite", "no discard: it does not discard"},
        {"", PREP_ERASE_AUTO, PREP_FILL_FULL, "",
         "no discard: it does not discard; no overwrite: the fill overwrites everything"},
        {"NFSD", PREP_ERASE_OVERWRITE, PREP_FILL_NONE, "overwrite", NULL},
        {"NFSD", PREP_ERASE_SANITIZE, PREP_FILL_FULL, "nvme sanitize, nvme format, discard", NULL},
        {"NFD", PREP_ERASE_SANITIZE, PREP_FILL_FULL, "nvme format, discard",
         "no nvme sanitize: no S"},
        {"NFSD", PREP_ERASE_DISCARD, PREP_FILL_NONE, "discard, overwrite", NULL},
        {"NFSD", PREP_ERASE_NONE, PREP_FILL_FULL, "", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct settings_prep s = {.erase = rows[i].erase, .fill = rows[i].fill};
        const struct block_facts f = drive(1000 * MIB);
        const struct prep_abilities a = can(rows[i].abilities);
        struct prep_plan p;
        struct strbuf ways;

        strbuf_init(&ways);
        UNIT_EQ_I64("", prep_plan_make(&s, &f, &a, &p, NULL), 0);
        for (int w = 0; w < p.n_ways; w++)
            strbuf_addf(&ways, "%s%s", w ? ", " : "", prep_erase_name(p.ways[w]));
        UNIT_EQ_STR(rows[i].abilities, ways.len ? ways.buf : "", rows[i].ways);
        UNIT_EQ_STR(rows[i].ways, p.erase_note, rows[i].note);
        strbuf_release(&ways);
        prep_plan_release(&p);
    }
}

static void test_partition(void)
{
    static const struct {
        int64_t drive_bytes;
        struct settings_prep s;
        int64_t want; /* bytes */
    } rows[] = {
        {1000 * MIB, {.purpose = PREP_BLOCKS}, 50 * MIB},
        {1000 * MIB, {.purpose = PREP_BLOCKS, .qlc = true}, 10 * MIB},
        {1001 * MIB, {.purpose = PREP_BLOCKS}, 51 * MIB}, /* up to a MiB */
        {1000 * MIB, {.purpose = PREP_DATABASE}, 998 * MIB},
        {1000 * MIB + 512, {.purpose = PREP_DATABASE}, 998 * MIB},
        {1000 * MIB, {.purpose = PREP_DATABASE, .size_bytes = 300 * MIB + 1}, 301 * MIB},
        {1000 * MIB, {.purpose = PREP_BLOCKS, .size_bytes = 998 * MIB}, 998 * MIB},
        {4 * MIB, {.purpose = PREP_BLOCKS}, MIB},
    };
    const struct prep_abilities a = can("");

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct block_facts f = drive(rows[i].drive_bytes);
        struct prep_plan p;

        UNIT_EQ_I64("", prep_plan_make(&rows[i].s, &f, &a, &p, NULL), 0);
        UNIT_EQ_I64("", (int64_t)p.part_size_bytes, rows[i].want);
        UNIT_EQ_I64("", (int64_t)p.part_start_bytes, MIB);
        UNIT_TRUE("the table's copy has its place",
                  (int64_t)(p.part_start_bytes + p.part_size_bytes) <= rows[i].drive_bytes - MIB);
        UNIT_EQ_STR("", p.part_name, "nvme0n1p1");
        UNIT_TRUE("", p.fill == !rows[i].s.qlc);
        prep_plan_release(&p);
    }
}

static void test_refused(void)
{
    static const struct {
        int64_t drive_bytes;
        struct settings_prep s;
        const char *want;
    } rows[] = {
        {1000 * MIB,
         {.size_bytes = 998 * MIB + 1},
         "--size: /dev/nvme0n1 holds a partition of 1046478848 bytes at most"},
        {2 * MIB, {.purpose = PREP_BLOCKS}, "/dev/nvme0n1 is too small for a partition"},
        {1000 * MIB,
         {.purpose = PREP_BLOCKS, .mount = LIT("/mnt")},
         "--mount is for --for database: block tests take the partition as it is"},
        {1000 * MIB,
         {.purpose = PREP_DATABASE, .qlc = true},
         "--qlc is for block tests: leave it out, or say --fill none"},
        {200 * MIB,
         {.purpose = PREP_DATABASE, .filesystem = 1},
         "xfs needs a partition of 314572800 bytes"},
    };
    const struct prep_abilities a = can("D");

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct block_facts f = drive(rows[i].drive_bytes);
        struct prep_plan p;
        struct err err = {0};

        UNIT_EQ_I64(rows[i].want, prep_plan_make(&rows[i].s, &f, &a, &p, &err), -1);
        UNIT_EQ_STR("", err.text, rows[i].want);
        UNIT_EQ_I64("", err_exit_code(&err), 2);
        prep_plan_release(&p);
    }
}

static void test_filesystem_and_wish(void)
{
    const struct settings_prep s = {.purpose = PREP_DATABASE, .mount = LIT("/mnt/x")};
    const struct settings_prep blocks = {.erase = PREP_ERASE_DISCARD, .qlc = true};
    const struct prep_abilities a = can("D");
    const struct block_facts f = drive(1000 * MIB);
    struct prep_plan p;
    char *wish;

    UNIT_EQ_I64("", prep_plan_make(&s, &f, &a, &p, NULL), 0);
    UNIT_EQ_STR("", p.mount_point, "/mnt/x");
    wish = prep_plan_wish(&p, &s);
    UNIT_EQ_STR("", wish,
                "for database, erase auto, fill full, partition 1046478848, file system ext4 at "
                "/mnt/x");
    free(wish);
    prep_plan_release(&p);

    UNIT_EQ_I64("", prep_plan_make(&blocks, &f, &a, &p, NULL), 0);
    UNIT_TRUE("", p.mount_point == NULL);
    wish = prep_plan_wish(&p, &blocks);
    UNIT_EQ_STR("", wish,
                "for blocks, erase discard, fill none, partition 10485760, file system none at -");
    free(wish);
    prep_plan_release(&p);
}

static const struct unit_test tests[] = {
    {"erase", test_erase},
    {"partition", test_partition},
    {"refused", test_refused},
    {"filesystem_and_wish", test_filesystem_and_wish},
};
const struct unit_suite plan_suite = UNIT_SUITE("plan", tests);
