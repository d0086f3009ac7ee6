/*
 * The page of a sweep, and the part of a comparison's page that has sweeps in it.
 */
#ifndef REPORT_SWEEP_HTML_H
#define REPORT_SWEEP_HTML_H

#include "base/strbuf.h"
#include "result/result.h"

/* The whole page of one result of kind "sweep". */
void sweep_html(const struct result *r, const char *plan_yaml, struct strbuf *out);

/* Several results side by side, of both kinds, each with a name. */
struct sweep_named {
    const struct result *r;
    const char *name;
};
/* Each kind of profile that they have once, in the order of the results. */
typedef VEC(const struct sweep_profile *) sweep_profile_list;
void sweep_list_profiles(const struct sweep_named *all, size_t n, sweep_profile_list *out);
/* The result's profile of the same workload and name, or NULL. */
const struct sweep_profile *sweep_profile_like(const struct result *r,
                                               const struct sweep_profile *p);

/* The sections with peaks and curves, drives overlaid; database runs as points where the curve is
 * of their own I/O. */
void sweep_html_sections(const struct sweep_named *all, size_t n, struct strbuf *out);
/* A whole page of results of which none is of the database test. */
void sweep_html_compared(const struct sweep_named *all, size_t n, struct strbuf *out);

#endif
