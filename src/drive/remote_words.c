/*
 * The script for the other host, and its answers taken apart. The script reads its orders from
 * standard input and ends with it, so that nothing is left there when the connection or this
 * program goes. It uses what a POSIX shell has built in, so that a sample starts no program there;
 * readlink, stat, date and cat it needs only at the start. It holds no single quote, no newline, no
 * backslash but before "n" and no "!", since whatever login shell the user has is to hand it to sh.
 */
#include "drive/remote_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"

#define HELLO "tpcc-run-remote 1 "
#define WORD_MAX 128

/* Of a device's folder, as drive/sysfs and drive/inventory read them. */
#define ATTRIBUTES                                                                                 \
    "dev partition size hidden stat diskseq serial dm/uuid dm/name md/level loop/backing_file "    \
    "queue/iostats queue/rotational queue/scheduler queue/write_cache queue/logical_block_size "   \
    "queue/physical_block_size queue/discard_max_bytes queue/nr_requests device/model "            \
    "device/name device/firmware_rev device/rev device/fwrev device/serial "                       \
    "device/device/current_link_speed device/device/current_link_width "                           \
    "device/device/max_link_speed device/device/max_link_width"

/* line FILE: its first line is in $v, without blanks around it; fails where it can't be read. */
#define LINE "line() { v=; [ -r \"$1\" ] && { read -r v || [ \"$v\" ]; } 2>/dev/null <\"$1\"; }; "

#define TAKE                                                                                       \
    "take() { n=$1; shift; line /proc/uptime; o=\"take $n ${v%% *}\"; "                            \
    "for d do line \"/sys/class/block/$d/stat\" || v=-; o=\"$o|$v\"; done; say \"$o\"; }; "

/* Which mount a path is on, the kernel tells of an open file. */
#define LOOK                                                                                       \
    "look() { m=0; k=none; t=; p=$(readlink -f -- \"$2\" 2>/dev/null); "                           \
    "if [ -b \"$p\" ]; then k=block; t=$(stat -c \"%t %T\" -- \"$p\" 2>/dev/null); "               \
    "elif [ -d \"$p\" ] || [ -f \"$p\" ]; then k=other; { while read -r w v; do "                  \
    "[ \"$w\" = mnt_id: ] && m=$v; done </proc/self/fdinfo/9; } 2>/dev/null 9<\"$p\"; "            \
    "elif [ -e \"$p\" ]; then k=other; fi; say \"path $1 $k ${t:-0 0} $m ${p:-$2}\"; }; "

/* text N FILE */
#define TEXT "text() { while read -r v; do say \"=$v\"; done <\"$2\"; say \"end $1\"; }; "

/* One device's folder: D NAME FOLDER, then A ATTRIBUTE VALUE, E DIRECTORY, L SLAVE FOLDER ("-" for
 * one that is gone), X FILE VALUE. */
#define DEVICE                                                                                     \
    "device() { cd -P \"$1\" 2>/dev/null || return 0; p=$PWD; say \"D ${1##*/} $p\"; "             \
    "for a in " ATTRIBUTES "; do [ -f \"$a\" ] && line \"$a\" && say \"A $a $v\"; done; "          \
    "for a in dm md mq; do [ -d \"$a\" ] && say \"E $a\"; done; "                                  \
    "for s in slaves/*; do [ -h \"$p/$s\" ] || continue; "                                         \
    "if cd -P \"$p/$s\" 2>/dev/null; then say \"L ${s##*/} $PWD\"; "                               \
    "else say \"L ${s##*/} -\"; fi; done; "                                                        \
    "case $p in */ata[0-9]*/host*) q=${p%%/host*}; i=${q##*/ata}; "                                \
    "f=$q/link$i/ata_link/link$i/sata_spd; line \"$f\" && say \"X $f $v\";; esac; }; "

/* And of btrfs: B UUID NAME FOLDER. */
#define TREE                                                                                       \
    "tree() { set +f; for l in /sys/class/block/*; do device \"$l\"; done; "                       \
    "for l in /sys/fs/btrfs/*/devices/*; do cd -P \"$l\" 2>/dev/null || continue; "                \
    "u=${l#/sys/fs/btrfs/}; say \"B ${u%%/*} ${l##*/} $PWD\"; done; "                              \
    "cd /; set -f; say \"end $1\"; }; "

#define ORDERS                                                                                     \
    "line /proc/sys/kernel/random/boot_id; b=${v:--}; line /proc/uptime; "                         \
    "say \"" HELLO "$b ${v%% *}\"; set --; "                                                       \
    "while read -r what n rest; do case $what in "                                                 \
    "watch) set -- $rest;; "                                                                       \
    "take) take \"$n\" \"$@\";; "                                                                  \
    "date) say \"date $n $(date +%s.%N)\";; "                                                      \
    "path) look \"$n\" \"$rest\";; "                                                               \
    "mounts) text \"$n\" /proc/self/mountinfo;; "                                                  \
    "swaps) text \"$n\" /proc/swaps;; "                                                            \
    "tree) tree \"$n\";; "                                                                         \
    "*) exit 0;; esac; done"

const char *remote_command(void)
{
    return "exec sh -c '"
           "set -f; LC_ALL=C; export LC_ALL; "
           "say() { printf \"%s\\n\" \"$1\"; }; " LINE TAKE LOOK TEXT DEVICE TREE ORDERS "'";
}

/* Cuts the next word, which ends at a blank or the text's end, off *rest. False where there is none
 * or it is too long. */
static bool take_word(const char **rest, char word[WORD_MAX])
{
    const size_t len = strcspn(*rest, " ");

    if (len == 0 || len >= WORD_MAX)
        return false;
    memcpy(word, *rest, len);
    word[len] = '\0';
    *rest += len + ((*rest)[len] == ' ');
    return true;
}

