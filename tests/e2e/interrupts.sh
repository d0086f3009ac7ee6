#!/bin/bash
# Ctrl-C in each phase: a result that says so, exit 130, no server left, nothing lost.
# timeout: 240
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

SMALL=(--drive "$DRIVE" --warehouses 3 --users 100 --ramp 3s --results "$RESULTS" --plain)
LONG=("${SMALL[@]}" --duration 20s --sample 5s --check none)

interrupted() {
    ended 130
    all_quiet
    says "interrupted $1"
    [ -s "$(result_dir)/result.json" ] || fail "no result"
    [ "$(figure status)" = invalid ] || fail "verdict $(figure status)"
    [ ! -e "$DRIVE/tpcc-run/data/postmaster.pid" ] || fail "postmaster.pid is left"
}

echo "in the load"
begin "${LONG[@]}"
wait_for "loading 3 warehouses" "$ERR"
kill -INT "$PID"
interrupted "before the run"
echo "in the ramp (the load goes on where it was)"
begin "${LONG[@]}"
wait_for "ramp, " "$ERR"
kill -TERM "$PID"
interrupted "during the run"
echo "in the precondition"
begin "${LONG[@]}"
wait_for "precondition, " "$ERR"
kill -HUP "$PID"
interrupted "during the run"
echo "in the sample"
begin "${SMALL[@]}" --duration 24s --sample 20s --check none
wait_for "sample, " "$ERR"
wait_for ",sample," "$RESULTS"/*.partial/series.csv
kill -INT "$PID"
interrupted "during the run"
[ "$(figure transactions)" -gt 0 ] || fail "no transactions in the partial sample"
[ "$(figure new_orders_counted)" = "$(figure new_orders_in_database)" ] || fail "order count"
echo "in the check after the run: its figures stay, but nobody has looked at the dataset"
begin "${SMALL[@]}" --duration 6s --sample 2s --check full
wait_for "looking at what the database holds" "$ERR"
kill -INT "$PID"
interrupted "in the check after the run"
says "after_check"
[ "$(figure seconds)" = 2.0 ] || fail "a sample of $(figure seconds) s"
