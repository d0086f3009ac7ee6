-- The five transactions (2.4 to 2.8) in the server, one call each. A loader runs all blocks
-- "procedure_..." of this file; they may be run again at any time.
--
-- Isolation. READ COMMITTED, each made so that New-Order, Payment, Order-Status and Delivery are
-- serialisable against each other (3.4): what one writes it locks as it reads it, in the same
-- UPDATE; what it only reads (taxes, names, discounts, items) never changes; Order-Status is one
-- statement and so sees one moment; Deliveries of one warehouse go one after the other.
--
-- Locks are taken in this order: customer, district, warehouse, then stock by (warehouse, item).
-- New-Order takes district and stock; Payment customer, district and, held shortest since it is
-- wanted most, warehouse. Delivery takes customers, in any order, but nothing that a Payment waits
-- for while it holds one: no circle closes.
--
-- Cost. What a call costs beyond its rows is what the executor sets up for every statement, node,
-- column and aggregate. So replies are one text (a column of its own costs as much as a tenth of a
-- look-up by key), simple statements come before clever ones, and what a statement needs twice is
-- given back once.

-- Lines come in four arrays, in the order in which stock is to be locked; p_number is OL_NUMBER.
-- Reply: "committed|O_ID|W_TAX|D_TAX|C_DISCOUNT|C_LAST|C_CREDIT|LINES", LINES separated by ";", each
-- "OL_NUMBER,S_W_ID,I_NAME,S_QUANTITY,brand-generic,I_PRICE,OL_AMOUNT". No such customer: null.
-- S_W_ID is of the stock row that was changed: the input audit counts it (5.5.1.5).
-- A line that is not in the reply had an unused item (2.4.1.5): committed is 0 then and the
-- transaction was rolled back, after all others were processed.
-- name: procedure_new_order
create or replace procedure tpcc.new_order(
    in p_w_id int, in p_d_id int, in p_c_id int, in p_entry_d timestamp, in p_number int[],
    in p_i_id int[], in p_supply_w_id int[], in p_quantity int[], out p_reply text)
language plpgsql as $$
declare
    v_ol_cnt int := cardinality(p_number);
    v_w_tax numeric;
    v_d_tax numeric;
    v_discount numeric;
    v_last varchar;
    v_credit varchar;
    v_o_id int;
    v_now int;
    v_now_lines text;
    v_done int := 0;
    v_lines text;
begin
    select (select w_tax from tpcc.warehouse where w_id = p_w_id), c_discount, c_last, c_credit
      into v_w_tax, v_discount, v_last, v_credit
      from tpcc.customer where c_w_id = p_w_id and c_d_id = p_d_id and c_id = p_c_id;
    if not found then
        return;
    end if;
    update tpcc.district set d_next_o_id = d_next_o_id + 1
     where d_w_id = p_w_id and d_id = p_d_id
    returning d_next_o_id - 1, d_tax into v_o_id, v_d_tax;
    insert into tpcc.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
    values (v_o_id, p_d_id, p_w_id, p_c_id, p_entry_d, v_ol_cnt,
            (p_w_id = all (p_supply_w_id))::int);
    insert into tpcc.new_order (no_o_id, no_d_id, no_w_id) values (v_o_id, p_d_id, p_w_id);
    loop
        with line as (
            update tpcc.stock set
                s_quantity = s_quantity - q + case when s_quantity >= q + 10 then 0 else 91 end,
                s_ytd = s_ytd + q,
                s_order_cnt = s_order_cnt + 1,
                s_remote_cnt = s_remote_cnt + (w <> p_w_id)::int
              from (select unnest(p_number) as n, unnest(p_i_id) as i,
                           unnest(p_supply_w_id) as w, unnest(p_quantity) as q) l, tpcc.item
             where i_id = i and s_i_id = i and s_w_id = w
            returning n, i, w, q, i_price * q as amount,
                case p_d_id when 1 then s_dist_01 when 2 then s_dist_02 when 3 then s_dist_03
                    when 4 then s_dist_04 when 5 then s_dist_05 when 6 then s_dist_06
                    when 7 then s_dist_07 when 8 then s_dist_08 when 9 then s_dist_09
                    when 10 then s_dist_10 end as dist_info,
                concat_ws(',', n, s_w_id, i_name, s_quantity, case
                    when i_data like '%ORIGINAL%' and s_data like '%ORIGINAL%' then 'B'
                    else 'G' end, i_price, i_price * q) as told
        ), inserted as (
            insert into tpcc.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)
            select v_o_id, p_d_id, p_w_id, n, i, w, q, amount, dist_info from line
        )
        select count(*), string_agg(told, ';') into v_now, v_now_lines from line;
        v_done := v_done + v_now;
        v_lines := concat_ws(';', v_lines, v_now_lines);
        exit when v_done = v_ol_cnt or v_now = 0;
        -- An UPDATE changes a row once: of two lines with the same stock row one is left over.
        select array_agg(n), array_agg(i), array_agg(w), array_agg(q)
          into p_number, p_i_id, p_supply_w_id, p_quantity
          from (select unnest(p_number) as n, unnest(p_i_id) as i,
                       unnest(p_supply_w_id) as w, unnest(p_quantity) as q) l
         where not exists (select from tpcc.order_line where ol_w_id = p_w_id
            and ol_d_id = p_d_id and ol_o_id = v_o_id and ol_number = n);
    end loop;
    p_reply := concat_ws('|', (v_done = v_ol_cnt)::int, v_o_id, v_w_tax, v_d_tax, v_discount,
        v_last, v_credit, v_lines);
    if v_done < v_ol_cnt then
        rollback;
    end if;
