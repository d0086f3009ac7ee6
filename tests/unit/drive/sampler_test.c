/*
 * drive/sampler on made trees with a fake clock, two steps and more: differences, wraps, devices
 * that vanish, come back or are replaced, missed and late samples; and its thread on a real clock.
 */
#include "drive/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/unit.h"
#include "tree.h"

#define START UINT64_C(5000000000)

struct bench {
    struct tree tree;
    struct clock_fake clock;
    struct sampler *sampler;
};

static void bench_init(struct bench *b, const char *const *names, size_t n)
{
    struct err err = {0};

    clock_fake_init(&b->clock, START, 0);
    b->sampler = sampler_new(
        &(const struct sampler_opts){
            .root = &b->tree.root, .clock = &b->clock.clk, .names = names, .n_names = n},
        &err);
    UNIT_TRUE(err.text, b->sampler != NULL);
}

static void bench_release(struct bench *b)
{
    sampler_free(b->sampler);
    tree_release(&b->tree);
}

/* Counters of a device, in the fields that these tests look at. */
static void set_stat(struct tree *t, const char *name, unsigned reads, unsigned read_ms,
                     unsigned flushes)
{
    char line[128];

    snprintf(line, sizeof(line), "%8u 0 %u %u 0 0 0 0 0 0 0 0 0 0 0 %u 0\n", reads, 8 * reads,
             read_ms, flushes);
    tree_attr(t, name, "stat", line);
}

static void test_two_steps(void)
{
    static const char *const names[] = {"sda", "sda1", "dm-0"};
    struct bench b;
    struct drive_sample one, two;
    struct disk_delta d;

    tree_init(&b.tree);
    tree_disk(&b.tree, "pci/block", "sda", "8:0");
    tree_partition(&b.tree, "sda", "sda1", "8:1");
    tree_bio_disk(&b.tree, "dm-0", "253:0");
    bench_init(&b, names, 3);
    UNIT_EQ_U64("", sampler_due_ns(b.sampler), START);
    set_stat(&b.tree, "sda", 100, 4294967290u, 5);
    sampler_take(b.sampler, &one);
    UNIT_EQ_U64("", sampler_due_ns(b.sampler), START + NS_PER_S);
    clock_fake_advance(&b.clock, NS_PER_S);
    set_stat(&b.tree, "sda", 103, 4, 9);
    set_stat(&b.tree, "sda1", 3, 4, 0);
    set_stat(&b.tree, "dm-0", 2, 3, 0);
    sampler_take(b.sampler, &two);

    UNIT_EQ_U64("", one.n, 3);
    UNIT_EQ_U64("", one.at_ns, START);
    UNIT_EQ_U64("", two.at_ns, START + NS_PER_S);
    UNIT_EQ_U64("", two.device[0].at_ns, START + NS_PER_S);
    UNIT_EQ_U64("", two.missed, 0);
    UNIT_TRUE("disk", drive_sample_delta(&one, &two, 0, &d));
    UNIT_EQ_U64("", d.ns, NS_PER_S);
    UNIT_EQ_U64("", d.by.reads, 3);
    UNIT_EQ_U64("wrapped", d.by.read_ms, 10);
    UNIT_EQ_U64("", d.by.flushes, 4);
    UNIT_TRUE("", d.by.has_flush);
    UNIT_TRUE("partition", drive_sample_delta(&one, &two, 1, &d));
    UNIT_EQ_U64("", d.by.reads, 3);
    UNIT_TRUE("a partition's flushes do not exist", !d.by.has_flush);
    UNIT_TRUE("dm", drive_sample_delta(&one, &two, 2, &d));
    UNIT_EQ_U64("", d.by.reads, 2);
    UNIT_TRUE("nor do those of a device without a request queue", !d.by.has_flush);
    UNIT_TRUE("discards do", d.by.has_discard);
    bench_release(&b);
}

/* Samples, a second apart, of a device whose count of reads goes like this. */
static void take_reads(struct bench *b, const unsigned *reads, struct drive_sample *s, int n)
{
    static const char *const names[] = {"sda"};

    tree_init(&b->tree);
    tree_disk(&b->tree, "pci/block", "sda", "8:0");
    bench_init(b, names, 1);
    for (int i = 0; i < n; i++) {
        set_stat(&b->tree, "sda", reads[i], 0, 0);
        sampler_take(b->sampler, &s[i]);
        clock_fake_advance(&b->clock, NS_PER_S);
    }
}

