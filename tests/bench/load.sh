#!/bin/bash
# The loader, as ratios in one run: the generator alone; our load on a server with default settings,
# and on the private server, against the floor: PostgreSQL with its default settings taking the same
# rows as ready-made text COPY files by as many connections as there are cores, then building the
# same keys by as many. Rows and keys only; vacuum, analyse and checks are no part of any of them.
# From the environment: WAREHOUSES (5), ROUNDS (3), SCRATCH_PARENT (/var/tmp).
# timeout: 3600
set -u

# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"
PG=$PGBIN
[ "$(id -u)" = 0 ] || { echo "needs root, to run servers as another user"; exit 77; }
W=${WAREHOUSES:-5}
ROUNDS=${ROUNDS:-3}
CORES=$(nproc)
SCHEMA=$ROOT/schema/postgresql
SCRATCH=$(mktemp -d "${SCRATCH_PARENT:-/var/tmp}/tpcc-bench.XXXXXX")
OUT=$SCRATCH/out
export PGHOST=$SCRATCH PGUSER=tpcc PGDATABASE=tpcc PGOPTIONS='-c client_min_messages=warning'
TABLES=(order_line stock customer orders history new_order item district warehouse)

as_user() { (cd / && runuser -u postgres -- "$@"); }

# shellcheck disable=SC2317 # called by the trap
end_all() {
    as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -m immediate stop >/dev/null 2>&1
    rm -rf "$SCRATCH"
}
trap end_all EXIT

fail() {
    echo "FAILED: $*"
    cat "$OUT"
    exit 1
}

psql() { "$PG/psql" -X -q -v ON_ERROR_STOP=1 "$@"; }

# blocks FILE NAME...: these blocks of a dialect's file, as statements.
blocks() {
    local file=$1
    shift
    awk -v names=" $* " '/^-- name: /{on = index(names, " " $3 " "); if (on) print ";"} on
        END {print ";"}' "$SCHEMA/$file"
}

# CPU of the server and its ended processes, s.
server_cpu() {
    awk '{print ($14 + $15 + $16 + $17) / 100}' "/proc/$(head -n 1 "$SCRATCH/pg/data/postmaster.pid")/stat"
}

# together COMMAND: COMMAND i for i = 0 .. cores - 1, at the same time.
together() {
    local i pids=()
    for ((i = 0; i < CORES; i++)); do "$1" "$i" & pids+=($!); done
    for i in "${pids[@]}"; do wait "$i" || fail "$1"; done
}

clean_database() {
    psql -c 'drop schema if exists tpcc cascade' -c checkpoint >"$OUT" 2>&1 || fail "drop"
    sync -f "$SCRATCH"
}

floor_rows() { psql -f "$SCRATCH/rows.$1"; }
floor_keys() { psql -f "$SCRATCH/keys.$1"; }

# The scripts of the floor: files and keys dealt out, the costly ones first.
floor_prepare() {
    local t f n=0 k=0
    for t in "${TABLES[@]}"; do
        for f in "$SCRATCH/files/$t".*; do
            echo "\\copy tpcc.$t from '$f'" >>"$SCRATCH/rows.$((n % CORES))"
            n=$((n + 1))
        done
    done
    for t in order_line stock customer 2_customer orders 2_orders new_order item district warehouse; do
        blocks keys.sql "key_$t" >>"$SCRATCH/keys.$((k % CORES))"
        k=$((k + 1))
    done
}

# Seconds are left in $SECONDS_TAKEN, server CPU in $CPU.
floor() {
    local start cpu
    clean_database
    { echo "create schema tpcc"; blocks tables.sql "${TABLES[@]/#/create_}"; } | psql >"$OUT" 2>&1 || fail create
    cpu=$(server_cpu) start=$EPOCHREALTIME
    together floor_rows
    together floor_keys
    SECONDS_TAKEN=$(echo "$EPOCHREALTIME - $start" | bc)
    sleep 0.1 # the server waits for its children
    CPU=$(echo "$(server_cpu) - $cpu" | bc)
}

rows_and_keys() {
    awk '$1 == "rows_seconds" || $1 == "keys_seconds" {s += $2} END {printf "%.3f\n", s}' "$OUT"
}

