-- The twelve consistency conditions (3.3.2.1 to 3.3.2.12) over the warehouses $1 to $2. Each
-- statement answers the first ten offending rows as (number of all of them, text). They are made when
-- nobody else works on the dataset, or on a database with read_committed_snapshot, where a statement
-- is one snapshot. Not yet run on SQL Server.
-- The first range is open below and the last one above, so that rows of warehouses that the dataset
-- does not have are looked at; $3 is the number of those that it has. Such rows, and those of districts
-- and customers that no warehouse has, offend even where they agree among themselves: a warehouse
-- in 1, a district in 2, orders and lines in 4, a customer in 10.

-- name: check_session
set lock_timeout 60000

-- name: condition_1
-- params: i32 i32 i32
-- 3.3.2.1
select top 10 count(*) over (), concat('w_id=', id, ' w_ytd=', w_ytd, ' sum(d_ytd)=', d_ytd)
from (select w_id as id, w_ytd, d_ytd
      from (select w_id, w_ytd from tpcc.warehouse where w_id between $1 and $2) w
      left join (select d_w_id, sum(d_ytd) as d_ytd from tpcc.district
                 where d_w_id between $1 and $2 group by d_w_id) d on d_w_id = w_id
      union all
      select d_w_id, null, sum(d_ytd) from tpcc.district
      where d_w_id between $1 and $2 and d_w_id not in (select w_id from tpcc.warehouse)
      group by d_w_id) x
where coalesce(w_ytd, -0.001) <> coalesce(d_ytd, -0.001) or id not between 1 and $3
order by id

-- name: condition_2
-- params: i32 i32
-- 3.3.2.2; the maximum of NEW-ORDER only where the district has such rows.
select top 10 count(*) over (), concat('w_id=', d_w_id, ' d_id=', d_id, ' d_next_o_id=',
                                   d_next_o_id, ' max(o_id)=', o, ' max(no_o_id)=', n)
from (select d_w_id, d_id, d_next_o_id,
             (select max(o_id) from tpcc.orders where o_w_id = d_w_id and o_d_id = d_id) as o,
             (select max(no_o_id) from tpcc.new_order
              where no_w_id = d_w_id and no_d_id = d_id) as n
      from tpcc.district where d_w_id between $1 and $2) x
where coalesce(d_next_o_id - 1, -0.001) <> coalesce(o, -0.001) or d_next_o_id - 1 <> n
   or d_id not between 1 and 10
order by d_w_id, d_id

-- name: condition_3
-- params: i32 i32
-- 3.3.2.3
select top 10 count(*) over (), concat('w_id=', no_w_id, ' d_id=', no_d_id, ' min(no_o_id)=', low,
                                   ' max(no_o_id)=', high, ' n=', n)
from (select no_w_id, no_d_id, min(no_o_id) as low, max(no_o_id) as high, count(*) as n
      from tpcc.new_order where no_w_id between $1 and $2 group by no_w_id, no_d_id) x
where high - low + 1 <> n
order by no_w_id, no_d_id

-- name: condition_4
-- params: i32 i32 i32
-- 3.3.2.4
select top 10 count(*) over (), concat('w_id=', w, ' d_id=', d, ' sum(o_ol_cnt)=', max(said),
                                   ' lines=', max(n))
from (select o_w_id as w, o_d_id as d, sum(o_ol_cnt) as said, null as n from tpcc.orders
      where o_w_id between $1 and $2 group by o_w_id, o_d_id
      union all
      select ol_w_id, ol_d_id, null, count(*) from tpcc.order_line
      where ol_w_id between $1 and $2 group by ol_w_id, ol_d_id) x
group by w, d
having coalesce(max(said), -0.001) <> coalesce(max(n), -0.001)
    or w not between 1 and $3 or d not between 1 and 10
order by w, d

-- name: condition_5
-- params: i32 i32
-- 3.3.2.5
select top 10 count(*) over (), concat('w_id=', w, ' d_id=', d, ' o_id=', id, ' order=', has_order,
                                   ' o_carrier_id=', coalesce(cast(o_carrier_id as varchar(12)), 'null'),
                                   ' new_order=', has_new_order)
from (select o_w_id as w, o_d_id as d, o_id as id, 1 as has_order, o_carrier_id,
             case when no_o_id is null then 0 else 1 end as has_new_order
      from tpcc.orders
           left join tpcc.new_order on no_w_id = o_w_id and no_d_id = o_d_id and no_o_id = o_id
      where o_w_id between $1 and $2
      union all
      select no_w_id, no_d_id, no_o_id, 0, null, 1
      from tpcc.new_order
           left join tpcc.orders on o_w_id = no_w_id and o_d_id = no_d_id and o_id = no_o_id
      where no_w_id between $1 and $2 and o_id is null) x
where has_order = 0 or (case when o_carrier_id is null then 1 else 0 end) <> has_new_order
order by w, d, id

-- name: condition_6
-- params: i32 i32
-- 3.3.2.6
select top 10 count(*) over (), concat('w_id=', w, ' d_id=', d, ' o_id=', id, ' o_ol_cnt=',
                                   max(o_ol_cnt), ' lines=', max(n))
from (select o_w_id as w, o_d_id as d, o_id as id, o_ol_cnt, null as n from tpcc.orders
      where o_w_id between $1 and $2
      union all
      select ol_w_id, ol_d_id, ol_o_id, null, count(*) from tpcc.order_line
      where ol_w_id between $1 and $2 group by ol_w_id, ol_d_id, ol_o_id) x
