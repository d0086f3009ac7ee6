#!/bin/bash
# drive-prep from end to end: both purposes, the word typed on a terminal, an interrupt, a drive that
# loses what is written, one that fails in the middle and is healed, xfs; and the record in a later result.
# shellcheck source-path=SCRIPTDIR source=drive_rig.inc
. "$(dirname "$0")/drive_rig.inc"
# shellcheck source=prep_rig.inc
. "$(dirname "$0")/prep_rig.inc"

# run_typing WORD DEVICE: on a terminal, where this is typed; the exit code is in $RC.
run_typing() {
    RC=0
    script -qec "'$BIN/drive-prep' --set prep.state='$STATE' --results '$RESULTS' --plain $2" "$OUT" \
        <<<"$1" >/dev/null || RC=$?
}

new_loop "$WORK/drive" 64M
DEV=/dev/$LOOP
want 0 --dry-run "$DEV"
grep -qx "  agree with  --i-will-lose $SIZE" "$OUT" || fail "dry run: $(cat "$OUT")"
grep -qE "^  duration    about [0-9.]+ m?s$" "$OUT" || fail "the time of the whole: $(cat "$OUT")"
grep -qE "^    fill  .* at [0-9]+ MiB/s, assumed of an? (SSD|disk)$" "$OUT" || fail "the fill: $(cat "$OUT")"
[ ! -e "$RESULTS$STATE" ] || fail "a dry run wrote"
if command -v script >/dev/null; then
    run_typing 64M "$DEV"
    [ "$RC" = 2 ] || fail "the wrong word: exit $RC: $(cat "$OUT")"
    run_typing "$SIZE" "$DEV"
    [ "$RC" = 0 ] || fail "the right word: exit $RC: $(cat "$OUT")"
    grep -q "all that is on $DEV will be lost: type its size in bytes to agree" "$OUT" || fail "question"
else
    want 0 --i-will-lose "$SIZE" "$DEV"
fi
is filled_bytes "$SIZE"
is sampled_blocks 1024
is sampled_good 1024
[ "$(blockdev --getsize64 "${DEV}p1")" = 4194304 ] || fail "not 5 %, up to a MiB"
sfdisk -d "$DEV" | grep -q 'name="tpcc-run"' || fail "the table: $(sfdisk -d "$DEV")"
grep -q '<h2>Steps</h2>' "$(newest)/report.html" || fail "no page"
"$BIN/tpcc-report" "$(newest)" >"$WORK/report" || fail "tpcc-report: exit $?"
grep -qE '^fill +67.1 MB in .*; 1,024 of 1,024 samples there$' "$WORK/report" || fail "$(cat "$WORK/report")"
# The whole surface is there, and none of it compresses.
[ "$(dd if="$DEV" bs=1M skip=6 count=8 status=none | gzip -1 | wc -c)" -gt 8388608 ] || fail "it compresses"
# A later result of the drive carries the record, and of another one, or of one that became another, not.
carried() {
    "$BIN/carry-driver" "$STATE" "$1"
}
[[ $(carried "${DEV}p1") == "for blocks: erased by discard, filled with 67.1 MB, 1,024 of 1,024 samples there, "*" before" ]] ||
    fail "carried: $(carried "${DEV}p1")"
[ "$(carried /)" = none ] || fail "/ has a record: $(carried /)"
want 0 --dry-run "$DEV"
grep -qE "^    fill  .* at [0-9.]+ MiB/s, measured at its fill of 20" "$OUT" || fail "not as it was: $(cat "$OUT")"
echo "ok block tests"

want 0 --for database --fill none --size 20MiB --mount "$WORK/mnt" --json --i-will-lose "$SIZE" "$DEV"
grep -q '"filesystem": "ext4"' "$OUT" || fail "--json: $(cat "$OUT")"
grep -q " $WORK/mnt ext4 rw,noatime" /proc/mounts || fail "not mounted, or with discard"
[ "$(blockdev --getsize64 "${DEV}p1")" = 20971520 ] || fail "--size"
[[ $(carried "$WORK/mnt") == "for database: erased by discard, not filled, "*" before" ]] ||
    fail "carried: $(carried "$WORK/mnt")"
