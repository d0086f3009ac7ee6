/*
 * result/limit: each rule of the table applies, at its bound does not, and stands before the next.
 */
#include "result/limit.h"

#include <stdlib.h>

#include "harness/unit.h"
#include "result/made_result.h"

static void set_loop(struct result *r, const char *loop)
{
    free(r->workload.loop);
    r->workload.loop = xstrdup(loop);
}

static void set_waits(struct result *r, enum wait_class most, double percent)
{
    for (int c = 0; c < WAIT_CLASSES; c++)
        r->sample.server.wait_percent[c] = (100 - percent) / (WAIT_CLASSES - 1);
    r->sample.server.wait_percent[most] = percent;
}

/* Far from the ceiling: users of a cycle of 4.744 s wait 500 ms at the server, half of it idle. */
static void slow(struct result *r)
{
    r->workload.mean_cycle_s = 4.744;
    r->workload.ceiling_tps = 600;
    r->sample.tps_percent_of_ceiling = 90;
    r->sample.time[TIME_RESPONSE] = made_summary(160);
    r->sample.time[TIME_QUEUE] = made_summary(1);
    set_waits(r, WAIT_READ, 20);
}

static void no_sample(struct result *r)
{
    r->sample.seconds = RESULT_NONE;
}

static void killed(struct result *r)
{
    r->partial = true;
}

static void paced(struct result *r)
{
    slow(r);
    r->sample.tps_percent_of_ceiling = 98;
}

/* A short sample has 90 % of the ceiling by chance. */
static void paced_by_response(struct result *r)
{
    slow(r);
    r->sample.time[TIME_RESPONSE].avg = 96; /* 4744 / 4840 = 98.02 % */
}

static void not_paced_by_response(struct result *r)
{
    slow(r);
    r->sample.time[TIME_RESPONSE].avg = 98;
}

static void arrivals(struct result *r)
{
    slow(r);
    set_loop(r, "interarrival");
    r->sample.tps_percent_of_ceiling = 99.9;
}

/* By chance more was due than is offered. */
static void arrivals_that_queue(struct result *r)
{
    arrivals(r);
    r->workload.sessions = 2;
    r->sample.time[TIME_QUEUE].avg = 0.5 * r->sample.time[TIME_RESPONSE].avg;
    set_waits(r, WAIT_WAL, 90);
}

static void driver_core(struct result *r)
{
    paced(r);
    r->sample.driver.cpu_percent = 90.1;
}

static void driver_late(struct result *r)
{
    slow(r);
    r->sample.driver.lateness_avg_ms = 0.051 * r->sample.time[TIME_RESPONSE].avg;
}

static void driver_late_little(struct result *r)
{
    paced(r);
    r->sample.driver.lateness_avg_ms = 0.2 * r->sample.time[TIME_RESPONSE].avg;
}

static void driver_late_for_cpu(struct result *r)
{
    driver_late(r);
    r->sample.server.cpu_percent = 95;
}

static void few_sessions(struct result *r)
{
    slow(r);
    r->workload.sessions = 2;
    r->sample.time[TIME_QUEUE].avg = 0.5 * r->sample.time[TIME_RESPONSE].avg;
    set_waits(r, WAIT_WAL, 90);
}

static void few_sessions_short_queue(struct result *r)
{
    few_sessions(r);
    r->sample.time[TIME_QUEUE].avg = 0.49 * r->sample.time[TIME_RESPONSE].avg;
}

static void enough_sessions(struct result *r)
{
    few_sessions(r);
    r->workload.sessions = 60;
}

static void few_sessions_no_pace(struct result *r)
{
    slow(r);
    set_loop(r, "none");
    r->workload.ceiling_tps = RESULT_NONE;
    r->workload.sessions = 2;
    r->sample.time[TIME_QUEUE] = summary_none();
    set_waits(r, WAIT_CPU, 70);
}

static void few_sessions_no_pace_reads(struct result *r)
{
    few_sessions_no_pace(r);
    set_waits(r, WAIT_READ, 50);
}

static void few_sessions_cpu(struct result *r)
{
    few_sessions(r);
    r->sample.server.cpu_percent = 86;
}

static void cpu_used(struct result *r)
{
    slow(r);
    r->sample.server.cpu_percent = 85.1;
}

static void cpu_at(struct result *r)
{
    slow(r);
    r->sample.server.cpu_percent = 85;
}

static void cpu_wanted(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_CPU, 50);
    r->sample.server.psi_cpu_percent = 20.1;
}

static void cpu_not_wanted(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_CPU, 50);
}

/* Others press the processors, but the server waits for its drive. */
static void cpu_of_others(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_READ, 60);
    r->sample.server.active = 2;
    r->sample.server.psi_cpu_percent = 90;
    r->sample.devices[0].read_await_ms = 1; /* 1.25 reads under way */
}

/* 16 sessions, 12.6 of them in a read; the drive has 2 under way, and gives a 30th of the pages. */
static void cpu_within_reads(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_READ, 79);
    r->sample.server.active = 16;
    r->sample.server.psi_cpu_percent = 90;
    r->sample.server.page_reads_per_s = 35000; /* 273 MiB a second */
    r->sample.devices[0].reads_per_s = 1115;
    r->sample.devices[0].read_mib_per_s = 9;
    r->sample.devices[0].read_await_ms = 1.77;
}

