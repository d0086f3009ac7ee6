-- What the program asks of a server as a whole: version, room, settings.

-- name: server_version
select cast(serverproperty('ProductMajorVersion') as int) * 10000,
       concat(case when serverproperty('Babelfish') is null then 'SQL Server ' else 'Babelfish ' end,
              cast(serverproperty('ProductVersion') as varchar(40)),
              ' (this dialect: not yet run on SQL Server)')

-- name: server_free_connections
select @@max_connections - (select count(*) from sys.dm_exec_sessions where is_user_process = 1) + 1

-- name: server_settings
select name, value
  from (select 'delayed_durability' as name, cast(delayed_durability_desc as varchar(60)) as value
          from sys.databases where database_id = db_id()
        union all select 'page_verify', page_verify_option_desc
          from sys.databases where database_id = db_id()
        union all select 'read_committed_snapshot', cast(is_read_committed_snapshot_on as varchar(60))
          from sys.databases where database_id = db_id()
        union all select 'recovery_model', recovery_model_desc
          from sys.databases where database_id = db_id()
        union all select 'target_recovery_time_s', cast(target_recovery_time_in_seconds as varchar(60))
          from sys.databases where database_id = db_id()
        union all select lower(replace(name, ' ', '_')), cast(value_in_use as varchar(60))
          from sys.configurations
         where name in ('max server memory (MB)', 'max degree of parallelism',
                        'recovery interval (min)')) x
 order by name

-- name: server_buffer_bytes
-- 0 where it is not told.
select coalesce(max(cast(value_in_use as bigint)), 0) * 1048576
  from sys.configurations where name = 'max server memory (MB)'

-- name: server_busy_sessions
select count(*) from sys.dm_exec_sessions
 where is_user_process = 1 and login_name = suser_sname() and session_id <> @@spid
   and database_id = db_id() and status in ('running', 'active')
