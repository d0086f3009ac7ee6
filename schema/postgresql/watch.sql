-- What is asked of the server during a run, to tell what it does and waits for. Views differ from
-- version to version (14 to 18): whether a block can be asked is looked up first, by its ..._if.
-- The functions under the views are used where the views join for what is not needed.

-- name: watch_self
SELECT pg_backend_pid(), current_setting('block_size')::int,
       current_setting('track_wal_io_timing', true) = 'on'

-- Ten times a second: what each session of the run is doing within its transaction.
-- name: watch_sessions
-- params: text
SELECT coalesce(wait_event_type, ''), coalesce(wait_event, ''), state, count(*)
  FROM pg_stat_get_activity(NULL)
 WHERE application_name = $1 AND state <> 'idle'
   AND datid = (SELECT oid FROM pg_database WHERE datname = current_database())
 GROUP BY 1, 2, 3

-- name: watch_database
SELECT xact_commit, blks_read, blks_hit
  FROM pg_stat_database WHERE datname = current_database()

-- name: watch_wal_if
SELECT count(*) FROM pg_attribute
 WHERE attrelid = to_regclass('pg_catalog.pg_stat_wal') AND attname = 'wal_bytes' AND NOT attisdropped

-- name: watch_wal
SELECT wal_fpi, wal_bytes FROM pg_stat_wal

-- name: watch_wal_flushes_if
SELECT count(*) FROM pg_attribute
 WHERE attrelid = to_regclass('pg_catalog.pg_stat_wal') AND attname = 'wal_sync_time' AND NOT attisdropped

-- name: watch_wal_flushes
SELECT wal_write, wal_sync, (wal_write_time * 1000)::bigint, (wal_sync_time * 1000)::bigint
  FROM pg_stat_wal

-- Since 18 the view of WAL does not tell how it was written any more.
-- name: watch_wal_flushes_io_if
SELECT count(CASE WHEN attname = 'write_bytes' THEN 1 END) - count(CASE WHEN attname = 'wal_sync_time' THEN 1 END)
  FROM pg_attribute
 WHERE NOT attisdropped
   AND (attrelid = to_regclass('pg_catalog.pg_stat_io') AND attname = 'write_bytes'
        OR attrelid = to_regclass('pg_catalog.pg_stat_wal') AND attname = 'wal_sync_time')

-- name: watch_wal_flushes_io
SELECT sum(writes), sum(fsyncs), (sum(write_time) * 1000)::bigint,
       (sum(fsync_time) * 1000)::bigint
  FROM pg_stat_io WHERE object = 'wal' AND context = 'normal'

-- name: watch_checkpoints_bgwriter_if
SELECT count(*) FROM pg_attribute
 WHERE attrelid = to_regclass('pg_catalog.pg_stat_bgwriter') AND attname = 'checkpoints_timed' AND NOT attisdropped

-- name: watch_checkpoints_bgwriter
SELECT checkpoints_timed, checkpoints_req FROM pg_stat_bgwriter

-- name: watch_checkpoints_if
SELECT count(*) FROM pg_attribute
 WHERE attrelid = to_regclass('pg_catalog.pg_stat_checkpointer') AND attname = 'num_timed' AND NOT attisdropped

-- name: watch_checkpoints
SELECT num_timed, num_requested FROM pg_stat_checkpointer

-- The last checkpoint that ended, and how many ms ago it began (to the second).
-- name: watch_control
SELECT (checkpoint_lsn - '0/0'::pg_lsn)::bigint,
       (extract(epoch FROM clock_timestamp() - checkpoint_time) * 1000)::bigint
  FROM pg_control_checkpoint()

-- name: watch_vacuums
SELECT c.relname, pg_stat_get_autovacuum_count(c.oid) + pg_stat_get_vacuum_count(c.oid),
       EXISTS (SELECT FROM pg_stat_progress_vacuum p WHERE p.relid = c.oid)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'tpcc' AND c.relkind = 'r'
 ORDER BY 1

-- name: watch_processes
SELECT pid FROM pg_stat_get_activity(NULL)
