#!/bin/bash
# Ctrl-C twice leaves at once; a run that is killed leaves its partial result and a server, which the
# next run stops.
# timeout: 240
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

SMALL=(--drive "$DRIVE" --warehouses 1 --users 100 --duration 20s --sample 5s --ramp 3s --check none
    --results "$RESULTS" --plain)

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