group by w, d, id
having coalesce(max(o_ol_cnt), -0.001) <> coalesce(max(n), -0.001)
order by w, d, id

-- name: condition_7
-- params: i32 i32
-- 3.3.2.7, by order; a line without its order offends against condition 6.
select top 10 count(*) over (), concat('w_id=', o_w_id, ' d_id=', o_d_id, ' o_id=', o_id,
                                   ' o_carrier_id=', coalesce(cast(o_carrier_id as varchar(12)), 'null'),
                                   ' n=', n, ' without ol_delivery_d=', waiting)
from (select o_w_id, o_d_id, o_id, o_carrier_id, count(*) as n,
             sum(case when ol_delivery_d is null then 1 else 0 end) as waiting
      from tpcc.orders
           join tpcc.order_line on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
      where o_w_id between $1 and $2
      group by o_w_id, o_d_id, o_id, o_carrier_id) x
where waiting <> case when o_carrier_id is null then n else 0 end
order by o_w_id, o_d_id, o_id

-- name: condition_8
-- params: i32 i32
-- 3.3.2.8
select top 10 count(*) over (), concat('w_id=', w, ' w_ytd=', max(w_ytd), ' sum(h_amount)=',
                                   max(paid))
from (select w_id as w, w_ytd, null as paid from tpcc.warehouse where w_id between $1 and $2
      union all
      select h_w_id, null, sum(h_amount) from tpcc.history
      where h_w_id between $1 and $2 group by h_w_id) x
group by w
having coalesce(max(w_ytd), -0.001) <> coalesce(max(paid), -0.001)
order by w

-- name: condition_9
-- params: i32 i32
-- 3.3.2.9
select top 10 count(*) over (), concat('w_id=', w, ' d_id=', d, ' d_ytd=', max(d_ytd),
                                   ' sum(h_amount)=', max(paid))
from (select d_w_id as w, d_id as d, d_ytd, null as paid from tpcc.district
      where d_w_id between $1 and $2
      union all
      select h_w_id, h_d_id, null, sum(h_amount) from tpcc.history
      where h_w_id between $1 and $2 group by h_w_id, h_d_id) x
group by w, d
having coalesce(max(d_ytd), -0.001) <> coalesce(max(paid), -0.001)
order by w, d

-- name: condition_10
-- params: i32 i32 i32
-- 3.3.2.10
select top 10 count(*) over (), concat('w_id=', w, ' d_id=', d, ' c_id=', c, ' c_balance=',
                                   max(c_balance), ' delivered=', sum(got), ' sum(h_amount)=',
                                   sum(paid))
from (select c_w_id as w, c_d_id as d, c_id as c, c_balance, 0.00 as got, 0.00 as paid
      from tpcc.customer where c_w_id between $1 and $2
      union all
      select o_w_id, o_d_id, o_c_id, null, sum(ol_amount), 0.00
      from tpcc.orders
           join tpcc.order_line on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
      where o_w_id between $1 and $2 and ol_delivery_d is not null
      group by o_w_id, o_d_id, o_c_id
      union all
      select h_c_w_id, h_c_d_id, h_c_id, null, 0.00, sum(h_amount)
      from tpcc.history where h_c_w_id between $1 and $2
      group by h_c_w_id, h_c_d_id, h_c_id) x
group by w, d, c
having coalesce(max(c_balance), -0.001) <> coalesce(sum(got) - sum(paid), -0.001)
    or w not between 1 and $3 or d not between 1 and 10 or c not between 1 and 3000
order by w, d, c

-- name: condition_11
-- params: i32 i32
-- 3.3.2.11, which is about the first state, in the form that holds at any time: each Delivery
-- takes a row from NEW-ORDER and adds 1 to C_DELIVERY_CNT.
select top 10 count(*) over (), concat('w_id=', d_w_id, ' d_id=', d_id, ' orders=', orders,
                                   ' new_orders=', waiting, ' sum(c_delivery_cnt)=', delivered)
from (select d_w_id, d_id,
             (select count(*) from tpcc.orders
              where o_w_id = d_w_id and o_d_id = d_id) as orders,
             (select count(*) from tpcc.new_order
              where no_w_id = d_w_id and no_d_id = d_id) as waiting,
             (select coalesce(sum(c_delivery_cnt), 0) from tpcc.customer
              where c_w_id = d_w_id and c_d_id = d_id) as delivered
      from tpcc.district where d_w_id between $1 and $2) x
where orders - waiting <> 2100 + delivered
order by d_w_id, d_id

-- name: condition_12
-- params: i32 i32
-- 3.3.2.12
select top 10 count(*) over (), concat('w_id=', w, ' d_id=', d, ' c_id=', c, ' c_balance=',
                                   max(c_balance), ' c_ytd_payment=', max(c_ytd_payment),
                                   ' delivered=', sum(got))
from (select c_w_id as w, c_d_id as d, c_id as c, c_balance, c_ytd_payment, 0.00 as got
      from tpcc.customer where c_w_id between $1 and $2
      union all
      select o_w_id, o_d_id, o_c_id, null, null, sum(ol_amount)
      from tpcc.orders
           join tpcc.order_line on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
      where o_w_id between $1 and $2 and ol_delivery_d is not null
      group by o_w_id, o_d_id, o_c_id) x
group by w, d, c
having max(c_balance) + max(c_ytd_payment) <> sum(got)
order by w, d, c

-- name: check_next_o_id_sum
-- What the order count (before and after a run) goes by.
select coalesce(sum(cast(d_next_o_id as bigint)), 0) from tpcc.district

-- name: check_history_rows
select count(*) from tpcc.history
