#!/bin/bash
# What a load refuses, and what it leaves alone: somebody else's schema, another format, another
# size, a dataset in use, what others built on our tables; and Ctrl-C.
# timeout: 120
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
server_new

sql "create schema tpcc; create table tpcc.customer (mine int); insert into tpcc.customer values (7)"
load 3 --warehouses 1
says "it holds customer and no manifest of ours"
load 3 --warehouses 1 --rebuild --yes
load 3 --remove --yes
[ "$(sql "select mine from tpcc.customer")" = 7 ] || fail "somebody's table was touched"
sql "create table tpcc.manifest (name text, value text)"
load 3 --warehouses 1
sql "drop table tpcc.manifest; create table tpcc.manifest (a int)"
load 3 --warehouses 1
sql "drop table tpcc.manifest, tpcc.customer"

echo "an empty schema is taken, and a load can be interrupted"
load_begin --warehouses 2 --set load.unit=warehouse
reaches 2 || fail "ended early"
kill -INT "$LOADER"
load_end
[ "$RC" = 130 ] || fail "exit $RC after an interrupt"
says "the same command goes on with it"
load 2 --warehouses 3
says "--rebuild"

echo "a second loader is told who the first one is"
load_begin --warehouses 2 --set load.unit=warehouse
first=$LOADER
reaches 5 || fail "ended early"
"${LOAD[@]}" --warehouses 2 >"$SCRATCH/second" 2>&1 </dev/null
[ $? = 3 ] || fail "two loads at once"
grep -q "in use by tpcc-load, process $first on host $(hostname | cut -c-30)" "$SCRATCH/second" ||
    { cat "$SCRATCH/second"; fail "not told who"; }
load_end
[ "$RC" = 0 ] || fail "exit $RC of the first one"

echo "a complete one is kept"
load 0
load 2 --warehouses 3
says "--rebuild"
load 2 --remove
load 2 --warehouses 3 --rebuild
[ "$(sql "select count(*) from tpcc.warehouse")" = 2 ] || fail "dropped without --yes"
sql "create view public.theirs as select * from tpcc.stock"
load 3 --remove --yes
says "depend"
[ "$(sql "select count(*) from public.theirs")" = 200000 ] || fail "dropped under a view"
sql "drop view public.theirs"
load 0 --warehouses 1 --rebuild --yes
[ "$(sql "select count(*) from tpcc.warehouse")" = 1 ] || fail "not rebuilt"
load 0 --remove --yes
[ "$(sql "select to_regnamespace('tpcc') is null")" = t ] || fail "the schema is still there"