umount "$WORK/mnt"
mkfs.ext4 -q -F "${DEV}p1"
[ "$(carried "$DEV")" = none ] || fail "another file system: $(carried "$DEV")"
if command -v mkfs.xfs >/dev/null; then
    new_loop "$WORK/large" 320M
    want 0 --for database --filesystem xfs --fill none --mount "$WORK/xfs" --i-will-lose 335544320 "/dev/$LOOP"
    grep -q " $WORK/xfs xfs rw,noatime" /proc/mounts || fail "xfs is not mounted"
    umount "$WORK/xfs"
fi
echo "ok the database test"

for tool in nbdkit nbdfuse; do
    command -v "$tool" >/dev/null || skip "no $tool: the rest needs drives that misbehave"
done
SERVERS=()
FUSES=()
end_bad() {
    local i
    for i in "${LOOPS[@]}"; do
        partx -d "$i" 2>/dev/null
        losetup -d "$i"
    done
    LOOPS=()
    for i in "${FUSES[@]}"; do umount "$i" || umount -l "$i"; done
    for i in "${SERVERS[@]}"; do kill "$i"; done
}
trap 'set +e; end_bad; clean_up' EXIT

is_ready() { # FILE
    [ -s "$1" ]
}

# bad_drive NAME NBDKIT-ARGUMENTS...: a loop device on what nbdkit serves; $DEV.
bad_drive() {
    local dir=$WORK/$1
    shift
    mkdir -p "$dir"
    nbdkit --foreground --unix "$dir/socket" "$@" >"$dir/log" 2>&1 &
    SERVERS+=($!)
    wait_for "nbdkit's socket" test -S "$dir/socket"
    touch "$dir/disk"
    nbdfuse "$dir/disk" --unix "$dir/socket" >"$dir/log2" 2>&1 &
    wait_for "the file of nbdfuse" is_ready "$dir/disk"
    FUSES+=("$dir/disk")
    DEV=$(losetup -f --show --direct-io=on "$dir/disk")
    LOOPS+=("$DEV")
}

# A drive that takes all writes and keeps none.
bad_drive liar null 64M
echo 0 >"/sys/block/${DEV#/dev/}/queue/discard_max_bytes"
want 1 --i-will-lose "$SIZE" "$DEV"
said "$DEV does not hold what was written: 1024 of 1024 blocks"
tr -s '\n ' ' ' <"$OUT" | grep -q "fill 1024 of 1024 blocks of the fill are not there" || fail "the liar: $(cat "$OUT")"
is sampled_good 0
grep -q '"status": "invalid"' "$(newest)/result.json" || fail "valid"
is erase_note '"no discard: it does not discard; no overwrite: the fill overwrites everything"'
[ ! -e "${DEV}p1" ] || fail "a partition on a drive that loses data"
echo "ok a drive that loses what is written"

filling() {
    grep -q '"step": "fill"' "$STATE"/*.json
}

# Interrupted in the middle of the fill; then it fails, is healed, and ends.
bad_drive slow --filter=error --filter=delay memory 64M delay-write=40ms error-pwrite-rate=100% \
    error-file="$WORK/fails"
"$BIN/drive-prep" --set prep.state="$STATE" --results "$RESULTS" --label slow --i-will-lose "$SIZE" "$DEV" \
    >"$OUT" 2>"$ERR" </dev/null &
pid=$!
wait_for "the fill" filling
kill -INT "$pid"
RC=0
wait "$pid" || RC=$?
[ "$RC" = 130 ] || fail "interrupted: exit $RC: $(cat "$ERR")"
said "what there was is in $RESULTS"
partial=$(echo "$RESULTS"/*-slow.partial)
grep -q '"kind": "prep"' "$partial/result.json" || fail "the partial result"
RC=0
"$BIN/tpcc-report" "$partial" >"$OUT" || RC=$?
[ "$RC" = 1 ] || fail "the report of it: exit $RC"
grep -q "did not come to its end" "$OUT" || fail "$(cat "$OUT")"
touch "$WORK/fails"
want 3 --i-will-lose "$SIZE" "$DEV"
said "writing at byte "
rm "$WORK/fails"
want 0 --i-will-lose "$SIZE" "$DEV"
said "goes on with fill at byte "
is interruptions 2
is sampled_good 1024
echo "ok interrupted, failed, healed"
