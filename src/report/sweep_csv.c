/*
 * See the header. The devices' figures are in result.json.
 */
#include "report/sweep_csv.h"

#include "result/csv.h"

static void add_point(const char *first, const struct sweep_profile *p,
                      const struct sweep_point *point, struct strbuf *out)
{
    const struct summary *t = &point->latency_us;
    const double figures[] = {
        point->percent,
        point->asked_iops,
        point->iops,
        point->mib_per_s,
        point->read_iops,
        point->write_iops,
        t->avg,
        t->p50,
        t->p95,
        t->p99,
        t->p999,
        t->max,
        point->outstanding,
    };

    if (first)
        csv_text(out, first);
    csv_text(out, p->workload ? p->workload : "");
    csv_text(out, p->name);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        csv_figure(out, figures[i], 7);
    csv_whole(out, point->saturated);
    csv_whole(out, point->off);
    csv_figure(out, point->off_limit_percent, 4);
    csv_end(out);
}

void sweep_points_csv_titles(const char *first, struct strbuf *out)
{
    static const char *const names[] = {
        "workload",
        "profile",
        "percent",
        "asked_iops",
        "iops",
        "mib_per_s",
        "read_iops",
        "write_iops",
        "latency_us_avg",
        "latency_us_p50",
        "latency_us_p95",
        "latency_us_p99",
        "latency_us_p999",
        "latency_us_max",
        "outstanding",
        "saturated",
        "off",
        "off_limit_percent",
    };

    if (first)
        csv_text(out, first);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        csv_text(out, names[i]);
    csv_end(out);
}

void sweep_points_csv_rows(const struct result *r, const char *first, struct strbuf *out)
{
    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];

        for (size_t k = 0; k < p->points.n; k++)
            add_point(first, p, &p->points.at[k], out);
    }
}

void sweep_points_csv(const struct result *r, struct strbuf *out)
{
    sweep_points_csv_titles(NULL, out);
    sweep_points_csv_rows(r, NULL, out);
}