static bool take_digits(const char **p, uint64_t *out, int *n_digits)
{
    uint64_t v = 0;
    int n = 0;

    for (; **p >= '0' && **p <= '9'; (*p)++, n++) {
        const uint64_t digit = (uint64_t)(**p - '0');

        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *out = v;
    *n_digits = n;
    return n > 0;
}

static bool parse_number(const char *text, uint64_t *out)
{
    int digits;

    return take_digits(&text, out, &digits) && *text == '\0';
}

/* Seconds with up to nine decimals; tick_ns is the last one's worth. */
static bool parse_seconds(const char *text, uint64_t *ns, uint64_t *tick_ns)
{
    uint64_t seconds;
    uint64_t part = 0;
    int digits = 0;

    if (!take_digits(&text, &seconds, &digits) || seconds > UINT64_MAX / 4 / NS_PER_S)
        return false;
    digits = 0;
    if (*text == '.' && text[1] >= '0' && text[1] <= '9') {
        text++;
        if (!take_digits(&text, &part, &digits) || digits > 9 || *text != '\0')
            return false;
    }
    *tick_ns = NS_PER_S;
    for (int i = 0; i < digits; i++)
        *tick_ns /= 10;
    *ns = seconds * NS_PER_S + part * *tick_ns;
    return true;
}

int remote_parse_hello(const char *line, struct remote_hello *out, struct err *err)
{
    const char *rest = line + strlen(HELLO);
    char boot[WORD_MAX];
    uint64_t uptime_ns;
    uint64_t tick_ns;

    if (strncmp(line, HELLO, strlen(HELLO)) != 0)
        return 0;
    if (!take_word(&rest, boot) || strlen(boot) >= sizeof(out->boot_id) ||
        !parse_seconds(rest, &uptime_ns, &tick_ns))
        return err_set(err, ERR_SURROUNDINGS,
                       "it has no clock in /proc/uptime: is it a Linux machine?");
    memcpy(out->boot_id, boot, strlen(boot) + 1);
    return 1;
}

/* The word and the number that every answer begins with. */
static bool take_head(const char **rest, const char *what, uint64_t *number)
{
    char word[WORD_MAX];

    return take_word(rest, word) && strcmp(word, what) == 0 && take_word(rest, word) &&
           parse_number(word, number);
}

static int odd_answer(const char *line, struct err *err)
{
    return err_set(err, ERR_SURROUNDINGS, "an answer that is none: \"%.40s\"", line);
}

static bool take_stats(const char *rest, size_t n, struct remote_take *out)
{
    for (out->n = 0; *rest == '|'; out->n++) {
        const size_t len = strcspn(++rest, "|");
        char *stat = NULL;

        if (out->n == n)
            return false;
        stat = xstrndup(rest, len);
        out->there[out->n] = diskstat_parse(stat, &out->stat[out->n], NULL) == 0;
        free(stat);
        rest += len;
    }
    return out->n == n && *rest == '\0';
}

int remote_parse_take(const char *line, size_t n, struct remote_take *out, struct err *err)
{
    const char *rest = line;
    char uptime[WORD_MAX];
    uint64_t tick_ns;
    size_t len;

    CHECK(n <= REMOTE_DEVICES_MAX);
    if (!take_head(&rest, "take", &out->number))
        return odd_answer(line, err);
    len = strcspn(rest, "|");
    if (len >= sizeof(uptime))
        return odd_answer(line, err);
    memcpy(uptime, rest, len);
    uptime[len] = '\0';
    if (!parse_seconds(uptime, &out->uptime_ns, &tick_ns) || tick_ns != REMOTE_UPTIME_TICK_NS ||
        !take_stats(rest + len, n, out))
        return odd_answer(line, err);
    return 0;
}

int remote_parse_date(const char *line, struct remote_date *out, struct err *err)
{
    const char *rest = line;

    if (!take_head(&rest, "date", &out->number) || !parse_seconds(rest, &out->ns, &out->tick_ns))
        return odd_answer(line, err);
    return 0;
}

static bool parse_hex(const char *text, uint32_t *out)
{
    char *end = NULL;
    const unsigned long v = strtoul(text, &end, 16);

    *out = (uint32_t)v;
    return end != text && *end == '\0' && v <= UINT32_MAX;
}

int remote_parse_path(const char *line, struct blockdev_path *out, struct err *err)
{
    const char *rest = line;
    char kind[WORD_MAX];
    char major[WORD_MAX];
    char minor[WORD_MAX];
    char mount[WORD_MAX];
    uint64_t number;

    memset(out, 0, sizeof(*out));
    if (!take_head(&rest, "path", &number) || !take_word(&rest, kind) || !take_word(&rest, major) ||
        !take_word(&rest, minor) || !take_word(&rest, mount) || !parse_hex(major, &out->major) ||
        !parse_hex(minor, &out->minor) || !parse_number(mount, &out->mount_id))
        return odd_answer(line, err);
    if (strcmp(kind, "none") == 0)
        return err_set(err, ERR_SURROUNDINGS, "%s: no such file or directory", rest);
    if (*rest != '/')
        return odd_answer(line, err);
    out->is_block = strcmp(kind, "block") == 0;
    out->canonical = xstrdup(rest);
    return 0;
}

bool remote_name_is_sane(const char *name)
{
    const size_t len = strlen(name);

    if (len == 0 || len > 64 || *name == '.' || *name == '-')
        return false;
    for (const char *c = name; *c != '\0'; c++) {
        if (*c <= ' ' || *c >= 0x7f || *c == '/' || *c == '|' || *c == '*' || *c == '?' ||
            *c == '[')
            return false;
    }
    return true;
}
