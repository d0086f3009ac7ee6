#!/bin/bash
# Two private servers on two drives of different speed, loaded at once by one process: their figures
# and their sum, the reports on every screen; then one server is killed and the other stays valid; an
# interrupt ends both.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/page_lib.bash"
. "$(dirname "$0")/e2e_lib.bash"
. "$ROOT/tests/e2e/slow_drives.bash"
need_root
need_slow_drives
need_chromium

# of TARGET COLUMN [DIR]: a figure of the CSV report, by default of the last result; "sum" is a target too.
of() {
    "$REPORT" --csv "${3:-$(result_dir)}" | awk -F, -v target="$1" -v column="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        $1 == target { print $at }'
}

# holds EXPRESSION: of numbers
holds() {
    awk "BEGIN { exit !($1) }"
}

fast_drive quick
new_drive slow delay-write=3ms
cat >"$SCRATCH/two.yaml" <<EOF
run: {users: 400, duration: 6s, sample: 3s, drain: 3s, check: quick, transport: statements}
load: {warehouses: 1}
targets:
  - {label: quick, drive: $SCRATCH/quick, sessions: 8}
  - {label: slow, drive: $SCRATCH/slow, sessions: 24, users: 300}
EOF

echo "both at once"
want 0 "$RUN" --config "$SCRATCH/two.yaml" --label 'an array' --results "$RESULTS"
all_quiet
says "2 of 2 targets at once"
says "quick: 8 sessions are open and warm; the run begins"
says "2 of 2 targets"
all=$(result_dir)
[ "$(find "$all" -name '*.partial' | wc -l)" = 0 ] || fail "something is partial"
[ "$(grep -o '"device": "loop[0-9]*"' "$all/result.json" | sort -u | wc -l)" = 2 ] || fail "not each its own device"
holds "$(of quick response_avg_ms) * 2 < $(of slow response_avg_ms)" || fail "the slow drive is not the slower one"
holds "$(figure cpu_percent) > 0 && $(figure cpu_us_per_transaction) > 0" || fail "no cost"

echo "the sum is right: counts by the targets' own files, percentiles by the merged latency.csv"
sum=$(of sum transactions)
[ "$(for i in "$all"/targets/*/result.json; do sed -n 's/^ *"transactions": \([0-9]*\),/\1/p' "$i"; done | awk '{ n += $1 } END { print n }')" = "$sum" ] ||
    fail "transactions of the targets' results"
holds "$(of quick tps) + $(of slow tps) - $(of sum tps) < 0.01" || fail "TPS"
# rows DIR: count by transaction, kind and bucket
rows() {
    awk -F, 'FNR > 1 && $3 != "inf" { n[$1 "," $2 "," $3] += $4 } END { for (i in n) print i "," n[i] }' "$@" | sort
}
[ "$(rows "$all"/targets/*/latency.csv)" = "$(rows "$all/latency.csv")" ] || fail "the histograms do not add up"
for p in 50 95 99; do
    by_hand=$(awk -F, -v p=$p 'FNR > 1 && $2 == "response" && $3 != "inf" && $1 != "delivery_deferred" { n[$3] += $4; all += $4 }
        END { rank = all * p / 100; for (i in n) { u[++k] = i + 0 }
              for (a = 1; a <= k; a++) for (b = a + 1; b <= k; b++) if (u[b] < u[a]) { x = u[a]; u[a] = u[b]; u[b] = x }
              for (a = 1; a <= k; a++) { seen += n[u[a]]; if (seen >= rank) { print u[a] / 1000; exit } } }' "$all/latency.csv")
    holds "$(of sum response_p${p}_ms) / $by_hand > 0.999 && $(of sum response_p${p}_ms) / $by_hand < 1.001" ||
        fail "p$p is not $by_hand ms"
done

echo "the same from its directory; each target is a result; the plan can be run again"
cp "$OUT" "$SCRATCH/live.txt"
want 0 "$REPORT" "$all"
cmp "$OUT" "$SCRATCH/live.txt" || fail "tpcc-report says something else"
want 0 "$REPORT" --csv "$all"
[ "$(cut -d, -f1 "$OUT" | tr '\n' ' ')" = "target quick slow sum " ] || fail "CSV"
want 0 "$REPORT" --markdown "$all"
says "| sum |"
want 0 "$REPORT" --list "$RESULTS"
says "2 of 2 targets"
want 0 "$REPORT" "$all"/targets/*-slow
says "300 users on 24 sessions"
want 2 "$REPORT" "$all" "$all"/targets/*-slow
says "which are reported alone"
want 0 "$RUN" --config "$all/plan.yaml" --dry-run
says "target slow"
says "users       300, "
want 0 "$RUN" --config "$(echo "$all"/targets/*-slow)/plan.yaml" --dry-run
says "users       300, "

echo "its page"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$all"
cmp "$SCRATCH/page.html" "$all/report.html" || fail "another page from the directory"
add_probe
look_at_sizes

echo "refused"
sed "s|drive: $SCRATCH/slow|drive: $SCRATCH/quick/.|" "$SCRATCH/two.yaml" >"$SCRATCH/same.yaml"
want 2 "$RUN" --config "$SCRATCH/same.yaml"
one_line
says "targets quick and slow are the same directory"
want 2 "$LOAD" --config "$SCRATCH/two.yaml"
one_line
says "several at once are for tpcc-run"

echo "one server is killed: the other goes on to its end"
begin --config "$SCRATCH/two.yaml" --results "$RESULTS"
wait_for "sample, " "$ERR"
kill -KILL "$(head -n 1 "$SCRATCH/slow/tpcc-run/data/postmaster.pid")"
ended 1
all_quiet
says "1 of 2 targets, those whose sample is whole"
grep -q '"ended_by": "the loss of its server"' "$(result_dir)/result.json" || fail "not said what was lost"
[ "$(of slow verdict)" = invalid ] || fail "the lost one is $(of slow verdict)"
[ "$(of quick verdict)" != invalid ] || grep -q '"reasons": ".*late' "$(result_dir)/result.json" || fail "the other is invalid too"
[ "$(of sum transactions)" = "$(of quick transactions)" ] || fail "the sum has the lost one"
holds "$(of quick sample_s) > 2.9 && $(of quick sample_s) < 3.1" || fail "the other's sample is cut"

echo "an interrupt ends both"
begin --config "$SCRATCH/two.yaml" --results "$RESULTS"
wait_for "ramp, " "$ERR"
kill -INT "$PID"
ended 130
all_quiet
says "ended by interrupt"
