/*
 * Reads /proc/stat, /proc/pressure and /proc/PID (proc(5), Documentation/accounting/psi.rst).
 */
#include "drive/hostload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "base/xalloc.h"

#define FILE_BYTES_MAX 65536 /* /proc/stat begins with what is read of it */
#define FAMILY_TRIES 5
#define STAT_FIELDS 8 /* user nice system idle iowait irq softirq steal */
#define NS_A_S UINT64_C(1000000000)

/* The next number of a line of numbers and blanks; false at its end or at what is none. */
static bool next_number(const char **at, uint64_t *out)
{
    const char *p = *at + strspn(*at, " \t");
    uint64_t n = 0;

    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (n > (UINT64_MAX - 9) / 10)
            return false;
        n = n * 10 + (uint64_t)(*p - '0');
    }
    *at = p;
    *out = n;
    return true;
}

/* "cpu  5217 0 3301 1934 ...", ticks since the start. */
static void read_stat(const struct fsroot *root, struct hostload *out)
{
    char *text = fsroot_read(root, "/proc/stat", FILE_BYTES_MAX, NULL);
    const char *at = text;
    uint64_t field[STAT_FIELDS] = {0};
    int n = 0;

    if (text && strncmp(text, "cpu ", 4) == 0) {
        at += 4;
        while (n < STAT_FIELDS && next_number(&at, &field[n]))
            n++;
    }
    free(text);
    out->has_stat = n >= 4;
    for (int i = 0; i < n; i++) {
        out->all_ticks += field[i];
        out->busy_ticks += i == 3 || i == 4 ? 0 : field[i];
    }
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345" */
static bool read_psi(const struct fsroot *root, const char *path, uint64_t *us)
{
    char *text = fsroot_read(root, path, FILE_BYTES_MAX, NULL);
    const char *total = text && strncmp(text, "some ", 5) == 0 ? strstr(text, "total=") : NULL;
    bool there = false;

    if (total) {
        total += strlen("total=");
        there = next_number(&total, us);
    }
    free(text);
    return there;
}

/* The number behind "\nKey:" in a text of such lines. */
static bool number_of(const char *text, const char *key, uint64_t *out)
{
    const char *at = text ? strstr(text, key) : NULL;

    if (!at)
        return false;
    at += strlen(key);
    return next_number(&at, out);
}

bool hostload_dirty(const struct fsroot *root, uint64_t *bytes)
{
    char *text = fsroot_read(root, "/proc/meminfo", FILE_BYTES_MAX, NULL);
    uint64_t dirty = 0;
    uint64_t on_its_way = 0;
    /* "Dirty:             32532 kB", to be written; "Writeback:", on their way. */
    const bool there =
        number_of(text, "\nDirty:", &dirty) && number_of(text, "\nWriteback:", &on_its_way);

    if (there)
        *bytes = (dirty + on_its_way) * 1024;
    free(text);
    return there;
}

void hostload_read(const struct fsroot *root, struct hostload *out)
{
    static const char *const paths[PSI_KINDS] = {
        [PSI_CPU] = "/proc/pressure/cpu",
        [PSI_IO] = "/proc/pressure/io",
        [PSI_MEMORY] = "/proc/pressure/memory",
    };

    memset(out, 0, sizeof(*out));
    read_stat(root, out);
    for (int k = 0; k < PSI_KINDS; k++)
        out->has_psi[k] = read_psi(root, paths[k], &out->psi_us[k]);
    out->has_dirty = hostload_dirty(root, &out->dirty_bytes);
}

static char *read_or_why(const struct fsroot *root, int64_t pid, const char *file, struct err *err)
{
    char *path = xasprintf("/proc/%lld/%s", (long long)pid, file);
    char *text = fsroot_read(root, path, FILE_BYTES_MAX, err);

    free(path);
    return text;
}

static char *read_of(const struct fsroot *root, int64_t pid, const char *file)
{
    return read_or_why(root, pid, file, NULL);
}

static uint64_t ticks_ns(uint64_t ticks)
{
    const long hz = sysconf(_SC_CLK_TCK);

    return ticks * (NS_A_S / (uint64_t)(hz > 0 ? hz : 100));
}

/* "1234 (name) S 1 ...": the name may hold anything, so the fields begin behind its last ")". */
static bool load_of(const struct fsroot *root, int64_t pid, const char *file,
                    struct process_load *out)
{
    char *text = read_of(root, pid, file);
    const char *open = text ? strchr(text, '(') : NULL;
    const char *at = text ? strrchr(text, ')') : NULL;
    uint64_t field[14] = {0}; /* from the parent on; [10] utime, stime, cutime, cstime */
    int n = 0;

    memset(out, 0, sizeof(*out));
    if (open && at && at > open && strlen(at) > 4) {
        const size_t len = (size_t)(at - open - 1);

        memcpy(out->name, open + 1, len < sizeof(out->name) ? len : sizeof(out->name) - 1);
        at += 3; /* ") S" */
        for (; n < 14; n++) {
            at += strspn(at, " -"); /* the terminal's group may be -1 */
            if (!next_number(&at, &field[n]))
                break;
        }
    }
    free(text);
    out->parent = (int64_t)field[0];
    out->cpu_ns = ticks_ns(field[10] + field[11]);
    out->ended_cpu_ns = ticks_ns(field[12] + field[13]);
    return n == 14;
}

bool process_load_read(const struct fsroot *root, int64_t pid, struct process_load *out)
{
    return load_of(root, pid, "stat", out);
}

bool thread_load_read(const struct fsroot *root, int64_t pid, int64_t thread,
                      struct process_load *out)
{
    char *file = xasprintf("task/%lld/stat", (long long)thread);
    const bool there = load_of(root, pid, file, out);

    free(file);
    return there;
}

/* "1201 1202 1203 ": also those that ended and were not waited for yet. */
static bool children_cpu_ns(const struct fsroot *root, int64_t pid, uint64_t *out)
{
    char *file = xasprintf("task/%lld/children", (long long)pid);
    char *text = read_of(root, pid, file);
    const char *at = text;
    struct process_load p;
    uint64_t child;

    *out = 0;
    while (at && next_number(&at, &child)) {
        if (process_load_read(root, (int64_t)child, &p))
            *out += p.cpu_ns;
    }
    free(text);
    free(file);
    return at != NULL;
}

/* A child that ends while they are read is counted twice or not at all: then they are read again.
 */
bool process_family_cpu_ns(const struct fsroot *root, int64_t pid, uint64_t *out)
{
    struct process_load before;
    struct process_load after;
    uint64_t children = 0;

    for (int i = 0; i < FAMILY_TRIES; i++) {
        if (!process_load_read(root, pid, &before) || !children_cpu_ns(root, pid, &children) ||
            !process_load_read(root, pid, &after))
            return false;
        *out = after.cpu_ns + after.ended_cpu_ns + children;
        if (before.ended_cpu_ns == after.ended_cpu_ns)
            return true;
    }
    return false;
}

/* gone: there is no such process (any more). */
static bool read_io(const struct fsroot *root, int64_t pid, struct process_io *out, bool *gone)
{
    struct err err = {0};
    char *text = read_or_why(root, pid, "io", &err);
    uint64_t given_up = 0;
    bool there;

    *out = (struct process_io){0};
    *gone = !text && (err.sys_errno == ENOENT || err.sys_errno == ESRCH);
    there = number_of(text, "\nread_bytes:", &out->read_bytes) &&
            number_of(text, "\nwrite_bytes:", &out->write_bytes) &&
            number_of(text, "\ncancelled_write_bytes:", &given_up);
    out->write_bytes -= given_up < out->write_bytes ? given_up : out->write_bytes;
    free(text);
    return there;
}

bool process_io_read(const struct fsroot *root, int64_t pid, struct process_io *out)
{
    bool gone;

    return read_io(root, pid, out, &gone);
}

static void add_io(struct process_io *to, const struct process_io *from)
{
    to->read_bytes += from->read_bytes;
    to->write_bytes += from->write_bytes;
}

static bool children_io(const struct fsroot *root, int64_t pid, struct process_io *out)
{
    char *file = xasprintf("task/%lld/children", (long long)pid);
    char *text = read_of(root, pid, file);
    const char *at = text;
    bool seen = text != NULL;
    uint64_t child;

    *out = (struct process_io){0};
    while (seen && next_number(&at, &child)) {
        struct process_io io;
        bool gone;

        seen = read_io(root, (int64_t)child, &io, &gone) || gone;
        if (!gone)
            add_io(out, &io);
    }
    free(text);
    free(file);
    return seen;
}

/* As with the CPU time: what a child did that ends meanwhile becomes the parent's. */
bool process_family_io(const struct fsroot *root, int64_t pid, struct process_io *out)
{
    struct process_io before;
    struct process_io children;

    for (int i = 0; i < FAMILY_TRIES; i++) {
        if (!process_io_read(root, pid, &before) || !children_io(root, pid, &children) ||
            !process_io_read(root, pid, out))
            return false;
        if (memcmp(&before, out, sizeof(before)) == 0)
            break;
    }
    add_io(out, &children);
    return true;
}

/* "0-3,8" */
static int64_t count_list(const char *at)
{
    int64_t n = 0;
    uint64_t from;
    uint64_t to;

    at += strspn(at, " \t");
    while (next_number(&at, &from)) {
        to = from;
        if (*at == '-') {
            at++;
            if (!next_number(&at, &to) || to < from)
                return -1;
        }
        n += (int64_t)(to - from) + 1;
        if (*at == ',')
            at++;
    }
    return n > 0 ? n : -1;
}

int64_t thread_process(const struct fsroot *root, int64_t thread)
{
    char *text = read_of(root, thread, "status");
    uint64_t pid = 0;
    const bool told = number_of(text, "\nTgid:", &pid);

    free(text);
    return told ? (int64_t)pid : -1;
}

int64_t process_processors(const struct fsroot *root, int64_t pid)
{
    static const char key[] = "\nCpus_allowed_list:";
    char *text = read_of(root, pid, "status");
    const char *line = text ? strstr(text, key) : NULL;
    const int64_t n = line ? count_list(line + strlen(key)) : -1;

    free(text);
    return n;
}
