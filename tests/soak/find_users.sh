#!/bin/bash
# The search on a server with a known knee: each procedure sleeps 50 ms and the sessions are four, so that
# users queue for them from a load on that hardly depends on how busy this machine and its drive are. The
# number that is found is held against single runs around it: within 10 %, three times out of three; the
# second search is interrupted and resumed. About 40 minutes.
# timeout: 7200
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/../e2e/e2e_lib.bash"
need_root
TIMES=${TIMES:-3}
SAMPLE=${SAMPLE:-25}
cp -R "$ROOT/schema/postgresql" "$SCRATCH/sleepy"
sed -i 's/^begin$/begin\n    perform pg_sleep(0.05);/' "$SCRATCH/sleepy/procedures.sql"
[ "$(grep -c pg_sleep "$SCRATCH/sleepy/procedures.sql")" -ge 3 ] || fail "the procedures do not sleep"
COMMON=(--drive "$DRIVE" --dialect "$SCRATCH/sleepy" --sessions 4 --set workload.pace=cycle
    --set 'workload.interval=negexp 1s' --set workload.factor=1 --set run.drain=5s --check none --results "$RESULTS")
want 0 "$LOAD" --drive "$DRIVE" --warehouses 2

# ran EXIT...: the program's last one ended with one of these.
ran() {
    local rc=$1
    [ "$rc" = 0 ] || [ "$rc" = "$2" ] || fail "exit $rc"
}

# search [INTERRUPTED]: $FOUND users hold, $FAILS are not known to.
search() {
    local arguments=("${COMMON[@]}" --users 160 --find-users "p90<200ms" --step-sample "${SAMPLE}s" --step-settle 5s)
    if [ -n "${1:-}" ]; then
        begin "${arguments[@]}"
        wait_for "step 3: " "$ERR"
        kill -INT "$PID"
        ended 130
        arguments=(--resume "$(result_dir)")
    fi
    "$RUN" "${arguments[@]}" >"$OUT" 2>"$ERR" </dev/null
    ran $? 1
    FOUND=$(figure users) FAILS=$(figure next_users)
    sed -n '/^answer/,/^on/p' "$OUT" | grep -v '^on'
    case $FOUND in '' | null) fail "no answer" ;; esac
}

# holds USERS: whether a single run of so many users does, by its own figure.
holds() {
    local ms
    "$RUN" "${COMMON[@]}" --users "$1" --duration "$((2 * SAMPLE + 8))s" --sample "$((2 * SAMPLE))s" \
        >"$OUT" 2>"$ERR" </dev/null
    ran $? 1
    ms=$(sed -n '/"response_ms"/,/}/s/.*"p90": \([0-9.]*\).*/\1/p' "$(result_dir)/result.json" | head -n 1)
    echo "single run of $1 users: p90 $ms ms"
    awk -v ms="$ms" 'BEGIN { exit !(ms < 200) }'
}

for i in $(seq "$TIMES"); do
    echo "search $i"
    if [ "$i" = 2 ]; then search interrupted; else search; fi
    holds $((FOUND * 90 / 100)) || fail "10 % fewer users than $FOUND do not hold"
    ! holds $((FAILS * 110 / 100)) || fail "10 % more users than $FAILS hold"
done
