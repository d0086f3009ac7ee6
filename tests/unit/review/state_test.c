/*
 * review/state: what is written is read again, what is not ours is refused, and where a review goes
 * on is told by the folders of its steps.
 */
#include "review/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/result_dir.h"

static struct review_state made(const char *serial)
{
    struct review_state s;

    review_state_init(&s);
    s.drive = xstrdup("/dev/sdb");
    s.serial = serial ? xstrdup(serial) : NULL;
    s.size_bytes = 1000;
    return s;
}

static void test_json(void)
{
    struct review_state s = made("S1");
    struct review_state again;
    struct err err = {0};
    char *text;
    char *second;

    s.done[REVIEW_SWEEP].result = xstrdup("sweep/x");
    s.done[REVIEW_SWEEP].seconds = 12;
    text = review_state_write(&s);
    review_state_init(&again);
    UNIT_EQ_I64("", review_state_read(text, &again, &err), 0);
    UNIT_EQ_STR("", again.done[REVIEW_SWEEP].result, "sweep/x");
    UNIT_TRUE("", isnan(again.done[REVIEW_PREPARE].seconds));
    second = review_state_write(&again);
    UNIT_EQ_STR("", second, text);
    free(second);
    free(text);
    review_state_release(&again);
    review_state_release(&s);
}

static void test_foreign(void)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"format\": \"tpcc-run/1\", \"drive\": \"/dev/sdb\"}",
        "{\"format\": \"tpcc-run/review/1\"}",
        "{\"format\": \"tpcc-run/review/1\", \"drive\": 5}",
        "{\"format\": \"tpcc-run/review/1\", \"drive\": \"d\", \"steps\": []}",
        "{\"format\": \"tpcc-run/review/1\", \"drive\": \"d\", \"steps\": {\"sweep\": {\"result\": "
        "\"/etc\"}}}",
        "{\"format\": \"tpcc-run/review/1\", \"drive\": \"d\", \"steps\": {\"sweep\": {\"result\": "
        "\"../x\"}}}",
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct review_state s;
        struct err err = {0};

        review_state_init(&s);
        UNIT_EQ_I64(texts[i], review_state_read(texts[i], &s, &err), -1);
        UNIT_TRUE(texts[i], *err.text != '\0');
        review_state_release(&s);
    }
}

static void test_same_drive(void)
{
    struct review_state a = made("S1");
    struct review_state b = made("S1");
    struct review_state c = made("S2");
    struct review_state d = made(NULL);
    struct review_state e = made(NULL);

    free(b.drive);
    b.drive = xstrdup("/dev/sdc");
    UNIT_TRUE("moved to another node", review_state_same_drive(&a, &b));
    UNIT_TRUE("another one", !review_state_same_drive(&a, &c));
    UNIT_TRUE("one without", !review_state_same_drive(&a, &d));
    UNIT_TRUE("by node and size", review_state_same_drive(&d, &e));
    e.size_bytes++;
    UNIT_TRUE("another size", !review_state_same_drive(&d, &e));
    review_state_release(&a);
    review_state_release(&b);
    review_state_release(&c);
    review_state_release(&d);
    review_state_release(&e);
}

/* ---- folders ---- */

struct tree {
    char top[64];
    char *review; /* a .partial directory below it */
};

static void tree_init(struct tree *t)
{
    struct err err = {0};

    (void)snprintf(t->top, sizeof(t->top), "/tmp/review-test.XXXXXX");
    UNIT_TRUE("", mkdtemp(t->top) != NULL);
    t->review = xasprintf("%s/a.partial", t->top);
    UNIT_EQ_I64("", make_dirs(t->review, 0755, &err), 0);
}

static void write_file(const char *dir, const char *name, const char *text)
{
    char *path = xasprintf("%s/%s", dir, name);
    FILE *f = fopen(path, "we");

    UNIT_TRUE(path, f != NULL);
    if (f) {
        (void)fputs(text, f);
        (void)fclose(f);
    }
    free(path);
}

static void tree_release(struct tree *t)
{
    char *command = xasprintf("rm -rf %s", t->top);

    UNIT_EQ_I64("", system(command), 0); /* NOLINT(cert-env33-c) a text of ours */
    free(command);
    free(t->review);
}

