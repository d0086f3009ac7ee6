-- What says that a database `tpcc` is ours, how far its load is, and who works on it.

-- name: create_manifest
create table tpcc.manifest (
    name varchar(64) not null primary key,
    value text not null
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_load_progress
-- One row a step and unit, written in the transaction that holds the unit's rows.
create table tpcc.load_progress (
    step varchar(16) not null,
    table_name varchar(32) not null,
    first_w int not null,
    last_w int not null,
    n_rows bigint not null,
    begun_at datetime(6) not null default current_timestamp(6),
    primary key (step, table_name, first_w)
) engine = InnoDB character set ascii collate ascii_bin

-- name: dataset_look
select (select count(*) from information_schema.schemata where schema_name = 'tpcc'),
       (select count(*) from information_schema.tables
         where table_schema = 'tpcc' and table_name = 'manifest'),
       (select count(*) from information_schema.tables where table_schema = 'tpcc'),
       (select group_concat(table_name order by table_name separator ', ')
          from (select table_name from information_schema.tables
                 where table_schema = 'tpcc' order by table_name limit 4) x)

-- name: manifest_read
select name, value from tpcc.manifest

-- name: manifest_set
-- params: text text
insert into tpcc.manifest (name, value) values ($1, $2) on duplicate key update value = $2

-- name: manifest_count_run
update tpcc.manifest set value = cast(value as signed) + 1 where name = 'runs_since_load'

-- name: storage_read
select group_concat(table_name, ': ', row_format order by table_name separator '; ')
  from information_schema.tables
 where table_schema = 'tpcc' and table_name not in ('manifest', 'load_progress')

-- name: dataset_bytes
select coalesce(sum(data_length + index_length), 0)
  from information_schema.tables where table_schema = 'tpcc'

-- name: dataset_lock_name
-- params: text
-- Nobody else can see a name of ours: who holds the lock is told by the connection.
select $1

-- name: dataset_lock_try
select coalesce(get_lock('tpcc dataset', 0), 0)

-- name: dataset_unlock
-- As often as this session took it.
do release_all_locks()

-- name: dataset_lock_holder
select concat(user, ' ', id, '@', substring_index(host, ':', 1)),
       date_format(date_sub(utc_timestamp(), interval time second), '%Y-%m-%d %H:%i:%s')
  from information_schema.processlist where id = is_used_lock('tpcc dataset')

-- name: dataset_list
select lower(table_type), table_name, data_length + index_length
  from information_schema.tables where table_schema = 'tpcc'
union all
select lower(routine_type), routine_name, null
  from information_schema.routines where routine_schema = 'tpcc'
 order by 1, 2

-- name: dataset_drop
drop database tpcc
