-- What the program asks of a server as a whole: version, room, settings.

-- name: server_version
select substring_index(version(), '.', 1) * 10000
       + substring_index(substring_index(version(), '.', 2), '.', -1) * 100,
       version()

-- name: server_free_connections
select @@global.max_connections - variable_value + 1
  from /*M! information_schema */ /*!80000 performance_schema */.global_status
 where upper(variable_name) = 'THREADS_CONNECTED'

-- name: server_settings
select lower(variable_name), variable_value
  from /*M! information_schema */ /*!80000 performance_schema */.global_variables
 where upper(variable_name) in (
       'BINLOG_FORMAT', 'INNODB_BUFFER_POOL_SIZE', 'INNODB_CHECKSUM_ALGORITHM',
       'INNODB_DOUBLEWRITE', 'INNODB_FLUSH_LOG_AT_TRX_COMMIT', 'INNODB_FLUSH_METHOD',
       'INNODB_FLUSH_NEIGHBORS', 'INNODB_IO_CAPACITY', 'INNODB_IO_CAPACITY_MAX',
       'INNODB_LOG_BUFFER_SIZE', 'INNODB_LOG_FILE_SIZE', 'INNODB_MAX_DIRTY_PAGES_PCT',
       'INNODB_PAGE_SIZE', 'INNODB_PURGE_THREADS', 'INNODB_READ_IO_THREADS',
       'INNODB_REDO_LOG_CAPACITY', 'INNODB_USE_NATIVE_AIO', 'INNODB_WRITE_IO_THREADS', 'LOG_BIN',
       'MAX_ALLOWED_PACKET', 'MAX_CONNECTIONS', 'SYNC_BINLOG', 'THREAD_HANDLING',
       'TRANSACTION_ISOLATION', 'TX_ISOLATION')
 order by 1

-- name: server_buffer_bytes
select @@global.innodb_buffer_pool_size

-- name: server_busy_sessions
select count(*) from information_schema.processlist
 where id <> connection_id() and user = substring_index(current_user(), '@', 1)
   and command in ('Query', 'Execute', 'Prepare')
