#!/bin/bash
# PostgreSQL through psqlODBC: the same rows as through libpq, a run with users, all conditions and
# counts; what is refused, in one line and without a secret; a statement that hangs, and a server that
# goes away and comes back: the run ends on time and says what was lost.
# timeout: 240
# shellcheck disable=SC1091,SC2034,SC2119
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
odbc_driver psql psqlodbcw.so
odbc_dsn pg Driver=psql "Servername=$SCRATCH" Database=tpcc Username=tpcc Protocol=7.4-0
server_new
ODBC=(--odbc DSN=pg --yes)
ROWS=(--warehouses 1 --set load.time=2026-01-01T00:00:00Z --checksum --quiet --yes)

echo "refusals: one line, exit 2 or 3, no secret"
# refused EXIT TEXT CONNSTR
refused() {
    want "$1" "$BIN/tpcc-check" --odbc "$3"
    says "$2"
    [ "$(wc -l <"$OUT")" = 1 ] || fail "more than one line"
    ! grep -q geheim "$OUT" || fail "a secret"
}
refused 3 "Data source name not found and no default driver specified (odbcinst -q -d lists the drivers" "DSN=nowhere;PWD=geheim"
refused 3 "Can't open lib" "Driver=/no/such/driver.so;PWD=geheim"
refused 3 "No such file or directory" "Driver=psql;Servername=$SCRATCH/no;UID=x;PWD=geheim"
refused 2 "not a connection string" "DSN=pg;PWD={geheim"
refused 2 "no such environment variable" env:NO_SUCH_ODBC
want 2 "$BIN/tpcc-run" --odbc DSN=pg --pg dbname=tpcc --dry-run
says "not both"
want 2 "$BIN/tpcc-run" --odbc DSN=pg --device sda --dry-run
says "localhost:sda"

echo "the same rows through libpq and through ODBC, the connection string from a file"
want 0 "$BIN/tpcc-load" --pg "host=$SCRATCH user=tpcc dbname=tpcc" "${ROWS[@]}"
grep '^checksum' "$OUT" >"$SCRATCH/libpq"
[ "$(wc -l <"$SCRATCH/libpq")" = 10 ] || fail "no checksums"
echo 'DSN=pg;PWD=geheim' >"$SCRATCH/connection"
want 0 "$BIN/tpcc-load" --odbc "@$SCRATCH/connection" "${ROWS[@]}" --rebuild
grep '^checksum' "$OUT" | cmp - "$SCRATCH/libpq" || fail "other rows"

echo "a run"
RUN=("$BIN/tpcc-run" "${ODBC[@]}" --users 200 --sessions 8 --plain --results "$RESULTS")
want 0 "${RUN[@]}" --duration 10s --sample 7s --allow-unsafe
orders_agree
says "before: 3 of 3 ok"
[ "$(figure failed)" = 0 ] || fail "failed: $(figure failed)"
grep -q '"driver": "ODBC: psqlodbcw.so .* threading 0"' "$(result_dir)/result.json" || fail "driver is not told"
[ "$(figure transport)" = procedures ] || fail "transport"
! grep -rq geheim "$RESULTS" || fail "a secret"

echo "a deadlock is tried again, by statements"
# A Payment waits for the warehouse and has its district, which whoever has the warehouse wants then: who
# has waited for a second looks, and is the victim.
begin "${RUN[@]}" --duration 8s --sample 7s --allow-unsafe --transport statements
wait_for "sample, "
sql "set deadlock_timeout = '4s'; begin; select w_id from tpcc.warehouse for update; select pg_sleep(0.4);
    update tpcc.district set d_tax = d_tax; commit" >/dev/null
wait "$PID" || fail "exit $?"
orders_agree
[ "$(figure transport)" = statements ] || fail "transport"
[ "$(figure retries)" -gt 0 ] || fail "no retry"
[ "$(figure failed)" = 0 ] || fail "a deadlock is a failure"
grep -q '"sqlstate": "40P01"' "$(result_dir)/result.json" || fail "the state is not told"

echo "statements that hang are cancelled after their bound, and at the end of the drain"
begin "${RUN[@]}" --duration 8s --sample 6s --allow-unsafe --set run.timeout=1s --set run.drain=2s
wait_for "sample, "
"$PG/psql" -X -q -c "begin; lock table tpcc.warehouse; select pg_sleep(60)" >/dev/null 2>&1 &
LOADER=$! # ended by the trap, too
began=$(date +%s)
wait_for "the run has ended"
took=$(($(date +%s) - began))
sql "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%'
     and pid <> pg_backend_pid()" >/dev/null
wait "$LOADER"
LOADER=
wait "$PID"
rc=$?
[ "$rc" -le 1 ] || fail "exit $rc"
[ "$took" -le 25 ] || fail "ended after $took s"
orders_agree
grep -q '"class": "timeout"' "$(result_dir)/result.json" || fail "no time-out is told"
[ "$(figure abandoned_sessions)" = 0 ] || fail "abandoned: $(figure abandoned_sessions)"

echo "the server goes away and comes back"
begin "${RUN[@]}" --duration 12s --sample 10s --allow-unsafe
wait_for "sample, "
cp "$OUT" "$SCRATCH/said"
as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -w -m immediate stop >/dev/null
as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -w -l "$SCRATCH/pg/log" -o "-c listen_addresses='' -k $SCRATCH -c fsync=off" start >/dev/null || fail "the server does not start"
wait "$PID"
rc=$?
[ "$rc" -le 1 ] || fail "exit $rc"
orders_agree
lost=$(($(figure failed) + $(figure in_doubt)))
grep -q '"class": "\(lost\|in_doubt\|connect\)"' "$(result_dir)/result.json" || fail "no lost session is told"
[ "$(figure committed)" -gt 100 ] || fail "it did not go on: $(figure committed)"
echo "$lost transactions lost or in doubt; the run ended with exit $rc"

echo "Ctrl-C ends it politely"
begin "${RUN[@]}" --duration 60s --allow-unsafe
wait_for "the run begins"
kill -INT "$PID"
wait "$PID"
[ $? = 130 ] || fail "not 130"
