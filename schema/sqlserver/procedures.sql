-- The five transactions (2.4 to 2.8) in the server, one call each. A loader runs all blocks
-- "procedure_..." of this file; they may be run again at any time. Not yet run on SQL Server.
--
-- Isolation. READ COMMITTED, with or without read_committed_snapshot: what a transaction writes it
-- changes in place before it reads it, and so reads what it has locked; what it only reads never changes;
-- Order-Status reads what changes in one statement and holds it until its end (repeatableread), since
-- without snapshots a Delivery could come between two rows; Deliveries of one warehouse go one after the
-- other by a lock of their own. Locks are taken in the order of PostgreSQL's dialect.
--
-- xact_abort: any error, also a lock time-out, rolls back all of it.

-- name: procedure_drop_new_order
drop procedure if exists tpcc.new_order

-- Lines come in four lists ("1,2,3"), in the order in which stock is to be locked; @numbers is
-- OL_NUMBER. Reply: as PostgreSQL's dialect tells.
-- name: procedure_new_order
create procedure tpcc.new_order
    @w_id int, @d_id int, @c_id int, @entry_d datetime2(6), @numbers varchar(200),
    @i_ids varchar(400), @supply_w_ids varchar(400), @quantities varchar(200)
as
begin
    set nocount on;
    set xact_abort on;
    declare @line table (k int primary key, n int, i int, w int, q int);
    declare @w_tax decimal(4,4), @d_tax decimal(4,4), @tail varchar(50), @next int, @ol_cnt int;
    declare @k int = 0, @done int = 0, @lines varchar(2000) = '';
    declare @n int, @i int, @w int, @q int, @left int, @found_w int;
    declare @price decimal(5,2), @name varchar(24), @i_data varchar(50), @s_data varchar(50);
    declare @dist varchar(24);
    insert into @line (k, n, i, w, q)
    select cast(a.[key] as int), cast(a.value as int), cast(b.value as int), cast(c.value as int),
           cast(d.value as int)
      from openjson('[' + @numbers + ']') a
           join openjson('[' + @i_ids + ']') b on b.[key] = a.[key]
           join openjson('[' + @supply_w_ids + ']') c on c.[key] = a.[key]
           join openjson('[' + @quantities + ']') d on d.[key] = a.[key];
    select @ol_cnt = count(*) from @line;
    select @w_tax = w_tax, @tail = concat(c_discount, '|', c_last, '|', c_credit)
      from tpcc.warehouse, tpcc.customer
     where w_id = @w_id and c_w_id = @w_id and c_d_id = @d_id and c_id = @c_id;
    if @tail is null
    begin
        select null as reply;
        return;
    end;
    begin transaction;
    update tpcc.district set d_next_o_id = d_next_o_id + 1 where d_w_id = @w_id and d_id = @d_id;
    select @next = d_next_o_id - 1, @d_tax = d_tax
      from tpcc.district where d_w_id = @w_id and d_id = @d_id;
    insert into tpcc.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)
    values (@next, @d_id, @w_id, @c_id, @entry_d, @ol_cnt,
            case when exists (select 1 from @line where w <> @w_id) then 0 else 1 end);
    insert into tpcc.new_order (no_o_id, no_d_id, no_w_id) values (@next, @d_id, @w_id);
    while @k < @ol_cnt
    begin
        select @n = n, @i = i, @w = w, @q = q from @line where k = @k;
        set @price = null;
        select @price = i_price, @name = i_name, @i_data = i_data from tpcc.item where i_id = @i;
        if @price is not null
        begin
            update tpcc.stock set
                s_quantity = s_quantity - @q + case when s_quantity >= @q + 10 then 0 else 91 end,
                s_ytd = s_ytd + @q,
                s_order_cnt = s_order_cnt + 1,
                s_remote_cnt = s_remote_cnt + case when @w <> @w_id then 1 else 0 end
             where s_w_id = @w and s_i_id = @i;
            select @found_w = s_w_id, @left = s_quantity, @s_data = s_data,
                   @dist = case @d_id when 1 then s_dist_01 when 2 then s_dist_02
                       when 3 then s_dist_03 when 4 then s_dist_04 when 5 then s_dist_05
                       when 6 then s_dist_06 when 7 then s_dist_07 when 8 then s_dist_08
                       when 9 then s_dist_09 when 10 then s_dist_10 end
              from tpcc.stock where s_w_id = @w and s_i_id = @i;
            insert into tpcc.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id,
                ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)
            values (@next, @d_id, @w_id, @n, @i, @w, @q, @q * @price, @dist);
            set @done = @done + 1;
            set @lines = concat(@lines, case when @done > 1 then ';' else '|' end, @n, ',', @found_w,
                ',', @name, ',', @left, ',', case when @i_data like '%ORIGINAL%'
                and @s_data like '%ORIGINAL%' then 'B' else 'G' end, ',', @price, ',',
                @q * @price);
        end;
        set @k = @k + 1;
    end;
    if @done < @ol_cnt
        rollback transaction;
    else
        commit transaction;
    select concat(case when @done = @ol_cnt then 1 else 0 end, '|', @next, '|', @w_tax, '|',
        @d_tax, '|', @tail, @lines) as reply;
