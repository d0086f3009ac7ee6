#!/bin/bash
# MySQL by MariaDB's dialect, on whatever server the connection string in TPCC_MYSQL leads to: database
# tpcc is dropped and made. The rows are those of PostgreSQL before and after 1,500 transactions of fixed
# inputs; then a run with users. MariaDB's driver:
#   TPCC_MYSQL="Driver=maria;Server=db1;Port=3306;UID=me;PWD=..."
# timeout: 1200
# may-skip: Debian 12 has no MySQL
# shellcheck disable=SC1091,SC2119
[ -n "${TPCC_MYSQL:-}" ] || { echo "TPCC_MYSQL names no MySQL"; exit 77; }
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
. "$ROOT/tests/integration/odbc_same.bash"
odbc_driver maria libmaodbc.so
server_new

given_same mariadb TPCC_MYSQL
given_run TPCC_MYSQL
