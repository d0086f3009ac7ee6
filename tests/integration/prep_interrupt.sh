#!/bin/bash
# What drive-prep waits for ends with it: a mkfs that takes long is stopped by the first interrupt, which
# is answered, and dies with a drive-prep that is killed. Both times it goes on with the file system.
# That a format of NVMe can't be stopped is in tests/unit/prep/nvme_test.c.
# shellcheck source-path=SCRIPTDIR source=drive_rig.inc
. "$(dirname "$0")/drive_rig.inc"
# shellcheck source=prep_rig.inc
. "$(dirname "$0")/prep_rig.inc"

new_loop "$WORK/drive" 64M
DEV=/dev/$LOOP
DATABASE=(--for database --fill none --mount "$WORK/mnt" --i-will-lose "$SIZE" "$DEV")
mkdir "$WORK/bin"
cat >"$WORK/bin/mkfs.ext4" <<SH
#!/bin/sh
[ "\$1" = -V ] || { echo \$\$ >'$WORK/mkfs.pid'; exec sleep 60; }
SH
chmod 755 "$WORK/bin/mkfs.ext4"

# begin: drive-prep in the background, at its mkfs.
begin() {
    rm -f "$WORK/mkfs.pid"
    PATH=$WORK/bin:$PATH "$BIN/drive-prep" --set prep.state="$STATE" --results "$RESULTS" "${DATABASE[@]}" \
        >"$OUT" 2>"$ERR" </dev/null &
    pid=$!
    wait_for "mkfs" test -s "$WORK/mkfs.pid"
    mkfs=$(cat "$WORK/mkfs.pid")
}

# gone PID: no longer running (nobody may be there to take its exit code).
gone() {
    ! grep -q '^State:	[^ZX]' "/proc/$1/status"
}

begin
kill -INT "$pid"
RC=0
wait "$pid" || RC=$?
[ "$RC" = 130 ] || fail "interrupted in mkfs: exit $RC: $(cat "$ERR")"
said "stopping: "
said "interrupted: mkfs.ext4 was stopped"
said "started again it goes on there"
gone "$mkfs" || fail "mkfs still runs"
echo "ok interrupted"

begin
said "goes on with filesystem"
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
wait_for "the end of mkfs" gone "$mkfs"
want 0 "${DATABASE[@]}"
said "goes on with filesystem"
is interruptions 2
mountpoint -q "$WORK/mnt" || fail "not mounted"
echo "ok killed"