end

-- name: procedure_drop_payment
drop procedure if exists tpcc.payment

-- @c_id 0: by last name, the middle one by first name (2.5.2.2). Reply: as PostgreSQL's dialect
-- tells. No such customer: null, and nothing is changed.
-- name: procedure_payment
create procedure tpcc.payment
    @w_id int, @d_id int, @c_w_id int, @c_d_id int, @c_id int, @c_last varchar(16),
    @amount decimal(6,2), @date datetime2(6)
as
begin
    set nocount on;
    set xact_abort on;
    declare @customer varchar(1000), @district varchar(200), @warehouse varchar(200);
    declare @d_name varchar(10), @w_name varchar(10);
    if @c_id = 0
        select @c_id = c_id
          from (select c_id, row_number() over (order by c_first) as k, count(*) over () as n
                  from tpcc.customer
                 where c_w_id = @c_w_id and c_d_id = @c_d_id
                   and c_last = @c_last collate Latin1_General_BIN2) x
         where k = (n + 1) / 2;
    begin transaction;
    update tpcc.customer set
        c_balance = c_balance - @amount,
        c_ytd_payment = c_ytd_payment + @amount,
        c_payment_cnt = c_payment_cnt + 1,
        c_data = case when c_credit = 'BC' then left(concat(c_id, ' ', c_d_id, ' ', c_w_id, ' ',
            @d_id, ' ', @w_id, ' ', @amount, ' ', c_data), 500) else c_data end
     where c_w_id = @c_w_id and c_d_id = @c_d_id and c_id = @c_id;
    if @@rowcount = 0
    begin
        rollback transaction;
        select null as reply;
        return;
    end;
    select @customer = concat(c_id, '|', c_w_id, '|', c_first, '|', c_middle, '|', c_last, '|',
        c_street_1, '|', c_street_2, '|', c_city, '|', c_state, '|', c_zip, '|', c_phone, '|',
        convert(varchar(26), c_since, 121), '|', c_credit, '|', c_credit_lim, '|', c_discount, '|',
        c_balance, '|', case when c_credit = 'BC' then left(c_data, 200) else '' end)
      from tpcc.customer where c_w_id = @c_w_id and c_d_id = @c_d_id and c_id = @c_id;
    update tpcc.district set d_ytd = d_ytd + @amount where d_w_id = @w_id and d_id = @d_id;
    select @d_name = d_name,
           @district = concat(d_street_1, '|', d_street_2, '|', d_city, '|', d_state, '|', d_zip)
      from tpcc.district where d_w_id = @w_id and d_id = @d_id;
    update tpcc.warehouse set w_ytd = w_ytd + @amount where w_id = @w_id;
    select @w_name = w_name,
           @warehouse = concat(w_street_1, '|', w_street_2, '|', w_city, '|', w_state, '|', w_zip)
      from tpcc.warehouse where w_id = @w_id;
    insert into tpcc.history
        (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
    values (@c_id, @c_d_id, @c_w_id, @d_id, @w_id, @date, @amount,
        concat(@w_name, '    ', @d_name));
    commit transaction;
    select concat(@customer, '|', @district, '|', @warehouse) as reply;
end

-- name: procedure_drop_order_status
drop procedure if exists tpcc.order_status

-- A row for each line of the customer's newest order; @c_id 0: by last name, as above (2.6.2.2).
-- name: procedure_order_status
create procedure tpcc.order_status
    @w_id int, @d_id int, @c_id int, @c_last varchar(16)
as
begin
    set nocount on;
    if @c_id = 0
        select @c_id = c_id
          from (select c_id, row_number() over (order by c_first) as k, count(*) over () as n
                  from tpcc.customer
                 where c_w_id = @w_id and c_d_id = @d_id
                   and c_last = @c_last collate Latin1_General_BIN2) x
         where k = (n + 1) / 2;
    select c.c_id, c.c_first, c.c_middle, c.c_last, c.c_balance, o.o_id, o.o_entry_d,
           o.o_carrier_id, ol.ol_i_id, ol.ol_supply_w_id, ol.ol_quantity, ol.ol_amount,
           ol.ol_delivery_d
      from tpcc.customer c with (repeatableread)
           join tpcc.orders o with (repeatableread)
               on o.o_w_id = @w_id and o.o_d_id = @d_id and o.o_id = (
               select max(n.o_id) from tpcc.orders n
                where n.o_w_id = @w_id and n.o_d_id = @d_id and n.o_c_id = @c_id)
           join tpcc.order_line ol with (repeatableread)
               on ol.ol_w_id = @w_id and ol.ol_d_id = @d_id and ol.ol_o_id = o.o_id
     where c.c_w_id = @w_id and c.c_d_id = @d_id and c.c_id = @c_id;
end

-- name: procedure_drop_delivery
drop procedure if exists tpcc.delivery

-- The oldest undelivered order of each district (2.7.4). The application lock makes Deliveries of a
-- warehouse wait for each other. Reply: how many districts had one, then "|district,order" for each.
-- name: procedure_delivery
create procedure tpcc.delivery @w_id int, @carrier_id int, @date datetime2(6)
as
begin
    set nocount on;
    set xact_abort on;
    declare @d int = 1, @o int, @c int, @n int = 0, @amount decimal(12,2), @got int;
    declare @told varchar(300) = '', @lock varchar(40) = concat('tpcc delivery ', @w_id);
    begin transaction;
    exec @got = sp_getapplock @Resource = @lock, @LockMode = 'Exclusive',
         @LockOwner = 'Transaction', @LockTimeout = 30000;
    if @got < 0
        throw 50001, 'no lock for the delivery', 1;
    while @d <= 10
    begin
        set @o = null;
        select @o = min(no_o_id) from tpcc.new_order where no_w_id = @w_id and no_d_id = @d;
        if @o is not null
        begin
            delete from tpcc.new_order where no_w_id = @w_id and no_d_id = @d and no_o_id = @o;
            select @c = o_c_id from tpcc.orders
             where o_w_id = @w_id and o_d_id = @d and o_id = @o;
            update tpcc.orders set o_carrier_id = @carrier_id
             where o_w_id = @w_id and o_d_id = @d and o_id = @o;
            update tpcc.order_line set ol_delivery_d = @date
             where ol_w_id = @w_id and ol_d_id = @d and ol_o_id = @o;
            select @amount = sum(ol_amount) from tpcc.order_line
             where ol_w_id = @w_id and ol_d_id = @d and ol_o_id = @o;
            update tpcc.customer set
                c_balance = c_balance + @amount,
                c_delivery_cnt = c_delivery_cnt + 1
             where c_w_id = @w_id and c_d_id = @d and c_id = @c;
            set @n = @n + 1;
            set @told = concat(@told, '|', @d, ',', @o);
        end;
        set @d = @d + 1;
    end;
    commit transaction;
    select concat(@n, @told) as reply;
end

-- name: procedure_drop_stock_level
drop procedure if exists tpcc.stock_level

-- Distinct items of the district's last 20 orders that are below the threshold (2.8.2.2).
-- name: procedure_stock_level
create procedure tpcc.stock_level @w_id int, @d_id int, @threshold int
as
begin
    set nocount on;
    select count(distinct s_i_id) as low_stock
      from tpcc.district
           join tpcc.order_line on ol_w_id = @w_id and ol_d_id = @d_id
               and ol_o_id >= d_next_o_id - 20 and ol_o_id < d_next_o_id
           join tpcc.stock on s_w_id = @w_id and s_i_id = ol_i_id
     where d_w_id = @w_id and d_id = @d_id and s_quantity < @threshold;
end
