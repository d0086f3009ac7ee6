-- The twelve consistency conditions (3.3.2.1 to 3.3.2.12) over the warehouses $1 to $2. Each
-- statement answers the first ten offending rows as (number of all of them, text). One statement
-- is one snapshot, so each holds at any time, also beside a run. Whole outer joins, so that a
-- row which is missing on either side offends as well.
-- The first range is open below and the last one above, so that rows of warehouses that the dataset
-- does not have are looked at; $3 is the number of those that it has. Such rows, and those of districts
-- and customers that no warehouse has, offend even where they agree among themselves: a warehouse
-- in 1, a district in 2, orders and lines in 4, a customer in 10.

-- name: check_session
select set_config('work_mem', '128MB', false), set_config('jit', 'off', false)

-- name: condition_1
-- params: i32 i32 i32
-- 3.3.2.1
select count(*) over (), concat('w_id=', id, ' w_ytd=', w_ytd, ' sum(d_ytd)=', d_ytd)
from (select coalesce(w_id, d_w_id) as id, w_ytd, d_ytd
      from (select w_id, w_ytd from tpcc.warehouse where w_id between $1 and $2) w
      full join (select d_w_id, sum(d_ytd) as d_ytd from tpcc.district
                 where d_w_id between $1 and $2 group by d_w_id) d on d_w_id = w_id
      where w_ytd is distinct from d_ytd or coalesce(w_id, d_w_id) not between 1 and $3) x
order by id limit 10

-- name: condition_2
-- params: i32 i32
-- 3.3.2.2; the maximum of NEW-ORDER only where the district has such rows.
select count(*) over (), concat('w_id=', d_w_id, ' d_id=', d_id, ' d_next_o_id=', d_next_o_id,
                                ' max(o_id)=', o, ' max(no_o_id)=', n)
from (select d_w_id, d_id, d_next_o_id,
             (select max(o_id) from tpcc.orders where o_w_id = d_w_id and o_d_id = d_id) as o,
             (select max(no_o_id) from tpcc.new_order
              where no_w_id = d_w_id and no_d_id = d_id) as n
      from tpcc.district where d_w_id between $1 and $2) x
where d_next_o_id - 1 is distinct from o or d_next_o_id - 1 <> n
   or d_id not between 1 and 10
order by d_w_id, d_id limit 10

-- name: condition_3
-- params: i32 i32
-- 3.3.2.3
select count(*) over (), concat('w_id=', no_w_id, ' d_id=', no_d_id, ' min(no_o_id)=', low,
                                ' max(no_o_id)=', high, ' rows=', n)
from (select no_w_id, no_d_id, min(no_o_id) as low, max(no_o_id) as high, count(*) as n
      from tpcc.new_order where no_w_id between $1 and $2 group by no_w_id, no_d_id) x
where high - low + 1 <> n
order by no_w_id, no_d_id limit 10

-- name: condition_4
-- params: i32 i32 i32
-- 3.3.2.4
select count(*) over (), concat('w_id=', w, ' d_id=', d, ' sum(o_ol_cnt)=', said, ' lines=', n)
from (select coalesce(o_w_id, ol_w_id) as w, coalesce(o_d_id, ol_d_id) as d, said, n
      from (select o_w_id, o_d_id, sum(o_ol_cnt) as said from tpcc.orders
            where o_w_id between $1 and $2 group by o_w_id, o_d_id) o
      full join (select ol_w_id, ol_d_id, count(*) as n from tpcc.order_line
                 where ol_w_id between $1 and $2 group by ol_w_id, ol_d_id) l
        on ol_w_id = o_w_id and ol_d_id = o_d_id
      where said is distinct from n or coalesce(o_w_id, ol_w_id) not between 1 and $3
         or coalesce(o_d_id, ol_d_id) not between 1 and 10) x
order by w, d limit 10

-- name: condition_5
-- params: i32 i32
-- 3.3.2.5
select count(*) over (), concat('w_id=', w, ' d_id=', d, ' o_id=', id, ' order=', has_order,
                                ' o_carrier_id=', coalesce(o_carrier_id::text, 'null'),
                                ' new_order=', has_new_order)
