/*
 * Copies what the steps found out into the result. No figure is made here.
 */
#include "job/record.h"

#include <stdlib.h>
#include <sys/statvfs.h>

#include "base/xalloc.h"
#include "db/conninfo.h"
#include "drive/blockdev_shared.h"
#include "drive/record.h"
#include "job/ask.h"
#include "prep/carry.h"

static const char *loop_name(enum pace_kind kind)
{
    switch (kind) {
    case PACE_THINK:
    case PACE_CYCLE:
        return "closed";
    case PACE_INTERARRIVAL:
        return "interarrival";
    case PACE_NONE:
        return "none";
    }
    UNREACHABLE();
}

void record_identity(const struct job_env *env, const struct plan *plan, struct result *r)
{
    const struct settings *s = env->settings;
    struct fsroot root;
    char now[32];

    clock_format_utc(clock_real_us(env->clock), now, sizeof(now));
    fsroot_init(&root, "");
    drive_record_host(&root, &r->host);
    fsroot_release(&root);
    r->kind = xstrdup("oltp");
    r->version = xstrdup(env->version);
    r->started = xstrdup(now);
    r->label = xstrdup_or_null(s->run.label);
    r->command = xstrdup_or_null(env->command);
    r->allow_unsafe = s->run.allow_unsafe;
    r->workload.name = xstrdup_or_null(s->workload.name);
    r->workload.delivery = xstrdup(plan->delivery_deferred ? "deferred" : "in line");
    r->workload.loop = xstrdup(loop_name(plan->pace.kind));
    r->workload.users = (int64_t)plan->users;
    r->workload.sessions = plan->sessions;
    r->workload.mean_cycle_s = plan->mean_cycle_s > 0 ? plan->mean_cycle_s : RESULT_NONE;
    r->workload.ceiling_tps = plan->ceiling_tps;
    if (plan->until_steady) {
        r->steadiness.precondition_planned_s = (double)plan->precondition_planned_ns / NS_PER_S;
        r->steadiness.precondition_bound_s = (double)plan->precondition_ns / NS_PER_S;
    }
    r->steadiness.round_s = (double)plan->round_ns / NS_PER_S;
}

static const char *path_of(const struct target *t)
{
    return t->drive_dir ? t->drive_dir : t->data_dir;
}

void record_used(const struct target *t, struct result *r)
{
    struct statvfs vfs;
    const char *path = path_of(t);

    if (path && statvfs(path, &vfs) == 0 && vfs.f_blocks > 0)
        r->drive.used_percent = 100.0 * (double)(vfs.f_blocks - vfs.f_bfree) / (double)vfs.f_blocks;
}

/* What stands on the same leaves as the database. */
static void record_shared(const struct target *t, const struct fsroot *root, struct result *r)
{
    const struct blockdev_probe probe = blockdev_probe_system(root);
    const unsigned here = t->mapped ? blockdev_root_or_swap(&probe, &t->map) : 0;
    const unsigned shared = here | t->shared_there;

    if (shared)
        r->drive.shared = xasprintf("%s%s%s", shared & BLOCKDEV_ROOT ? "/" : "",
                                    shared == (BLOCKDEV_ROOT | BLOCKDEV_SWAP) ? " and " : "",
                                    shared & BLOCKDEV_SWAP ? "swap" : "");
}

void record_drive(const struct target *t, struct result *r)
{
    struct fsroot root;

    fsroot_init(&root, "");
    r->drive.path = xstrdup_or_null(path_of(t));
    drive_record_filesystem(&t->map, &r->drive);
    record_shared(t, &root, r);
    r->drive.unseen = xstrdup_or_null(t->unseen);
    r->drive.why_none = t->mapped ? NULL : xstrdup_or_null(t->why_no_devices);
    if (t->mapped) {
        drive_record_devices(&root, &t->map, &r->drive);
        prep_carry(&root, t->env->settings->prep.state, &t->map, clock_real_us(t->env->clock),
                   &r->drive.prep);
    }
    fsroot_release(&root);
}

int record_device_names(const struct result *r, const char **names)
{
    for (size_t i = 0; i < r->drive.devices.n; i++)
        names[i] = r->drive.devices.at[i].name;
    return (int)r->drive.devices.n;
}

int record_database(const struct target *t, struct session *s, const struct plan *plan,
                    struct result *r, struct err *err)
{
    const struct db_about *about = session_about(s);
    const enum txn_way way = (enum txn_way)t->env->settings->run.transport;
    struct result_database *db = &r->database;
    char driver[64];
    struct rows rows;

    conninfo_driver_version(driver, sizeof(driver));
    db->kind = xstrdup(t->kind);
    db->driver = xstrdup(about ? about->driver : driver);
    db->transport = xstrdup(txn_way_name(way));
    for (int i = 0; i < RESULT_TXN_ROWS; i++) {
        const enum txn_type type = i < TXN_TYPES ? (enum txn_type)i : TXN_DELIVERY;

        if (i < TXN_TYPES || plan->delivery_deferred)
            db->round_trips[i] = txn_round_trips(way, type, session_caps(s) & DB_CAP_PIPELINE);
    }
    db->version = ask_text_at(s, t->dialect, "server_version", 1, err);
    if (!db->version)
        return -1;
    if (ask_i64(s, t->dialect, "server_buffer_bytes", &db->buffer_bytes, err) < 0)
        return -1;
    if (ask_rows(s, t->dialect, "server_settings", &rows, err) < 0)
        return -1;
    for (uint32_t i = 0; i < rows.part[0].n_rows; i++) {
        const struct result_setting setting = {
            .name = cell_dup(rows_cell(&rows.part[0], i, 0)),
            .value = cell_dup(rows_cell(&rows.part[0], i, 1)),
        };

        VEC_PUSH(&db->settings, setting);
    }
    return 0;
}

static void record_nurand(struct nurand_c c, int64_t out[3])
{
    out[0] = c.customer_last;
    out[1] = c.customer_id;
    out[2] = c.item_id;
}

void record_dataset(const struct dataset_held *held, const struct plan *plan, struct result *r)
{
    const struct manifest *m = &held->manifest;
    char at[32];

    r->dataset.warehouses = m->dataset.warehouses;
    r->dataset.seed = m->dataset.seed;
    record_nurand(m->dataset.c_load, r->dataset.c_load);
    record_nurand(plan->rules.c_run, r->dataset.c_run);
    if (m->loaded_at_us > 0) {
        clock_format_utc(m->loaded_at_us, at, sizeof(at));
        r->dataset.loaded_at = xstrdup(at);
    }
    r->dataset.load_seconds = m->load_seconds;
    r->dataset.runs_since_load = m->runs_since_load;
}

void record_restore(const struct target *t, const struct dataset_held *held, struct result *r)
{
    struct result_restore *out = &r->dataset.restore;

    if (!held->restored.done)
        return;
    out->method = xstrdup(files_method_name(held->restored.method));
    out->image = xstrdup(t->restore.home.dir);
    out->bytes = (int64_t)held->restored.bytes;
    out->bytes_written = (int64_t)held->restored.written;
    out->seconds = held->restored.seconds;
    out->rest_s = held->rest_s;
    out->same_device = t->restore.same_device;
}
