/*
 * Looking at a server from outside. A process is known by /proc/PID/cwd, since every process of a
 * server sits in the data directory, and a process of another user does not tell. No state.
 */
#include "cluster/postmaster.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "base/xalloc.h"

enum {
    PID_FILE_MAX = 4096,
    PROCESSES_MAX = 4096,
    CMDLINE_MAX = 4096,
    SEGMENT_NAME = 24,
    SEGMENTS_A_LOG = 256, /* of 16 MiB, initdb's default */
    TAIL_BYTES = 64 * 1024,
    WORDS_MAX = 300,
};

/* The n-th line (from 0), without its end; NULL where there are fewer; free() it. */
static char *line_at(const char *text, int n)
{
    while (n > 0 && text) {
        text = strchr(text, '\n');
        text += text ? 1 : 0;
        n--;
    }
    return text && *text ? xstrndup(text, strcspn(text, "\n")) : NULL;
}

bool postmaster_parse(const char *text, struct postmaster *out)
{
    char *pid = line_at(text, 0);
    char *socket_dir = line_at(text, 4);
    char *status = line_at(text, 7);
    int64_t n = 0;
    bool good = false;

    *out = (struct postmaster){0};
    if (pid && units_parse_i64(pid, &n, NULL) == 0 && n > 1 && n <= INT_MAX) {
        out->pid = (pid_t)n;
        good = true;
    }
    if (socket_dir && strlen(socket_dir) < sizeof(out->socket_dir))
        (void)memcpy(out->socket_dir, socket_dir, strlen(socket_dir) + 1);
    out->ready = status && strncmp(status, "ready", 5) == 0;
    free(pid);
    free(socket_dir);
    free(status);
    return good;
}

bool postmaster_read(const struct fsroot *root, const char *data, struct postmaster *out)
{
    char *path = xasprintf("%s/postmaster.pid", data);
    char *text = fsroot_read(root, path, PID_FILE_MAX, NULL);
    const bool good = text && postmaster_parse(text, out);

    if (!good)
        *out = (struct postmaster){0};
    free(text);
    free(path);
    return good;
}

bool postmaster_lives(const struct fsroot *root, const char *data, pid_t pid)
{
    char *link = xasprintf("%s/proc/%jd/cwd", root->prefix, (intmax_t)pid);
    char cwd[PATH_MAX];
    const ssize_t n = pid > 0 ? readlink(link, cwd, sizeof(cwd) - 1) : -1;

    free(link);
    if (n < 0)
        return false;
    cwd[n] = 0;
    return strcmp(cwd, data) == 0;
}

size_t postmaster_processes(const struct fsroot *root, const char *data, pid_t *pids, size_t max)
{
    char *proc = fsroot_path(root, "/proc");
    DIR *d = opendir(proc);
    size_t n = 0;

    free(proc);
    if (!d)
        return 0;
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        int64_t pid = 0;

        if (e->d_name[0] < '0' || e->d_name[0] > '9' ||
            units_parse_i64(e->d_name, &pid, NULL) < 0 || pid > INT_MAX)
            continue;
        if (!postmaster_lives(root, data, (pid_t)pid))
            continue;
        if (n < max)
            pids[n] = (pid_t)pid;
        n++;
    }
    (void)closedir(d);
    return n;
}

bool postmaster_segment(const char *name, uint64_t *segment)
{
    char part[9] = "";
    unsigned long long log = 0;
    unsigned long long seg = 0;

    if (strspn(name, "0123456789ABCDEF") != SEGMENT_NAME)
        return false;
    (void)memcpy(part, name + 8, 8);
    log = strtoull(part, NULL, 16);
    (void)memcpy(part, name + 16, 8);
    seg = strtoull(part, NULL, 16);
    if (seg >= SEGMENTS_A_LOG)
        return false;
    *segment = (uint64_t)log * SEGMENTS_A_LOG + seg;
    return true;
}

/* The start-up process says in its title "... recovering 000000010000000000000005". */
static bool title_tells(const struct fsroot *root, pid_t pid, uint64_t *segment)
{
    static const char word[] = "recovering ";
    char *path = xasprintf("/proc/%jd/cmdline", (intmax_t)pid);
    char *title = fsroot_read(root, path, CMDLINE_MAX, NULL);
    const char *at = title ? strstr(title, word) : NULL;
    const bool tells = at && postmaster_segment(at + strlen(word), segment);

    free(title);
    free(path);
    return tells;
}

bool postmaster_replaying(const struct fsroot *root, const char *data, uint64_t *segment)
{
    pid_t *pids = xcalloc(PROCESSES_MAX, sizeof(pids[0]));
    size_t n = postmaster_processes(root, data, pids, PROCESSES_MAX);
    bool found = false;

    if (n > PROCESSES_MAX)
        n = PROCESSES_MAX;
    for (size_t i = 0; i < n && !found; i++)
        found = title_tells(root, pids[i], segment);
    free(pids);
    return found;
}

bool postmaster_newest_wal(const char *data, uint64_t *segment)
{
    char *path = xasprintf("%s/pg_wal", data);
    DIR *d = opendir(path);
    struct timespec newest = {0};
    bool found = false;

    free(path);
    if (!d)
        return false;
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        struct stat st;
        uint64_t n = 0;

        if (!postmaster_segment(e->d_name, &n) || strlen(e->d_name) != SEGMENT_NAME ||
            fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        if (!found || st.st_mtim.tv_sec > newest.tv_sec ||
            (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec > newest.tv_nsec)) {
            found = true;
            newest = st.st_mtim;
            *segment = n;
        }
    }
    (void)closedir(d);
    return found;
}

/* The file's bytes from the later of `from` and its last TAIL_BYTES; NULL where there are none. */
static char *read_tail(const char *log, uint64_t from)
{
    int fd = open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat st;
    char *text = NULL;
    ssize_t n = -1;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0 && (uint64_t)st.st_size > from) {
        const uint64_t size = (uint64_t)st.st_size;
        const uint64_t start = size - from > TAIL_BYTES ? size - TAIL_BYTES : from;

        text = xmalloc(TAIL_BYTES + 1);
        n = pread(fd, text, TAIL_BYTES, (off_t)start);
    }
    close_fd(&fd);
    if (n <= 0) {
        free(text);
        return NULL;
    }
    text[n] = 0;
    return text;
}

/* A line without its time and process. */
static const char *message_of(const char *line)
{
    const char *at = strstr(line, "LOG:  ");

    return at ? at + strlen("LOG:  ") : line;
}

char *postmaster_last_words(const char *log, uint64_t from)
{
    static const char *const grave[] = {"PANIC:  ", "FATAL:  ", "error: ", "fatal: "};
    char *text = read_tail(log, from);
    const char *words = NULL;  /* the gravest so far */
    const char *before = NULL; /* the line before the present one */
    bool is_grave = false;
    char *copy = NULL;
    char *rest = text;

    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        const char *at = NULL;

        for (size_t i = 0; i < ARRAY_LEN(grave) && !at; i++)
            at = strstr(line, grave[i]);
        /* What is wrong in a file stands one line before the verdict on it. */
        if (at && before && strstr(at, "contains errors"))
            at = message_of(before);
        if (at || (line[0] && !is_grave))
            words = at ? at : line;
        is_grave = is_grave || at;
        before = line;
    }
    if (words)
        copy = xasprintf("%.*s", WORDS_MAX, words);
    free(text);
    return copy;
}
