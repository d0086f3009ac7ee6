#!/bin/bash
# What can't be done is said in one line with the right exit code, and nothing is harmed.
# timeout: 180
# shellcheck disable=SC1091,SC2034,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

SMALL=(--users 50 --duration 6s --sample 3s --check none --results "$RESULTS")
SECRET=hunter2-Zq9

refused() {
    local code=$1
    shift
    want "$code" "$@"
    one_line
    says_not "$SECRET"
}

echo "paths"
refused 2 "$RUN" --drive "$SCRATCH/nowhere" "${SMALL[@]}"
says "no such directory"
mkdir -p "$SCRATCH/closed/drive"
chmod 700 "$SCRATCH/closed"
refused 3 "$RUN" --drive "$SCRATCH/closed/drive" --warehouses 1 "${SMALL[@]}"
says "$SCRATCH/closed"
mkdir "$DRIVE/tpcc-run"
touch "$DRIVE/tpcc-run/theirs"
refused 3 "$RUN" --drive "$DRIVE" --warehouses 1 "${SMALL[@]}"
[ "$(ls "$DRIVE/tpcc-run")" = theirs ] || fail "a directory of somebody else's was touched"
rm -r "$DRIVE/tpcc-run"
: >"$SCRATCH/file"
refused 3 "$RUN" --drive "$DRIVE" --warehouses 1 --users 50 --duration 6s --results "$SCRATCH/file/x"
says "$SCRATCH/file"
refused 3 "$RUN" --drive "$DRIVE" --warehouses 1 --users 50 --dry-run --results "$SCRATCH/file"
says "can't make a result directory in $SCRATCH/file"
refused 3 "$RUN" --drive /proc --warehouses 1 --dry-run "${SMALL[@]}"
says "the kernel's own files are there"
( cd / && want 2 "$RUN" --warehouses 1 "${SMALL[@]}" && says "--drive ." && says "--yes" ) || exit 1
[ ! -e /tpcc-run ] || fail "/tpcc-run was made"

echo "a drive that is too small for the plan: a command line that fits is named, and it fits"
truncate -s 2G "$SCRATCH/image"
mkfs.ext4 -q -m 0 "$SCRATCH/image"
LOOP=$(losetup -f --show "$SCRATCH/image") || { echo "no loop devices"; exit 77; }
LOOPS=("$LOOP")
mkdir "$SCRATCH/small"
mount "$LOOP" "$SCRATCH/small"
MOUNTS=("$SCRATCH/small")
want 3 "$RUN" --drive "$SCRATCH/small" --users 15000 --duration 3h --results "$RESULTS"
read -r -a fitting <<<"$(sed -n 's/.*this fits: tpcc-run //p' "$ERR")"
[ "${#fitting[@]}" -gt 0 ] || fail "no command line that fits"
want 0 "$RUN" "${fitting[@]}" --dry-run
[ "$(ls "$SCRATCH/small")" = lost+found ] || fail "something was written"
want 0 "$RUN" --drive "$SCRATCH/small" --warehouses 1 "${SMALL[@]}"
used=$(figure used_percent)
[ "${used%.*}" -ge 5 ] || fail "$used % used, with a dataset on 2 GB"

echo "no server, no database, a wrong password"
refused 3 "$RUN" --pg "host=$SCRATCH/none dbname=tpcc" "${SMALL[@]}"
refused 3 "$RUN" --pg "postgresql://tpcc:$SECRET@127.0.0.1:1/tpcc" "${SMALL[@]}"
refused 3 "$RUN" --pg "host=no-such-host.invalid password=$SECRET" "${SMALL[@]}"
refused 2 "$RUN" --pg "host='$SECRET" "${SMALL[@]}"
server_start "max_connections = 20"
refused 3 "$RUN" --pg "host=$SERVER user=postgres dbname=none password=$SECRET" "${SMALL[@]}"
sql "create role guest login password 'right'"
as_postgres sed -i '1i local tpcc guest scram-sha-256' "$SERVER/data/pg_hba.conf"
sql "select pg_reload_conf()" >"$OUT"
sleep 0.5
refused 3 "$RUN" --pg "host=$SERVER user=guest dbname=tpcc password=$SECRET" "${SMALL[@]}"
says "guest"

echo "somebody else's tables"
sql "create schema tpcc; create table tpcc.customer (name text); insert into tpcc.customer values ('theirs')"
refused 3 "$LOAD" --pg "$PG" --warehouses 1
refused 3 "$RUN" --pg "$PG" --warehouses 1 "${SMALL[@]}"
refused 3 "$RUN" --pg "$PG" --warehouses 1 --rebuild --yes "${SMALL[@]}"
refused 3 "$RUN" --pg "$PG" --remove --yes
[ "$(sql 'select name from tpcc.customer')" = theirs ] || fail "their table was harmed"
sql "drop schema tpcc cascade" 2>"$ERR"

echo "too few connections, a second run"
want 0 "$LOAD" --pg "$PG" --warehouses 1
refused 3 "$RUN" --pg "$PG" --sessions 100 "${SMALL[@]}"
says "100 sessions"
sql "alter role postgres set idle_session_timeout = '1s'" 2>"$ERR"
begin --pg "$PG password=$SECRET" --sessions 4 --plain "${SMALL[@]}"
wait_for "sample, " "$ERR"
"$RUN" --pg "$PG" --sessions 4 "${SMALL[@]}" >"$SCRATCH/out2" 2>"$SCRATCH/err2"
rc=$?
[ $rc = 3 ] || fail "second run: exit $rc: $(cat "$SCRATCH/err2")"
grep -q "process $PID" "$SCRATCH/err2" || fail "the holder is not named: $(cat "$SCRATCH/err2")"
ended 0
says_not "was closed by the server while it was idle"
sql "alter role postgres reset idle_session_timeout" 2>"$ERR"
says_not "$SECRET"
! grep -rq "$SECRET" "$RESULTS" || fail "the password stands in a result"

echo "rights: a role that may not create"
sql "create role poor login"
refused 3 "$LOAD" --pg "host=$SERVER user=poor dbname=tpcc" --warehouses 1
