#!/bin/bash
# drive-prep leaves alone what it should: every refusal that this machine can have, each on a loop device
# whose bytes are the same afterwards, with the word of consent given. Stacks of device mapper and md are
# in tests/soak/prep_guest.sh.
# shellcheck source-path=SCRIPTDIR source=drive_rig.inc
. "$(dirname "$0")/drive_rig.inc"
# shellcheck source=prep_rig.inc
. "$(dirname "$0")/prep_rig.inc"

# refuses DEVICE TEXT: exit 3, this is said, and nothing was written to the file behind it.
refuses() {
    local before after file
    file=$(losetup -nO BACK-FILE "${3:-$1}")
    sync -f "$file"
    before=$(cksum <"$file")
    want 3 --i-will-lose "$SIZE" "$1"
    said "$2"
    after=$(cksum <"$file")
    [ "$before" = "$after" ] || fail "$2: it wrote to $1"
    [ ! -e "$RESULTS" ] || fail "$2: a result was made"
    echo "ok $2"
}

new_loop "$WORK/table" 64M
disk=/dev/$LOOP
new_partition "$LOOP"
refuses "$disk" "has a partition table (dos, 1 partition) that drive-prep did not make"
said "if nothing of that is wanted: wipefs --all $disk"
mkfs.ext4 -q "${disk}p1"
refuses "$disk" "its partition 1 holds ext4 that drive-prep did not make"
refuses "${disk}p1" "is a partition: name the drive, $disk" "$disk"
mount_at "$WORK/with blank" "${disk}p1"
# By its number: another name for the node changes nothing.
mknod "$WORK/node" b "$((0x$(stat -c %t "$disk")))" "$((0x$(stat -c %T "$disk")))"
refuses "$WORK/node" "p1 is mounted at $WORK/with blank (umount it first)" "$disk"
umount "$WORK/with blank"

# Entries that the kernel does not know of are seen too, and what is in them.
partx -d "$disk"
refuses "$disk" "its partition 1 holds ext4 that drive-prep did not make"

# The partition is what another device stands on, which no list of holders says.
partx -a "$disk"
wait_for "the node of ${disk}p1" test -b "${disk}p1"
upper=$(losetup -f --show "${disk}p1")
LOOPS+=("$upper")
refuses "$disk" "p1 is what ${upper#/dev/} stands on (losetup -d $upper)"
want 3 --i-will-lose "$(blockdev --getsize64 "$upper")" "$upper"
said "${upper#/dev/} stands on ${disk}p1: name a drive"
losetup -d "$upper"
unset 'LOOPS[-1]'

new_loop "$WORK/whole" 64M
whole=/dev/$LOOP
mkfs.ext4 -q -L mine "$whole"
refuses "$whole" "holds ext4 \"mine\" that drive-prep did not make"
mount_at "$WORK/m" "$whole"
refuses "$whole" "${whole#/dev/} is mounted at $WORK/m"
umount "$WORK/m"
mkswap "$whole" >/dev/null 2>&1
if swapon "$whole" 2>/dev/null; then
    refuses "$whole" "${whole#/dev/} is a swap area (swapoff it first)"
    swapoff "$whole"
fi
refuses "$whole" "holds swap that drive-prep did not make"

wipefs -qa "$whole"

# Held by nobody whom sysfs knows.
mkfifo "$WORK/hold" "$WORK/held"
# shellcheck disable=SC2016 # the inner shell's
flock -x "$whole" sh -c 'echo held >"$1"; cat "$2"' sh "$WORK/held" "$WORK/hold" >/dev/null &
pid=$!
read -r _ <"$WORK/held"
refuses "$whole" "is locked by another process"
echo end >"$WORK/hold"
wait "$pid"

if command -v mkfs.btrfs >/dev/null; then
    new_loop "$WORK/btrfs" 128M
    SIZE=$(blockdev --getsize64 "/dev/$LOOP")
    one=/dev/$LOOP
    new_loop "$WORK/btrfs2" 128M
    two=/dev/$LOOP
    mkfs.btrfs -q "$one" >/dev/null 2>&1
    mount_at "$WORK/b" "$one"
    btrfs -q device add "$two" "$WORK/b" >/dev/null
    # It stands in no mount.
    refuses "$two" "${two#/dev/} is part of the mounted btrfs"
fi

new_loop "$WORK/ro" 64M
losetup -d "/dev/$LOOP"
unset 'LOOPS[-1]'
ro=$(losetup -rf --show "$WORK/ro")
LOOPS+=("$ro")
SIZE=67108864
refuses "$ro" "${ro#/dev/} is read-only"

# The disk under /: only asked, never with the word.
root=$("$BIN/drive-info" --plain / 2>/dev/null | cut -f 1 | tail -n 1)
if [ -n "$root" ] && [ -b "/dev/$root" ] && dd if="/dev/$root" bs=512 count=1 status=none of=/dev/null 2>/dev/null; then
    want 3 --dry-run "/dev/$root"
    said "is under /"
fi

want 2 --i-will-lose 1 "$WORK/ro"
said "is not a block device"
want 3 --i-will-lose 1 "$WORK/nothing"
want 2 --i-will-lose 1 "$whole"
said "\"1\" is not what stands for $whole"
want 2 "$whole"
said "give its size in bytes, since it has no serial, with --i-will-lose"
want 2 --for database --fill none --i-will-lose "$SIZE" --mount "$WORK" "$whole"
said "it is not empty"
[ ! -e "$RESULTS" ] || fail "a result was made"
[ ! -e "$STATE" ] || fail "a record was made"
