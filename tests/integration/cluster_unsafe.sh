#!/bin/bash
# The unsafe settings of a load: the marker, resuming in the same boot, discarding in another.
# timeout: 120
# shellcheck disable=SC1091,SC2034,SC2153
. "$(dirname "$0")/cluster_lib.bash"
need_root

echo "unsafe on the command line only; durable after its end"
drive 0 open start-unsafe look "sql=show fsync" "sql=show wal_level" "sql=show full_page_writes" \
    "sql=show autovacuum" "sql=create table t as select generate_series(1,100000) as a" \
    end-unsafe look start "sql=show fsync" "sql=show full_page_writes" "sql=show autovacuum" \
    "sql=show wal_level" "sql=select count(*) from t" stop
says "unsafe=1 same_boot=1"
says "unsafe=0"
[ "$(grep -A1 -E '^(row|ok)' "$OUT" | grep -c '^row off')" = 3 ] || fail "not unsafe"
[ "$(grep -c '^row on' "$OUT")" = 3 ] || fail "not safe again"
says "row minimal"
says "row replica"
says "row 100000"
! grep -rqE '^[^#]*(fsync|full_page_writes|autovacuum) *= *off' "$HERE/data/tpcc-run.conf" \
    "$HERE/data/postgresql.conf" "$HERE/data/postgresql.auto.conf" || fail "unsafe in a file"
all_quiet

echo "the loader is killed: the next one goes on with what there is"
drive_waiting open start-unsafe "sql=create table u as select 1 as a" wait
kill_driver
grep -q "^boot_id=$(cat /proc/sys/kernel/random/boot_id)$" "$HERE/UNSAFE" || fail "marker"
grep -q "^device=.* diskseq=" "$HERE/UNSAFE" || echo "(no device behind $SCRATCH)"
drive 0 look
says "running=1 kept=0 unsafe=1 same_boot=1"
drive 0 open start-unsafe "sql=select count(*) from u" end-unsafe start stop
says "was still running"
says "row 1"
says_not "discarded"
[ ! -e "$HERE/UNSAFE" ] || fail "the marker is left"

echo "the server is killed in a load: recovered in the same boot"
drive_waiting open start-unsafe "sql=create table v as select generate_series(1,200000) as a" wait stop
kill -KILL "$(postmaster)"
go_on
drive 0 open start-unsafe "sql=select count(*) from v" end-unsafe
says "row 200000"
all_quiet

echo "interrupted between load and end: a start with the run's settings syncs first"
drive 0 open start-unsafe "sql=create table w as select 7 as a" stop
[ -e "$HERE/UNSAFE" ] || fail "the marker is gone before the sync"
drive 0 open start "sql=select a from w" "sql=show fsync" stop
says "an unsafe load was left without its end: synced first"
says "row 7"
says "row on"
[ ! -e "$HERE/UNSAFE" ] || fail "the marker is left"

echo "another boot: discarded, and said; also the note about the dataset"
drive 0 open note start-unsafe stop
sed -i 's/^boot_id=.*/boot_id=00000000-0000-0000-0000-000000000000/' "$HERE/UNSAFE"
drive 0 look
says "exists=1 running=0 kept=0 unsafe=1 same_boot=0"
drive 0 open look start "sql=select count(*) from pg_class where relname in ('t', 'u', 'v')" stop
says "was cut off by a restart of the machine or of the drive"
says "what it had loaded is discarded"
says "making a private PostgreSQL"
says "warehouses=0 complete=0 bytes=0"
says "row 0"
[ ! -e "$HERE/UNSAFE" ] || fail "the marker is left"
all_quiet

echo "another boot while the cluster is being discarded: still understood"
drive 0 open start-unsafe stop
sed -i 's/^boot_id=.*/boot_id=0/' "$HERE/UNSAFE"
mv "$HERE/data" "$HERE/data.old"
drive 0 open start stop
says "discarded"
[ ! -e "$HERE/data.old" ] || fail "data.old is left"

echo "a half-made cluster is made anew"
rm -r "$HERE/data"
mkdir "$HERE/data.new"
touch "$HERE/data.new/junk"
drive 0 open start stop
[ ! -e "$HERE/data.new" ] || fail "data.new is left"

echo "the drive was taken out and put back: another diskseq, discarded"
drive 0 open remove
small_drive 256
seq=$(cat "/sys/block/${LOOP#/dev/}/diskseq" 2>/dev/null) || { echo "no diskseq in this kernel"; exit 77; }
drive 0 open start-unsafe stop
grep -q "^device=${LOOP#/dev/} diskseq=$seq$" "$HERE/UNSAFE" || fail "$(cat "$HERE/UNSAFE")"
drive 0 look
says "unsafe=1 same_boot=1"
umount "$DRIVE"
losetup -d "$LOOP"
losetup "$LOOP" "$SCRATCH/image" || fail "the loop device is taken"
mount "$LOOP" "$DRIVE"
drive 0 look
says "unsafe=1 same_boot=0"
drive 0 open start stop
says "what it had loaded is discarded"
all_quiet
