/*
 * The devices that --device names, of this machine and of others.
 */
#ifndef JOB_NAMED_H
#define JOB_NAMED_H

#include "job/target.h"

/* Adds each with what is below it to t->map, behind what the path led to. Where that led somewhere,
 * it is what the data is on, and the named ones are only watched. What can't be found is said in
 * t->bad_device. Connects to other hosts, which are t->remotes from then on. */
void named_map(struct target *t);
/* Before the run: the connections may have stood idle for hours. One that can't be made again is
 * said, and tried again along the run. */
void named_ready(struct target *t);
void named_release(struct target *t);

#endif
