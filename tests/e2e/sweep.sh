#!/bin/bash
# drive-sweep with the real fio on two loop drives of known different limit: in the right order, the peak
# within 3 % of the limit, achieved within 2 % of asked below saturation for fixed and mixed sizes, the mean
# outstanding within 5 % of what may be under way at the maximum, the device's own counters of the same
# seconds. Interrupted, it keeps what is done.
# may-skip: no cgroup v1 blkio controller, no loop devices, no fio
# timeout: 150
# shellcheck disable=SC1091,SC2153,SC2154
. "$(dirname "$0")/sweep_lib.bash"
need_root
command -v fio >/dev/null || { echo "no fio"; exit 77; }
cat >"$SCRATCH/small.yaml" <<'YAML'
block:
  name: small
  points: [90, 115]
  profiles:
    - {name: random, read: 100, random: 100, outstanding: 8, size: 4KiB}
YAML
cat >"$SCRATCH/mixed.yaml" <<'YAML'
block:
  name: mixed
  points: [70]
  profiles:
    - {name: mixed, read: 50, random: 80, outstanding: 8, read_sizes: {8KiB: 50, 12KiB: 50}, size: 4KiB}
YAML
sed -i 's/, size: 4KiB}$/, write_sizes: {8KiB: 50, 12KiB: 50}}/' "$SCRATCH/mixed.yaml"

sweep() { # EXIT LOOP ARGUMENTS...
    want "$1" "$SWEEP" "$2" --point-duration "${POINT:-3s}" --settle 1s --results "$RESULTS" --plain "${@:3}"
}

# curve DIR PROFILE LIMIT: the figures that must hold.
curve() {
    local asked got under state n=0
    got=$(column "$1" "$2" iops | head -n 1)
    within 3 "$3" "$got" || fail "$2: the peak is $got, the limit $3"
    under=$(column "$1" "$2" outstanding | head -n 1)
    within 5 8 "$under" || fail "$2: $under under way at the maximum, not 8"
    while read -r asked got state; do
        n=$((n + 1))
        [ "$state" = 1 ] && continue
        within 2 "$asked" "$got" || fail "$2: asked $asked, got $got"
    done < <(paste -d ' ' <(column "$1" "$2" asked_iops) <(column "$1" "$2" iops) \
        <(column "$1" "$2" saturated) | tail -n +2)
    echo "$2: peak $(column "$1" "$2" iops | head -n 1) of $3, $under under way, $n points"
}

echo "two drives, 2000 and 1000 I/Os a second"
loop_drive 64M
throttled "$LOOP" 2000
FAST=$LOOP
loop_drive 64M
throttled "$LOOP" 1000
SLOW=$LOOP
# At the same time: neither knows of the other. The throttle lets through a tenth of a second's worth at
# once: 5 s hold 50 of these, or 51, which is 2 %.
"$SWEEP" "$SLOW" --workload "$SCRATCH/small.yaml" --point-duration 5s --settle 1s --results "$RESULTS" --plain \
    --label slow >"$SCRATCH/slow.out" 2>"$SCRATCH/slow.err" </dev/null &
PID=$!
POINT=5s sweep 0 "$FAST" --workload "$SCRATCH/small.yaml" --label fast
says "random, 90 %:"
fast=$(result_dir)
curve "$fast" random 2000
ended 0
slow=$(sed -n '$s/^result: //p' "$SCRATCH/slow.out")
curve "$slow" random 1000
for drive in "$fast" "$slow"; do
    [ "$(column "$drive" random saturated | tail -n 1)" = 1 ] || fail "115 % is not saturated"
done
# The device's own counters of the same seconds: every read of fio's and no other.
reads=$(grep -A1 '"loop[0-9]*": {' "$slow/result.json" | sed -n 's/.*"reads_per_s": \([0-9.]*\).*/\1/p' | head -n 1)
within 5 "$(column "$slow" random iops | head -n 1)" "${reads:-0}" || fail "the device counted ${reads:-nothing}"
grep -A3 '"health": {' "$slow/result.json" | grep -q '"seconds": [0-9]' || fail "nobody looked at the drive's health"
for file in plan.yaml workload-small.yaml points.csv report.html log.txt result.json; do
    [ -s "$slow/$file" ] || fail "no $file"
