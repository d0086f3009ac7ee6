#!/bin/bash
# --until-steady on a real server, on a drive that changes its speed all the time: the precondition is
# extended beyond what was planned, to its bound, and the report says so. (That it ends early where all is
# steady is a unit test of run/phases, on a made clock.)
# timeout: 600
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/../e2e/e2e_lib.bash"
# shellcheck source=tests/e2e/slow_drives.bash
. "$ROOT/tests/e2e/slow_drives.bash"
need_root
LIMIT=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device
[ -w "$LIMIT" ] || { echo "no $LIMIT"; exit 77; }
fast_drive changing
NUMBER=$(cat "/sys/block/${LOOP_OF[changing]#/dev/}/dev")
trap 'echo "$NUMBER 0" >"$LIMIT"; end_rig' EXIT

begin --drive "$SCRATCH/changing" --warehouses 1 --users 40 --set workload.factor=0.2 --ramp 1s --duration 2m --sample 60s \
    --until-steady --check none --results "$RESULTS"
while kill -0 "$PID" 2>/dev/null; do
    for speed in 0 25; do
        echo "$NUMBER $speed" >"$LIMIT"
        for _ in $(seq 170); do kill -0 "$PID" 2>/dev/null || break; sleep 0.1; done
    done
done
wait "$PID"
[ -n "$(result_dir)" ] || fail "no result"
length=$(awk '/"name": "precondition"/ { on = 1 } on && /"end_s"/ { gsub(/[^0-9.]/, ""); print; exit }' "$(result_dir)/result.json")
grep -E -A3 '^steady ' "$OUT"
echo "planned $(figure precondition_planned_s) s, bound $(figure precondition_bound_s) s, rounds of $(figure round_s) s," \
    "ended by \"$(figure precondition_end)\" at $length s"
[ "$(figure precondition_end)" = bound ] || fail "it is called steady"
awk -v s="$length" -v p="$(figure precondition_planned_s)" -v b="$(figure precondition_bound_s)" \
    'BEGIN { exit !(s > p && s > b - 2 && s < b + 2) }' || fail "it was not extended to its bound"
