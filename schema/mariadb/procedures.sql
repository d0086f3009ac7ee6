-- The five transactions (2.4 to 2.8) in the server, one call each. A loader runs all blocks
-- "procedure_..." of this file; they may be run again at any time.
--
-- Isolation. READ COMMITTED, each made so that New-Order, Payment, Order-Status and Delivery are
-- serialisable against each other (3.4): what one writes it reads with a lock or changes in place;
-- what it only reads (taxes, names, discounts, items) never changes; Order-Status reads what changes
-- in one statement and so sees one moment; Deliveries of one warehouse meet at its oldest new order.
--
-- Locks are taken in this order: customer, district, warehouse, then stock by (warehouse, item), as
-- in PostgreSQL's dialect, and for the same reason no circle closes.
--
-- A failure rolls back all of it, also a lock time-out, of which the server alone would take back
-- the last statement.
--
-- Each is dropped and made anew. CREATE OR REPLACE would be one statement, but MariaDB's ODBC driver
-- (3.1.15) then takes the body for several statements and crashes.

-- name: procedure_drop_new_order
drop procedure if exists tpcc.new_order

-- Lines come in four lists ("1,2,3"), in the order in which stock is to be locked; p_number is
-- OL_NUMBER. Reply: as PostgreSQL's dialect tells.
-- name: procedure_new_order
create procedure tpcc.new_order(
    p_w_id int, p_d_id int, p_c_id int, p_entry_d datetime(6), p_number varchar(200),
    p_i_id varchar(400), p_supply_w_id varchar(400), p_quantity varchar(200))
begin
    declare v_head varchar(100) character set ascii collate ascii_bin;
    declare v_lines varchar(2000) character set ascii collate ascii_bin default '';
    declare v_dist, v_name varchar(24) character set ascii collate ascii_bin;
    declare v_i_data, v_s_data varchar(50) character set ascii collate ascii_bin;
    declare v_o_id, v_n, v_i, v_w, v_q, v_stock, v_found_w int;
    declare v_ol_cnt int default 1 + length(p_number) - length(replace(p_number, ',', ''));
    declare v_done, v_seen int default 0;
    declare v_d_tax decimal(4,4);
    declare v_price decimal(5,2);
    declare v_tail varchar(50) character set ascii collate ascii_bin;
    declare v_missing bool default false;
    declare continue handler for not found set v_missing = true;
    declare exit handler for sqlexception begin rollback; resignal; end;
    start transaction;
    select w_tax, concat_ws('|', c_discount, c_last, c_credit) into v_head, v_tail
      from tpcc.warehouse, tpcc.customer
     where w_id = p_w_id and c_w_id = p_w_id and c_d_id = p_d_id and c_id = p_c_id;
    if v_missing then
        rollback;
        select null;
    else
        select d_next_o_id, d_tax into v_o_id, v_d_tax
          from tpcc.district where d_w_id = p_w_id and d_id = p_d_id for update;
        update tpcc.district set d_next_o_id = v_o_id + 1 where d_w_id = p_w_id and d_id = p_d_id;
        insert into tpcc.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
        values (v_o_id, p_d_id, p_w_id, p_c_id, p_entry_d, v_ol_cnt,
                replace(concat(p_supply_w_id, ','), concat(p_w_id, ','), '') = '');
        insert into tpcc.new_order (no_o_id, no_d_id, no_w_id) values (v_o_id, p_d_id, p_w_id);
        while v_seen < v_ol_cnt do
            set v_n = substring_index(p_number, ',', 1),
                v_i = substring_index(p_i_id, ',', 1),
                v_w = substring_index(p_supply_w_id, ',', 1),
                v_q = substring_index(p_quantity, ',', 1),
                p_number = substr(p_number, locate(',', p_number) + 1),
                p_i_id = substr(p_i_id, locate(',', p_i_id) + 1),
                p_supply_w_id = substr(p_supply_w_id, locate(',', p_supply_w_id) + 1),
                p_quantity = substr(p_quantity, locate(',', p_quantity) + 1),
                v_seen = v_seen + 1,
                v_missing = false;
            select i_price, i_name, i_data into v_price, v_name, v_i_data
              from tpcc.item where i_id = v_i;
            if not v_missing then
                select s_w_id, s_quantity, s_data,
                       case p_d_id when 1 then s_dist_01 when 2 then s_dist_02
                           when 3 then s_dist_03 when 4 then s_dist_04 when 5 then s_dist_05
                           when 6 then s_dist_06 when 7 then s_dist_07 when 8 then s_dist_08
                           when 9 then s_dist_09 when 10 then s_dist_10 end
                  into v_found_w, v_stock, v_s_data, v_dist
                  from tpcc.stock where s_w_id = v_w and s_i_id = v_i for update;
                set v_stock = v_stock - v_q + if(v_stock >= v_q + 10, 0, 91);
                update tpcc.stock set s_quantity = v_stock, s_ytd = s_ytd + v_q,
                    s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + (v_w <> p_w_id)
                 where s_w_id = v_w and s_i_id = v_i;
                insert into tpcc.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                    ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)
                values (v_o_id, p_d_id, p_w_id, v_n, v_i, v_w, v_q, v_q * v_price, v_dist);
                set v_done = v_done + 1,
                    v_lines = concat(v_lines, if(v_done > 1, ';', '|'), concat_ws(',', v_n, v_found_w,
                        v_name, v_stock, if(v_i_data like '%ORIGINAL%' and v_s_data like '%ORIGINAL%',
                        'B', 'G'), v_price, v_q * v_price));
            end if;
        end while;
        if v_done < v_ol_cnt then
            rollback;
        else
            commit;
        end if;
        select concat(concat_ws('|', v_done = v_ol_cnt, v_o_id, v_head, v_d_tax, v_tail), v_lines);
    end if;
