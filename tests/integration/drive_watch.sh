#!/bin/bash
# drive-info --watch against iostat -x. Both run over the same seconds; the load begins after the
# first report of both and ends before the second, so that both see the very same requests whenever
# they sample. What is per request (sizes, latencies, shares) must then agree to the digit printed.
# What is per second is divided by each tool's own interval: iostat counts it in 1/100 s, and both
# wake a little late, so that agreement within 0.5 % and the digit printed is rounding.
# alone: another load would take the seconds that both programs compare
# shellcheck source-path=SCRIPTDIR source=drive_rig.inc
. "$(dirname "$0")/drive_rig.inc"

interval=6
columns=22
for tool in iostat fio blkdiscard; do
    command -v "$tool" >/dev/null || skip "no $tool"
done

# A file in memory: the loop device is a leaf, and fast whatever the machine's disk does.
mount_at "$WORK/ram" -t tmpfs tmpfs
new_loop "$WORK/ram/file" 96M
new_partition "$LOOP"
disk=$LOOP
part=${LOOP}p1

# rows FILE DEVICE: its reports, one line each.
rows() {
    awk -v d="$2" '$1 == d' "$1"
}

has_rows() { # FILE DEVICE N
    [ "$(rows "$1" "$2" | wc -l)" -ge "$3" ]
}

stdbuf -oL iostat -dxy "$disk" "$part" "$interval" 2 >"$WORK/iostat" &
iostat_pid=$!
"$BIN/drive-info" --watch "/dev/$part" "$interval" 2 >"$WORK/ours" &
ours_pid=$!
for file in iostat ours; do
    for device in "$disk" "$part"; do
        wait_for "the first report of $device in $file" has_rows "$WORK/$file" "$device" 1
    done
done
fio --name=load --filename="/dev/$part" --ioengine=libaio --direct=1 --rw=randrw --rwmixread=60 \
    --bsrange=4k-16k --iodepth=4 --rate_iops=1500 --fsync=16 --time_based --runtime=2 \
    --size=64M >"$WORK/fio" 2>&1 || fail "fio: $(cat "$WORK/fio")"
blkdiscard -o 67108864 -l 4194304 "/dev/$part"
for file in iostat ours; do
    has_rows "$WORK/$file" "$disk" 2 && skip "the load took longer than $interval s"
done
wait "$iostat_pid" || fail "iostat: exit $?"
wait "$ours_pid" || fail "drive-info: exit $?"

# The titles are the same, but for what iostat prints above them.
grep -m 1 '^Device' "$WORK/iostat" >"$WORK/iostat.titles"
grep -m 1 '^Device' "$WORK/ours" >"$WORK/ours.titles"
cmp "$WORK/iostat.titles" "$WORK/ours.titles" || fail "titles"

compare() { # DEVICE
    {
        cat "$WORK/iostat.titles"
        rows "$WORK/iostat" "$1" | sed -n 2p
        rows "$WORK/ours" "$1" | sed -n 2p
    } | awk -v columns="$columns" '
        NR == 1 { for (i = 1; i <= NF; i++) title[i] = $i }
        NR == 2 { for (i = 1; i <= NF; i++) theirs[i] = $i }
        NR == 3 { for (i = 1; i <= NF; i++) ours[i] = $i }
        END {
            if (NR != 3 || NF != columns + 1) { print "not two rows of " columns; exit 1 }
            for (i = 2; i <= NF; i++) {
                a = theirs[i]; b = ours[i]; if (b == "-") b = 0
                per_second = title[i] ~ /\/s$|aqu-sz|%util/
                # Both round to 1/100, each on its own.
                allowed = 0.0101 + (per_second ? a * 0.005 : 0)
                off = a > b ? a - b : b - a
                printf "%-9s iostat %10.2f drive-info %10s%s\n", title[i], a, ours[i], (off > allowed ? "  <-- differs" : "")
                if (off > allowed) bad = 1
            }
            if (theirs[2] < 50 || theirs[8] < 50) { print "no load seen"; bad = 1 }
            exit bad
        }' || fail "$1 differs"
}
echo "== $disk"
compare "$disk"
# Its flushes are counted on the disk alone: iostat prints 0 for them, we print none.
echo "== $part"
compare "$part"
rows "$WORK/ours" "$part" | sed -n 2p | awk '{ exit !($20 == "-" && $21 == "-") }' ||
    fail "a partition has no figure for flushes"
rows "$WORK/ours" "$disk" | sed -n 2p | awk '{ exit !($20 > 0 && $14 > 0) }' ||
    fail "no flush or discard seen"
