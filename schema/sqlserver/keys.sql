-- The primary keys come with the tables (tables.sql); the two secondary ones: customers by name, a
-- customer's newest order.

-- name: key_item
declare @unused int

-- name: key_warehouse
declare @unused int

-- name: key_stock
declare @unused int

-- name: key_district
declare @unused int

-- name: key_customer
declare @unused int

-- name: key_2_customer
create index customer_name on tpcc.customer (c_w_id, c_d_id, c_last, c_first)

-- name: key_orders
declare @unused int

-- name: key_2_orders
create unique index orders_customer on tpcc.orders (o_w_id, o_d_id, o_c_id, o_id)

-- name: key_order_line
declare @unused int

-- name: key_new_order
declare @unused int
