/*
 * What a result says of where it came from: host, database, dataset, drive, workload.
 */
#ifndef JOB_RECORD_H
#define JOB_RECORD_H

#include "job/dataset.h"
#include "job/target.h"

/* Before the run; `s` may be NULL: then what the server would tell stays "none". */
void record_identity(const struct job_env *env, const struct plan *plan, struct result *r);
void record_drive(const struct target *t, struct result *r);
/* How full the file system is, once the dataset is there. */
void record_used(const struct target *t, struct result *r);
int record_database(const struct target *t, struct session *s, const struct plan *plan,
                    struct result *r, struct err *err) MUST_CHECK;
void record_dataset(const struct dataset_held *held, const struct plan *plan, struct result *r);
/* How the dataset was put back, where it was. */
void record_restore(const struct target *t, const struct dataset_held *held, struct result *r);
/* Names of the reported devices, in the order of r->drive.devices; they live as long as r. */
int record_device_names(const struct result *r, const char **names);

#endif
