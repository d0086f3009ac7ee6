-- What says that a schema `tpcc` is ours, how far its load is, and who works on it.

-- name: create_manifest
create table tpcc.manifest (name text primary key, value text not null)

-- name: create_load_progress
-- One row a step and unit, written in the transaction that holds the unit's rows or key.
create table tpcc.load_progress (
    step text not null,
    table_name text not null,
    first_w int not null,
    last_w int not null,
    n_rows bigint not null,
    begun_at timestamptz not null default clock_timestamp(),
    primary key (step, table_name, first_w)
)

-- name: dataset_look
select to_regnamespace('tpcc') is not null,
       to_regclass('tpcc.manifest') is not null,
       (select count(*) from pg_class
         where relnamespace = to_regnamespace('tpcc') and relkind in ('r', 'p', 'v', 'm', 'f', 'S')),
       (select string_agg(relname, ', ' order by relname)
          from (select relname::text from pg_class
                 where relnamespace = to_regnamespace('tpcc')
                   and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
                 order by 1 limit 4) x)

-- name: manifest_read
select name, value from tpcc.manifest

-- name: manifest_set
-- params: text text
insert into tpcc.manifest (name, value) values ($1, $2)
on conflict (name) do update set value = excluded.value

-- name: manifest_count_run
update tpcc.manifest set value = (value::bigint + 1)::text where name = 'runs_since_load'

-- name: storage_read
select string_agg(relname || ': ' || coalesce(array_to_string(reloptions, ' '), 'default'), '; '
                  order by relname)
  from pg_class
 where relnamespace = to_regnamespace('tpcc') and relkind = 'r'
   and relname not in ('manifest', 'load_progress')

-- name: dataset_bytes
select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint
  from pg_class
 where relnamespace = to_regnamespace('tpcc') and relkind in ('r', 'm')

-- name: dataset_lock_name
-- params: text
-- Who holds the lock is told by the name of its session, which ends with the lock: so the server must
-- not end a session for being idle, as this one is while a run lasts.
select set_config('application_name', $1, false), set_config('idle_session_timeout', '0', false)

-- name: dataset_lock_try
-- The number is "tpcc" in ASCII.
select pg_try_advisory_lock(1953522531, 1)

-- name: dataset_lock_holder
select a.application_name,
       to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')
  from pg_locks l join pg_stat_activity a using (pid)
 where l.locktype = 'advisory' and l.classid = 1953522531 and l.objid = 1 and l.granted
   and l.database = (select oid from pg_database where datname = current_database())

-- name: dataset_list
select case relkind when 'r' then 'table' when 'p' then 'table' when 'v' then 'view'
                    when 'm' then 'materialized view' when 'S' then 'sequence' else 'relation' end,
       relname::text, pg_total_relation_size(oid)
  from pg_class
 where relnamespace = to_regnamespace('tpcc') and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
union all
select 'routine', oid::regprocedure::text, null
  from pg_proc where pronamespace = to_regnamespace('tpcc')
 order by 1, 2

-- name: dataset_drop
-- Without CASCADE: what somebody else has built on our tables makes it fail, and nothing is dropped.
do $$
declare
    tables text;
    r record;
begin
    for r in select oid::regprocedure as name from pg_proc
              where pronamespace = to_regnamespace('tpcc') loop
        execute 'drop routine ' || r.name;
    end loop;
    select string_agg(format('tpcc.%I', relname), ', ') into tables from pg_class
     where relnamespace = to_regnamespace('tpcc') and relkind in ('r', 'p');
    if tables is not null then
        execute 'drop table ' || tables;
    end if;
    for r in select format('tpcc.%I', t.typname) as name
               from pg_type t left join pg_class c on c.oid = t.typrelid
              where t.typnamespace = to_regnamespace('tpcc')
                and (t.typtype in ('e', 'd') or c.relkind = 'c') loop
        execute 'drop type ' || r.name;
    end loop;
    if (select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = 'tpcc') then
        drop schema tpcc;
    end if;
end $$
