/*
 * All settings, resolved to values: one open struct per group, filled from the option table
 * (config/spec.c), which gives each field its path, type, default, range, help and origin. What is
 * not set by anybody and has no fixed default ("auto") is 0, NULL or NaN here and is decided by the
 * plan.
 */
#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define SETTINGS_TXN                                                                               \
    5 /* new_order, payment, order_status, delivery, stock_level, in this order                    \
       */
#define SETTINGS_DEVICES_MAX 64

enum check_level { CHECK_NONE, CHECK_QUICK, CHECK_FULL };
enum settings_pace {
    SETTINGS_PACE_THINK,
    SETTINGS_PACE_CYCLE,
    SETTINGS_PACE_INTERARRIVAL,
    SETTINGS_PACE_NONE
};
enum settings_dist {
    SETTINGS_DIST_FIXED,
    SETTINGS_DIST_UNIFORM,
    SETTINGS_DIST_NEGEXP,
    SETTINGS_DIST_NORMAL
};

struct settings_dist_of {
    int kind; /* enum settings_dist */
    uint64_t mean_ns, low_ns, high_ns, sd_ns;
};

struct settings_target { /* where the database is */
    char *drive;         /* --drive DIR; NULL: current directory where no other target is named */
    char *pg;            /* --pg CONNINFO; SECRET */
    char *odbc;          /* --odbc CONNSTR; SECRET */
    char *device[SETTINGS_DEVICES_MAX]; /* --device [HOST:]NAME, may be given again */
    int n_devices;
    char *dialect; /* --dialect DIR; NULL: by what the server is */
};

struct settings_load {
    uint64_t warehouses; /* 0: auto */
    uint64_t size_bytes; /* --size; 0: not given */
    uint64_t seed;       /* load.seed */
    int64_t time_us;     /* load.time, since 1970-01-01 UTC; 0: auto, the first start of the load */
    int64_t loaders;     /* 0: auto (cores) */
    int unit;            /* 0 auto, 1 warehouse, 2 table */
    bool rebuild;
    bool remove;
    bool checksum; /* tpcc-load --checksum */
};

enum settings_restore_method { RESTORE_COPY, RESTORE_REFLINK };

struct settings_restore { /* the same start for every run */
    bool before_run;      /* --restore */
    char *image;          /* --image DIR; NULL: in the private server's directory */
    int method;           /* enum settings_restore_method */
    uint64_t rest_ns;     /* --restore-rest */
};

enum settings_prep_purpose { PREP_BLOCKS, PREP_DATABASE };
enum settings_prep_erase {
    PREP_ERASE_AUTO,
    PREP_ERASE_NVME_FORMAT,
    PREP_ERASE_DISCARD,
    PREP_ERASE_OVERWRITE,
    PREP_ERASE_SANITIZE,
    PREP_ERASE_NONE
};
enum settings_prep_fill { PREP_FILL_AUTO, PREP_FILL_FULL, PREP_FILL_NONE };

struct settings_prep { /* drive-prep */
    int purpose;       /* enum settings_prep_purpose */
    int erase;         /* enum settings_prep_erase */
    int fill;          /* enum settings_prep_fill */
    bool qlc;
    uint64_t size_bytes; /* of the partition; 0: auto */
    int filesystem;      /* 0 ext4, 1 xfs */
    char *mount;         /* --mount DIR; NULL: auto */
    bool restart;
    char *state;  /* directory of the records */
    char *die_at; /* for tests: the step in which the program kills itself */
};

struct settings_run {
    char *workload;  /* --workload NAME|FILE, or "inline": the workload group as it stands */
    uint64_t repeat; /* runs one after the other; 1: one */
    uint64_t users;
    uint64_t sessions; /* 0: auto */
    uint64_t duration_ns;
    uint64_t sample_ns; /* 0: duration / 6 */
    uint64_t ramp_ns;   /* UINT64_MAX: auto, one mean cycle */
    bool until_steady;
    uint64_t precondition_max_ns; /* 0: auto, twice what is planned */
    uint64_t seed;
    uint64_t interval_ns;    /* 0: auto */
    uint64_t txn_timeout_ns; /* the transaction bound, 60 s */
    uint64_t drain_ns;       /* the drain's bound, 60 s */
    int64_t attempts;        /* 10 */
    int transport;           /* 0 procedures, 1 statements */
    int check;               /* enum check_level, -1: auto (quick before, full after) */
    char *label;
    bool allow_unsafe;
};

struct settings_ladder { /* many runs on one dataset */
    char *steps;         /* --steps, as written (config/steps.h); NULL: not asked for */
    char *find_users;    /* --find-users, as written (config/goals.h); NULL: not asked for */
    char *find_tps;      /* --find-tps: GOALS_CURVE, or as written (config/goals.h) */
    char *percents;      /* --step-percent: of the maximum, as written (config/steps.h) */
    uint64_t sample_ns;  /* --step-sample */
    uint64_t settle_ns;  /* --step-settle; 0: auto, until steady */
    char *resume;        /* --resume DIR: the ladder to go on with */
};

struct settings_workload {
    char *name; /* for reports: what the file calls itself, else NAME or FILE as given */
    int pace;   /* enum settings_pace */
    double factor;
    uint64_t mix[SETTINGS_TXN]; /* cards of 100 */
    struct settings_dist_of keying[SETTINGS_TXN];
    struct settings_dist_of think[SETTINGS_TXN];
    struct settings_dist_of interval; /* cycle and interarrival */
    bool delivery_deferred;
    double remote_line_percent, remote_payment_percent, rollback_percent, by_name_percent;
};

struct settings_sweep {                   /* drive-sweep */
    char *workload[SETTINGS_DEVICES_MAX]; /* --workload NAME|FILE, may be given again */
    int n_workloads;                      /* 0: four-corners, or what `from` makes */
    char *from;                           /* --from RESULT: oltp-blocks of it; NULL: no */
    char *resume;                         /* --resume RESULT: the sweep to go on with */
    uint64_t point_duration_ns, settle_ns;
    bool until_steady;
    char *fio; /* the program */
    uint64_t patience_ns;
};

struct settings_drive { /* the drive that block tests and preparations overwrite */
    char *i_will_lose;  /* --i-will-lose SERIAL */
};

struct settings_review { /* drive-review */
    char *drive;         /* --drive DEVICE */
    char *plan;          /* --plan FILE; NULL: the default plan */
};

struct settings_server {         /* the private server */
    char *user;                  /* --server-user */
    char *bin_dir;               /* NULL: found */
    uint64_t buffer_bytes;       /* --buffer; 0: auto */
    uint64_t memory_limit_bytes; /* --memory-limit; 0: auto, UINT64_MAX: none */
    bool keep_running;
    uint64_t recovery_timeout_ns;
};

struct settings_output {
    char *results; /* --results DIR */
    char *html;    /* --html FILE */
    bool dry_run, yes, plain, quiet, strict, json, csv, markdown, list;
    int by; /* what a comparison goes by: the order of its words in spec.c, enum compare_measure */
};

struct settings {
    struct settings_target target;
    struct settings_load load;
    struct settings_restore restore;
    struct settings_run run;
    struct settings_ladder ladder;
    struct settings_workload workload;
    struct settings_server server;
    struct settings_output output;
    struct settings_sweep sweep;
    struct settings_prep prep;
    struct settings_drive drive;
    struct settings_review review;
};

#endif
