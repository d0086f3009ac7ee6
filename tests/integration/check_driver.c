/*
 * Loads a dataset for the scripts beside it: check-driver CONNINFO WAREHOUSES.
 */
#include <stdio.h>

#include "base/units.h"
#include "load/loader.h"

int main(int argc, char **argv)
{
    struct err err = {0};
    struct dialect *d = dialect_read("schema/postgresql", &err);
    struct load_env env = {.ops = db_find("pq"),
                           .db = {.application_name = "check-driver", .clock = clock_system()},
                           .dialect = d,
                           .clock = clock_system()};
    struct load_opts opts = {.dataset = {.seed = 7}, .loaders = 2, .binary = true};
    struct load_times times;
    struct manifest m;
    uint64_t warehouses = 0;

    if (argc != 3 || !d || units_parse_u64(argv[2], &warehouses, &err) < 0) {
        (void)fprintf(stderr, "check-driver: %s\n", err.text);
        return 2;
    }
    env.db.conninfo = argv[1];
    opts.dataset.warehouses = (int32_t)warehouses;
    if (load_dataset(&env, &opts, &m, &times, &err) < 0)
        (void)fprintf(stderr, "check-driver: %s\n", err.text);
    dialect_free(d);
    return err_exit_code(&err);
}
