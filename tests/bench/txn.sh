#!/bin/bash
# What a transaction costs, as ratios in one run: (a) the server's CPU a transaction of the whole mix
# without waits against pgbench's TPC-B-like one at the same scale factor; (b) our driver's CPU a
# transaction against pgbench calling the same procedures in the same mix: sessions and transactions
# alone, and with all that a run records. Same sessions, same server, in turns; medians. Between
# checkpoints: both are warmed first, so that pages have been written whole once.
# From the environment: WAREHOUSES (20), SESSIONS (8), ROUNDS (5), SECONDS_EACH (20), WARM (30),
# SCRATCH_PARENT (/var/tmp).
# timeout: 3600
# shellcheck disable=SC1091 # bench_lib.bash
. "$ROOT/tests/bench/bench_lib.bash"
W=${WAREHOUSES:-20}
SESSIONS=${SESSIONS:-8}
ROUNDS=${ROUNDS:-5}
EACH=${SECONDS_EACH:-20}
WARM=${WARM:-30}

# CPU of the postmaster, its living children and its ended ones, us.
server_cpu() {
    local pid
    pid=$(postmaster)
    cat "/proc/$pid/stat" /proc/[0-9]*/stat 2>/dev/null | awk -v p="$pid" '
        { pid = $1; sub(/^.*\) /, "") }
        pid == p && !seen++ { t += $12 + $13 + $14 + $15 }
        $2 == p { t += $12 + $13 }
        END { print t * 10000 }'
}

# All sessions of the last program are gone, so that what they used is counted.
settled() {
    local i
    for ((i = 0; i < 500; i++)); do
        [ "$("$PG/psql" -X -Atc "select count(*) from pg_stat_activity where backend_type = 'client backend'" tpcc)" = 1 ] &&
            return 0
        sleep 0.01
    done
    fail "sessions that do not end"
}

median_of() { printf '%s\n' "$@" | median; }
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }
figure() { sed -n "s/^$1[= ]//p" "$OUT"; }

# pgbench_run DATABASE SECONDS OPTION...: transactions in $N, its own CPU in us in $CPU.
pgbench_run() {
    local TIMEFORMAT='%U %S' user system
    { time "$PG/pgbench" -n -M prepared -c "$SESSIONS" -j 1 -T "$2" "${@:3}" "$1" >"$OUT" 2>"$SCRATCH/err"; } \
        2>"$SCRATCH/time" || fail "pgbench $(cat "$SCRATCH/err")"
    N=$(sed -n 's/^number of transactions actually processed: //p' "$OUT")
    read -r user system <"$SCRATCH/time"
    CPU=$(awk "BEGIN { print ($user + $system) * 1e6 }")
}

# scripts: what pgbench is to call, each with the same procedure as our driver.
scripts() {
    local i items='' supply=''
    for i in 0 1 2 3 4 5 6 7 8 9; do
        items+="${items:+, }:i + ${i}0000"
        supply+="${supply:+, }:w"
    done
    printf '%s\n' "\\set w random(1, $W)" '\set d random(1, 10)' '\set c random(1, 3000)' \
        '\set i random(1, 10000)' "call tpcc.new_order(:w, :d, :c, localtimestamp, '{1,2,3,4,5,6,7,8,9,10}',
            array[$items]::int[], array[$supply]::int[], '{1,2,3,4,5,6,7,8,9,10}', null);" >"$SCRATCH/new_order"
    printf '%s\n' "\\set w random(1, $W)" '\set d random(1, 10)' '\set c random(1, 3000)' \
        "select tpcc.payment(:w, :d, :w, :d, :c, '', 12.34, localtimestamp);" >"$SCRATCH/payment"
    printf '%s\n' "\\set w random(1, $W)" '\set d random(1, 10)' '\set c random(1, 3000)' \
        "select * from tpcc.order_status(:w, :d, :c, '');" >"$SCRATCH/order_status"
    printf '%s\n' "\\set w random(1, $W)" "select tpcc.delivery(:w, 7, localtimestamp);" >"$SCRATCH/delivery"
    printf '%s\n' "\\set w random(1, $W)" '\set d random(1, 10)' \
        "select low_stock from tpcc.stock_level(:w, :d, 15);" >"$SCRATCH/stock_level"
}

