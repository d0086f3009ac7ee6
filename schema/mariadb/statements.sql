-- The five transactions (2.4 to 2.8) as statements that the program sends, several in a round trip
-- where none needs a reply of another (--transport statements). They take the same locks in the same
-- order as the procedures, and leave the same rows; procedures.sql tells what must hold. Lines come in
-- lists ("1,2,3"), sorted by (warehouse, item), and are taken apart by a series of numbers (in MySQL's
-- not json_table's, for which an UPDATE wants a database to be selected).

-- name: txn_begin
start transaction

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
select straight_join n, s_w_id, s_i_id, s_quantity, i_name,
       if(i_data like '%ORIGINAL%' and s_data like '%ORIGINAL%', 'B', 'G'), i_price, i_price * q
  from (select cast(substring_index(substring_index($1, ',', seq), ',', -1) as signed) as n,
               cast(substring_index(substring_index($2, ',', seq), ',', -1) as signed) as i,
               cast(substring_index(substring_index($3, ',', seq), ',', -1) as signed) as w,
               cast(substring_index(substring_index($4, ',', seq), ',', -1) as signed) as q
          from /*M! tpcc.seq_1_to_15 */ /*!80019 (values row(1), row(2), row(3), row(4), row(5),
                   row(6), row(7), row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)) s (seq) */
         where seq <= 1 + length($1) - length(replace($1, ',', ''))) l
       join tpcc.item on i_id = i
       join tpcc.stock on s_w_id = w and s_i_id = i
   for update

-- Warehouse, item, new quantity, and what is added to S_YTD, S_ORDER_CNT and S_REMOTE_CNT.
-- name: new_order_stock
-- params: i32[] i32[] i32[] i32[] i32[] i32[]
update tpcc.stock join (select cast(substring_index(substring_index($1, ',', seq), ',', -1) as signed) as w,
               cast(substring_index(substring_index($2, ',', seq), ',', -1) as signed) as i,
               cast(substring_index(substring_index($3, ',', seq), ',', -1) as signed) as quantity,
               cast(substring_index(substring_index($4, ',', seq), ',', -1) as signed) as ytd,
               cast(substring_index(substring_index($5, ',', seq), ',', -1) as signed) as orders,
               cast(substring_index(substring_index($6, ',', seq), ',', -1) as signed) as remote
          from /*M! tpcc.seq_1_to_15 */ /*!80019 (values row(1), row(2), row(3), row(4), row(5),
                   row(6), row(7), row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)) s (seq) */
         where seq <= 1 + length($1) - length(replace($1, ',', ''))) l
       on s_w_id = w and s_i_id = i
   set s_quantity = quantity, s_ytd = s_ytd + ytd, s_order_cnt = s_order_cnt + orders,
       s_remote_cnt = s_remote_cnt + remote

-- name: new_order_order_lines
-- params: i32 i32 i32 i32[] i32[] i32[] i32[]
insert into tpcc.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,
       ol_quantity, ol_amount, ol_dist_info)
select straight_join $1, $2, $3, n, i, w, q, i_price * q,
       case $2 when 1 then s_dist_01 when 2 then s_dist_02 when 3 then s_dist_03
           when 4 then s_dist_04 when 5 then s_dist_05 when 6 then s_dist_06
           when 7 then s_dist_07 when 8 then s_dist_08 when 9 then s_dist_09
           when 10 then s_dist_10 end
  from (select cast(substring_index(substring_index($4, ',', seq), ',', -1) as signed) as n,
               cast(substring_index(substring_index($5, ',', seq), ',', -1) as signed) as i,
               cast(substring_index(substring_index($6, ',', seq), ',', -1) as signed) as w,
               cast(substring_index(substring_index($7, ',', seq), ',', -1) as signed) as q
          from /*M! tpcc.seq_1_to_15 */ /*!80019 (values row(1), row(2), row(3), row(4), row(5),
                   row(6), row(7), row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)) s (seq) */
         where seq <= 1 + length($4) - length(replace($4, ',', ''))) l
       join tpcc.item on i_id = i
       join tpcc.stock on s_w_id = w and s_i_id = i

-- Home warehouse and district, the customer's warehouse, district and number, amount.
-- name: payment_customer
-- params: i32 i32 i32 i32 i32 cents
update tpcc.customer set
       c_balance = c_balance - cast($6 as decimal(6,2)),
       c_ytd_payment = c_ytd_payment + cast($6 as decimal(6,2)),
       c_payment_cnt = c_payment_cnt + 1,
       c_data = if(c_credit = 'BC', left(concat_ws(' ', c_id, c_d_id, c_w_id, $2, $1,
           cast($6 as decimal(6,2)), c_data), 500), c_data)
 where c_w_id = $3 and c_d_id = $4 and c_id = $5

