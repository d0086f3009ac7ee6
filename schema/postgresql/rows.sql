-- All rows of a table as they lie on its blocks $1 (included) to $2 (not included), for the
-- checksum. Columns as the loader writes them; times as microseconds since 1970.

-- name: blocks_item
select pg_relation_size('tpcc.item') / current_setting('block_size')::bigint

-- name: rows_item
-- params: i64 i64
select i_id, i_im_id, i_price, i_name, i_data
  from tpcc.item
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_warehouse
select pg_relation_size('tpcc.warehouse') / current_setting('block_size')::bigint

-- name: rows_warehouse
-- params: i64 i64
select w_id, w_tax, w_ytd, w_name, w_street_1, w_street_2, w_city, w_state, w_zip
  from tpcc.warehouse
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_stock
select pg_relation_size('tpcc.stock') / current_setting('block_size')::bigint

-- name: rows_stock
-- params: i64 i64
select s_i_id, s_w_id, s_quantity, s_ytd, s_order_cnt, s_remote_cnt, s_data, s_dist_01,
       s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09,
       s_dist_10
  from tpcc.stock
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_district
select pg_relation_size('tpcc.district') / current_setting('block_size')::bigint

-- name: rows_district
-- params: i64 i64
select d_id, d_w_id, d_next_o_id, d_tax, d_ytd, d_name, d_street_1, d_street_2, d_city, d_state,
       d_zip
  from tpcc.district
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_customer
select pg_relation_size('tpcc.customer') / current_setting('block_size')::bigint

-- name: rows_customer
-- params: i64 i64
select c_id, c_d_id, c_w_id, c_payment_cnt, c_delivery_cnt,
       (extract(epoch from c_since) * 1000000)::bigint, c_balance, c_ytd_payment, c_credit_lim,
       c_discount, c_credit, c_last, c_first, c_middle, c_street_1, c_street_2, c_city, c_state,
       c_zip, c_phone, c_data
  from tpcc.customer
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_history
select pg_relation_size('tpcc.history') / current_setting('block_size')::bigint

-- name: rows_history
-- params: i64 i64
select h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id,
       (extract(epoch from h_date) * 1000000)::bigint, h_amount, h_data
  from tpcc.history
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_orders
select pg_relation_size('tpcc.orders') / current_setting('block_size')::bigint

-- name: rows_orders
-- params: i64 i64
select o_id, o_d_id, o_w_id, o_c_id, (extract(epoch from o_entry_d) * 1000000)::bigint,
       o_carrier_id, o_ol_cnt, o_all_local
  from tpcc.orders
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_order_line
select pg_relation_size('tpcc.order_line') / current_setting('block_size')::bigint

-- name: rows_order_line
-- params: i64 i64
select ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,
       (extract(epoch from ol_delivery_d) * 1000000)::bigint, ol_quantity, ol_amount,
       ol_dist_info
  from tpcc.order_line
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid

-- name: blocks_new_order
select pg_relation_size('tpcc.new_order') / current_setting('block_size')::bigint

-- name: rows_new_order
-- params: i64 i64
select no_o_id, no_d_id, no_w_id
  from tpcc.new_order
 where ctid >= ('(' || $1 || ',0)')::tid and ctid < ('(' || $2 || ',0)')::tid
