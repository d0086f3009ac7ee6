/*
 * The files of preparations (see the header), JSON by tables as in result.json. Written beside and
 * renamed, so that one that is there is whole.
 */
#include "prep/state.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/xalloc.h"
#include "result/result_fields.h"

#define FORMAT "tpcc-run/drive/1"
#define SUFFIX ".json"
#define FILE_MAX (1 << 20)

static const char *const step_names[PREP_STEPS] = {
    "erase", "fill", "sample", "partition", "filesystem", "mount", "done",
};

static const struct json_field state_table[] = {
    {"step", JSON_TEXT, offsetof(struct prep_state, step_name)},
    {"done_bytes", JSON_WHOLE, offsetof(struct prep_state, done_bytes)},
    {"serial", JSON_TEXT, offsetof(struct prep_state, serial)},
    {"medium", JSON_TEXT, offsetof(struct prep_state, medium)},
    {"size_bytes", JSON_WHOLE, offsetof(struct prep_state, size_bytes)},
    {"wish", JSON_TEXT, offsetof(struct prep_state, wish)},
    {"part_uuid", JSON_TEXT, offsetof(struct prep_state, part_uuid)},
    {"part_start_bytes", JSON_WHOLE, offsetof(struct prep_state, part_start_bytes)},
    {"fs_uuid", JSON_TEXT, offsetof(struct prep_state, fs_uuid)},
    {"updated", JSON_TEXT, offsetof(struct prep_state, updated)},
    {"updated_us", JSON_WHOLE, offsetof(struct prep_state, updated_us)},
};
static const struct json_fields state_fields = {state_table, ARRAY_LEN(state_table)};

const char *prep_step_name(int step)
{
    CHECK(step >= 0);
    CHECK(step < PREP_STEPS);
    return step_names[step];
}

static char *new_guid(void)
{
    uuid_t raw;
    char text[UUID_STR_LEN];

    uuid_generate_random(raw);
    uuid_unparse_lower(raw, text);
    return xstrdup(text);
}

void prep_state_init(struct prep_state *s)
{
    *s = (struct prep_state){.size_bytes = -1, .part_start_bytes = -1};
    prep_record_init(&s->record);
    s->record.id = new_guid();
    s->record.interruptions = 0;
    s->part_uuid = new_guid();
    s->fs_uuid = new_guid();
}

void prep_state_release(struct prep_state *s)
{
    prep_record_release(&s->record);
    free(s->step_name);
    free(s->serial);
    free(s->medium);
    free(s->wish);
    free(s->part_uuid);
    free(s->fs_uuid);
    free(s->updated);
    *s = (struct prep_state){0};
    prep_record_init(&s->record);
}

static char *state_text(struct prep_state *s)
{
    json_t *root = json_object();
    char *dumped;
    char *text;
    char now[32];

    CHECK(root);
    s->updated_us = clock_real_us(clock_system());
    clock_format_utc(s->updated_us, now, sizeof(now));
    free(s->updated);
    s->updated = xstrdup(now);
    free(s->step_name);
    s->step_name = xstrdup(prep_step_name(s->step));
    json_put(root, "format", json_text(FORMAT));
    json_add_fields(root, s, state_fields);
    json_put(root, "record", json_write_fields(&s->record, result_fields(PART_PREP)));
    dumped = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    CHECK(dumped);
    text = xasprintf("%s\n", dumped);
    free(dumped);
    json_decref(root);
    return text;
}

static int write_file(const char *path, const char *text, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    int rc = 0;

    if (fd < 0)
        return err_sys(err, errno, "can't write %s (see --set prep.state)", path);
    if (write_all(fd, text, strlen(text)) < 0 || fsync(fd) < 0)
        rc = err_sys(err, errno, "can't write %s", path);
    close_fd(&fd);
    return rc;
}

int prep_state_save(const char *dir, struct prep_state *s, struct err *err)
{
    char *path = xasprintf("%s/%s" SUFFIX, dir, s->record.id);
    char *fresh = xasprintf("%s.new", path);
    char *text = state_text(s);
    int rc = make_dirs(dir, 0755, err);

    if (rc < 0)
        (void)err_wrap(err, "prep.state");
    if (rc == 0)
        rc = write_file(fresh, text, err);
    if (rc == 0 && rename(fresh, path) < 0)
        rc = err_sys(err, errno, "can't write %s", path);
    if (rc == 0)
        rc = sync_dir(dir, err);
    free(text);
    free(fresh);
    free(path);
    return rc;
}

static int step_of(const char *name)
{
    for (int i = 0; i < PREP_STEPS; i++) {
        if (name && strcmp(step_names[i], name) == 0)
            return i;
    }
    return -1;
}

static int parse(const char *text, struct prep_state *s, struct err *err)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    const struct json_node node = {.value = root};
    const struct json_node record = json_child(&node, "record");
    char *format = NULL;
    const struct json_node format_node = json_child(&node, "format");
    int rc = -1;

    if (!root) {
        (void)err_set(err, ERR_SURROUNDINGS, "line %d: %s", error.line, error.text);
        goto out;
    }
    if (json_read_text(&format_node, &format, err) < 0 ||
        json_read_fields(&node, s, state_fields, err) < 0 ||
        json_read_fields(&record, &s->record, result_fields(PART_PREP), err) < 0)
        goto out;
    s->step = step_of(s->step_name);
    if (!format || strcmp(format, FORMAT) != 0 || s->step < 0 || !s->record.id || !s->part_uuid ||
        !s->wish || !s->updated)
        (void)err_set(err, ERR_SURROUNDINGS, "not the record of a preparation");
    else
        rc = 0;
out:
    free(format);
    json_decref(root);
    return rc;
}

static int by_time(const void *a, const void *b)
{
    const struct prep_state *left = a;
    const struct prep_state *right = b;

    return (left->updated_us > right->updated_us) - (left->updated_us < right->updated_us);
}

static bool is_state_file(const char *name)
{
    const size_t n = strlen(name);

    return n > strlen(SUFFIX) && strcmp(name + n - strlen(SUFFIX), SUFFIX) == 0;
}

/* Adds what is in the file, or counts it as broken. */
static void read_file(const struct fsroot *root, const char *path, prep_states *out, int *broken)
{
    char *text = fsroot_read(root, path, FILE_MAX, NULL);
    struct prep_state s = {.done_bytes = 0};

    if (text && parse(text, &s, NULL) == 0) {
        VEC_PUSH(out, s);
    } else {
        prep_state_release(&s);
        ++*broken;
    }
    free(text);
}

void prep_states_read(const char *dir, prep_states *out, int *broken)
{
    struct fsroot root;
    char **names;

    *out = (prep_states){0};
    *broken = 0;
    fsroot_init(&root, "");
    names = dir[0] == '/' ? fsroot_list(&root, dir) : NULL;
    for (char **n = names; n && *n; n++) {
        char *path = xasprintf("%s/%s", dir, *n);

        if (is_state_file(*n))
            read_file(&root, path, out, broken);
        free(path);
    }
    if (out->n > 1)
        qsort(out->at, out->n, sizeof(out->at[0]), by_time);
    fsroot_list_free(names);
    fsroot_release(&root);
}

void prep_states_release(prep_states *list)
{
    for (size_t i = 0; i < list->n; i++)
        prep_state_release(&list->at[i]);
    VEC_RELEASE(list);
}

void prep_state_remove(const char *dir, const struct prep_state *s)
{
    char *path = xasprintf("%s/%s" SUFFIX, dir, s->record.id);

    (void)unlink(path);
    free(path);
}
