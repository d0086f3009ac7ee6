#!/bin/bash
# --until-steady on a real server, twice: on a drive that is left alone the precondition ends early, once five
# rounds were alike; on one that changes its speed every other round it is extended beyond what was planned, to
# its bound. The report says so. ONLY_DRIVES="alone" or "changing" takes one of them.
# timeout: 1200
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/../e2e/e2e_lib.bash"
# shellcheck source=tests/e2e/slow_drives.bash
. "$ROOT/tests/e2e/slow_drives.bash"
need_root
# told: what the report and the result say of the precondition that has just ended.
told() {
    [ -n "$(result_dir)" ] || fail "no result"
    LENGTH=$(awk '/"name": "precondition"/ { on = 1 } on && /"end_s"/ { gsub(/[^0-9.]/, ""); print; exit }' "$(result_dir)/result.json")
    grep -E -A3 '^steady ' "$OUT"
    echo "planned $(figure precondition_planned_s) s, bound $(figure precondition_bound_s) s, rounds of $(figure round_s) s," \
        "ended by \"$(figure precondition_end)\" at $LENGTH s"
}

# Each write takes 10 ms, so that a response hardly depends on what else this machine does.
alone() {
    local mix=(--set workload.mix.new_order=100) i
    for i in payment order_status delivery stock_level; do mix+=(--set "workload.mix.$i=0"); done
    need_slow_drives
    new_drive alone delay-write=10ms
    begin --drive "$SCRATCH/alone" --warehouses 1 --users 60 --set workload.factor=0.2 "${mix[@]}" --ramp 5s --duration 10m \
        --sample 60s --until-steady --check none --results "$RESULTS"
    wait "$PID"
    told
    [ "$(figure precondition_end)" = steady ] || fail "it did not become steady"
    awk -v s="$LENGTH" -v p="$(figure precondition_planned_s)" -v r="$(figure round_s)" \
        'BEGIN { exit !(s >= 5 * r && s < p) }' || fail "it did not end early"
}

changing() {
    local limit=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device number speed
    [ -w "$limit" ] || { echo "no $limit"; exit 77; }
    fast_drive changing
    number=$(cat "/sys/block/${LOOP_OF[changing]#/dev/}/dev")
    # shellcheck disable=SC2064 # these two
    trap "echo '$number 0' >$limit; end_rig" EXIT
    begin --drive "$SCRATCH/changing" --warehouses 1 --users 40 --set workload.factor=0.2 --ramp 1s --duration 2m --sample 60s \
        --until-steady --check none --results "$RESULTS"
    while kill -0 "$PID" 2>/dev/null; do
        for speed in 0 60; do
            echo "$number $speed" >"$limit"
            for _ in $(seq 600); do kill -0 "$PID" 2>/dev/null || break; sleep 0.1; done
        done
    done
    wait "$PID"
    told
    [ "$(figure precondition_end)" = bound ] || fail "it is called steady"
    awk -v s="$LENGTH" -v p="$(figure precondition_planned_s)" -v b="$(figure precondition_bound_s)" \
        'BEGIN { exit !(s > p && s > b - 2 && s < b + 2) }' || fail "it was not extended to its bound"
}

for drive in ${ONLY_DRIVES:-alone changing}; do
    echo "--- $drive"
    "$drive"
done
