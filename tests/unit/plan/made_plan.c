/*
 * Plans for the tests of this folder (see the header).
 */
#include "plan/made_plan.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "config/rules.h"
#include "harness/unit.h"

const struct plan_facts big_machine = {
    .memory_bytes = 64 * GB,
    .cpus = 16,
    .private_server = true,
    .fs_size_bytes = 4000 * GB,
    .fs_free_bytes = 3900 * GB,
    .free_connections = -1,
};

void configure(struct config *c, const char *workload, const char *const *pairs)
{
    struct err err = {0};
    char *named = xasprintf("run.workload=%s", workload);

    config_init(c, PROGRAM_RUN);
    CU_ASSERT_EQUAL_FATAL(config_set_pair(c, named, &err), 0);
    for (size_t i = 0; pairs && pairs[i]; i++) {
        if (!UNIT_EQ_I64(pairs[i], config_set_pair(c, pairs[i], &err), 0))
            UNIT_EQ_STR(pairs[i], err.text, "");
    }
    if (!UNIT_EQ_I64(workload, config_read_workload(c, ".", &err), 0))
        UNIT_EQ_STR(workload, err.text, "");
    if (!UNIT_EQ_I64(workload, config_validate(c, &err), 0))
        UNIT_EQ_STR(workload, err.text, "");
    free(named);
}

int build(struct plan *p, const char *workload, const char *const *pairs,
          const struct plan_facts *f, struct err *err)
{
    struct config c;
    int rc = -1;

    configure(&c, workload, pairs);
    rc = plan_build(p, &c.s, f, err);
    config_release(&c);
    return rc;
}

void expect_built(struct plan *p, const char *workload, const char *const *pairs,
                  const struct plan_facts *f)
{
    struct err err = {0};

    if (!UNIT_EQ_I64(workload, build(p, workload, pairs, f, &err), 0))
        UNIT_EQ_STR(workload, err.text, "");
}
