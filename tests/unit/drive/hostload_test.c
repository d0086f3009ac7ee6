/*
 * drive/hostload: made /proc trees, whole, odd and absent.
 */
#include "drive/hostload.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "harness/tmpdir.h"
#include "harness/unit.h"

static void test_whole(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    struct hostload h;

    fsroot_init(&root, dir);
    tmpdir_write(dir, "/proc/stat",
                 "cpu  100 5 50 800 40 1 2 3 7 0\ncpu0 50 5 25 400 20 1 1 1 0 0\nintr 5\n");
    tmpdir_write(dir, "/proc/pressure/cpu",
                 "some avg10=1.00 avg60=0.00 avg300=0.00 total=123456\n"
                 "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n");
    tmpdir_write(dir, "/proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=junk\n");
    hostload_read(&root, &h);
    UNIT_TRUE("", h.has_stat);
    UNIT_EQ_U64("all but the guests', which are in user", h.all_ticks, 1001);
    UNIT_EQ_U64("without idle and iowait", h.busy_ticks, 161);
    UNIT_TRUE("", h.has_psi[PSI_CPU]);
    UNIT_EQ_U64("some, not full", h.psi_us[PSI_CPU], 123456);
    UNIT_TRUE("no number", !h.has_psi[PSI_IO]);
    UNIT_TRUE("not there", !h.has_psi[PSI_MEMORY]);
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_absent(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    struct hostload h;
    struct process_load p;

    fsroot_init(&root, dir);
    hostload_read(&root, &h);
    UNIT_TRUE("", !h.has_stat);
    UNIT_TRUE("", !h.has_psi[PSI_CPU]);
    UNIT_TRUE("", !process_load_read(&root, 7, &p));
    UNIT_EQ_I64("", process_processors(&root, 7), -1);
    tmpdir_write(dir, "/proc/stat", "cpu  1 2\n");
    tmpdir_write(dir, "/proc/7/stat", "7 (postgres) S 1 7 7");
    hostload_read(&root, &h);
    UNIT_TRUE("cut off", !h.has_stat);
    UNIT_TRUE("cut off", !process_load_read(&root, 7, &p));
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_thread(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    struct process_load p;
    const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);

    fsroot_init(&root, dir);
    tmpdir_write(dir, "/proc/44/status", "Name:\tone_connection\nTgid:\t42\nPid:\t44\n");
    tmpdir_write(dir, "/proc/42/task/44/stat",
                 "44 (one_connection) S 1 42 42 0 -1 4194560 1 2 3 4 7 5 0 0 20 0 1 0 99\n");
    UNIT_EQ_I64("", thread_process(&root, 44), 42);
    UNIT_EQ_I64("no such thread", thread_process(&root, 45), -1);
    UNIT_TRUE("", thread_load_read(&root, 42, 44, &p));
    UNIT_EQ_U64("the thread's own", p.cpu_ns, 12 * tick_ns);
    UNIT_TRUE("not of that process", !thread_load_read(&root, 43, 44, &p));
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_process(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    struct process_load p;
    const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);

    fsroot_init(&root, dir);
    tmpdir_write(dir, "/proc/42/stat",
                 "42 (post) gres) S 17 42 42 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 1 0 99\n");
    tmpdir_write(dir, "/proc/42/status",
                 "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-2,5\n");
    UNIT_TRUE("", process_load_read(&root, 42, &p));
    UNIT_EQ_STR("a name with brackets", p.name, "post) gres");
    UNIT_EQ_I64("", p.parent, 17);
    UNIT_EQ_U64("user and system", p.cpu_ns, 200 * tick_ns);
    UNIT_EQ_U64("of ended children", p.ended_cpu_ns, 50 * tick_ns);
    UNIT_EQ_I64("", process_processors(&root, 42), 4);
    tmpdir_write(dir, "/proc/42/status", "Name:\tx\nCpus_allowed_list:\t3\n");
    UNIT_EQ_I64("", process_processors(&root, 42), 1);
    tmpdir_write(dir, "/proc/42/status", "Name:\tx\nCpus_allowed_list:\t3-1\n");
    UNIT_EQ_I64("", process_processors(&root, 42), -1);
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_family(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t ns = 0;

    fsroot_init(&root, dir);
    tmpdir_write(dir, "/proc/42/stat", "42 (pm) S 1 1 1 0 -1 0 0 0 0 0 1 2 30 40 20 0 1 0 99\n");
    UNIT_TRUE("no list of children", !process_family_cpu_ns(&root, 42, &ns));
    tmpdir_write(dir, "/proc/42/task/42/children", "43 44 45 ");
    tmpdir_write(dir, "/proc/43/stat", "43 (a) S 42 1 1 0 -1 0 0 0 0 0 100 200 0 0 20 0 1 0 99\n");
    tmpdir_write(dir, "/proc/45/stat", "45 (b) Z 42 1 1 0 -1 0 0 0 0 0 1000 0 0 0 20 0 1 0 9\n");
    UNIT_TRUE("one is gone", process_family_cpu_ns(&root, 42, &ns));
    UNIT_EQ_U64("its own, its ended ones', its living ones'", ns, (3 + 70 + 300 + 1000) * tick_ns);
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void write_io(const char *dir, int pid, int read, int written, int given_up)
{
    char *path = xasprintf("/proc/%d/io", pid);
    char *text = xasprintf("rchar: 9\nwchar: 9\nsyscr: 9\nsyscw: 9\nread_bytes: %d\n"
                           "write_bytes: %d\ncancelled_write_bytes: %d\n",
                           read, written, given_up);

    tmpdir_write(dir, path, text);
    free(text);
    free(path);
}

static void test_io(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    struct process_io io;

    fsroot_init(&root, dir);
    UNIT_TRUE("nobody", !process_io_read(&root, 42, &io));
    write_io(dir, 42, 8192, 12288, 4096);
    UNIT_TRUE("", process_io_read(&root, 42, &io));
    UNIT_EQ_U64("", io.read_bytes, 8192);
    UNIT_EQ_U64("less what was given up", io.write_bytes, 8192);
    UNIT_TRUE("no list of children", !process_family_io(&root, 42, &io));
    tmpdir_write(dir, "/proc/42/task/42/children", "43 44 45 ");
    write_io(dir, 43, 100, 1000, 0);
    write_io(dir, 45, 1, 10, 20);
    UNIT_TRUE("one is gone", process_family_io(&root, 42, &io));
    UNIT_EQ_U64("", io.read_bytes, 8192 + 100 + 1);
    UNIT_EQ_U64("given up what another made dirty", io.write_bytes, 8192 + 1000);
    tmpdir_write(dir, "/proc/44/io", "rchar: 9\n");
    UNIT_TRUE("one that does not tell", !process_family_io(&root, 42, &io));
    fsroot_release(&root);
    tmpdir_free(dir);
}

static void test_dirty(void)
{
    char *dir = tmpdir_new();
    struct fsroot root;
    struct hostload h;

    fsroot_init(&root, dir);
    hostload_read(&root, &h);
    UNIT_TRUE("", !h.has_dirty);
    tmpdir_write(dir, "/proc/meminfo",
                 "MemTotal: 9 kB\nDirty:             32 kB\nWriteback:         8 kB\n"
                 "WritebackTmp:     77 kB\n");
    hostload_read(&root, &h);
    UNIT_TRUE("", h.has_dirty);
    UNIT_EQ_U64("both", h.dirty_bytes, 40 * 1024);
    fsroot_release(&root);
    tmpdir_free(dir);
}

/* On the machine that runs the test: this process is seen, and its time grows. */
static void test_machine(void)
{
    struct fsroot root;
    struct process_load p;

    fsroot_init(&root, "");
    UNIT_TRUE("", process_load_read(&root, getpid(), &p));
    UNIT_EQ_I64("", p.parent, getppid());
    UNIT_TRUE("", process_processors(&root, getpid()) >= 1);
    fsroot_release(&root);
}

static const struct unit_test tests[] = {
    {"a thread", test_thread},
    {"processors and pressure", test_whole},
    {"absent or cut off", test_absent},
    {"a process", test_process},
    {"a process and its children", test_family},
    {"I/O of a process and its children", test_io},
    {"what is to be written", test_dirty},
    {"this machine", test_machine},
};
const struct unit_suite hostload_suite = UNIT_SUITE("hostload", tests);
