#!/bin/bash
# The search on a drive with a known knee: the kernel lets it do 2,000 reads a second, a user's transaction
# (Order-Status only, so that the dataset stays as it is) takes some of them, since the server has hardly
# any memory to hold pages in, and the processors have little to do. The number that is found is held
# against single runs around it: within 10 %, three times out of three, and all three within 10 % of each
# other; the second search is interrupted and resumed, the third killed and resumed. About 14 minutes;
# TIMES=1 does one of them, FIRST=2 or 3 that one.
# may-skip: no cgroup v1 blkio controller, no loop devices
# timeout: 3600
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/../e2e/e2e_lib.bash"
. "$ROOT/tests/e2e/slow_drives.bash"
need_root
LIMIT=/sys/fs/cgroup/blkio/blkio.throttle.read_iops_device
[ -w "$LIMIT" ] || { echo "no $LIMIT"; exit 77; }
losetup -f >/dev/null || { echo "no loop devices"; exit 77; }
NUMBER=
trap '[ -z "$NUMBER" ] || echo "$NUMBER 0" >"$LIMIT"; end_rig' EXIT
FIRST=${FIRST:-1}
TIMES=${TIMES:-3}
SAMPLE=${SAMPLE:-10}
GOAL_MS=100
COMMON=(--drive "$DRIVE" --sessions 16 --buffer 16MiB --memory-limit 128MiB --set workload.pace=cycle
    --set 'workload.interval=negexp 1s' --set workload.factor=1 --set workload.mix.order_status=100
    --set run.drain=5s --check none --results "$RESULTS")
for i in new_order payment delivery stock_level; do COMMON+=(--set "workload.mix.$i=0"); done
fast_drive drive 3G
want 0 "$LOAD" --drive "$DRIVE" --warehouses 8
NUMBER=$(cat "/sys/block/${LOOP_OF[drive]#/dev/}/dev")
echo "$NUMBER 2000" >"$LIMIT"

# ran EXIT: the program ended with this, 0 or 1 (short samples may be called invalid).
ran() { [ "$1" -le 1 ] || fail "exit $1"; }

# search [interrupted|killed]: $FOUND users hold, $FAILS are not known to.
search() {
    local arguments=("${COMMON[@]}" --users 1200 --find-users "p90<${GOAL_MS}ms" --step-sample "${SAMPLE}s" --step-settle 5s)
    if [ -n "${1:-}" ]; then
        begin "${arguments[@]}"
        wait_for "step 3: " "$ERR"
        if [ "$1" = interrupted ]; then
            kill -INT "$PID"
            ended 130
            arguments=(--resume "$(result_dir)")
        else
            kill -KILL "$PID"
            ended 137
            arguments=(--resume "$(echo "$RESULTS"/*.partial)")
        fi
    fi
    "$RUN" "${arguments[@]}" >"$OUT" 2>"$ERR" </dev/null
    ran $?
    FOUND=$(figure users) FAILS=$(figure next_users)
    sed -n '/^answer/,/^on/p' "$OUT" | grep -v '^on'
    case $FOUND in '' | null) fail "no answer" ;; esac
}

# holds USERS: whether a single run of so many users does, by its own figure.
holds() {
    local ms
    "$RUN" "${COMMON[@]}" --users "$1" --duration "$((2 * SAMPLE + 8))s" --sample "$((2 * SAMPLE))s" \
        >"$OUT" 2>"$ERR" </dev/null
    ran $?
    ms=$(sed -n '/"response_ms"/,/}/s/.*"p90": \([0-9.]*\).*/\1/p' "$(result_dir)/result.json" | head -n 1)
    echo "single run of $1 users: p90 $ms ms"
    awk -v ms="$ms" -v most="$GOAL_MS" 'BEGIN { exit !(ms < most) }'
}

how=('' '' interrupted killed)
least=0 most=0
for i in $(seq "$FIRST" $((FIRST + TIMES - 1))); do
    echo "search $i ${how[i]:-}"
    search "${how[i]:-}"
    holds $((FOUND * 90 / 100)) || fail "10 % fewer users than $FOUND do not hold"
    ! holds $((FAILS * 110 / 100)) || fail "10 % more users than $FAILS hold"
    [ "$least" -gt 0 ] && [ "$least" -lt "$FOUND" ] || least=$FOUND
    [ "$most" -gt "$FOUND" ] || most=$FOUND
done
echo "found $least to $most users"
[ $((most * 100)) -le $((least * 110)) ] || fail "the searches found $least to $most users"
