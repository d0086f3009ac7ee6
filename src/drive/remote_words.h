/*
 * What is spoken with another host over its ssh connection: the program that its shell runs there,
 * and its answers taken apart. Pure; foreign text is believed only after a look.
 *
 * We send a line, it answers with lines; N is a number of ours that the answer repeats.
 *   hello (unasked)      tpcc-run-remote 1 BOOT-ID UPTIME
 *   watch N NAME...      the devices that `take` reads from now on; no answer
 *   take N               take N UPTIME|STAT|STAT...     in the order of `watch`; "-": not there
 *   date N               date N SECONDS.NANOSECONDS
 *   path N PATH          path N KIND MAJOR MINOR MOUNT-ID CANONICAL
 *                        KIND: block (numbers in hex), other, none; MOUNT-ID: 0 is not known
 *   mounts N, swaps N    the file's lines behind "=", then: end N
 *   tree N               what stands in sysfs of block devices (drive/remote_tree.h), then: end N
 */
#ifndef DRIVE_REMOTE_WORDS_H
#define DRIVE_REMOTE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "drive/blockdev_probe.h"
#include "drive/diskstat.h"

#define REMOTE_DEVICES_MAX 128
#define REMOTE_BOOT_ID_SIZE 40
#define REMOTE_UPTIME_TICK_NS UINT64_C(10000000) /* /proc/uptime has hundredths */

/* The command for the host: a script for its POSIX shell that any login shell can start. Constant:
 * nothing of ours or the user's is put into it. */
const char *remote_command(void);

struct remote_hello {
    char boot_id[REMOTE_BOOT_ID_SIZE];
};
/* 1: it is the hello; 0: another line (a login shell's greeting); -1: it is, and is wrong. */
int remote_parse_hello(const char *line, struct remote_hello *out, struct err *err) MUST_CHECK;

/* One `take`. there: false where the device is not, or what it says is no stat line. */
struct remote_take {
    uint64_t number;
    uint64_t uptime_ns;
    size_t n;
    bool there[REMOTE_DEVICES_MAX];
    struct diskstat stat[REMOTE_DEVICES_MAX];
};
/* Wants n devices. */
int remote_parse_take(const char *line, size_t n, struct remote_take *out,
                      struct err *err) MUST_CHECK;

/* `ns` since 1970 there; tick_ns: how exact it is (a `date` without %N knows seconds). */
struct remote_date {
    uint64_t number, ns, tick_ns;
};
int remote_parse_date(const char *line, struct remote_date *out, struct err *err) MUST_CHECK;

/* Fills all but btrfs's UUID, which a shell can't ask for. */
int remote_parse_path(const char *line, struct blockdev_path *out, struct err *err) MUST_CHECK;

/* A device's name that may be sent in `watch`: no blanks, no path. */
bool remote_name_is_sane(const char *name) MUST_CHECK;

#endif
