-- The five transactions (2.4 to 2.8) in the server, one call each. A loader runs all blocks
-- "procedure_..." of this file; they may be run again at any time.
--
-- Isolation. READ COMMITTED, each made so that New-Order, Payment, Order-Status and Delivery are
-- serialisable against each other (3.4): what one writes it locks as it reads it, in the same
-- UPDATE; what it only reads (taxes, names, discounts, items) never changes; Order-Status is one
-- statement and so sees one moment; Deliveries of one warehouse go one after the other.
--
-- Locks are taken in this order, by all: customer, district, warehouse, stock by (warehouse, item).
-- New-Order takes district and stock, Payment customer, district, warehouse (the most wanted last,
-- so that it is held shortest). Delivery takes only customers of rows that it locks, holds nothing
-- that a Payment waits for while it holds a customer, and so closes no circle.

-- name: procedure_new_order
create or replace procedure tpcc.new_order(
    in p_w_id int, in p_d_id int, in p_c_id int, in p_entry_d timestamp,
    in p_i_id int[], in p_supply_w_id int[], in p_quantity int[], in p_sequence int[],
    out o_id int, out lines int, out remote_lines int, out committed boolean,
    out w_tax numeric, out d_tax numeric, out c_discount numeric, out c_last varchar,
    out c_credit varchar, out line_number int[], out i_name varchar[], out s_quantity int[],
    out brand_generic text, out i_price numeric[], out ol_amount numeric[], out total numeric)
language plpgsql as $$
#variable_conflict use_column
declare
    rest int[] := p_sequence;
    round record;
    amount numeric := 0;
begin
    lines := 0;
    remote_lines := 0;
    brand_generic := '';
    update tpcc.district set d_next_o_id = d_next_o_id + 1
     where d_w_id = p_w_id and d_id = p_d_id
    returning d_next_o_id - 1, d_tax into new_order.o_id, new_order.d_tax;
    select w_tax, c_discount, c_last, c_credit
      into new_order.w_tax, new_order.c_discount, new_order.c_last, new_order.c_credit
      from tpcc.warehouse, tpcc.customer
     where w_id = p_w_id and c_w_id = p_w_id and c_d_id = p_d_id and c_id = p_c_id;
    insert into tpcc.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
    values (new_order.o_id, p_d_id, p_w_id, p_c_id, p_entry_d, null, cardinality(p_i_id), (p_w_id = all (p_supply_w_id))::int);
    insert into tpcc.new_order (no_o_id, no_d_id, no_w_id) values (new_order.o_id, p_d_id, p_w_id);
    -- One round takes each (item, warehouse) once. What stands twice in an order, as it does in one of
    -- some 200, is taken in the next, after the first; an unused item never is.
    loop
        with line as (
            update tpcc.stock set
                s_quantity = s_quantity - p_quantity[n] + case when s_quantity >= p_quantity[n] + 10 then 0 else 91 end,
                s_ytd = s_ytd + p_quantity[n],
                s_order_cnt = s_order_cnt + 1,
                s_remote_cnt = s_remote_cnt + (s_w_id <> p_w_id)::int
              from unnest(rest) n, tpcc.item
             where i_id = p_i_id[n] and s_i_id = p_i_id[n] and s_w_id = p_supply_w_id[n]
            returning n, s_i_id, s_w_id, p_quantity[n] as quantity, i_name, i_price,
                i_price * p_quantity[n] as amount, s_quantity,
                case when i_data like '%ORIGINAL%' and s_data like '%ORIGINAL%' then 'B' else 'G' end as brand,
                case p_d_id when 1 then s_dist_01 when 2 then s_dist_02 when 3 then s_dist_03
                    when 4 then s_dist_04 when 5 then s_dist_05 when 6 then s_dist_06
                    when 7 then s_dist_07 when 8 then s_dist_08 when 9 then s_dist_09
                    when 10 then s_dist_10 end as dist_info
        ), inserted as (
            insert into tpcc.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)
            select new_order.o_id, p_d_id, p_w_id, n, s_i_id, s_w_id, null, quantity, amount, dist_info from line
        )
        select count(*)::int as lines, (count(*) filter (where s_w_id <> p_w_id))::int as remote_lines,
            array_agg(n) as line_number, array_agg(i_name) as i_name, array_agg(s_quantity) as s_quantity,
            string_agg(brand, '') as brand_generic, array_agg(i_price) as i_price, array_agg(amount) as ol_amount,
            sum(amount) as amount
          into round
          from line;
        exit when round.lines = 0;
        lines := lines + round.lines;
        remote_lines := remote_lines + round.remote_lines;
        line_number := line_number || round.line_number;
        i_name := i_name || round.i_name;
        s_quantity := s_quantity || round.s_quantity;
        brand_generic := brand_generic || round.brand_generic;
        i_price := i_price || round.i_price;
        ol_amount := ol_amount || round.ol_amount;
        amount := amount + round.amount;
        exit when lines = cardinality(p_i_id);
        rest := array(select n from unnest(rest) n where n <> all (round.line_number));
    end loop;
    total := amount * (1 - c_discount) * (1 + w_tax + d_tax);
    committed := new_order.lines = cardinality(p_i_id);
    if not committed then
        rollback;
    end if;
