#!/bin/bash
# MariaDB through its ODBC driver, with packets of 1 MB at most: a load that is cut and resumed, a run
# with users, all conditions and counts; a deadlock and a lock time-out are tried again; statements
# that hang, or are cancelled at any moment; a server that goes away and comes back: the run ends on
# time and says what was lost.
# timeout: 300
# shellcheck disable=SC1091,SC2034
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
. "$ROOT/tests/integration/mariadb_lib.bash"
maria_new
odbc_limited limited libmaodbc.so
odbc_dsn limited Driver=limited "Socket=$MARIA/socket" Server=localhost User=root
ROWS=(--odbc DSN=maria --warehouses 1 --set load.time=2026-01-01T00:00:00Z --quiet --yes)

echo "a loader and the server are killed, the load goes on; two at a time are refused"
"$BIN/tpcc-load" "${ROWS[@]}" >"$OUT" 2>&1 </dev/null &
LOADER=$!
for _ in $(seq 600); do
    [ "$(maria_sql 'select count(*) from tpcc.load_progress' 2>/dev/null)" -ge 3 ] 2>/dev/null && break
    sleep 0.1
done
want 3 "$BIN/tpcc-load" "${ROWS[@]}"
says "the dataset is in use"
kill -9 "$LOADER"
wait "$LOADER" 2>/dev/null
LOADER=
maria_kill
maria_start
# As if it had been while the tables were made: each is committed by itself there.
maria_sql "drop table tpcc.orders, tpcc.new_order; delete from tpcc.load_progress where table_name in ('orders', 'new_order')"
want 0 "$BIN/tpcc-load" "${ROWS[@]/--quiet/--plain}" --checksum
says "rows are sent by a file that the driver sends (bulk_file)"
says "at most 1048576 bytes"
cut=$(sed -n 's/^checksum  *//p' "$OUT" | tail -n 1)

echo "without files and arrays, in packets that are small, from a server that calls itself MySQL"
maria_sql "set global local_infile = 0; set global max_allowed_packet = 16384"
ROWS[1]=DSN=limited
want 0 "$BIN/tpcc-load" "${ROWS[@]/--quiet/--plain}" --checksum --rebuild
says "rows are sent by INSERTs of many rows (bulk_insert)"
says "at most 16384 bytes; bulk_file refused: The used command is not allowed"
says "bulk_array refused: the driver takes no arrays of parameters"
maria_sql "set global local_infile = 1; set global max_allowed_packet = 1048576"
[ "$cut" = "$(sed -n 's/^checksum  *//p' "$OUT" | tail -n 1)" ] || fail "other rows after a cut"

RUN=("$BIN/tpcc-run" --odbc DSN=maria --yes --users 200 --sessions 8 --plain --results "$RESULTS")
log_bytes() {
    maria_sql "select variable_value from information_schema.global_status where variable_name = 'innodb_os_log_written'"
}

echo "a run, and what the server tells of it"
before=$(log_bytes)
want 0 "${RUN[@]}" --duration 9s --sample 7s --allow-unsafe
logged=$(($(log_bytes) - before))
orders_agree
[ "$(figure failed)" = 0 ] || fail "failed: $(figure failed)"
[ "$(figure kind)" = oltp ] || fail "kind"
grep -q '"driver": "ODBC: libmaodbc.so ' "$(result_dir)/result.json" || fail "driver is not told"
grep -q '"innodb_doublewrite"' "$(result_dir)/result.json" || fail "settings are not told"
says "innodb_flush_log_at_trx_commit is 0"
says "watching it took"
[ "$(figure cpus)" -ge 1 ] || fail "the server's process is not found"
awk -v n="$(figure wal_bytes)" -v all="$logged" 'BEGIN { exit !(n > all / 4 && n <= all) }' ||
    fail "the log: $(figure wal_bytes) of $logged bytes"
awk -v hits="$(figure cache_hit_percent)" -v looks="$(figure looks_per_s)" -v cpu="$(figure cpu_ms_per_transaction)" \
    'BEGIN { exit !(hits > 50 && hits <= 100 && looks > 2 && cpu > 0) }' || fail "server: $(sed -n '/"server": {/,/}/p' "$(result_dir)/result.json")"

echo "a lock time-out is tried again, and so is a deadlock, by statements"
# Payments wait for the warehouse until their time is over, and begin anew; some have their district
# then, which whoever has the warehouse wants as well. The lighter transaction is the victim.
maria_sql "set global innodb_lock_wait_timeout = 1; create table tpcc.weight (n int primary key)"
begin "${RUN[@]}" --duration 8s --sample 6s --allow-unsafe --transport statements
wait_for "sample, "
maria_sql "start transaction; insert into tpcc.weight select seq from tpcc.seq_1_to_1000;
    select w_id from tpcc.warehouse for update; do sleep(2); update tpcc.district set d_tax = d_tax; commit" >/dev/null
wait "$PID" || fail "exit $?"
orders_agree
[ "$(figure retries)" -gt 1 ] || fail "no retry"
[ "$(figure failed)" = 0 ] || fail "a deadlock or a lock time-out is a failure"
grep -q '"native": 1213' "$(result_dir)/result.json" || fail "no deadlock is told"
grep -q '"native": 1205' "$(result_dir)/result.json" || fail "no lock time-out is told"
awk -v locks="$(figure lock)" 'BEGIN { exit !(locks > 20) }' || fail "of the time $(figure lock) % are locks"
maria_sql "drop table tpcc.weight; set global innodb_lock_wait_timeout = 50"

echo "statements that hang are cancelled after their bound, and at the end of the drain"
begin "${RUN[@]}" --duration 8s --sample 6s --allow-unsafe --set run.timeout=1s --set run.drain=2s
wait_for "sample, "
maria_sql "lock tables tpcc.warehouse write; do sleep(30)" >/dev/null &
LOADER=$!
began=$(date +%s)
wait_for "the run has ended"
took=$(($(date +%s) - began))
maria_sql "select concat('kill ', id) from information_schema.processlist where info like 'do sleep(30)%'" |
    while read -r kill; do maria_sql "$kill"; done
wait "$LOADER" 2>/dev/null
LOADER=
wait "$PID"
rc=$?
[ "$rc" -le 1 ] || fail "exit $rc"
[ "$took" -le 25 ] || fail "ended after $took s"
orders_agree
grep -q '"class": "timeout"' "$(result_dir)/result.json" || fail "no time-out is told"

echo "cancelled at any moment of a statement"
want 0 "$BIN/cancel-driver" DSN=maria schema/mariadb 2000 "select seq, repeat('x', 200) from tpcc.seq_1_to_300" 300

echo "the server goes away and comes back"
begin "${RUN[@]}" --duration 12s --sample 10s --allow-unsafe
wait_for "sample, "
maria_kill
maria_start
wait "$PID"
rc=$?
[ "$rc" -le 1 ] || fail "exit $rc"
grep -q '"class": "\(lost\|in_doubt\|connect\)"' "$(result_dir)/result.json" || fail "no lost session is told"
says "the server is watched again after"
[ "$(figure committed)" -gt 100 ] || fail "it did not go on: $(figure committed)"
want 0 "$BIN/tpcc-check" --odbc DSN=maria
says "12 of 12 conditions hold"

echo "removed"
want 0 "$BIN/tpcc-load" --odbc DSN=maria --remove --yes
[ -z "$(maria_sql "show databases like 'tpcc'")" ] || fail "the database is still there"