-- As procedure payment tells of the customer.
-- name: payment_told
-- params: i32 i32 i32
select concat_ws('|', c_id, c_w_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city,
       c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance,
       if(c_credit = 'BC', left(c_data, 200), ''))
  from tpcc.customer where c_w_id = $1 and c_d_id = $2 and c_id = $3

-- name: payment_district
-- params: i32 i32 cents
update tpcc.district set d_ytd = d_ytd + cast($3 as decimal(6,2)) where d_w_id = $1 and d_id = $2

-- name: payment_warehouse
-- params: i32 cents
update tpcc.warehouse set w_ytd = w_ytd + cast($2 as decimal(6,2)) where w_id = $1

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
       join tpcc.orders o on o.o_w_id = $1 and o.o_d_id = $2 and o.o_id = (
           select max(n.o_id) from tpcc.orders n
            where n.o_w_id = $1 and n.o_d_id = $2 and n.o_c_id = $3)
       join tpcc.order_line ol on ol.ol_w_id = $1 and ol.ol_d_id = $2 and ol.ol_o_id = o.o_id
 where c.c_w_id = $1 and c.c_d_id = $2 and c.c_id = $3

-- Deliveries of a warehouse wait for each other at the rows that the next statement locks.
-- name: delivery_lock
-- params: i32
select $1

-- District and number of the oldest new order of each district that has one.
-- name: delivery_oldest
-- params: i32
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 1
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 2
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 3
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 4
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 5
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 6
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 7
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 8
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 9
 order by no_o_id limit 1 for update)
union all
(select no_d_id, no_o_id from tpcc.new_order where no_w_id = $1 and no_d_id = 10
 order by no_o_id limit 1 for update)

-- Of the warehouse, these districts and orders; the date or the carrier stands before them.
-- name: delivery_new_orders
-- params: i32 i32[] i32[]
delete tpcc.new_order from tpcc.new_order join (select cast(substring_index(substring_index($2, ',', seq), ',', -1) as signed) as d,
               cast(substring_index(substring_index($3, ',', seq), ',', -1) as signed) as o
          from /*M! tpcc.seq_1_to_15 */ /*!80019 (values row(1), row(2), row(3), row(4), row(5),
                   row(6), row(7), row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)) s (seq) */
         where seq <= 1 + length($2) - length(replace($2, ',', ''))) l
       on no_w_id = $1 and no_d_id = d and no_o_id = o

-- name: delivery_orders
-- params: i32 i32 i32[] i32[]
update tpcc.orders join (select cast(substring_index(substring_index($3, ',', seq), ',', -1) as signed) as d,
               cast(substring_index(substring_index($4, ',', seq), ',', -1) as signed) as o
          from /*M! tpcc.seq_1_to_15 */ /*!80019 (values row(1), row(2), row(3), row(4), row(5),
                   row(6), row(7), row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)) s (seq) */
         where seq <= 1 + length($3) - length(replace($3, ',', ''))) l
       on o_w_id = $1 and o_d_id = d and o_id = o
   set o_carrier_id = $2

-- name: delivery_lines
-- params: i32 time i32[] i32[]
update tpcc.order_line join (select cast(substring_index(substring_index($3, ',', seq), ',', -1) as signed) as d,
               cast(substring_index(substring_index($4, ',', seq), ',', -1) as signed) as o
          from /*M! tpcc.seq_1_to_15 */ /*!80019 (values row(1), row(2), row(3), row(4), row(5),
                   row(6), row(7), row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)) s (seq) */
         where seq <= 1 + length($3) - length(replace($3, ',', ''))) l
       on ol_w_id = $1 and ol_d_id = d and ol_o_id = o
   set ol_delivery_d = $2

-- name: delivery_customers
-- params: i32 i32[] i32[]
update tpcc.customer join (
       select o_d_id, o_c_id, sum(ol_amount) as amount
          from (select cast(substring_index(substring_index($2, ',', seq), ',', -1) as signed) as d,
               cast(substring_index(substring_index($3, ',', seq), ',', -1) as signed) as o
          from /*M! tpcc.seq_1_to_15 */ /*!80019 (values row(1), row(2), row(3), row(4), row(5),
                   row(6), row(7), row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)) s (seq) */
         where seq <= 1 + length($2) - length(replace($2, ',', ''))) l
               join tpcc.orders on o_w_id = $1 and o_d_id = d and o_id = o
               join tpcc.order_line on ol_w_id = $1 and ol_d_id = d and ol_o_id = o
         group by o_d_id, o_c_id) a
       on c_w_id = $1 and c_d_id = o_d_id and c_id = o_c_id
   set c_balance = c_balance + amount, c_delivery_cnt = c_delivery_cnt + 1

-- name: stock_level_count
-- params: i32 i32 i32
select count(distinct s_i_id)
  from tpcc.district
       join tpcc.order_line on ol_w_id = $1 and ol_d_id = $2
           and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
       join tpcc.stock on s_w_id = $1 and s_i_id = ol_i_id
 where d_w_id = $1 and d_id = $2 and s_quantity < $3