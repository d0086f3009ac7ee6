-- InnoDB looks after its tables without settings of their own.

-- name: storage_item
set @unused = 0

-- name: storage_warehouse
set @unused = 0

-- name: storage_stock
set @unused = 0

-- name: storage_district
set @unused = 0

-- name: storage_customer
set @unused = 0

-- name: storage_history
set @unused = 0

-- name: storage_orders
set @unused = 0

-- name: storage_order_line
set @unused = 0

-- name: storage_new_order
set @unused = 0
