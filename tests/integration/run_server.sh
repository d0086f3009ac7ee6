#!/bin/bash
# A run on a real server, below the job: every transaction and its outcome, the input audit, the
# order counts; the same with a backend killed and with the server restarted in the middle.
# timeout: 180
set -u

SCRATCH=$(mktemp -d /tmp/tpcc-run.XXXXXX)
OUT=$SCRATCH/out
# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"
PG=$PGBIN

as_user() {
    if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# shellcheck disable=SC2317 # called by the trap
end_all() {
    if [ -n "${DRIVER_PID:-}" ]; then kill -KILL "$DRIVER_PID" 2>/dev/null; fi
    as_user "$PG/pg_ctl" -D "$SCRATCH/data" -m immediate stop >/dev/null 2>&1
    rm -rf "$SCRATCH"
}
trap end_all EXIT

fail() {
    echo "FAILED: $*"
    cat "$OUT"
    exit 1
}

start() {
    (cd / && as_user "$PG/pg_ctl" -D "$SCRATCH/data" -w -l "$SCRATCH/log" -o "-c listen_addresses='' -k $SCRATCH \
        -c fsync=off -c shared_buffers=256MB -c max_wal_size=1GB" start) >"$SCRATCH/start" 2>&1 ||
        fail "start: $(cat "$SCRATCH/start" "$SCRATCH/log")"
}

[ "$(id -u)" != 0 ] || chown postgres "$SCRATCH"
(cd / && as_user "$PG/initdb" -D "$SCRATCH/data" -A trust -N -U tpcc --locale=C -E UTF8) >"$OUT" 2>&1 || fail initdb
start
CONNINFO="host=$SCRATCH user=tpcc dbname=postgres"
"$BIN/check-driver" "$CONNINFO" 2 >"$OUT" 2>&1 || fail load

# The procedures, as the job makes them: each block of the file is one statement.
sed "s/^-- name:.*/;/; /^-- params:/d" schema/postgresql/procedures.sql |
    "$PG/psql" -X -q -v ON_ERROR_STOP=1 -h "$SCRATCH" -U tpcc -d postgres >"$OUT" 2>&1 || fail procedures

sql() {
    "$PG/psql" -X -q -v ON_ERROR_STOP=1 -h "$SCRATCH" -U tpcc -d postgres -Atc "$1"
}

# run_driver KEY=VALUE...: at the standard's mix with short waits, in the background.
begin() {
    "$BIN/run-driver" backend=pq conninfo="$CONNINFO" warehouses=2 sessions=8 doubt=1 precondition=1 \
        "$@" >"$OUT" 2>&1 &
    DRIVER_PID=$!
}
finish() {
    wait "$DRIVER_PID" || fail "run-driver"
    DRIVER_PID=
}
figure() {
    awk -v key="$1" '$1 == key { print $2 }' "$OUT"
}
holds() {
    awk "BEGIN { exit !($1) }" || fail "$1"
}
# Wait until so many transactions have been counted by the server, with a bound.
wait_for_orders() {
    local before after i
    before=$(sql 'select sum(d_next_o_id) from tpcc.district')
    for ((i = 0; i < 100; i++)); do
        after=$(sql 'select sum(d_next_o_id) from tpcc.district')
        [ "$after" -lt $((before + $1)) ] || return 0
        sleep 0.1
    done
    fail "no orders"
}

# As it should be. Of whatever device is there: figures in each second, and their sum over the rows is
# the window's.
DEVICE=$(cd /sys/block && for d in *; do case $d in loop*|ram*|zram*|sr*|fd*) ;; *) echo "$d"; break ;; esac; done)
begin users=1000 factor=0.2 sample=8 ramp=1 ${DEVICE:+device="$DEVICE"}
finish
if [ -n "$DEVICE" ]; then
    holds "$(figure device_rows) >= 7 && $(figure device_gaps) <= 1 && $(figure device_lost) == 0"
    holds "$(figure device_run_mib) >= $(figure device_write_mib) - 0.01"
    [ "$(figure device_rows)" != 8 ] ||
        holds "$(figure device_rows_mib) - $(figure device_write_mib) < 0.02 * ($(figure device_write_mib) + 1)"
fi
holds "$(figure failed) == 0 && $(figure in_doubt) == 0 && $(figure accounting_broken) == 0"
holds "$(figure tps) > 150 && $(figure rolled_back) > 0"
holds "$(figure orders_agree) == 1 && $(figure new_orders_counted) == $(figure new_orders_in_database)"
[ "$(grep -c '^audit_.* 0$' "$OUT")" = 0 ] || fail "a band is missed"
[ "$(grep -c ERROR "$SCRATCH/log")" = 0 ] || fail "the server's log: $(grep ERROR "$SCRATCH/log" | head -3)"
echo "paced: $(figure tps) TPS, response $(figure response_avg) ms, $(figure new_orders_counted) orders, as many in the database"

