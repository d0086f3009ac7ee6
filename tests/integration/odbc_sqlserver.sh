#!/bin/bash
# SQL Server's dialect, on whatever server the connection string in TPCC_SQLSERVER leads to: a database
# that may be used up, where schema tpcc is dropped and made. The rows are those of PostgreSQL before
# and after 1,500 transactions of fixed inputs; then a run with users. FreeTDS:
#   TPCC_SQLSERVER="Driver=tds;Server=db1;Port=1433;TDS_Version=7.4;Database=tpcc;UID=me;PWD=..."
# timeout: 600
# may-skip: no server that speaks its language is to be had from Debian
# shellcheck disable=SC1091,SC2119
[ -n "${TPCC_SQLSERVER:-}" ] || { echo "TPCC_SQLSERVER names no SQL Server"; exit 77; }
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
odbc_driver tds libtdsodbc.so
server_new

WORK=(warehouses=1 sessions=1 count=1500 seed=5 rollback_ppm=100000 stamp=1770000000000000)
ROWS=(--warehouses 1 --set load.time=2026-01-01T00:00:00Z --checksum --quiet --yes --rebuild)

# same NAME OPTION CONNSTR DRIVER_CONNSTR DIALECT
same() {
    want 0 "$BIN/tpcc-load" "$2" "$3" "${ROWS[@]}"
    grep '^checksum' "$OUT" >"$SCRATCH/$1.loaded"
    want 0 "$BIN/txn-driver" procedures "schema/$5" "$4"
    want 0 "$BIN/txn-driver" run "schema/$5" "$4" "${WORK[@]}"
    grep -v '^\(tps\|driver_us\)=' "$OUT" >"$SCRATCH/$1.figures"
    want 0 "$BIN/tpcc-load" "$2" "$3" --checksum --quiet
    grep '^checksum' "$OUT" >"$SCRATCH/$1.after"
    want 0 "$BIN/tpcc-check" "$2" "$3"
    says "12 of 12 conditions hold"
}

same libpq --pg "host=$SCRATCH user=tpcc dbname=tpcc" "host=$SCRATCH user=tpcc dbname=tpcc" postgresql
same sqlserver --odbc env:TPCC_SQLSERVER "odbc:$TPCC_SQLSERVER" sqlserver
for what in loaded figures after; do
    diff "$SCRATCH/libpq.$what" "$SCRATCH/sqlserver.$what" >"$OUT" || fail "$what: not as through libpq"
done

want 0 "$BIN/tpcc-run" --odbc env:TPCC_SQLSERVER --users 200 --sessions 8 --duration 60s --sample 40s \
    --plain --yes --results "$RESULTS"
orders_agree
[ "$(figure failed)" = 0 ] || fail "failed: $(figure failed)"
