/*
 * The tables of result.json's members. A figure is added to the document by its member in result.h
 * and its row here; nothing else writes or reads it.
 */
#include "result/result_fields.h"

#include "result/result.h"

#define TEXT(T, m)                                                                                 \
    {                                                                                              \
#m, JSON_TEXT, offsetof(struct T, m)                                                       \
    }
#define FIGURE(T, m)                                                                               \
    {                                                                                              \
#m, JSON_FIGURE, offsetof(struct T, m)                                                     \
    }
#define FIGURE_AS(key, T, m)                                                                       \
    {                                                                                              \
        key, JSON_FIGURE, offsetof(struct T, m)                                                    \
    }
#define LEVEL(T, m)                                                                                \
    {                                                                                              \
#m, JSON_LEVEL, offsetof(struct T, m)                                                      \
    }
#define WHOLE(T, m)                                                                                \
    {                                                                                              \
#m, JSON_WHOLE, offsetof(struct T, m)                                                      \
    }
#define COUNT(T, m)                                                                                \
    {                                                                                              \
#m, JSON_COUNT, offsetof(struct T, m)                                                      \
    }
#define MAYBE(T, m)                                                                                \
    {                                                                                              \
#m, JSON_MAYBE, offsetof(struct T, m)                                                      \
    }

static const struct json_field result_table[] = {
    TEXT(result, kind),  TEXT(result, version), TEXT(result, started),
    TEXT(result, ended), TEXT(result, label),   TEXT(result, command),
};

static const struct json_field reason_table[] = {
    TEXT(verdict_reason, text),
    LEVEL(verdict_reason, value),
    LEVEL(verdict_reason, limit),
    TEXT(verdict_reason, advice),
};

static const struct json_field host_table[] = {
    TEXT(result_host, name),      TEXT(result_host, kernel),   WHOLE(result_host, cpus),
    TEXT(result_host, cpu_model), TEXT(result_host, governor), WHOLE(result_host, memory_bytes),
};

static const struct json_field database_table[] = {
    TEXT(result_database, kind),
    TEXT(result_database, version),
    TEXT(result_database, driver),
    TEXT(result_database, transport),
    WHOLE(result_database, buffer_bytes),
    WHOLE(result_database, memory_limit_bytes),
    TEXT(result_database, memory_limit_by),
    TEXT(result_database, memory_unlimited),
};

static const struct json_field dataset_table[] = {
    WHOLE(result_dataset, warehouses),    WHOLE(result_dataset, bytes_before),
    WHOLE(result_dataset, bytes_after),   WHOLE(result_dataset, cached_bytes),
    COUNT(result_dataset, seed),          TEXT(result_dataset, loaded_at),
    FIGURE(result_dataset, load_seconds), WHOLE(result_dataset, runs_since_load),
};

static const struct json_field restore_table[] = {
    TEXT(result_restore, method),       TEXT(result_restore, image),
    WHOLE(result_restore, bytes),       WHOLE(result_restore, bytes_written),
    FIGURE(result_restore, seconds),    FIGURE(result_restore, rest_s),
    MAYBE(result_restore, same_device),
};

static const struct json_field constants_table[] = {
    {"c_last", JSON_WHOLE, 0},
    {"c_id", JSON_WHOLE, sizeof(int64_t)},
    {"ol_i_id", JSON_WHOLE, 2 * sizeof(int64_t)},
};

static const struct json_field drive_table[] = {
    TEXT(result_drive, path),          TEXT(result_drive, filesystem),
    TEXT(result_drive, mount_options), FIGURE(result_drive, used_percent),
    TEXT(result_drive, how_found),     TEXT(result_drive, why_none),
    TEXT(result_drive, unseen),        TEXT(result_drive, shared),
};

