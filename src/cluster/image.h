/*
 * An image of the private server's data directory as it was after the load, and the way back: every
 * run that starts from it finds the same files, written in the same way. It lies in DIR/tpcc-run/
 * or in IMAGE/tpcc-run-image/, its home:
 *
 *   HOME/image/data/          the copy
 *   HOME/image/manifest.json  of what it is, and length and checksum of each file
 *
 * It is made under another name and gets its own when it is whole, on the drive and compared, so an
 * image that is there is complete. A restore first compares all of the image with the manifest;
 * then it notes itself in DIR/tpcc-run/RESTORE and takes the old files away. Who finds the note
 * makes the restore again. One thread.
 */
#ifndef CLUSTER_IMAGE_H
#define CLUSTER_IMAGE_H

#include "cluster/cluster.h"
#include "cluster/files.h"
#include "cluster/layout.h"

/* What tells images apart. */
struct image_of {
    int major; /* of the server */
    uint64_t warehouses;
    int64_t loaded_at_us;
};

/* What was found in a home. */
struct image_about {
    bool there;
    struct image_of of;
    uint64_t bytes;
    int64_t made_us;
};

struct image_wish {
    const struct layout *home;
    enum files_method method;
};

/* Of the last restore. */
struct image_restored {
    bool done;
    enum files_method method;
    uint64_t bytes;   /* of the image */
    uint64_t written; /* of them, by us; the rest is shared with the image */
    double seconds;   /* until the copy was on the drive and compared */
};

/* The home of DIR's images: image_dir, or NULL for DIR itself. layout_release() it. */
int image_home(struct layout *home, const char *drive_dir, const char *image_dir,
               struct err *err) MUST_CHECK;
/* One that can't be read, or whose manifest is not ours, is an error. */
int image_look(const struct layout *home, struct image_about *about, struct err *err) MUST_CHECK;
/* The dataset of the cluster in a layout by its note; false where it is not known. */
bool image_of_cluster(const struct layout *l, struct image_of *of);
bool image_is_of(const struct image_about *about, const struct image_of *of);

/* From the stopped server's files; an image that is there is replaced. */
int image_make(struct cluster *c, const struct image_wish *wish, struct err *err) MUST_CHECK;
/* Puts the stopped server's files back; nothing of them is cached afterwards. Where cluster_open()
 * has just done so after a restore that was cut off, that one counts. Of a damaged image
 * (ERR_CHECK_FAILED) nothing is put back, and the files that are there stay. */
int image_restore(struct cluster *c, const struct image_wish *wish, struct image_restored *done,
                  struct err *err) MUST_CHECK;
/* Takes the image of a home away, and all of a home that is not DIR/tpcc-run/. Harmless where there
 * is none. */
int image_remove(struct cluster *c, const struct layout *home, struct err *err) MUST_CHECK;

/* DIR/tpcc-run/RESTORE. Free image_dir; NULL: the image lies in DIR/tpcc-run/. */
struct restore_note {
    char *image_dir;
    enum files_method method;
    int major;
};
/* False where there is none; a broken one has major 0. */
bool restore_note_read(const struct layout *l, struct restore_note *note);
/* For cluster_open(): makes the restore again that was cut off. */
int image_restore_again(struct cluster *c, struct err *err) MUST_CHECK;

#endif
