#!/bin/bash
# SQL Server's dialect, on whatever server the connection string in TPCC_SQLSERVER leads to: a database
# that may be used up, where schema tpcc is dropped and made. The rows are those of PostgreSQL before
# and after 1,500 transactions of fixed inputs; then a run with users. FreeTDS:
#   TPCC_SQLSERVER="Driver=tds;Server=db1;Port=1433;TDS_Version=7.4;Database=tpcc;UID=me;PWD=..."
# timeout: 1200
# may-skip: no server that speaks its language is to be had from Debian
# shellcheck disable=SC1091,SC2119
[ -n "${TPCC_SQLSERVER:-}" ] || { echo "TPCC_SQLSERVER names no SQL Server"; exit 77; }
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
odbc_driver tds libtdsodbc.so
server_new

WORK=(warehouses=1 sessions=1 count=1500 seed=5 rollback_ppm=100000 stamp=1770000000000000)
ROWS=(--warehouses 1 --set load.time=2026-01-01T00:00:00Z --checksum --quiet --yes --rebuild)

# same NAME WAY OPTION CONNSTR DRIVER_CONNSTR DIALECT
same() {
    local way=()
    [ "$2" = procedures ] || way=(env TXN_WAY="$2")
    set -- "$1-$2" "${@:3}"
    want 0 "$BIN/tpcc-load" "$2" "$3" "${ROWS[@]}"
    grep '^checksum' "$OUT" >"$SCRATCH/$1.loaded"
    want 0 "$BIN/txn-driver" procedures "schema/$5" "$4"
    want 0 "${way[@]}" "$BIN/txn-driver" run "schema/$5" "$4" "${WORK[@]}"
    grep -v '^\(tps\|driver_us\)=' "$OUT" >"$SCRATCH/$1.figures"
    want 0 "$BIN/tpcc-load" "$2" "$3" --checksum --quiet
    grep '^checksum' "$OUT" >"$SCRATCH/$1.after"
    want 0 "$BIN/tpcc-check" "$2" "$3"
    says "12 of 12 conditions hold"
    echo "$1: loaded, $(sed -n 's/^done=//p' "$SCRATCH/$1.figures") transactions, 12 conditions"
}

same libpq procedures --pg "host=$SCRATCH user=tpcc dbname=tpcc" "host=$SCRATCH user=tpcc dbname=tpcc" postgresql
for way in procedures statements; do
    same sqlserver "$way" --odbc env:TPCC_SQLSERVER "odbc:$TPCC_SQLSERVER" sqlserver
    for what in loaded figures after; do
        diff "$SCRATCH/libpq-procedures.$what" "$SCRATCH/sqlserver-$way.$what" >"$OUT" ||
            fail "$way, $what: not as through libpq"
    done
done

for way in procedures statements; do
    want 0 "$BIN/tpcc-run" --odbc env:TPCC_SQLSERVER --users 40 --sessions 8 --duration 60s --sample 40s \
        --transport "$way" --plain --yes --results "$RESULTS"
    orders_agree
    says "not yet run on SQL Server"
    [ "$(figure failed)" = 0 ] || fail "failed: $(figure failed)"
    echo "a minute with users by $way: $(figure committed) committed, $(figure retries) retries"
done
