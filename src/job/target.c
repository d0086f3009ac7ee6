/*
 * Finds out what is there before anything is planned (look), and later makes the target run. A
 * private server is owned here from target_take() to target_release(); a server that is not ours
 * is only connected to. Main thread.
 */
#include "job/target.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "db/conninfo.h"
#include "drive/host.h"
#include "drive/inventory.h"
#include "job/ask.h"
#include "job/named.h"
#include "job/places.h"

#define PG_VERSION_OLDEST 140000
#define SMALL_TEXT 64

static struct fsroot machine_root(void)
{
    struct fsroot root;

    fsroot_init(&root, "");
    return root;
}

/* How the private server's memory could be limited. */
static void read_limiter(struct target *t)
{
    struct err err = {0};

    t->facts.memory_limiter = cluster_memory_expect(&err);
    if (!t->facts.memory_limiter)
        t->facts.memory_unlimited = t->why_unlimited = xstrdup(err.text);
}

static void read_host(struct target *t)
{
    struct fsroot root = machine_root();
    struct host_info host;

    host_read(&root, &host);
    t->facts.memory_bytes = host.memory_bytes > 0 ? (uint64_t)host.memory_bytes : 0;
    t->facts.huge_free_bytes = (uint64_t)host.huge_free_bytes;
    t->facts.cpus = host.cpus > 0 ? (int)host.cpus : 1;
    host_release(&host);
    fsroot_release(&root);
}

/* Maps a directory to devices; not finding any is no error, only said. */
static void map_devices(struct target *t, const char *path)
{
    struct fsroot root = machine_root();
    const struct blockdev_probe probe = blockdev_probe_system(&root);
    struct err err = {0};
    const int rc = blockdev_map(&probe, path, &t->map, &err);

    if (rc < 0)
        t->why_no_devices = xstrdup(err.text);
    else if (t->map.reason)
        t->why_no_devices = xstrdup(t->map.reason);
    t->mapped = rc == 0 && !t->map.reason;
    drive_map_hold(&t->map, "data");
    fsroot_release(&root);
}

static void read_space(struct target *t, const char *path)
{
    struct statvfs vfs;

    if (statvfs(path, &vfs) < 0)
        return;
    t->facts.fs_size_bytes = (uint64_t)vfs.f_blocks * vfs.f_frsize;
    t->facts.fs_free_bytes = (uint64_t)vfs.f_bavail * vfs.f_frsize;
}

static void add_private_places(struct target *t)
{
    char *data_dir = xasprintf("%s/tpcc-run/data", t->drive_dir);

    places_add(t, data_dir, NULL);
    free(data_dir);
}

static int open_drive(struct target *t, struct err *err)
{
    const struct settings *s = t->env->settings;
    const char *dir = s->target.drive ? s->target.drive : ".";

    t->is_private = true;
    t->local = true;
    t->drive_given = s->target.drive != NULL;
    t->facts.private_server = true;
    t->facts.free_connections = -1;
    t->drive_dir = realpath(dir, NULL);
    if (!t->drive_dir)
        return err_set(err, ERR_USAGE, "--drive %s: no such directory (make it, or name another)",
                       dir);
    t->cluster_opts = (struct cluster_opts){
        .drive_dir = t->drive_dir,
        .server_user = s->server.user,
        .bin_dir = s->server.bin_dir,
        .recovery_timeout_ns = s->server.recovery_timeout_ns,
        .config_file = t->env->server_conf,
        .for_removal = s->load.remove,
        .rebuild = s->load.rebuild,
        .clock = t->env->clock,
        .log = t->env->log,
        .stop = t->env->stop,
        .on_progress = t->env->ui ? t->env->ui->progress : NULL,
        .ctx = t->env->ui ? t->env->ui->ctx : NULL,
    };
    if (cluster_look(&t->cluster_opts, &t->look, err) < 0)
        return -1;
    t->facts.dataset_warehouses = t->look.dataset_warehouses;
    t->facts.dataset_complete = t->look.dataset_complete;
    t->facts.dataset_bytes = t->look.exists ? t->look.bytes : 0;
    read_limiter(t);
    read_space(t, t->drive_dir);
    map_devices(t, t->drive_dir);
    if (t->look.exists)
        add_private_places(t);
    named_map(t);
    return restore_look(t, err);
}

