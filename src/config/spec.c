/*
 * The option table and the look-ups in it. Reading and writing one value is in spec_value.c, the
 * merging of files and command line in config.c. Constant data: any thread.
 */
#include "config/spec.h"

#include <string.h>

#include "base/check.h"
#include "config/suggest.h"

#define AT(field) offsetof(struct settings, field)
#define SERVER (PROGRAM_RUN | PROGRAM_LOAD | PROGRAM_CHECK)
#define WORKING (SERVER | PROGRAM_DRIVES | PROGRAM_REVIEW)
#define ALL (WORKING | PROGRAM_REPORT)
#define BUILD (PROGRAM_RUN | PROGRAM_LOAD)
#define REVIEW PROGRAM_REVIEW
#define RUNS (PROGRAM_RUN | REVIEW)

static const char *const unit_words[] = {"auto", "warehouse", "table", NULL};
static const char *const restore_words[] = {"copy", "reflink", NULL};
static const char *const check_words[] = {"none", "quick", "full", NULL};
static const char *const transport_words[] = {"procedures", "statements", NULL}; /* enum txn_way */
static const char *const pace_words[] = {"think", "cycle", "interarrival", "none", NULL};
static const char *const by_words[] = {"avg", "p50", "p90", "p95", "p99", "p999", "tps", NULL};
static const char *const purpose_words[] = {"blocks", "database", NULL};
static const char *const erase_words[] = {"auto",     "nvme-format", "discard", "overwrite",
                                          "sanitize", "none",        NULL};
static const char *const fill_words[] = {"auto", "full", "none", NULL};
static const char *const filesystem_words[] = {"ext4", "xfs", NULL};
static const char *const delivery_words[] = {"inline", "deferred", NULL};

/* One row for each of the five transactions, in the order of the arrays in struct settings. */
#define MIX(i, name, cards)                                                                        \
    {                                                                                              \
        .path = "workload.mix." name, .type = SPEC_COUNT, .programs = RUNS,                        \
        .offset = AT(workload.mix[i]), .def = cards, .min = "0", .max = "100", .unit = "N",        \
        .help = "cards of this transaction in each user's deck of 100",                            \
    }
#define KEYING(i, name, time)                                                                      \
    {                                                                                              \
        .path = "workload.keying." name, .type = SPEC_DIST, .programs = RUNS,                      \
        .offset = AT(workload.keying[i]), .def = time, .max = "24h", .unit = "DIST",               \
        .help = "wait before the transaction is due (TPC-C 5.2.5.2), times the factor",            \
    }
#define THINK(i, name, time)                                                                       \
    {                                                                                              \
        .path = "workload.think." name, .type = SPEC_DIST, .programs = RUNS,                       \
        .offset = AT(workload.think[i]), .def = time, .max = "24h", .unit = "DIST",                \
        .help = "wait after the transaction is done (TPC-C 5.2.5.4), times the factor",            \
    }
#define PERCENT(field, word, value, text)                                                          \
    {                                                                                              \
        .path = "workload." word, .type = SPEC_DECIMAL, .programs = RUNS,                          \
        .offset = AT(workload.field), .def = value, .min = "0", .max = "100", .unit = "PERCENT",   \
        .help = text,                                                                              \
    }
#define SWITCH(group, field, word, progs, flag, text)                                              \
    {                                                                                              \
        .path = #group "." word, .type = SPEC_BOOL, .flags = flag, .programs = progs,              \
        .offset = AT(group.field), .def = "false", .option = word, .help = text,                   \
    }