done
grep -q -- '--rw=randread' "$slow/log.txt" || fail "the log has no command of fio"
want 0 "$REPORT" "$fast"
cp "$OUT" "$SCRATCH/text"
want 0 "$REPORT" "$fast"
cmp -s "$OUT" "$SCRATCH/text" || fail "not the same again"
want 0 "$REPORT" --list "$RESULTS"
says "sweep"

echo "mixed sizes and writes, a rate that a drive was asked for before"
sweep 0 "$FAST" --workload "$SCRATCH/mixed.yaml" --i-will-lose 67108864
mixed=$(result_dir)
# By bytes a second: how many I/Os these are is left to the chance of their sizes.
limit=$(column "$mixed" mixed off_limit_percent | tail -n 1)
within "$limit" "$(column "$mixed" mixed asked_iops | tail -n 1)" "$(column "$mixed" mixed iops | tail -n 1)" ||
    fail "mixed sizes: $(column "$mixed" mixed asked_iops | tail -n 1) asked, limit $limit %"
echo "mixed: asked $(column "$mixed" mixed asked_iops | tail -n 1), got $(column "$mixed" mixed iops | tail -n 1), limit $limit %"
mean=$(paste -d ' ' <(column "$mixed" mixed mib_per_s) <(column "$mixed" mixed iops) |
    awk 'END { print 1024 * $1 / $2 }')
within 2 10 "$mean" || fail "mixed sizes: $mean KiB on average, not 10"

echo "side by side"
want 0 "$REPORT" "$slow" "$fast" "$mixed"
grep -A2 '^profile  *random: ' "$OUT" | grep -q '^fast .* best ' || fail "the faster drive is not the first"
grep -A3 '^profile  *random: ' "$OUT" | grep -qE '^slow .* -(4[89]|5[012])\.[0-9] % ' || fail "the slower one is not half"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$slow" "$fast"
grep -q '<figure class="sweep">' "$SCRATCH/page.html" || fail "the page has no curve"

echo "interrupted: what is done stays"
"$SWEEP" "$FAST" --workload "$SCRATCH/small.yaml" --point-duration 1s --settle 0s --results "$RESULTS" --plain \
    >"$OUT" 2>"$ERR" </dev/null &
PID=$!
wait_for "random, maximum:" "$ERR"
kill -INT "$PID"
ended 130
says "1 of 3 points were measured"
grep -q '"interrupted": true' "$(result_dir)/result.json" || fail "the result does not say so"
! pgrep -f "fio.*$RESULTS" >/dev/null || fail "fio still runs"
maximum=$(column "$(result_dir)" random iops)
cut=$(result_dir)
want 0 "$SWEEP" "$FAST" --resume "$cut" --plain
says "goes on after 1 of 3 points"
says_not "random, maximum:"
[ "$(result_dir)" = "$cut" ] || fail "not in $cut"
[ "$(column "$cut" random iops | wc -l)" = 3 ] || fail "not three points"
[ "$(column "$cut" random iops | head -n 1)" = "$maximum" ] || fail "the maximum was searched again"
grep -q '"interrupted": false' "$cut/result.json" || fail "still interrupted"

echo "killed: fio ends with it"
"$SWEEP" "$FAST" --workload "$SCRATCH/small.yaml" --point-duration 60s --settle 0s --results "$RESULTS" --plain \
    >"$OUT" 2>"$ERR" </dev/null &
PID=$!
wait_for_fio() {
    local i
    for i in $(seq 200); do
        FIO=$(pgrep -f "^fio .*$RESULTS") && return
        sleep 0.05
    done
    fail "fio was not started"
}
wait_for_fio
kill -KILL "$PID"
wait "$PID" 2>/dev/null
ends "$FIO"
