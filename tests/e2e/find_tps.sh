#!/bin/bash
# The curve of offered rates: the maximum first, then percents of it; one that is more than the database
# does ends on time and is called saturated; interrupted it goes on with the same rates; each step is a
# result that its plan.yaml repeats; and a search for the largest.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/page_lib.bash"
. "$(dirname "$0")/e2e_lib.bash"
need_root
need_chromium
# Procedures that sleep 20 ms on four sessions: what they do at most does not hang on this machine.
cp -R "$ROOT/schema/postgresql" "$SCRATCH/sleepy"
sed -i 's/^begin$/begin\n    perform pg_sleep(0.02);/' "$SCRATCH/sleepy/procedures.sql"
[ "$(grep -c pg_sleep "$SCRATCH/sleepy/procedures.sql")" -ge 3 ] || fail "the procedures do not sleep"
COMMON=(--drive "$DRIVE" --dialect "$SCRATCH/sleepy" --sessions 4 --step-sample 2s --step-settle 1s
    --set run.drain=2s --check none --results "$RESULTS")

# column NAME: of the steps, by their loads, from the ladder's CSV in $OUT.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { printf "%s ", $at }' "$OUT"
}

echo "a curve that is interrupted in its second step"
begin "${COMMON[@]}" --warehouses 1 --find-tps curve --step-percent 20,200 --label 'a curve'
wait_for "step 2 of 3: " "$ERR"
kill -INT "$PID"
ended 130
says "dataset: loading 1 warehouse"
says "1 of 3 steps of response over offered rates: ended by interrupt"
curve=$(result_dir)
sum=$(md5sum "$curve"/steps/*-maximum/result.json)

echo "goes on at the rate where it was"
rate=$(sed -n 's/.*step 2 of 3: \(.*\) TPS$/\1/p' "$ERR")
want 0 "$RUN" --resume "$curve"
all_quiet
says "step 2 of 3: $rate TPS"
says "3 of 3 steps of response over offered rates"
says "without a pace, on 4 sessions"
says "* saturated: "
[ "$(md5sum "$curve"/steps/*-maximum/result.json)" = "$sum" ] || fail "the maximum was measured again"
cp "$OUT" "$SCRATCH/live.txt"
want 0 "$REPORT" "$curve"
cmp "$OUT" "$SCRATCH/live.txt" || fail "tpcc-report says something else"
want 0 "$REPORT" --csv "$curve"
[ "$(column saturated)" = " 0 1 " ] || fail "saturated: $(column saturated)"
[ "$(column percent_of_maximum | awk '{ print int($1 + 0.5), int($2 + 0.5) }')" = "20 200" ] || fail "rates"
want 0 "$RUN" --config "$curve/$(sed -n 's/.*,\(steps.*\)/\1/p' "$OUT" | sed -n 2p)/plan.yaml" --dry-run
says "interval 10 s"
says "ceiling     $rate TPS"

echo "its page"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$curve"
cmp "$SCRATCH/page.html" "$curve/report.html" || fail "another page from the directory"
add_probe
look_at_sizes

echo "a search in which all of the rates hold"
want 0 "$RUN" "${COMMON[@]}" --find-tps "max<50s" --step-percent 10
says "all $(sed -n 's/.*step 2: \(.*\) TPS$/\1/p' "$ERR") TPS hold max<50s"
says "one transaction makes"
