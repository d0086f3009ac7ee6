#include "run/audit.h"

#include <math.h>
#include <string.h>

#include "harness/unit.h"

static const uint8_t mix_100[TXN_TYPES] = {45, 43, 4, 4, 4};

static struct input_rules rules_of(int32_t warehouses)
{
    return (struct input_rules){
        .warehouses = warehouses,
        .rollback_ppm = 10000,
        .remote_line_ppm = 10000,
        .remote_payment_ppm = 150000,
        .by_name_ppm = 600000,
    };
}

/* As the rules want it, n New-Orders. */
static struct audit_sums right(uint64_t n)
{
    return (struct audit_sums){
        .transactions = {n, n * 43 / 45, n * 4 / 45, n * 4 / 45, n * 4 / 45},
        .rollbacks = n / 100,
        .lines = n * 10,
        .remote_lines = n / 10,
        .remote_payments = n * 43 * 15 / 4500,
        .payments_by_name = n * 43 * 60 / 4500,
        .statuses_by_name = n * 4 * 60 / 4500,
    };
}

static const struct result_band *band(const struct result *r, const char *name)
{
    static const struct result_band none = {.name = "none", .within = -2};

    for (size_t i = 0; i < r->audit.n; i++)
        if (strcmp(r->audit.at[i].name, name) == 0)
            return &r->audit.at[i];
    return &none;
}

static void judge(struct result *r, const struct audit_sums *sums, int32_t warehouses)
{
    const struct input_rules rules = rules_of(warehouses);

    audit_judge(sums, &rules, mix_100, r);
}

/* 5.5.1.5: in a long sample the bands are the standard's. */
static void test_bands_5_5_1_5(void)
{
    static const struct {
        const char *name;
        double low, high;
    } rows[] = {
        {"rollback_percent", 0.9, 1.1},      {"lines_average", 9.5, 10.5},
        {"remote_line_percent", 0.95, 1.05}, {"remote_payment_percent", 14, 16},
        {"payment_by_name_percent", 57, 63}, {"order_status_by_name_percent", 57, 63},
        {"skipped_delivery_percent", 0, 1},  {"payment_percent", 42.9, 100},
        {"order_status_percent", 3.95, 100},
    };
    const struct audit_sums sums = right(4500000);
    struct result r;

    result_init(&r);
    judge(&r, &sums, 10);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        UNIT_NEAR(rows[i].name, band(&r, rows[i].name)->low, rows[i].low, 0.1 + 1e-6);
        UNIT_NEAR(rows[i].name, band(&r, rows[i].name)->high, rows[i].high, 1e-6);
        UNIT_EQ_I64(rows[i].name, band(&r, rows[i].name)->within, 1);
    }
    UNIT_NEAR("low ends too", band(&r, "remote_payment_percent")->low, 14, 1e-6);
    UNIT_NEAR("low ends too", band(&r, "rollback_percent")->low, 0.9, 1e-6);
    result_release(&r);
}

/* Others' mistakes miss a band: each on its own. */
static void test_mistakes_are_seen(void)
{
    static const char *const names[] = {
        "rollback_percent",
        "remote_line_percent",
        "remote_payment_percent",
        "payment_by_name_percent",
        "order_status_by_name_percent",
        "lines_average",
        "skipped_delivery_percent",
        "payment_percent",
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct audit_sums sums = right(450000);
        struct result r;
        int missed = 0;

        result_init(&r);
        sums.rollbacks = i == 0 ? 0 : sums.rollbacks;
        sums.remote_lines = i == 1 ? 0 : sums.remote_lines;
        sums.remote_payments = i == 2 ? 0 : sums.remote_payments;
        sums.payments_by_name = i == 3 ? 0 : sums.payments_by_name;
        sums.statuses_by_name = i == 4 ? 0 : sums.statuses_by_name;
        sums.skipped_deliveries = i == 6 ? sums.transactions[TXN_DELIVERY] / 50 : 0;
        if (i == 5) {
            sums.lines = sums.lines * 11 / 10;
            sums.remote_lines = sums.remote_lines * 11 / 10;
        }
        if (i == 7)
            sums.transactions[TXN_STOCK_LEVEL] += 100000;
        judge(&r, &sums, 10);
        UNIT_EQ_I64(names[i], band(&r, names[i])->within, 0);
        for (size_t b = 0; b < r.audit.n; b++)
            missed += r.audit.at[b].within == 0;
        UNIT_TRUE(names[i], i == 7 ? missed <= 3 : missed == 1);
        result_release(&r);
    }
}