from (select coalesce(o_w_id, no_w_id) as w, coalesce(o_d_id, no_d_id) as d,
             coalesce(o_id, no_o_id) as id, o_id is not null as has_order, o_carrier_id,
             no_o_id is not null as has_new_order
      from (select o_w_id, o_d_id, o_id, o_carrier_id from tpcc.orders
            where o_w_id between $1 and $2) o
      full join (select no_w_id, no_d_id, no_o_id from tpcc.new_order
                 where no_w_id between $1 and $2) n
        on no_w_id = o_w_id and no_d_id = o_d_id and no_o_id = o_id
      where o_id is null or (o_carrier_id is null) <> (no_o_id is not null)) x
order by w, d, id limit 10

-- name: condition_6
-- params: i32 i32
-- 3.3.2.6
select count(*) over (), concat('w_id=', w, ' d_id=', d, ' o_id=', id, ' o_ol_cnt=', o_ol_cnt,
                                ' lines=', n)
from (select coalesce(o_w_id, ol_w_id) as w, coalesce(o_d_id, ol_d_id) as d,
             coalesce(o_id, ol_o_id) as id, o_ol_cnt, n
      from (select o_w_id, o_d_id, o_id, o_ol_cnt from tpcc.orders
            where o_w_id between $1 and $2) o
      full join (select ol_w_id, ol_d_id, ol_o_id, count(*) as n from tpcc.order_line
                 where ol_w_id between $1 and $2 group by ol_w_id, ol_d_id, ol_o_id) l
        on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
      where o_ol_cnt is distinct from n) x
order by w, d, id limit 10

-- name: condition_7
-- params: i32 i32
-- 3.3.2.7, by order; a line without its order offends against condition 6.
select count(*) over (), concat('w_id=', o_w_id, ' d_id=', o_d_id, ' o_id=', o_id,
                                ' o_carrier_id=', coalesce(o_carrier_id::text, 'null'),
                                ' lines=', lines, ' without ol_delivery_d=', waiting)
from (select o_w_id, o_d_id, o_id, o_carrier_id, lines, waiting
      from (select o_w_id, o_d_id, o_id, o_carrier_id from tpcc.orders
            where o_w_id between $1 and $2) o
      join (select ol_w_id, ol_d_id, ol_o_id, count(*) as lines,
                   count(*) filter (where ol_delivery_d is null) as waiting
            from tpcc.order_line where ol_w_id between $1 and $2
            group by ol_w_id, ol_d_id, ol_o_id) l
        on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
      where waiting <> case when o_carrier_id is null then lines else 0 end) x
order by o_w_id, o_d_id, o_id limit 10

-- name: condition_8
-- params: i32 i32
-- 3.3.2.8
select count(*) over (), concat('w_id=', w, ' w_ytd=', w_ytd, ' sum(h_amount)=', paid)
from (select coalesce(w_id, h_w_id) as w, w_ytd, paid
      from (select w_id, w_ytd from tpcc.warehouse where w_id between $1 and $2) w
      full join (select h_w_id, sum(h_amount) as paid from tpcc.history
                 where h_w_id between $1 and $2 group by h_w_id) h on h_w_id = w_id
      where w_ytd is distinct from paid) x
order by w limit 10

-- name: condition_9
-- params: i32 i32
-- 3.3.2.9
select count(*) over (), concat('w_id=', w, ' d_id=', d, ' d_ytd=', d_ytd, ' sum(h_amount)=', paid)
from (select coalesce(d_w_id, h_w_id) as w, coalesce(d_id, h_d_id) as d, d_ytd, paid
      from (select d_w_id, d_id, d_ytd from tpcc.district where d_w_id between $1 and $2) d
      full join (select h_w_id, h_d_id, sum(h_amount) as paid from tpcc.history
                 where h_w_id between $1 and $2 group by h_w_id, h_d_id) h
        on h_w_id = d_w_id and h_d_id = d_id
      where d_ytd is distinct from paid) x
order by w, d limit 10

-- name: condition_10
-- params: i32 i32 i32
-- 3.3.2.10; lines are summed by order before they are joined: a tenth of the rows, and no plan that
-- looks up the lines of each order.
select count(*) over (), concat('w_id=', w, ' d_id=', d, ' c_id=', c, ' c_balance=', c_balance,
                                ' delivered=', got, ' sum(h_amount)=', paid)
