#!/bin/bash
# The main job as the README shows it, small: load, run, report, reuse, check, remove.
# timeout: 180
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

SMALL=(--drive "$DRIVE" --warehouses 2 --users 100 --duration 12s --sample 8s --results "$RESULTS")

echo "dry run: the plan, and nothing is written"
want 0 "$RUN" "${SMALL[@]}" --dry-run
says "ceiling     21.1 TPS"
says "command line"
[ -z "$(ls -A "$DRIVE")" ] || fail "--dry-run has written on the drive"
[ ! -e "$RESULTS" ] || fail "--dry-run has made results"

echo "named devices: all of them, each that is none refused"
mapfile -t named < <(cd /sys/block && printf '%s\n' * | head -n 2)
want 0 "$RUN" "${SMALL[@]}" --dry-run --device "${named[0]}" --device "${named[1]}"
for name in "${named[@]}"; do
    grep -q "^  device .*\\b$name (" "$OUT" || fail "$name is not told"
done
want 2 "$RUN" "${SMALL[@]}" --dry-run --device "${named[0]}" --device nosuch0
one_line
says "--device nosuch0: "

echo "load and run"
want 0 "$RUN" "${SMALL[@]}" --label 'first run'
all_quiet
first=$(result_dir)
[ -d "$first" ] || fail "the last line names no directory: $first"
for file in result.json plan.yaml series.csv latency.csv batches.csv report.html log.txt; do
    [ -s "$first/$file" ] || fail "no $file"
done
case $first in *-first-run) ;; *) fail "label is not in the name: $first" ;; esac
says "verdict    questionable"
says "short"
if [ "$(figure memory_limit_bytes)" = null ]; then
    says "memory not limited"
else
    says "the dataset fits into the memory limit"
fi
says "before: 3 of 3 ok"
says "after: 12 of 12 ok"
[ "$(figure failed)" = 0 ] || fail "failed: $(figure failed)"
[ "$(figure orders_agree)" != false ] || fail "orders do not agree"
[ "$(figure new_orders_counted)" = "$(figure new_orders_in_database)" ] || fail "order count"
says "limit      $(figure by): "
[ "$(figure commit_by)" = server ] || fail "commits are timed by $(figure commit_by)"
for key in commit_ms commits_per_flush wal_kib_per_transaction full_page_percent cache_hit_percent \
    page_reads_per_s cpu_ms_per_transaction cpu_percent checkpoints_timed longest_silence_ms looks; do
    case $(figure "$key") in '' | null) fail "no $key" ;; esac
done
rows=$(tail -n +2 "$first/series.csv" | wc -l)
[ "$rows" -ge 12 ] || fail "series.csv has $rows rows"

echo "the report from the saved directory is the same to the letter"
cp "$OUT" "$SCRATCH/live.txt"
want 0 "$REPORT" "$first"
cmp "$OUT" "$SCRATCH/live.txt" || fail "tpcc-report says something else"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$first"
cmp "$SCRATCH/page.html" "$first/report.html" || fail "the page is another than at the end of the run"

grep -Eq '^ *time: "?20[0-9-]+T[0-9:]+Z' "$first/plan.yaml" || fail "plan.yaml would load other rows"

echo "the dataset is used again, by its own size; JSON alone on standard output"
want 0 "$RUN" --drive drive --users 100 --duration 6s --sample 4s --results "$RESULTS" \
    --workload saturate --check none --json
says "already there"
head -c 1 "$OUT" | grep -q '{' || fail "not JSON"
second=$(tail -n 1 "$ERR")
[ -d "$second" ] || fail "no directory named on standard error: $second"
grep -q "^ *drive: \"$DRIVE\"" "$second/plan.yaml" || fail "plan.yaml would use another drive elsewhere"
grep -q '"runs_since_load": 1' "$second/result.json" || fail "runs are not counted"

echo "another size is refused, nothing is dropped"
want 2 "$RUN" --drive "$DRIVE" --warehouses 3 --users 100 --duration 6s --results "$RESULTS"
one_line
says "--rebuild"

echo "so are other rows"
want 2 "$RUN" --drive "$DRIVE" --users 100 --duration 6s --results "$RESULTS" --set load.seed=9
one_line
says "load.seed 1, not of 9"
want 2 "$RUN" --drive "$DRIVE" --users 100 --duration 6s --results "$RESULTS" \
    --set load.time=2026-01-01T00:00:00Z
one_line
says "load.time 20"

echo "the twelve conditions alone; the plan runs again"
want 0 "$CHECK" --drive "$DRIVE"
says "12 of 12 conditions hold"
want 0 "$RUN" --config "$first/plan.yaml" --check none
all_quiet

echo "removal asks, and takes only what is ours"
touch "$DRIVE/mine"
want 2 "$RUN" --drive "$DRIVE" --remove
says "--yes"
want 0 "$RUN" --drive "$DRIVE" --remove --yes
[ "$(ls -A "$DRIVE")" = mine ] || fail "left or lost: $(ls -A "$DRIVE")"
