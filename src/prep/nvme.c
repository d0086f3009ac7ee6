/*
 * Runs `nvme` and reads its JSON, whose numbers come as integers or as digits in a text, by
 * version. A format or a sanitize may take other namespaces of the controller with it (FNA bits 0
 * and 1, and always with sanitize): where there are any, neither is done.
 */
#include "prep/nvme.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "drive/sysfs.h"

#define LOOK_NS (30 * NS_PER_S)
#define FORMAT_NS (UINT64_C(7200) * NS_PER_S)
#define FORMAT_TIMEOUT "--timeout=7200000" /* the same, for nvme-cli */
#define SANITIZE_NS (UINT64_C(24) * 3600 * NS_PER_S)
#define POLL_NS NS_PER_S
#define SANITIZE_IDLE 65535
#define SANITIZE_BLOCK_ERASE "--sanact=2"

#define OACS_FORMAT 2
#define FNA_FORMAT_ALL 1
#define FNA_ERASE_ALL 2
#define SANICAP_BLOCK_ERASE 2

/* What it printed; NULL with err where it could not be run or failed. */
static char *run_with(struct proc_opts opts, struct err *err)
{
    static const char *const env[] = {"LC_ALL=C", NULL};
    struct strbuf out;
    char *text = NULL;
    int status = 0;

    opts.env = env;
    strbuf_init(&out);
    if (proc_run(&opts, &status, &out, err) < 0)
        goto out;
    if (status != 0) {
        for (char *c = out.buf; out.len && *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        (void)err_set(err, ERR_SURROUNDINGS, "nvme %s: %.160s(status %d)", opts.argv[1],
                      out.len ? out.buf : "", status);
        goto out;
    }
    text = out.len ? strbuf_detach(&out) : xstrdup("");
out:
    strbuf_release(&out);
    return text;
}

static char *run(const char *const argv[], uint64_t timeout_ns, struct err *err)
{
    return run_with((struct proc_opts){.argv = argv, .timeout_ns = timeout_ns}, err);
}

/* A number of the first object, at whatever depth, that has the key; -1: none. */
static int64_t find_number(const json_t *value, const char *key)
{
    const json_t *found = json_is_object(value) ? json_object_get(value, key) : NULL;
    const char *name;
    json_t *child;
    int64_t n = -1;

    if (json_is_integer(found))
        return json_integer_value(found);
    if (json_is_string(found) && units_parse_i64(json_string_value(found), &n, NULL) == 0)
        return n;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)(uintptr_t)value, name, child)
        {
            n = find_number(child, key);
            if (n >= 0)
                return n;
        }
    }
    return -1;
}

static json_t *parse(const char *text, struct err *err)
{
    const char *brace = strchr(text, '{');
    json_error_t error;
    json_t *root = brace ? json_loads(brace, JSON_DISABLE_EOF_CHECK, &error) : NULL;

    if (!root)
        (void)err_set(err, ERR_SURROUNDINGS, "nvme printed no JSON");
    return root;
}

int nvme_parse_controller(const char *json, int namespaces, struct nvme_can *out, struct err *err)
{
    json_t *root = parse(json, err);
    const int64_t oacs = find_number(root, "oacs");
    const int64_t fna = find_number(root, "fna");
    const int64_t sanicap = find_number(root, "sanicap");

    json_decref(root);
    if (!root)
        return -1;
    if (oacs < 0 || fna < 0)
        return err_set(err, ERR_SURROUNDINGS, "nvme id-ctrl does not say what can be formatted");
    if (!(oacs & OACS_FORMAT))
        out->no_format = xstrdup("it has no format command");
    else if (namespaces != 1 && (fna & (FNA_FORMAT_ALL | FNA_ERASE_ALL)))
        out->no_format =
            xasprintf("a format would erase all %d namespaces of its controller", namespaces);
    if (sanicap < 0 || !(sanicap & SANICAP_BLOCK_ERASE))
        out->no_sanitize = xstrdup("it can't sanitize by a block erase");
    else if (namespaces != 1)
        out->no_sanitize =
            xasprintf("a sanitize would erase all %d namespaces of its controller", namespaces);
    return 0;
}

int nvme_parse_sanitize(const char *json, int *progress, bool *failed, struct err *err)
{
    json_t *root = parse(json, err);
    const int64_t sprog = find_number(root, "sprog");
    const int64_t sstat = find_number(root, "sstat");

    json_decref(root);
    if (!root)
        return -1;
    if (sprog < 0 || sprog > SANITIZE_IDLE)
        return err_set(err, ERR_SURROUNDINGS, "nvme sanitize-log does not say how far it is");
    *progress = (int)sprog;
    *failed = sstat >= 0 && (sstat & 7) == 3;
    return 0;
}

