#!/bin/bash
# What a transaction costs our process through each driver: CPU a transaction, and how many sessions
# without waits one core would carry at the rate that each had here. The whole mix, same scale, in
# turns, medians; both ways. Before that, the time that rows take on their way in, by each way in which
# a driver can send them. From the environment: WAREHOUSES (2), SESSIONS (8), ROUNDS (3),
# SECONDS_EACH (10).
# timeout: 1800
# shellcheck disable=SC1091,SC2119,SC2034
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
. "$ROOT/tests/integration/mariadb_lib.bash"
odbc_driver psql psqlodbcw.so
odbc_dsn pg Driver=psql "Servername=$SCRATCH" Database=tpcc Username=tpcc Protocol=7.4-0
W=${WAREHOUSES:-2}
SESSIONS=${SESSIONS:-8}
server_new
maria_new --innodb-buffer-pool-size=1G
CONNINFO="host=$SCRATCH user=tpcc dbname=tpcc"

# load_by DRIVER DSN DIALECT WAY: the seconds for the rows, all other ways struck out of the dialect.
load_by() {
    rm -rf "$SCRATCH/dialect"
    cp -r "$ROOT/schema/$3" "$SCRATCH/dialect"
    sed -i "s/^-- name: bulk_\(file\|array\|insert\)\$/-- name: unused_\1/
        s/^-- name: unused_$4\$/-- name: bulk_$4/" "$SCRATCH/dialect/odbc.sql"
    grep -q "^-- name: bulk_$4\$" "$SCRATCH/dialect/odbc.sql" ||
        printf '\n-- name: bulk_%s\ninsert into {table} ({columns}) values ({marks})\n' "$4" >>"$SCRATCH/dialect/odbc.sql"
    want 0 "$BIN/tpcc-load" --odbc "DSN=$2" --dialect "$SCRATCH/dialect" --warehouses "$W" --plain --yes --rebuild
    says "(bulk_$4)"
    sed -n 's/^rows_seconds *//p' "$OUT" >>"$SCRATCH/rows-$1-$4"
}

for _ in $(seq "${ROUNDS:-3}"); do
    load_by psqlODBC pg postgresql array
    load_by psqlODBC pg postgresql insert
    load_by MariaDB maria mariadb insert
    load_by MariaDB maria mariadb array
    load_by MariaDB maria mariadb file
done
for f in "$SCRATCH"/rows-*-insert "$SCRATCH"/rows-*-array "$SCRATCH"/rows-*-file; do
    name=${f##*/rows-}
    sort -n "$f" | awk -v name="${name%-*}" -v way="${name##*-}" -v w="$W" '{ s[NR] = $1 }
        END { printf "rows through %s, by bulk_%s: %.2f s a warehouse\n", name, way, s[int((NR + 1) / 2)] / w }'
done
want 0 "$BIN/txn-driver" procedures schema/postgresql "$CONNINFO"
want 0 "$BIN/txn-driver" procedures schema/mariadb odbc:DSN=maria

# once NAME WAY DIALECT CONNSTR
once() {
    local way=()
    [ "$2" = procedures ] || way=(env TXN_WAY="$2")
    want 0 "${way[@]}" "$BIN/txn-driver" run "schema/$3" "$4" warehouses="$W" sessions="$SESSIONS" \
        seconds="${SECONDS_EACH:-10}" seed=$RANDOM
    grep -q '^failed=0$' "$OUT" || fail "$1: failures"
    sed -n 's/^\(tps\|driver_us\)=//p' "$OUT" | paste -s -d ' ' >>"$SCRATCH/$1-$2.figures"
}

for _ in $(seq "${ROUNDS:-3}"); do
    for way in procedures statements; do
        once libpq $way postgresql "$CONNINFO"
        once psqlODBC $way postgresql odbc:DSN=pg
        once MariaDB $way mariadb odbc:DSN=maria
    done
done

printf '%-10s %-11s %10s %14s %16s\n' driver way TPS "us/txn" "sessions/core"
for way in procedures statements; do
    for name in libpq psqlODBC MariaDB; do
        sort -n "$SCRATCH/$name-$way.figures" | awk -v name=$name -v way=$way -v sessions="$SESSIONS" '
            { tps[NR] = $1; us[NR] = $2 }
            END { m = int((NR + 1) / 2)
                  printf "%-10s %-11s %10.0f %14.1f %16.0f\n", name, way, tps[m], us[m],
                         1000000 / us[m] / (tps[m] / sessions) }'
    done
done | tee "$SCRATCH/table"
awk '$1 == "libpq" { us[$2] = $4; next }
    { printf "ratio: driver'"'"'s CPU, %s by %s against libpq: %.1f us against %.1f us, %.2f\n", $1, $2, $4,
             us[$2], $4 / us[$2] }' "$SCRATCH/table"
