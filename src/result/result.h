/*
 * The document of a run: what result.json, series.csv, latency.csv and batches.csv hold, and
 * nothing else. Reports are made from it, live or read back. A figure that does not exist is NaN
 * (double), -1 (int64_t) or NULL (text), and null or an empty cell in files, never 0.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "result/prep_record.h"
#include "result/sweep.h"
#include "stats/counters.h"
#include "stats/health.h"
#include "stats/hist.h"
#include "stats/steady.h"
#include "stats/summary.h"

#define RESULT_FORMAT "tpcc-run/1"
#define RESULT_TXN_ROWS 6 /* the five and delivery_deferred, in the order of enum txn_type */
#define RESULT_BATCHES 120
#define RESULT_DEVICES_MAX 65
#define RESULT_REMOTES_MAX 16
#define RESULT_PHASES 4
#define RESULT_NONE ((double)NAN) /* the figure that does not exist */

/* "ramp", "precondition", "sample", "drain". */
const char *result_phase_name(int phase);

/* "new_order" ... "delivery_deferred". */
const char *result_txn_name(int row);

enum result_kind_of_time { TIME_RESPONSE, TIME_QUEUE, TIME_SERVICE, TIME_KINDS };
const char *result_time_name(enum result_kind_of_time k); /* "response", "queue", "service" */

enum verdict_status { VERDICT_VALID, VERDICT_QUESTIONABLE, VERDICT_INVALID };

struct verdict_reason {
    const char *code; /* "short", "late" ...: of the verdict table, or result_keep_text() */
    char *text;       /* one sentence */
    double value;     /* NaN: none */
    double limit;
    char *advice;
};

struct result_verdict {
    enum verdict_status status;
    VEC(struct verdict_reason) reasons;
};

struct result_host {
    char *name, *kernel, *cpu_model;
    char *governor; /* of the first core; NULL: none is told, as in a virtual machine */
    int64_t cpus, memory_bytes;
};

struct result_setting {
    char *name, *value;
};

struct result_database {
    char *kind, *version, *driver, *transport;
    int64_t round_trips[RESULT_TXN_ROWS]; /* -1: none */
    VEC(struct result_setting) settings;  /* the server's, as it printed them */
    int64_t buffer_bytes, memory_limit_bytes;
    char *memory_limit_by;  /* "systemd", "cgroup v2", "cgroup v1"; NULL: not limited */
    char *memory_unlimited; /* why not, where a limit was wished for */
};

/* How the dataset was put back to its state after the load, before this run. */
struct result_restore {
    char *method;                 /* "copy", "reflink"; NULL: it was not */
    char *image;                  /* directory of the image */
    int64_t bytes, bytes_written; /* of the image; what was written anew of it */
    double seconds;               /* copying and comparing */
    double rest_s;                /* between the restore and the start of the server */
    int same_device;              /* as the dataset; 1, 0, -1: not known */
};

struct result_dataset {
    int64_t warehouses, bytes_before, bytes_after;
    int64_t cached_bytes; /* of the server's files, in memory when it was started for the run */
    uint64_t seed;
    int64_t c_load[3], c_run[3]; /* C_LAST, C_ID, OL_I_ID */
    char *loaded_at;
    double load_seconds;
    int64_t runs_since_load;
    struct result_restore restore;
};

struct result_device {
    char *name; /* "nvme0n1p1"; of another host "db1:nvme0n1p1" */
    char *model, *firmware, *scheduler, *write_cache;
    char *role;  /* "filesystem", "leaf", "filesystem,leaf" or "named" */
    char *link;  /* "PCIe 8.0 GT/s x4 of 16.0 GT/s x4" */
    char *holds; /* "data, WAL": what of the server lies directly on it; or NULL */
    bool summed; /* its counters are in the figures per transaction and in bytes_written */
    int64_t size_bytes, rotational; /* rotational: 0, 1, -1 */
};

/* Another host that devices stand on, read over ssh along the whole run. */
struct result_remote {
    char *host;
    /* What its wall clock was ahead of ours as the connection was made, and how well that is known;
     * the shortest round trip; how well it is known when a reading was taken, at worst. */
    double clock_ahead_ms, clock_error_ms, round_trip_ms, reading_error_ms;
    int64_t asked, answered; /* readings */
    int64_t losses;          /* of the connection */
    double lost_at_s;        /* the last one, from GO; NaN: none */
    char *reason; /* why it was last lost, or could not be made; NULL: nothing went wrong */
};

