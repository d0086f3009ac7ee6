#!/bin/bash
# The same dataset and the same inputs, one after the other, through libpq, psqlODBC and MariaDB's
# driver, by procedures and by statements: the nine tables are equal, row by row, before and after. On
# MariaDB the rows go in as a file first, then as arrays of parameters.
# timeout: 240
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
. "$ROOT/tests/integration/mariadb_lib.bash"
. "$ROOT/tests/integration/odbc_same.bash"
odbc_driver psql psqlodbcw.so
odbc_dsn pg Driver=psql "Servername=$SCRATCH" Database=tpcc Username=tpcc Protocol=7.4-0
server_new
maria_new

cp -r "$ROOT/schema/mariadb" "$SCRATCH/arrays"
sed -i 's/^-- name: bulk_file$/-- name: unused_file/' "$SCRATCH/arrays/odbc.sql"

same libpq procedures "${LIBPQ[@]}"
same libpq statements "${LIBPQ[@]}"
same psqlodbc statements --odbc DSN=pg odbc:DSN=pg schema/postgresql
same mariadb procedures --odbc DSN=maria odbc:DSN=maria schema/mariadb
same mariadb statements --odbc DSN=maria odbc:DSN=maria "$SCRATCH/arrays"
like_libpq libpq-statements psqlodbc-statements mariadb-procedures mariadb-statements
