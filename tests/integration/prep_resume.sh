#!/bin/bash
# kill -9 in every step of drive-prep, and again in the next: it goes on where it was, and in the end
# the drive is what it would have been. What was changed in between is noticed before it goes on.
# shellcheck source-path=SCRIPTDIR source=drive_rig.inc
. "$(dirname "$0")/drive_rig.inc"
# shellcheck source=prep_rig.inc
. "$(dirname "$0")/prep_rig.inc"

new_loop "$WORK/drive" 64M
DEV=/dev/$LOOP
GO=(--i-will-lose "$SIZE" "$DEV")

# killed PLACE ARGUMENT...: it kills itself there.
killed() {
    local place=$1
    shift
    want 137 --set prep.die-at="$place" "$@"
}

# written: bytes written to the device since it was made.
written() {
    awk '{ print $7 * 512 }' "/sys/block/$LOOP/stat"
}

# step: that of the one record.
step() {
    sed -n 's/.*"step": "\(.*\)",/\1/p' "$STATE"/*.json
}

# at STEP: the record says so, and the next start is to say that it goes on with it.
at() {
    [ "$(step)" = "$1" ] || fail "the record says $(step) instead of $1"
}

database=(--for database --mount "$WORK/mnt" "${GO[@]}")
killed erase "${database[@]}"
at erase
killed fill "${database[@]}"
at fill
grep -qE '"fill_seconds": [0-9]*\.' "$STATE"/*.json || fail "the time of what was filled is lost"
want 0 --dry-run "${database[@]}"
grep -qE "^    fill  .*measured at its fill of" "$OUT" || fail "the time left: $(cat "$OUT")"
! grep -q "^    erase" "$OUT" || fail "the erase is to be done again: $(cat "$OUT")"
before=$(written)
killed sample "${database[@]}"
said "goes on with fill at byte "
at sample
more=$(($(written) - before))
[ "$more" -le $((SIZE / 2 + 4194304)) ] || fail "$more bytes were written after half of the fill was there"
killed partition "${database[@]}"
said "goes on with sample"
killed partition-done "${database[@]}"
said "goes on with partition"
at partition
killed filesystem "${database[@]}"
at filesystem
killed filesystem-done "${database[@]}"
said "goes on with filesystem"
killed mount "${database[@]}"
at mount
killed mount-done "${database[@]}"
mountpoint -q "$WORK/mnt" || fail "not mounted"
before=$(written)
want 0 --dry-run "${database[@]}"
grep -q "goes on     with mount" "$OUT" || fail "the plan does not say it: $(cat "$OUT")"
want 0 "${database[@]}"
said "goes on with mount"
at "done"
is interruptions 9
is filled_bytes "$SIZE"
is sampled_good 1024
is erase '"discard"'
is filesystem '"ext4"'
[ "$(stat -c %b "$WORK/drive")" -ge $((SIZE / 512)) ] || fail "the file system undid the fill"
[ "$(find "$RESULTS" -name '*.partial' | wc -l)" = 9 ] || fail "not every killed one left what it had"
touch "$WORK/mnt/file"
echo "ok a database drive, killed nine times"

# Mounted it is refused, also by its own record; unmounted it is ours to make anew.
want 3 "${database[@]}"
said "is mounted at $WORK/mnt"
umount "$WORK/mnt"

# An overwrite goes on at its byte too, and a wish that has changed begins anew.
qlc=(--qlc --erase overwrite "${GO[@]}")
killed erase "${qlc[@]}"
want 0 --dry-run --qlc --erase discard "${GO[@]}"
said "is not gone on with: it was asked to do something else"
want 0 --dry-run --restart "${qlc[@]}"
said "is not gone on with: --restart"
before=$(written)
want 0 "${qlc[@]}"
said "goes on with erase at byte "
more=$(($(written) - before))
[ "$more" -le $((SIZE / 2 + 4194304)) ] || fail "$more bytes were written after half of the overwrite was there"
is erase '"overwrite"'
is zero_percent 100.0
is filled_bytes null
[ "$(blockdev --getsize64 "${DEV}p1")" = 1048576 ] || fail "not 1 %"
echo "ok an overwrite, killed once"

# Half filled, then something changes: another fill is begun, or, where a file system was made, nothing.
killed fill "${GO[@]}"
dd if=/dev/zero of="$DEV" bs=4096 seek=3 count=1 conv=notrunc oflag=direct status=none
want 0 --dry-run "${GO[@]}"
said "is not gone on with: what is on the drive is not what it wrote"
mkfs.ext4 -q "$DEV"
want 3 "${GO[@]}"
said "holds ext4 that drive-prep did not make"
wipefs -qa "$DEV"
killed fill "${GO[@]}"
want 0 "${GO[@]}"
said "goes on with fill"
is interruptions 1
echo "ok a drive that changed in between"

# Its table with one more entry, or another file system, is no longer ours.
mkfs.ext4 -q "${DEV}p1"
want 3 "${GO[@]}"
said "its partition 1 holds ext4 that drive-prep did not make"
wipefs -qa "${DEV}p1"
want 0 --dry-run "${GO[@]}"
mv "$STATE" "$STATE.away"
want 3 "${GO[@]}"
said "has a partition table (gpt, 1 partition) that drive-prep did not make"
mv "$STATE.away" "$STATE"
echo 'start=10M, size=1M' | sfdisk -q --append --no-reread --no-tell-kernel "$DEV"
want 3 "${GO[@]}"
said "has a partition table (gpt, 2 partitions) that drive-prep did not make"
