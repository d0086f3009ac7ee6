-- Counts and sums that a load must leave (4.3.3.1), by warehouse: the warehouse, its rows, then the
-- values in the order in which the loader expects them. $1..$2 is a range of warehouses.

-- name: sums_item
select 1, count(*), sum(cast(i_id as bigint)), sum(case when i_data like '%ORIGINAL%' then 1 else 0 end) from tpcc.item

-- name: sums_warehouse
-- params: i32 i32
select w_id, count(*), sum(w_ytd) from tpcc.warehouse
 where w_id between $1 and $2 group by w_id

-- name: sums_stock
-- params: i32 i32
select s_w_id, count(*), sum(cast(s_i_id as bigint)), sum(case when s_data like '%ORIGINAL%' then 1 else 0 end),
       sum(cast(s_ytd as bigint) + s_order_cnt + s_remote_cnt)
  from tpcc.stock where s_w_id between $1 and $2 group by s_w_id

-- name: sums_district
-- params: i32 i32
select d_w_id, count(*), sum(d_id), sum(d_ytd), sum(d_next_o_id) from tpcc.district
 where d_w_id between $1 and $2 group by d_w_id

-- name: sums_customer
-- params: i32 i32
select c_w_id, count(*), sum(cast(c_id as bigint)), sum(c_balance), sum(c_ytd_payment), sum(case when c_credit = 'BC' then 1 else 0 end)
  from tpcc.customer where c_w_id between $1 and $2 group by c_w_id

-- name: sums_history
-- params: i32 i32
select h_w_id, count(*), sum(h_amount), sum(cast(h_c_id as bigint)) from tpcc.history
 where h_w_id between $1 and $2 group by h_w_id

-- name: sums_orders
-- params: i32 i32
select o_w_id, count(*), count(distinct o_d_id * 100000 + o_c_id), count(o_carrier_id),
       sum(o_ol_cnt)
  from tpcc.orders where o_w_id between $1 and $2 group by o_w_id

-- name: sums_order_line
-- params: i32 i32
select ol_w_id, count(*), coalesce(sum(case when ol_o_id < 2101 then ol_amount end), 0),
       sum(case when (ol_delivery_d is null and ol_o_id < 2101)
                  or (ol_delivery_d is not null and ol_o_id >= 2101)
                  or (ol_o_id >= 2101 and ol_amount = 0) then 1 else 0 end)
  from tpcc.order_line where ol_w_id between $1 and $2 group by ol_w_id

-- name: sums_new_order
-- params: i32 i32
select no_w_id, count(*), sum(cast(no_o_id as bigint)) from tpcc.new_order
 where no_w_id between $1 and $2 group by no_w_id
