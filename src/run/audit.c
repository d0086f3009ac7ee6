/*
 * The bands of the input audit. Sums are counted by the loop, judged by main at the end.
 */
#include "run/audit.h"

#include <math.h>

#define SIGMAS 4.0

void audit_sums_add(struct audit_sums *to, const struct audit_sums *from)
{
    for (int t = 0; t < TXN_TYPES; t++)
        to->transactions[t] += from->transactions[t];
    to->rollbacks += from->rollbacks;
    to->lines += from->lines;
    to->remote_lines += from->remote_lines;
    to->remote_payments += from->remote_payments;
    to->payments_by_name += from->payments_by_name;
    to->statuses_by_name += from->statuses_by_name;
    to->skipped_deliveries += from->skipped_deliveries;
}

void audit_count(struct audit_sums *sums, enum txn_type type, const struct txn_facts *facts,
                 bool rolled_back)
{
    const uint64_t found = facts->by_name && facts->by_name_found;

    sums->transactions[type]++;
    switch (type) {
    case TXN_NEW_ORDER:
        sums->rollbacks += rolled_back;
        sums->lines += (uint64_t)facts->lines;
        sums->remote_lines += (uint64_t)facts->remote_lines;
        return;
    case TXN_PAYMENT:
        sums->remote_payments += facts->remote_customer;
        sums->payments_by_name += found;
        return;
    case TXN_ORDER_STATUS:
        sums->statuses_by_name += found;
        return;
    case TXN_DELIVERY:
        sums->skipped_deliveries += facts->skipped > 0;
        return;
    case TXN_STOCK_LEVEL:
        return;
    case TXN_DELIVERY_DEFERRED:
    case TXN_ROWS:
        break;
    }
    UNREACHABLE();
}

static void add_band(struct result *r, struct result_band band)
{
    band.within = -1;
    if (!isnan(band.value))
        band.within = band.value >= band.low && band.value <= band.high;
    VEC_PUSH(&r->audit, band);
}

/* hits of n in percent; expected share p; the standard's band is p x (1 +- margin). */
struct share {
    const char *name;
    uint64_t hits;
    uint64_t n;
    double p;
    double margin;
};

static double percent(uint64_t hits, uint64_t n)
{
    return n > 0 ? 100.0 * (double)hits / (double)n : (double)NAN;
}

static void judge_share(struct result *r, const struct share *s)
{
    const double n = s->n > 0 ? (double)s->n : 1;
    const double spread = fmax(s->p * s->margin, SIGMAS * sqrt(s->p * (1 - s->p) / n));

    add_band(r, (struct result_band){
                    .name = s->name,
                    .value = percent(s->hits, s->n),
                    .low = 100 * fmax(s->p - spread, 0),
                    .high = 100 * fmin(s->p + spread, 1),
                });
}

/* The mix's least shares (5.2.3), at -4 sigma; the workload's own where it asks for less. */
static void judge_mix(struct result *r, const struct audit_sums *sums, const uint8_t *mix)
{
    static const struct {
        const char *name;
        double least;
    } rows[TXN_TYPES] = {
        [TXN_PAYMENT] = {"payment_percent", 0.43},
        [TXN_ORDER_STATUS] = {"order_status_percent", 0.04},
        [TXN_DELIVERY] = {"delivery_percent", 0.04},
        [TXN_STOCK_LEVEL] = {"stock_level_percent", 0.04},
    };
    uint64_t n = 0;
    double cards = 0;

    for (int t = 0; t < TXN_TYPES; t++) {
        n += sums->transactions[t];
        cards += mix[t];
    }
    for (int t = 0; t < TXN_TYPES; t++) {
        const double p = fmin(rows[t].least, mix[t] / cards);
        const double sigma = n > 0 ? sqrt(p * (1 - p) / (double)n) : 0;

        if (!rows[t].name)
            continue;
        add_band(r, (struct result_band){
                        .name = rows[t].name,
                        .value = percent(sums->transactions[t], n),
                        .low = 100 * fmax(p - SIGMAS * sigma, 0),
                        .high = 100,
                    });
    }
}

static void judge_lines(struct result *r, const struct audit_sums *sums)
{
    const uint64_t n = sums->transactions[TXN_NEW_ORDER];
    const double sd = sqrt(10); /* of a uniform number of 5 to 15 */
    const double spread = fmax(0.5, n > 0 ? SIGMAS * sd / sqrt((double)n) : 0);

    add_band(r, (struct result_band){
                    .name = "lines_average",
                    .value = n > 0 ? (double)sums->lines / (double)n : (double)NAN,
                    .low = 10 - spread,
                    .high = 10 + spread,
                });
}

/* At most 1 % of the Deliveries, or one. */
static void judge_skipped(struct result *r, const struct audit_sums *sums)
{
    const uint64_t n = sums->transactions[TXN_DELIVERY];

    add_band(r, (struct result_band){
                    .name = "skipped_delivery_percent",
                    .value = percent(sums->skipped_deliveries, n),
                    .low = 0,
                    .high = n > 0 ? fmax(1, 100.0 / (double)n) : 1,
                });
}

void audit_judge(const struct audit_sums *sums, const struct input_rules *rules,
                 const uint8_t mix[TXN_TYPES], struct result *r)
{
    const double ppm = 1e-6;
    const double remote = rules->warehouses > 1 ? ppm : 0; /* with one warehouse all is home */
    const uint64_t payments = sums->transactions[TXN_PAYMENT];
    const struct share shares[] = {
        {"rollback_percent", sums->rollbacks, sums->transactions[TXN_NEW_ORDER],
         rules->rollback_ppm * ppm, 0.1},
        {"remote_line_percent", sums->remote_lines, sums->lines, rules->remote_line_ppm * remote,
         0.05},
        {"remote_payment_percent", sums->remote_payments, payments,
         rules->remote_payment_ppm * remote, 1.0 / 15},
        {"payment_by_name_percent", sums->payments_by_name, payments, rules->by_name_ppm * ppm,
         0.05},
        {"order_status_by_name_percent", sums->statuses_by_name,
         sums->transactions[TXN_ORDER_STATUS], rules->by_name_ppm * ppm, 0.05},
    };

    r->audit.n = 0;
    for (size_t i = 0; i < ARRAY_LEN(shares); i++)
        judge_share(r, &shares[i]);
    judge_lines(r, sums);
    judge_skipped(r, sums);
    judge_mix(r, sums, mix);
}
