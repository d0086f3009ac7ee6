#!/bin/bash
# Repeats: each a result of its own under one label, from a restored dataset or in a row; an interrupt
# keeps what was measured, --resume goes on, the comparison is the same from the set's directory.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

SMALL=(--drive "$DRIVE" --users 20 --duration 2s --sample 1s --ramp 1s --set run.drain=5s --check none
    --results "$RESULTS" --plain)

# figures KEY SET: that figure of each of its runs.
figures() {
    sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2/result.json" | tr '\n' ' '
}

echo "interrupted in its second run"
begin "${SMALL[@]}" --warehouses 1 --restore --restore-rest 0s --repeat 2 --label 'drive A'
wait_for "run 2 of 2" "$ERR"
kill -INT "$PID"
ended 130
all_quiet
set=$(result_dir)
says "1 of 2 repeats, the dataset put back before each; ended by interrupt"
first=$(cd "$set" && md5sum runs/*/result.json | head -n 1)

echo "goes on at the next"
want 0 "$RUN" --resume "$set"
all_quiet
says "going on after 1 of 2 runs"
says "2 of 2 repeats, the dataset put back before each; ended by plan"
says "2 results in 1 group"
[ "$(result_dir)" = "$set" ] || fail "another directory"
(cd "$set" && echo "$first" | md5sum -c --quiet) || fail "the first run was measured again"
[ "$(figures runs_since_load "$set")$(figures restored "$set")" = "0 0 true copy copy " ] ||
    fail "not alike: $(figures runs_since_load "$set") $(figures restored "$set")"
sed '/repeats, the dataset put back/d;/^result: /d' "$OUT" | sed '$d' >"$SCRATCH/live.txt"
want 2 "$RUN" --resume "$set"
one_line
says "all of its 2 runs are measured"

echo "the same from its directory"
want 0 "$REPORT" "$set"
cmp "$OUT" "$SCRATCH/live.txt" || fail "tpcc-report says something else"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$set"
cmp "$SCRATCH/page.html" "$set/report.html" || fail "another page"
want 0 "$REPORT" --list "$RESULTS"
says "2 of 2 repeats, restored: ended by plan"

echo "in a row, each finds what the one before it left"
want 0 "$RUN" "${SMALL[@]}" --repeat 2
says "in a row: each finds what the ones before it left"
says "2 of 2 repeats, in a row; ended by plan"
says "2 results in 1 group"
[ "$(figures runs_since_load "$(result_dir)")" = "1 2 " ] || fail "$(figures runs_since_load "$(result_dir)")"
want 2 "$RUN" "${SMALL[@]}" --repeat 3 --steps 5,10
one_line
says "a ladder is not repeated"
want 2 "$RUN" "${SMALL[@]}" --repeat 21
one_line
all_quiet