static const struct json_field prep_table[] = {
    TEXT(prep_record, id),
    TEXT(prep_record, started),
    TEXT(prep_record, ended),
    LEVEL(prep_record, age_s),
    TEXT(prep_record, purpose),
    TEXT(prep_record, erase),
    TEXT(prep_record, erase_note),
    WHOLE(prep_record, erased_bytes),
    FIGURE(prep_record, erase_seconds),
    FIGURE(prep_record, zero_percent),
    WHOLE(prep_record, filled_bytes),
    FIGURE(prep_record, fill_seconds),
    WHOLE(prep_record, sampled_blocks),
    WHOLE(prep_record, sampled_good),
    WHOLE(prep_record, partition_bytes),
    TEXT(prep_record, filesystem),
    TEXT(prep_record, mount_point),
    WHOLE(prep_record, interruptions),
};

static const struct json_field device_table[] = {
    TEXT(result_device, name),
    TEXT(result_device, role),
    TEXT(result_device, model),
    TEXT(result_device, firmware),
    WHOLE(result_device, size_bytes),
    WHOLE(result_device, rotational),
    TEXT(result_device, scheduler),
    TEXT(result_device, write_cache),
    TEXT(result_device, link),
    TEXT(result_device, holds),
    {"summed", JSON_YES, offsetof(struct result_device, summed)},
};

static const struct json_field remote_table[] = {
    TEXT(result_remote, host),
    LEVEL(result_remote, clock_ahead_ms),
    FIGURE(result_remote, clock_error_ms),
    FIGURE(result_remote, round_trip_ms),
    FIGURE(result_remote, reading_error_ms),
    WHOLE(result_remote, asked),
    WHOLE(result_remote, answered),
    WHOLE(result_remote, losses),
    LEVEL(result_remote, lost_at_s),
    TEXT(result_remote, reason),
};

static const struct json_field workload_table[] = {
    TEXT(result_workload, name),          WHOLE(result_workload, users),
    WHOLE(result_workload, sessions),     FIGURE(result_workload, mean_cycle_s),
    FIGURE(result_workload, ceiling_tps), TEXT(result_workload, delivery),
    TEXT(result_workload, loop),
};

static const struct json_field phase_table[] = {
    TEXT(result_phase, name),
    FIGURE(result_phase, start_s),
    FIGURE(result_phase, end_s),
};

static const struct json_field sample_table[] = {
    FIGURE(result_sample, seconds),
    FIGURE(result_sample, planned_seconds),
    WHOLE(result_sample, transactions),
    FIGURE(result_sample, tps),
    FIGURE(result_sample, tps_percent_of_ceiling),
    FIGURE(result_sample, nopm),
    WHOLE(result_sample, unfinished),
    WHOLE(result_sample, in_doubt_not_committed),
    FIGURE(result_sample, devices_missing_percent),
};

static const struct json_field summary_table[] = {
    FIGURE(summary, avg), FIGURE(summary, p50),  FIGURE(summary, p90), FIGURE(summary, p95),
    FIGURE(summary, p99), FIGURE(summary, p999), FIGURE(summary, max),
};

static const struct json_field txn_table[] = {
    WHOLE(result_txn, count),     FIGURE(result_txn, percent),     FIGURE(result_txn, tps),
    FIGURE(result_txn, limit_ms), MAYBE(result_txn, within_limit),
};

static const struct json_field counters_table[] = {
    COUNT(counters, started),  COUNT(counters, committed), COUNT(counters, rolled_back),
    COUNT(counters, retried),  COUNT(counters, retries),   COUNT(counters, failed),
    COUNT(counters, in_doubt),
};

static const struct json_field rates_table[] = {
    FIGURE(result_rates, reads_per_s),     FIGURE(result_rates, writes_per_s),
    FIGURE(result_rates, flushes_per_s),   FIGURE(result_rates, read_mib_per_s),
    FIGURE(result_rates, write_mib_per_s), FIGURE(result_rates, read_await_ms),
    FIGURE(result_rates, write_await_ms),  FIGURE(result_rates, flush_await_ms),
    FIGURE(result_rates, queue),           FIGURE(result_rates, busy_percent),
};

