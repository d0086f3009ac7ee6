-- The keys of 1.3.1 and the two secondary ones: customers by name, a customer's newest order.
-- HISTORY has none.

-- name: key_item
alter table tpcc.item add primary key (i_id)

-- name: key_warehouse
alter table tpcc.warehouse add primary key (w_id)

-- name: key_stock
alter table tpcc.stock add primary key (s_w_id, s_i_id)

-- name: key_district
alter table tpcc.district add primary key (d_w_id, d_id)

-- name: key_customer
alter table tpcc.customer add primary key (c_w_id, c_d_id, c_id)

-- name: key_2_customer
create index customer_name on tpcc.customer (c_w_id, c_d_id, c_last, c_first)

-- name: key_orders
alter table tpcc.orders add primary key (o_w_id, o_d_id, o_id)

-- name: key_2_orders
create index orders_customer on tpcc.orders (o_w_id, o_d_id, o_c_id, o_id)

-- name: key_order_line
alter table tpcc.order_line add primary key (ol_w_id, ol_d_id, ol_o_id, ol_number)

-- name: key_new_order
alter table tpcc.new_order add primary key (no_w_id, no_d_id, no_o_id)
