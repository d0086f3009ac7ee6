/*
 * Plans for the tests of this folder: of a workload's file with settings changed, on a big machine.
 */
#ifndef UNIT_PLAN_MADE_PLAN_H
#define UNIT_PLAN_MADE_PLAN_H

#include "config/config.h"
#include "plan/plan.h"

#define GB UINT64_C(1000000000)
#define PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* 64 GB of RAM, 16 processors, a file system of 4 TB that is all but empty. */
extern const struct plan_facts big_machine;

/* Settings from defaults, the workload's file and "PATH=VALUE" pairs (NULL: none); config_release()
 * it. */
void configure(struct config *c, const char *workload, const char *const *pairs);
/* plan_build() of such settings. */
int build(struct plan *p, const char *workload, const char *const *pairs,
          const struct plan_facts *f, struct err *err);
/* As above, and it must be built. */
void expect_built(struct plan *p, const char *workload, const char *const *pairs,
                  const struct plan_facts *f);

#endif
