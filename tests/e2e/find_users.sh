#!/bin/bash
# A search for the most users: interrupted, or killed and killed again as it goes on, it asks the same
# question and gives the same answer; it says when all that were to be tried hold and when not even the
# fewest do. tests/soak/find_users.sh finds a knee that is known.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

echo "a search that is interrupted and goes on: all that were to be tried hold"
begin --drive "$DRIVE" --warehouses 1 --users 8 --find-users "max<50s, payment.avg<50s" --step-sample 2s \
    --step-settle 1s --set workload.factor=0.02 --set run.drain=5s --check none --results "$RESULTS"
wait_for "step 2: 4 users" "$ERR"
kill -INT "$PID"
ended 130
says "so far 2 users hold max<50s, payment.avg<50s"
search=$(result_dir)
begin --resume "$search"
wait_for "sample, " "$ERR"
kill -KILL "$PID"
ended 137
begin --resume "$search.partial"
wait_for "step 3: 8 users" "$ERR"
kill -KILL "$PID"
ended 137
want 0 "$RUN" --resume "$search.partial"
all_quiet
[ "$(result_dir)" = "$search" ] || fail "another directory: $(result_dir)"
says "all 8 users hold max<50s, payment.avg<50s"
says "one user makes"
[ "$(sed -n 's/.*"end": "\(.*\)".*/\1/p' "$search/result.json")" = ceiling ] || fail "no ceiling"
[ "$(figure users)" = 8 ] || fail "answer $(figure users)"
[ "$(cd "$search/steps" && echo *-users | wc -w)" -le 4 ] || fail "steps were measured twice"
cp "$OUT" "$SCRATCH/live.txt"
want 0 "$REPORT" "$search"
cmp "$OUT" "$SCRATCH/live.txt" || fail "tpcc-report says something else of the search"

echo "one that holds for nobody"
want 0 "$RUN" --drive "$DRIVE" --users 2 --find-users "max<1us" --step-sample 2s --step-settle 1s \
    --set workload.factor=0.02 \
    --set run.drain=5s --check none --results "$RESULTS"
says "not even 1 user holds max<1us"
