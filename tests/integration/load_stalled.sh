#!/bin/bash
# A load on a server that hangs, as on a dead drive, ends at the first Ctrl-C, whatever it waits for:
# rows that nobody takes, a key that is built, a cancellation that nobody reads.
# timeout: 120
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
FROZEN=()
# shellcheck disable=SC2317 # called by the trap
thaw() {
    [ ${#FROZEN[@]} = 0 ] || kill -CONT "${FROZEN[@]}" 2>/dev/null
    FROZEN=()
}
trap 'thaw; end_all' EXIT
server_new

# All of the server's processes: not even a cancellation is read.
freeze() {
    local postmaster
    postmaster=$(head -n 1 "$SCRATCH/pg/data/postmaster.pid")
    FROZEN=("$postmaster")
    kill -STOP "$postmaster"
    mapfile -t -O 1 FROZEN < <(pgrep -P "$postmaster")
    kill -STOP "${FROZEN[@]}"
}

# user + system time of the loader, in ticks
ticks() { awk '{ print $14 + $15 }' "/proc/$LOADER/stat"; }

# stops_within SECONDS: the loader, once it can't go on, at one Ctrl-C.
stops_within() {
    local before="" now i
    for ((i = 0; i < 100; i++)); do
        now=$(ticks)
        [ "$now" != "$before" ] || break
        before=$now
        sleep 0.3
    done
    [ "$now" = "$before" ] || fail "the loader still works"
    kill -INT "$LOADER"
    for ((i = 0; i < $1 * 10; i++)); do
        kill -0 "$LOADER" 2>/dev/null || break
        sleep 0.1
    done
    ! kill -0 "$LOADER" 2>/dev/null || fail "not ended within $1 s"
    thaw
    load_end
    [ "$RC" = 130 ] || fail "exit $RC"
    says "the same command goes on with it"
}

load_begin --warehouses 2 --loaders 2
reaches 1 || fail "ended early"
freeze
stops_within 20
echo "in COPY: ended"

# Somebody reads a table: its key has to wait.
coproc OTHER { "$PG/psql" -X -q -At -v ON_ERROR_STOP=1; }
echo "begin; select 'ready' from (select count(*) from tpcc.item) c;" >&"${OTHER[1]}"
read -r _ <&"${OTHER[0]}"
load_begin --warehouses 2 --loaders 2
while [ "$(sql "select count(*) from pg_stat_activity where wait_event_type = 'Lock'")" = 0 ]; do
    kill -0 "$LOADER" || fail "no key waited"
done
freeze
stops_within 20
echo "in a key: ended"
echo "commit;" >&"${OTHER[1]}"
eval "exec ${OTHER[1]}>&-"

load 0 --warehouses 2
[ "$(sql "select count(*) from tpcc.stock")" = 200000 ] || fail "rows"
echo "and went on"
