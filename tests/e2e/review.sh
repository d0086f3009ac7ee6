#!/bin/bash
# drive-review on a small loop drive, whole: real fio, a real private server. kill -9 in each step and an
# interrupt, each time the same command goes on where it was; the plan beforehand; reports and summary of
# both kinds; and each refusal that it passes on, before anything is written.
# timeout: 150
# shellcheck disable=SC1091,SC2153,SC2154
. "$(dirname "$0")/sweep_lib.bash"
need_root
command -v fio >/dev/null || { echo "no fio"; exit 77; }
REVIEW=$BIN/drive-review
MOUNT=$SCRATCH/mnt
SIZE=671088640

end_review() {
    local i
    while mountpoint -q "$MOUNT"; do umount "$MOUNT" || umount -l "$MOUNT"; done
    for i in "${LOOPS[@]}"; do partx -d "$i" 2>/dev/null; done
    end_sweep
}
trap 'stop_servers; end_review' EXIT

stop_servers() {
    local pid
    for pid in $(servers); do kill -QUIT "$pid"; done
}

cat >"$SCRATCH/one.yaml" <<'YAML'
block:
  name: one
  points: [50]
  profiles:
    - {name: random, read: 100, random: 100, outstanding: 4, size: 4KiB}
    - {name: write, read: 0, random: 0, outstanding: 4, size: 64KiB}
YAML
cat >"$SCRATCH/review.yaml" <<YAML
sweep: {workload: ["$SCRATCH/one.yaml"], point-duration: 1s, settle: 0s, fio: "$SCRATCH/fio"}
load: {warehouses: 1}
run: {users: 10, duration: 4s, sample: 2s, ramp: 1s, check: quick, label: small}
prep: {mount: "$MOUNT", state: "$SCRATCH/state"}
YAML

# The real fio, until there is a file that says it fails.
cat >"$SCRATCH/fio" <<SH
#!/bin/sh
[ "\$1" = --version ] || [ ! -e "$SCRATCH/fails" ] || { echo "fio: the drive is gone" >&2; exit 1; }
exec fio "\$@"
SH
chmod +x "$SCRATCH/fio"

loop_drive "$SIZE"
DEVICE=$LOOP
GO=(--drive "$DEVICE" --plan "$SCRATCH/review.yaml" --results "$RESULTS" --plain --i-will-lose "$SIZE")

