/*
 * prep/nvme: what controllers say, in the forms that nvme-cli has had.
 */
#include "prep/nvme.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static void test_controller(void)
{
    static const struct {
        const char *json;
        int namespaces;
        const char *no_format, *no_sanitize;
    } rows[] = {
        {"{\"oacs\":23,\"fna\":0,\"sanicap\":3}", 1, NULL, NULL},
        {"{\"oacs\":\"23\",\"fna\":\"4\",\"sanicap\":\"2\"}", 1, NULL, NULL},
        {"warning\n{\"oacs\":2,\"fna\":0}", 1, NULL, "it can't sanitize by a block erase"},
        {"{\"oacs\":5,\"fna\":0,\"sanicap\":1}", 1, "it has no format command",
         "it can't sanitize by a block erase"},
        {"{\"oacs\":2,\"fna\":4,\"sanicap\":2}", 2, NULL,
         "a sanitize would erase all 2 namespaces of its controller"},
        {"{\"oacs\":2,\"fna\":1,\"sanicap\":0}", 2,
         "a format would erase all 2 namespaces of its controller",
         "it can't sanitize by a block erase"},
        {"{\"oacs\":2,\"fna\":2,\"sanicap\":0}", 3,
         "a format would erase all 3 namespaces of its controller",
         "it can't sanitize by a block erase"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct nvme_can can = {.is_nvme = true};
        struct err err = {0};

        UNIT_EQ_I64(rows[i].json,
                    nvme_parse_controller(rows[i].json, rows[i].namespaces, &can, &err), 0);
        UNIT_EQ_STR(rows[i].json, can.no_format, rows[i].no_format);
        UNIT_EQ_STR(rows[i].json, can.no_sanitize, rows[i].no_sanitize);
        nvme_can_release(&can);
    }
}

static void test_nonsense(void)
{
    static const char *const texts[] = {"",   "NVMe status: Invalid", "{",
                                        "{}", "{\"oacs\":true}",      "{\"oacs\":\"x\",\"fna\":0}"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct nvme_can can = {.is_nvme = true};
        struct err err = {0};
        int progress = 0;
        bool failed = false;

        UNIT_EQ_I64(texts[i], nvme_parse_controller(texts[i], 1, &can, &err), -1);
        UNIT_TRUE("", err.text[0] != '\0');
        UNIT_EQ_I64(texts[i], nvme_parse_sanitize(texts[i], &progress, &failed, &err), -1);
        nvme_can_release(&can);
    }
}

static void test_sanitize(void)
{
    struct err err = {0};
    int progress = 0;
    bool failed = true;

    UNIT_EQ_I64(
        "",
        nvme_parse_sanitize("{\"nvme0n1\":{\"sprog\":655,\"sstat\":2}}", &progress, &failed, &err),
        0);
    UNIT_EQ_I64("under way", progress, 655);
    UNIT_TRUE("", !failed);
    UNIT_EQ_I64("",
                nvme_parse_sanitize("{\"sprog\":65535,\"sstat\":{\"status\":\"(1)\"}}", &progress,
                                    &failed, &err),
                0);
    UNIT_EQ_I64("", progress, 65535);
    UNIT_TRUE("", !failed);
    UNIT_EQ_I64(
        "", nvme_parse_sanitize("{\"sprog\":65535,\"sstat\":259}", &progress, &failed, &err), 0);
    UNIT_TRUE("the last one failed", failed);
    UNIT_EQ_I64("", nvme_parse_sanitize("{\"sprog\":65536}", &progress, &failed, &err), -1);
}

/* A nvme-cli whose format ends once it was said that it is waited for, or never. */
#define FORMATS                                                                                    \
    "#!/bin/sh\n[ \"$*\" = 'format /dev/x --ses=1 --force --timeout=7200000' ] || exit 9\n"        \
    "until grep -q 'nvme format, which nothing can stop' %s/log; do sleep 0.01; done\n"            \
    "%s\n"

static void check_format(const char *then, int levels, int rc, const char *text)
{
    char *dir = tmpdir_new();
    char *script = xasprintf(FORMATS, dir, then);
    char *program = xasprintf("%s/nvme", dir);
    char *log_path = xasprintf("%s/log", dir);
    char *path = xasprintf("%s:%s", dir, getenv("PATH"));
    char *before = xstrdup(getenv("PATH"));
    struct log *log = log_new(clock_system(), NULL, NULL);
    FILE *file = fopen(log_path, "w");
    struct stop stop = {0};
    struct err err = {0};

    CHECK(file);
    tmpdir_write(dir, "/nvme", script);
    CHECK(chmod(program, 0755) == 0);
    (void)setenv("PATH", path, 1);
    log_set_file(log, file);
    for (int i = 0; i < levels; i++)
        stop_ask(&stop);
    UNIT_EQ_I64(text, nvme_format("/dev/x", &stop, log, &err), rc);
    UNIT_EQ_STR("", err.text, text);
    if (rc < 0)
        UNIT_EQ_I64(text, err.kind, ERR_INTERRUPTED);
    (void)setenv("PATH", before, 1);
    log_set_file(log, NULL);
    log_free(log);
    (void)fclose(file);
    free(before);
    free(path);
    free(log_path);
    free(program);
    free(script);
    tmpdir_free(dir);
}

/* Asked once to stop it is waited for, and that is said; asked twice it is left alone. */
static void test_format_interrupted(void)
{
    check_format("echo formatted", 1, 0, "");
    check_format("", 2, -1, "interrupted; the drive goes on formatting");
}

static const struct unit_test tests[] = {
    {"controller", test_controller},
    {"nonsense", test_nonsense},
    {"sanitize", test_sanitize},
    {"format_interrupted", test_format_interrupted},
};
const struct unit_suite nvme_suite = UNIT_SUITE("nvme", tests);
