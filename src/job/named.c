/*
 * Maps --device NAME by this machine's sysfs, --device HOST:NAME by a copy of that host's, which is
 * fetched once a host and thrown away when all are mapped. Main thread.
 */
#include "job/named.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "config/hostname.h"
#include "drive/blockdev_shared.h"
#include "drive/remote_view.h"
#include "drive/sampler.h"

_Static_assert(RESULT_REMOTES_MAX >= SAMPLER_HOSTS_MAX, "a result tells of all hosts");

/* The views of t->remotes, by their index; opened when first wanted. */
struct views {
    struct remote_view of[SAMPLER_HOSTS_MAX];
};

static bool is_stopped(void *ctx)
{
    return stop_level(ctx) > 0;
}

/* The index of the host's connection, made where there is none; -1: too many. */
static int remote_of(struct target *t, const char *device)
{
    const size_t len = hostname_length(device);
    struct remote_opts opts = {.clock = t->env->clock, .stopped = is_stopped, .ctx = t->env->stop};
    char *host = NULL;

    for (size_t i = 0; i < t->remotes.n; i++) {
        const char *known = remote_host(t->remotes.at[i]);

        if (strlen(known) == len && strncmp(known, device, len) == 0)
            return (int)i;
    }
    if (t->remotes.n == SAMPLER_HOSTS_MAX)
        return -1;
    host = xstrndup(device, len);
    log_line(t->env->log, LOG_INFO, "asking %s by ssh about its devices", host);
    opts.host = host;
    VEC_PUSH(&t->remotes, remote_new(&opts));
    free(host);
    return (int)t->remotes.n - 1;
}

static int map_elsewhere(struct target *t, struct views *views, const char *device,
                         struct drive_map *map, struct err *err)
{
    const int i = remote_of(t, device);
    struct remote_view *v = i >= 0 ? &views->of[i] : NULL;

    if (!v)
        return err_set(err, ERR_USAGE, "over %d hosts", SAMPLER_HOSTS_MAX);
    if (!v->remote && remote_view_open(t->remotes.at[i], v, err) < 0)
        return -1;
    if (blockdev_map_name(&v->probe, hostname_rest(device), map, err) < 0)
        return -1;
    t->shared_there |= blockdev_root_or_swap(&v->probe, map);
    return remote_view_watch(v, map, err);
}

static int map_here(const char *device, struct drive_map *map, struct err *err)
{
    struct fsroot root;
    int rc;

    fsroot_init(&root, "");
    const struct blockdev_probe probe = blockdev_probe_system(&root);

    rc = blockdev_map_name(&probe, hostname_rest(device), map, err);
    fsroot_release(&root);
    return rc;
}

static void complain(struct target *t, const char *device, enum err_kind kind, const char *why)
{
    if (t->bad_device)
        return;
    t->bad_device = xasprintf("--device %s: %s", device, why);
    t->bad_device_kind = kind;
}

void named_map(struct target *t)
{
    const struct settings *s = t->env->settings;
    const bool found = t->map.devices.n > 0;
    struct views views = {0};

    for (int i = 0; i < s->target.n_devices; i++) {
        const char *device = s->target.device[i];
        const bool elsewhere = hostname_is_elsewhere(device);
        struct drive_map named = {0};
        struct err err = {0};
        const int rc = elsewhere ? map_elsewhere(t, &views, device, &named, &err)
                                 : map_here(device, &named, &err);

        if (rc < 0)
            complain(t, device, elsewhere ? err.kind : ERR_USAGE, err.text);
        else if (named.reason)
            complain(t, device, ERR_USAGE, named.reason);
        for (size_t k = 0; rc == 0 && found && k < named.devices.n; k++) {
            if (named.devices.at[k].roles & DRIVE_FILESYSTEM)
                named.devices.at[k].roles ^= DRIVE_FILESYSTEM | DRIVE_NAMED;
        }
        if (rc == 0)
            drive_map_merge(&t->map, &named);
        drive_map_release(&named);
        t->mapped = t->map.devices.n > 0;
    }
    for (size_t i = 0; i < SAMPLER_HOSTS_MAX; i++)
        remote_view_close(&views.of[i]);
}

void named_ready(struct target *t)
{
    for (size_t i = 0; i < t->remotes.n; i++) {
        struct err err = {0};

        if (remote_ready(t->remotes.at[i], &err) < 0)
            log_line(t->env->log, LOG_WARN, "%s: its devices have no counters until it answers",
                     err.text);
    }
}

void named_release(struct target *t)
{
    for (size_t i = 0; i < t->remotes.n; i++)
        remote_free(t->remotes.at[i]);
    VEC_RELEASE(&t->remotes);
}
