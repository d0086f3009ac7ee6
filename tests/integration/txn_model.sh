#!/bin/bash
# The five transactions against a model that works row by row (txn_reference.sql): what every reply
# says and every row of every table after it, for a mix of random ones and for cases made by hand.
# timeout: 180
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/txn_lib.bash"

WAREHOUSES=2
dataset
"$PG/psql" -X -q -v ON_ERROR_STOP=1 -f tests/integration/txn_reference.sql >"$OUT" 2>&1 || fail model

# as_the_model: replays what was done and compares all tables.
as_the_model() {
    "$PG/psql" -X -q -v ON_ERROR_STOP=1 -1 -f "$SCRATCH/replay" >"$OUT" 2>&1 || fail "$1: a reply"
    equals "" "select * from ref.differences() limit 10"
}

# More rollbacks and remote lines than the standard's, so that few transactions show all.
run sessions=1 count=1000 seed=5 rollback_ppm=100000 remote_line_ppm=200000 replay="$SCRATCH/replay"
figure_is failed 0
[ "$(figure rolled_back)" -gt 15 ] || fail "few rollbacks"
[ "$(figure remote_lines)" -gt 150 ] || fail "few remote lines"
[ "$(figure skipped)" = 0 ] || fail "skipped districts so early"
figure_is by_name_found "$(figure by_name)"
as_the_model "mixed"
MIXED=$(figure "done")

# ---- the middle one of 1, 2, 3 and 5 of a name (2.5.2.2), and none ----
both() { sql "${1//@/tpcc}" && sql "${1//@/ref}"; }
for n in 1 2 3 5; do
    # First names A, B, ... in the opposite order of the numbers.
    both "update @.customer set c_last = 'MIDDLE$n', c_first = chr(65 + $n - (c_id - 100 * $n))
          where c_w_id = 1 and c_d_id = 4 and c_id between 100 * $n + 1 and 100 * $n + $n"
    middle=$(((n + 1) / 2))
    one committed payment 1 4 1 4 "MIDDLE$n" 100 $((1700000000000000 + n))
    first_names=ABC
    [[ $REPLY == "$((100 * n + n + 1 - middle))|1|${first_names:middle-1:1}|"* ]] ||
        fail "not the middle of $n: $REPLY"
    one committed order_status 1 4 "MIDDLE$n"
    [[ $REPLY == "$((100 * n + n + 1 - middle))|"* ]] || fail "not the middle of $n"
    sql "select ref.payment(1, 4, 1, 4, 0, 'MIDDLE$n', 100, $((1700000000000000 + n)))" >/dev/null
done
one "bad payment: no customer NOBODY in district 4 of warehouse 1" payment 1 4 1 4 NOBODY 100 1700000000000000
one "bad order_status: no customer NOBODY with an order" order_status 1 4 NOBODY
one "bad payment: no customer 4000" payment 1 4 1 4 4000 100 1700000000000000
one "bad new_order: no customer 4000" new_order 1 4 4000 1700000000000000 1:1:1
equals "" "select * from ref.differences() limit 10"

# ---- bad credit: C_DATA exactly, and cut at 500 (2.5.2.2) ----
both "update @.customer set c_credit = 'BC', c_data = 'end', c_balance = 0.01 where c_w_id = 2 and c_d_id = 3 and c_id = 7"
both "update @.customer set c_credit = 'BC', c_data = repeat('x', 500) where c_w_id = 2 and c_d_id = 3 and c_id = 8"
both "update @.customer set c_credit = 'GC', c_data = 'kept' where c_w_id = 2 and c_d_id = 3 and c_id = 9"
for c in 7 8 9; do
    one committed payment 1 5 2 3 $c 123405 1700000001000000
    sql "select ref.payment(1, 5, 2, 3, $c, '', 123405, 1700000001000000)" >/dev/null