static void test_replaced(void)
{
    static const unsigned reads[] = {100, 101, 7, 57, 157};
    struct bench b;
    struct drive_sample s[5];
    struct disk_delta d;

    take_reads(&b, reads, s, 5);
    UNIT_TRUE("", drive_sample_delta(&s[0], &s[1], 0, &d));
    UNIT_TRUE("not yet known what it is", !s[2].device[0].valid && s[2].device[0].odd);
    UNIT_TRUE("", !drive_sample_delta(&s[1], &s[2], 0, &d));
    UNIT_TRUE("it goes on from there", s[3].device[0].valid && !s[3].device[0].odd);
    UNIT_TRUE("", !drive_sample_delta(&s[2], &s[3], 0, &d));
    UNIT_TRUE("", drive_sample_delta(&s[3], &s[4], 0, &d));
    UNIT_EQ_U64("", d.by.reads, 100);
    UNIT_TRUE("not across it, though the count is higher again",
              !drive_sample_delta(&s[1], &s[4], 0, &d));
    UNIT_EQ_U64("", sampler_totals(b.sampler).lost, 1);
    UNIT_EQ_U64("", sampler_totals(b.sampler).odd, 1);
    bench_release(&b);
}

/* Some drivers leave garbage in the counters: a gap, and what is right goes on across it. */
static void test_garbage(void)
{
    static const struct {
        const char *what;
        unsigned reads;
    } rows[] = {{"back", 3}, {"to nothing", 0}, {"absurd", 4000000000}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const unsigned reads[] = {100, 150, rows[i].reads, 250, 300};
        struct bench b;
        struct drive_sample s[5];
        struct disk_delta d;

        take_reads(&b, reads, s, 5);
        UNIT_TRUE(rows[i].what, !drive_sample_delta(&s[1], &s[2], 0, &d));
        UNIT_TRUE(rows[i].what, !drive_sample_delta(&s[2], &s[3], 0, &d));
        UNIT_TRUE(rows[i].what, drive_sample_delta(&s[1], &s[3], 0, &d));
        UNIT_EQ_U64("across it", d.by.reads, 100);
        UNIT_TRUE(rows[i].what, drive_sample_delta(&s[3], &s[4], 0, &d));
        UNIT_EQ_U64("after it", d.by.reads, 50);
        UNIT_EQ_U64(rows[i].what, sampler_totals(b.sampler).lost, 0);
        UNIT_EQ_U64(rows[i].what, sampler_totals(b.sampler).odd, 1);
        bench_release(&b);
    }
}

/* Never two readings that go together: no figure at all. */
static void test_only_garbage(void)
{
    static const unsigned reads[] = {4000000000, 5, 3000000000, 4, 2000000000};
    struct bench b;
    struct drive_sample s[5];
    struct disk_delta d;

    take_reads(&b, reads, s, 5);
    for (int i = 1; i < 5; i++)
        UNIT_TRUE("", !drive_sample_delta(&s[i - 1], &s[i], 0, &d));
    UNIT_EQ_U64("", sampler_totals(b.sampler).odd, 4);
    UNIT_EQ_U64("", sampler_totals(b.sampler).lost, 0);
    bench_release(&b);
}

static void test_vanished_and_back(void)
{
    static const char *const names[] = {"sda", "sdb"};
    struct bench b;
    struct drive_sample s[5];
    struct disk_delta d;

    tree_init(&b.tree);
    tree_disk(&b.tree, "pci/block", "sda", "8:0");
    tree_disk(&b.tree, "pci/block", "sdb", "8:16");
    bench_init(&b, names, 2);
    sampler_take(b.sampler, &s[0]);
    /* What an open stat file of a removed device gives is an error; here an empty line. Then not
     * even the name is there. */
    tree_attr(&b.tree, "sda", "stat", "");
    sampler_take(b.sampler, &s[1]);
    tree_remove(&b.tree, "/sys/class/block/sda");
    sampler_take(b.sampler, &s[2]);
    /* Another drive takes the name: the open file of the first is of no use. */
    tree_remove(&b.tree, "/sys/dev/block/8:0");
    tree_disk(&b.tree, "pci9/block", "sda", "8:0");
    set_stat(&b.tree, "sda", 1000, 0, 0);
    sampler_take(b.sampler, &s[3]);
    set_stat(&b.tree, "sda", 1001, 0, 0);
    clock_fake_advance(&b.clock, NS_PER_S);
    sampler_take(b.sampler, &s[4]);

    UNIT_TRUE("", s[0].device[0].valid);
    UNIT_TRUE("", !s[1].device[0].valid);
    UNIT_TRUE("", !s[2].device[0].valid);
    UNIT_TRUE("", s[3].device[0].valid);
    UNIT_TRUE("the other stays", s[1].device[1].valid && s[2].device[1].valid);
    UNIT_TRUE("", !drive_sample_delta(&s[0], &s[1], 0, &d));
    UNIT_TRUE("", !drive_sample_delta(&s[0], &s[4], 0, &d));
    UNIT_TRUE("", drive_sample_delta(&s[3], &s[4], 0, &d));
    UNIT_EQ_U64("", d.by.reads, 1);
    UNIT_TRUE("", drive_sample_delta(&s[0], &s[4], 1, &d));
    UNIT_EQ_U64("once", sampler_totals(b.sampler).lost, 1);
    bench_release(&b);
}

