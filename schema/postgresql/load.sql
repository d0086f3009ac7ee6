-- Loading: what a loader's session sets, and the steps besides the rows themselves.

-- name: load_session
-- params: i64
-- Nothing is lost by committing without a wait: a unit's rows and its note in load_progress go or
-- stay together, and the note that ends the load is written with a wait (load_session_durable).
-- $1: bytes for sorting keys, where the server gives less.
select set_config('synchronous_commit', 'off', false),
       set_config('statement_timeout', '0', false),
       set_config('lock_timeout', '0', false),
       set_config('idle_in_transaction_session_timeout', '0', false),
       set_config('maintenance_work_mem',
                  greatest(pg_size_bytes(current_setting('maintenance_work_mem')), $1) / 1024
                  || 'kB', false)

-- name: load_session_durable
select set_config('synchronous_commit', 'on', false)

-- name: load_begin
begin

-- name: load_commit
commit

-- name: load_rollback
rollback

-- name: load_progress
select step, table_name, first_w, last_w, n_rows from tpcc.load_progress

-- name: load_claim
-- params: text text i32 i32 i64
-- First in a unit's transaction: whoever comes second waits for the first one's end, and then does
-- nothing, or all.
insert into tpcc.load_progress (step, table_name, first_w, last_w, n_rows)
values ($1, $2, $3, $4, $5) on conflict do nothing

-- name: load_keys_workers
-- params: i32
-- For the transaction: as many helpers for a key as loaders have nothing to do, and no more than the
-- server gives. Helpers beside busy loaders only cost.
select set_config('max_parallel_maintenance_workers',
                  least($1, current_setting('max_parallel_maintenance_workers')::int)::text, true)

-- name: load_progress_keys
-- How far each key under construction is, 0 to 1: reading the table, then building the tree.
select relid::regclass::text,
       case when tuples_done > 0 and phase like '%loading%'
            then 0.5 + 0.5 * tuples_done / greatest(tuples_total, tuples_done)
            when blocks_total > 0 then 0.5 * blocks_done / blocks_total
            else 0 end::numeric(5,4)
  from pg_stat_progress_create_index
 where datname = current_database()

-- name: load_progress_vacuum
select relid::regclass::text,
       case when heap_blks_total > 0 then heap_blks_scanned::float8 / heap_blks_total else 0 end
         ::numeric(5,4)
  from pg_stat_progress_vacuum
 where datname = current_database()

-- name: truncate_item
truncate tpcc.item

-- name: truncate_warehouse
truncate tpcc.warehouse

-- name: truncate_stock
truncate tpcc.stock

-- name: truncate_district
truncate tpcc.district

-- name: truncate_customer
truncate tpcc.customer

-- name: truncate_history
truncate tpcc.history

-- name: truncate_orders
truncate tpcc.orders

-- name: truncate_order_line
truncate tpcc.order_line

-- name: truncate_new_order
truncate tpcc.new_order

-- name: vacuum_item
vacuum (freeze, analyze) tpcc.item

-- name: vacuum_warehouse
vacuum (freeze, analyze) tpcc.warehouse

-- name: vacuum_stock
vacuum (freeze, analyze) tpcc.stock

-- name: vacuum_district
vacuum (freeze, analyze) tpcc.district

-- name: vacuum_customer
vacuum (freeze, analyze) tpcc.customer

-- name: vacuum_history
vacuum (freeze, analyze) tpcc.history

-- name: vacuum_orders
vacuum (freeze, analyze) tpcc.orders

-- name: vacuum_order_line
vacuum (freeze, analyze) tpcc.order_line

-- name: vacuum_new_order
vacuum (freeze, analyze) tpcc.new_order
