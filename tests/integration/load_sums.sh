#!/bin/bash
# Counts and sums after a load find what went wrong in it; what a load leaves is as it was planned.
# timeout: 120
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
server_new
load 0 --warehouses 2

echo "keys, storage, statistics and visibility"
[ "$(sql "select count(*) from pg_index i join pg_class c on c.oid = i.indrelid
           where c.relnamespace = 'tpcc'::regnamespace and c.relname not in ('manifest', 'load_progress')")" = 10 ] ||
    fail "keys"
[ "$(sql "select count(*) from pg_class where relnamespace = 'tpcc'::regnamespace and relkind = 'r'
             and 'autovacuum_enabled=false' = any (reloptions)")" = 0 ] || fail "autovacuum is still off"
sql "select value from tpcc.manifest where name = 'storage'" |
    grep -q "stock: fillfactor=90 autovacuum_vacuum_scale_factor=0.02" || fail "storage is not noted"
[ "$(sql "select count(*) from pg_stats where schemaname = 'tpcc' and tablename = 'order_line'")" = 10 ] ||
    fail "statistics"
# A table may end in pages without rows: PostgreSQL 16 and later add many at a time.
for table in order_line history new_order item; do
    [ "$(sql "select relallvisible >= (select count(distinct (ctid::text::point)[0]) from tpcc.$table)
              from pg_class where oid = 'tpcc.$table'::regclass")" = t ] || fail "$table: pages not visible to all"
done
[ "$(sql "select count(*) from tpcc.manifest")" = 14 ] || fail "rows of the manifest"

echo "what is wrong is found"
# wrong TEXT CHANGE UNDO: the load is made to look cut off before its check, with rows changed.
wrong() {
    sql "update tpcc.manifest set value = 'loading' where name = 'state'; $2" || fail "$2"
    load 1
    says "$1"
    sql "$3" || fail "$3"
}

wrong "customer of warehouse 2: sum of c_balance is -29999999 cents, not -30000000" \
    "update tpcc.customer set c_balance = c_balance + 0.01 where c_w_id = 2 and c_d_id = 1 and c_id = 1" \
    "update tpcc.customer set c_balance = c_balance - 0.01 where c_w_id = 2 and c_d_id = 1 and c_id = 1"
wrong "history of warehouse 1: 30001 rows, not 30000" \
    "create table kept as select * from tpcc.history where h_w_id = 1 limit 1; update kept set h_data = 'twice';
     insert into tpcc.history select * from kept; drop table kept" \
    "delete from tpcc.history where h_data = 'twice'"
wrong "orders of warehouse 1: customers with an order is 29999, not 30000" \
    "update tpcc.orders set o_c_id = o_c_id % 3000 + 1 where o_w_id = 1 and o_d_id = 4 and o_id = 9" \
    "update tpcc.orders set o_c_id = (o_c_id + 2998) % 3000 + 1 where o_w_id = 1 and o_d_id = 4 and o_id = 9"
wrong "order_line of warehouse 2: sum of ol_amount of delivered orders is 1 cents, not 0" \
    "update tpcc.order_line set ol_amount = 0.01 where ol_w_id = 2 and ol_d_id = 1 and ol_o_id = 1 and ol_number = 1" \
    "update tpcc.order_line set ol_amount = 0 where ol_w_id = 2 and ol_d_id = 1 and ol_o_id = 1 and ol_number = 1"
wrong "item: 99999 rows, not 100000" \
    "create table kept as select * from tpcc.item where i_id = 7; delete from tpcc.item where i_id = 7" \
    "insert into tpcc.item select * from kept; drop table kept"
load 0
[ "$(sql "select value from tpcc.manifest where name = 'state'")" = complete ] || fail "not complete"