const struct spec config_spec[] = {
    /* clang-format off */
    {.path = "target.drive", .type = SPEC_PATH, .programs = SERVER, .offset = AT(target.drive),
     .option = "drive", .unit = "DIR",
     .help = "directory on the drive under test; a private PostgreSQL server is made in "
             "DIR/tpcc-run/ (without a target: the current directory)"},
    {.path = "target.pg", .type = SPEC_TEXT, .flags = SPEC_SECRET, .programs = SERVER,
     .offset = AT(target.pg), .option = "pg", .unit = "CONNINFO",
     .help = "a PostgreSQL server that already runs, as libpq's connection string or URI"},
    {.path = "target.odbc", .type = SPEC_TEXT, .flags = SPEC_SECRET | SPEC_ODBC,
     .programs = SERVER, .offset = AT(target.odbc), .option = "odbc", .unit = "CONNSTR",
     .help = "a server that already runs, through its ODBC driver: a connection string "
             "(\"DSN=tpcc\"), or @FILE or env:NAME that hold one, so that no password is seen"},
    {.path = "target.device", .type = SPEC_LIST, .flags = SPEC_MAY_REPEAT, .programs = PROGRAM_RUN,
     .offset = AT(target.device), .offset_n = AT(target.n_devices), .option = "device",
     .unit = "[HOST:]NAME",
     .help = "block device whose counters are read, as under /sys/block, of another host by ssh "
             "(a key that opens it without a question; nothing is installed there); may be given "
             "again (default: what stands under the server's data directory)"},
    {.path = "target.dialect", .type = SPEC_PATH, .programs = SERVER, .offset = AT(target.dialect),
     .unit = "DIR",
     .option = "dialect", .help = "folder with the SQL of a dialect (default: that of the "
                                   "installation for the database that answers)"},

    {.path = "load.warehouses", .type = SPEC_COUNT, .flags = SPEC_AUTO, .programs = BUILD | REVIEW,
     .offset = AT(load.warehouses), .def = "auto", .min = "1", .max = "100000",
     .option = "warehouses", .unit = "N",
     .help = "size of the dataset (auto: a dataset that is already there, else users / 10)"},
    {.path = "load.size", .type = SPEC_BYTES, .flags = SPEC_AUTO, .programs = BUILD,
     .offset = AT(load.size_bytes), .def = "auto", .min = "130MB", .max = "10TB",
     .option = "size", .unit = "BYTES",
     .help = "size of the dataset after the load with indexes, in place of --warehouses"},
    {.path = "load.seed", .type = SPEC_COUNT, .programs = BUILD | REVIEW, .offset = AT(load.seed),
     .def = "1", .unit = "N",
     .help = "seed of the dataset's rows; the run's inputs have their own (run.seed)"},
    {.path = "load.time", .type = SPEC_TIME, .flags = SPEC_AUTO, .programs = BUILD | REVIEW,
     .offset = AT(load.time_us), .def = "auto", .unit = "TIME",
     .help = "time stamp of the dataset's rows (auto: when the load first starts)"},
    {.path = "load.loaders", .type = SPEC_INTEGER, .flags = SPEC_AUTO, .programs = BUILD | REVIEW,
     .offset = AT(load.loaders), .def = "auto", .min = "1", .max = "256", .option = "loaders",
     .unit = "N", .help = "connections that load at the same time (auto: the number of cores)"},
    {.path = "load.unit", .type = SPEC_CHOICE, .programs = BUILD | REVIEW, .offset = AT(load.unit),
     .def = "auto", .choices = unit_words, .unit = "WORD",
     .help = "what one transaction of the load holds: one warehouse of a table, or a whole table "
             "(auto: table on the private server of a machine with few cores)"},
    SWITCH(load, rebuild, "rebuild", BUILD, SPEC_ACTION,
           "drop a dataset of ours that is already there and load it anew"),
    SWITCH(load, remove, "remove", BUILD, SPEC_ACTION,
           "drop the dataset and the private server, then end"),
    SWITCH(load, checksum, "checksum", PROGRAM_LOAD, SPEC_ACTION,
           "read every row back and print the tables' checksums"),
    {.path = "load.restore", .type = SPEC_BOOL, .programs = BUILD,
     .offset = AT(restore.before_run), .def = "false", .option = "restore",
     .help = "put the dataset back to its state after the load, from an image of the private "
             "server's files that is made when there is none and the dataset has seen no run; the "
             "first run starts from a restored dataset too (of --steps and searches: once, before "
             "the first step)"},
    {.path = "load.image", .type = SPEC_PATH, .programs = BUILD, .offset = AT(restore.image),
     .option = "image", .unit = "DIR",
     .help = "existing directory on another drive, where the image is kept in "
             "DIR/tpcc-run-image/ (default: beside the server's files, where it takes the drive's "
             "space, and a copy reads the drive as well); --remove with it removes it too"},
    {.path = "load.restore-method", .type = SPEC_CHOICE, .programs = BUILD,
     .offset = AT(restore.method), .def = "copy", .choices = restore_words,
     .option = "restore-method", .unit = "copy|reflink",
     .help = "copy writes every file anew, on any file system alike; reflink shares the image's "
             "blocks, which takes no time and writes nothing, but in the run each first change of a "
             "block then costs the file system an allocation: compare only with runs like it"},
    {.path = "load.restore-rest", .type = SPEC_DURATION, .programs = BUILD,
     .offset = AT(restore.rest_ns), .def = "1m", .min = "0s", .max = "24h",
     .option = "restore-rest", .unit = "T",
     .help = "time between the restore and the start of the server, in which the drive settles what "
             "was written to it"},

    {.path = "run.workload", .type = SPEC_TEXT, .programs = PROGRAM_RUN, .also = REVIEW,
     .offset = AT(run.workload), .def = "oltp", .option = "workload", .unit = "NAME|FILE",
     .help = "how the users wait and what they do: oltp, tpcc, saturate, or a file of your own"},
    {.path = "run.users", .type = SPEC_COUNT, .programs = RUNS, .offset = AT(run.users),
     .def = "15000", .min = "1", .max = "1000000", .option = "users", .unit = "N",
     .help = "virtual users"},
    {.path = "run.sessions", .type = SPEC_COUNT, .flags = SPEC_AUTO, .programs = RUNS,
     .offset = AT(run.sessions), .def = "auto", .min = "1", .max = "1024", .option = "sessions",
     .unit = "N",
     .help = "connections that the users share (auto: ceiling TPS x 0.1 s, from 16 to 400)"},
    {.path = "run.duration", .type = SPEC_DURATION, .programs = RUNS,
     .offset = AT(run.duration_ns), .def = "3h", .min = "1s", .max = "168h", .option = "duration",
     .unit = "T", .help = "length of the run, precondition and sample together"},
    {.path = "run.sample", .type = SPEC_DURATION, .flags = SPEC_AUTO, .programs = RUNS,
     .offset = AT(run.sample_ns), .def = "auto", .min = "100ms", .max = "168h", .option = "sample",
     .unit = "T", .help = "the last part of the run, which counts (auto: duration / 6)"},
    {.path = "run.ramp", .type = SPEC_DURATION, .flags = SPEC_AUTO, .programs = RUNS,
     .offset = AT(run.ramp_ns), .auto_value = -1, .def = "auto", .min = "0s", .max = "168h",
     .option = "ramp", .unit = "T",
     .help = "time over which the users start, inside the precondition (auto: one mean cycle)"},
    {.path = "run.until-steady", .type = SPEC_BOOL, .programs = PROGRAM_RUN,
     .also = REVIEW, .offset = AT(run.until_steady), .def = "false",
     .option = "until-steady",
     .help = "end the precondition as soon as five rounds are steady, before or after its planned "
             "end (see run.precondition-max)"},
    {.path = "run.precondition-max", .type = SPEC_DURATION, .flags = SPEC_AUTO,
     .programs = RUNS, .offset = AT(run.precondition_max_ns), .def = "auto", .min = "1s",
     .max = "168h", .unit = "T",
     .help = "bound of the precondition with --until-steady (auto: twice its planned length)"},
    {.path = "run.seed", .type = SPEC_COUNT, .programs = RUNS, .offset = AT(run.seed),
     .def = "1", .option = "seed", .unit = "N", .help = "seed of the run's inputs"},
    {.path = "run.interval", .type = SPEC_DURATION, .flags = SPEC_AUTO, .programs = RUNS,
     .offset = AT(run.interval_ns), .def = "auto", .min = "100ms", .max = "10m", .unit = "T",
     .help = "length of a row of series.csv (auto: the smallest of 1, 2, 5, 10, 30, 60 s that "
             "gives at most 10,800 rows)"},
    {.path = "run.timeout", .type = SPEC_DURATION, .programs = RUNS,
     .offset = AT(run.txn_timeout_ns), .def = "60s", .min = "10ms", .max = "1h", .unit = "T",
     .help = "bound of one transaction with its retries; what takes longer has failed"},
    {.path = "run.drain", .type = SPEC_DURATION, .programs = RUNS,
     .offset = AT(run.drain_ns), .def = "60s", .min = "0s", .max = "1h", .unit = "T",
     .help = "bound of the drain, in which what is under way at the sample's end is followed"},
    {.path = "run.attempts", .type = SPEC_INTEGER, .programs = RUNS,
     .offset = AT(run.attempts), .def = "10", .min = "1", .max = "1000", .unit = "N",
     .help = "tries of one transaction before it has failed"},
    {.path = "run.transport", .type = SPEC_CHOICE, .programs = RUNS,
     .offset = AT(run.transport), .def = "procedures", .choices = transport_words,
     .option = "transport", .unit = "procedures|statements",
     .help = "how transactions are run: one call each of a procedure in the server, or "
             "statements that this program sends"},
    {.path = "run.check", .type = SPEC_CHOICE, .flags = SPEC_AUTO,
     .programs = PROGRAM_RUN | PROGRAM_CHECK | REVIEW, .offset = AT(run.check), .auto_value = -1,
     .def = "auto", .choices = check_words, .option = "check", .unit = "quick|full|none",
     .help = "consistency conditions to check (auto: quick before a run, full after it; "
             "tpcc-check: full)"},
    {.path = "run.label", .type = SPEC_TEXT, .programs = PROGRAM_RUN | PROGRAM_DRIVES | REVIEW,
     .offset = AT(run.label),
     .option = "label", .unit = "TEXT", .help = "name of the result, in its directory and reports"},
    {.path = "run.repeat", .type = SPEC_COUNT, .programs = PROGRAM_RUN, .offset = AT(run.repeat),
     .def = "1", .min = "1", .max = "20", .option = "repeat", .unit = "N",
     .help = "runs one after the other under one label, each with a result of its own; with "
             "--restore each begins from the dataset as it was after its load, without it each "
             "finds what the ones before it left"},
    SWITCH(run, allow_unsafe, "allow-unsafe", RUNS, 0,
           "let a run count although the server's fsync is off"),

    {.path = "ladder.steps", .type = SPEC_TEXT, .programs = PROGRAM_RUN,
     .offset = AT(ladder.steps), .option = "steps", .unit = "LIST",
     .help = "one run after the other with these numbers of users, on one dataset: "
             "2000,5000,10000, or 1000..20000x1.5"},
    {.path = "ladder.find-users", .type = SPEC_TEXT, .programs = PROGRAM_RUN,
     .offset = AT(ladder.find_users), .option = "find-users", .unit = "CONDITIONS",
     .help = "search the largest number of users, up to --users, whose response holds all of these: "
             "\"p95<20ms\", \"avg<5ms, new_order.p99<100ms\" (avg, p50, p90, p95, p99, p999, max)"},
    {.path = "ladder.find-tps", .type = SPEC_TEXT, .programs = PROGRAM_RUN,
     .offset = AT(ladder.find_tps), .option = "find-tps", .unit = "curve|CONDITIONS",
     .help = "the database's response over an offered rate of transactions: its maximum first, then "
             "--step-percent of it, whatever the users' pace; with conditions as of --find-users "
             "then the largest rate that holds all of them"},
    {.path = "ladder.step-percent", .type = SPEC_TEXT, .programs = PROGRAM_RUN,
     .offset = AT(ladder.percents), .def = "10,20,30,40,50,60,70,80,90,100,110,120",
     .option = "step-percent", .unit = "LIST",
     .help = "the offered rates of --find-tps, percent of the maximum"},
    {.path = "ladder.step-sample", .type = SPEC_DURATION, .programs = PROGRAM_RUN,
     .offset = AT(ladder.sample_ns), .def = "5m", .min = "100ms", .max = "24h",
     .option = "step-sample", .unit = "T", .help = "sample of each step"},
    {.path = "ladder.step-settle", .type = SPEC_DURATION, .flags = SPEC_AUTO,
     .programs = PROGRAM_RUN, .offset = AT(ladder.settle_ns), .def = "auto", .min = "100ms",
     .max = "24h", .option = "step-settle", .unit = "T",
     .help = "time before the sample of each step, its ramp included (auto: until five rounds are "
             "steady, at most twice the sample or six rounds)"},
    {.path = "ladder.resume", .type = SPEC_PATH, .flags = SPEC_ACTION, .programs = PROGRAM_RUN,
     .offset = AT(ladder.resume), .option = "resume", .unit = "RESULT",
     .help = "go on with a ladder, or with repeats, that were interrupted, by the settings in its "
             "directory"},

    {.path = "workload.name", .type = SPEC_TEXT, .programs = RUNS,
     .offset = AT(workload.name), .unit = "TEXT",
     .help = "what reports call the workload (default: as it was named to --workload)"},
    {.path = "workload.pace", .type = SPEC_CHOICE, .programs = RUNS,
     .offset = AT(workload.pace), .def = "think", .choices = pace_words, .unit = "WORD",
     .help = "how users wait: think (keying before, think after each transaction), cycle (a fixed "
             "wait after each), interarrival (next due = previous due + interval), none (no "
             "waits: every session takes the next user of a shuffled round)"},
    {.path = "workload.factor", .type = SPEC_DECIMAL, .programs = RUNS,
     .offset = AT(workload.factor), .def = "1", .min = "0.0001", .max = "1000", .unit = "X",
     .help = "multiplies every keying and think time"},
    {.path = "workload.interval", .type = SPEC_DIST, .programs = RUNS,
     .offset = AT(workload.interval), .def = "fixed 0s", .max = "24h", .unit = "DIST",
     .help = "the wait of the paces cycle and interarrival"},
    {.path = "workload.delivery", .type = SPEC_BOOL, .programs = RUNS,
     .offset = AT(workload.delivery_deferred), .def = "inline", .choices = delivery_words,
     .unit = "WORD",
     .help = "Delivery in line, or queued and executed by at most 10 % of the sessions (2.7.2)"},
    MIX(0, "new_order", "45"),
    MIX(1, "payment", "43"),
    MIX(2, "order_status", "4"),
    MIX(3, "delivery", "4"),
    MIX(4, "stock_level", "4"),
    KEYING(0, "new_order", "fixed 18s"),
    KEYING(1, "payment", "fixed 3s"),
    KEYING(2, "order_status", "fixed 2s"),
    KEYING(3, "delivery", "fixed 2s"),
    KEYING(4, "stock_level", "fixed 2s"),
    THINK(0, "new_order", "negexp 12s"),
    THINK(1, "payment", "negexp 12s"),
    THINK(2, "order_status", "negexp 10s"),
    THINK(3, "delivery", "negexp 5s"),
    THINK(4, "stock_level", "negexp 5s"),
    PERCENT(remote_line_percent, "remote-line-percent", "1",
            "order lines supplied by another warehouse (2.4.1.5)"),
    PERCENT(remote_payment_percent, "remote-payment-percent", "15",
            "Payments for a customer of another warehouse (2.5.1.2)"),
    PERCENT(rollback_percent, "rollback-percent", "1",
            "New-Orders that roll back for an unused item (2.4.1.4)"),
    PERCENT(by_name_percent, "by-name-percent", "60",
            "Payments and Order-Statuses that find the customer by last name (2.5.1.2)"),

    {.path = "server.user", .type = SPEC_TEXT, .programs = SERVER | REVIEW, .offset = AT(server.user),
     .def = "postgres", .option = "server-user", .unit = "NAME",
     .help = "unprivileged user of the private server when the program runs as root"},
    {.path = "server.bin-dir", .type = SPEC_PATH, .programs = SERVER | REVIEW, .offset = AT(server.bin_dir),
     .unit = "DIR",
     .help = "folder with initdb and postgres (default: the newest found, or that of the cluster)"},
    {.path = "server.buffer", .type = SPEC_BYTES, .flags = SPEC_AUTO, .programs = SERVER | REVIEW,
     .offset = AT(server.buffer_bytes), .def = "auto", .min = "16MiB", .max = "64TiB",
     .option = "buffer", .unit = "BYTES",
     .help = "the private server's buffer (auto: the smaller of 14.4 % of the dataset and 40 % of "
             "RAM)"},
    {.path = "server.memory-limit", .type = SPEC_BYTES, .flags = SPEC_AUTO | SPEC_NONE,
     .programs = SERVER | REVIEW, .offset = AT(server.memory_limit_bytes), .def = "auto", .min = "64MiB",
     .max = "64TiB", .option = "memory-limit", .unit = "BYTES|none",
     .help = "what the private server may use of the memory, page cache included, so that reads "
             "reach the drive (auto: buffer, 12 MB a session, page tables, 1 GB and a page cache of "
             "4.8 % of the dataset; less for small ones)"},
    SWITCH(server, keep_running, "keep-running", SERVER, SPEC_ACTION,
           "leave the private server up and print how to connect"),
    {.path = "server.recovery-timeout", .type = SPEC_DURATION, .programs = SERVER | REVIEW,
     .offset = AT(server.recovery_timeout_ns), .def = "30m", .min = "1s", .max = "24h", .unit = "T",
     .help = "how long the private server may take to recover after a crash"},

    {.path = "output.results", .type = SPEC_PATH, .programs = PROGRAM_RUN | PROGRAM_DRIVES | REVIEW,
     .offset = AT(output.results), .def = "results", .option = "results", .unit = "DIR",
     .help = "parent of the result directories"},
    SWITCH(output, dry_run, "dry-run", BUILD | PROGRAM_DRIVES | REVIEW, SPEC_ACTION,
           "print the plan, with the origin of every value and each term of the space, and end"),
    SWITCH(output, yes, "yes", SERVER, SPEC_ACTION, "answer every question with yes"),
    SWITCH(output, plain, "plain", WORKING, 0, "no redrawing and no colours, also on a terminal"),
    SWITCH(output, quiet, "quiet", WORKING, 0, "no progress and no notes, only errors and the result"),
    SWITCH(output, strict, "strict", PROGRAM_RUN | PROGRAM_REPORT | PROGRAM_SWEEP | REVIEW, 0,
           "exit with 1 also where the result is questionable"),
    SWITCH(output, json, "json", ALL & ~PROGRAM_LOAD, 0,
           "the result as JSON on standard output at the end, everything else on standard error"),
    SWITCH(output, csv, "csv", PROGRAM_REPORT, SPEC_ACTION,
           "the result as CSV, one row a figure: its path in result.json and its value; of several, one "
           "row a result"),
    SWITCH(output, markdown, "markdown", PROGRAM_REPORT, SPEC_ACTION,
           "the report as Markdown, for publishing"),
    {.path = "output.html", .type = SPEC_PATH, .flags = SPEC_ACTION, .programs = PROGRAM_REPORT,
     .offset = AT(output.html), .option = "html", .unit = "FILE",
     .help = "write the report as one self-contained page, charts included, to this file"},
    SWITCH(output, list, "list", PROGRAM_REPORT, SPEC_ACTION,
           "list the results below a directory (default: ./results), one line each"),
    {.path = "output.by", .type = SPEC_CHOICE, .flags = SPEC_ACTION, .programs = PROGRAM_REPORT,
     .offset = AT(output.by), .def = "avg", .choices = by_words, .option = "by", .unit = "WORD",
     .help = "what several results are ordered and compared by: the response (avg, p50, p90, p95, "
             "p99, p999) or tps"},

    {.path = "review.drive", .type = SPEC_PATH, .flags = SPEC_ACTION, .programs = PROGRAM_REVIEW,
     .offset = AT(review.drive), .option = "drive", .unit = "DEVICE",
     .help = "the drive that is reviewed, a whole block device; what is on it is lost"},
    {.path = "review.plan", .type = SPEC_PATH, .flags = SPEC_ACTION, .programs = PROGRAM_REVIEW,
     .offset = AT(review.plan), .option = "plan", .unit = "FILE",
     .help = "settings of the review's steps, a YAML file (default: config/review.yaml of the "
             "installation, the published method)"},

    {.path = "drive.i-will-lose", .type = SPEC_TEXT, .flags = SPEC_ACTION,
     .programs = PROGRAM_DRIVES | REVIEW, .offset = AT(drive.i_will_lose), .option = "i-will-lose",
     .unit = "SERIAL",
     .help = "agree that all that is on the drive with this serial number is lost; of a drive "
             "without one its size in bytes, also where a partition of it is meant; of a file its "
             "size"},

    {.path = "sweep.workload", .type = SPEC_LIST, .flags = SPEC_MAY_REPEAT | SPEC_ACTION,
     .programs = PROGRAM_SWEEP, .also = REVIEW, .offset = AT(sweep.workload),
     .offset_n = AT(sweep.n_workloads), .option = "workload", .unit = "NAME|FILE",
     .help = "what is asked of the drive: four-corners (the default), four-corners-observed, "
             "vdi-boot, vdi-initial-login, vdi-monday-login, or a file of your own, which may "
             "name a trace; may be given again"},
    {.path = "sweep.from", .type = SPEC_PATH, .flags = SPEC_ACTION, .programs = PROGRAM_SWEEP | REVIEW,
     .offset = AT(sweep.from), .option = "from", .unit = "RESULT",
     .help = "oltp-blocks: the mix, sizes and rates that this result of tpcc-run put on its "
             "device, so that another drive is asked for the same without a database"},
    {.path = "sweep.resume", .type = SPEC_PATH, .flags = SPEC_ACTION, .programs = PROGRAM_SWEEP,
     .offset = AT(sweep.resume), .option = "resume", .unit = "RESULT",
     .help = "go on with a sweep that was cut off, by the settings in its directory: what is measured "
             "there stays, the maxima too"},
    {.path = "sweep.point-duration", .type = SPEC_DURATION, .flags = SPEC_ACTION,
     .programs = PROGRAM_SWEEP | REVIEW, .offset = AT(sweep.point_duration_ns), .def = "1m", .min = "1s",
     .max = "24h", .option = "point-duration", .unit = "T",
     .help = "how long each point of a curve is measured"},
    {.path = "sweep.settle", .type = SPEC_DURATION, .flags = SPEC_ACTION,
     .programs = PROGRAM_SWEEP | REVIEW, .offset = AT(sweep.settle_ns), .def = "10s", .min = "0s",
     .max = "24h", .option = "settle", .unit = "T",
     .help = "how long each point goes on before it is measured"},
    {.path = "sweep.until-steady", .type = SPEC_BOOL, .flags = SPEC_ACTION,
     .programs = PROGRAM_SWEEP, .also = REVIEW, .offset = AT(sweep.until_steady), .def = "false",
     .option = "until-steady",
     .help = "measure each maximum in rounds until five in a row are steady (range 20 %, slope 10 "
           "%), 25 at most"},
    {.path = "sweep.fio", .type = SPEC_TEXT, .flags = SPEC_ACTION, .programs = PROGRAM_SWEEP | REVIEW,
     .offset = AT(sweep.fio), .def = "fio", .unit = "PROGRAM",
     .help = "fio, which does the I/O: a path, or a name that is looked up in PATH"},
    {.path = "sweep.patience", .type = SPEC_DURATION, .flags = SPEC_ACTION,
     .programs = PROGRAM_SWEEP | REVIEW, .offset = AT(sweep.patience_ns), .def = "30s", .min = "1s",
     .max = "1h", .unit = "T",
     .help = "how long fio may take over a point's time before it is taken for hung and stopped"},

    {.path = "prep.for", .type = SPEC_CHOICE, .flags = SPEC_ACTION, .programs = PROGRAM_PREP,
     .offset = AT(prep.purpose), .def = "blocks", .choices = purpose_words, .option = "for",
     .unit = "blocks|database",
     .help = "what the drive is prepared for: block tests (a raw partition) or the database test "
             "(one partition with a file system, mounted)"},
    {.path = "prep.erase", .type = SPEC_CHOICE, .flags = SPEC_ACTION, .programs = PROGRAM_PREP | REVIEW,
     .offset = AT(prep.erase), .def = "auto", .choices = erase_words, .option = "erase",
     .unit = "WORD",
     .help = "how it is erased: auto (the first it can do of nvme-format, discard, overwrite), one "
             "of these, sanitize (NVMe; may take hours and can't be stopped), or none; what it "
             "can't do is said, and the next best is done"},
    {.path = "prep.fill", .type = SPEC_CHOICE, .flags = SPEC_ACTION, .programs = PROGRAM_PREP | REVIEW,
     .offset = AT(prep.fill), .def = "auto", .choices = fill_words, .option = "fill",
     .unit = "full|none",
     .help = "write the whole surface with incompressible data after the erase (auto: full, with "
             "--qlc none)"},
    SWITCH(prep, qlc, "qlc", PROGRAM_PREP | REVIEW, SPEC_ACTION,
           "as QLC drives are tested: no fill after the erase, and a partition of 1 %"),
    {.path = "prep.size", .type = SPEC_BYTES, .flags = SPEC_AUTO | SPEC_ACTION,
     .programs = PROGRAM_PREP | REVIEW, .offset = AT(prep.size_bytes), .def = "auto", .min = "1MiB",
     .max = "1000TB", .option = "size", .unit = "BYTES",
     .help = "size of the partition (auto: for block tests 5 % of the drive, with --qlc 1 %; for "
             "the database all of it)"},
    {.path = "prep.filesystem", .type = SPEC_CHOICE, .flags = SPEC_ACTION,
     .programs = PROGRAM_PREP | REVIEW, .offset = AT(prep.filesystem), .def = "ext4",
     .choices = filesystem_words, .option = "filesystem", .unit = "ext4|xfs",
     .help = "file system for the database test; made without discarding, which would undo the "
             "fill"},
    {.path = "prep.mount", .type = SPEC_PATH, .flags = SPEC_ACTION, .programs = PROGRAM_PREP | REVIEW,
     .offset = AT(prep.mount), .option = "mount", .unit = "DIR",
     .help = "where that file system is mounted (default: /mnt/PARTITION)"},
    SWITCH(prep, restart, "restart", PROGRAM_PREP | REVIEW, SPEC_ACTION,
           "begin anew also where an earlier preparation or review of the drive was cut off"),
    {.path = "prep.state", .type = SPEC_PATH, .flags = SPEC_ACTION,
     .programs = PROGRAM_RUN | PROGRAM_DRIVES | REVIEW, .offset = AT(prep.state), .def = "/var/lib/tpcc-run/drives", .unit = "DIR",
     .help = "where the record of each preparation by drive-prep is kept: how far it is, which "
             "partition table is ours, and what later results of the drive say of it"},
    {.path = "prep.die-at", .type = SPEC_TEXT, .flags = SPEC_ACTION | SPEC_HIDDEN,
     .programs = PROGRAM_PREP | REVIEW, .offset = AT(prep.die_at), .unit = "STEP",
     .help = "for tests: be killed in the middle of this step"},
    /* clang-format on */
};
_Static_assert(ARRAY_LEN(config_spec) == CONFIG_SPEC_ROWS, "count of the option table");

