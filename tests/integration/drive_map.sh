#!/bin/bash
# drive-info on real stacks: a partition of a loop device, btrfs on one and on two devices, overlay,
# tmpfs, a device node, and a device that vanishes while it is watched.
# shellcheck source-path=SCRIPTDIR source=drive_rig.inc
. "$(dirname "$0")/drive_rig.inc"

info=$BIN/drive-info

# expect PATH LINE...: the devices, each "name role parent kind", but for those below the files.
expect() {
    local path=$1 got want
    shift
    want=$(printf '%s\n' "$@")
    got=$("$info" --plain "$path" | cut -f 1-4 | tr '\t' ' ') || fail "drive-info $path: exit $?"
    got=$(grep -E '^loop' <<<"$got")
    [ "$got" = "$want" ] || fail "$path:"$'\n'"$got"$'\n'"instead of"$'\n'"$want"
    echo "ok $path"
}

new_loop "$WORK/one" 64M
new_partition "$LOOP"
one=$LOOP
mkfs.ext4 -q "/dev/${one}p1"
mount_at "$WORK/with blank" "/dev/${one}p1"
expect "$WORK/with blank" "${one}p1 filesystem - partition" "$one between ${one}p1 loop"
expect "/dev/$one" "$one filesystem - loop"
"$info" --json "$WORK/with blank" | grep -q "\"label\": \"$WORK/one\"" || fail "the backing file"

new_loop "$WORK/two" 256M
two=$LOOP
new_loop "$WORK/three" 256M
three=$LOOP
mkfs.btrfs -q "/dev/$two"
mount_at "$WORK/btrfs" "/dev/$two"
btrfs -q subvolume create "$WORK/btrfs/sub" >/dev/null
expect "$WORK/btrfs/sub" "$two filesystem - loop"
btrfs -q device add -f "/dev/$three" "$WORK/btrfs" >/dev/null
pair=$(printf '%s filesystem - loop\n' "$two" "$three" | sort)
mapfile -t pair <<<"$pair"
expect "$WORK/btrfs/sub" "${pair[@]}"
# Who may not open the directory finds them by the mount's source.
mkdir "$WORK/btrfs/closed"
chmod 711 "$WORK/btrfs/closed" "$WORK"
cp "$info" "$WORK/drive-info"
got=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$WORK/drive-info" --plain "$WORK/btrfs/closed" |
    cut -f 1 | grep -cE "^($two|$three)$") || true
[ "$got" = 2 ] || fail "btrfs without the right to read: $got devices"

mkdir "$WORK/with blank/upper" "$WORK/with blank/work" "$WORK/lower"
mount_at "$WORK/merged" -t overlay overlay \
    -o "lowerdir=$WORK/lower,upperdir=$WORK/with blank/upper,workdir=$WORK/with blank/work"
expect "$WORK/merged" "${one}p1 filesystem - partition" "$one between ${one}p1 loop"

mount_at "$WORK/ram" -t tmpfs tmpfs
rc=0
said=$("$info" "$WORK/ram" 2>&1 >/dev/null) || rc=$?
[ "$rc" = 3 ] || fail "tmpfs: exit $rc"
[ "$said" = "drive-info: $WORK/ram (tmpfs) is memory, not a drive" ] || fail "tmpfs: $said"

# A loop device on a file in memory ends there, and says so.
new_loop "$WORK/ram/file" 32M
expect "/dev/$LOOP" "$LOOP filesystem,leaf - loop"
"$info" "/dev/$LOOP" | grep -q "note: backing file: $WORK/ram (tmpfs) is memory" || fail "note"

# Its counters go by the name in sysfs; a reader that goes away ends the watch quietly.
"$info" --watch --plain "/dev/$LOOP" 20ms | head -n 3 >"$WORK/out"
[ "${PIPESTATUS[0]}" = 0 ] || fail "closed pipe: exit ${PIPESTATUS[0]}"
[ "$(grep -c "$LOOP" "$WORK/out")" = 2 ] || fail "watch of $LOOP"

# Switched off, the counters give no figures.
echo 0 >"/sys/block/$LOOP/queue/iostats"
rc=0
said=$("$info" --watch "/dev/$LOOP" 20ms 1 2>&1) || rc=$?
echo 1 >"/sys/block/$LOOP/queue/iostats"
[ "$rc" = 3 ] || fail "iostats 0: exit $rc"
[[ $said == *"switched off"* ]] || fail "iostats 0: $said"

if [ -w /sys/class/zram-control/hot_add ] || [ -r /sys/class/zram-control/hot_add ]; then
    ZRAM=$(cat /sys/class/zram-control/hot_add)
    echo 16M >"/sys/block/zram$ZRAM/disksize"
    name=zram$ZRAM
    wait_for "the node of $name" test -b "/dev/$name"
    "$info" --watch --plain "/dev/$name" 20ms >"$WORK/out" 2>"$WORK/said" &
    watcher=$!
    wait_for "a report" grep -q "$name.0.00" "$WORK/out"
    remove_zram
    rc=0
    wait "$watcher" || rc=$?
    [ "$rc" = 3 ] || fail "vanished: exit $rc"
    grep -qx "drive-info: $name is gone" "$WORK/said" || fail "vanished: $(cat "$WORK/said")"
    grep -qx "drive-info: all devices are gone" "$WORK/said" || fail "$(cat "$WORK/said")"
    tail -n 1 "$WORK/out" | grep -q "$name"$'\t-\t-' || fail "a gap is no figure"
    echo "ok a device that vanishes"
fi