/* Without a lack of processors a read that the drive does not see is throttled above it. */
static void reads_throttled(struct result *r)
{
    cpu_within_reads(r);
    r->sample.server.psi_cpu_percent = 1;
}

/* With it, it is told by where the pages came from: the drive gave nearly all of them. */
static void reads_throttled_and_pressure(struct result *r)
{
    cpu_within_reads(r);
    r->sample.server.page_reads_per_s = 1200;
}

/* 9.6 of 16 sessions, and as many reads. */
static void reads_and_pressure(struct result *r)
{
    cpu_within_reads(r);
    set_waits(r, WAIT_READ, 60);
    r->sample.devices[0].reads_per_s = 190;
    r->sample.devices[0].read_await_ms = 50;
}

static void locks(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_LOCK, 40);
}

static void locks_below(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_LOCK, 39.9);
}

static void reads(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_READ, 40);
}

static void wal(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_WAL, 40);
}

static void both_writes(struct result *r)
{
    slow(r);
    set_waits(r, WAIT_READ, 40);
    r->sample.server.wait_percent[WAIT_WAL] = 25;
    r->sample.server.wait_percent[WAIT_WRITE] = 16;
    r->sample.server.wait_percent[WAIT_CPU] = 0;
}

static void not_watched(struct result *r)
{
    slow(r);
    r->sample.server = result_server_none();
}

static const struct limit_case {
    const char *what;
    void (*change)(struct result *r);
    const char *name;
    const char *says; /* a part of the evidence */
} cases[] = {
    {"no sample", no_sample, "not known", "no sample"},
    {"killed", killed, "not known", "no sample"},
    {"98 % of the ceiling", paced, "pace", "TPS is 98.0 %"},
    {"a response of 2 % of the cycle", paced_by_response, "pace",
     "response of 96.00 ms is 2.0 % of a user's cycle"},
    {"a longer one", not_paced_by_response, "nothing found", "nor one kind of wait"},
    {"inter-arrival pace", arrivals, "pace", "99.9 % of what was offered"},
    {"inter-arrival pace that queues", arrivals_that_queue, "sessions", "50 %"},
    {"the driver's core", driver_core, "driver", "90 % of a core"},
    {"the driver is late", driver_late, "driver", "was late by 25.5"},
    {"a little late, the pace kept", driver_late_little, "pace", ""},
    {"late for want of a processor", driver_late_for_cpu, "server CPU",
     "95 % of its 16 processors"},
    {"two sessions", few_sessions, "sessions", "50 % of the response for one of 2 sessions"},
    {"they wait less", few_sessions_short_queue, "drive writes or flushes", "90 %"},
    {"sessions enough", enough_sessions, "drive writes or flushes", "WAL takes 0.75 ms"},
    {"two sessions without a pace", few_sessions_no_pace, "sessions", "all 2 sessions"},
    {"... on a slow drive", few_sessions_no_pace_reads, "drive reads", "50 %"},
    {"two sessions on a busy server", few_sessions_cpu, "server CPU", "86 %"},
    {"CPU", cpu_used, "server CPU", "0.50 ms a transaction"},
    {"CPU at its limit", cpu_at, "nothing found", ""},
    {"CPU wanted", cpu_wanted, "server CPU", "CPU 50 %"},
    {"CPU without pressure", cpu_not_wanted, "nothing found", "CPU 50 %"},
    {"CPU of others", cpu_of_others, "drive reads", "1250 reads a second, 1.00 ms each"},
    {"CPU within reads", cpu_within_reads, "server CPU", "data reads 79 %"},
    {"reads that are throttled", reads_throttled, "drive reads", "79 %"},
    {"reads that are throttled, and pressure", reads_throttled_and_pressure, "drive reads", "79 %"},
    {"reads, and a lack of processors", reads_and_pressure, "drive reads", "60 %"},
    {"locks", locks, "locks", "0.8 sessions on average"},
    {"fewer locks", locks_below, "nothing found", ""},
    {"reads", reads, "drive reads", "data reads 40 %"},
    {"WAL", wal, "drive writes or flushes", "1.5 commits a flush"},
    {"writes of both kinds", both_writes, "drive writes or flushes", "41 %"},
    {"not watched", not_watched, "nothing found", "are not known"},
};

static void test_rules(void)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct limit_case *c = &cases[i];
        struct limit_finding f;
        struct result r;

        made_result(&r);
        c->change(&r);
        f = limit_find(&r);
        UNIT_EQ_STR(c->what, limit_name(f.limit), c->name);
        UNIT_TRUE(f.evidence, strstr(f.evidence, c->says) != NULL);
        result_release(&r);
    }
}

static void test_of_nothing(void)
{
    struct result r;

    result_init(&r);
    UNIT_EQ_I64("", limit_find(&r).limit, LIMIT_UNKNOWN);
    r.sample.seconds = 10;
    r.sample.transactions = 5;
    UNIT_EQ_I64("no other figure", limit_find(&r).limit, LIMIT_NOTHING);
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"each rule, its bound and its order", test_rules},
    {"of an empty result", test_of_nothing},
};
const struct unit_suite limit_suite = UNIT_SUITE("limit", tests);
