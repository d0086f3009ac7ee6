-- A model of the five transactions to hold against schema/postgresql/procedures.sql: row by row, in
-- the words of clauses 2.4 to 2.8, on copies of the tables in schema ref. Slow and simple.
-- Each function gives the reply that the real one must have given.

create schema ref;
create table ref.warehouse as table tpcc.warehouse;
create table ref.district as table tpcc.district;
create table ref.customer as table tpcc.customer;
create table ref.history as table tpcc.history;
create table ref.orders as table tpcc.orders;
create table ref.order_line as table tpcc.order_line;
create table ref.new_order as table tpcc.new_order;
create table ref.stock as table tpcc.stock;
create table ref.item as table tpcc.item;
create index on ref.customer (c_w_id, c_d_id, c_id);
create index on ref.orders (o_w_id, o_d_id, o_id);
create index on ref.order_line (ol_w_id, ol_d_id, ol_o_id);
create index on ref.stock (s_w_id, s_i_id);
create index on ref.item (i_id);
analyze;

create function ref.at(us bigint) returns timestamp language sql as
$$ select timestamp '1970-01-01' + us * interval '1 microsecond' $$;

-- 2.5.2.2, 2.6.2.2: sorted by first name, number ceil(n / 2) from 1.
create function ref.customer_of(w int, d int, c int, name text) returns int language plpgsql as $$
declare
    n int;
    r record;
    k int := 0;
begin
    if c > 0 then
        return c;
    end if;
    select count(*) into n from ref.customer where c_w_id = w and c_d_id = d and c_last = name;
    for r in select c_id from ref.customer where c_w_id = w and c_d_id = d and c_last = name
             order by c_first loop
        k := k + 1;
        if k = ceil(n / 2.0) then
            return r.c_id;
        end if;
    end loop;
    return null;
end $$;

-- 2.4.2.2. An unused item undoes all, and the reply stays.
create function ref.new_order(w int, d int, c int, entry bigint, items int[], supply int[],
    quantities int[]) returns text language plpgsql as $$
declare
    n int;
    o int;
    i ref.item;
    s ref.stock;
    cu ref.customer;
    w_tax numeric := (select w_tax from ref.warehouse where w_id = w);
    d_tax numeric;
    dist text;
    head text;
    lines text[] := '{}';
    remote boolean := false;
begin
    select * into cu from ref.customer where c_w_id = w and c_d_id = d and c_id = c;
    begin
        select d_next_o_id, district.d_tax into o, d_tax from ref.district where d_w_id = w and d_id = d;
        update ref.district set d_next_o_id = o + 1 where d_w_id = w and d_id = d;
        head := concat_ws('|', o, w_tax, d_tax, cu.c_discount, cu.c_last, cu.c_credit);
        for n in 1 .. array_length(items, 1) loop
            remote := remote or supply[n] <> w;
        end loop;
        insert into ref.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
        values (o, d, w, c, ref.at(entry), null, array_length(items, 1), case when remote then 0 else 1 end);
        insert into ref.new_order (no_o_id, no_d_id, no_w_id) values (o, d, w);
        for n in 1 .. array_length(items, 1) loop
            select * into i from ref.item where i_id = items[n];
            if not found then
                raise exception 'unused';
            end if;
            select * into s from ref.stock where s_i_id = items[n] and s_w_id = supply[n];
            if s.s_quantity >= quantities[n] + 10 then
                s.s_quantity := s.s_quantity - quantities[n];
            else
                s.s_quantity := s.s_quantity - quantities[n] + 91;
            end if;
            update ref.stock set s_quantity = s.s_quantity, s_ytd = s_ytd + quantities[n],
                s_order_cnt = s_order_cnt + 1 where s_i_id = items[n] and s_w_id = supply[n];
            if supply[n] <> w then
                update ref.stock set s_remote_cnt = s_remote_cnt + 1
                 where s_i_id = items[n] and s_w_id = supply[n];
            end if;
            execute format('select $1.s_dist_%s', to_char(d, 'FM00')) using s into dist;
            insert into ref.order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id,
                ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)
            values (o, d, w, n, items[n], supply[n], null, quantities[n], quantities[n] * i.i_price, dist);
            lines := lines || concat_ws(',', n, s.s_w_id, i.i_name, s.s_quantity, case
                when position('ORIGINAL' in i.i_data) > 0 and position('ORIGINAL' in s.s_data) > 0
                then 'B' else 'G' end, i.i_price, quantities[n] * i.i_price);
        end loop;
    exception when raise_exception then
        return '0|' || head || '|' || array_to_string(lines, ';');
    end;
    return '1|' || head || '|' || array_to_string(lines, ';');
end $$;

-- 2.5.2.2
create function ref.payment(w int, d int, c_w int, c_d int, c int, name text, cents int, at bigint)
returns text language plpgsql as $$
declare
    amount numeric(6,2) := cents / 100.0;
    id int := ref.customer_of(c_w, c_d, c, name);
    cu ref.customer;
    wh ref.warehouse;
    di ref.district;