from (select coalesce(c_w_id, h_c_w_id) as w, coalesce(c_d_id, h_c_d_id) as d,
             coalesce(c_id, h_c_id) as c, c_balance, coalesce(got, 0.00) as got,
             coalesce(paid, 0.00) as paid
      from (select c_w_id, c_d_id, c_id, c_balance from tpcc.customer
            where c_w_id between $1 and $2) c
      left join (select o_w_id, o_d_id, o_c_id, sum(delivered) as got
                 from (select o_w_id, o_d_id, o_id, o_c_id from tpcc.orders
                       where o_w_id between $1 and $2) o
                 join (select ol_w_id, ol_d_id, ol_o_id, sum(ol_amount) as delivered
                       from tpcc.order_line
                       where ol_w_id between $1 and $2 and ol_delivery_d is not null
                       group by ol_w_id, ol_d_id, ol_o_id) l
                   on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
                 group by o_w_id, o_d_id, o_c_id) g
        on o_w_id = c_w_id and o_d_id = c_d_id and o_c_id = c_id
      full join (select h_c_w_id, h_c_d_id, h_c_id, sum(h_amount) as paid from tpcc.history
                 where h_c_w_id between $1 and $2 group by h_c_w_id, h_c_d_id, h_c_id) h
        on h_c_w_id = c_w_id and h_c_d_id = c_d_id and h_c_id = c_id) x
where c_balance is distinct from got - paid or w not between 1 and $3 or d not between 1 and 10
   or c not between 1 and 3000
order by w, d, c limit 10

-- name: condition_11
-- params: i32 i32
-- 3.3.2.11, which is about the first state, in the form that holds at any time: each Delivery
-- takes a row from NEW-ORDER and adds 1 to C_DELIVERY_CNT.
select count(*) over (), concat('w_id=', d_w_id, ' d_id=', d_id, ' orders=', orders,
                                ' new_orders=', waiting, ' sum(c_delivery_cnt)=', delivered)
from (select d_w_id, d_id, coalesce(orders, 0) as orders, coalesce(waiting, 0) as waiting,
             coalesce(delivered, 0) as delivered
      from (select d_w_id, d_id from tpcc.district where d_w_id between $1 and $2) d
      left join (select o_w_id, o_d_id, count(*) as orders from tpcc.orders
                 where o_w_id between $1 and $2 group by o_w_id, o_d_id) o
        on o_w_id = d_w_id and o_d_id = d_id
      left join (select no_w_id, no_d_id, count(*) as waiting from tpcc.new_order
                 where no_w_id between $1 and $2 group by no_w_id, no_d_id) n
        on no_w_id = d_w_id and no_d_id = d_id
      left join (select c_w_id, c_d_id, sum(c_delivery_cnt) as delivered from tpcc.customer
                 where c_w_id between $1 and $2 group by c_w_id, c_d_id) c
        on c_w_id = d_w_id and c_d_id = d_id) x
where orders - waiting <> 2100 + delivered
order by d_w_id, d_id limit 10

-- name: condition_12
-- params: i32 i32
-- 3.3.2.12
select count(*) over (), concat('w_id=', c_w_id, ' d_id=', c_d_id, ' c_id=', c_id, ' c_balance=',
                                c_balance, ' c_ytd_payment=', c_ytd_payment, ' delivered=', got)
from (select c_w_id, c_d_id, c_id, c_balance, c_ytd_payment, coalesce(got, 0.00) as got
      from (select c_w_id, c_d_id, c_id, c_balance, c_ytd_payment from tpcc.customer
            where c_w_id between $1 and $2) c
      left join (select o_w_id, o_d_id, o_c_id, sum(delivered) as got
                 from (select o_w_id, o_d_id, o_id, o_c_id from tpcc.orders
                       where o_w_id between $1 and $2) o
                 join (select ol_w_id, ol_d_id, ol_o_id, sum(ol_amount) as delivered
                       from tpcc.order_line
                       where ol_w_id between $1 and $2 and ol_delivery_d is not null
                       group by ol_w_id, ol_d_id, ol_o_id) l
                   on ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id
                 group by o_w_id, o_d_id, o_c_id) g
        on o_w_id = c_w_id and o_d_id = c_d_id and o_c_id = c_id) x
where c_balance + c_ytd_payment <> got
order by c_w_id, c_d_id, c_id limit 10

-- name: check_next_o_id_sum
-- What the order count (before and after a run) goes by.
select coalesce(sum(d_next_o_id), 0)::bigint from tpcc.district

-- name: check_history_rows
select count(*) from tpcc.history
