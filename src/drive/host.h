/* The machine that a run takes place on. NULL, 0: not known. */
#ifndef DRIVE_HOST_H
#define DRIVE_HOST_H

#include <stdint.h>

#include "base/fsroot.h"

struct host_info {
    char *name;   /* host name */
    char *kernel; /* release: "6.1.0-28-amd64" */
    char *os;     /* "Debian GNU/Linux 12 (bookworm)" */
    char *cpu_model;
    char *governor; /* of the first core: "performance"; NULL: none, as in a virtual machine */
    int64_t cpus;   /* that /proc/cpuinfo lists */
    int64_t memory_bytes;
    int64_t huge_free_bytes; /* in huge pages that nobody uses */
};

/* Never fails. */
void host_read(const struct fsroot *root, struct host_info *out);
void host_release(struct host_info *h);

#endif
