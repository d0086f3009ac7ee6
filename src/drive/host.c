/*
 * Reads the machine's name, kernel, processors and memory from procfs and /etc/os-release.
 */
#include "drive/host.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"

#define FILE_BYTES_MAX ((size_t)4 << 20) /* /proc/cpuinfo of 2,000 processors */

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* How many lines begin with this key and the separator, blanks between allowed; *first gets the
 * value of the first of them (free() it), NULL where there is none. */
static int64_t lines_of(const char *text, const char *key, char separator, char **first)
{
    int64_t n = 0;

    *first = NULL;
    for (const char *line = text; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n');
        const bool has_key = strncmp(line, key, strlen(key)) == 0;
        const char *after = has_key ? skip_blanks(line + strlen(key)) : line;

        if (has_key && *after == separator) {
            const char *value = skip_blanks(after + 1);

            if (n++ == 0)
                *first = xstrndup(value, strcspn(value, "\n"));
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return n;
}

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"; quotes are optional. */
static char *read_os(const struct fsroot *root)
{
    char *text = fsroot_read(root, "/etc/os-release", FILE_BYTES_MAX, NULL);
    char *os = NULL;
    size_t n;

    if (text != NULL)
        lines_of(text, "PRETTY_NAME", '=', &os);
    n = os != NULL ? strlen(os) : 0;
    if (n >= 2 && os[0] == '"' && os[n - 1] == '"') {
        memmove(os, os + 1, n - 2);
        os[n - 2] = '\0';
    }
    free(text);
    return os;
}

/* "MemTotal:       24684084 kB": the number behind a key, times `unit`; 0 where it is not there. */
static int64_t number_of(const char *text, const char *key, int64_t unit)
{
    char *value = NULL;
    int64_t n = 0;

    lines_of(text, key, ':', &value);
    if (value != NULL)
        value[strcspn(value, " ")] = '\0';
    if (value == NULL || units_parse_i64(value, &n, NULL) < 0 || n < 0 ||
        (unit > 0 && n > INT64_MAX / unit))
        n = 0;
    free(value);
    return n * unit;
}

static void read_memory(const struct fsroot *root, struct host_info *out)
{
    char *text = fsroot_read(root, "/proc/meminfo", FILE_BYTES_MAX, NULL);

    if (text == NULL)
        return;
    out->memory_bytes = number_of(text, "MemTotal", 1024);
    out->huge_free_bytes = number_of(text, "HugePages_Free", number_of(text, "Hugepagesize", 1024));
    free(text);
}

void host_read(const struct fsroot *root, struct host_info *out)
{
    char *cpuinfo = fsroot_read(root, "/proc/cpuinfo", FILE_BYTES_MAX, NULL);
    char *unused = NULL;

    memset(out, 0, sizeof(*out));
    out->name = fsroot_read_line(root, "/proc/sys/kernel/hostname");
    out->kernel = fsroot_read_line(root, "/proc/sys/kernel/osrelease");
    out->os = read_os(root);
    out->governor = fsroot_read_line(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    read_memory(root, out);
    if (cpuinfo != NULL) {
        out->cpus = lines_of(cpuinfo, "processor", ':', &unused);
        lines_of(cpuinfo, "model name", ':', &out->cpu_model);
    }
    free(unused);
    free(cpuinfo);
}

void host_release(struct host_info *h)
{
    free(h->name);
    free(h->kernel);
    free(h->os);
    free(h->cpu_model);
    free(h->governor);
    memset(h, 0, sizeof(*h));
}
