-- Tables have no settings of their own here.

-- name: storage_item
declare @unused int

-- name: storage_warehouse
declare @unused int

-- name: storage_stock
declare @unused int

-- name: storage_district
declare @unused int

-- name: storage_customer
declare @unused int

-- name: storage_history
declare @unused int

-- name: storage_orders
declare @unused int

-- name: storage_order_line
declare @unused int

-- name: storage_new_order
declare @unused int
