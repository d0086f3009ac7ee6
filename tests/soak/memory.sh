#!/bin/bash
# The same run twice, with a memory limit of less than half of the dataset and without one: limited, its
# page reads reach the drive; not limited, RAM answers in its place. The report tells which was which.
# timeout: 600
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/../e2e/e2e_lib.bash"
# shellcheck source=tests/e2e/slow_drives.bash
. "$ROOT/tests/e2e/slow_drives.bash"
need_root
fast_drive memory 6G # for both runs' WAL

# run LIMIT: long enough to have read what it reads once.
run() {
    "$RUN" --drive "$SCRATCH/memory" --warehouses 8 --workload saturate --users 80 --sessions 4 --buffer 16MiB \
        --memory-limit "$1" --duration 60s --sample 30s --check none --results "$RESULTS" >"$OUT" 2>"$ERR" </dev/null
    [ -n "$(result_dir)" ] || fail "no result"
    limit=$(figure memory_limit_bytes)
    reads=$(sed -n '/"per_transaction"/,/}/s/.*"reads": \([0-9.]*\).*/\1/p' "$(result_dir)/result.json")
    echo "limit $1: $(figure tps) TPS, $reads device reads a transaction, dataset $(figure bytes_before) bytes, limit $limit"
    grep -A3 '^memory ' "$OUT"
}

run 300MiB
[ "$limit" != null ] || { echo "no memory group here"; exit 77; }
limited=$reads
[ "$(figure bytes_before)" -ge $((2 * limit)) ] || fail "the dataset is less than twice the limit"
says_not "memory not limited"
run none
[ "$limit" = null ] || fail "there is a limit"
says "memory not limited: reads may have come from RAM"
awk -v a="$limited" -v b="$reads" 'BEGIN { exit !(a > 4 * b) }' || fail "$limited and $reads device reads a transaction"
