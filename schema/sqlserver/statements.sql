-- The five transactions (2.4 to 2.8) as statements that the program sends (--transport statements).
-- They take the same locks in the same order as the procedures, and leave the same rows;
-- procedures.sql tells what must hold. Lines come in lists ("1,2,3"), sorted by (warehouse, item).
-- What begins or ends a transaction has no parameter: a driver sends it as it is, where what it has
-- prepared must leave as many transactions open as it found. updlock holds a row that is written
-- later and gives its newest value, with read_committed_snapshot or without; Babelfish reads the word and
-- locks nothing. Not yet run on SQL Server.

-- name: txn_begin
begin transaction

-- name: txn_commit
commit transaction

-- name: txn_rollback
if @@trancount > 0 rollback transaction

-- name: customers_named
-- params: i32 i32 text
-- Customers of a last name by first name, of which the program takes the middle one (2.5.2.2).
select c_id from tpcc.customer
 where c_w_id = $1 and c_d_id = $2 and c_last = $3 collate Latin1_General_BIN2 order by c_first

-- name: new_order_head
-- params: i32 i32 i32
select w_tax, concat(c_discount, '|', c_last, '|', c_credit)
  from tpcc.warehouse, tpcc.customer
 where w_id = $1 and c_w_id = $1 and c_d_id = $2 and c_id = $3

-- name: new_order_district
-- params: i32 i32
update tpcc.district set d_next_o_id = d_next_o_id + 1 where d_w_id = $1 and d_id = $2;
select d_next_o_id - 1, d_tax from tpcc.district where d_w_id = $1 and d_id = $2

-- name: new_order_next
-- params: i32 i32
-- Done with the statement before.
select $1, $2

-- name: new_order_order
-- params: i32 i32 i32 i32 time i32 i32
insert into tpcc.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
values ($1, $2, $3, $4, $5, $6, $7)

-- name: new_order_new_order
-- params: i32 i32 i32
insert into tpcc.new_order (no_o_id, no_d_id, no_w_id) values ($1, $2, $3)

-- name: new_order_lines
-- params: i32[] i32[] i32[] i32[]
-- Each line that has an item, with its stock row locked: number, warehouse and item of the row,
-- quantity before, name, brand or generic, price, amount. A row may stand in two lines. The hints keep
-- the order of the lists, in which stock is locked.
if serverproperty('Babelfish') is not null
    update tpcc.stock set s_quantity = s_quantity
      from tpcc.stock join (select cast(a.value as int) as i, cast(b.value as int) as w
          from openjson('[' + $2 + ']') a
               join openjson('[' + $3 + ']') b on b.[key] = a.[key]) l on s_w_id = w and s_i_id = i;
select n, s_w_id, s_i_id, s_quantity, i_name,
       case when i_data like '%ORIGINAL%' and s_data like '%ORIGINAL%' then 'B' else 'G' end,
       i_price, i_price * q
  from (select cast(a.value as int) as n, cast(b.value as int) as i,
               cast(c.value as int) as w, cast(d.value as int) as q
          from openjson('[' + $1 + ']') a
               join openjson('[' + $2 + ']') b on b.[key] = a.[key]
               join openjson('[' + $3 + ']') c on c.[key] = a.[key]
               join openjson('[' + $4 + ']') d on d.[key] = a.[key]) l
       join tpcc.item on i_id = i
       join tpcc.stock with (updlock, rowlock) on s_w_id = w and s_i_id = i
option (loop join, force order)