default_server() {
    clean_database
    "$BIN/tpcc-load" --pg "host=$SCRATCH user=tpcc dbname=tpcc" --warehouses "$W" --quiet \
        --set load.time=2026-01-01T00:00:00Z >"$OUT" 2>&1 </dev/null || fail "load on a default server"
    SECONDS_TAKEN=$(rows_and_keys)
}

private_server() {
    mkdir "$SCRATCH/drive"
    "$BIN/tpcc-load" --drive "$SCRATCH/drive" --warehouses "$W" --quiet --yes \
        --set load.time=2026-01-01T00:00:00Z >"$OUT" 2>&1 </dev/null || fail "load on a private server"
    SECONDS_TAKEN=$(rows_and_keys)
    rm -rf "$SCRATCH/drive"
}

# median NAME: of the lines in $SCRATCH/NAME.
median() { sort -n "$SCRATCH/$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
spread() { sort -n "$SCRATCH/$1" | awk 'NR == 1 {a = $1} {b = $1} END {printf "%.2f", b / a}'; }

"${CC:-cc}" -O2 -D_GNU_SOURCE -I"$ROOT/src" "$ROOT/tests/bench/load_tool.c" -o "$SCRATCH/load_tool" \
    -Wl,--start-group "$BIN"/lib{db,tpcc,sql,config,base}.a -Wl,--end-group -lpq -lyaml -lm -lpthread \
    >"$OUT" 2>&1 || fail "building load_tool"
chmod 755 "$SCRATCH"
mkdir "$SCRATCH/pg" "$SCRATCH/files"
chown postgres "$SCRATCH" "$SCRATCH/pg"

GENERATOR=$("$SCRATCH/load_tool" gen "$W" | sed -n 's|^generator: \([0-9]*\) MB/s a core$|\1|p')
[ -n "$GENERATOR" ] || fail "the generator alone"
"$SCRATCH/load_tool" dump "$SCRATCH/files" 1 "$W" || fail dump
floor_prepare
as_user "$PG/initdb" -D "$SCRATCH/pg/data" -A trust -U tpcc --locale=C.UTF-8 -E UTF8 >"$OUT" 2>&1 || fail initdb
as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -w -l "$SCRATCH/pg/log" \
    -o "-c listen_addresses='' -k $SCRATCH" start >"$OUT" 2>&1 || fail start
"$PG/createdb" tpcc || fail createdb

load_before=$(cut -d ' ' -f 1 /proc/loadavg)
for ((round = 1; round <= ROUNDS; round++)); do
    floor
    echo "$SECONDS_TAKEN" >>"$SCRATCH/floor"
    echo "$CPU" >>"$SCRATCH/floor_cpu"
    default_server
    echo "$SECONDS_TAKEN" >>"$SCRATCH/default"
    private_server
    echo "$SECONDS_TAKEN" >>"$SCRATCH/private"
    echo "round $round: floor $(tail -n 1 "$SCRATCH/floor") s, default server" \
        "$(tail -n 1 "$SCRATCH/default") s, private server $(tail -n 1 "$SCRATCH/private") s"
done

awk -v w="$W" -v f="$(median floor)" -v d="$(median default)" -v p="$(median private)" -v cpu="$(median floor_cpu)" -v g="$GENERATOR" 'BEGIN {
    printf "floor: %.2f s a warehouse (server CPU %.2f)\n", f / w, cpu / w
    printf "ratio: generator, a core: %d MB/s against 500, %.2f (goal 1.00 or more)\n", g, g / 500
    printf "ratio: load on a server with default settings, against the floor: %.2f s against %.2f s, %.2f (goal 1.05 or less)\n", d, f, d / f
    printf "ratio: load on the private server, times faster than the floor: %.2f s against %.2f s, %.2f (goal 1.60 or more)\n", p, f, f / p
}'
echo "medians of $ROUNDS rounds of $W warehouses; greatest over smallest: floor $(spread floor)," \
    "default $(spread default), private $(spread private); load average before: $load_before"
awk -v l="$load_before" 'BEGIN {if (l > 0.5) print "noisy: others were using the machine"}'
