/*
 * prep/state: what is saved is read back, the newest last; a broken file is counted, not believed.
 */
#include "prep/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static void test_round_trip(void)
{
    char *t = tmpdir_new();
    char *dir = xasprintf("%s/deep/down", t);
    struct prep_state s;
    prep_states list;
    struct err err = {0};
    int broken = -1;

    prep_state_init(&s);
    UNIT_EQ_U64("a GUID", strlen(s.record.id), 36);
    UNIT_TRUE("its own", strcmp(s.record.id, s.part_uuid) != 0);
    s.step = STEP_FILL;
    s.done_bytes = INT64_C(9007199254740993); /* beyond what a double holds */
    s.size_bytes = INT64_C(9223372036854775807);
    s.serial = xstrdup("S \"1\"");
    s.wish = xstrdup("for blocks");
    s.record.filled_bytes = s.done_bytes;
    s.record.fill_seconds = 1.5;
    s.record.erase_note = xstrdup("no \\ format");
    prep_states_read(dir, &list, &broken);
    UNIT_EQ_U64("not there yet", list.n, 0);
    UNIT_EQ_I64("", broken, 0);
    UNIT_EQ_I64(err.text, prep_state_save(dir, &s, &err), 0);
    UNIT_EQ_I64("again", prep_state_save(dir, &s, &err), 0);
    prep_states_read(dir, &list, &broken);
    UNIT_EQ_I64("", broken, 0);
    if (UNIT_EQ_U64("", list.n, 1)) {
        const struct prep_state *got = &list.at[0];

        UNIT_EQ_STR("", got->record.id, s.record.id);
        UNIT_EQ_I64("", got->step, STEP_FILL);
        UNIT_EQ_I64("", got->done_bytes, s.done_bytes);
        UNIT_EQ_I64("", got->size_bytes, s.size_bytes);
        UNIT_EQ_STR("", got->serial, s.serial);
        UNIT_EQ_STR("", got->part_uuid, s.part_uuid);
        UNIT_EQ_STR("", got->fs_uuid, s.fs_uuid);
        UNIT_EQ_I64("", got->record.filled_bytes, s.record.filled_bytes);
        UNIT_NEAR("", got->record.fill_seconds, 1.5, 0);
        UNIT_EQ_STR("", got->record.erase_note, s.record.erase_note);
        UNIT_TRUE("none stays none", got->record.partition_bytes == -1);
    }
    prep_states_release(&list);
    prep_state_remove(dir, &s);
    prep_states_read(dir, &list, &broken);
    UNIT_EQ_U64("removed", list.n, 0);
    prep_states_release(&list);
    prep_state_release(&s);
    free(dir);
    tmpdir_free(t);
}

static void test_broken(void)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"format\":\"tpcc-run/drive/2\"}",
        "{\"format\":\"tpcc-run/drive/1\"}",
        "{\"format\":\"tpcc-run/drive/1\",\"step\":\"dance\",\"wish\":\"\",\"part_uuid\":\"\","
        "\"updated\":\"\",\"record\":{\"id\":\"a\"}}",
        "{\"format\":\"tpcc-run/drive/1\",\"step\":\"fill\",\"wish\":1,\"part_uuid\":\"\","
        "\"updated\":\"\",\"record\":{\"id\":\"a\"}}",
    };
    char *t = tmpdir_new();
    prep_states list;
    int broken = 0;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        char *name = xasprintf("/%zu.json", i);

        tmpdir_write(t, name, texts[i]);
        free(name);
    }
    tmpdir_write(t, "/a.json.new", "{");
    prep_states_read(t, &list, &broken);
    UNIT_EQ_U64("", list.n, 0);
    UNIT_EQ_I64("", broken, (int64_t)ARRAY_LEN(texts));
    prep_states_release(&list);
    tmpdir_free(t);
}

static const struct unit_test tests[] = {
    {"round_trip", test_round_trip},
    {"broken", test_broken},
};
const struct unit_suite state_suite = UNIT_SUITE("state", tests);