# killed TEXT: drive-review, and kill -9 as soon as it has said so.
killed() {
    "$REVIEW" "${GO[@]}" >"$OUT" 2>"$ERR" </dev/null &
    PID=$!
    wait_for "$1" "$ERR"
    { kill -KILL "$PID"; wait "$PID"; } 2>/dev/null
    ls -d "$RESULTS"/*-small.partial >/dev/null || fail "nothing is left of it"
}

echo "refused, and nothing written"
before=$(md5sum <"$DEVICE")
refused() { # EXIT TEXT ARGUMENTS...
    want "$1" "$REVIEW" "${GO[@]}" "${@:3}"
    says "$2"
}
want 2 "$REVIEW" && says "name the drive: --drive DEVICE"
want 2 "$REVIEW" "$DEVICE" && says "drive-review takes options only"
refused 3 "--drive: $SCRATCH/none: No such file or directory" --drive "$SCRATCH/none"
refused 2 "$SCRATCH/one.yaml is not a block device" --drive "$SCRATCH/one.yaml"
refused 2 "$SCRATCH/none.yaml: no such file" --plan "$SCRATCH/none.yaml"
for wrong in "run: {users: many}" "sweeps: {settle: 1s}" "- a list" "prep: {for: database}" \
    "ladder: {steps: '1,2'}" "target: {drive: /tmp}" "load: {rebuild: true}"; do
    echo "$wrong" >"$SCRATCH/wrong.yaml"
    refused 2 "$SCRATCH/wrong.yaml:1:" --plan "$SCRATCH/wrong.yaml"
done
says "load.rebuild: is no setting of a review"
refused 2 "\"lost\" is not what stands for $DEVICE" --i-will-lose lost
want 2 "$REVIEW" --drive "$DEVICE" --plan "$SCRATCH/review.yaml" --results "$RESULTS" --plain
says "what is on $DEVICE would be lost: to agree, give its size in bytes"
refused 3 "block tests: " --set sweep.fio="$SCRATCH/nofio"
refused 2 "block tests: " --set sweep.workload="no-such-workload"
refused 2 "preparation for the database: --mount $SCRATCH: it is not empty" --mount "$SCRATCH"
refused 3 "database test: " --set server.bin-dir="$SCRATCH"
refused 3 "this fits: drive-review --drive $DEVICE" --warehouses 1500 --users 15000
says "--warehouses 3 --users 30"
mkfs.ext4 -q -F -L foreign "$DEVICE"
refused 3 "preparation for block tests: $DEVICE is left alone: ${DEVICE#/dev/} holds ext4 \"foreign\" that"
mkdir "$MOUNT" && mount "$DEVICE" "$MOUNT"
refused 3 "is mounted at $MOUNT (umount it first)"
umount "$MOUNT"
dd if=/dev/urandom of="$DEVICE" bs=1M count=16 oflag=direct conv=notrunc status=none
[ ! -e "$RESULTS" ] || fail "a refusal left something"
[ ! -e "$SCRATCH/state" ] || fail "a refusal left a record"
before=$(md5sum <"$DEVICE")
want 0 "$REVIEW" "${GO[@]}" --dry-run
for text in "1. preparation for block tests" "loop" "random                 4 under way, 2 points" \
    "server      private PostgreSQL in $MOUNT/tpcc-run/" "1 warehouse, " "  all: about " \
    "--i-will-lose $SIZE" "  point-duration: 1s"; do
    grep -qF -- "$text" "$OUT" || fail "the plan does not say: $text"
done
[ "$before" = "$(md5sum <"$DEVICE")" ] || fail "a dry run or a refusal wrote to the drive"
want 0 "$REVIEW" --drive "$DEVICE" --dry-run --set prep.state="$SCRATCH/state" --warehouses 1 --users 10
says "4k-random-read         128 under way, 13 points"
says "vdi-monday-login "

echo "kill -9 in the preparation, in the block tests, in mkfs, in the load"
want 137 "$REVIEW" "${GO[@]}" --set prep.die-at=fill
review=$(echo "$RESULTS"/*-small.partial)
want 2 "$REPORT" "$review"
says "neither the block tests nor the database test is done yet"
: >"$SCRATCH/fails"
want 3 "$REVIEW" "${GO[@]}"
rm "$SCRATCH/fails"
says "goes on in $review"
says "goes on with fill at byte "
says "step 2 of 4, block tests: random: "
says "what is done is in $review; the same command goes on there:"
killed "random, maximum:"
says_not "step 1 of 4"
refused 2 "is a review of this drive that was cut off, with other settings" --duration 5s
want 137 "$REVIEW" "${GO[@]}" --set prep.die-at=filesystem
says "step 2 of 4: block tests"
says "goes on after 1 of 4 points"
says_not "random, maximum:"
says_not "step 1 of 4"
killed "dataset: loading"
says "step 3 of 4: preparation for the database"
says "goes on with filesystem"

echo "interrupted in the run"
"$REVIEW" "${GO[@]}" >"$OUT" 2>"$ERR" </dev/null &
PID=$!
wait_for "the run begins" "$ERR"
kill -INT "$PID"
ended 130
says "step 4 of 4, database test: interrupted"
says "what is done is in $review; the same command goes on there:"
says "  drive-review --drive $DEVICE --plan $SCRATCH/review.yaml"
all_quiet
# As after a restart of the machine.
umount "$MOUNT"
partx -d "$DEVICE"

echo "to its end, as one document"
"$REVIEW" "${GO[@]}" --json >"$SCRATCH/json" 2>"$ERR" </dev/null
rc=$?
cp "$ERR" "$OUT"
[ "$rc" = 0 ] || [ "$rc" = 1 ] || fail "exit $rc"
says_not "step 3 of 4"
all_quiet
done=$(result_dir)
[ "$done" = "${review%.partial}" ] || fail "$done is not the review that was begun"
cp "$OUT" "$SCRATCH/whole"
for text in "Review of $DEVICE" "prepare    preparation for block tests, valid, in " "           random  " \
    "filesystem preparation for the database, valid" "           10 users on 1 warehouse: "; do
    says "$text"
done
for file in review.json plan.yaml summary.txt report.html log.txt prepare/*/result.json sweep/*/report.html \
    database/*/report.html filesystem/*/result.json; do
    # shellcheck disable=SC2206 # a pattern
    files=("$done"/$file)
    [ -s "${files[0]}" ] || fail "no $file"
done
cmp -s <(sed -n '/^Review of/,$p' "$SCRATCH/whole") "$done/summary.txt" || fail "the summary is another one"
[ "$(head -n 1 "$SCRATCH/json")" = "{" ] || fail "not JSON"
[ "$(tail -n 1 "$SCRATCH/json")" = "}" ] || fail "more than JSON"
for text in '"kind": "review"' "\"path\": \"$done\"" '"document": {' '"peak_iops": ' '"tps": ' '"verdict": '; do
    grep -qF -- "$text" "$SCRATCH/json" || fail "the document has no $text"
done
# By the label of both, which is one drive's, not by the folders of its steps.
grep -q '<title>small</title>' "$done/report.html" || fail "named $(grep -o '<title>.*</title>' "$done/report.html")"
"$REPORT" "$done" >"$OUT" 2>"$ERR"
says "profile  "
says "10 users on "
grep -q '<figure class="sweep">' "$done/report.html" || fail "the page has no curves"
want 0 "$REPORT" --list "$RESULTS"
says "$done/sweep"
says "$done/database"
# What it left repeats it, once the drive is free.
umount "$MOUNT"
"$REVIEW" "${GO[@]}" --plan "$done/plan.yaml" --dry-run >/dev/full 2>"$ERR"
[ $? = 3 ] || fail "a full standard output is not told"
want 0 "$REVIEW" "${GO[@]}" --plan "$done/plan.yaml" --dry-run
says "1. preparation for block tests"
