-- The nine tables (1.3.1), each with room on its pages for what a run changes.
--
-- Types. Whole numbers are int: the counters too, since numeric(4) or smallint overflow in runs of
-- days. Money is numeric and exact. w_ytd and d_ytd are numeric(14,2) and not (12,2): with one
-- warehouse and no waits, Payments add 10^10 to W_YTD within hours, and wider costs nothing, since a
-- numeric is stored by its digits. All texts are varchar with the standard's greatest length; where
-- that length is fixed the loader fills it, and char(n) would only make the server pad and count.
-- Times are without zone, in UTC, from the driver. Collation "C": names sort by bytes, the same on
-- every server, and the cheapest.
--
-- Order of the columns: numbers of fixed width first, then numeric, then texts, so that a server
-- finds what a run changes at the front of a row. Statements name their columns.
--
-- Room on the pages (fillfactor) lets an updated row stay on its page, without new index entries.
-- Share of Deliveries' updates that did so, 5 warehouses, no waits, 60 s, twice each: orders 78 % at
-- 100, 88 at 90, 100 at 80; order_line 65, 76, 93. 90 costs 3 % of the dataset's size, 80 7 %.
--
-- While a load is under way autovacuum keeps off the tables; storage.sql puts it on.

-- name: create_schema
create schema tpcc

-- name: create_item
create table tpcc.item (
    i_id int not null,
    i_im_id int not null,
    i_price numeric(5,2) not null,
    i_name varchar(24) collate "C" not null,
    i_data varchar(50) collate "C" not null
) with (autovacuum_enabled = false)

-- name: create_warehouse
create table tpcc.warehouse (
    w_id int not null,
    w_tax numeric(4,4) not null,
    w_ytd numeric(14,2) not null,
    w_name varchar(10) collate "C" not null,
    w_street_1 varchar(20) collate "C" not null,
    w_street_2 varchar(20) collate "C" not null,
    w_city varchar(20) collate "C" not null,
    w_state varchar(2) collate "C" not null,
    w_zip varchar(9) collate "C" not null
) with (fillfactor = 50, autovacuum_enabled = false)

-- name: create_stock
create table tpcc.stock (
    s_i_id int not null,
    s_w_id int not null,
    s_quantity int not null,
    s_ytd int not null,
    s_order_cnt int not null,
    s_remote_cnt int not null,
    s_data varchar(50) collate "C" not null,
    s_dist_01 varchar(24) collate "C" not null,
    s_dist_02 varchar(24) collate "C" not null,
    s_dist_03 varchar(24) collate "C" not null,
    s_dist_04 varchar(24) collate "C" not null,
    s_dist_05 varchar(24) collate "C" not null,
    s_dist_06 varchar(24) collate "C" not null,
    s_dist_07 varchar(24) collate "C" not null,
    s_dist_08 varchar(24) collate "C" not null,
    s_dist_09 varchar(24) collate "C" not null,
    s_dist_10 varchar(24) collate "C" not null
) with (fillfactor = 90, autovacuum_enabled = false)

-- name: create_district
create table tpcc.district (
    d_id int not null,
    d_w_id int not null,
    d_next_o_id int not null,
    d_tax numeric(4,4) not null,
    d_ytd numeric(14,2) not null,
    d_name varchar(10) collate "C" not null,
    d_street_1 varchar(20) collate "C" not null,
    d_street_2 varchar(20) collate "C" not null,
    d_city varchar(20) collate "C" not null,
    d_state varchar(2) collate "C" not null,
    d_zip varchar(9) collate "C" not null
) with (fillfactor = 50, autovacuum_enabled = false)

-- name: create_customer
create table tpcc.customer (
    c_id int not null,
    c_d_id int not null,
    c_w_id int not null,
    c_payment_cnt int not null,
    c_delivery_cnt int not null,
    c_since timestamp not null,
    c_balance numeric(12,2) not null,
    c_ytd_payment numeric(12,2) not null,
    c_credit_lim numeric(12,2) not null,
    c_discount numeric(4,4) not null,
    c_credit varchar(2) collate "C" not null,
    c_last varchar(16) collate "C" not null,
    c_first varchar(16) collate "C" not null,
    c_middle varchar(2) collate "C" not null,
    c_street_1 varchar(20) collate "C" not null,
    c_street_2 varchar(20) collate "C" not null,
    c_city varchar(20) collate "C" not null,
    c_state varchar(2) collate "C" not null,
    c_zip varchar(9) collate "C" not null,
    c_phone varchar(16) collate "C" not null,
    c_data varchar(500) collate "C" not null
) with (fillfactor = 95, autovacuum_enabled = false)

-- name: create_history
-- No primary key (1.3.1).
create table tpcc.history (
    h_c_id int not null,
    h_c_d_id int not null,
    h_c_w_id int not null,
    h_d_id int not null,
    h_w_id int not null,
    h_date timestamp not null,
    h_amount numeric(6,2) not null,
    h_data varchar(24) collate "C" not null
) with (autovacuum_enabled = false)

-- name: create_orders
create table tpcc.orders (
    o_id int not null,
    o_d_id int not null,
    o_w_id int not null,
    o_c_id int not null,
    o_entry_d timestamp not null,
    o_carrier_id int,
    o_ol_cnt int not null,
    o_all_local int not null
) with (fillfactor = 90, autovacuum_enabled = false)

-- name: create_order_line
create table tpcc.order_line (
    ol_o_id int not null,
    ol_d_id int not null,
    ol_w_id int not null,
    ol_number int not null,
    ol_i_id int not null,
    ol_supply_w_id int not null,
    ol_delivery_d timestamp,
    ol_quantity int not null,
    ol_amount numeric(6,2) not null,
    ol_dist_info varchar(24) collate "C" not null
) with (fillfactor = 90, autovacuum_enabled = false)

-- name: create_new_order
create table tpcc.new_order (
    no_o_id int not null,
    no_d_id int not null,
    no_w_id int not null
) with (autovacuum_enabled = false)
