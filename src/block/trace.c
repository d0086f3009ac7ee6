/*
 * Counts what an iolog asks for. Version 2: "FILE ACTION [OFFSET LENGTH]"; version 3: "US FILE
 * ACTION [OFFSET LENGTH]". The waits of version 2 are no times to go by: fio 3.33 takes them as
 * milliseconds since its own start.
 */
#include "block/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/units.h"

#define BLKTRACE_MAGIC UINT32_C(0x65617400)
#define WORDS_MAX 5

struct count {
    uint64_t ios;
    uint64_t us; /* from its start to the last I/O */
    bool writes;
};

/* The line's words, cut in place. */
static size_t split(char *line, char *word[WORDS_MAX])
{
    char *rest = NULL;
    size_t n = 0;

    for (char *w = strtok_r(line, " \t\r\n", &rest); w && n < WORDS_MAX;
         w = strtok_r(NULL, " \t\r\n", &rest))
        word[n++] = w;
    return n;
}

static void count_line(char *line, bool has_time, struct count *c)
{
    char *word[WORDS_MAX];
    const size_t n = split(line, word);
    const size_t action = has_time ? 2 : 1;
    uint64_t number = 0;

    if (n <= action)
        return;
    if (strcmp(word[action], "read") != 0 && strcmp(word[action], "write") != 0 &&
        strcmp(word[action], "trim") != 0)
        return;
    c->ios++;
    c->writes = c->writes || strcmp(word[action], "read") != 0;
    if (has_time && units_parse_u64(word[0], &number, NULL) == 0)
        c->us = number;
}

static bool is_blktrace(FILE *file)
{
    uint32_t magic = 0;
    const bool yes = fread(&magic, sizeof(magic), 1, file) == 1 &&
                     ((magic & 0xffffff00) == BLKTRACE_MAGIC ||
                      (__builtin_bswap32(magic) & 0xffffff00) == BLKTRACE_MAGIC);

    rewind(file);
    return yes;
}

int trace_look(const char *path, struct trace_facts *out, struct err *err)
{
    FILE *file = fopen(path, "re");
    struct count c = {0};
    char line[4096];
    bool has_time = false;
    int rc = -1;

    *out = (struct trace_facts){.iops = (double)NAN, .writes = true};
    if (!file)
        return err_sys(err, errno, "can't read the trace %s", path);
    if (is_blktrace(file)) {
        rc = 0;
        goto out;
    }
    if (!fgets(line, sizeof(line), file) || strncmp(line, "fio version ", 12) != 0 ||
        (line[12] != '2' && line[12] != '3')) {
        (void)err_set(err, ERR_USAGE,
                      "%s is no trace: neither an iolog of fio (its first line: \"fio version 2 "
                      "iolog\", or 3) nor a blktrace",
                      path);
        goto out;
    }
    has_time = line[12] == '3';
    while (fgets(line, sizeof(line), file))
        count_line(line, has_time, &c);
    if (c.ios == 0) {
        (void)err_set(err, ERR_USAGE, "%s asks for no I/O", path);
        goto out;
    }
    out->writes = c.writes;
    if (c.us > 0)
        out->iops = (double)c.ios * 1e6 / (double)c.us;
    rc = 0;
out:
    (void)fclose(file);
    return rc;
}
