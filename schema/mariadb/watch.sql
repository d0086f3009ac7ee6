-- What is asked of the server during a run, to tell what it does and waits for. From SHOW GLOBAL STATUS's
-- table for all; what its performance_schema times comes from there, where it is on and may be read
-- (MySQL's is on as a rule, MariaDB's is not, and does not know the log since 10.8).

-- The redo log's times below are the server's own where there are any.
-- name: watch_self
select connection_id(), @@global.innodb_page_size, 1

-- Where the server is a process of this machine: its name, its machine's, and the looking session's thread.
-- name: watch_process
select /*M! 'mariadbd', @@hostname, tid from information_schema.processlist where id = connection_id() */
       /*!80000 'mysqld', @@hostname, thread_os_id from performance_schema.threads
        where processlist_id = connection_id() */

-- Ten times a second: how many sessions of our user are at what. Whoever commits waits for the redo log
-- (where it is not waited for, nobody is ever seen so). A page is awaited by as many as the server has
-- reads under way, but by no more than are left. A transaction that waits for its next statement
-- is not told from an idle session.
-- name: watch_sessions
select w.class, '', 'active',
       case w.class when 'lock' then least(p.active, p.locked + g.row_locks)
                    when 'wal' then p.commits
                    when 'read' then least(g.pending, greatest(p.active - p.locked - g.row_locks - p.commits, 0))
                    else greatest(p.active - p.locked - g.row_locks - p.commits - g.pending, 0) end
  from (select 'lock' as class union all select 'wal' union all select 'read' union all select 'cpu') w
 cross join
       (select count(*) as active,
               count(case when state like 'Waiting for%lock' then 1 end) as locked,
               count(case when state in ('Commit', 'Starting cleanup', 'waiting for handler commit')
                     then 1 end) as commits
          from information_schema.processlist
         where id <> connection_id() and user = substring_index(user(), '@', 1)
           and command in ('Query', 'Execute')) p
 cross join
       (select cast(sum(if(upper(variable_name) = 'INNODB_DATA_PENDING_READS', variable_value, 0))
                    as signed) as pending,
               cast(sum(if(upper(variable_name) = 'INNODB_ROW_LOCK_CURRENT_WAITS', variable_value, 0))
                    as signed) as row_locks
          from /*M! information_schema */ /*!80000 performance_schema */.global_status
         where upper(variable_name) in ('INNODB_DATA_PENDING_READS', 'INNODB_ROW_LOCK_CURRENT_WAITS')) g

-- Commits, pages read from the drive, pages found in the buffer.
-- name: watch_database
select sum(case when upper(variable_name) = 'COM_COMMIT' then cast(variable_value as unsigned) end),
       sum(case when upper(variable_name) = 'INNODB_PAGES_READ' then cast(variable_value as unsigned) end),
       sum(case upper(variable_name)
           when 'INNODB_BUFFER_POOL_READ_REQUESTS' then cast(variable_value as signed)
           when 'INNODB_BUFFER_POOL_READS' then -cast(variable_value as signed) end)
  from /*M! information_schema */ /*!80000 performance_schema */.global_status
 where upper(variable_name) in ('COM_COMMIT', 'INNODB_PAGES_READ', 'INNODB_BUFFER_POOL_READ_REQUESTS',
       'INNODB_BUFFER_POOL_READS')

-- No pages in whole: the redo log has none, and the doublewrite buffer is no log.
-- name: watch_wal
select null, sum(cast(variable_value as unsigned))
  from /*M! information_schema */ /*!80000 performance_schema */.global_status
 where upper(variable_name) = 'INNODB_OS_LOG_WRITTEN'

-- Writes and flushes of the redo log. MariaDB does not count the flushes since 10.8.
-- name: watch_wal_flushes
select sum(case when upper(variable_name) = 'INNODB_LOG_WRITES' then cast(variable_value as unsigned) end),
       sum(case when upper(variable_name) = 'INNODB_OS_LOG_FSYNCS' then cast(variable_value as unsigned) end),
       null, null
  from /*M! information_schema */ /*!80000 performance_schema */.global_status
 where upper(variable_name) in ('INNODB_LOG_WRITES', 'INNODB_OS_LOG_FSYNCS')

-- name: watch_wal_flushes_io_if
select count(*) from performance_schema.setup_instruments
 where name = 'wait/io/file/innodb/innodb_log_file' and enabled = 'YES' and timed = 'YES'

-- name: watch_wal_flushes_io
select count_write, count_misc, floor(sum_timer_write / 1000000), floor(sum_timer_misc / 1000000)
  from performance_schema.file_summary_by_event_name where event_name = 'wait/io/file/innodb/innodb_log_file'
