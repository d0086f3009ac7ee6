/*
 * run/server_figures: figures worked out by hand, what is not to be had, and the classes of waits
 * of all versions' names.
 */
#include "run/server_figures.h"

#include "base/clock.h"
#include "harness/unit.h"

static void set(struct server_delta *d, enum server_counter c, int64_t n)
{
    d->has[c] = true;
    d->count[c] = n;
}

static const struct server_facts facts = {.page_bytes = 8192, .times_wal = true, .cpus = 4};

/* 10 s, 1,000 transactions of which 900 write. */
static struct server_delta made(void)
{
    struct server_delta d = {.ns = 10 * NS_PER_S, .transactions = 1000, .writers = 900};

    set(&d, COUNT_COMMITS, 1010);
    set(&d, COUNT_PAGES_READ, 5000);
    set(&d, COUNT_PAGES_HIT, 95000);
    set(&d, COUNT_FULL_PAGES, 500);
    set(&d, COUNT_WAL_BYTES, 10240000);
    set(&d, COUNT_WAL_WRITES, 400);
    set(&d, COUNT_WAL_FLUSHES, 300);
    set(&d, COUNT_WAL_WRITE_US, 200000);
    set(&d, COUNT_WAL_FLUSH_US, 600000);
    d.looks = 100;
    d.seen[WAIT_WAL] = 180;
    d.seen[WAIT_READ] = 100;
    d.seen[WAIT_CPU] = 120;
    d.has_cpu = true;
    d.cpu_ns = 2 * NS_PER_S;
    d.has_host = true;
    d.host_busy = 1500;
    d.host_all = 4000;
    d.has_psi[PSI_CPU] = true;
    d.psi_us[PSI_CPU] = 1500000;
    d.has_io = true;
    d.io = (struct process_io){.read_bytes = 20971520, .write_bytes = 41943040};
    return d;
}

static void test_by_hand(void)
{
    const struct server_delta d = made();
    const struct result_server s = server_figures(&d, &facts);

    UNIT_NEAR("0.5 ms a write and 2 ms a flush", s.commit_ms, 2.5, 1e-9);
    UNIT_NEAR("", s.commits_per_flush, 3, 1e-9);
    UNIT_NEAR("", s.wal_kib_per_transaction, 10, 1e-9);
    UNIT_NEAR("4,096,000 of 10,240,000 bytes", s.full_page_percent, 40, 1e-9);
    UNIT_NEAR("", s.cache_hit_percent, 95, 1e-9);
    UNIT_NEAR("", s.page_reads_per_s, 500, 1e-9);
    UNIT_NEAR("", s.cpu_ms_per_transaction, 2, 1e-9);
    UNIT_NEAR("2 of 40 s", s.cpu_percent, 5, 1e-9);
    UNIT_NEAR("", s.active, 4, 1e-9);
    UNIT_NEAR("", s.wait_percent[WAIT_WAL], 45, 1e-9);
    UNIT_NEAR("", s.wait_percent[WAIT_READ], 25, 1e-9);
    UNIT_NEAR("", s.wait_percent[WAIT_CPU], 30, 1e-9);
    UNIT_NEAR("", s.wait_percent[WAIT_LOCK], 0, 1e-9);
    UNIT_NEAR("", s.host_cpu_percent, 37.5, 1e-9);
    UNIT_NEAR("20 MiB in 10 s", s.io_read_mib_per_s, 2, 1e-9);
    UNIT_NEAR("", s.io_write_mib_per_s, 4, 1e-9);
    UNIT_NEAR("", s.psi_cpu_percent, 15, 1e-9);
    UNIT_TRUE("not read", isnan(s.psi_io_percent));
    UNIT_TRUE("the loop's to say", isnan(s.longest_silence_ms));
    UNIT_TRUE("", server_times_commits(&d, &facts));
}

/* 1.8 sessions wait for WAL on average, 90 write a second: 20 ms each. */
static void test_commit_by_looks(void)
{
    const struct server_facts untimed = {.page_bytes = 8192, .cpus = -1};
    const struct server_delta d = made();
    const struct result_server s = server_figures(&d, &untimed);

    UNIT_NEAR("", s.commit_ms, 20, 1e-9);
    UNIT_TRUE("", !server_times_commits(&d, &untimed));
    UNIT_TRUE("processors not known", isnan(s.cpu_percent));
    UNIT_NEAR("", s.cpu_ms_per_transaction, 2, 1e-9);
}

static void test_open_datasync(void)
{
    struct server_delta d = made();
    struct result_server s;

    set(&d, COUNT_WAL_FLUSHES, 0);
    set(&d, COUNT_WAL_FLUSH_US, 0);
    s = server_figures(&d, &facts);
    UNIT_NEAR("the write alone", s.commit_ms, 0.5, 1e-9);
    UNIT_NEAR("to writes", s.commits_per_flush, 2.25, 1e-9);
}

