-- The five transactions (2.4 to 2.8) as statements that the program sends, several in a round trip
-- where none needs a reply of another (--transport statements). They take the same locks in the same
-- order as the procedures, and leave the same rows; procedures.sql tells what must hold. Lines come in
-- arrays, sorted by (warehouse, item).

-- name: txn_begin
begin

-- name: txn_commit
commit

-- name: txn_rollback
rollback

-- Customers of a last name by first name, of which the program takes the middle one (2.5.2.2).
-- name: customers_named
-- params: i32 i32 text
select c_id from tpcc.customer where c_w_id = $1 and c_d_id = $2 and c_last = $3 order by c_first

-- name: new_order_head
-- params: i32 i32 i32
select w_tax, concat_ws('|', c_discount, c_last, c_credit)
  from tpcc.warehouse, tpcc.customer
 where w_id = $1 and c_w_id = $1 and c_d_id = $2 and c_id = $3

-- name: new_order_district
-- params: i32 i32
select d_next_o_id, d_tax from tpcc.district where d_w_id = $1 and d_id = $2 for update

-- name: new_order_next
-- params: i32 i32
update tpcc.district set d_next_o_id = d_next_o_id + 1 where d_w_id = $1 and d_id = $2

-- name: new_order_order
-- params: i32 i32 i32 i32 time i32 i32
insert into tpcc.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
values ($1, $2, $3, $4, $5, $6, $7)

-- name: new_order_new_order
-- params: i32 i32 i32
insert into tpcc.new_order (no_o_id, no_d_id, no_w_id) values ($1, $2, $3)

-- Each line that has an item, with its stock row locked: number, warehouse and item of the row,
-- quantity before, name, brand or generic, price, amount. A row may stand in two lines.
-- name: new_order_lines
-- params: i32[] i32[] i32[] i32[]
select n, s_w_id, s_i_id, s_quantity, i_name,
       case when i_data like '%ORIGINAL%' and s_data like '%ORIGINAL%' then 'B' else 'G' end,
       i_price, i_price * q
  from (select unnest($1) as n, unnest($2) as i, unnest($3) as w, unnest($4) as q) l
       join tpcc.item on i_id = i
       join tpcc.stock on s_w_id = w and s_i_id = i
 order by s_w_id, s_i_id, n
   for update of stock

-- Warehouse, item, new quantity, and what is added to S_YTD, S_ORDER_CNT and S_REMOTE_CNT.
-- name: new_order_stock
-- params: i32[] i32[] i32[] i32[] i32[] i32[]
update tpcc.stock set s_quantity = quantity, s_ytd = s_ytd + ytd, s_order_cnt = s_order_cnt + orders,
       s_remote_cnt = s_remote_cnt + remote
  from (select unnest($1) as w, unnest($2) as i, unnest($3) as quantity, unnest($4) as ytd,
               unnest($5) as orders, unnest($6) as remote) l
 where s_w_id = w and s_i_id = i

-- name: new_order_order_lines
-- params: i32 i32 i32 i32[] i32[] i32[] i32[]
insert into tpcc.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,
       ol_quantity, ol_amount, ol_dist_info)
select $1, $2, $3, n, i, w, q, i_price * q,
       case $2 when 1 then s_dist_01 when 2 then s_dist_02 when 3 then s_dist_03
           when 4 then s_dist_04 when 5 then s_dist_05 when 6 then s_dist_06
           when 7 then s_dist_07 when 8 then s_dist_08 when 9 then s_dist_09
           when 10 then s_dist_10 end
  from (select unnest($4) as n, unnest($5) as i, unnest($6) as w, unnest($7) as q) l
       join tpcc.item on i_id = i
       join tpcc.stock on s_w_id = w and s_i_id = i

-- Home warehouse and district, the customer's warehouse, district and number, amount.
-- name: payment_customer
-- params: i32 i32 i32 i32 i32 cents
update tpcc.customer set
       c_balance = c_balance - $6,
       c_ytd_payment = c_ytd_payment + $6,
       c_payment_cnt = c_payment_cnt + 1,
       c_data = case when c_credit = 'BC' then left(concat_ws(' ', c_id, c_d_id, c_w_id, $2, $1, $6,
           c_data), 500) else c_data end
 where c_w_id = $3 and c_d_id = $4 and c_id = $5

