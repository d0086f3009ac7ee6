#!/bin/bash
# A load on the private server: the rows of any other load, in whole tables, and the same after
# kill -9 of the loader (its server is left behind as an orphan), of the server, and Ctrl-C.
# timeout: 180
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
[ "$(id -u)" = 0 ] || { echo "needs root, to run the server as another user"; exit 77; }

DRIVE=$SCRATCH/drive
PIDFILE=$DRIVE/tpcc-run/data/postmaster.pid
mkdir "$DRIVE"
LOAD=("$BIN/tpcc-load" --drive "$DRIVE" --yes --set load.time=2026-01-01T00:00:00Z --set load.unit=table --quiet)

# shellcheck disable=SC2317 # called by the trap
end_private() {
    local pid
    pid=$(head -n 1 "$PIDFILE" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
    end_all
}
trap end_private EXIT

# The private server's own way in.
sql() {
    local socket_dir
    socket_dir=$(sed -n 5p "$PIDFILE" 2>/dev/null)
    [ -n "$socket_dir" ] && "$PG/psql" -X -q -At -h "$socket_dir" -U tpcc -d tpcc -c "$1" 2>/dev/null
}

server_new
ours=("${LOAD[@]}")
LOAD=("$BIN/tpcc-load" --pg "host=$SCRATCH user=tpcc dbname=tpcc" --set load.time=2026-01-01T00:00:00Z --quiet)
load 0 --warehouses 2
whole=$(checksum)
LOAD=("${ours[@]}")

load_begin --warehouses 2
reaches 2 || fail "ended early"
kill -9 "$LOADER"
load_end
[ -e "$PIDFILE" ] || fail "no orphan to deal with"

load_begin --warehouses 2
reaches 5 || fail "ended early"
postmaster=$(head -n 1 "$PIDFILE")
children=$(pgrep -P "$postmaster")
# shellcheck disable=SC2086 # a list
kill -9 "$postmaster" $children
load_end
[ "$RC" = 3 ] || fail "exit $RC after the server's end"

load_begin --warehouses 2
reaches 12 || fail "ended early"
kill -INT "$LOADER"
load_end
[ "$RC" = 130 ] || fail "exit $RC after an interrupt"
[ ! -e "$PIDFILE" ] || fail "the server was left running"

load 0 --warehouses 2
[ "$(checksum)" = "$whole" ] || fail "other rows on the private server"
[ ! -e "$PIDFILE" ] || fail "the server was left running"
[ ! -e "$DRIVE/tpcc-run/UNSAFE" ] || fail "the dataset is not durable"
load 0 --remove
[ ! -e "$DRIVE/tpcc-run" ] || fail "not removed"