end $$

-- name: procedure_payment
create or replace procedure tpcc.payment(
    in p_w_id int, in p_d_id int, in p_c_w_id int, in p_c_d_id int, in p_c_id int,
    in p_c_last varchar, in p_amount numeric, in p_date timestamp,
    out c_id int, out c_first varchar, out c_middle varchar, out c_last varchar,
    out c_street_1 varchar, out c_street_2 varchar, out c_city varchar, out c_state varchar,
    out c_zip varchar, out c_phone varchar, out c_since timestamp, out c_credit varchar,
    out c_credit_lim numeric, out c_discount numeric, out c_balance numeric, out c_data varchar,
    out d_street_1 varchar, out d_street_2 varchar, out d_city varchar, out d_state varchar,
    out d_zip varchar, out w_street_1 varchar, out w_street_2 varchar, out w_city varchar,
    out w_state varchar, out w_zip varchar)
language plpgsql as $$
#variable_conflict use_column
begin
    with c as (
        update tpcc.customer set
            c_balance = c_balance - p_amount,
            c_ytd_payment = c_ytd_payment + p_amount,
            c_payment_cnt = c_payment_cnt + 1,
            c_data = case when c_credit = 'BC'
                then left(format('%s %s %s %s %s %s | %s', c_id, c_d_id, c_w_id, p_d_id, p_w_id, p_amount, c_data), 500)
                else c_data end
         where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_id = case when p_c_id > 0 then p_c_id else (
            select (array_agg(c_id order by c_first))[(count(*) + 1) / 2]
              from tpcc.customer where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_last = p_c_last) end
        returning *
    ), d as (
        update tpcc.district set d_ytd = d_ytd + p_amount from c
         where d_w_id = p_w_id and d_id = p_d_id
        returning c.c_id as by, d_name, d_street_1, d_street_2, d_city, d_state, d_zip
    ), w as (
        update tpcc.warehouse set w_ytd = w_ytd + p_amount from d where w_id = p_w_id
        returning w_name, w_street_1, w_street_2, w_city, w_state, w_zip
    ), h as (
        insert into tpcc.history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
        select c_id, p_c_d_id, p_c_w_id, p_d_id, p_w_id, p_date, p_amount, w_name || '    ' || d_name from c, d, w
    )
    select c_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since,
           c_credit, c_credit_lim, c_discount, c_balance, case when c_credit = 'BC' then left(c_data, 200) end,
           d_street_1, d_street_2, d_city, d_state, d_zip, w_street_1, w_street_2, w_city, w_state, w_zip
      into payment.c_id, payment.c_first, payment.c_middle, payment.c_last, payment.c_street_1, payment.c_street_2,
           payment.c_city, payment.c_state, payment.c_zip, payment.c_phone, payment.c_since, payment.c_credit,
           payment.c_credit_lim, payment.c_discount, payment.c_balance, payment.c_data, payment.d_street_1,
           payment.d_street_2, payment.d_city, payment.d_state, payment.d_zip, payment.w_street_1, payment.w_street_2,
           payment.w_city, payment.w_state, payment.w_zip
      from c, d, w;
