/*
 * From drive/host, drive/inventory and drive/diskstat to the document (see the header).
 */
#include "drive/record.h"

#include "base/xalloc.h"
#include "drive/host.h"
#include "drive/inventory.h"

void drive_record_host(const struct fsroot *root, struct result_host *out)
{
    struct host_info info;

    host_read(root, &info);
    out->name = xstrdup_or_null(info.name);
    out->kernel = xstrdup_or_null(info.kernel);
    out->cpu_model = xstrdup_or_null(info.cpu_model);
    out->governor = xstrdup_or_null(info.governor);
    out->cpus = info.cpus > 0 ? info.cpus : -1;
    out->memory_bytes = info.memory_bytes > 0 ? info.memory_bytes : -1;
    host_release(&info);
}

static struct result_device device_of(const struct fsroot *root, const struct drive_map *map,
                                      size_t i)
{
    const struct drive_device *d = &map->devices.at[i];
    struct result_device out = {.rotational = -1, .size_bytes = -1};
    struct inventory inv;

    inventory_of(root, d, &inv);
    out.name = xstrdup(d->name);
    out.role = xstrdup(drive_role_name(d->roles));
    out.holds = xstrdup_or_null(d->holds);
    out.summed = drive_map_summed(map, i);
    out.model = xstrdup_or_null(inv.model);
    out.firmware = xstrdup_or_null(inv.firmware);
    out.scheduler = xstrdup_or_null(inv.scheduler);
    out.write_cache = xstrdup_or_null(inv.write_cache);
    out.link = xstrdup_or_null(inv.link);
    out.rotational = inv.rotational;
    if (inv.size_bytes > 0)
        out.size_bytes = inv.size_bytes;
    inventory_release(&inv);
    return out;
}

void drive_record_filesystem(const struct drive_map *map, struct result_drive *out)
{
    out->filesystem = xstrdup_or_null(map->fs_type);
    out->mount_options = xstrdup_or_null(map->mount_options);
    out->how_found = xstrdup_or_null(map->how_found);
}

void drive_record_devices(const struct fsroot *root, const struct drive_map *map,
                          struct result_drive *out)
{
    for (size_t i = 0; i < map->devices.n && out->devices.n < RESULT_DEVICES_MAX; i++) {
        if (drive_device_reported(&map->devices.at[i]))
            VEC_PUSH(&out->devices, device_of(root, map, i));
    }
}

struct result_rates drive_record_rates(const struct disk_delta *d)
{
    struct disk_rates rates;

    if (d->ns == 0)
        return result_rates_none();
    disk_rates_of(d, &rates);
    return (struct result_rates){
        .reads_per_s = rates.reads_per_s,
        .writes_per_s = rates.writes_per_s,
        .flushes_per_s = rates.flushes_per_s,
        .read_mib_per_s = rates.read_mib_per_s,
        .write_mib_per_s = rates.write_mib_per_s,
        .read_await_ms = rates.read_await_ms,
        .write_await_ms = rates.write_await_ms,
        .flush_await_ms = rates.flush_await_ms,
        .queue = rates.queue,
        .busy_percent = rates.busy_percent,
    };
}

static double ms_of(uint64_t ns)
{
    return (double)ns / (double)NS_PER_MS;
}

void drive_record_remote(const struct remote *remote, uint64_t go_ns, struct result_drive *out)
{
    const struct remote_stats s = remote_stats(remote);
    const char *reason = remote_reason(remote);
    const struct result_remote of = {
        .host = xstrdup(remote_host(remote)),
        .clock_ahead_ms = s.wall.known ? (double)s.wall.ahead_ns / (double)NS_PER_MS : RESULT_NONE,
        .clock_error_ms = s.wall.known ? ms_of(s.wall.error_ns) : RESULT_NONE,
        .round_trip_ms = s.round_trip_ns ? ms_of(s.round_trip_ns) : RESULT_NONE,
        .reading_error_ms = s.answered ? ms_of(s.reading_error_ns) : RESULT_NONE,
        .asked = (int64_t)s.asked,
        .answered = (int64_t)s.answered,
        .losses = (int64_t)s.losses,
        .lost_at_s = s.lost_ns > go_ns ? ms_of(s.lost_ns - go_ns) / 1000 : RESULT_NONE,
        .reason = *reason ? xstrdup(reason) : NULL,
    };

    VEC_PUSH(&out->remotes, of);
}
