/*
 * Constant texts about the programs.
 */
#include "config/about.h"

#include <string.h>

#include "base/check.h"

static const struct about programs[] = {
    {
        .program = PROGRAM_RUN,
        .usage = {"[--drive DIR | --pg CONNINFO] [OPTION]...", NULL},
        .summary = "test storage with the transactions of virtual users",
        .description =
            {
                "Tests the storage under a database as its users would: builds a TPC-C style "
                "dataset where it is missing, lets virtual users with keying and think times work "
                "on it, and reports transactions per second, latency and the drive's counters on "
                "the same clock.",
                "Without a server to connect to, a private PostgreSQL server is made in "
                "DIR/tpcc-run/, on a Unix socket only, and stopped at the end; the dataset stays "
                "for the next run. Nothing outside that folder is written but the results.",
                "The plan is printed before anything is written; --dry-run stops there.",
                NULL,
            },
        .examples =
            {
                {"tpcc-run --drive /mnt/nvme --users 15000 --duration 3h",
                 "the reviews' test on a private server"},
                {"tpcc-run --drive /mnt/nvme --steps 2000,5000,10000,15000",
                 "response and TPS over the number of users"},
                {"tpcc-run --drive /mnt/nvme --users 15000 --find-users \"p95<20ms\"",
                 "how many users, up to 15,000, the drive carries below 20 ms"},
                {"tpcc-run --pg \"host=/run/postgresql dbname=tpcc\" --users 1000",
                 "on a server that already runs"},
                {"tpcc-run --drive /mnt/nvme --workload saturate --dry-run",
                 "only look at the plan"},
                {NULL, NULL},
            },
    },
    {
        .program = PROGRAM_LOAD,
        .usage = {"[--drive DIR | --pg CONNINFO] [OPTION]...", NULL},
        .summary = "build the dataset of tpcc-run",
        .description =
            {
                "Builds the dataset, or goes on where an earlier load was cut off, and checks its "
                "counts and sums. The rows depend on load.seed and load.time alone, not on the "
                "number of loaders.",
                "On a server that already runs everything lives in a schema named tpcc; only what "
                "carries our manifest is ever dropped.",
                NULL,
            },
        .examples =
            {
                {"tpcc-load --drive /mnt/nvme --warehouses 100", "for a private server"},
                {NULL, NULL},
            },
    },
    {
        .program = PROGRAM_CHECK,
        .usage = {"[--drive DIR | --pg CONNINFO] [OPTION]...", NULL},
        .summary = "check the consistency of the dataset of tpcc-run",
        .description =
            {
                "Checks the twelve consistency conditions of TPC-C 3.3.2 on a dataset, in "
                "parallel, and shows rows that break them.",
                NULL,
            },
        .examples =
            {
                {"tpcc-check --drive /mnt/nvme", "all twelve"},
                {NULL, NULL},
            },
    },
    {
        .program = PROGRAM_SWEEP,
        .usage = {"[OPTION]... TARGET", NULL},
        .summary = "draw a drive's curves of latency over IOPS with fio",
        .description =
            {
                "Asks TARGET (a block device, or a file in a file system; nothing is ever made) "
                "for "
                "the I/O of block workloads: for each profile first as much as goes, then 10 to "
                "120 "
                "% of it in steps of 10. Each point has its rates and latencies, the mean number "
                "under way, and the device's own counters of the same seconds.",
                "fio does the I/O. How long all takes is said before it starts; --dry-run stops "
                "there. Interrupted, it keeps the points that are done.",
                "A workload that writes overwrites what is on the target: it wants its serial "
                "number (--i-will-lose), and a device that nobody uses.",
                "Fill a drive before (drive-prep): what was never written is read from nowhere.",
                NULL,
            },
        .examples =
            {
                {"drive-sweep --dry-run /dev/nvme0n1p1", "what would be done, and for how long"},
                {"drive-sweep --i-will-lose S6Z1NJ0W /dev/nvme0n1p1", "the four corners"},
                {"drive-sweep --workload vdi-boot --i-will-lose S6Z1NJ0W /dev/nvme0n1p1",
                 "a modelled desktop phase"},
                {"drive-sweep --from results/2026-11-30T134501Z-nvme --i-will-lose S6Z1 /dev/sdb",
                 "what a database run put on its drive, of another one"},
                {NULL, NULL},
            },
    },
    {
        .program = PROGRAM_PREP,
        .usage = {"[OPTION]... DEVICE", NULL},
        .summary = "bring a drive into a known state before it is tested",
        .description =
            {
                "Erases the drive, fills its whole surface with incompressible data and looks "
                "whether it is there, then makes a partition: for block tests a raw one of 5 % of "
                "the drive, for the database test one over the drive with a file system, mounted. "
                "What was on the drive is lost.",
                "It refuses a drive that is in use in any way, that / is on, or that holds a "
                "partition table or anything else it did not make, and wants the drive's serial "
                "number. --dry-run says what would happen.",
                "Cut off, it goes on where it was when it is started again. The record of it is in "
                "the result directory, and in the later results of the drive.",
                NULL,
            },
        .examples =
            {
                {"drive-prep --dry-run /dev/nvme0n1", "what would happen, and what word agrees"},
                {"drive-prep --i-will-lose S6Z1NJ0W /dev/nvme0n1", "for block tests"},
                {"drive-prep --for database --mount /mnt/nvme /dev/nvme0n1",
                 "for tpcc-run --drive /mnt/nvme"},
                {"drive-prep --qlc /dev/nvme0n1", "a QLC drive: erase, no fill, 1 %"},
                {NULL, NULL},
            },
    },
    {
        .program = PROGRAM_REVIEW,
        .usage = {"--drive DEVICE [--plan FILE] [OPTION]...", NULL},
        .summary = "test a drive as the published reviews do, all steps in one",
        .description =
            {
                "Prepares the drive for block tests (erase, fill, a partition of 5 %), draws its "
                "curves of latency over IOPS, prepares it for the database (erase, fill, a file "
                "system over the drive), and runs the database test on a private server there. "
                "What was on the drive is lost.",
                "The steps' settings are those of drive-prep, drive-sweep and tpcc-run, in one "
                "file (--plan); without it they are those of the published method. What would be "
                "refused later is refused before anything is written, and how long all takes is "
                "said before it starts; --dry-run stops there.",
                "Cut off, the same command goes on at the step where it was; --restart begins "
                "anew. Each step leaves its result below the review's, which tpcc-report takes as "
                "one, also beside that of another drive.",
                NULL,
            },
        .examples =
            {
                {"drive-review --drive /dev/nvme0n1 --dry-run",
                 "what would be done, for how long, and what word agrees"},
                {"drive-review --drive /dev/nvme0n1 --i-will-lose S6Z1NJ0W",
                 "the published method"},
                {"drive-review --drive /dev/sdb --plan review.yaml --i-will-lose S6Z1NJ0W",
                 "a plan of your own"},
                {"tpcc-report results/2026-11-30T134501Z-a results/2026-11-30T224501Z-b",
                 "two reviews side by side"},
                {NULL, NULL},
            },
    },
    {
        .program = PROGRAM_REPORT,
        .usage = {"[OPTION]... RESULT...", "--list [DIR]", NULL},
        .summary = "print the report of a saved result of tpcc-run, or of several side by side",
        .description =
            {
                "Prints the report of a result directory, the same as at the end of its run; or "
                "writes it as a page, as Markdown, as CSV, as JSON; or lists the results below a "
                "directory.",
                "Several results (up to 20) are compared: what differs in their settings, their "
                "figures with intervals, and what can be said of the difference. Results of one "
                "label are repeats. With three repeats or more a side it says which is faster and "
                "how surely; with fewer only how far these runs are apart.",
                NULL,
            },
        .examples =
            {
                {"tpcc-report results/2026-11-30T134501Z-nvme", "one result"},
                {"tpcc-report results/2026-11-30T134501Z-nvme --html nvme.html",
                 "as a page with charts, in one file that needs no network"},
                {"tpcc-report results/*-nvme-a results/*-nvme-b", "two drives, run by run"},
                {"tpcc-report --list", "what there is below ./results"},
                {NULL, NULL},
            },
    },
};

const struct about *about_program(enum spec_program program)
{
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        if (programs[i].program == program)
            return &programs[i];
    }
    UNREACHABLE();
}

const char *about_group(const char *group, size_t len)
{
    static const struct {
        const char *group;
        const char *title;
    } titles[] = {
        {"target", "Where the database is"},
        {"load", "Dataset"},
        {"run", "Run"},
        {"ladder", "Many runs"},
        {"workload", "Workload"},
        {"server", "Private server"},
        {"output", "Output"},
        {"review", "Review"},
        {"drive", "The drive that is overwritten"},
        {"sweep", "Block tests"},
        {"prep", "Preparation of a drive"},
    };

    for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
        if (strlen(titles[i].group) == len && memcmp(titles[i].group, group, len) == 0)
            return titles[i].title;
    }
    UNREACHABLE();
}

const struct about_exit about_exits[ABOUT_EXITS] = {
    {0, "good; of a run: the result is valid or questionable"},
    {1, "the result, or one of those compared, is invalid, or a check failed"},
    {2, "wrong usage or configuration"},
    {3, "the surroundings failed (server, device, disk): no result"},
    {130, "interrupted; a run that had begun leaves a partial result"},
};
