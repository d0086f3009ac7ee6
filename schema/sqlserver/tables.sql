-- The nine tables (1.3.1) in a schema `tpcc` of the database that the connection names. Not yet run on
-- SQL Server.
--
-- Types as in the other dialects: whole numbers int, money decimal and exact, times datetime2(6) in
-- UTC from the driver, texts by bytes. The primary key is there from the start, clustered: rows are
-- loaded in its order. Secondary ones are made when the rows are in (keys.sql).

-- name: create_schema
create schema tpcc

-- name: create_item
create table tpcc.item (
    i_id int not null,
    i_im_id int not null,
    i_price decimal(5,2) not null,
    i_name varchar(24) collate Latin1_General_BIN2 not null,
    i_data varchar(50) collate Latin1_General_BIN2 not null,
    primary key (i_id)
)

-- name: create_warehouse
create table tpcc.warehouse (
    w_id int not null,
    w_tax decimal(4,4) not null,
    w_ytd decimal(14,2) not null,
    w_name varchar(10) collate Latin1_General_BIN2 not null,
    w_street_1 varchar(20) collate Latin1_General_BIN2 not null,
    w_street_2 varchar(20) collate Latin1_General_BIN2 not null,
    w_city varchar(20) collate Latin1_General_BIN2 not null,
    w_state varchar(2) collate Latin1_General_BIN2 not null,
    w_zip varchar(9) collate Latin1_General_BIN2 not null,
    primary key (w_id)
)

-- name: create_stock
create table tpcc.stock (
    s_i_id int not null,
    s_w_id int not null,
    s_quantity int not null,
    s_ytd int not null,
    s_order_cnt int not null,
    s_remote_cnt int not null,
    s_data varchar(50) collate Latin1_General_BIN2 not null,
    s_dist_01 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_02 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_03 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_04 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_05 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_06 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_07 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_08 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_09 varchar(24) collate Latin1_General_BIN2 not null,
    s_dist_10 varchar(24) collate Latin1_General_BIN2 not null,
    primary key (s_w_id, s_i_id)
)

-- name: create_district
create table tpcc.district (
    d_id int not null,
    d_w_id int not null,
    d_next_o_id int not null,
    d_tax decimal(4,4) not null,
    d_ytd decimal(14,2) not null,
    d_name varchar(10) collate Latin1_General_BIN2 not null,
    d_street_1 varchar(20) collate Latin1_General_BIN2 not null,
    d_street_2 varchar(20) collate Latin1_General_BIN2 not null,
    d_city varchar(20) collate Latin1_General_BIN2 not null,
    d_state varchar(2) collate Latin1_General_BIN2 not null,
    d_zip varchar(9) collate Latin1_General_BIN2 not null,
    primary key (d_w_id, d_id)
)

-- name: create_customer
create table tpcc.customer (
    c_id int not null,
    c_d_id int not null,
    c_w_id int not null,
    c_payment_cnt int not null,
    c_delivery_cnt int not null,
    c_since datetime2(6) not null,
    c_balance decimal(12,2) not null,
    c_ytd_payment decimal(12,2) not null,
    c_credit_lim decimal(12,2) not null,
    c_discount decimal(4,4) not null,
    c_credit varchar(2) collate Latin1_General_BIN2 not null,
    c_last varchar(16) collate Latin1_General_BIN2 not null,
    c_first varchar(16) collate Latin1_General_BIN2 not null,
    c_middle varchar(2) collate Latin1_General_BIN2 not null,
    c_street_1 varchar(20) collate Latin1_General_BIN2 not null,
    c_street_2 varchar(20) collate Latin1_General_BIN2 not null,
    c_city varchar(20) collate Latin1_General_BIN2 not null,
    c_state varchar(2) collate Latin1_General_BIN2 not null,
    c_zip varchar(9) collate Latin1_General_BIN2 not null,
    c_phone varchar(16) collate Latin1_General_BIN2 not null,
    c_data varchar(500) collate Latin1_General_BIN2 not null,
    primary key (c_w_id, c_d_id, c_id)
)

-- name: create_history
create table tpcc.history (
    h_c_id int not null,
    h_c_d_id int not null,
    h_c_w_id int not null,
    h_d_id int not null,
    h_w_id int not null,
    h_date datetime2(6) not null,
    h_amount decimal(6,2) not null,
    h_data varchar(24) collate Latin1_General_BIN2 not null
)

-- name: create_orders
create table tpcc.orders (
    o_id int not null,
    o_d_id int not null,
    o_w_id int not null,
    o_c_id int not null,
    o_entry_d datetime2(6) not null,
    o_carrier_id int,
    o_ol_cnt int not null,
    o_all_local int not null,
    primary key (o_w_id, o_d_id, o_id)
)

-- name: create_order_line
create table tpcc.order_line (
    ol_o_id int not null,
    ol_d_id int not null,
    ol_w_id int not null,
    ol_number int not null,
    ol_i_id int not null,
    ol_supply_w_id int not null,
    ol_delivery_d datetime2(6),
    ol_quantity int not null,
    ol_amount decimal(6,2) not null,
    ol_dist_info varchar(24) collate Latin1_General_BIN2 not null,
    primary key (ol_w_id, ol_d_id, ol_o_id, ol_number)
)

-- name: create_new_order
create table tpcc.new_order (
    no_o_id int not null,
    no_d_id int not null,
    no_w_id int not null,
    primary key (no_w_id, no_d_id, no_o_id)
)
