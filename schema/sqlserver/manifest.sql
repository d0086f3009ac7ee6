-- What says that a schema `tpcc` is ours, how far its load is, and who works on it.

-- name: create_manifest
create table tpcc.manifest (
    name varchar(64) collate Latin1_General_BIN2 not null primary key,
    value varchar(4000) collate Latin1_General_BIN2 not null
)

-- name: create_load_progress
-- One row a step and unit, written in the transaction that holds the unit's rows or key.
create table tpcc.load_progress (
    step varchar(16) collate Latin1_General_BIN2 not null,
    table_name varchar(32) collate Latin1_General_BIN2 not null,
    first_w int not null,
    last_w int not null,
    n_rows bigint not null,
    begun_at datetime2(6) not null default sysutcdatetime(),
    primary key (step, table_name, first_w)
)

-- name: dataset_look
select case when schema_id('tpcc') is null then 0 else 1 end,
       case when object_id('tpcc.manifest') is null then 0 else 1 end,
       (select count(*) from sys.objects
         where schema_id = schema_id('tpcc') and type in ('U', 'V', 'SO', 'SN')),
       (select string_agg(name, ', ')
          from (select top 4 cast(name as varchar(128)) as name from sys.objects
                 where schema_id = schema_id('tpcc') and type in ('U', 'V', 'SO', 'SN')
                 order by name) x)

-- name: manifest_read
select name, value from tpcc.manifest

-- name: manifest_set
-- params: text text
update tpcc.manifest set value = $2 where name = $1;
if @@rowcount = 0 insert into tpcc.manifest (name, value) values ($1, $2)

-- name: manifest_count_run
update tpcc.manifest set value = cast(value as bigint) + 1 where name = 'runs_since_load'

-- name: storage_read
select string_agg(cast(t.name as varchar(max)) + ': ' + p.data_compression_desc, '; ')
  from sys.tables t
       join sys.partitions p on p.object_id = t.object_id and p.index_id in (0, 1)
 where t.schema_id = schema_id('tpcc') and t.name not in ('manifest', 'load_progress')

-- name: dataset_bytes
-- Babelfish does not tell.
if serverproperty('Babelfish') is null
    exec('select coalesce(sum(a.total_pages), 0) * cast(8192 as bigint)
            from sys.tables t
                 join sys.partitions p on p.object_id = t.object_id
                 join sys.allocation_units a on a.container_id = p.partition_id
           where t.schema_id = schema_id(''tpcc'')')
else
    select cast(0 as bigint)

-- Who holds the lock is told by the connection.
-- name: dataset_lock_name
-- params: text
select $1

-- name: dataset_lock_try
set nocount on;
declare @got int;
exec @got = sp_getapplock @Resource = 'tpcc dataset', @LockMode = 'Exclusive',
     @LockOwner = 'Session', @LockTimeout = 0;
select case when @got >= 0 then 1 else 0 end

-- name: dataset_unlock
-- As often as this session took it.
while applock_mode('public', 'tpcc dataset', 'Session') <> 'NoLock'
    exec sp_releaseapplock @Resource = 'tpcc dataset', @LockOwner = 'Session'

-- name: dataset_lock_holder
-- Babelfish does not tell.
if serverproperty('Babelfish') is null
    exec('select top 1 concat(replace(s.program_name, '' '', ''-''), '' '', s.host_process_id, ''@'',
                 s.host_name), convert(varchar(19), s.login_time, 120)
            from sys.dm_tran_locks l
                 join sys.dm_exec_sessions s on s.session_id = l.request_session_id
           where l.resource_type = ''APPLICATION'' and l.resource_database_id = db_id()
             and l.request_status = ''GRANT'' and l.resource_description like ''%tpcc dataset%''')

-- name: dataset_list
select case when type = 'U' then 'table' when type = 'V' then 'view' when type = 'P' then 'procedure'
            else 'object' end, name, null
  from sys.objects where schema_id = schema_id('tpcc') and type in ('U', 'V', 'P', 'FN', 'SO', 'SN')
 order by 1, 2

-- Views and what else is not ours make it fail at the schema's end, and nothing is dropped.
-- name: dataset_drop
declare @sql nvarchar(max);
select @sql = concat(
    (select string_agg(cast(N'drop procedure tpcc.' + quotename(name) + N'; ' as nvarchar(max)), N'')
       from sys.procedures where schema_id = schema_id('tpcc')),
    (select string_agg(cast(N'drop table tpcc.' + quotename(name) + N'; ' as nvarchar(max)), N'')
       from sys.tables where schema_id = schema_id('tpcc')));
set @sql = N'set xact_abort on; begin transaction; ' + @sql + N'drop schema tpcc; commit transaction';
exec (@sql)
