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
. "$ROOT/tests/integration/odbc_same.bash"
odbc_driver tds libtdsodbc.so
server_new

given_same sqlserver TPCC_SQLSERVER
given_run TPCC_SQLSERVER
says "not yet run on SQL Server"