struct result_drive {
    char *path, *filesystem, *mount_options, *how_found;
    char *why_none; /* why there are no counters, NULL where there are */
    char *unseen;   /* what of the server is on devices that could not be found; NULL: nothing */
    char *shared;   /* what else lives on it: "/", "swap", "/ and swap"; NULL: nothing known */
    double used_percent;
    struct prep_record prep;           /* how it was prepared; prep.id NULL: nothing known */
    VEC(struct result_device) devices; /* in the order of the columns in series.csv */
    VEC(struct result_remote) remotes; /* hosts of devices that are not on this machine */
};

struct result_workload {
    char *name, *delivery, *loop; /* "in line"|"deferred"; "closed"|"interarrival"|"none" */
    int64_t users, sessions;
    double mean_cycle_s, ceiling_tps;
};

struct result_phase {
    char *name;
    double start_s, end_s; /* from GO */
};

/* Rates of one device over a window; NaN: does not exist. */
struct result_rates {
    double reads_per_s, writes_per_s, flushes_per_s;
    double read_mib_per_s, write_mib_per_s;
    double read_await_ms, write_await_ms, flush_await_ms;
    double queue, busy_percent;
};
struct result_rates result_rates_none(void);

/* What a session of the run was doing at the server when it was looked at. */
enum wait_class {
    WAIT_READ,   /* waits for pages of data from the drive */
    WAIT_WRITE,  /* writes, extends or syncs files of data itself */
    WAIT_WAL,    /* writes or flushes WAL, or waits for another session that does */
    WAIT_LOCK,   /* waits for a row or a page that another session holds */
    WAIT_CPU,    /* runs, or waits for a processor: no wait is told */
    WAIT_CLIENT, /* within a transaction, waits for the driver */
    WAIT_OTHER,
    WAIT_CLASSES
};
const char *result_wait_name(enum wait_class c);  /* "read" ... "other": in files */
const char *result_wait_words(enum wait_class c); /* "data reads" ...: for people */

/* What the server did over a window; NaN: not to be had. Doubles only. */
struct result_server {
    double commit_ms;         /* one write and flush of WAL (or, where the server does not time it,
                                 what a commit waited for it, by the looks): see commit_by */
    double commits_per_flush; /* transactions that write, to flushes of WAL */
    double wal_kib_per_transaction;
    double full_page_percent; /* of the bytes of WAL, pages in whole; their holes counted in */
    double cache_hit_percent;
    double page_reads_per_s;
    double cpu_ms_per_transaction;
    double cpu_percent; /* of the processors that the server may use */
    double longest_silence_ms;
    double active;                     /* sessions within a transaction, mean of the looks */
    double wait_percent[WAIT_CLASSES]; /* of their time; sums to 100 */
    double io_read_mib_per_s, io_write_mib_per_s; /* of its processes and this program, by the
                                               kernel's account, whichever drive it was */
    double host_cpu_percent; /* of all processors of its machine, whoever uses them */
    double psi_cpu_percent, psi_io_percent, psi_memory_percent; /* "some", of the time */
};
struct result_server result_server_none(void);

/* What is of the sample only. */
struct result_server_sample {
    char *commit_by; /* "server" (track_wal_io_timing) or "looks"; NULL: commit_ms is none */
    int64_t checkpoints_timed, checkpoints_requested; /* begun */
    int64_t checkpoints_whole;                        /* begun and ended */
    int64_t cpus;                                     /* that the server may use */
    int64_t wal_bytes, page_reads;
    int64_t dirty_bytes; /* in the page cache as the sample began, not yet written, whosever */
    /* With several targets at once: how many others lie on the same drive, and what their servers
     * moved. None: not known. */
    int64_t beside; /* -1: one target */
    double beside_read_mib_per_s, beside_write_mib_per_s;
    int64_t looks; /* at the sessions */
    double looks_per_s;
    double looking_percent; /* CPU time of the looking's session at the server, of the server's */
    double looking_core_percent; /* the same and the driver's part, of one core */
};

struct result_txn {
    int64_t count; /* committed + rolled back, done inside the window */
    double percent, tps;
    struct summary time[TIME_KINDS];
    double limit_ms;  /* 5.2.5.3 at the 90th percentile */
    int within_limit; /* 1, 0, -1: no figure */
};

struct result_driver {
    double cpu_percent, cpu_us_per_transaction, rss_mib;
    double lateness_avg_ms, lateness_p50_ms, lateness_p99_ms, lateness_max_ms;
    double free_session_wait_percent;
};