/* Version, rights, room and the dataset of a server that runs already. */
static int look_at_server(struct target *t, struct session *s, struct err *err)
{
    int64_t version = 0;

    if (ask_i64(s, t->dialect, "server_version", &version, err) < 0)
        return -1;
    if (strcmp(t->kind, "postgresql") == 0 && version < PG_VERSION_OLDEST)
        return err_set(err, ERR_SURROUNDINGS, "the server is PostgreSQL %s; 14 or newer is needed",
                       t->server_version);
    if (ask_i64(s, t->dialect, "server_free_connections", &t->facts.free_connections, err) < 0)
        return -1;
    if (manifest_read(s, t->dialect, &t->manifest, err) < 0)
        return -1;
    if (t->manifest.state == DATASET_PARTIAL || t->manifest.state == DATASET_COMPLETE) {
        t->facts.dataset_warehouses = (uint64_t)t->manifest.dataset.warehouses;
        t->facts.dataset_complete = t->manifest.state == DATASET_COMPLETE;
        if (t->facts.dataset_complete)
            t->facts.warehouse_load_s =
                t->manifest.load_seconds / (double)t->manifest.dataset.warehouses;
        if (dataset_bytes(s, t->dialect, &t->dataset_bytes, err) < 0)
            return -1;
        t->facts.dataset_bytes = (uint64_t)t->dataset_bytes;
    }
    if (t->local) {
        t->data_dir = ask_text(s, t->dialect, "server_data_directory", NULL);
        if (t->data_dir && access(t->data_dir, F_OK) != 0) {
            free(t->data_dir);
            t->data_dir = NULL;
        }
    }
    return 0;
}

static void find_server_devices(struct target *t, struct session *session)
{
    const struct settings *s = t->env->settings;

    if (s->target.n_devices > 0) {
        named_map(t);
        return;
    }
    if (t->why_no_devices)
        return;
    if (!t->local)
        t->why_no_devices =
            xstrdup("the server is on another machine: name its drive with --device "
                    "HOST:NAME, HOST as ssh knows it");
    else if (!t->data_dir)
        t->why_no_devices = xstrdup("the server does not tell us its data directory (its superuser "
                                    "may); name the device with --device NAME");
    else {
        map_devices(t, t->data_dir);
        places_add(t, t->data_dir, session);
        read_space(t, t->data_dir);
    }
}

static int resolve_pg(struct target *t, struct err *err)
{
    struct conninfo_place place = {0};

    t->conninfo = conninfo_resolve(t->env->settings->target.pg, &place, err);
    t->local = place.local;
    free(place.host);
    return t->conninfo ? 0 : -1;
}

static int open_server(struct target *t, struct err *err)
{
    struct session *s = NULL;
    int rc = -1;

    t->facts.free_connections = -1;
    if ((t->env->settings->target.odbc ? target_open_odbc(t, err) : resolve_pg(t, err)) < 0)
        goto out;
    s = target_connect(t, err);
    if (!s)
        goto out;
    t->server_version = ask_text_at(s, t->dialect, "server_version", 1, err);
    if (!t->server_version || look_at_server(t, s, err) < 0)
        goto out;
    find_server_devices(t, s);
    rc = 0;
out:
    session_free(s);
    return rc;
}

void target_foresee(struct target *t, const struct job_env *env, const struct job_place *place)
{
    *t = (struct target){.env = env, .is_private = true, .local = true, .drive_given = true};
    read_host(t);
    read_limiter(t);
    t->facts.private_server = true;
    t->facts.free_connections = -1;
    t->facts.fs_size_bytes = place->size_bytes;
    t->facts.fs_free_bytes = place->free_bytes;
    t->facts.command = env->command_base;
}

int target_open(struct target *t, const struct job_env *env, struct err *err)
{
    *t = (struct target){.env = env, .ops = db_find("pq"), .kind = "postgresql"};
    CHECK(t->ops != NULL);
    read_host(t);
    if (env->settings->target.odbc)
        return open_server(t, err);
    t->dialect = dialect_read(env->schema_dir, err);
    if (!t->dialect)
        return -1;
    return env->settings->target.pg ? open_server(t, err) : open_drive(t, err);
}

void target_release(struct target *t)
{
    struct err err = {0};

    if (t->cluster && cluster_alive(t->cluster)) {
        const bool keep = t->env->settings->server.keep_running;
        const int rc = keep ? cluster_keep(t->cluster, &err) : cluster_stop(t->cluster, &err);

        if (rc < 0)
            log_line(t->env->log, LOG_ERROR, "private server: %s", err.text);
        else if (keep)
            log_line(t->env->log, LOG_ASKED, "the private server goes on: psql '%s'",
                     cluster_conninfo(t->cluster));
    }
    cluster_free(t->cluster);
    t->cluster = NULL;
    restore_release(&t->restore);
    dialect_free(t->dialect);
    drive_map_release(&t->map);
    named_release(t);
    free(t->drive_dir);
    free(t->conninfo);
    free(t->server_version);
    free(t->data_dir);
    free(t->why_no_devices);
    free(t->unseen);
    free(t->why_unlimited);
    free(t->bad_device);
    *t = (struct target){0};
}