-- name: new_order_stock
-- params: i32[] i32[] i32[] i32[] i32[] i32[]
-- Warehouse, item, new quantity, and what is added to S_YTD, S_ORDER_CNT and S_REMOTE_CNT.
update tpcc.stock set s_quantity = quantity, s_ytd = s_ytd + ytd,
       s_order_cnt = s_order_cnt + orders, s_remote_cnt = s_remote_cnt + remote
  from tpcc.stock join (select cast(a.value as int) as w, cast(b.value as int) as i,
               cast(c.value as int) as quantity, cast(d.value as int) as ytd,
               cast(e.value as int) as orders, cast(f.value as int) as remote
          from openjson('[' + $1 + ']') a
               join openjson('[' + $2 + ']') b on b.[key] = a.[key]
               join openjson('[' + $3 + ']') c on c.[key] = a.[key]
               join openjson('[' + $4 + ']') d on d.[key] = a.[key]
               join openjson('[' + $5 + ']') e on e.[key] = a.[key]
               join openjson('[' + $6 + ']') f on f.[key] = a.[key]) l
       on s_w_id = w and s_i_id = i

-- name: new_order_order_lines
-- params: i32 i32 i32 i32[] i32[] i32[] i32[]
insert into tpcc.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,
       ol_quantity, ol_amount, ol_dist_info)
select cast($1 as int), cast($2 as int), cast($3 as int), n, i, w, q, i_price * q,
       case $2 when 1 then s_dist_01 when 2 then s_dist_02 when 3 then s_dist_03
           when 4 then s_dist_04 when 5 then s_dist_05 when 6 then s_dist_06
           when 7 then s_dist_07 when 8 then s_dist_08 when 9 then s_dist_09
           when 10 then s_dist_10 end
  from (select cast(a.value as int) as n, cast(b.value as int) as i,
               cast(c.value as int) as w, cast(d.value as int) as q
          from openjson('[' + $4 + ']') a
               join openjson('[' + $5 + ']') b on b.[key] = a.[key]
               join openjson('[' + $6 + ']') c on c.[key] = a.[key]
               join openjson('[' + $7 + ']') d on d.[key] = a.[key]) l
       join tpcc.item on i_id = i
       join tpcc.stock on s_w_id = w and s_i_id = i

-- name: payment_customer
-- params: i32 i32 i32 i32 i32 cents
-- Home warehouse and district, the customer's warehouse, district and number, amount.
update tpcc.customer set
       c_balance = c_balance - cast($6 as decimal(6,2)),
       c_ytd_payment = c_ytd_payment + cast($6 as decimal(6,2)),
       c_payment_cnt = c_payment_cnt + 1,
       c_data = case when c_credit = 'BC' then left(concat(c_id, ' ', c_d_id, ' ', c_w_id, ' ',
           cast($2 as int), ' ', cast($1 as int), ' ', cast($6 as decimal(6,2)), ' ', c_data), 500)
           else c_data end
 where c_w_id = $3 and c_d_id = $4 and c_id = $5

-- name: payment_told
-- params: i32 i32 i32
-- As procedure payment tells of the customer.
select concat(c_id, '|', c_w_id, '|', c_first, '|', c_middle, '|', c_last, '|', c_street_1, '|',
       c_street_2, '|', c_city, '|', c_state, '|', c_zip, '|', c_phone, '|',
       convert(varchar(26), c_since, 121), '|', c_credit, '|', c_credit_lim, '|', c_discount, '|',
       c_balance, '|', case when c_credit = 'BC' then left(c_data, 200) else '' end)
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
select cast($5 as int), cast($4 as int), cast($3 as int), cast($2 as int), cast($1 as int),
       cast($7 as datetime2(6)), cast($6 as decimal(6,2)), concat(w_name, '    ', d_name)
  from tpcc.warehouse, tpcc.district where w_id = $1 and d_w_id = $1 and d_id = $2

-- name: payment_places
-- params: i32 i32
select concat(d_street_1, '|', d_street_2, '|', d_city, '|', d_state, '|', d_zip, '|', w_street_1,
       '|', w_street_2, '|', w_city, '|', w_state, '|', w_zip)
  from tpcc.warehouse, tpcc.district where w_id = $1 and d_w_id = $1 and d_id = $2

