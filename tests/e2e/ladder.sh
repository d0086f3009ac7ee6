#!/bin/bash
# Steps on one dataset: an interrupt keeps what was measured, and so does whoever kills it and kills it
# again as it goes on; --resume goes on at the next step, each step is a result, and the ladder's
# reports are the same from its directory, on every screen.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/page_lib.bash"
. "$(dirname "$0")/e2e_lib.bash"
need_root
need_chromium

echo "interrupted in its second step"
begin --drive "$DRIVE" --warehouses 1 --steps 5,10..20x2 --step-sample 2s --step-settle 1s \
    --set run.drain=5s --check quick --label 'some steps' --results "$RESULTS"
wait_for "step 2 of 3: 10 users" "$ERR"
kill -INT "$PID"
ended 130
all_quiet
ladder=$(result_dir)
[ -f "$ladder/result.json" ] || fail "no ladder"
says "1 of 3 steps of 5,10..20x2 users: ended by interrupt"
first=$(cd "$ladder" && echo steps/*-5-users)
sum=$(md5sum "$ladder/$first/result.json")

echo "killed hard in that step as it goes on, and in the next one"
begin --resume "$ladder"
wait_for "sample, " "$ERR"
kill -KILL "$PID"
ended 137
[ ! -e "$ladder" ] || fail "still named as one that has ended: $ladder"
want 0 "$REPORT" "$ladder.partial"
says "1 of 3 steps"
begin --resume "$ladder" # by its name it is found too
wait_for "step 3 of 3: 20 users" "$ERR"
kill -KILL "$PID"
ended 137
want 0 "$REPORT" --csv "$ladder.partial"
[ "$(cut -d, -f1 "$OUT" | tr '\n' ' ')" = "users 5 10 " ] || fail "not the steps that were measured"

echo "goes on at the next step"
want 0 "$RUN" --resume "$ladder.partial"
all_quiet
[ "$(result_dir)" = "$ladder" ] || fail "another directory: $(result_dir)"
says "going on after 2 steps"
says "3 of 3 steps of 5,10..20x2 users"
says "20 users*"
says "after the last step: 3 of 3 ok"
[ "$(md5sum "$ladder/$first/result.json")" = "$sum" ] || fail "the first step was measured again"
[ "$(find "$ladder" -name '*.partial' ! -name '*-10-users.partial' ! -name '*-20-users.partial' | wc -l)" = 0 ] ||
    fail "something is partial that was not killed"
cp "$OUT" "$SCRATCH/live.txt"
want 2 "$RUN" --resume "$ladder"
one_line
says "all of its steps are measured"

echo "the same from its directory; each step is a result"
want 0 "$REPORT" "$ladder"
cmp "$OUT" "$SCRATCH/live.txt" || fail "tpcc-report says something else"
want 0 "$REPORT" --csv "$ladder"
[ "$(cut -d, -f1 "$OUT" | tr '\n' ' ')" = "users 5 10 20 " ] || fail "CSV"
want 0 "$REPORT" --list "$RESULTS"
says "3 of 3 steps"
want 0 "$REPORT" "$ladder/$first"
says "5 users on 16 sessions"
want 2 "$REPORT" "$ladder" "$ladder/$first"
says "a ladder of runs, which is reported alone"
want 0 "$RUN" --config "$ladder/$first/plan.yaml" --dry-run
says "users       5,"

echo "its page"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$ladder"
cmp "$SCRATCH/page.html" "$ladder/report.html" || fail "another page from the directory"
add_probe
look_at_sizes
