/*
 * Whose I/O it was that the drive did in the sample: what its counters say, held against what the
 * kernel's account of the server's processes says (result_server's io_read and io_write_mib_per_s).
 * Pure.
 *
 * Reads are accounted where they are asked for, so what is left over is somebody else's. Writes are
 * accounted when a page becomes dirty: the drive gets them later, and the file system's journal and
 * metadata are in nobody's account. So `least` leaves out what may be of that kind, and what was
 * dirty when the sample began; on a file system that writes all in another place (btrfs and the
 * like) nothing is said of writes.
 *
 * Limit: a kernel that keeps files in large pages accounts the whole of one for a part that was
 * made dirty. Then more is accounted as ours than the drive gets, up to twice as much where all
 * sessions commit without a pause, and others' writes of that size are not noticed. Reads always
 * are.
 */
#ifndef RESULT_FOREIGN_H
#define RESULT_FOREIGN_H

#include "result/result.h"

struct foreign {
    double drive_mib_per_s; /* what the drive moved; of a partition that of its whole disk */
    double ours_mib_per_s;  /* what the server and this program moved, on any drive; with several
                               targets at once also the servers of others on this drive */
    double least_mib_per_s; /* of others, at least */
    double least_percent;   /* of drive_mib_per_s */
};

/* False: one of the two sides is not known. */
bool foreign_find(const struct result *r, struct foreign *f);
/* Whether what a server on the other's devices moves is among what r's drive moved. Of `other` only
 * the names of its devices are looked at. */
bool foreign_is_beside(const struct result *r, const struct result *other);

#endif
