#!/bin/bash
# The same dataset and the same inputs, one after the other, through libpq, psqlODBC and MariaDB's
# driver, by procedures and by statements: the nine tables are equal, row by row, before and after. On
# MariaDB the rows go in as a file first, then as arrays of parameters.
# timeout: 240
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
. "$ROOT/tests/integration/mariadb_lib.bash"
odbc_driver psql psqlodbcw.so
odbc_dsn pg Driver=psql "Servername=$SCRATCH" Database=tpcc Username=tpcc Protocol=7.4-0
server_new
maria_new

WORK=(warehouses=1 sessions=1 count=1500 seed=5 rollback_ppm=100000 stamp=1770000000000000)
ROWS=(--warehouses 1 --set load.time=2026-01-01T00:00:00Z --checksum --quiet --yes --rebuild)

cp -r "$ROOT/schema/mariadb" "$SCRATCH/arrays"
sed -i 's/^-- name: bulk_file$/-- name: unused_file/' "$SCRATCH/arrays/odbc.sql"

# same NAME WAY OPTION CONNSTR DRIVER_CONNSTR DIALECT
same() {
    local way=() dialect=()
    [ "$2" = procedures ] || way=(env TXN_WAY="$2")
    set -- "$1-$2" "${@:3}"
    [ "$2" = --pg ] || dialect=(--dialect "$5")
    want 0 "$BIN/tpcc-load" "$2" "$3" "${dialect[@]}" "${ROWS[@]}"
    grep '^checksum' "$OUT" >"$SCRATCH/$1.loaded"
    want 0 "$BIN/txn-driver" procedures "$5" "$4"
    want 0 "${way[@]}" "$BIN/txn-driver" run "$5" "$4" "${WORK[@]}"
    grep -q '^done=1500$' "$OUT" || fail "$1: not all are done"
    grep -v '^\(tps\|driver_us\)=' "$OUT" >"$SCRATCH/$1.figures"
    echo "$1: $(sed -n 's/^tps=//p' "$OUT") TPS in one session, $(sed -n 's/^driver_us=//p' "$OUT") us of CPU each"
    want 0 "$BIN/tpcc-load" "$2" "$3" --checksum --quiet
    grep '^checksum' "$OUT" >"$SCRATCH/$1.after"
    want 0 "$BIN/tpcc-check" "$2" "$3"
    says "12 of 12 conditions hold"
}

LIBPQ=(--pg "host=$SCRATCH user=tpcc dbname=tpcc" "host=$SCRATCH user=tpcc dbname=tpcc" schema/postgresql)
same libpq procedures "${LIBPQ[@]}"
same libpq statements "${LIBPQ[@]}"
same psqlodbc statements --odbc DSN=pg odbc:DSN=pg schema/postgresql
same mariadb procedures --odbc DSN=maria odbc:DSN=maria schema/mariadb
same mariadb statements --odbc DSN=maria odbc:DSN=maria "$SCRATCH/arrays"

FIRST=$SCRATCH/libpq-procedures
[ "$(wc -l <"$FIRST.after")" = 10 ] || fail "no checksums"
! cmp -s "$FIRST.loaded" "$FIRST.after" || fail "nothing was changed"
for other in libpq-statements psqlodbc-statements mariadb-procedures mariadb-statements; do
    for what in loaded figures after; do
        diff "$FIRST.$what" "$SCRATCH/$other.$what" >"$OUT" || fail "$other, $what: not as through libpq"
    done
done
