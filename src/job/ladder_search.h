/*
 * The search of --find-users (and --find-tps) on the steps of a ladder: which number of users is
 * next (stats/search), whether what was measured holds the conditions, and the answer. Main thread.
 */
#ifndef JOB_LADDER_SEARCH_H
#define JOB_LADDER_SEARCH_H

#include "config/goals.h"
#include "config/settings.h"
#include "result/ladder.h"
#include "stats/search.h"

struct ladder_search {
    struct goals goals;
    struct search search;
};

/* From the settings, and from what the ladder has measured already; of rates the maximum must be
 * among that. */
int ladder_search_begin(struct ladder_search *s, const struct settings *settings,
                        const struct ladder *l, struct err *err) MUST_CHECK;
/* The users of the next step; 0: the search has ended. */
uint64_t ladder_search_next(const struct ladder_search *s);
/* Judges the ladder's last step, with all earlier samples of the same users; `path` is the ladder's
 * directory, from which they are read. Fills the step's goals and the ladder's answer. */
int ladder_search_judge(struct ladder_search *s, const char *path, struct ladder *l,
                        struct err *err) MUST_CHECK;

#endif