struct result_sample {
    double seconds; /* real elapsed */
    double planned_seconds;
    int64_t transactions;
    double tps, tps_percent_of_ceiling, nopm;
    int64_t unfinished;
    int64_t in_doubt_not_committed; /* of outcomes.in_doubt, once looked up; -1: not known */
    /* The worst device's share of the sample's whole intervals without a figure; NaN: no devices.
     */
    double devices_missing_percent;
    struct summary
        time[TIME_KINDS]; /* all transactions, deferred Deliveries' execution not in it */
    struct result_txn by_type[RESULT_TXN_ROWS];
    struct counters outcomes;
    struct result_rates devices[RESULT_DEVICES_MAX]; /* as drive.devices */
    double reads_per_txn, writes_per_txn, flushes_per_txn, read_kib_per_txn, write_kib_per_txn;
    struct result_server server;
    struct result_server_sample server_sample;
    struct result_driver driver;
};

struct result_run { /* the whole run, not only the sample */
    struct counters outcomes;
    int64_t in_doubt_committed, in_doubt_unresolved, abandoned_sessions;
    int64_t bytes_written;     /* to the summed devices; -1: not known */
    int64_t accounting_broken; /* intervals at which the counters' equation did not hold */
    int64_t oom_kills; /* processes of the server that its memory limit ended; -1: no limit */
    int64_t device_gaps, device_lost; /* samples missed or garbage; replaced or vanished; -1: no
                                         devices */
    double suspended_s;               /* that the machine was, from the first user to the end */
    bool interrupted;
    char *ended_by; /* "plan", "interrupt", "server gone" ... */
};

struct result_band {  /* one of the input audit (5.5.1.5) */
    const char *name; /* static, or result_keep_text(): "rollback_percent" ... */
    double value, low, high;
    int within; /* 1, 0, -1: no figure */
};

/* Something that happened at a time of the run: on the charts and in words. In order of time. */
struct result_mark {
    char *kind;            /* "change", "checkpoint" ...: what the page draws alike */
    char *text;            /* one sentence without a full stop */
    double start_s, end_s; /* from GO; end_s NaN: a moment */
    int64_t bytes_written; /* to the drive before it; -1: not known, or no matter */
};

enum result_steady_measure_of { /* what rounds are judged by */
                                STEADY_RESPONSE,
                                STEADY_TPS,
                                STEADY_WRITE_MIB, /* these of the drive, result/drive_set.h */
                                STEADY_READ_AWAIT,
                                STEADY_WRITE_AWAIT,
                                STEADY_FLUSH_AWAIT,
                                STEADY_MEASURES
};
const char *result_steady_name(int measure); /* "response_ms" ... */

struct result_steady_measure {
    double mean, range_percent, slope_percent; /* over the window (stats/steady.h) */
    double chance_range_percent, chance_slope_percent;
    double round[STEADY_WINDOW];
    int steady; /* 1, 0; -1: too little of it to judge */
};
struct result_steady_measure result_steady_none(void); /* not judged, no figure */

struct result_steadiness { /* result/steadiness.h */
    int steady;            /* 1, 0; -1: not judged, why_none says why */
    char *why_none;
    double round_s; /* whole checkpoints */
    int64_t rounds; /* from the ramp to the sample's end */
    /* The window shown: the least steady one of the sample, or the last where it has not five. */
    double window_start_s, window_end_s;
    double steady_from_s; /* all windows from here on were steady; NaN: none */
    struct result_steady_measure measure[STEADY_MEASURES];
    char *precondition_end; /* with --until-steady "steady" or "bound", else NULL */
    double precondition_planned_s, precondition_bound_s; /* NaN without it */
};

struct result_drive_health { /* of one leaf, by its own counters */
    char *device, *tool;
    char *why_none; /* NULL where there are figures */
    struct health_log before, after;
    struct health_used used;
};

struct result_health {
    VEC(struct result_drive_health) drives;
    double seconds;                              /* from before to after */
    double temperature_c_min, temperature_c_max; /* of the hottest drive, along the way */
    int64_t critical_warning; /* bits that any drive raised at any time; -1: not looked */
    double warned_at_s;       /* when the first was seen, from GO; before it 0 */
};

struct result_check {
    int number; /* condition 1..12; 0: "new_orders", see name */
    char *name;
    char *outcome; /* "ok", or what is wrong; NULL: not run */
};