/* Short runs: 4 sigma; none: no figure. */
static void test_widened(void)
{
    struct audit_sums sums = right(1000);
    struct result r;

    result_init(&r);
    sums.rollbacks = 16; /* 1.6 %: sigma is 0.315 % */
    judge(&r, &sums, 10);
    UNIT_EQ_I64("", band(&r, "rollback_percent")->within, 1);
    UNIT_NEAR("", band(&r, "rollback_percent")->high, 1 + 4 * 0.3146, 0.001);
    sums.rollbacks = 30;
    judge(&r, &sums, 10);
    UNIT_EQ_I64("", band(&r, "rollback_percent")->within, 0);
    memset(&sums, 0, sizeof(sums));
    judge(&r, &sums, 10);
    UNIT_EQ_U64("judged anew", r.audit.n, 11);
    for (size_t i = 0; i < r.audit.n; i++)
        UNIT_TRUE("no figure", isnan(r.audit.at[i].value) && r.audit.at[i].within == -1);
    sums.transactions[TXN_DELIVERY] = 20;
    sums.skipped_deliveries = 1;
    judge(&r, &sums, 10);
    UNIT_EQ_I64("or one", band(&r, "skipped_delivery_percent")->within, 1);
    result_release(&r);
}

/* One warehouse: nothing is remote, and that is right. */
static void test_one_warehouse(void)
{
    struct audit_sums sums = right(450000);
    struct result r;

    result_init(&r);
    sums.remote_lines = 0;
    sums.remote_payments = 0;
    judge(&r, &sums, 1);
    UNIT_EQ_I64("", band(&r, "remote_line_percent")->within, 1);
    UNIT_EQ_I64("", band(&r, "remote_payment_percent")->within, 1);
    sums.remote_lines = 1;
    judge(&r, &sums, 1);
    UNIT_EQ_I64("", band(&r, "remote_line_percent")->within, 0);
    result_release(&r);
}

static void test_count(void)
{
    struct audit_sums sums = {.rollbacks = 0};
    struct audit_sums twice = {.rollbacks = 0};
    struct txn_facts f = {.lines = 9, .remote_lines = 2};

    audit_count(&sums, TXN_NEW_ORDER, &f, true);
    f = (struct txn_facts){.by_name = true, .by_name_found = true, .remote_customer = true};
    audit_count(&sums, TXN_PAYMENT, &f, false);
    audit_count(&sums, TXN_ORDER_STATUS, &f, false);
    f.by_name_found = false;
    audit_count(&sums, TXN_PAYMENT, &f, false);
    f = (struct txn_facts){.delivered = 8, .skipped = 2};
    audit_count(&sums, TXN_DELIVERY, &f, false);
    audit_sums_add(&twice, &sums);
    audit_sums_add(&twice, &sums);
    UNIT_EQ_U64("", twice.transactions[TXN_PAYMENT], 4);
    UNIT_EQ_U64("", twice.rollbacks, 2);
    UNIT_EQ_U64("", twice.lines, 18);
    UNIT_EQ_U64("", twice.remote_lines, 4);
    UNIT_EQ_U64("", twice.remote_payments, 4);
    UNIT_EQ_U64("found, not asked for", twice.payments_by_name, 2);
    UNIT_EQ_U64("", twice.statuses_by_name, 2);
    UNIT_EQ_U64("transactions, not districts", twice.skipped_deliveries, 2);
}

static const struct unit_test tests[] = {
    {"bands_5_5_1_5", test_bands_5_5_1_5},
    {"mistakes_are_seen", test_mistakes_are_seen},
    {"widened", test_widened},
    {"one_warehouse", test_one_warehouse},
    {"count", test_count},
};
const struct unit_suite audit_suite = UNIT_SUITE("audit", tests);
