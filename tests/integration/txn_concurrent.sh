#!/bin/bash
# Transactions against each other on two warehouses: counts by the driver agree with the tables, the
# twelve conditions hold, deadlocks are next to none, and no line of an error is in the server's log
# though orders were rolled back.
# timeout: 180
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/txn_lib.bash"

WAREHOUSES=2
dataset -c max_connections=40

# ---- 10,000 New-Orders, 4 sessions: remote lines are counted in stock (2.4.2.2) ----
run sessions=4 count=10000 type=new_order seed=11
figure_is failed 0
figure_is new_order 10000
[ "$(figure rolled_back)" -gt 50 ] || fail "few rollbacks"
[ "$(figure retries)" -le 10 ] || fail "deadlocks: $(figure retries)"
REMOTE=$(figure remote_lines)
COMMITTED=$((10000 - $(figure rolled_back)))
[ "$REMOTE" -gt 700 ] || fail "few remote lines"
equals "$REMOTE" "select sum(s_remote_cnt) from tpcc.stock"
equals "$REMOTE" "select count(*) from tpcc.order_line where ol_supply_w_id <> ol_w_id"
equals "$(figure lines)" "select sum(s_order_cnt) from tpcc.stock"
equals "$(figure lines)" "select count(*) from tpcc.order_line where ol_o_id > 3000"
equals "t" "select sum(ol_quantity) = (select sum(s_ytd) from tpcc.stock) from tpcc.order_line where ol_o_id > 3000"
equals "$COMMITTED" "select sum(d_next_o_id - 3001) from tpcc.district"
equals "$COMMITTED" "select count(*) from tpcc.orders where o_id > 3000"
equals "t" "select bool_and((o_all_local = 1) = (select bool_and(ol_supply_w_id = ol_w_id) from tpcc.order_line
    where ol_w_id = o_w_id and ol_d_id = o_d_id and ol_o_id = o_id)) from tpcc.orders where o_id > 3000"
conditions_hold

# ---- the whole mix, and Payments that all want the same two warehouses ----
run sessions=8 count=6000 seed=12
figure_is failed 0
[ "$(figure retries)" -le 10 ] || fail "deadlocks: $(figure retries)"
PAYMENTS=$(figure payment)
run sessions=8 count=4000 type=payment seed=13 remote_payment_ppm=500000
figure_is failed 0
[ "$(figure retries)" -le 10 ] || fail "deadlocks: $(figure retries)"
equals "$((60000 + PAYMENTS + 4000))" "select count(*) from tpcc.history"
conditions_hold

# ---- Deliveries side by side deliver every order once, oldest first: no gap, none lost ----
LEFT=$(sql "select count(*) from tpcc.new_order")
run sessions=8 count=300 type=delivery seed=14
figure_is failed 0
equals "$((LEFT - $(figure delivered)))" "select count(*) from tpcc.new_order"
conditions_hold
# ... and to the very last one.
run sessions=8 count=4000 type=delivery seed=15
equals "0" "select count(*) from tpcc.new_order"
[ "$(figure skipped)" -gt 0 ] || fail "not skipped"
conditions_hold

if [ "$(sql "select sum(deadlocks) from pg_stat_database")" = 0 ]; then
    no_error_lines
fi
echo "$COMMITTED orders, $REMOTE remote lines, $(sql "select sum(deadlocks) from pg_stat_database") deadlocks"
