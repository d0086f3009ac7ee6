-- What a session sends for each transaction: one statement, one round trip, its commit included. An
-- array travels as a text, "1,2,3".

-- name: call_new_order
-- params: i32 i32 i32 time i32[] i32[] i32[] i32[]
call tpcc.new_order($1, $2, $3, $4, $5, $6, $7, $8)

-- name: call_payment
-- params: i32 i32 i32 i32 i32 text cents time
call tpcc.payment($1, $2, $3, $4, $5, $6, $7, $8)

-- name: call_order_status
-- params: i32 i32 i32 text
call tpcc.order_status($1, $2, $3, $4)

-- name: call_delivery
-- params: i32 i32 time
call tpcc.delivery($1, $2, $3)

-- name: call_stock_level
-- params: i32 i32 i32
call tpcc.stock_level($1, $2, $3)
