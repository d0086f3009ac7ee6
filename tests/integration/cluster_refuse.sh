#!/bin/bash
# What the private server refuses, each with its message, and nothing harmed.
# timeout: 120
# shellcheck disable=SC1091,SC2034,SC2153
. "$(dirname "$0")/cluster_lib.bash"
# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"
need_root

echo "a wrong path, a file"
"$DRIVER" "$SCRATCH/nowhere" look >"$OUT" 2>&1 && fail "exit 0"
says "drive directory $SCRATCH/nowhere: No such file or directory"
touch "$SCRATCH/file"
"$DRIVER" "$SCRATCH/file" open >"$OUT" 2>&1 && fail "exit 0"
says "it is not a directory"

echo "a directory that is not ours stays as it is"
mkdir "$HERE"
echo precious >"$HERE/thesis"
for word in look open open-for-removal; do
    drive 3 $word
    says "$HERE is not ours (no file OWNER of tpcc-run in it) and stays as it is"
done
[ "$(ls "$HERE")" = thesis ] || fail "something was done in it"
echo "somebody else's words" >"$HERE/OWNER"
drive 3 open
says "is not ours"
rm -r "$HERE"
touch "$HERE"
drive 3 open
says "$HERE is not a directory"
rm "$HERE"
mkdir "$SCRATCH/elsewhere"
ln -s "$SCRATCH/elsewhere" "$HERE"
drive 3 open
says "$HERE is a link"
[ -z "$(ls -A "$SCRATCH/elsewhere")" ] || fail "the link was followed"
rm "$HERE"
mkdir "$HERE" # an empty one does no harm
drive 0 open

echo "users"
drive 3 user=nobody-of-this-name look
says "no user nobody-of-this-name for the server"
drive 3 user=nobody-of-this-name bin=/usr/bin/nothing look
says_not "no user" # the package that is missing makes the user
says "no postgres and initdb in it"
drive 2 user=root open
says "PostgreSQL does not run as root"
drive 3 user=nobody look
says "$HERE/data belongs to user number $(id -u postgres) and not to nobody"
mkdir "$SCRATCH/his"
cp "$DRIVER" "$SCRATCH/"
chown postgres "$SCRATCH/his"
runuser -u postgres -- "$SCRATCH/cluster-driver" "$DRIVE" open >"$OUT" 2>&1 && fail "exit 0"
says "belongs to user number 0: run as that user or as root"

echo "an upgrade of PostgreSQL between two runs"
cp "$HERE/data/PG_VERSION" "$SCRATCH/version"
echo 13 >"$HERE/data/PG_VERSION"
drive 3 look
says "version=13"
says "the dataset was made by PostgreSQL 13, which is not installed any more (found: $PG_VERSION"
says "install the package postgresql-13, or build the dataset anew with --rebuild"
drive 3 open start
says "ok open"
says "install the package postgresql-13"
drive 3 bin="$PGBIN" look
says "which is not in server.bin-dir (found: $PG_VERSION"
cp "$SCRATCH/version" "$HERE/data/PG_VERSION"
drive 3 bin=/usr/bin/nothing look
says "server.bin-dir: /usr/bin/nothing: no postgres and initdb in it"

echo "... and the way out"
echo 13 >"$HERE/data/PG_VERSION"
drive 0 rebuild look
says "version=13 discards=1 programs=$PG_VERSION"
drive 0 rebuild open start "sql=select 41 + 1" stop
says "the cluster of PostgreSQL 13 in $HERE is discarded: its programs are missing"
says "row 42"
drive 0 rebuild look open start stop # one that has its programs is not touched
says "discards=0"
says_not "discarded"

echo "a cluster whose programs are gone can be removed"
echo 13 >"$HERE/data/PG_VERSION"
drive 0 open-for-removal remove
[ -z "$(ls -A "$DRIVE")" ] || fail "left: $(ls -A "$DRIVE")"

echo "a closed parent directory is named, the first one on the way"
mkdir -p "$SCRATCH/a/b/c"
chmod 755 "$SCRATCH/a" "$SCRATCH/a/b/c"
chmod 700 "$SCRATCH/a/b"
for word in look open; do
    "$DRIVER" "$SCRATCH/a/b/c" $word >"$OUT" 2>&1 && fail "exit 0"
    says "user postgres, who runs the server, can't enter $SCRATCH/a/b: allow it (chmod o+x $SCRATCH/a/b)"
done
[ -z "$(ls -A "$SCRATCH/a/b/c")" ] || fail "something was made"

echo "settings that are not there, or that the server does not take"
"$DRIVER" "$DRIVE" conf=/nowhere/postgresql.conf open start >"$OUT" 2>&1 && fail "exit 0"
says "failed start: settings of the private server: can't read /nowhere/postgresql.conf"
echo "fsync = perhaps" >"$SCRATCH/bad.conf"
"$DRIVER" "$DRIVE" conf="$SCRATCH/bad.conf" open start >"$OUT" 2>&1 && fail "exit 0"
says "failed start: the private server did not start: "
says 'parameter "fsync" requires a Boolean value'
says "(see $HERE/cluster.log)"
all_quiet

echo "removal: a mount inside is not entered, a link is not followed"
mkdir "$HERE/data/mounted"
mount -t tmpfs none "$HERE/data/mounted" && MOUNTS=("$HERE/data/mounted")
echo precious >"$HERE/data/mounted/thesis"
drive 3 open-for-removal remove
says "mounted in $HERE is not removed: something else is mounted there"
[ -e "$HERE/data/mounted/thesis" ] || fail "a mount was entered"
umount "$HERE/data/mounted"
MOUNTS=()
echo precious >"$SCRATCH/elsewhere/thesis"
ln -s "$SCRATCH/elsewhere" "$HERE/data/pg_wal_of_old"
drive 0 open-for-removal remove
[ -e "$SCRATCH/elsewhere/thesis" ] || fail "a link was followed"
[ -z "$(ls -A "$DRIVE")" ] || fail "left: $(ls -A "$DRIVE")"

echo "a read-only file system"
small_drive 64
mount -o remount,ro "$DRIVE"
drive 3 open
says "can't make $HERE: Read-only file system"
mount -o remount,rw "$DRIVE"

echo "a full drive: no room for a cluster, and nothing of it is left"
rm -rf "$DRIVE/lost+found"
dd if=/dev/zero of="$DRIVE/filler" bs=1M count=30 status=none
drive 3 open
says "the file system of $DRIVE is full"
says "make room, or take fewer warehouses"
[ ! -e "$HERE/data" ] || fail "a half-made cluster"
[ ! -e "$HERE/data.new" ] || fail "a half-made cluster"
rm "$DRIVE/filler"
umount "$DRIVE"
losetup -d "$LOOP"
MOUNTS=() LOOPS=()

echo "a drive that runs full while loading"
small_drive 256
drive 3 open start-unsafe "sql=create table big as select repeat('x', 1000) from generate_series(1,400000)"
says "ok start-unsafe"
says "failed sql=create table big as select repeat('x', 1000) from generate_series(1,400000): the file system of $DRIVE is full"
drive 0 open start-unsafe "sql=select 1" stop # the transaction's files are gone, it goes on
says "a server of an earlier run was still running"
all_quiet