-- name: order_status_lines
-- params: i32 i32 i32
-- Columns as procedure order_status has them.
select c.c_id, c.c_first, c.c_middle, c.c_last, c.c_balance, o.o_id, o.o_entry_d, o.o_carrier_id,
       ol.ol_i_id, ol.ol_supply_w_id, ol.ol_quantity, ol.ol_amount, ol.ol_delivery_d
  from tpcc.customer c with (repeatableread)
       join tpcc.orders o with (repeatableread)
           on o.o_w_id = $1 and o.o_d_id = $2 and o.o_id = (
           select max(n.o_id) from tpcc.orders n
            where n.o_w_id = $1 and n.o_d_id = $2 and n.o_c_id = $3)
       join tpcc.order_line ol with (repeatableread)
           on ol.ol_w_id = $1 and ol.ol_d_id = $2 and ol.ol_o_id = o.o_id
 where c.c_w_id = $1 and c.c_d_id = $2 and c.c_id = $3

-- name: delivery_lock
-- params: i32
-- Deliveries of a warehouse wait for each other.
declare @got int, @lock varchar(40) = concat('tpcc delivery ', $1);
exec @got = sp_getapplock @Resource = @lock, @LockMode = 'Exclusive',
     @LockOwner = 'Transaction', @LockTimeout = 30000;
if @got < 0 throw 50001, 'no lock for the delivery', 1

-- name: delivery_oldest
-- params: i32
-- District and number of the oldest new order of each district that has one.
select no_d_id, min(no_o_id) from tpcc.new_order where no_w_id = $1 group by no_d_id order by no_d_id

-- name: delivery_new_orders
-- params: i32 i32[] i32[]
-- Of the warehouse, these districts and orders; the date or the carrier stands before them.
delete tpcc.new_order
  from tpcc.new_order join (select cast(a.value as int) as d, cast(b.value as int) as o
          from openjson('[' + $2 + ']') a
               join openjson('[' + $3 + ']') b on b.[key] = a.[key]) l
       on no_w_id = $1 and no_d_id = d and no_o_id = o

-- name: delivery_orders
-- params: i32 i32 i32[] i32[]
update tpcc.orders set o_carrier_id = $2
  from tpcc.orders join (select cast(a.value as int) as d, cast(b.value as int) as o
          from openjson('[' + $3 + ']') a
               join openjson('[' + $4 + ']') b on b.[key] = a.[key]) l
       on o_w_id = $1 and o_d_id = d and o_id = o

-- name: delivery_lines
-- params: i32 time i32[] i32[]
update tpcc.order_line set ol_delivery_d = cast($2 as datetime2(6))
  from tpcc.order_line join (select cast(a.value as int) as d, cast(b.value as int) as o
          from openjson('[' + $3 + ']') a
               join openjson('[' + $4 + ']') b on b.[key] = a.[key]) l
       on ol_w_id = $1 and ol_d_id = d and ol_o_id = o

-- name: delivery_customers
-- params: i32 i32[] i32[]
update tpcc.customer set c_balance = c_balance + amount, c_delivery_cnt = c_delivery_cnt + 1
  from tpcc.customer join (
       select o_d_id, o_c_id, sum(ol_amount) as amount
         from (select cast(a.value as int) as d, cast(b.value as int) as o
          from openjson('[' + $2 + ']') a
               join openjson('[' + $3 + ']') b on b.[key] = a.[key]) l
              join tpcc.orders on o_w_id = $1 and o_d_id = d and o_id = o
              join tpcc.order_line on ol_w_id = $1 and ol_d_id = d and ol_o_id = o
        group by o_d_id, o_c_id) g
       on c_w_id = $1 and c_d_id = o_d_id and c_id = o_c_id

-- name: stock_level_count
-- params: i32 i32 i32
select count(distinct s_i_id)
  from tpcc.district
       join tpcc.order_line on ol_w_id = $1 and ol_d_id = $2
           and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
       join tpcc.stock on s_w_id = $1 and s_i_id = ol_i_id
 where d_w_id = $1 and d_id = $2 and s_quantity < $3
