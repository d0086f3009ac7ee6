-- What the program asks of a server as a whole: version, rights, room, settings, place.

-- name: server_version
SELECT current_setting('server_version_num'), current_setting('server_version')

-- name: server_rights
SELECT has_database_privilege(current_database(), 'CREATE'), current_database(), current_user

-- name: server_free_connections
SELECT current_setting('max_connections')::int
       - current_setting('superuser_reserved_connections')::int
       - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')
       + 1

-- name: server_settings
SELECT name, current_setting(name)
  FROM pg_settings
 WHERE name IN (
       'autovacuum', 'autovacuum_max_workers', 'autovacuum_naptime', 'autovacuum_vacuum_cost_delay',
       'autovacuum_vacuum_cost_limit', 'autovacuum_vacuum_insert_scale_factor',
       'autovacuum_vacuum_scale_factor', 'autovacuum_work_mem', 'bgwriter_delay',
       'bgwriter_lru_maxpages', 'bgwriter_lru_multiplier', 'block_size', 'checkpoint_completion_target',
       'checkpoint_timeout', 'data_checksums', 'debug_io_direct', 'default_transaction_isolation',
       'effective_io_concurrency', 'fsync', 'full_page_writes', 'huge_pages', 'io_method', 'jit',
       'maintenance_work_mem', 'max_connections', 'max_parallel_workers_per_gather', 'max_wal_size',
       'min_wal_size', 'random_page_cost', 'shared_buffers', 'synchronous_commit', 'temp_buffers',
       'track_io_timing', 'track_wal_io_timing', 'wal_buffers', 'wal_compression', 'wal_init_zero',
       'wal_level', 'wal_recycle', 'wal_segment_size', 'wal_sync_method', 'wal_writer_delay',
       'wal_writer_flush_after', 'work_mem')
 ORDER BY name

-- name: server_data_directory
SELECT current_setting('data_directory', true)

-- name: server_tablespaces
-- Those that have a place of their own; anybody may ask.
SELECT spcname, pg_tablespace_location(oid)
  FROM pg_tablespace
 WHERE pg_tablespace_location(oid) <> ''
 ORDER BY spcname

-- name: server_buffer_bytes
SELECT setting::bigint * current_setting('block_size')::bigint
  FROM pg_settings WHERE name = 'shared_buffers'

-- name: server_checkpoint
CHECKPOINT

-- name: server_busy_sessions
SELECT count(*)
  FROM pg_stat_activity
 WHERE application_name = current_setting('application_name')
   AND datname = current_database()
   AND pid <> pg_backend_pid()
   AND state <> 'idle'
