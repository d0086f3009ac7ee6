#!/bin/bash
# Whatever fio does wrong, drive-sweep says it in one line, ends with 3, and shows no figure of zero; what it
# must not do (make a node, write without consent) it does not do. A fake fio for each.
# may-skip: no loop devices
# timeout: 120
# shellcheck disable=SC1091,SC2016,SC2153
. "$(dirname "$0")/sweep_lib.bash"
need_root
loop_drive 4M
GOOD='{"total_ios":3000,"short_ios":0,"drop_ios":0,"runtime":1000,"iops":3000,"bw_bytes":12288000,"lat_ns":{"mean":100000,"max":900000,"percentile":{"50.000000":1,"90.000000":1,"95.000000":1,"99.000000":1,"99.900000":1}}}'
NONE='{"total_ios":0,"short_ios":0,"drop_ios":0,"runtime":0,"iops":0,"bw_bytes":0,"lat_ns":{"mean":0,"max":0}}'
DOCUMENT="{
\"fio version\":\"fio-3.33\",\"timestamp_ms\":1,\"jobs\":[{\"error\":0,\"read\":$GOOD,\"write\":$NONE,\"mixed\":$GOOD}]}"
cat >"$SCRATCH/one.yaml" <<'YAML'
block:
  name: one
  points: [50]
  profiles: [{name: r, read: 100, random: 100, outstanding: 4, size: 4KiB}]
YAML

# fake BODY: a fio that says its version and then does this; $output is where its JSON belongs.
fake() {
    printf '#!/bin/sh\n[ "$1" != --version ] || { echo fio-3.33; exit 0; }\nfor a; do case $a in --output=*) output=${a#*=};; esac; done\n%s\n' "$1" >"$SCRATCH/fio"
    chmod 755 "$SCRATCH/fio"
}

sweep() { # EXIT ARGUMENTS...
    want "$1" "$SWEEP" "$LOOP" --workload "$SCRATCH/one.yaml" --set "sweep.fio=$SCRATCH/fio" --point-duration 1s \
        --settle 0s --set sweep.patience=1s --results "$RESULTS" --quiet "${@:2}"
}