/* A controller's, or of a subsystem with several paths the subsystem's: folders with an `nsid`
 * beside this one. */
static int count_namespaces(const struct fsroot *root, const char *sysfs)
{
    char *dir = xstrndup(sysfs, (size_t)(sysfs_name_of(sysfs) - 1 - sysfs));
    char **names = fsroot_list(root, dir);
    int n = 0;

    for (char **name = names; name && *name; name++) {
        char *path = xasprintf("%s/%s", dir, *name);

        n += sysfs_has_attr(root, path, "nsid") && !sysfs_attr_is(root, path, "hidden", "1");
        free(path);
    }
    fsroot_list_free(names);
    free(dir);
    return n;
}

void nvme_look(const struct fsroot *root, const char *sysfs, const char *node, struct nvme_can *out)
{
    const char *const argv[] = {"nvme", "id-ctrl", node, "-o", "json", NULL};
    struct err err = {0};
    char *text = NULL;

    *out = (struct nvme_can){.is_nvme = sysfs_has_attr(root, sysfs, "nsid")};
    if (!out->is_nvme) {
        out->no_format = xstrdup("it is no NVMe drive");
        out->no_sanitize = xstrdup("it is no NVMe drive");
        return;
    }
    text = run(argv, LOOK_NS, &err);
    if (!text || nvme_parse_controller(text, count_namespaces(root, sysfs), out, &err) < 0) {
        nvme_can_release(out);
        out->is_nvme = true;
        out->no_format = xstrdup(err.text);
        out->no_sanitize = xstrdup(err.text);
    }
    free(text);
}

void nvme_can_release(struct nvme_can *can)
{
    free(can->no_format);
    free(can->no_sanitize);
    *can = (struct nvme_can){0};
}

static void say_format_waits(void *ctx)
{
    log_line(ctx, LOG_WARN,
             "waiting for the end of nvme format, which nothing can stop: until then the drive "
             "answers nobody (once more: leave at once, and the drive goes on)");
}

/* --force: we hold the device exclusively already, and nobody is there to ask. */
int nvme_format(const char *node, struct stop *stop, struct log *log, struct err *err)
{
    const char *const argv[] = {"nvme", "format", node, "--ses=1", "--force", FORMAT_TIMEOUT, NULL};
    char *text = run_with((struct proc_opts){.argv = argv,
                                             .timeout_ns = FORMAT_NS,
                                             .stop = stop,
                                             .stop_from = 2,
                                             .waits = say_format_waits,
                                             .waits_ctx = log},
                          err);

    if (!text && err && err->kind == ERR_INTERRUPTED)
        (void)err_set(err, ERR_INTERRUPTED, "interrupted; the drive goes on formatting");
    free(text);
    return text ? 0 : -1;
}

static int sanitize_progress(const char *node, int *progress, bool *failed, struct err *err)
{
    const char *const argv[] = {"nvme", "sanitize-log", node, "-o", "json", NULL};
    char *text = run(argv, LOOK_NS, err);
    const int rc = text ? nvme_parse_sanitize(text, progress, failed, err) : -1;

    free(text);
    return rc;
}

int nvme_sanitize(const char *node, const struct clock *clock, struct stop *stop, struct err *err)
{
    const char *const argv[] = {"nvme", "sanitize", node, SANITIZE_BLOCK_ERASE, NULL};
    const uint64_t until_ns = clock_now_ns(clock) + SANITIZE_NS;
    int progress = SANITIZE_IDLE;
    bool failed = false;

    if (sanitize_progress(node, &progress, &failed, err) < 0)
        return -1;
    if (progress == SANITIZE_IDLE) {
        char *text = run(argv, LOOK_NS, err);

        free(text);
        if (!text)
            return -1;
    }
    do {
        if (stop_level(stop) > 0)
            return err_set(err, ERR_INTERRUPTED, "interrupted; the drive goes on sanitizing");
        if (clock_now_ns(clock) > until_ns)
            return err_set(err, ERR_SURROUNDINGS, "the sanitize did not end within 24 hours");
        clock_sleep_until_ns(clock, clock_now_ns(clock) + POLL_NS);
        if (sanitize_progress(node, &progress, &failed, err) < 0)
            return -1;
    } while (progress != SANITIZE_IDLE);
    return failed ? err_set(err, ERR_SURROUNDINGS, "the drive says that the sanitize failed") : 0;
}