static void test_missed_and_late(void)
{
    static const struct {
        uint64_t at_ms; /* after the start */
        uint32_t missed;
        uint64_t due_ms, late;
    } rows[] = {
        {0, 0, 0, 0},         {1000, 0, 1000, 0},
        {2100, 0, 2000, 0},   {3101, 0, 3000, 1}, /* over a tenth of the interval */
        {7050, 3, 7000, 1},                       /* 4, 5 and 6 s passed unused */
        {7900, 0, 8000, 1},                       /* before the deadline: taken all the same */
        {10999, 1, 10000, 2}, {11000, 0, 11000, 2},
    };
    static const char *const names[] = {"sda"};
    struct bench b;

    tree_init(&b.tree);
    tree_disk(&b.tree, "pci/block", "sda", "8:0");
    bench_init(&b, names, 1);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct drive_sample s;
        char what[32];

        snprintf(what, sizeof(what), "row %zu", i);
        clock_fake_advance(&b.clock, START + rows[i].at_ms * NS_PER_MS - b.clock.now_ns);
        sampler_take(b.sampler, &s);
        UNIT_EQ_U64(what, s.at_ns, START + rows[i].at_ms * NS_PER_MS);
        UNIT_EQ_U64(what, s.due_ns, START + rows[i].due_ms * NS_PER_MS);
        UNIT_EQ_U64(what, s.missed, rows[i].missed);
        UNIT_EQ_U64(what, sampler_totals(b.sampler).late, rows[i].late);
    }
    UNIT_EQ_U64("", sampler_totals(b.sampler).missed, 4);
    UNIT_EQ_U64("", sampler_totals(b.sampler).taken, ARRAY_LEN(rows));
    bench_release(&b);
}

/* queue/iostats 0: the zeroes it shows are no figures, and it is not lost either. */
static void test_switched_off(void)
{
    static const char *const names[] = {"sda", "sda1"};
    struct bench b;
    struct drive_sample s;

    tree_init(&b.tree);
    tree_disk(&b.tree, "pci/block", "sda", "8:0");
    tree_partition(&b.tree, "sda", "sda1", "8:1");
    tree_attr(&b.tree, "sda", "queue/iostats", "0\n");
    bench_init(&b, names, 2);
    sampler_take(b.sampler, &s);
    sampler_take(b.sampler, &s);
    UNIT_TRUE("", !s.device[0].valid);
    UNIT_TRUE("nor its partition", !s.device[1].valid);
    UNIT_EQ_U64("", sampler_totals(b.sampler).lost, 0);
    bench_release(&b);
}

static void test_not_there(void)
{
    static const char *const names[] = {"sda", "sdx"};
    struct tree t;
    struct clock_fake clock;
    struct err err = {0};
    struct sampler *s;

    tree_init(&t);
    tree_disk(&t, "pci/block", "sda", "8:0");
    clock_fake_init(&clock, START, 0);
    s = sampler_new(
        &(const struct sampler_opts){
            .root = &t.root, .clock = &clock.clk, .names = names, .n_names = 2},
        &err);
    UNIT_TRUE("", s == NULL);
    UNIT_EQ_STR("", err.text, "no block device \"sdx\" in /sys/class/block");
    tree_release(&t);
}

static void test_no_time_no_difference(void)
{
    static const char *const names[] = {"sda"};
    struct bench b;
    struct drive_sample one, two;
    struct disk_delta d;

    tree_init(&b.tree);
    tree_disk(&b.tree, "pci/block", "sda", "8:0");
    bench_init(&b, names, 1);
    sampler_take(b.sampler, &one);
    sampler_take(b.sampler, &two);
    UNIT_TRUE("", !drive_sample_delta(&one, &two, 0, &d));
    bench_release(&b);
}