prepare() {
    server_new C "-c shared_buffers=$((256 + W * 150))MB -c max_wal_size=32GB -c checkpoint_timeout=1h"
    "$PG/createdb" pgbench || fail createdb
    "$BIN/tpcc-load" --pg "$CONNINFO" --warehouses "$W" --quiet >"$OUT" 2>&1 || fail load
    sed 's/^-- name:.*/;/' schema/postgresql/procedures.sql |
        "$PG/psql" -X -q -v ON_ERROR_STOP=1 tpcc >"$OUT" 2>&1 || fail procedures
    "$PG/pgbench" -i -q -s "$W" pgbench >"$OUT" 2>&1 || fail "pgbench -i"
    scripts
    "$PG/psql" -X -q -c checkpoint tpcc
    ours "$WARM"
    pgbench_run pgbench "$WARM"
}

# ours SECONDS: the whole mix, a transaction after the other in every session.
ours() {
    "$BIN/txn-driver" run schema/postgresql "$CONNINFO" warehouses="$W" sessions="$SESSIONS" seconds="$1" \
        seed=$RANDOM >"$OUT" 2>&1 || fail txn-driver
    N=$(figure "done")
    [ "$(figure failed)" = 0 ] || fail "failed transactions"
}

MIX=(-f "$SCRATCH/new_order@45" -f "$SCRATCH/payment@43" -f "$SCRATCH/order_status@4" -f "$SCRATCH/delivery@4"
    -f "$SCRATCH/stock_level@4")

# The first seconds of a session map the server's buffers, page by page: runs are not short.
one_round() {
    local before tpcb mix tps theirs alone ours
    settled
    before=$(server_cpu)
    pgbench_run pgbench "$EACH"
    settled
    tpcb=$((($(server_cpu) - before) / N))
    before=$(server_cpu)
    ours "$EACH"
    settled
    mix=$((($(server_cpu) - before) / N))
    tps=$(figure tps)
    alone=$(figure driver_us)
    pgbench_run tpcc "$EACH" "${MIX[@]}"
    theirs=$(awk "BEGIN { print $CPU / $N }")
    "$BIN/run-driver" backend=pq conninfo="$CONNINFO" warehouses="$W" sessions="$SESSIONS" pace=none \
        precondition=1 sample="$EACH" >"$OUT" 2>&1 || fail run-driver
    ours=$(figure cpu_us_per_transaction)
    SERVER_TPCB+=("$tpcb") SERVER_MIX+=("$mix")
    DRIVER_PGBENCH+=("$theirs") DRIVER_ALONE+=("$alone") DRIVER_OURS+=("$ours")
    printf 'server %s us (TPC-B-like) %s us (mix, %s TPS) | driver %.1f us (pgbench) %.1f us (sessions) %.1f us (run)\n' \
        "$tpcb" "$mix" "$tps" "$theirs" "$alone" "$ours"
}

# said WHAT ARRAY ARRAY GOAL: the medians of two and their ratio.
said() {
    local -n ours=$2 theirs=$3
    local a b
    a=$(median_of "${ours[@]}") b=$(median_of "${theirs[@]}")
    printf 'ratio: %s: %.1f us against %.1f us, %s (goal %s or less)\n' "$1" "$a" "$b" "$(ratio "$a" "$b")" "$4"
}

prepare
SERVER_TPCB=() SERVER_MIX=() DRIVER_PGBENCH=() DRIVER_ALONE=() DRIVER_OURS=()
for ((r = 0; r < ROUNDS; r++)); do one_round; done
said "server's CPU, mix against TPC-B-like" SERVER_MIX SERVER_TPCB 1.40
said "driver's CPU, sessions and transactions against pgbench" DRIVER_ALONE DRIVER_PGBENCH 1.00
said "driver's CPU, whole run against pgbench" DRIVER_OURS DRIVER_PGBENCH 1.00