# What the audit counts is what the server did: procedures that keep to the home warehouse, and take
# the first customer instead of the one of that name, miss its bands.
sql 'alter procedure tpcc.new_order rename to right_new_order'
sql 'alter function tpcc.payment rename to right_payment'
sql 'create procedure tpcc.new_order(w int, d int, c int, entry timestamp, n int[], i int[], supply int[],
        q int[], out reply text) language plpgsql as $$
     begin
         call tpcc.right_new_order(w, d, c, entry, n, i, array_fill(w, array[cardinality(i)]), q, reply);
     end $$'
sql "create function tpcc.payment(w int, d int, c_w int, c_d int, c int, name varchar, amount numeric,
        at timestamp) returns text language sql as
     'select tpcc.right_payment(w, d, w, c_d, greatest(c, 1), name, amount, at)'"
begin pace=none sample=4
finish
holds "$(figure failed) == 0 && $(figure orders_agree) == 1"
for band in remote_line remote_payment payment_by_name; do
    [ "$(figure "audit_${band}_percent")" = 0 ] || fail "$band: the audit believes a wrong procedure"
done
sql 'drop procedure tpcc.new_order'
sql 'drop function tpcc.payment'
sql 'alter procedure tpcc.right_new_order rename to new_order'
sql 'alter function tpcc.right_payment rename to payment'

# Without pace and deferred Deliveries.
begin pace=none sample=3
finish
holds "$(figure failed) == 0 && $(figure orders_agree) == 1 && $(figure tps) > 50"
echo "saturated: $(figure tps) TPS, $(figure cpu_us_per_transaction) us of CPU a transaction"

begin users=1000 factor=0.2 sample=4 deferred=1
finish
holds "$(figure failed) == 0 && $(figure orders_agree) == 1"

# A backend killed while it works: the server takes all sessions down and recovers.
begin pace=none sample=6
wait_for_orders 100
PID=$(sql "select pid from pg_stat_activity where application_name = 'tpcc-run' limit 1")
as_user kill -KILL "$PID" || fail "kill"
finish
holds "$(figure failed) + $(figure in_doubt) > 0 && $(figure failed) + $(figure in_doubt) <= 200"
holds "$(figure in_doubt_unresolved) == 0 && $(figure orders_agree) == 1 && $(figure abandoned) == 0"
[ "$(figure ended_by)" = plan ] || fail "ended by $(figure ended_by)"
echo "backend killed: $(figure failed) failed, $(figure in_doubt) in doubt of which $(figure in_doubt_committed) had committed; orders agree"

# The server stopped at once and started again.
begin pace=none sample=8
wait_for_orders 100
(cd / && as_user "$PG/pg_ctl" -D "$SCRATCH/data" -m immediate -w stop) >"$SCRATCH/start" 2>&1
start
finish
holds "$(figure in_doubt_unresolved) == 0 && $(figure orders_agree) == 1"
holds "$(figure failed) + $(figure in_doubt) > 0"
[ "$(figure ended_by)" = plan ] || fail "ended by $(figure ended_by)"
echo "server restarted: $(figure failed) failed, $(figure in_doubt) in doubt of which $(figure in_doubt_committed) had committed; orders agree"

# The same while nearly all sessions are idle: they are replaced before anything is given to them.
begin users=100 factor=0.2 sample=8 sessions=32 ramp=1
wait_for_orders 20
(cd / && as_user "$PG/pg_ctl" -D "$SCRATCH/data" -m fast -w stop) >"$SCRATCH/start" 2>&1
start
finish
holds "$(figure failed) <= 4 && $(figure orders_agree) == 1"
grep -q '^error_idle' "$OUT" || fail "no idle session was closed"
echo "restarted while idle: $(figure failed) failed, $(figure in_doubt) in doubt"

# A lock that is held on: what waits for it is cancelled at the bound, the drain has an end, and so
# has the run.
begin users=200 factor=0.05 sample=6 timeout=1 drain=2
wait_for_orders 20
"$PG/psql" -X -q -h "$SCRATCH" -U tpcc -d postgres \
    -c "begin; lock table tpcc.district; select pg_sleep(30)" >/dev/null 2>&1 &
LOCK_PID=$!
finish
as_user "$PG/psql" -X -q -h "$SCRATCH" -U tpcc -d postgres \
    -c "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()" >/dev/null
wait "$LOCK_PID" 2>/dev/null
holds "$(figure failed) > 0 && $(figure in_doubt) == 0 && $(figure orders_agree) == 1"
holds "$(figure response_max) >= 1000"
grep -q '^error_timeout' "$OUT" || fail "no time-out"
echo "lock held: $(figure failed) failed by time-out or at the end of the drain; orders agree"

# After all that the twelve conditions hold.
"$BIN/tpcc-check" --pg "$CONNINFO" >"$OUT" 2>&1 || fail "the conditions"
echo "the twelve conditions hold"