static void test_of_nothing(void)
{
    const struct server_delta none = {0};
    struct server_delta idle = {.ns = NS_PER_S, .looks = 10};
    struct result_server s = server_figures(&none, &facts);

    UNIT_TRUE("", isnan(s.commit_ms) && isnan(s.active) && isnan(s.cache_hit_percent));
    s = server_figures(&idle, &facts);
    UNIT_NEAR("nobody was there", s.active, 0, 1e-12);
    UNIT_TRUE("of no time no shares", isnan(s.wait_percent[WAIT_CPU]));
    UNIT_TRUE("no counters", isnan(s.page_reads_per_s) && isnan(s.full_page_percent));
}

static void test_sums(void)
{
    struct server_delta sum = {0};
    struct server_delta d = made();
    struct result_server s;

    server_delta_add(&sum, &d);
    server_delta_add(&sum, &d);
    s = server_figures(&sum, &facts);
    UNIT_NEAR("rates stay", s.page_reads_per_s, 500, 1e-9);
    UNIT_NEAR("", s.commit_ms, 2.5, 1e-9);
    UNIT_NEAR("", s.active, 4, 1e-9);
    d.has[COUNT_WAL_BYTES] = false;
    d.has_cpu = false;
    d.has_io = false;
    UNIT_NEAR("", s.io_write_mib_per_s, 4, 1e-9);
    server_delta_add(&sum, &d);
    s = server_figures(&sum, &facts);
    UNIT_TRUE("missing once is missing", isnan(s.wal_kib_per_transaction) && isnan(s.cpu_percent));
    UNIT_TRUE("", isnan(s.io_write_mib_per_s));
    UNIT_NEAR("the others go on", s.cache_hit_percent, 95, 1e-9);
    server_delta_add(&sum, &(struct server_delta){0});
    UNIT_EQ_U64("an empty one is nothing", sum.ns, 30 * NS_PER_S);
    UNIT_TRUE("", sum.has[COUNT_PAGES_READ]);
}

static const struct wait_case {
    const char *type, *event;
    bool in_transaction;
    enum wait_class class;
} waits[] = {
    {"", "", false, WAIT_CPU},
    {"IO", "DataFileRead", false, WAIT_READ},
    {"IO", "DataFilePrefetch", false, WAIT_READ},
    {"IO", "SLRURead", false, WAIT_READ},
    {"IO", "SlruRead", false, WAIT_READ},        /* 17 */
    {"IO", "AioIoCompletion", false, WAIT_READ}, /* 18 */
    {"IPC", "BufferIO", false, WAIT_READ},       /* 14 to 16 */
    {"IPC", "BufferIo", false, WAIT_READ},       /* 17 */
    {"IO", "DataFileWrite", false, WAIT_WRITE},
    {"IO", "DataFileExtend", false, WAIT_WRITE},
    {"IO", "DataFileSync", false, WAIT_WRITE},
    {"IO", "BufFileWrite", false, WAIT_WRITE},
    {"IO", "WALWrite", false, WAIT_WAL},
    {"IO", "WALSync", false, WAIT_WAL},
    {"IO", "WalSync", false, WAIT_WAL}, /* 17 */
    {"IO", "WALInitWrite", false, WAIT_WAL},
    {"LWLock", "WALWrite", false, WAIT_WAL},
    {"LWLock", "WALInsert", false, WAIT_WAL},
    {"IPC", "SyncRep", false, WAIT_WAL},
    {"LWLock", "BufferContent", false, WAIT_LOCK},
    {"LWLock", "BufferMapping", false, WAIT_LOCK},
    {"Lock", "transactionid", false, WAIT_LOCK},
    {"Lock", "tuple", false, WAIT_LOCK},
    {"BufferPin", "BufferPin", false, WAIT_LOCK},
    {"Client", "ClientRead", false, WAIT_CLIENT},
    {"Client", "ClientWrite", false, WAIT_CLIENT},
    {"Client", "ClientRead", true, WAIT_CLIENT},
    {"", "", true, WAIT_CLIENT}, /* idle in transaction, just awake */
    {"Timeout", "SpinDelay", false, WAIT_OTHER},
    {"IPC", "ProcArrayGroupUpdate", false, WAIT_OTHER},
    {"Extension", "Extension", false, WAIT_OTHER},
    {"", "Unheard", false, WAIT_CPU},
    {"read", "", false, WAIT_READ}, /* a dialect that tells the class itself */
    {"write", "", false, WAIT_WRITE},
    {"wal", "", false, WAIT_WAL},
    {"lock", "", false, WAIT_LOCK},
    {"cpu", "", false, WAIT_CPU},
    {"client", "", false, WAIT_CLIENT},
    {"other", "", false, WAIT_OTHER},
};

static void test_waits(void)
{
    for (size_t i = 0; i < ARRAY_LEN(waits); i++) {
        const struct wait_case *w = &waits[i];

        UNIT_EQ_STR(w->event,
                    result_wait_name(server_wait_class(w->type, w->event, w->in_transaction)),
                    result_wait_name(w->class));
    }
}

static const struct unit_test tests[] = {
    {"worked out by hand", test_by_hand},
    {"a commit by the looks", test_commit_by_looks},
    {"WAL without flushes", test_open_datasync},
    {"of nothing", test_of_nothing},
    {"sums", test_sums},
    {"classes of waits", test_waits},
};
const struct unit_suite server_figures_suite = UNIT_SUITE("server_figures", tests);
