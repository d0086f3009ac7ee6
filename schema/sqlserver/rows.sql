-- All rows of a table, for the checksum. Columns as the loader writes them; times as microseconds since
-- 1970. A warehouse stands for 1,024 blocks, which is what a reader takes at a time.

-- name: blocks_item
select 1024

-- name: rows_item
-- params: i64 i64
select i_id, i_im_id, i_price, i_name, i_data
  from tpcc.item
 where $1 < $2

-- name: blocks_warehouse
select coalesce(max(w_id), 0) * 1024 from tpcc.warehouse

-- name: rows_warehouse
-- params: i64 i64
select w_id, w_tax, w_ytd, w_name, w_street_1, w_street_2, w_city, w_state, w_zip
  from tpcc.warehouse
 where w_id > $1 / 1024 and w_id <= ($2 + 1023) / 1024

-- name: blocks_stock
select coalesce(max(s_w_id), 0) * 1024 from tpcc.stock

-- name: rows_stock
-- params: i64 i64
select s_i_id, s_w_id, s_quantity, s_ytd, s_order_cnt, s_remote_cnt, s_data, s_dist_01,
       s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09,
       s_dist_10
  from tpcc.stock
 where s_w_id > $1 / 1024 and s_w_id <= ($2 + 1023) / 1024

-- name: blocks_district
select coalesce(max(d_w_id), 0) * 1024 from tpcc.district

-- name: rows_district
-- params: i64 i64
select d_id, d_w_id, d_next_o_id, d_tax, d_ytd, d_name, d_street_1, d_street_2, d_city, d_state,
       d_zip
  from tpcc.district
 where d_w_id > $1 / 1024 and d_w_id <= ($2 + 1023) / 1024

-- name: blocks_customer
select coalesce(max(c_w_id), 0) * 1024 from tpcc.customer

-- name: rows_customer
-- params: i64 i64
select c_id, c_d_id, c_w_id, c_payment_cnt, c_delivery_cnt,
       datediff_big(microsecond, '1970-01-01', c_since), c_balance,
       c_ytd_payment, c_credit_lim, c_discount, c_credit, c_last, c_first, c_middle, c_street_1,
       c_street_2, c_city, c_state, c_zip, c_phone, c_data
  from tpcc.customer
 where c_w_id > $1 / 1024 and c_w_id <= ($2 + 1023) / 1024

-- name: blocks_history
select coalesce(max(h_w_id), 0) * 1024 from tpcc.history

-- name: rows_history
-- params: i64 i64
select h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id,
       datediff_big(microsecond, '1970-01-01', h_date), h_amount, h_data
  from tpcc.history
 where h_w_id > $1 / 1024 and h_w_id <= ($2 + 1023) / 1024

-- name: blocks_orders
select coalesce(max(o_w_id), 0) * 1024 from tpcc.orders

-- name: rows_orders
-- params: i64 i64
select o_id, o_d_id, o_w_id, o_c_id,
       datediff_big(microsecond, '1970-01-01', o_entry_d), o_carrier_id,
       o_ol_cnt, o_all_local
  from tpcc.orders
 where o_w_id > $1 / 1024 and o_w_id <= ($2 + 1023) / 1024

-- name: blocks_order_line
select coalesce(max(ol_w_id), 0) * 1024 from tpcc.order_line

-- name: rows_order_line
-- params: i64 i64
select ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,
       datediff_big(microsecond, '1970-01-01', ol_delivery_d), ol_quantity,
       ol_amount, ol_dist_info
  from tpcc.order_line
 where ol_w_id > $1 / 1024 and ol_w_id <= ($2 + 1023) / 1024

-- name: blocks_new_order
select coalesce(max(no_w_id), 0) * 1024 from tpcc.new_order

-- name: rows_new_order
-- params: i64 i64
select no_o_id, no_d_id, no_w_id
  from tpcc.new_order
 where no_w_id > $1 / 1024 and no_w_id <= ($2 + 1023) / 1024