const struct spec_command config_commands[] = {
    {"config", "FILE", WORKING, "read settings from a YAML file; may be given again, later wins"},
    {"set", "PATH=VALUE", WORKING, "set any setting, for example --set run.duration=30s"},
    {"help", NULL, ALL, "print this help and end"},
    {"version", NULL, ALL, "print the version and end"},
    {"man", NULL, ALL, "print the manual page (roff) and end"},
    {"reference", NULL, ALL, "print the reference of all settings (Markdown) and end"},
};
_Static_assert(ARRAY_LEN(config_commands) == CONFIG_COMMANDS, "count of the commands");

const char *spec_program_name(enum spec_program program)
{
    switch (program) {
    case PROGRAM_RUN:
        return "tpcc-run";
    case PROGRAM_LOAD:
        return "tpcc-load";
    case PROGRAM_CHECK:
        return "tpcc-check";
    case PROGRAM_REPORT:
        return "tpcc-report";
    case PROGRAM_SWEEP:
        return "drive-sweep";
    case PROGRAM_PREP:
        return "drive-prep";
    case PROGRAM_REVIEW:
        return "drive-review";
    }
    UNREACHABLE();
}

static bool same_path(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
            return false;
    }
    return *a == *b;
}

const struct spec *spec_find(const char *path)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        if (same_path(config_spec[i].path, path))
            return &config_spec[i];
    }
    return NULL;
}

