#!/bin/bash
# The PostgreSQL backend on a real server: values there and back, errors, cancelling, a failed
# COMMIT, COPY; a backend or the server that goes away before, during and without a statement; what
# errors say, and what they keep to themselves.
# timeout: 120
# shellcheck disable=SC1091
. "$ROOT/tests/integration/load_lib.bash"

server_new "-c max_connections=12"
DRIVER=$BIN/pq-driver
CONNINFO="host=$SCRATCH user=tpcc dbname=tpcc"

"$DRIVER" check "$CONNINFO" >"$OUT" 2>&1 || fail check

# wait_for COMMAND...: until it is true, at most 20 s.
wait_for() {
    local i
    for ((i = 0; i < 2000; i++)); do
        "$@" && return 0
        sleep 0.01
    done
    fail "waited in vain for: $*"
}

# begins commits|plain|idle: a driver with a statement under way, as $WAITER; its input is fd 9.
begins() {
    : >"$OUT"
    rm -f "$SCRATCH/in"
    mkfifo "$SCRATCH/in"
    exec 9<>"$SCRATCH/in"
    "$DRIVER" wait "$CONNINFO" "$1" <"$SCRATCH/in" >"$OUT" 2>&1 &
    WAITER=$!
    wait_for grep -q ready "$OUT"
}

# ends TEXT: what the driver said in the end begins so.
ends() {
    wait "$WAITER" || fail "the driver's exit"
    [[ $(tail -n 1 "$OUT") == "$1"* ]] || fail "not said: $1"
}

slow_runs() { [ "$(sql "select count(*) from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()")" = 1 ]; }
terminate() { sql "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pq-driver'" >/dev/null; }
nobody_left() { [ "$(sql "select count(*) from pg_stat_activity where application_name = 'pq-driver'")" = 0 ]; }

begins commits && wait_for slow_runs && terminate && ends "in_doubt [57P01] terminating connection"
begins plain && wait_for slow_runs && terminate && ends "lost [57P01] terminating connection"
begins idle && terminate && wait_for nobody_left && echo x >&9 && ends "not sent, lost ["

# A backend that dies without a word (the server then ends the others, and recovers).
begins commits && wait_for slow_runs
kill -9 "$(sql "select pid from pg_stat_activity where application_name = 'pq-driver'")"
ends "in_doubt [] server closed the connection unexpectedly"
wait_for sql "select 1" >/dev/null

begins commits && wait_for slow_runs
as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -w -m immediate stop >/dev/null
ends "in_doubt ["

# says_when STRING WANTED: connecting with STRING is refused in one line with WANTED in it.
says_when() {
    "$DRIVER" connect "$1" >"$OUT" 2>&1
    [ "$?" = 3 ] || fail "exit code with: $1"
    says "$2"
    [ "$(wc -l <"$OUT")" = 1 ] || fail "more than one line"
    ! grep -q Geheim "$OUT" || fail "a secret"
}

says_when "$CONNINFO password=Geheim" "No such file or directory"
says_when "host=$SCRATCH user=tpcc password=Geheim Geheim2" "the connection string is not one"
says_when "host=$SCRATCH user=tpcc nonsense=Geheim" "the connection string is not one"
says_when "postgresql://tpcc:Geheim@[::1/x" "the connection string is not one"
server_start -c max_connections=4 -c superuser_reserved_connections=0
says_when "host=$SCRATCH user=somebody dbname=tpcc password=Geheim" 'role "somebody" does not exist'
says_when "host=$SCRATCH user=tpcc dbname=nowhere password=Geheim" 'database "nowhere" does not exist'
echo "local all all scram-sha-256" >"$SCRATCH/hba"
sql "alter user tpcc password 'right'"
as_user cp "$SCRATCH/hba" "$SCRATCH/pg/data/pg_hba.conf"
as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" reload >/dev/null
wrong_refused() { ! "$DRIVER" connect "$CONNINFO password=Geheim" >"$OUT" 2>&1; }
wait_for wrong_refused
says_when "$CONNINFO password=Geheim" 'password authentication failed for user "tpcc"'
"$DRIVER" connect "$CONNINFO password=right" >"$OUT" 2>&1 || fail "the right password"

echo "values, errors, cancelling, COPY; lost and in doubt; refusals in one line"