static const struct json_field per_txn_table[] = {
    FIGURE_AS("reads", result_sample, reads_per_txn),
    FIGURE_AS("writes", result_sample, writes_per_txn),
    FIGURE_AS("flushes", result_sample, flushes_per_txn),
    FIGURE_AS("read_kib", result_sample, read_kib_per_txn),
    FIGURE_AS("write_kib", result_sample, write_kib_per_txn),
};

static const struct json_field server_table[] = {
    FIGURE(result_server, commit_ms),
    FIGURE(result_server, commits_per_flush),
    FIGURE(result_server, wal_kib_per_transaction),
    FIGURE(result_server, full_page_percent),
    FIGURE(result_server, cache_hit_percent),
    FIGURE(result_server, page_reads_per_s),
    FIGURE(result_server, cpu_ms_per_transaction),
    FIGURE(result_server, cpu_percent),
    FIGURE(result_server, longest_silence_ms),
    FIGURE(result_server, active),
    FIGURE(result_server, io_read_mib_per_s),
    FIGURE(result_server, io_write_mib_per_s),
    FIGURE(result_server, host_cpu_percent),
    FIGURE(result_server, psi_cpu_percent),
    FIGURE(result_server, psi_io_percent),
    FIGURE(result_server, psi_memory_percent),
};

_Static_assert(ARRAY_LEN(server_table) + WAIT_CLASSES ==
                   sizeof(struct result_server) / sizeof(double),
               "all of them");

#define WAIT(key, c)                                                                               \
    {                                                                                              \
        key, JSON_FIGURE, offsetof(struct result_server, wait_percent) + (c) * sizeof(double)      \
    }

static const struct json_field waits_table[] = {
    WAIT("read", WAIT_READ),   WAIT("write", WAIT_WRITE), WAIT("wal", WAIT_WAL),
    WAIT("lock", WAIT_LOCK),   WAIT("cpu", WAIT_CPU),     WAIT("client", WAIT_CLIENT),
    WAIT("other", WAIT_OTHER),
};

_Static_assert(ARRAY_LEN(waits_table) == WAIT_CLASSES, "all of them");

static const struct json_field server_sample_table[] = {
    TEXT(result_server_sample, commit_by),
    WHOLE(result_server_sample, checkpoints_timed),
    WHOLE(result_server_sample, checkpoints_requested),
    WHOLE(result_server_sample, checkpoints_whole),
    WHOLE(result_server_sample, cpus),
    WHOLE(result_server_sample, wal_bytes),
    WHOLE(result_server_sample, page_reads),
    WHOLE(result_server_sample, dirty_bytes),
    WHOLE(result_server_sample, beside),
    FIGURE(result_server_sample, beside_read_mib_per_s),
    FIGURE(result_server_sample, beside_write_mib_per_s),
    WHOLE(result_server_sample, looks),
    FIGURE(result_server_sample, looks_per_s),
    FIGURE(result_server_sample, looking_percent),
    FIGURE(result_server_sample, looking_core_percent),
};

static const struct json_field driver_table[] = {
    FIGURE(result_driver, cpu_percent),
    FIGURE(result_driver, cpu_us_per_transaction),
    FIGURE(result_driver, rss_mib),
    FIGURE(result_driver, free_session_wait_percent),
};

static const struct json_field lateness_table[] = {
    FIGURE_AS("avg", result_driver, lateness_avg_ms),
    FIGURE_AS("p50", result_driver, lateness_p50_ms),
    FIGURE_AS("p99", result_driver, lateness_p99_ms),
    FIGURE_AS("max", result_driver, lateness_max_ms),
};

static const struct json_field run_table[] = {
    WHOLE(result_run, in_doubt_committed),
    WHOLE(result_run, in_doubt_unresolved),
    WHOLE(result_run, abandoned_sessions),
    WHOLE(result_run, bytes_written),
    WHOLE(result_run, accounting_broken),
    WHOLE(result_run, oom_kills),
    WHOLE(result_run, device_gaps),
    WHOLE(result_run, device_lost),
    FIGURE(result_run, suspended_s),
    {"interrupted", JSON_YES, offsetof(struct result_run, interrupted)},
    TEXT(result_run, ended_by),
};

