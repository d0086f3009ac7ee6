#!/bin/bash
# Two drives of clearly different speed, three short runs on each, in turn: told apart. Three and three
# on one drive: not told apart (a false alarm comes in one of twenty; then it is run again). Single
# runs: never ranked, whatever they show.
# The drives are loop devices on files in memory behind a delay of each request: 1 and 5 ms a write (with
# none, a response is so short that a busy machine makes the driver late and the run invalid).
# KEEP=DIR keeps the results there.
# timeout: 2400
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/../e2e/e2e_lib.bash"
. "$ROOT/tests/e2e/slow_drives.bash"
need_root
need_slow_drives

run() { # DRIVE LABEL
    want 0 "$RUN" --drive "$SCRATCH/$1" --users 300 --warehouses 2 --duration 25s --sample 15s \
        --check none --label "$2" --results "$RESULTS"
    echo "$2: $(sed -n 's/^response  *\([0-9.]*\).*/average \1 ms/p' "$OUT" | head -n 1)"
}

results_of() { # LABEL...
    local label
    for label; do ls -d "$RESULTS"/*-"$label"; done
}

compare() { # ARGUMENTS...
    want 0 "$REPORT" "$@"
    sed -n '1,/^avg/p' "$OUT"
}

new_drive fast delay-write=1ms
new_drive slow delay-write=5ms
echo "load, and one run that does not count: the first after a load is slower"
run fast warm
run slow warm
for label in fast slow slow fast fast slow; do run "$label" "$label"; done

echo "--- two drives"
# shellcheck disable=SC2046 # names without blanks
compare $(results_of fast slow)
says "fast is faster than slow by"
# shellcheck disable=SC2046
compare --by p95 $(results_of fast slow)
says "fast is faster than slow by"

echo "--- single runs"
# shellcheck disable=SC2046
compare $(results_of fast slow | sed -n '1p;$p')
says "difference in these two runs:"
says "spread between runs unknown"
says_not "faster"

for try in first second; do
    echo "--- one drive, $try time"
    for label in A B B A A B; do run fast "$try-$label"; done
    # shellcheck disable=SC2046
    compare $(results_of "$try-A" "$try-B")
    grep -q "no difference that these runs can show" "$OUT" && break
    [ "$try" = first ] || fail "one drive is told apart from itself, twice"
done
# shellcheck disable=SC2046
want 0 "$REPORT" --html "$SCRATCH/compare.html" $(results_of fast slow)
if [ -n "${KEEP:-}" ]; then
    mkdir -p "$KEEP" && cp -r "$RESULTS"/. "$SCRATCH/compare.html" "$KEEP"
fi
