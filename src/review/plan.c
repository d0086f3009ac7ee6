/*
 * See the header. Pure.
 */
#include "review/plan.h"

#include <stdlib.h>

#include "base/check.h"
#include "config/config.h"
#include "report/cell.h"

void review_plan_release(struct review_plan *p)
{
    for (int i = 0; i < REVIEW_STEPS; i++)
        free(p->why[i]);
    *p = (struct review_plan){.seconds = {0}};
}

double review_plan_left(const struct review_plan *p, int step)
{
    double left = 0;

    for (int i = step; i < REVIEW_STEPS; i++)
        left += p->seconds[i];
    return left;
}

void review_plan_print(const struct review_plan *p, int next, struct strbuf *out)
{
    strbuf_adds(out, "\nsteps\n");
    for (int step = 0; step < REVIEW_STEPS; step++) {
        if (step < next)
            strbuf_addf(out, "  %d %-28s done\n", step + 1, review_step_words(step));
        else
            strbuf_addf(out, "  %d %-28s about %s: %s\n", step + 1, review_step_words(step),
                        cell_duration(p->seconds[step]).text, p->why[step] ? p->why[step] : "");
    }
    strbuf_addf(out, "  all%s about %s\n", next > 0 ? " that is left:" : ":",
                cell_duration(review_plan_left(p, next)).text);
}

void review_plan_yaml(const struct settings *s, struct strbuf *out)
{
    static const char *const groups[] = {NULL, "prep", "sweep"};
    struct settings copy = *s;

    copy.prep.restart = false; /* asks for one thing once */
    copy.target = (struct settings_target){.drive = NULL};
    copy.output = (struct settings_output){.results = NULL}; /* where and how it is told */
    copy.ladder = (struct settings_ladder){.steps = NULL};
    strbuf_addf(out,
                "# The plan of a review by drive-review %s. To repeat it:\n"
                "#   drive-review --drive DEVICE --plan plan.yaml\n",
                TPCC_VERSION);
    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        config_write_group(&copy, groups[i], PROGRAM_REVIEW, out);
}
