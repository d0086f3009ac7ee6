/*
 * See the header. Pure.
 */
#include "review/steps.h"

#include <string.h>

#include "base/check.h"

static const struct {
    const char *name, *words, *kind;
} steps[REVIEW_STEPS] = {
    [REVIEW_PREPARE] = {"prepare", "preparation for block tests", "prep"},
    [REVIEW_SWEEP] = {"sweep", "block tests", "sweep"},
    [REVIEW_FILESYSTEM] = {"filesystem", "preparation for the database", "prep"},
    [REVIEW_DATABASE] = {"database", "database test", "oltp"},
};

static int checked(int step)
{
    CHECK(step >= 0);
    CHECK(step < REVIEW_STEPS);
    return step;
}

const char *review_step_name(int step)
{
    return steps[checked(step)].name;
}

const char *review_step_words(int step)
{
    return steps[checked(step)].words;
}

const char *review_step_kind(int step)
{
    return steps[checked(step)].kind;
}

/* A partition of their own size, and no file system. */
static void for_blocks(struct settings_prep *p)
{
    p->purpose = PREP_BLOCKS;
    p->size_bytes = 0;
    p->mount = NULL;
}

/* What QLC drives are spared before the block tests they are spared here too. */
static void for_database(struct settings_prep *p)
{
    p->purpose = PREP_DATABASE;
    if (p->qlc && p->fill == PREP_FILL_AUTO)
        p->fill = PREP_FILL_NONE;
    p->qlc = false;
}

void review_step_settings(const struct settings *s, int step, const struct review_decides *d,
                          struct settings *out)
{
    *out = *s;
    out->output.results = d->results;
    out->run.label = d->label;
    out->drive.i_will_lose = d->i_will_lose;
    /* Of files that are meant for tpcc-run. */
    out->target = (struct settings_target){.drive = d->mount_point};
    out->ladder = (struct settings_ladder){.steps = NULL};
    out->load.rebuild = false;
    out->load.remove = false;
    if (step == REVIEW_PREPARE)
        for_blocks(&out->prep);
    else if (step == REVIEW_FILESYSTEM)
        for_database(&out->prep);
}
