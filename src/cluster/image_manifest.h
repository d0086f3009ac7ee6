/*
 * manifest.json of an image: what it is of, and every file of it with length and checksum. Pure but
 * for reading the file.
 */
#ifndef CLUSTER_IMAGE_MANIFEST_H
#define CLUSTER_IMAGE_MANIFEST_H

#include "cluster/image.h"

/* free() it. */
char *image_manifest_format(const struct image_about *about, const struct files *files);
/* files_release() it, also after a failure. Paths that lead out of the image are an error. */
int image_manifest_read(const char *path, struct image_about *about, struct files *files,
                        struct err *err) MUST_CHECK;

#endif
