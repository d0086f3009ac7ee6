#!/bin/bash
# A drive that begins to throttle in the middle of a run: the change is marked within two rounds of its
# time, with the bytes written before it, on the page and in the text, and the run is not called steady.
# The drive is a loop device on a file in memory, throttled by the kernel (cgroup v1, the root group).
# may-skip: no cgroup v1 blkio controller, no loop devices
# timeout: 170
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
. "$ROOT/tests/e2e/slow_drives.bash"
need_root
LIMIT=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device
[ -w "$LIMIT" ] || { echo "no $LIMIT"; exit 77; }
losetup -f >/dev/null || { echo "no loop devices"; exit 77; }
NUMBER=
trap '[ -z "$NUMBER" ] || echo "$NUMBER 0" >"$LIMIT"; end_rig' EXIT
fast_drive drive

# Throttles when the time line has come to 18 s, which is then when it happened: in the sample, which
# begins at 14 s, with a round of 4 s on both sides.
throttle() {
    local now=0 series
    for _ in $(seq 1200); do
        series=$(echo "$RESULTS"/*.partial/series.csv)
        now=$(tail -n 1 "$series" 2>/dev/null | cut -d, -f1)
        awk -v t="$now" 'BEGIN { exit !(t + 0 >= 18) }' && break
        sleep 0.1
    done
    echo "$NUMBER 150" >"$LIMIT"
    echo "$now" >"$SCRATCH/at"
}

echo "30 s, throttled to 150 writes a second in the middle"
NUMBER=$(cat "/sys/block/${LOOP_OF[drive]#/dev/}/dev")
want 0 "$LOAD" --drive "$DRIVE" --warehouses 1
throttle &
"$RUN" --drive "$DRIVE" --users 60 --set workload.factor=0.05 --sessions 16 --duration 28s --sample 14s \
    --ramp 1s --set run.drain=5s --check none --results "$RESULTS" >"$OUT" 2>"$ERR"
echo "$NUMBER 0" >"$LIMIT"
wait
result=$(echo "$RESULTS"/*)
[ -f "$result/result.json" ] || fail "no result"
marked=$(grep -A2 '"kind": "change"' "$result/result.json" | sed -n 's/.*"start_s": \([0-9.]*\).*/\1/p' | head -n 1)
round=$(sed -n 's/.*"round_s": \([0-9.]*\).*/\1/p' "$result/result.json" | head -n 1)
at=$(cat "$SCRATCH/at")
echo "throttled at $at s, marked at ${marked:-never}, rounds of $round s"
awk -v m="${marked:-1e9}" -v a="$at" -v r="$round" 'BEGIN { exit !(m >= a - 2 * r && m <= a + 2 * r) }' ||
    fail "not marked within two rounds: $(grep '^changed' "$OUT")"
grep -q '^changed *at 0:00:.*response.*written' "$OUT" || grep -A2 '^changed' "$OUT" | grep -q 'written' ||
    fail "the report does not tell"
grep -q '"code": "unsteady"' "$result/result.json" || fail "it is called steady"
grep -qF 'What happened along the run' "$result/report.html" || fail "the page does not show it"