# wrong TEXT: one line of error that has it, no report, nothing but a .partial left.
wrong() {
    sweep 3
    says "$1"
    [ "$(grep -c '^drive-sweep: ' "$ERR")" -ge 1 ] || fail "no line of error"
    [ ! -s "$OUT" ] || fail "a report of nothing"
    ! ls -d "$RESULTS"/*Z "$RESULTS"/*Z-[0-9] >"$OUT" 2>/dev/null || fail "a result of nothing"
    ! grep -rqE '"iops": 0(\.0)?,' "$RESULTS" || fail "a figure of zero"
    rm -rf "$RESULTS"
}

echo "absent, too old, no fio"
rm -f "$SCRATCH/fio"
wrong "can't run $SCRATCH/fio: No such file"
printf '#!/bin/sh\necho fio-2.21\n' >"$SCRATCH/fio" && chmod 755 "$SCRATCH/fio"
wrong 'fio 3.26 or later is needed, and this says of itself "fio-2.21"'
printf '#!/bin/sh\necho usage: fio FILE\n' >"$SCRATCH/fio"
wrong 'says of itself "usage: fio FILE"'

echo "no JSON, broken, cut off, an error, no I/O, an exit code"
fake 'echo "fio: engine psync not loadable" >&2; exit 1'
wrong 'fio ended with exit code 1; it said: fio: engine psync not loadable'
fake 'exit 0'
wrong 'No such file or directory'
fake 'echo "note: nothing" >$output'
wrong 'fio wrote no JSON'
fake "cat >\$output <<'X'
$(printf %s "$DOCUMENT" | head -c 300)
X"
wrong "fio's JSON is broken or cut off"
fake "cat >\$output <<'X'
$(printf %s "$DOCUMENT" | sed 's/"error":0/"error":5/')
X"
wrong "fio's job ended with error 5: Input/output error"
fake "cat >\$output <<'X'
$(printf %s "$DOCUMENT" | sed "s/\"mixed\":{\"total_ios\":3000/\"mixed\":{\"total_ios\":0/")
X"
wrong 'fio did no I/O'
fake "kill -9 \$\$"
wrong 'exit code 137'

echo "one that never ends, and will not be told to"
fake 'trap "" INT TERM; while :; do sleep 0.1; done'
sweep 3 && says 'did not end within 2 s and was stopped'
for pid in $(pgrep -f "$SCRATCH/fio"); do fail "still running: $pid"; done
rm -rf "$RESULTS"

echo "junk before the JSON, and an eighth of the rate: marked, a result, questionable"
fake "cat >\$output <<'X'
note: both iodepth >= 1 and synchronous I/O engine
$DOCUMENT
X
case \$* in *--rate=*) sed -i 's/\"iops\":3000/\"iops\":187.5/g' \$output;; esac"
sweep 0
grep -qE '^50 % .* off$' "$OUT" || fail "not marked"
says 'not at the rate that was asked for, up to -87.5 %'
grep -q '"status": "questionable"' "$(result_dir)/result.json" || fail "not questionable"
sweep 1 --strict
want 0 "$REPORT" "$(result_dir)"

echo "until steady, a database run's own mix, a trace; what was killed tells what it had"
fake "cat >\$output <<'X'
$DOCUMENT
X"
sweep 0 --until-steady
says "at its maximum r had 0.3 I/Os under way, not 4"
grep -q '"rounds": 5' "$(result_dir)/result.json" || fail "not five rounds"
sweep 0 --from "$ROOT/tests/golden/report-text/in/2026-11-30T134501Z-valid" --i-will-lose 4194304
says "oltp-blocks is made of"
grep -q 'rates: \[3350.75\]' "$(result_dir)/workload-oltp-blocks.yaml" || fail "not at the run's rate"
[ "$(column "$(result_dir)" oltp-blocks iops | wc -l)" = 14 ] || fail "not 14 points"
printf 'fio version 3 iolog\n0 /d add\n0 /d read 0 4096\n1000 /d read 4096 4096\n' >"$SCRATCH/trace"
printf 'block: {name: t, profiles: [{name: t, trace: trace, outstanding: 4}]}\n' >"$SCRATCH/t.yaml"
want 0 "$SWEEP" "$LOOP" --workload "$SCRATCH/t.yaml" --set "sweep.fio=$SCRATCH/fio" --set sweep.point_duration=1s \
    --settle 0s --results "$RESULTS" --quiet
grep -q -- "--read_iolog=$SCRATCH/trace" "$(result_dir)/log.txt" || fail "the trace was not played"
fake "if [ -e $SCRATCH/second ]; then echo \$\$ >$SCRATCH/pid; exec sleep 60; fi; touch $SCRATCH/second; cat >\$output <<'X'
$DOCUMENT
X"
"$SWEEP" "$LOOP" --workload "$SCRATCH/one.yaml" --set "sweep.fio=$SCRATCH/fio" --point-duration 1s --settle 0s \
    --results "$SCRATCH/killed" --plain >"$OUT" 2>"$ERR" </dev/null &
PID=$!
wait_for "" "$SCRATCH/pid"
kill -KILL "$PID"
wait "$PID" 2>/dev/null
ends "$(cat "$SCRATCH/pid")"
want 0 "$REPORT" "$SCRATCH"/killed/*.partial
says "1 of 2 points were measured"

echo "it goes on where it was, the maximum kept; not by other options, another fio, on another drive"
killed=$(echo "$SCRATCH"/killed/*.partial)
resume() { # EXIT TEXT ARGUMENTS...
    want "$1" "$SWEEP" --resume "$killed" --quiet "${@:3}"
    [ -z "$2" ] || says "$2"
}
before=$(md5sum "$killed"/*)
resume 2 "--resume $killed: it was asked for settle: 0s, not for settle: 1s" "$LOOP" --settle 1s
resume 2 'it was asked for workload: ' "$LOOP" --workload vdi-boot --i-will-lose 4194304
resume 2 'its label is none, not x' "$LOOP" --label x
head -c 4M /dev/urandom >"$SCRATCH/file"
resume 2 "it is of another drive: $LOOP of 4194304 bytes, not $SCRATCH/file of 4194304" "$SCRATCH/file"
sed -i 's/random: 100/random: 0/' "$SCRATCH/one.yaml"
resume 2 'the workload one is another one now than in its workload-one.yaml' "$LOOP"
sed -i 's/random: 0/random: 100/' "$SCRATCH/one.yaml"
sed -i 's/fio-3.33/fio-3.34/' "$SCRATCH/fio"
resume 2 'its points are by fio-3.33, and this is fio-3.34' "$LOOP"
sed -i 's/fio-3.34/fio-3.33/' "$SCRATCH/fio"
cp -r "$killed" "$SCRATCH/odd"
sed -i 's/"kind": "sweep"/"kind": "prep"/' "$SCRATCH/odd/result.json"
want 2 "$SWEEP" --resume "$SCRATCH/odd" "$LOOP" && says "--resume $SCRATCH/odd: it is no sweep"
want 2 "$SWEEP" --resume "$SCRATCH" "$LOOP" && says "there is no plan.yaml in it"
[ "$before" = "$(md5sum "$killed"/*)" ] || fail "a refusal changed it"
fake "echo \$\$ >$SCRATCH/pid2; case \$* in *--rate=*) ;; *) exit 1;; esac; cat >\$output <<'X'
$(printf %s "$DOCUMENT" | sed 's/"iops":3000/"iops":1500/g')
X"
resume 0 "" "$LOOP"
says "cut off, it went on at r, 50 %, after "
[ ! -e "$killed" ] || fail "not renamed"
[ "$(column "${killed%.partial}" r iops | paste -sd,)" = 3000,1500 ] || fail "not the maximum of before and the rate of now"
want 2 "$SWEEP" --resume "${killed%.partial}" "$LOOP" && says "all of its points are measured"

echo "what is not there is not made, what is in use is not written, nobody agreed"
want 3 "$SWEEP" "$SCRATCH/nope" --quiet
[ ! -e "$SCRATCH/nope" ] || fail "made"
want 2 "$SWEEP" "$SCRATCH" --quiet
truncate -s 4M "$SCRATCH/sparse"
want 3 "$SWEEP" "$SCRATCH/sparse" --workload "$SCRATCH/one.yaml" --quiet && says "has holes"
want 2 "$SWEEP" "$LOOP" --results "$RESULTS" --quiet && says "--i-will-lose"
want 2 "$SWEEP" "$LOOP" --results "$RESULTS" --quiet --i-will-lose 4194303 && says "--i-will-lose"
head -c 4M /dev/zero >"$SCRATCH/file"
want 2 "$SWEEP" "$SCRATCH/file" --results "$RESULTS" --quiet && says "--i-will-lose 4194304"
mkfs.ext4 -q "$LOOP" || fail "mkfs.ext4 $LOOP"
mount "$LOOP" "$DRIVE" || fail "mount $LOOP"
MOUNTS+=("$DRIVE")
want 3 "$SWEEP" "$LOOP" --results "$RESULTS" --quiet --i-will-lose 4194304
says "mounted"
[ ! -e "$RESULTS" ] || [ -z "$(ls "$RESULTS"/*.partial 2>/dev/null)" ] || fail "begun"