end $$

-- p_c_id 0: by last name, the middle one by first name (2.5.2.2). Reply: "C_ID|C_W_ID|C_FIRST|
-- C_MIDDLE|C_LAST|C_STREET_1|C_STREET_2|C_CITY|C_STATE|C_ZIP|C_PHONE|C_SINCE|C_CREDIT|C_CREDIT_LIM|
-- C_DISCOUNT|C_BALANCE|C_DATA|D_STREET_1|D_STREET_2|D_CITY|D_STATE|D_ZIP|W_STREET_1|W_STREET_2|W_CITY|
-- W_STATE|W_ZIP" (C_DATA: 200 characters where the credit is bad, else empty). No such customer: null,
-- and nothing is changed. The customer's is what was changed: the input audit counts it.
-- name: procedure_payment
create or replace function tpcc.payment(
    p_w_id int, p_d_id int, p_c_w_id int, p_c_d_id int, p_c_id int, p_c_last varchar,
    p_amount numeric, p_date timestamp) returns text
language plpgsql as $$
declare
    v_named int[];
    v_customer text;
    v_district text;
    v_warehouse text;
    v_d_name varchar;
    v_w_name varchar;
begin
    if p_c_id = 0 then
        v_named := array(select c_id from tpcc.customer
            where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_last = p_c_last order by c_first);
        p_c_id := v_named[(cardinality(v_named) + 1) / 2];
    end if;
    update tpcc.customer set
        c_balance = c_balance - p_amount,
        c_ytd_payment = c_ytd_payment + p_amount,
        c_payment_cnt = c_payment_cnt + 1,
        c_data = case when c_credit = 'BC' then left(concat_ws(' ', c_id, c_d_id, c_w_id, p_d_id,
            p_w_id, p_amount, c_data), 500) else c_data end
     where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_id = p_c_id
    returning concat_ws('|', c_id, c_w_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city,
        c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance,
        case when c_credit = 'BC' then left(c_data, 200) else '' end) into v_customer;
    if not found then
        return null;
    end if;
    update tpcc.district set d_ytd = d_ytd + p_amount where d_w_id = p_w_id and d_id = p_d_id
    returning d_name, concat_ws('|', d_street_1, d_street_2, d_city, d_state, d_zip)
      into v_d_name, v_district;
    update tpcc.warehouse set w_ytd = w_ytd + p_amount where w_id = p_w_id
    returning w_name, concat_ws('|', w_street_1, w_street_2, w_city, w_state, w_zip)
      into v_w_name, v_warehouse;
    insert into tpcc.history
        (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
    values (p_c_id, p_c_d_id, p_c_w_id, p_d_id, p_w_id, p_date, p_amount,
        v_w_name || '    ' || v_d_name);
    return concat_ws('|', v_customer, v_district, v_warehouse);
end $$

-- A row for each line of the customer's newest order; p_c_id 0: by last name, as above (2.6.2.2).
-- In line in the caller's plan: no call is left of it.
-- name: procedure_order_status
create or replace function tpcc.order_status(p_w_id int, p_d_id int, p_c_id int, p_c_last varchar)
returns table (c_id int, c_first varchar, c_middle varchar, c_last varchar, c_balance numeric,
    o_id int, o_entry_d timestamp, o_carrier_id int, ol_i_id int, ol_supply_w_id int,
    ol_quantity int, ol_amount numeric, ol_delivery_d timestamp)
language sql stable as $$
    select c.c_id, c.c_first, c.c_middle, c.c_last, c.c_balance, o.o_id, o.o_entry_d,
           o.o_carrier_id, ol.ol_i_id, ol.ol_supply_w_id, ol.ol_quantity, ol.ol_amount,
           ol.ol_delivery_d
      from tpcc.customer c
           cross join lateral (
               select n.o_id, n.o_entry_d, n.o_carrier_id from tpcc.orders n
                where n.o_w_id = p_w_id and n.o_d_id = p_d_id and n.o_c_id = c.c_id
                order by n.o_id desc limit 1) o
           join tpcc.order_line ol on ol.ol_w_id = p_w_id and ol.ol_d_id = p_d_id
               and ol.ol_o_id = o.o_id
     where c.c_w_id = p_w_id and c.c_d_id = p_d_id and c.c_id = case
        when p_c_id > 0 then p_c_id
        else (select (array_agg(m.c_id order by m.c_first))[(count(*) + 1) / 2]
                from tpcc.customer m
               where m.c_w_id = p_w_id and m.c_d_id = p_d_id and m.c_last = p_c_last) end
$$

-- The oldest undelivered order of each district (2.7.4). The lock, of this table and warehouse,
-- makes Deliveries wait for each other: the second is to find the next orders, not none. Reply: how
-- many districts had one, then "|district,order" for each.
-- name: procedure_delivery
create or replace function tpcc.delivery(p_w_id int, p_carrier_id int, p_date timestamp)
returns text
language plpgsql as $$
declare
    v_reply text;
begin
    perform pg_advisory_xact_lock('tpcc.new_order'::regclass::oid::int, p_w_id);
    with oldest as materialized (
        select d, no_o_id as o from generate_series(1, 10) d, lateral (
            select no_o_id from tpcc.new_order where no_w_id = p_w_id and no_d_id = d
             order by no_o_id limit 1) n
    ), gone as (
        delete from tpcc.new_order using oldest
         where no_w_id = p_w_id and no_d_id = d and no_o_id = o
    ), delivered as (
        update tpcc.orders set o_carrier_id = p_carrier_id from oldest
         where o_w_id = p_w_id and o_d_id = d and o_id = o
        returning o_d_id, o_id, o_c_id
    ), line as (
        update tpcc.order_line set ol_delivery_d = p_date from oldest
         where ol_w_id = p_w_id and ol_d_id = d and ol_o_id = o
        returning ol_d_id, ol_amount
    ), customers as (
        update tpcc.customer set
            c_balance = c_balance + amount,
            c_delivery_cnt = c_delivery_cnt + 1
          from delivered,
               (select ol_d_id, sum(ol_amount) as amount from line group by ol_d_id) a
         where ol_d_id = o_d_id and c_w_id = p_w_id and c_d_id = o_d_id and c_id = o_c_id
        returning concat_ws(',', o_d_id, o_id) as told
    )
    select concat_ws('|', count(*), string_agg(told, '|')) into v_reply from customers;
    return v_reply;
end $$

-- Distinct items of the district's last 20 orders that are below the threshold (2.8.2.2): a stock
-- row is found once however often its item stands in the array. In line, as Order-Status.
-- name: procedure_stock_level
create or replace function tpcc.stock_level(p_w_id int, p_d_id int, p_threshold int)
returns table (low_stock bigint)
language sql stable as $$
    select count(*) from tpcc.stock
     where s_w_id = p_w_id and s_quantity < p_threshold and s_i_id = any (array(
        select ol_i_id from tpcc.district
          join tpcc.order_line on ol_w_id = p_w_id and ol_d_id = p_d_id
           and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
         where d_w_id = p_w_id and d_id = p_d_id))
$$