-- As procedure payment tells of the customer.
-- name: payment_told
-- params: i32 i32 i32
select concat_ws('|', c_id, c_w_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city,
       c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance,
       case when c_credit = 'BC' then left(c_data, 200) else '' end)
  from tpcc.customer where c_w_id = $1 and c_d_id = $2 and c_id = $3

-- name: payment_district
-- params: i32 i32 cents
update tpcc.district set d_ytd = d_ytd + $3 where d_w_id = $1 and d_id = $2

-- name: payment_warehouse
-- params: i32 cents
update tpcc.warehouse set w_ytd = w_ytd + $2 where w_id = $1

-- name: payment_history
-- params: i32 i32 i32 i32 i32 cents time
insert into tpcc.history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
select $5, $4, $3, $2, $1, $7, $6, concat(w_name, '    ', d_name)
  from tpcc.warehouse, tpcc.district where w_id = $1 and d_w_id = $1 and d_id = $2

-- name: payment_places
-- params: i32 i32
select concat_ws('|', d_street_1, d_street_2, d_city, d_state, d_zip, w_street_1, w_street_2, w_city,
       w_state, w_zip)
  from tpcc.warehouse, tpcc.district where w_id = $1 and d_w_id = $1 and d_id = $2

-- Columns as procedure order_status has them.
-- name: order_status_lines
-- params: i32 i32 i32
select c.c_id, c.c_first, c.c_middle, c.c_last, c.c_balance, o.o_id, o.o_entry_d, o.o_carrier_id,
       ol.ol_i_id, ol.ol_supply_w_id, ol.ol_quantity, ol.ol_amount, ol.ol_delivery_d
  from tpcc.customer c
       cross join lateral (
           select n.o_id, n.o_entry_d, n.o_carrier_id from tpcc.orders n
            where n.o_w_id = $1 and n.o_d_id = $2 and n.o_c_id = c.c_id
            order by n.o_id desc limit 1) o
       join tpcc.order_line ol on ol.ol_w_id = $1 and ol.ol_d_id = $2 and ol.ol_o_id = o.o_id
 where c.c_w_id = $1 and c.c_d_id = $2 and c.c_id = $3

-- Deliveries of a warehouse wait for each other.
-- name: delivery_lock
-- params: i32
select pg_advisory_xact_lock('tpcc.new_order'::regclass::oid::int, $1)

-- District and number of the oldest new order of each district that has one.
-- name: delivery_oldest
-- params: i32
select d, no_o_id from generate_series(1, 10) d, lateral (
       select no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = d
        order by no_o_id limit 1) n

-- Of the warehouse, these districts and orders; the date or the carrier stands before them.
-- name: delivery_new_orders
-- params: i32 i32[] i32[]
delete from tpcc.new_order using (select unnest($2) as d, unnest($3) as o) l
 where no_w_id = $1 and no_d_id = d and no_o_id = o

-- name: delivery_orders
-- params: i32 i32 i32[] i32[]
update tpcc.orders set o_carrier_id = $2 from (select unnest($3) as d, unnest($4) as o) l
 where o_w_id = $1 and o_d_id = d and o_id = o

-- name: delivery_lines
-- params: i32 time i32[] i32[]
update tpcc.order_line set ol_delivery_d = $2 from (select unnest($3) as d, unnest($4) as o) l
 where ol_w_id = $1 and ol_d_id = d and ol_o_id = o

-- name: delivery_customers
-- params: i32 i32[] i32[]
update tpcc.customer set c_balance = c_balance + amount, c_delivery_cnt = c_delivery_cnt + 1
  from (select o_d_id, o_c_id, sum(ol_amount) as amount
          from (select unnest($2) as d, unnest($3) as o) l
               join tpcc.orders on o_w_id = $1 and o_d_id = d and o_id = o
               join tpcc.order_line on ol_w_id = $1 and ol_d_id = d and ol_o_id = o
         group by o_d_id, o_c_id) a
 where c_w_id = $1 and c_d_id = o_d_id and c_id = o_c_id

-- name: stock_level_count
-- params: i32 i32 i32
select count(*) from tpcc.stock
 where s_w_id = $1 and s_quantity < $3 and s_i_id = any (array(
       select ol_i_id from tpcc.district
         join tpcc.order_line on ol_w_id = $1 and ol_d_id = $2
          and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
        where d_w_id = $1 and d_id = $2))