end $$

-- name: procedure_order_status
create or replace function tpcc.order_status(p_w_id int, p_d_id int, p_c_id int, p_c_last varchar)
returns table (c_id int, c_first varchar, c_middle varchar, c_last varchar, c_balance numeric,
    o_id int, o_entry_d timestamp, o_carrier_id int, ol_i_id int, ol_supply_w_id int,
    ol_quantity int, ol_amount numeric, ol_delivery_d timestamp)
language sql stable as $$
    select c.c_id, c.c_first, c.c_middle, c.c_last, c.c_balance, o.o_id, o.o_entry_d, o.o_carrier_id,
           ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d
      from tpcc.customer c
           cross join lateral (select o_id, o_entry_d, o_carrier_id from tpcc.orders
              where o_w_id = p_w_id and o_d_id = p_d_id and o_c_id = c.c_id
              order by o_id desc limit 1) o
           join tpcc.order_line on ol_w_id = p_w_id and ol_d_id = p_d_id and ol_o_id = o.o_id
     where c.c_w_id = p_w_id and c.c_d_id = p_d_id and c.c_id = case when p_c_id > 0 then p_c_id else (
            select (array_agg(n.c_id order by n.c_first))[(count(*) + 1) / 2]
              from tpcc.customer n where n.c_w_id = p_w_id and n.c_d_id = p_d_id and n.c_last = p_c_last) end
$$

-- name: procedure_delivery
create or replace procedure tpcc.delivery(
    in p_w_id int, in p_carrier_id int, in p_date timestamp,
    out delivered int, out skipped int, out d_id int[], out o_id int[])
language plpgsql as $$
#variable_conflict use_column
begin
    perform pg_advisory_xact_lock('tpcc.new_order'::regclass::oid::int, p_w_id);
    with oldest as materialized (
        select d, no_o_id from generate_series(1, 10) d, lateral (
            select no_o_id from tpcc.new_order where no_w_id = p_w_id and no_d_id = d
             order by no_o_id limit 1) n
    ), gone as (
        delete from tpcc.new_order using oldest
         where no_w_id = p_w_id and no_d_id = d and new_order.no_o_id = oldest.no_o_id
    ), o as (
        update tpcc.orders set o_carrier_id = p_carrier_id from oldest
         where o_w_id = p_w_id and o_d_id = d and o_id = no_o_id
        returning o_d_id, o_id, o_c_id
    ), l as (
        update tpcc.order_line set ol_delivery_d = p_date from oldest
         where ol_w_id = p_w_id and ol_d_id = d and ol_o_id = no_o_id
        returning ol_d_id, ol_amount
    ), c as (
        update tpcc.customer set c_balance = c_balance + amount, c_delivery_cnt = c_delivery_cnt + 1
          from o, (select ol_d_id, sum(ol_amount) as amount from l group by ol_d_id) a
         where ol_d_id = o_d_id and c_w_id = p_w_id and c_d_id = o_d_id and c_id = o_c_id
        returning o_d_id, o_id
    )
    select count(*), 10 - count(*), array_agg(o_d_id), array_agg(o_id) into delivered, skipped, delivery.d_id, delivery.o_id from c;
end $$

-- name: procedure_stock_level
create or replace function tpcc.stock_level(p_w_id int, p_d_id int, p_threshold int)
returns table (low_stock bigint)
language sql stable as $$
    select count(*) from tpcc.stock
     where s_w_id = p_w_id and s_quantity < p_threshold and s_i_id = any (array(
        select ol_i_id from tpcc.district
          join tpcc.order_line on ol_w_id = d_w_id and ol_d_id = d_id
           and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
         where d_w_id = p_w_id and d_id = p_d_id))
$$
