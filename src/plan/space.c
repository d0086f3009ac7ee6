/*
 * Space by formula, for PostgreSQL. Constants measured on PostgreSQL 15 with the storage parameters
 * of schema/postgresql: loads of 1, 5 and 20 warehouses; on the 20, runs of 1,500 users at 313 TPS,
 * 4 minutes with a checkpoint every 30 s and then 8 with one every 60 s. Measured, and by formula:
 *
 *   WAL of a checkpoint interval      374, 565 MB      400, 608 MB
 *   WAL held at the end               772, 1,158 MB    880, 1,338 MB
 *   growth beyond the inserts         19, 18 MB        20, 21 MB
 */
#include "plan/space.h"

#include <math.h>

#include "base/clock.h"

#define PAGE_BYTES 8192.0
#define WAREHOUSE_BYTES 112.4e6
#define IMAGE_BESIDE                                                                               \
    UINT64_C(200000000)    /* the server's own files, and WAL as the load leaves it                \
                            */
#define ITEMS_BYTES 13.4e6 /* what does not depend on the warehouses */

/* Inserts: an order, its new_order and ten lines with their keys; a row of history. In the default
 * mix 759 bytes a transaction. */
#define NEW_ORDER_INSERTS 1600.0
#define PAYMENT_INSERTS 90.0

/* Dead versions that find no room in their page: at first 320 bytes a transaction of the default
 * mix, which is 92 % writers; then vacuum frees what new ones take, and the dataset stays 2.5 %
 * bigger. */
#define WRITER_VERSIONS 348.0
#define VERSIONS_SHARE 0.025

/* WAL: records by transaction, and a whole page for each page that is changed for the first time
 * after a checkpoint. Pages changed at random places: New-Order ten of stock, three at the ends of
 * its indexes; Payment its customer's and one more; Delivery ten customers, orders and lines. */
#define NEW_ORDER_RECORDS 4600.0
#define PAYMENT_RECORDS 800.0
#define DELIVERY_RECORDS 9000.0
#define NEW_ORDER_PAGES 13.0
#define PAYMENT_PAGES 2.0
#define DELIVERY_PAGES 40.0
#define CHANGED_SHARE 0.7 /* of the dataset's pages: stock, customer, the ends of the orders */
#define WAL_HELD 2.2
#define WAL_LEAST 80e6 /* five segments */

struct per_txn { /* of the mix, bytes and pages */
    double inserts, versions, records, pages;
};

static double share_of(const uint8_t *mix, enum txn_type type)
{
    double cards = 0;

    for (int t = 0; t < TXN_TYPES; t++)
        cards += mix[t];
    return mix[type] / cards;
}

static struct per_txn of_mix(const uint8_t *mix)
{
    const double new_order = share_of(mix, TXN_NEW_ORDER);
    const double payment = share_of(mix, TXN_PAYMENT);
    const double delivery = share_of(mix, TXN_DELIVERY);

    return (struct per_txn){
        .inserts = new_order * NEW_ORDER_INSERTS + payment * PAYMENT_INSERTS,
        .versions = (new_order + payment + delivery) * WRITER_VERSIONS,
        .records =
            new_order * NEW_ORDER_RECORDS + payment * PAYMENT_RECORDS + delivery * DELIVERY_RECORDS,
        .pages = new_order * NEW_ORDER_PAGES + payment * PAYMENT_PAGES + delivery * DELIVERY_PAGES,
    };
}

/* Different pages among `touches` of `pages`. NURand makes some pages hot: three classes, of a
 * tenth, three tenths and the rest of the pages, with these rates, come within 9 % of what a draw
 * of NURand(8191, 1, 100000) over pages of 25 rows gives, from 0.05 to 10 touches a page. */
static double distinct(double touches, double pages)
{
    static const struct {
        double pages, rate;
    } classes[] = {{0.1, 5.8}, {0.3, 1.05}, {0.6, 0.175}};
    double share = 0;

    if (pages <= 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(classes); i++)
        share += classes[i].pages * -expm1(-classes[i].rate * touches / pages);
    return share * pages;
}

uint64_t space_of_dataset(uint64_t warehouses)
{
    return (uint64_t)(ITEMS_BYTES + (double)warehouses * WAREHOUSE_BYTES);
}

uint64_t space_of_image(uint64_t dataset)
{
    return dataset + IMAGE_BESIDE;
}

uint64_t space_warehouses(uint64_t bytes)
{
    const double n = ((double)bytes - ITEMS_BYTES) / WAREHOUSE_BYTES;

    return n >= 1 ? (uint64_t)n : 1;
}

void space_build(struct plan_space *out, const struct space_run *run,
                 const struct plan_facts *facts)
{
    const struct per_txn per = of_mix(run->mix);
    const double run_s = facts->load_only ? 0 : (double)run->duration_ns / (double)NS_PER_S;
    const double interval_s = fmin((double)run->checkpoint_timeout_s, run_s);
    const double txns = run->tps * run_s;
    const double interval_txns = run->tps * interval_s;

    *out = (struct plan_space){.dataset = space_of_dataset(run->warehouses)};
    const double most_versions = VERSIONS_SHARE * (double)out->dataset;
    const double pages = CHANGED_SHARE * (double)out->dataset / PAGE_BYTES;
    const double page_bytes = PAGE_BYTES * distinct(per.pages * interval_txns, pages);
    const double wal = per.records * interval_txns + page_bytes;

    if (!facts->dataset_complete || run->rebuild)
        out->dataset_missing =
            out->dataset > facts->dataset_bytes ? out->dataset - facts->dataset_bytes : 0;
    /* A clone takes its room as well, as the run changes what it shares. */
    if (facts->restore && facts->image_on_drive && (!facts->image_there || run->rebuild))
        out->image = space_of_image(out->dataset);
    out->inserts = (uint64_t)(per.inserts * txns);
    out->versions = (uint64_t)(most_versions * -expm1(-per.versions * txns / most_versions));
    out->wal_interval = (uint64_t)wal;
    out->wal = facts->load_only ? 0 : (uint64_t)fmax(WAL_HELD * wal, WAL_LEAST);
    out->run_writes = interval_s > 0 ? (uint64_t)((wal + page_bytes) * run_s / interval_s) : 0;
    /* What is only read, by a check or a load that is there already, needs no reserve. */
    if (!facts->load_only || !facts->dataset_complete || run->rebuild)
        out->reserve = facts->fs_size_bytes / 10;
    out->needed =
        out->dataset_missing + out->image + out->inserts + out->versions + out->wal + out->reserve;
    out->free = facts->fs_free_bytes;
    out->fits = facts->fs_size_bytes == 0 || out->needed <= out->free;
}
