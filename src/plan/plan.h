/*
 * The plan: every derived number of a run, from the settings and from what the surroundings are
 * (RAM, free space, a dataset that is already there). Pure: it asks nothing itself. Immutable after
 * plan_build(); the steps of the job read it, none changes it.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "config/config.h"
#include "config/settings.h"
#include "tpcc/input.h"
#include "tpcc/pace.h"
#include "tpcc/params.h"

/* What the job found out before planning. */
struct plan_facts {
    uint64_t memory_bytes; /* RAM of this machine */
    int cpus;
    bool private_server;
    uint64_t dataset_warehouses; /* of a complete (or half-loaded) dataset that is there; 0: none */
    uint64_t dataset_bytes;      /* its size on the drive; 0: none, or not known */
    bool dataset_complete;
    double warehouse_load_s; /* what the last load here took, by its manifest; 0: not known */
    uint64_t fs_size_bytes;  /* of the drive's file system; 0: not known (server elsewhere) */
    uint64_t fs_free_bytes;
    int64_t free_connections;     /* of a server that is not ours; -1: not known */
    bool load_only;               /* tpcc-load: no run follows */
    double runs;                  /* so many of this length follow each other; 0: one */
    uint64_t repeats;             /* so many runs of this plan are asked for; 0: one */
    const char *memory_limiter;   /* by what a limit can be set: "cgroup v1"; NULL: by nothing */
    const char *memory_unlimited; /* and then why */
    uint64_t huge_free_bytes;     /* in huge pages that nobody uses */
    bool restore;                 /* the dataset is put back before the run */
    const char *image_dir;        /* and where its image lies */
    bool image_there;             /* of this dataset */
    bool image_on_drive;          /* on the file system of the dataset */
    bool image_on_device;         /* on a device of the dataset */
    const char *command;          /* config->command_base, for refusals; NULL: the program's name */
};

/* Every term of the space needed, bytes; each is printed. The formulas are in plan/space.c. */
struct plan_space {
    uint64_t dataset;         /* what a load of W warehouses takes with its keys */
    uint64_t dataset_missing; /* of it, not there yet */
    uint64_t image;           /* of the dataset, not there yet, on the same file system */
    uint64_t inserts;         /* growth of the run */
    uint64_t versions;        /* row versions before autovacuum catches up */
    uint64_t wal;             /* WAL held */
    uint64_t reserve;         /* 10 % of the file system; 0 where nothing is written */
    uint64_t needed;          /* missing + image + inserts + versions + wal + reserve */
    uint64_t free;            /* 0: not known */
    uint64_t wal_interval;    /* what one checkpoint interval writes of it */
    uint64_t run_writes;      /* bytes the run will write, estimate: WAL and pages */
    bool fits;                /* true also where the free space is not known */
};

/* Every term of the private server's memory limit, bytes. The formulas are in plan/memory.c. */
struct plan_memory {
    uint64_t page_cache;
    uint64_t sessions;
    uint64_t own; /* the server's other processes and what the kernel keeps for it */
    uint64_t buffer;
    uint64_t page_tables;
    bool huge;      /* buffer and its page tables lie in huge pages, which no group counts */
    uint64_t limit; /* the sum, or as given; 0: none */
    bool given;
    uint64_t honest_warehouses; /* from these on RAM alone is small enough beside the dataset */
};

enum plan_phase { PHASE_RAMP, PHASE_PRECONDITION, PHASE_SAMPLE, PHASE_DRAIN, PHASES };
const char *plan_phase_name(enum plan_phase p); /* "ramp" ... */

struct plan {
    struct tpcc_dataset dataset; /* load_time_us 0 until the manifest fixes it */
    struct input_rules rules;    /* c_run is set when the manifest is known */
    struct pace pace;
    uint8_t mix[TXN_TYPES];
    bool delivery_deferred;
    bool home_drawn; /* users < warehouses: home drawn anew each time over all */

    uint64_t users;
    uint32_t sessions;
    uint32_t delivery_sessions; /* of them, at most so many execute queued Deliveries */
    double mean_cycle_s;        /* 0 without pace */
    double ceiling_tps;         /* NaN without pace */
    double space_tps; /* the rate that the space is reckoned with: the ceiling, or a guess */

    uint64_t ramp_ns;         /* phases, relative to GO: ramp is inside the precondition */
    uint64_t precondition_ns; /* up to the start of the sample, ramp included */
    bool until_steady;        /* the precondition ends when it is steady, precondition_ns is its
                                 bound */
    uint64_t precondition_planned_ns; /* without a bound the same as precondition_ns */
    uint64_t sample_ns;
    uint64_t drain_ns; /* bound */
    uint64_t interval_ns;
    uint64_t round_ns; /* in which steadiness is judged: a checkpoint, or shorter in a short run */

    uint64_t txn_timeout_ns;
    uint32_t attempts_max;

    uint64_t buffer_bytes; /* private server's shared_buffers */
    struct plan_memory memory;
    uint64_t checkpoint_timeout_s;
    uint64_t max_wal_bytes;
    uint32_t loaders;
    bool unit_table;      /* loading by whole tables (few cores, private server) */
    double load_seconds;  /* expected */
    bool load_known;      /* from the last load here; else estimated by cores */
    uint64_t reach_bytes; /* within reach of the users */
    bool reach_warning;   /* unlimited and below 4 x memory: reads may come from RAM */
    bool printable;       /* all is filled, also where plan_build refuses for want of space */
    struct plan_space space;
    int check_before, check_after; /* enum check_level */
};

/* Derives everything. Errors say which setting and what to do: ERR_USAGE where settings contradict
 * what is there, ERR_SURROUNDINGS for too little space (with a complete command line that fits; the
 * plan is then printable) or too few connections. `s` must have passed config_validate(). */
int plan_build(struct plan *plan, const struct settings *s, const struct plan_facts *facts,
               struct err *err) MUST_CHECK;

/* The plan as the user sees it before anything is written: 80 columns. */
void plan_print(const struct plan *plan, const struct settings *s, const struct plan_facts *facts,
                struct strbuf *out);
/* Every setting with its value and where it came from, as --dry-run shows it; what was "auto" with
 * the plan's value. */
void plan_print_origins(const struct plan *plan, const struct config *c, struct strbuf *out);

/* A copy of `s` in which the plan's numbers have replaced "auto". Its texts are those of `s`: not
 * to be released. */
void plan_resolve(const struct plan *plan, const struct settings *s, struct settings *out);
/* plan.yaml: the resolved settings without secrets; run with --config it repeats the run. */
void plan_yaml(const struct plan *plan, const struct settings *s, struct strbuf *out);
/* The same of c->s, with where each value comes from as a comment. */
void plan_yaml_origins(const struct plan *plan, const struct config *c, struct strbuf *out);

#endif
