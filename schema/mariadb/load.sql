-- Loading: what a loader's session sets, and the steps besides the rows themselves. What would end a
-- transaction unseen (ALTER, TRUNCATE) has no place between load_begin and load_commit.

-- name: load_session
-- params: i64
select $1

-- name: load_session_durable
set @unused = 0

-- name: load_begin
start transaction

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
insert ignore into tpcc.load_progress (step, table_name, first_w, last_w, n_rows)
values ($1, $2, $3, $4, $5)

-- name: load_keys_workers
-- params: i32
select $1

-- name: load_progress_keys
select '', 0 from dual where 1 = 0

-- name: load_progress_vacuum
select '', 0 from dual where 1 = 0

-- name: truncate_item
delete from tpcc.item

-- name: truncate_warehouse
delete from tpcc.warehouse

-- name: truncate_stock
delete from tpcc.stock

-- name: truncate_district
delete from tpcc.district

-- name: truncate_customer
delete from tpcc.customer

-- name: truncate_history
delete from tpcc.history

-- name: truncate_orders
delete from tpcc.orders

-- name: truncate_order_line
delete from tpcc.order_line

-- name: truncate_new_order
delete from tpcc.new_order

-- name: vacuum_item
analyze table tpcc.item

-- name: vacuum_warehouse
analyze table tpcc.warehouse

-- name: vacuum_stock
analyze table tpcc.stock

-- name: vacuum_district
analyze table tpcc.district

-- name: vacuum_customer
analyze table tpcc.customer

-- name: vacuum_history
analyze table tpcc.history

-- name: vacuum_orders
analyze table tpcc.orders

-- name: vacuum_order_line
analyze table tpcc.order_line

-- name: vacuum_new_order
analyze table tpcc.new_order