end

-- name: procedure_drop_payment
drop procedure if exists tpcc.payment

-- p_c_id 0: by last name, the middle one by first name (2.5.2.2). Reply: as PostgreSQL's dialect
-- tells. No such customer: null, and nothing is changed.
-- name: procedure_payment
create procedure tpcc.payment(
    p_w_id int, p_d_id int, p_c_w_id int, p_c_d_id int, p_c_id int,
    p_c_last varchar(16) character set ascii collate ascii_bin, p_amount decimal(6,2),
    p_date datetime(6))
begin
    declare v_customer varchar(600) character set ascii collate ascii_bin;
    declare v_district, v_warehouse varchar(100) character set ascii collate ascii_bin;
    declare v_d_name, v_w_name varchar(10) character set ascii collate ascii_bin;
    declare v_n int;
    declare v_missing bool default false;
    declare continue handler for not found set v_missing = true;
    declare exit handler for sqlexception begin rollback; resignal; end;
    start transaction;
    if p_c_id = 0 then
        select count(*) into v_n from tpcc.customer
         where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_last = p_c_last;
        set v_n = greatest((v_n + 1) div 2 - 1, 0);
        select c_id into p_c_id from tpcc.customer
         where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_last = p_c_last
         order by c_first limit v_n, 1;
    end if;
    set v_missing = false;
    update tpcc.customer set
        c_balance = c_balance - p_amount,
        c_ytd_payment = c_ytd_payment + p_amount,
        c_payment_cnt = c_payment_cnt + 1,
        c_data = if(c_credit = 'BC', left(concat_ws(' ', c_id, c_d_id, c_w_id, p_d_id, p_w_id,
            p_amount, c_data), 500), c_data)
     where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_id = p_c_id;
    select concat_ws('|', c_id, c_w_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city,
               c_state, c_zip, c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance,
               if(c_credit = 'BC', left(c_data, 200), ''))
      into v_customer from tpcc.customer
     where c_w_id = p_c_w_id and c_d_id = p_c_d_id and c_id = p_c_id;
    if v_missing then
        rollback;
        select null;
    else
        update tpcc.district set d_ytd = d_ytd + p_amount where d_w_id = p_w_id and d_id = p_d_id;
        select d_name, concat_ws('|', d_street_1, d_street_2, d_city, d_state, d_zip)
          into v_d_name, v_district
          from tpcc.district where d_w_id = p_w_id and d_id = p_d_id;
        update tpcc.warehouse set w_ytd = w_ytd + p_amount where w_id = p_w_id;
        select w_name, concat_ws('|', w_street_1, w_street_2, w_city, w_state, w_zip)
          into v_w_name, v_warehouse
          from tpcc.warehouse where w_id = p_w_id;
        insert into tpcc.history
            (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
        values (p_c_id, p_c_d_id, p_c_w_id, p_d_id, p_w_id, p_date, p_amount,
            concat(v_w_name, '    ', v_d_name));
        commit;
        select concat_ws('|', v_customer, v_district, v_warehouse);
    end if;
end

-- name: procedure_drop_order_status
drop procedure if exists tpcc.order_status

-- A row for each line of the customer's newest order; p_c_id 0: by last name, as above (2.6.2.2).
-- name: procedure_order_status
create procedure tpcc.order_status(p_w_id int, p_d_id int, p_c_id int,
    p_c_last varchar(16) character set ascii collate ascii_bin)
begin
    declare v_n int;
    declare continue handler for not found set p_c_id = -1;
    if p_c_id = 0 then
        select count(*) into v_n from tpcc.customer
         where c_w_id = p_w_id and c_d_id = p_d_id and c_last = p_c_last;
        set v_n = greatest((v_n + 1) div 2 - 1, 0);
        select c_id into p_c_id from tpcc.customer
         where c_w_id = p_w_id and c_d_id = p_d_id and c_last = p_c_last
         order by c_first limit v_n, 1;
    end if;
    select c.c_id, c.c_first, c.c_middle, c.c_last, c.c_balance, o.o_id, o.o_entry_d,
           o.o_carrier_id, ol.ol_i_id, ol.ol_supply_w_id, ol.ol_quantity, ol.ol_amount,
           ol.ol_delivery_d
      from tpcc.customer c
           join tpcc.orders o on o.o_w_id = p_w_id and o.o_d_id = p_d_id and o.o_id = (
               select max(n.o_id) from tpcc.orders n
                where n.o_w_id = p_w_id and n.o_d_id = p_d_id and n.o_c_id = p_c_id)
           join tpcc.order_line ol on ol.ol_w_id = p_w_id and ol.ol_d_id = p_d_id
               and ol.ol_o_id = o.o_id
     where c.c_w_id = p_w_id and c.c_d_id = p_d_id and c.c_id = p_c_id;
end

-- name: procedure_drop_delivery
drop procedure if exists tpcc.delivery

-- The oldest undelivered order of each district (2.7.4). Reply: how many districts had one, then
-- "|district,order" for each.
-- name: procedure_delivery
create procedure tpcc.delivery(p_w_id int, p_carrier_id int, p_date datetime(6))
begin
    declare v_d int default 1;
    declare v_o, v_c int;
    declare v_n int default 0;
    declare v_amount decimal(12,2);
    declare v_told varchar(300) character set ascii collate ascii_bin default '';
    declare v_missing bool;
    declare continue handler for not found set v_missing = true;
    declare exit handler for sqlexception begin rollback; resignal; end;
    start transaction;
    while v_d <= 10 do
        set v_missing = false;
        select no_o_id into v_o from tpcc.new_order
         where no_w_id = p_w_id and no_d_id = v_d order by no_o_id limit 1 for update;
        if not v_missing then
            delete from tpcc.new_order where no_w_id = p_w_id and no_d_id = v_d and no_o_id = v_o;
            select o_c_id into v_c from tpcc.orders
             where o_w_id = p_w_id and o_d_id = v_d and o_id = v_o;
            update tpcc.orders set o_carrier_id = p_carrier_id
             where o_w_id = p_w_id and o_d_id = v_d and o_id = v_o;
            update tpcc.order_line set ol_delivery_d = p_date
             where ol_w_id = p_w_id and ol_d_id = v_d and ol_o_id = v_o;
            select sum(ol_amount) into v_amount from tpcc.order_line
             where ol_w_id = p_w_id and ol_d_id = v_d and ol_o_id = v_o;
            update tpcc.customer set
                c_balance = c_balance + v_amount,
                c_delivery_cnt = c_delivery_cnt + 1
             where c_w_id = p_w_id and c_d_id = v_d and c_id = v_c;
            set v_n = v_n + 1, v_told = concat(v_told, '|', v_d, ',', v_o);
        end if;
        set v_d = v_d + 1;
    end while;
    commit;
    select concat(v_n, v_told);
end

-- name: procedure_drop_stock_level
drop procedure if exists tpcc.stock_level

-- Distinct items of the district's last 20 orders that are below the threshold (2.8.2.2).
-- name: procedure_stock_level
create procedure tpcc.stock_level(p_w_id int, p_d_id int, p_threshold int)
begin
    select count(distinct s_i_id)
      from tpcc.district
           join tpcc.order_line on ol_w_id = p_w_id and ol_d_id = p_d_id
               and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
           join tpcc.stock on s_w_id = p_w_id and s_i_id = ol_i_id
     where d_w_id = p_w_id and d_id = p_d_id and s_quantity < p_threshold;
end