static const struct json_field band_table[] = {
    LEVEL(result_band, value),
    LEVEL(result_band, low),
    LEVEL(result_band, high),
    MAYBE(result_band, within),
};

static const struct json_field checks_table[] = {
    FIGURE(result_checks, before_seconds),    FIGURE(result_checks, after_seconds),
    WHOLE(result_checks, new_orders_counted), WHOLE(result_checks, new_orders_in_database),
    WHOLE(result_checks, payments_counted),   WHOLE(result_checks, payments_in_database),
    MAYBE(result_checks, orders_agree),
};

static const struct json_field error_table[] = {
    TEXT(result_error, class),
    TEXT(result_error, sqlstate),
    {"native", JSON_SIGNED, offsetof(struct result_error, native)},
    TEXT(result_error, text),
    WHOLE(result_error, count),
    LEVEL(result_error, first_at_s),
};

static const struct json_field mark_table[] = {
    TEXT(result_mark, kind),   TEXT(result_mark, text),           LEVEL(result_mark, start_s),
    LEVEL(result_mark, end_s), WHOLE(result_mark, bytes_written),
};

static const struct json_field health_table[] = {
    FIGURE(result_health, seconds),          LEVEL(result_health, temperature_c_min),
    LEVEL(result_health, temperature_c_max), WHOLE(result_health, critical_warning),
    LEVEL(result_health, warned_at_s),
};

static const struct json_field drive_health_table[] = {
    TEXT(result_drive_health, tool),
    TEXT(result_drive_health, why_none),
};

static const struct json_field health_log_table[] = {
    LEVEL(health_log, temperature_c),
    FIGURE(health_log, spare_percent),
    FIGURE(health_log, spare_threshold_percent),
    FIGURE(health_log, worn_percent),
    WHOLE(health_log, critical_warning),
    WHOLE(health_log, read_bytes),
    WHOLE(health_log, written_bytes),
    WHOLE(health_log, media_written_bytes),
    WHOLE(health_log, read_commands),
    WHOLE(health_log, write_commands),
    WHOLE(health_log, busy_minutes),
    WHOLE(health_log, power_on_hours),
    WHOLE(health_log, power_cycles),
    WHOLE(health_log, unsafe_shutdowns),
    WHOLE(health_log, media_errors),
    WHOLE(health_log, error_log_entries),
    WHOLE(health_log, warning_minutes),
    WHOLE(health_log, critical_minutes),
    WHOLE(health_log, throttled_1_count),
    WHOLE(health_log, throttled_1_seconds),
    WHOLE(health_log, throttled_2_count),
    WHOLE(health_log, throttled_2_seconds),
};

static const struct json_field health_used_table[] = {
    WHOLE(health_used, read_bytes),        WHOLE(health_used, written_bytes),
    WHOLE(health_used, media_errors),      FIGURE(health_used, write_amplification),
    FIGURE(health_used, worn_percent),     FIGURE(health_used, life_bytes),
    FIGURE(health_used, life_percent),     FIGURE(health_used, years_left),
    WHOLE(health_used, throttled_seconds), WHOLE(health_used, throttled_count),
};

static const struct json_field steadiness_table[] = {
    MAYBE(result_steadiness, steady),
    TEXT(result_steadiness, why_none),
    FIGURE(result_steadiness, round_s),
    WHOLE(result_steadiness, rounds),
    FIGURE(result_steadiness, window_start_s),
    FIGURE(result_steadiness, window_end_s),
    FIGURE(result_steadiness, steady_from_s),
    TEXT(result_steadiness, precondition_end),
    FIGURE(result_steadiness, precondition_planned_s),
    FIGURE(result_steadiness, precondition_bound_s),
};