const struct spec *spec_find_option(const char *option, enum spec_program program)
{
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        if (row->option && (row->programs & program) && strcmp(row->option, option) == 0)
            return row;
    }
    return NULL;
}

bool spec_takes(const struct spec *row, enum spec_program program)
{
    return ((row->programs | row->also) & program) != 0;
}

size_t spec_index(const struct spec *row)
{
    CHECK(row >= config_spec);
    CHECK(row < config_spec + CONFIG_SPEC_ROWS);
    return (size_t)(row - config_spec);
}

size_t spec_group_len(const struct spec *row)
{
    return strcspn(row->path, ".");
}

const char *spec_suggest_path(const char *word)
{
    static const char *const groups[] = {"target",   "load",   "run",    "ladder",
                                         "workload", "server", "output", "review",
                                         "drive",    "sweep",  "prep"};
    struct suggest best = suggest_for(word);

    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        suggest_offer(&best, groups[i], groups[i]);
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        if (row->flags & SPEC_HIDDEN)
            continue;
        suggest_offer(&best, row->path, row->path);
        suggest_offer(&best, row->path + spec_group_len(row) + 1, row->path);
        if (row->option)
            suggest_offer(&best, row->option, row->path);
    }
    return best.answer;
}

const char *spec_suggest_option(const char *word, enum spec_program program)
{
    struct suggest best = suggest_for(word);

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        if (row->option && (row->programs & program) && !(row->flags & SPEC_HIDDEN))
            suggest_offer(&best, row->option, row->option);
    }
    for (size_t i = 0; i < CONFIG_COMMANDS; i++) {
        if (config_commands[i].programs & program)
            suggest_offer(&best, config_commands[i].option, config_commands[i].option);
    }
    return best.answer;
}
