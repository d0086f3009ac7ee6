-- The nine tables (1.3.1) in a database `tpcc`, InnoDB.
--
-- Types as in PostgreSQL's dialect: whole numbers int, money decimal and exact, w_ytd and d_ytd wider
-- than the standard's so that no run overflows them, times datetime(6) in UTC from the driver, texts
-- by bytes (ascii_bin).
--
-- Keys are there from the start: InnoDB keeps a table's rows in the order of its primary key, which
-- is the order in which they are loaded, and an ALTER TABLE would end the transaction that notes it as
-- done. HISTORY has no key (1.3.1); InnoDB gives it one of its own that nobody sees.
--
-- Each CREATE is committed by itself: a load that is cut off between them makes what is missing.

-- name: create_schema
create database tpcc character set ascii collate ascii_bin

-- name: create_item
create table if not exists tpcc.item (
    i_id int not null,
    i_im_id int not null,
    i_price decimal(5,2) not null,
    i_name varchar(24) not null,
    i_data varchar(50) not null,
    primary key (i_id)
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_warehouse
create table if not exists tpcc.warehouse (
    w_id int not null,
    w_tax decimal(4,4) not null,
    w_ytd decimal(14,2) not null,
    w_name varchar(10) not null,
    w_street_1 varchar(20) not null,
    w_street_2 varchar(20) not null,
    w_city varchar(20) not null,
    w_state varchar(2) not null,
    w_zip varchar(9) not null,
    primary key (w_id)
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_stock
create table if not exists tpcc.stock (
    s_i_id int not null,
    s_w_id int not null,
    s_quantity int not null,
    s_ytd int not null,
    s_order_cnt int not null,
    s_remote_cnt int not null,
    s_data varchar(50) not null,
    s_dist_01 varchar(24) not null,
    s_dist_02 varchar(24) not null,
    s_dist_03 varchar(24) not null,
    s_dist_04 varchar(24) not null,
    s_dist_05 varchar(24) not null,
    s_dist_06 varchar(24) not null,
    s_dist_07 varchar(24) not null,
    s_dist_08 varchar(24) not null,
    s_dist_09 varchar(24) not null,
    s_dist_10 varchar(24) not null,
    primary key (s_w_id, s_i_id)
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_district
create table if not exists tpcc.district (
    d_id int not null,
    d_w_id int not null,
    d_next_o_id int not null,
    d_tax decimal(4,4) not null,
    d_ytd decimal(14,2) not null,
    d_name varchar(10) not null,
    d_street_1 varchar(20) not null,
    d_street_2 varchar(20) not null,
    d_city varchar(20) not null,
    d_state varchar(2) not null,
    d_zip varchar(9) not null,
    primary key (d_w_id, d_id)
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_customer
create table if not exists tpcc.customer (
    c_id int not null,
    c_d_id int not null,
    c_w_id int not null,
    c_payment_cnt int not null,
    c_delivery_cnt int not null,
    c_since datetime(6) not null,
    c_balance decimal(12,2) not null,
    c_ytd_payment decimal(12,2) not null,
    c_credit_lim decimal(12,2) not null,
    c_discount decimal(4,4) not null,
    c_credit varchar(2) not null,
    c_last varchar(16) not null,
    c_first varchar(16) not null,
    c_middle varchar(2) not null,
    c_street_1 varchar(20) not null,
    c_street_2 varchar(20) not null,
    c_city varchar(20) not null,
    c_state varchar(2) not null,
    c_zip varchar(9) not null,
    c_phone varchar(16) not null,
    c_data varchar(500) not null,
    primary key (c_w_id, c_d_id, c_id),
    key customer_name (c_w_id, c_d_id, c_last, c_first)
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_history
create table if not exists tpcc.history (
    h_c_id int not null,
    h_c_d_id int not null,
    h_c_w_id int not null,
    h_d_id int not null,
    h_w_id int not null,
    h_date datetime(6) not null,
    h_amount decimal(6,2) not null,
    h_data varchar(24) not null
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_orders
create table if not exists tpcc.orders (
    o_id int not null,
    o_d_id int not null,
    o_w_id int not null,
    o_c_id int not null,
    o_entry_d datetime(6) not null,
    o_carrier_id int,
    o_ol_cnt int not null,
    o_all_local int not null,
    primary key (o_w_id, o_d_id, o_id),
    key orders_customer (o_w_id, o_d_id, o_c_id, o_id)
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_order_line
create table if not exists tpcc.order_line (
    ol_o_id int not null,
    ol_d_id int not null,
    ol_w_id int not null,
    ol_number int not null,
    ol_i_id int not null,
    ol_supply_w_id int not null,
    ol_delivery_d datetime(6),
    ol_quantity int not null,
    ol_amount decimal(6,2) not null,
    ol_dist_info varchar(24) not null,
    primary key (ol_w_id, ol_d_id, ol_o_id, ol_number)
) engine = InnoDB character set ascii collate ascii_bin

-- name: create_new_order
create table if not exists tpcc.new_order (
    no_o_id int not null,
    no_d_id int not null,
    no_w_id int not null,
    primary key (no_w_id, no_d_id, no_o_id)
) engine = InnoDB character set ascii collate ascii_bin