static const struct json_field steady_measure_table[] = {
    FIGURE(result_steady_measure, mean),
    FIGURE(result_steady_measure, range_percent),
    LEVEL(result_steady_measure, slope_percent),
    FIGURE(result_steady_measure, chance_range_percent),
    FIGURE(result_steady_measure, chance_slope_percent),
    MAYBE(result_steady_measure, steady),
    FIGURE_AS("round_1", result_steady_measure, round[0]),
    FIGURE_AS("round_2", result_steady_measure, round[1]),
    FIGURE_AS("round_3", result_steady_measure, round[2]),
    FIGURE_AS("round_4", result_steady_measure, round[3]),
    FIGURE_AS("round_5", result_steady_measure, round[4]),
};
_Static_assert(STEADY_WINDOW == 5, "one key a round");

struct json_fields result_fields(enum result_part part)
{
    static const struct json_fields parts[RESULT_PARTS] = {
        [PART_RESULT] = {result_table, ARRAY_LEN(result_table)},
        [PART_REASON] = {reason_table, ARRAY_LEN(reason_table)},
        [PART_HOST] = {host_table, ARRAY_LEN(host_table)},
        [PART_DATABASE] = {database_table, ARRAY_LEN(database_table)},
        [PART_DATASET] = {dataset_table, ARRAY_LEN(dataset_table)},
        [PART_RESTORE] = {restore_table, ARRAY_LEN(restore_table)},
        [PART_CONSTANTS] = {constants_table, ARRAY_LEN(constants_table)},
        [PART_DRIVE] = {drive_table, ARRAY_LEN(drive_table)},
        [PART_PREP] = {prep_table, ARRAY_LEN(prep_table)},
        [PART_DEVICE] = {device_table, ARRAY_LEN(device_table)},
        [PART_REMOTE] = {remote_table, ARRAY_LEN(remote_table)},
        [PART_WORKLOAD] = {workload_table, ARRAY_LEN(workload_table)},
        [PART_PHASE] = {phase_table, ARRAY_LEN(phase_table)},
        [PART_SAMPLE] = {sample_table, ARRAY_LEN(sample_table)},
        [PART_SUMMARY] = {summary_table, ARRAY_LEN(summary_table)},
        [PART_TXN] = {txn_table, ARRAY_LEN(txn_table)},
        [PART_COUNTERS] = {counters_table, ARRAY_LEN(counters_table)},
        [PART_RATES] = {rates_table, ARRAY_LEN(rates_table)},
        [PART_PER_TXN] = {per_txn_table, ARRAY_LEN(per_txn_table)},
        [PART_SERVER] = {server_table, ARRAY_LEN(server_table)},
        [PART_WAITS] = {waits_table, ARRAY_LEN(waits_table)},
        [PART_SERVER_SAMPLE] = {server_sample_table, ARRAY_LEN(server_sample_table)},
        [PART_DRIVER] = {driver_table, ARRAY_LEN(driver_table)},
        [PART_LATENESS] = {lateness_table, ARRAY_LEN(lateness_table)},
        [PART_RUN] = {run_table, ARRAY_LEN(run_table)},
        [PART_BAND] = {band_table, ARRAY_LEN(band_table)},
        [PART_CHECKS] = {checks_table, ARRAY_LEN(checks_table)},
        [PART_ERROR] = {error_table, ARRAY_LEN(error_table)},
        [PART_MARK] = {mark_table, ARRAY_LEN(mark_table)},
        [PART_HEALTH] = {health_table, ARRAY_LEN(health_table)},
        [PART_DRIVE_HEALTH] = {drive_health_table, ARRAY_LEN(drive_health_table)},
        [PART_HEALTH_LOG] = {health_log_table, ARRAY_LEN(health_log_table)},
        [PART_HEALTH_USED] = {health_used_table, ARRAY_LEN(health_used_table)},
        [PART_STEADINESS] = {steadiness_table, ARRAY_LEN(steadiness_table)},
        [PART_STEADY_MEASURE] = {steady_measure_table, ARRAY_LEN(steady_measure_table)},
    };

    CHECK(part < RESULT_PARTS);
    return parts[part];
}
