-- What a session sends for each transaction: one statement, one round trip, its commit included. An
-- array travels as a text, "1,2,3".

-- name: call_new_order
-- params: i32 i32 i32 time i32[] i32[] i32[] i32[]
exec tpcc.new_order $1, $2, $3, $4, $5, $6, $7, $8

-- name: call_payment
-- params: i32 i32 i32 i32 i32 text cents time
exec tpcc.payment $1, $2, $3, $4, $5, $6, $7, $8

-- name: call_order_status
-- params: i32 i32 i32 text
exec tpcc.order_status $1, $2, $3, $4

-- name: call_delivery
-- params: i32 i32 time
exec tpcc.delivery $1, $2, $3

-- name: call_stock_level
-- params: i32 i32 i32
exec tpcc.stock_level $1, $2, $3