/* The thread: samples come in order on their deadlines, and stopping does not wait for the next. */
static void test_thread(void)
{
    static const char *const names[] = {"sda"};
    struct tree t;
    struct bqueue *q = bqueue_new(64, sizeof(struct drive_sample));
    struct drive_sample last = {0}, now;
    struct sampler_totals totals;
    struct sampler *s;
    struct err err = {0};
    const uint64_t start = clock_now_ns(clock_system()) + 5 * NS_PER_MS;

    tree_init(&t);
    tree_disk(&t, "pci/block", "sda", "8:0");
    s = sampler_new(&(const struct sampler_opts){.root = &t.root,
                                                 .clock = clock_system(),
                                                 .names = names,
                                                 .n_names = 1,
                                                 .start_ns = start,
                                                 .interval_ns = 2 * NS_PER_MS,
                                                 .out = q},
                    &err);
    UNIT_TRUE("", s != NULL);
    UNIT_EQ_I64("", sampler_start(s, &err), 0);
    for (int i = 0; i < 10; i++) {
        UNIT_TRUE("a sample within 10 s", bqueue_pop(q, &now, 10 * NS_PER_S));
        UNIT_TRUE("", now.device[0].valid);
        UNIT_TRUE("never before its deadline", now.at_ns >= now.due_ns);
        UNIT_EQ_U64("on the grid", (now.due_ns - start) % (2 * NS_PER_MS), 0);
        if (i > 0)
            UNIT_EQ_U64("none left out unsaid", now.due_ns - last.due_ns,
                        (1 + (uint64_t)now.missed) * 2 * NS_PER_MS);
        last = now;
    }
    sampler_stop(s);
    sampler_stop(s);
    totals = sampler_totals(s);
    UNIT_TRUE("", totals.taken >= 10);
    UNIT_EQ_U64("", totals.lost, 0);
    sampler_free(s);

    /* An interval of an hour: only the first sample, and the end at once. */
    s = sampler_new(&(const struct sampler_opts){.root = &t.root,
                                                 .clock = clock_system(),
                                                 .names = names,
                                                 .n_names = 1,
                                                 .interval_ns = 3600 * NS_PER_S,
                                                 .out = q},
                    &err);
    UNIT_EQ_I64("", sampler_start(s, &err), 0);
    sampler_free(s);
    bqueue_free(q);
    tree_release(&t);
}

/* Nobody takes the samples: they are dropped, counted, and said in the next one that gets out. */
static void test_full_queue(void)
{
    static const char *const names[] = {"sda"};
    struct tree t;
    struct bqueue *q = bqueue_new(1, sizeof(struct drive_sample));
    struct drive_sample first, second;
    struct sampler *s;
    struct err err = {0};
    uint64_t gap;

    tree_init(&t);
    tree_disk(&t, "pci/block", "sda", "8:0");
    s = sampler_new(&(const struct sampler_opts){.root = &t.root,
                                                 .clock = clock_system(),
                                                 .names = names,
                                                 .n_names = 1,
                                                 .interval_ns = NS_PER_MS,
                                                 .out = q},
                    &err);
    UNIT_EQ_I64("", sampler_start(s, &err), 0);
    /* The first fills the queue; wait until at least one more deadline has passed. */
    while (bqueue_count(q) == 0)
        clock_sleep_until_ns(clock_system(), clock_now_ns(clock_system()) + NS_PER_MS);
    clock_sleep_until_ns(clock_system(), clock_now_ns(clock_system()) + 50 * NS_PER_MS);
    UNIT_TRUE("", bqueue_pop(q, &first, 0));
    UNIT_TRUE("", bqueue_pop(q, &second, 10 * NS_PER_S));
    sampler_stop(s);
    gap = (second.due_ns - first.due_ns) / NS_PER_MS - 1;
    UNIT_TRUE("", gap > 0);
    UNIT_EQ_U64("missed says all that did not come", second.missed, gap);
    UNIT_TRUE("", sampler_totals(s).dropped > 0);
    sampler_free(s);
    bqueue_free(q);
    tree_release(&t);
}

static const struct unit_test tests[] = {
    {"two steps", test_two_steps},
    {"replaced", test_replaced},
    {"garbage", test_garbage},
    {"only garbage", test_only_garbage},
    {"vanished and back", test_vanished_and_back},
    {"missed and late", test_missed_and_late},
    {"switched off", test_switched_off},
    {"not there", test_not_there},
    {"no time, no difference", test_no_time_no_difference},
    {"thread", test_thread},
    {"full queue", test_full_queue},
};

const struct unit_suite sampler_suite = UNIT_SUITE("sampler", tests);
