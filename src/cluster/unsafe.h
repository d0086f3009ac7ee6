/*
 * The text of the UNSAFE marker: for which boot of the machine and which device the files of an
 * unsafe load are good. What the load wrote may still be in this machine's memory only, so after
 * another boot, or on a device that was taken out and put back, it is worth nothing.
 */
#ifndef CLUSTER_UNSAFE_H
#define CLUSTER_UNSAFE_H

#include "base/err.h"
#include "base/fsroot.h"

/* Two markers of the same text are of the same boot and device. free() it; NULL and err where the
 * machine does not tell its boot. */
char *unsafe_mark(const struct fsroot *root, const char *path, struct err *err);

#endif
