#!/bin/bash
# A load survives kill -9 of the loader three times and of the server three times, in both units;
# the rows are those of an undisturbed load, none twice, none missing.
# timeout: 240
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
server_new

load 0 --warehouses 2
whole=$(checksum)
sql "create table public.kept as table tpcc.item"
load 0 --remove --yes

# disturbed UNIT NOTED...: kills loader and server in turns, each when so many units are noted.
disturbed() {
    local unit=$1 kills=0 at
    shift
    for at in "$@"; do
        load_begin --warehouses 2 --loaders 2 --set load.unit="$unit"
        reaches "$at" || fail "$unit: ended before $at were noted"
        if [ $((kills % 2)) = 0 ]; then
            kill -9 "$LOADER"
            load_end
        else
            server_kill
            load_end
            [ "$RC" = 3 ] || fail "$unit: exit $RC after the server's end"
            says "the same command goes on with it"
            server_start
        fi
        kills=$((kills + 1))
    done
    load 0 --warehouses 2 --loaders 2 --set load.unit="$unit"
    [ "$(checksum)" = "$whole" ] || fail "$unit: other rows after $kills kills"
    load 0 --remove --yes
    echo "$unit units: the same rows after $kills kills"
}

disturbed warehouse 0 2 7 12 19 27
disturbed table 0 1 3 6 11 18

# The server process of a killed loader may still be at its unit, or its COMMIT on the way: whoever
# comes second waits for it, and does not load the unit again.
load_begin --warehouses 2 --set load.unit=warehouse
reaches 1 || fail "ended early"
kill -9 "$LOADER"
load_end
coproc OTHER { "$PG/psql" -X -q -At -v ON_ERROR_STOP=1; }
# shellcheck disable=SC2153 # OTHER_PID is coproc's
other=$OTHER_PID
{
    echo "begin; insert into tpcc.item select * from public.kept;"
    echo "insert into tpcc.load_progress values ('fill', 'item', 1, 2, 100000); select 'ready';"
} >&"${OTHER[1]}"
read -r ready <&"${OTHER[0]}"
[ "$ready" = ready ] || fail "psql"
load_begin --warehouses 2
while [ "$(sql "select count(*) from pg_stat_activity where wait_event_type = 'Lock'
                 and query like '%load_progress%'")" != 1 ]; do
    kill -0 "$LOADER" || fail "the loader did not wait"
done
printf 'commit;\n\\q\n' >&"${OTHER[1]}"
wait "$other" || fail "psql"
load_end
[ "$RC" = 0 ] || fail "exit $RC"
[ "$(checksum)" = "$whole" ] || fail "a unit was loaded twice"
echo "a unit whose commit was on the way is not loaded twice"
