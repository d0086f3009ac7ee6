#!/bin/bash
# Ctrl-C in each phase: a result that says so, exit 130, no server left, nothing lost.
# timeout: 180
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

SMALL=(--drive "$DRIVE" --warehouses 3 --users 100 --duration 20s --sample 5s --ramp 3s
    --check none --results "$RESULTS" --plain)

interrupted() {
    ended 130
    all_quiet
    says "interrupted $1"
    [ -s "$(result_dir)/result.json" ] || fail "no result"
    [ "$(figure status)" = invalid ] || fail "verdict $(figure status)"
    [ ! -e "$DRIVE/tpcc-run/data/postmaster.pid" ] || fail "postmaster.pid is left"
}

echo "in the load"
begin "${SMALL[@]}"
wait_for "loading 3 warehouses" "$ERR"
kill -INT "$PID"
interrupted "before the run"
echo "in the ramp (the load goes on where it was)"
begin "${SMALL[@]}"
wait_for "ramp, " "$ERR"
kill -TERM "$PID"
interrupted "during the run"
echo "in the precondition"
begin "${SMALL[@]}"
wait_for "precondition, " "$ERR"
kill -HUP "$PID"
interrupted "during the run"
echo "in the sample"
begin "${SMALL[@]}"
wait_for "sample, " "$ERR"
sleep 2
kill -INT "$PID"
interrupted "during the run"
[ "$(figure transactions)" -gt 0 ] || fail "no transactions in the partial sample"
[ "$(figure new_orders_counted)" = "$(figure new_orders_in_database)" ] || fail "order count"
echo "in the check after the run: its figures stay, but nobody has looked at the dataset"
begin "${SMALL[@]}" --check full
wait_for "looking at what the database holds" "$ERR"
kill -INT "$PID"
interrupted "in the check after the run"
says "after_check"
[ "$(figure seconds)" = 5.0 ] || fail "a sample of $(figure seconds) s"
echo "twice: at once"
begin "${SMALL[@]}"
wait_for "ramp, " "$ERR"
kill -INT "$PID"
kill -INT "$PID"
ended 130
all_quiet
echo "killed hard: the partial result stays, the orphan is stopped by the next run"
begin "${SMALL[@]}"
wait_for "ramp, " "$ERR"
kill -KILL "$PID"
wait "$PID"
partial=$(ls -d "$RESULTS"/*.partial)
[ -s "$partial/series.csv" ] || fail "no series in $partial"
want 1 "$REPORT" "$partial"
says "partial"
want 0 "$RUN" --drive "$DRIVE" --users 50 --duration 6s --sample 3s --results "$RESULTS"
says "12 of 12 ok"
all_quiet
