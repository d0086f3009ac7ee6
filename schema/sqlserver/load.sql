-- Loading: what a loader's session sets, and the steps besides the rows themselves. A failed statement
-- ends its transaction (xact_abort). Babelfish, which speaks this language too, has no UPDATE STATISTICS.

-- name: load_session
-- params: i64
select $1

-- name: load_session_durable
declare @unused int

-- name: load_begin
begin transaction

-- name: load_commit
commit transaction

-- name: load_rollback
if @@trancount > 0 rollback transaction

-- name: load_progress
select step, table_name, first_w, last_w, n_rows from tpcc.load_progress

-- First in a unit's transaction: whoever comes second waits for the first one's end, and then does
-- nothing, or all.
-- name: load_claim
-- params: text text i32 i32 i64
insert into tpcc.load_progress (step, table_name, first_w, last_w, n_rows)
select $1, $2, $3, $4, $5
 where not exists (select 1 from tpcc.load_progress with (updlock, holdlock)
                    where step = $1 and table_name = $2 and first_w = $3)

-- name: load_keys_workers
-- params: i32
select $1

-- name: load_progress_keys
select top 0 '', 0

-- name: load_progress_vacuum
select top 0 '', 0

-- name: truncate_item
delete from tpcc.item with (tablock)

-- name: truncate_warehouse
delete from tpcc.warehouse with (tablock)

-- name: truncate_stock
delete from tpcc.stock with (tablock)

-- name: truncate_district
delete from tpcc.district with (tablock)

-- name: truncate_customer
delete from tpcc.customer with (tablock)

-- name: truncate_history
delete from tpcc.history with (tablock)

-- name: truncate_orders
delete from tpcc.orders with (tablock)

-- name: truncate_order_line
delete from tpcc.order_line with (tablock)

-- name: truncate_new_order
delete from tpcc.new_order with (tablock)

-- name: vacuum_item
if serverproperty('Babelfish') is null exec('update statistics tpcc.item')

-- name: vacuum_warehouse
if serverproperty('Babelfish') is null exec('update statistics tpcc.warehouse')

-- name: vacuum_stock
if serverproperty('Babelfish') is null exec('update statistics tpcc.stock')

-- name: vacuum_district
if serverproperty('Babelfish') is null exec('update statistics tpcc.district')

-- name: vacuum_customer
if serverproperty('Babelfish') is null exec('update statistics tpcc.customer')

-- name: vacuum_history
if serverproperty('Babelfish') is null exec('update statistics tpcc.history')

-- name: vacuum_orders
if serverproperty('Babelfish') is null exec('update statistics tpcc.orders')

-- name: vacuum_order_line
if serverproperty('Babelfish') is null exec('update statistics tpcc.order_line')

-- name: vacuum_new_order
if serverproperty('Babelfish') is null exec('update statistics tpcc.new_order')