struct db_config target_db(const struct target *t)
{
    return (struct db_config){
        .conninfo = t->conninfo,
        .application_name = t->env->program,
        .clock = t->env->clock,
        .dialect = t->dialect,
    };
}

struct session *target_connect(const struct target *t, struct err *err)
{
    const struct db_config db = target_db(t);
    struct session *s = session_connect(t->ops, &db, 0, err);

    if (!s)
        err_wrap(err, "%s", t->is_private ? "private server" : "database");
    return s;
}

int target_take(struct target *t, struct err *err)
{
    if (!t->is_private || t->cluster)
        return 0;
    t->cluster = cluster_open(&t->cluster_opts, err);
    return t->cluster ? 0 : -1;
}

int target_up(struct target *t, const struct plan *plan, bool unsafe, struct err *err)
{
    const struct cluster_settings settings = {
        .buffer_bytes = plan->buffer_bytes,
        .checkpoint_timeout_s = plan->checkpoint_timeout_s,
        .max_wal_bytes = plan->max_wal_bytes,
        .max_connections = plan->sessions + plan->loaders + 16,
        .memory_limit_bytes = plan->memory.limit,
        .fresh = t->measured,
    };

    if (!t->is_private)
        return 0;
    const int rc = unsafe ? cluster_start_unsafe(t->cluster, &settings, err)
                          : cluster_start(t->cluster, &settings, err);
    if (rc < 0)
        return -1;
    free(t->conninfo);
    t->conninfo = xstrdup(cluster_conninfo(t->cluster));
    free(t->data_dir);
    t->data_dir = xstrdup(cluster_data_dir(t->cluster));
    return 0;
}

void target_look_again(struct target *t, const struct plan *plan)
{
    t->facts.dataset_warehouses = (uint64_t)plan->dataset.warehouses;
    t->facts.dataset_complete = true;
    t->look.exists = true;
    t->look.dataset_warehouses = (uint64_t)plan->dataset.warehouses;
    t->look.dataset_complete = true;
    t->look.unsafe = false;
    t->look.discards = false;
    t->facts.runs = 0;
    if (t->facts.fs_size_bytes > 0)
        read_space(t, t->drive_dir ? t->drive_dir : t->data_dir);
}

void target_memory(const struct target *t, struct result *r)
{
    struct cluster_memory m;

    if (!t->cluster)
        return;
    cluster_memory(t->cluster, &m);
    free(r->database.memory_limit_by);
    free(r->database.memory_unlimited);
    r->database.memory_limit_by = m.how ? xstrdup(m.how) : NULL;
    r->database.memory_unlimited = m.why_none ? xstrdup(m.why_none) : NULL;
    r->database.memory_limit_bytes = m.limit_bytes ? (int64_t)m.limit_bytes : -1;
    r->dataset.cached_bytes = m.cached_bytes;
    r->run.oom_kills = m.kills;
}

int target_end_unsafe(struct target *t, struct err *err)
{
    return t->is_private ? cluster_end_unsafe(t->cluster, err) : 0;
}

/* "sdb (filesystem: WAL, 1.8 TB, model)"; what it holds only where there are several to tell apart.
 */
static void add_device_line(const struct fsroot *root, const struct drive_device *d, bool several,
                            struct strbuf *out)
{
    struct inventory inv;
    char size[SMALL_TEXT] = "?";

    inventory_of(root, d, &inv);
    if (inv.size_bytes > 0)
        units_format_bytes((uint64_t)inv.size_bytes, size, sizeof(size));
    strbuf_addf(out, "%s%s (%s%s%s, %s%s%s)", out->len ? "; " : "", d->name,
                drive_role_name(d->roles), several && d->holds ? ": " : "",
                several && d->holds ? d->holds : "", size, inv.model ? ", " : "",
                inv.model ? inv.model : "");
    inventory_release(&inv);
}

char *target_device_line(const struct target *t)
{
    struct fsroot root = machine_root();
    struct strbuf out;
    size_t file_systems = 0;

    strbuf_init(&out);
    if (!t->mapped)
        strbuf_addf(&out, "no counters: %s", t->why_no_devices ? t->why_no_devices : "not known");
    for (size_t i = 0; t->mapped && i < t->map.devices.n; i++)
        file_systems += (t->map.devices.at[i].roles & DRIVE_FILESYSTEM) != 0;
    for (size_t i = 0; t->mapped && i < t->map.devices.n; i++) {
        if (drive_device_reported(&t->map.devices.at[i]))
            add_device_line(&root, &t->map.devices.at[i], file_systems > 1, &out);
    }
    if (t->unseen)
        strbuf_addf(&out, "; not seen: %s", t->unseen);
    fsroot_release(&root);
    return strbuf_detach(&out);
}