/* A result as its program leaves it below the review. */
static void add_result(const struct tree *t, int step, const char *kind,
                       void (*change)(struct result *r))
{
    char *parent = xasprintf("%s/%s", t->review, review_step_name(step));
    struct result_dir *dir;
    struct err err = {0};
    struct result r;

    result_init(&r);
    r.kind = xstrdup(kind);
    r.version = xstrdup("0");
    r.started = xstrdup("2026-11-30T10:00:00Z");
    r.ended = xstrdup("2026-11-30T11:00:05Z");
    if (change)
        change(&r);
    dir = result_dir_create(parent, "x", 0, &err);
    UNIT_TRUE(err.text, dir != NULL);
    UNIT_EQ_I64("", dir ? result_dir_finish(dir, &r, &err) : -1, 0);
    UNIT_EQ_STR("", err.text, "");
    result_dir_free(dir);
    result_release(&r);
    free(parent);
}

static void interrupt_sweep(struct result *r)
{
    r->sweep.interrupted = true;
}

static void spoil(struct result *r)
{
    r->verdict.status = VERDICT_INVALID;
}

static int next_of(const struct tree *t)
{
    struct review_state s;
    int next;

    review_state_init(&s);
    review_state_look(t->review, &s);
    next = review_state_next(&s);
    if (next > 0)
        UNIT_NEAR("", s.done[0].seconds, 3605, 0);
    review_state_release(&s);
    return next;
}

static void test_where_it_goes_on(void)
{
    struct tree t;
    char *partial = NULL;
    struct err err = {0};

    tree_init(&t);
    UNIT_EQ_I64("nothing yet", next_of(&t), REVIEW_PREPARE);
    add_result(&t, REVIEW_PREPARE, "prep", spoil);
    UNIT_EQ_I64("the drive lost what was written", next_of(&t), REVIEW_PREPARE);
    add_result(&t, REVIEW_PREPARE, "sweep", NULL);
    UNIT_EQ_I64("of another kind", next_of(&t), REVIEW_PREPARE);
    add_result(&t, REVIEW_PREPARE, "prep", NULL);
    UNIT_EQ_I64("", next_of(&t), REVIEW_SWEEP);
    add_result(&t, REVIEW_SWEEP, "sweep", interrupt_sweep);
    UNIT_EQ_I64("interrupted", next_of(&t), REVIEW_SWEEP);
    partial = xasprintf("%s/sweep/y.partial", t.review);
    UNIT_EQ_I64("", make_dirs(partial, 0755, &err), 0);
    write_file(partial, "result.json", "{\"format\": \"tpcc-run/1\", \"kind\": \"sweep\"}");
    UNIT_EQ_I64("killed", next_of(&t), REVIEW_SWEEP);
    add_result(&t, REVIEW_SWEEP, "sweep", NULL);
    add_result(&t, REVIEW_FILESYSTEM, "prep", NULL);
    UNIT_EQ_I64("", next_of(&t), REVIEW_DATABASE);
    free(partial);
    tree_release(&t);
}

static void test_find(void)
{
    struct review_state drive = made("S1");
    struct review_state other = made("S2");
    struct review_state found;
    struct tree t;
    char *text = review_state_write(&drive);
    char *path = NULL;

    tree_init(&t);
    review_state_init(&found);
    UNIT_EQ_I64("empty", review_find(t.top, &drive, "plan", &path, &found), REVIEW_NONE);
    UNIT_EQ_I64("no folder", review_find("/nothing", &drive, "plan", &path, &found), REVIEW_NONE);
    write_file(t.review, "review.json", text);
    write_file(t.review, "plan.yaml", "plan");
    UNIT_EQ_I64("other", review_find(t.top, &other, "plan", &path, &found), REVIEW_NONE);
    UNIT_TRUE("", path == NULL);
    UNIT_EQ_I64("", review_find(t.top, &drive, "plan", &path, &found), REVIEW_GOES_ON);
    UNIT_EQ_STR("", path, t.review);
    free(path);
    UNIT_EQ_I64("", review_find(t.top, &drive, "plan 2", &path, &found), REVIEW_OTHER_PLAN);
    free(path);
    write_file(t.review, "review.json", "{");
    UNIT_EQ_I64("broken", review_find(t.top, &drive, "plan", &path, &found), REVIEW_NONE);
    review_state_release(&found);
    review_state_release(&drive);
    review_state_release(&other);
    free(text);
    tree_release(&t);
}

static const struct unit_test tests[] = {
    {"json", test_json},
    {"foreign", test_foreign},
    {"same_drive", test_same_drive},
    {"where_it_goes_on", test_where_it_goes_on},
    {"find", test_find},
};
const struct unit_suite state_suite = UNIT_SUITE("state", tests);