struct result_checks {
    VEC(struct result_check) before, after;
    double before_seconds, after_seconds;
    int64_t new_orders_counted, new_orders_in_database; /* -1: not looked */
    int64_t payments_counted, payments_in_database;
    int orders_agree; /* 1, 0, -1 */
};

struct result_error {
    char *class, *sqlstate, *text;
    int64_t native, count;
    double first_at_s;
};

/* One row of series.csv: an interval from ramp to drain. Rates (tps) are NaN in a row shorter than
 * a tenth of an interval: a bit of the sample or of the drain that was left at its end. */
struct series_row {
    double time_s; /* the interval's end, from GO */
    uint8_t phase; /* result_phase_name()'s order, which is that of enum plan_phase */
    int64_t users; /* started so far */
    double tps[RESULT_TXN_ROWS];
    double tps_all;
    double avg_ms, p50_ms, p95_ms, p99_ms, max_ms; /* response of those done in it; NaN: none */
    int64_t queue;                                 /* due users without a session, at its end */
    int64_t sessions_busy;
    int64_t retries, errors;                 /* in the interval; errors = failed + in doubt */
    double lateness_avg_ms, lateness_max_ms; /* of those seen in it; NaN: none */
    double temperature_c;                    /* of the hottest drive, as last looked at */
    struct result_server server;
    struct result_rates device[]; /* series.n_devices of them */
};

/* Rows of equal size, in order of time. */
struct series {
    int n_devices;
    size_t n_rows, cap;
    char *rows;
};
void series_init(struct series *s, int n_devices);
void series_release(struct series *s);
/* A new row at the end, all figures "none"; valid until the next series_push. */
struct series_row *series_push(struct series *s);
struct series_row *series_at(const struct series *s, size_t i);
size_t series_row_size(int n_devices);
/* A row with room for n_devices whose figures are all "none". */
void series_row_none(struct series_row *row, int n_devices);

struct result_batch {
    uint64_t count;
    uint64_t sum_ns;
    struct hist *response; /* NULL where empty */
};

struct result {
    char *kind; /* "oltp", "sweep" */
    char *version, *started, *ended, *label, *command;
    struct result_verdict verdict;
    struct result_host host;
    struct result_database database;
    struct result_dataset dataset;
    struct result_drive drive;
    struct result_workload workload;
    VEC(struct result_phase) phases;
    struct result_sample sample;
    struct result_run run;
    struct result_steadiness steadiness;
    struct result_health health;
    struct result_sweep
        sweep; /* kind "sweep" only: then run, sample and what belongs to them is none */
    VEC(struct result_band) audit;
    struct result_checks checks;
    VEC(struct result_error) errors;
    VEC(struct result_mark) marks;                     /* result_add_mark() */
    struct hist *latency[RESULT_TXN_ROWS][TIME_KINDS]; /* the sample's; NULL where empty */
    struct result_batch batches[RESULT_BATCHES];
    struct series series;
    VEC(char *) texts;      /* result_keep_text() */
    bool partial;           /* read back from a run that was killed: no end, no sample */
    bool strict_accounting; /* tests: a broken equation aborts */
    bool allow_unsafe;      /* --allow-unsafe: `unsafe` is then a reason to question only */
};

/* All figures "none". result_release() it. */
void result_init(struct result *r);
void result_release(struct result *r);
/* A copy of the text that lives as long as r: for what is static text in a live result. */
const char *result_keep_text(struct result *r, const char *text);
/* Whether every transaction that was started in the whole run came to an end that was counted, but
 * for at most one in each abandoned session. */
bool result_balances(const struct result *r);
/* Takes the texts over and keeps the order of time. */
void result_add_mark(struct result *r, struct result_mark mark);
/* MiB a second of the drive (result/drive_set.h) in the sample. False: it is not known which
 * devices that is. */
struct result_moved {
    double read, write;
};
bool result_devices_moved(const struct result *r, struct result_moved *m);
/* Bytes a second that the server asked its files for in the sample; NaN: not known. */
double result_server_read_bytes(const struct result *r);
/* Of these the share that reached the drive: what the page cache answered is not in it. Over 100
 * where the kernel reads ahead. NaN: not known, or so few (a dataset that fits the buffer has none)
 * that they prove nothing. */
double result_drive_read_percent(const struct result *r);
/* Frees the drive's devices from this one on. */
void result_drop_devices(struct result *r, size_t from);
/* No reason, "valid". */
void result_verdict_clear(struct result *r);

#endif
