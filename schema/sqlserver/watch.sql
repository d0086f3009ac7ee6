-- What is asked of the server during a run, to tell what it does and waits for. Without VIEW SERVER
-- STATE a login sees itself only: then nothing is watched.

-- name: watch_sessions_if
select coalesce(has_perms_by_name(null, null, 'VIEW SERVER STATE'), 0)

-- The log's times below are the server's own.
-- name: watch_self
select @@spid, 8192, 1

-- Ten times a second: how many sessions of our login in this database are at what, by the kind of wait.
-- No request: within a transaction, and the next statement has not come. A wait for a processor's
-- turn is no other wait; a latch of a page without I/O is held by another session.
-- name: watch_sessions
select x.class, '', 'active', count(*)
  from (select case
               when r.session_id is null or r.wait_type = 'ASYNC_NETWORK_IO' then 'client'
               when r.wait_type is null or r.wait_type = 'SOS_SCHEDULER_YIELD' then 'cpu'
               when r.wait_type like 'PAGEIOLATCH%' then 'read'
               when r.wait_type in ('WRITELOG', 'LOGBUFFER', 'HADR_SYNC_COMMIT') then 'wal'
               when r.wait_type in ('IO_COMPLETION', 'ASYNC_IO_COMPLETION', 'WRITE_COMPLETION') then 'write'
               when r.wait_type like 'LCK%' or r.wait_type like 'PAGELATCH%' or r.wait_type like 'LATCH%'
                    then 'lock'
               else 'other' end as class
          from sys.dm_exec_sessions s
          left join sys.dm_exec_requests r on r.session_id = s.session_id
         where s.is_user_process = 1 and s.login_name = suser_sname() and s.session_id <> @@spid
           and s.database_id = db_id() and (r.session_id is not null or s.open_transaction_count > 0)) x
 group by x.class

-- Transactions begun and ended, pages read from the drive, pages found in the buffer. What is called a
-- rate there is a count since the server's start.
-- name: watch_database
select sum(case when counter_name = 'Transactions/sec' and instance_name = db_name() then cntr_value end),
       sum(case when counter_name = 'Page reads/sec' then cntr_value end),
       sum(case counter_name when 'Page lookups/sec' then cntr_value when 'Page reads/sec' then -cntr_value end)
  from sys.dm_os_performance_counters
 where object_name like '%:Buffer Manager%' and counter_name in ('Page lookups/sec', 'Page reads/sec')
    or object_name like '%:Databases%' and counter_name = 'Transactions/sec' and instance_name = db_name()

-- No pages in whole: the log has none.
-- name: watch_wal
select null, sum(f.num_of_bytes_written)
  from sys.dm_io_virtual_file_stats(db_id(), null) f
  join sys.database_files d on d.file_id = f.file_id and d.type = 1

-- The log is written through: there is no flush beside a write.
-- name: watch_wal_flushes
select sum(f.num_of_writes), 0, sum(f.io_stall_write_ms) * 1000, 0
  from sys.dm_io_virtual_file_stats(db_id(), null) f
  join sys.database_files d on d.file_id = f.file_id and d.type = 1
