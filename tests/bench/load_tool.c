/*
 * What the loader's bench needs besides the programs: the generator alone, and the same rows as
 * ready-made text COPY files.
 *
 *   load_tool gen WAREHOUSES            rows to binary COPY bytes in memory: MB/s of one core
 *   load_tool dump DIR FIRST_W LAST_W   DIR/<table>.<w>, text; item and the columns' lists too
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "db/pq_encode.h"
#include "tpcc/rows.h"

#define ROW_BYTES_MAX 8192

static struct tpcc_dataset dataset(int32_t warehouses)
{
    return (struct tpcc_dataset){.seed = 1,
                                 .load_time_us = INT64_C(1790000000123456),
                                 .warehouses = warehouses,
                                 .c_load = nurand_c_load(1)};
}

static int gen(int32_t warehouses)
{
    const struct tpcc_dataset ds = dataset(warehouses);
    static char out[ROW_BYTES_MAX];
    uint64_t bytes_all = 0;
    uint64_t ns_all = 0;

    for (int t = 0; t < TABLE_COUNT; t++) {
        const struct table *table = tpcc_table((enum tpcc_table)t);
        struct row_maker *maker = row_maker_new(&ds, (enum tpcc_table)t, 1, warehouses);
        const uint64_t start_ns = thread_cpu_ns();
        const struct value *row = NULL;
        uint64_t bytes = 0;
        uint64_t rows = 0;
        uint64_t ns = 0;

        while ((row = row_maker_next(maker))) {
            char *p = pq_put_u16(out, table->n_columns);

            for (int i = 0; i < table->n_columns; i++)
                p = pq_put_binary(p, &row[i]);
            bytes += (uint64_t)(p - out);
            rows++;
        }
        ns = thread_cpu_ns() - start_ns;
        printf("%-12s %10llu rows %8.1f MB %7.0f MB/s %6.0f ns a row\n", table->name,
               (unsigned long long)rows, (double)bytes / 1e6, (double)bytes * 1e3 / (double)ns,
               (double)ns / (double)rows);
        bytes_all += bytes;
        ns_all += ns;
        row_maker_free(maker);
    }
    printf("generator: %.0f MB/s a core\n", (double)bytes_all * 1e3 / (double)ns_all);
    return 0;
}

static int dump_file(const char *dir, const struct tpcc_dataset *ds, enum tpcc_table t, int32_t w)
{
    const struct table *table = tpcc_table(t);
    struct row_maker *maker = row_maker_new(ds, t, w, w);
    char *path = xasprintf("%s/%s.%d", dir, table->name, w);
    FILE *f = fopen(path, "w");
    const struct value *row = NULL;
    static char out[ROW_BYTES_MAX];

    while (f && (row = row_maker_next(maker))) {
        char *p = out;

        for (int i = 0; i < table->n_columns; i++) {
            if (i)
                *p++ = '\t';
            p = pq_put_copy_text(p, &row[i]);
        }
        *p++ = '\n';
        if (fwrite(out, 1, (size_t)(p - out), f) != (size_t)(p - out))
            break;
    }
    row_maker_free(maker);
    if (!f || fclose(f) != 0 || row) {
        fprintf(stderr, "load_tool: %s: %s\n", path, strerror(errno));
        return 1;
    }
    free(path);
    return 0;
}

static int dump(const char *dir, int32_t first_w, int32_t last_w)
{
    const struct tpcc_dataset ds = dataset(last_w);

    for (int32_t w = first_w; w <= last_w; w++)
        for (int t = 0; t < TABLE_COUNT; t++)
            if ((t != TABLE_ITEM || w == first_w) &&
                dump_file(dir, &ds, (enum tpcc_table)t, w) != 0)
                return 1;
    return 0;
}

static int32_t number(const char *text)
{
    struct err err = {0};
    int64_t n = 0;

    if (units_parse_i64(text, &n, &err) < 0 || n < 1 || n > 100000) {
        fprintf(stderr, "load_tool: \"%s\" is not a number of warehouses\n", text);
        exit(2);
    }
    return (int32_t)n;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "gen") == 0)
        return gen(number(argv[2]));
    if (argc == 5 && strcmp(argv[1], "dump") == 0)
        return dump(argv[2], number(argv[3]), number(argv[4]));
    fprintf(stderr, "usage: load_tool gen WAREHOUSES | dump DIR FIRST_W LAST_W\n");
    return 2;
}
