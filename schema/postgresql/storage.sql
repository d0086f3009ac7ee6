-- The storage parameters of a loaded dataset: how often and how hard autovacuum looks after the
-- tables that a run changes. With the server's own defaults the first vacuum of order_line comes
-- after a fifth of it was added: within the sample on a slow drive and not on a fast one. Statistics
-- are renewed seldom: the load leaves them, the plans of a run go by key whatever they say, and a
-- sample of 30,000 rows costs as much as a thousand transactions and all sessions their plans. The
-- manifest keeps what was set.

-- name: storage_item
alter table tpcc.item reset (autovacuum_enabled)

-- name: storage_warehouse
alter table tpcc.warehouse reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 4000,
    autovacuum_analyze_scale_factor = 0.5)

-- name: storage_stock
alter table tpcc.stock reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_cost_limit = 4000, autovacuum_analyze_scale_factor = 0.5)

-- name: storage_district
alter table tpcc.district reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 4000,
    autovacuum_analyze_scale_factor = 0.5)

-- name: storage_customer
alter table tpcc.customer reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_cost_limit = 4000, autovacuum_analyze_scale_factor = 0.5)

-- name: storage_history
alter table tpcc.history reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_cost_limit = 4000, autovacuum_analyze_scale_factor = 0.5)

-- name: storage_orders
alter table tpcc.orders reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_cost_limit = 4000, autovacuum_analyze_scale_factor = 0.5)

-- name: storage_order_line
alter table tpcc.order_line reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_cost_limit = 4000, autovacuum_analyze_scale_factor = 0.5)

-- name: storage_new_order
alter table tpcc.new_order reset (autovacuum_enabled), set (
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_vacuum_cost_limit = 4000, autovacuum_analyze_scale_factor = 0.5)
