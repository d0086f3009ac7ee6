-- What a session sends for each transaction: one statement, one round trip, its commit included.

-- Settings of a session that runs them, given on connecting: plans are made once per session, and go
-- by key however small a table is; what bounds a transaction, and ends a session, is the run.
-- name: session_options
-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off -c enable_bitmapscan=off -c idle_session_timeout=0 -c statement_timeout=0 -c lock_timeout=0

-- name: call_new_order
-- params: i32 i32 i32 time i32[] i32[] i32[] i32[]
call tpcc.new_order($1, $2, $3, $4, $5, $6, $7, $8, null)

-- name: call_payment
-- params: i32 i32 i32 i32 i32 text cents time
select tpcc.payment($1, $2, $3, $4, $5, $6, $7, $8)

-- name: call_order_status
-- params: i32 i32 i32 text
select * from tpcc.order_status($1, $2, $3, $4)

-- name: call_delivery
-- params: i32 i32 time
select tpcc.delivery($1, $2, $3)

-- name: call_stock_level
-- params: i32 i32 i32
select low_stock from tpcc.stock_level($1, $2, $3)
