/*
 * tpcc-load: only the dataset. Standard output gets what was loaded, one "name value" a line;
 * everything else goes to standard error.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cmd/program.h"
#include "load/loader.h"
#include "tpcc/tables.h"

static void print_seconds(const char *name, double seconds)
{
    if (!isnan(seconds))
        printf("%-20s %.3f\n", name, seconds);
}

static void print_loaded(const struct job_loaded *loaded)
{
    printf("%-20s %" PRId64 "\n", "warehouses", loaded->warehouses);
    printf("%-20s %" PRId64 "\n", "bytes", loaded->bytes);
    printf("%-20s %s\n", "loaded", loaded->reused ? "before" : "now");
    print_seconds("rows_seconds", loaded->times->fill);
    print_seconds("keys_seconds", loaded->times->index);
    print_seconds("vacuum_seconds", loaded->times->vacuum);
    print_seconds("check_seconds", loaded->times->check);
    print_seconds("total_seconds", loaded->times->total);
    for (int t = 0; loaded->checksum && t < TABLE_COUNT; t++)
        printf("checksum_%-11s %016" PRIx64 "\n", tpcc_table((enum tpcc_table)t)->name,
               loaded->checksum[t]);
    if (loaded->checksum)
        printf("%-20s %016" PRIx64 "\n", "checksum", loaded->checksum_total);
    fflush(stdout);
}

static int load(struct program *p)
{
    uint64_t checksum[TABLE_COUNT];
    struct load_times times = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    struct job_loaded loaded = {
        .times = &times,
        .checksum = p->config.s.load.checksum ? checksum : NULL,
    };
    struct err err = {0};

    if (job_load(&p->env, &loaded, &err) < 0)
        return program_fail(p, &err);
    console_flush(p->console);
    if (!p->config.s.output.dry_run)
        print_loaded(&loaded);
    return 0;
}

int main(int argc, char **argv)
{
    struct program p;
    struct err err = {0};
    int rc = program_begin(&p, PROGRAM_LOAD, argc, argv);

    if (rc == PROGRAM_GO) {
        if (p.config.s.load.remove)
            rc = job_remove(&p.env, &err) < 0 ? program_fail(&p, &err) : 0;
        else
            rc = load(&p);
    }
    return program_end(&p, rc);
}
