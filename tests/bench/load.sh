#!/bin/bash
# The loader, as ratios in one run: the generator alone; our load on a server with default settings,
# and on the private server, against the floor: PostgreSQL with its default settings taking the same
# rows as ready-made text COPY files by as many connections as there are cores, then building the
# same keys by as many. Rows and keys only; vacuum, analyse and checks are no part of any of them.
# From the environment: WAREHOUSES (5), ROUNDS (3), SCRATCH_PARENT (/var/tmp).
# timeout: 3600
# shellcheck disable=SC1091 # bench_lib.bash
. "$ROOT/tests/bench/bench_lib.bash"
W=${WAREHOUSES:-5}
ROUNDS=${ROUNDS:-3}
CORES=$(nproc)
SCHEMA=$ROOT/schema/postgresql
export PGDATABASE=tpcc PGOPTIONS='-c client_min_messages=warning'
TABLES=(order_line stock customer orders history new_order item district warehouse)

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
    awk '{print ($14 + $15 + $16 + $17) / 100}' "/proc/$(postmaster)/stat"
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

minus() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f\n", a - b }'; }

# Seconds are left in $SECONDS_TAKEN, server CPU in $CPU.
floor() {
    local start cpu
    clean_database
    { echo "create schema tpcc"; blocks tables.sql "${TABLES[@]/#/create_}"; } | psql >"$OUT" 2>&1 || fail create
    cpu=$(server_cpu) start=$EPOCHREALTIME
    together floor_rows
    together floor_keys
    SECONDS_TAKEN=$(minus "$EPOCHREALTIME" "$start")
    sleep 0.1 # the server waits for its children
    CPU=$(minus "$(server_cpu)" "$cpu")
}

rows_and_keys() {
    awk '$1 == "rows_seconds" || $1 == "keys_seconds" {s += $2} END {printf "%.3f\n", s}' "$OUT"
}

default_server() {
    clean_database
    "$BIN/tpcc-load" --pg "$CONNINFO" --warehouses "$W" --quiet \
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

# median_of NAME: of the lines in $SCRATCH/NAME.
median_of() { median <"$SCRATCH/$1"; }
spread() { sort -n "$SCRATCH/$1" | awk 'NR == 1 {a = $1} {b = $1} END {printf "%.2f", b / a}'; }

"${CC:-cc}" -O2 -D_GNU_SOURCE -I"$ROOT/src" "$ROOT/tests/bench/load_tool.c" -o "$SCRATCH/load_tool" \
    -Wl,--start-group "$BIN"/lib{db,tpcc,sql,config,base}.a -Wl,--end-group -lpq -lyaml -lm -lpthread \
    >"$OUT" 2>&1 || fail "building load_tool"
mkdir "$SCRATCH/files"

GENERATOR=$("$SCRATCH/load_tool" gen "$W" | sed -n 's|^generator: \([0-9]*\) MB/s a core$|\1|p')
[ -n "$GENERATOR" ] || fail "the generator alone"
"$SCRATCH/load_tool" dump "$SCRATCH/files" 1 "$W" || fail dump
floor_prepare
server_new C.UTF-8

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

awk -v w="$W" -v f="$(median_of floor)" -v d="$(median_of default)" -v p="$(median_of private)" -v cpu="$(median_of floor_cpu)" -v g="$GENERATOR" 'BEGIN {
    printf "floor: %.2f s a warehouse (server CPU %.2f)\n", f / w, cpu / w
    printf "ratio: generator, a core: %d MB/s against 500, %.2f (goal 1.00 or more)\n", g, g / 500
    printf "ratio: load on a server with default settings, against the floor: %.2f s against %.2f s, %.2f (goal 1.05 or less)\n", d, f, d / f
    printf "ratio: load on the private server, times faster than the floor: %.2f s against %.2f s, %.2f (goal 1.60 or more)\n", p, f, f / p
}'
echo "medians of $ROUNDS rounds of $W warehouses; greatest over smallest: floor $(spread floor)," \
    "default $(spread default), private $(spread private); load average before: $load_before"
awk -v l="$load_before" 'BEGIN {if (l > 0.5) print "noisy: others were using the machine"}'