done
equals "7 3 2 5 1 1234.05 end|-1234.04" "select c_data, c_balance from tpcc.customer where c_w_id = 2 and c_d_id = 3 and c_id = 7"
equals "500|8 3 2 5 1 1234.05 xxxx" "select length(c_data), left(c_data, 22) from tpcc.customer where c_w_id = 2 and c_d_id = 3 and c_id = 8"
equals "kept" "select c_data from tpcc.customer where c_w_id = 2 and c_d_id = 3 and c_id = 9"
equals "" "select * from ref.differences() limit 10"

# ---- stock: at QUANTITY + 10 subtract, one below add 91 (2.4.2.2); the same item three times, and
#      from both warehouses; brand; S_DIST of the order's district; the total ----
both "update @.stock set s_quantity = 15, s_data = 'aORIGINALb' where s_w_id = 1 and s_i_id = 50"
both "update @.stock set s_quantity = 14, s_data = 'ORIGINA' where s_w_id = 1 and s_i_id = 51"
both "update @.stock set s_quantity = 30, s_ytd = 0, s_order_cnt = 0, s_remote_cnt = 0 where s_i_id = 52"
both "update @.item set i_data = 'xxORIGINAL', i_price = 1.01 where i_id in (50, 51, 52)"
both "update @.customer set c_discount = 0.5000 where c_w_id = 1 and c_d_id = 10 and c_id = 3"
both "update @.district set d_tax = 0.1000, d_next_o_id = d_next_o_id where d_w_id = 1 and d_id = 10"
both "update @.warehouse set w_tax = 0.2000 where w_id = 1"
one committed new_order 1 10 3 1700000002000000 52:1:10 51:1:5 50:1:5 52:2:1 52:1:10 52:1:1
[[ $REPLY == *"3,1,"*",10,B,1.01,5.05"* && $REPLY == *"2,1,"*",100,G,1.01,5.05"* && $REPLY == *"4,2,"* ]] || fail "stock or brand: $REPLY"
# 32 x 1.01 x 0.5 x 1.3 = 21.008
[[ $(sed -n 2p "$OUT") == *"lines=6 remote_lines=1 "*"total_cents=2101"* ]] || fail "facts"
equals "1|9|21|3|0
2|29|1|1|1" "select s_w_id, s_quantity + case when s_w_id = 1 and s_quantity = 100 then -91 else 0 end, s_ytd, s_order_cnt, s_remote_cnt from tpcc.stock where s_i_id = 52 order by s_w_id"
equals "t" "select bool_and(ol_dist_info = s_dist_10) from tpcc.order_line join tpcc.stock on s_w_id = ol_supply_w_id and s_i_id = ol_i_id
    where ol_w_id = 1 and ol_d_id = 10 and ol_o_id = (select max(o_id) from tpcc.orders where o_w_id = 1 and o_d_id = 10)"
sql "select ref.new_order(1, 10, 3, 1700000002000000, '{52,51,50,52,52,52}', '{1,1,1,2,1,1}', '{10,5,5,1,10,1}')" >/dev/null
equals "" "select * from ref.differences() limit 10"

# ---- a planned rollback leaves nothing, but gives its outputs; also where it meets a double ----
one rolled_back new_order 1 10 3 1700000003000000 52:1:10 60:2:5 52:1:5 100001:1:5
[[ $(sed -n 2p "$OUT") == *"lines=3 remote_lines=1 "* ]] || fail "facts of a rollback"
equals "" "select * from ref.differences() limit 10"

# ---- Delivery: districts without an order are skipped ----
both "delete from @.new_order where no_w_id = 2 and no_d_id in (1, 10)"
both "delete from @.new_order where no_w_id = 2 and no_d_id = 5 and no_o_id > 2101 + 20"
run sessions=1 count=60 type=delivery seed=6 replay="$SCRATCH/replay"
[ "$(figure skipped)" -gt 60 ] || fail "not skipped"
as_the_model "delivery"
run sessions=1 count=300 type=stock_level seed=7 replay="$SCRATCH/replay"
as_the_model "stock_level"

no_error_lines
echo "$MIXED mixed transactions, 60 Deliveries, 300 Stock-Levels and hand-made cases as the model has them"