begin
    update ref.warehouse set w_ytd = w_ytd + amount where w_id = w returning * into wh;
    update ref.district set d_ytd = d_ytd + amount where d_w_id = w and d_id = d returning * into di;
    select * into cu from ref.customer where c_w_id = c_w and c_d_id = c_d and c_id = id;
    cu.c_balance := cu.c_balance - amount;
    cu.c_ytd_payment := cu.c_ytd_payment + amount;
    cu.c_payment_cnt := cu.c_payment_cnt + 1;
    if cu.c_credit = 'BC' then
        cu.c_data := substr(id || ' ' || c_d || ' ' || c_w || ' ' || d || ' ' || w || ' ' || amount
            || ' ' || cu.c_data, 1, 500);
    end if;
    update ref.customer set c_balance = cu.c_balance, c_ytd_payment = cu.c_ytd_payment,
        c_payment_cnt = cu.c_payment_cnt, c_data = cu.c_data
     where c_w_id = c_w and c_d_id = c_d and c_id = id;
    insert into ref.history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
    values (id, c_d, c_w, d, w, ref.at(at), amount, wh.w_name || '    ' || di.d_name);
    return concat_ws('|', id, cu.c_w_id, cu.c_first, cu.c_middle, cu.c_last, cu.c_street_1, cu.c_street_2,
        cu.c_city, cu.c_state, cu.c_zip, cu.c_phone, cu.c_since, cu.c_credit, cu.c_credit_lim,
        cu.c_discount, cu.c_balance, case when cu.c_credit = 'BC' then substr(cu.c_data, 1, 200) else '' end,
        di.d_street_1, di.d_street_2, di.d_city, di.d_state, di.d_zip,
        wh.w_street_1, wh.w_street_2, wh.w_city, wh.w_state, wh.w_zip);
end $$;

-- 2.6.2.2
create function ref.order_status(w int, d int, c int, name text) returns text language plpgsql as $$
declare
    id int := ref.customer_of(w, d, c, name);
    cu ref.customer;
    o ref.orders;
    l ref.order_line;
    rows text[] := '{}';
begin
    select * into cu from ref.customer where c_w_id = w and c_d_id = d and c_id = id;
    select * into o from ref.orders where o_w_id = w and o_d_id = d and o_c_id = id and o_id = (
        select max(o_id) from ref.orders where o_w_id = w and o_d_id = d and o_c_id = id);
    for l in select * from ref.order_line where ol_w_id = w and ol_d_id = d and ol_o_id = o.o_id
             order by ol_number loop
        rows := rows || (id || '|' || cu.c_first || '|' || cu.c_middle || '|' || cu.c_last || '|'
            || cu.c_balance || '|' || o.o_id || '|' || o.o_entry_d || '|'
            || coalesce(o.o_carrier_id::text, '') || '|' || l.ol_i_id || '|' || l.ol_supply_w_id || '|'
            || l.ol_quantity || '|' || l.ol_amount || '|' || coalesce(l.ol_delivery_d::text, ''));
    end loop;
    return array_to_string(rows, ';');
end $$;

-- 2.7.4.2
create function ref.delivery(w int, carrier int, at bigint) returns text language plpgsql as $$
declare
    d int;
    o int;
    c int;
    done text[] := '{}';
begin
    for d in 1 .. 10 loop
        select min(no_o_id) into o from ref.new_order where no_w_id = w and no_d_id = d;
        continue when o is null;
        delete from ref.new_order where no_w_id = w and no_d_id = d and no_o_id = o;
        select o_c_id into c from ref.orders where o_w_id = w and o_d_id = d and o_id = o;
        update ref.orders set o_carrier_id = carrier where o_w_id = w and o_d_id = d and o_id = o;
        update ref.order_line set ol_delivery_d = ref.at(at) where ol_w_id = w and ol_d_id = d and ol_o_id = o;
        update ref.customer set c_delivery_cnt = c_delivery_cnt + 1, c_balance = c_balance + (
            select sum(ol_amount) from ref.order_line where ol_w_id = w and ol_d_id = d and ol_o_id = o)
         where c_w_id = w and c_d_id = d and c_id = c;
        done := done || (d || ',' || o);
    end loop;
    return concat_ws('|', cardinality(done), nullif(array_to_string(done, '|'), ''));
end $$;

-- 2.8.2.2
create function ref.stock_level(w int, d int, threshold int) returns text language plpgsql as $$
declare
    next int := (select d_next_o_id from ref.district where d_w_id = w and d_id = d);
begin
    return (select count(distinct s_i_id) from ref.order_line, ref.stock
        where ol_w_id = w and ol_d_id = d and ol_o_id < next and ol_o_id >= next - 20
          and s_w_id = w and s_i_id = ol_i_id and s_quantity < threshold);
end $$;

-- The two replies say the same: lines and districts in any order.
create function ref.sorted(reply text) returns text[] language sql as $$
    select array(select part from regexp_split_to_table(reply, '[|;]') part order by part) $$;

create function ref.same(got text, wanted text) returns void language plpgsql as $$
begin
    if ref.sorted(got) is distinct from ref.sorted(wanted) then
        raise exception 'replies differ' using detail = format(E'got    %s\nwanted %s', got, wanted);
    end if;
end $$;

-- Rows that one schema has and the other has not, of all tables; only where an order-free sum over
-- the rows differs, which is the quick way to see it.
create function ref.differences() returns table (name text, side text, row_text text)
language plpgsql as $$
declare
    t text;
    same boolean;
begin
    foreach t in array '{warehouse,district,customer,history,orders,order_line,new_order,stock,item}'::text[] loop
        execute format('select (select (count(*), sum(hash_record_extended(x, 7)::numeric)) from tpcc.%I x)
            is not distinct from (select (count(*), sum(hash_record_extended(x, 7)::numeric)) from ref.%I x)', t, t)
           into same;
        continue when same;
        return query execute format('select %L, ''only real'', x::text from (table tpcc.%I except all table ref.%I) x',
            t, t, t);
        return query execute format('select %L, ''only model'', x::text from (table ref.%I except all table tpcc.%I) x',
            t, t, t);
    end loop;
end $$;
