#!/bin/bash
# The private server's life: made, started, stopped, kept, adopted; orphans, crashes, two at once.
# timeout: 120
# shellcheck disable=SC1091,SC2034,SC2153
. "$(dirname "$0")/cluster_lib.bash"
# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"
need_root

echo "look before anything: nothing is changed"
drive 0 look
says "look ours=0 exists=0 running=0 kept=0 unsafe=0 same_boot=0 version= "
[ -z "$(ls -A "$DRIVE")" ] || fail "cluster_look has written"

echo "made, started, stopped"
drive 0 open start alive "sql=show shared_buffers" "sql=show listen_addresses" \
    "sql=show unix_socket_permissions" "sql=show checkpoint_timeout" "sql=show max_wal_size" \
    "sql=show fsync" "sql=show server_encoding" "sql=show timezone" \
    "sql=select datcollate from pg_database where datname = current_database()" note stop
for row in 64MB 0700 5min 256MB on C UTF8 UTC; do says "row $row"; done
says "dbname=tpcc"
all_quiet
[ ! -e "$HERE/KEEP" ] || fail "KEEP without asking"
[ "$(stat -c %U "$HERE/data")" = postgres ] || fail "data belongs to $(stat -c %U "$HERE/data")"
drive 0 look
says "look ours=1 exists=1 running=0 kept=0 unsafe=0 same_boot=0 version=${PG_VERSION%%[!0-9]*}"
says "warehouses=20 complete=1 bytes=2120000000"

echo "no way in but the socket"
drive_waiting open start alive wait stop
pid=$(postmaster)
socket=$(sed -n 5p "$HERE/data/postmaster.pid")
[ "$(stat -c '%a %U' "$socket")" = "700 postgres" ] || fail "socket's directory: $(stat "$socket")"
grep -q "^$(printf %d "$pid")$" <(servers) || fail "the postmaster does not live in data"
[ "$(ps -o sid= -p "$pid" | tr -d ' ')" = "$pid" ] || fail "the server is in a session of ours"

echo "a second start is refused and told by whom; look works beside it"
cp "$OUT" "$SCRATCH/first"
drive 3 open
says "is in use (host $(hostname), process $DRIVER_PID, since 20"
drive 0 look
says "running=1 kept=0"
cp "$SCRATCH/first" "$OUT"
go_on
all_quiet

echo "the same without a server: only one of two that begin on an empty drive gets it"
mkdir "$SCRATCH/drive2"
for i in 1 2 3; do
    "$DRIVER" "$SCRATCH/drive2" open wait <"$SCRATCH/in" >"$SCRATCH/race$i" 2>&1 &
done
exec 4<>"$SCRATCH/in"
for _ in $(seq 300); do
    [ "$(cat "$SCRATCH"/race? | grep -cE '^(waiting|failed)')" = 3 ] && break
    sleep 0.1
done
cat "$SCRATCH"/race? >"$OUT"
[ "$(grep -c '^waiting' "$OUT")" = 1 ] || fail "not one winner"
[ "$(grep -c 'is in use' "$OUT")" = 2 ] || fail "not two refused"
echo >&4
wait
exec 4>&-

echo "our own death leaves an orphan; the next start stops it and says so"
drive_waiting open start "sql=create table t as select 1 as a" wait
pid=$(postmaster)
kill_driver
kill -0 "$pid" || fail "the server died with us"
drive 0 open start "sql=select a + 41 from t" stop
says "a server of an earlier run was still running in $HERE (process $pid): stopped"
says "row 42"
all_quiet

echo "kept: it goes on, is adopted, and started anew only for other settings"
drive 0 open start keep alive
socket=$(sed -n 's/.*host=\([^ ]*\) .*/\1/p' "$OUT")
pid=$(postmaster)
[ -e "$HERE/KEEP" ] || fail "no KEEP"
drive 0 look
says "running=1 kept=1"
drive 0 open start alive
says "alive 1 adopted 1 conninfo host=$socket "
[ "$(postmaster)" = "$pid" ] || fail "started anew with the same settings"
drive 0 open buffer_mib=32 start alive "sql=show shared_buffers" stop
says "has other settings: started anew"
says "row 32MB"
[ ! -e "$HERE/KEEP" ] || fail "KEEP is left"
all_quiet

echo "the server is killed under us: told, recovered at the next start, what was committed is there"
drive_waiting open start "sql=create table c as select generate_series(1,100000) as a" wait \
    "sql=select count(*) from c"
kill -KILL "$(postmaster)"
echo >&3
exec 3>&-
wait "$DRIVER_PID"
[ $? = 3 ] || fail "exit"
says "failed sql=select count(*) from c: the private server has ended"
drive 0 open start "sql=select count(*) from c" stop
says "row 100000"
all_quiet

echo "interrupted while it starts: nothing is left"
drive 130 open stop_after_ms=1 start
says "interrupted"
all_quiet

echo "as an ordinary user on a directory of his"
mkdir "$SCRATCH/his"
chown postgres "$SCRATCH/his"
cp "$DRIVER" "$ROOT/config/postgresql.conf" "$SCRATCH/"
runuser -u postgres -- "$SCRATCH/cluster-driver" "$SCRATCH/his" conf="$SCRATCH/postgresql.conf" \
    user=nobody open start "sql=select current_user" stop >"$OUT" 2>&1 || fail "ordinary user"
says "row tpcc"
says "as user postgres"
DRIVE=$SCRATCH/his HERE=$DRIVE/tpcc-run
drive 0 open start stop

echo "removed, all of it"
drive 0 open-for-removal remove
[ -z "$(ls -A "$DRIVE")" ] || fail "left: $(ls -A "$DRIVE")"
drive 2 open-for-removal
says "nothing of ours to remove"
[ -z "$(ls -A "$DRIVE")" ] || fail "made for removal"
all_quiet
