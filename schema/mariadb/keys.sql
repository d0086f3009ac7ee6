-- The keys come with the tables (tables.sql): nothing is left to do here.

-- name: key_item
set @unused = 0

-- name: key_warehouse
set @unused = 0

-- name: key_stock
set @unused = 0

-- name: key_district
set @unused = 0

-- name: key_customer
set @unused = 0

-- name: key_orders
set @unused = 0

-- name: key_order_line
set @unused = 0

-- name: key_new_order
set @unused = 0
