#!/bin/bash
# The dataset put back to its state after the load: killed while the image is made and while it is
# put back, the next start makes it whole; every run begins from it; what can't be put back is told.
# timeout: 150
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

HERE=$DRIVE/tpcc-run
SMALL=(--users 20 --duration 2s --sample 1s --ramp 1s --set run.drain=5s --check none
    --results "$RESULTS" --plain)

# kill_at PATH ARGUMENTS...: tpcc-load, killed hard as soon as the path is there. False: it had gone
# on before it was seen.
kill_at() {
    local path=$1 dir
    shift
    "$LOAD" --drive "$DRIVE" --plain "$@" >"$OUT" 2>"$ERR" </dev/null &
    PID=$!
    until [ -e "$path" ] || ! kill -0 "$PID" 2>/dev/null; do :; done
    kill -KILL "$PID"
    wait "$PID" 2>/dev/null
    # What it had stopped itself nothing that follows knows of, and end_all no more behind --remove.
    for dir in $(sockets); do rmdir "$dir" || fail "left: $dir"; done
    [ -e "$path" ]
}

there() {
    local path
    for path in "$@"; do [ -e "$path" ] || fail "not there: $path"; done
}

gone() {
    local path
    for path in "$@"; do [ ! -e "$path" ] || fail "there: $path"; done
}

checksum() {
    sed -n 's/^checksum  *//p' "$OUT"
}

# Everything in the data directory but what each start writes.
sums() {
    (cd "$1" && find . -type f ! -name postmaster.opts ! -name tpcc-run.conf -exec md5sum {} + | sort -k 2)
}

echo "killed while the image is made: the load is whole, the next start makes the image"
kill_at "$HERE/image.new/data/base" --warehouses 1 --restore || fail "the image was there too soon"
gone "$HERE/image"
want 0 "$LOAD" --drive "$DRIVE" --restore --checksum
says "keeping an image of the loaded dataset"
says "loaded               before"
loaded=$(checksum)
[ -n "$loaded" ] || fail "no checksum"
gone "$HERE/image.new"
sums "$HERE/image/data" >"$SCRATCH/image.sums"

echo "killed while it is put back: the next start does so again, whatever it was to do"
want 0 "$RUN" --drive "$DRIVE" "${SMALL[@]}"
kill_at "$HERE/data.new/base" --restore || fail "the dataset was back too soon"
there "$HERE/RESTORE"
gone "$HERE/data"
want 0 "$LOAD" --drive "$DRIVE" --dry-run
says "1 warehouse, 126 MB: already there"
want 0 "$LOAD" --drive "$DRIVE" --checksum
says "was cut off: made again"
[ "$(checksum)" = "$loaded" ] || fail "another dataset than after the load"
gone "$HERE/RESTORE" "$HERE/data.new"

echo "a run begins from it, and says so"
want 0 "$RUN" --drive "$DRIVE" "${SMALL[@]}"
want 0 "$RUN" --drive "$DRIVE" "${SMALL[@]}" --restore --restore-rest 1s
says "restored by copy on the same device"
says "1s of rest"
[ "$(figure runs_since_load)/$(figure method)" = 0/copy ] || fail "runs since the load: $(figure runs_since_load)"
again=$(result_dir)
want 0 "$REPORT" "$again" "$(find "$RESULTS" -mindepth 1 -maxdepth 1 -type d | sort | head -n 1)"
says "restored before the run"
[ "$("$LOAD" --drive "$DRIVE" --restore --checksum 2>"$ERR" | sed -n 's/^checksum  *//p')" = "$loaded" ] ||
    fail "another dataset than after the load"
sums "$HERE/image/data" | cmp - "$SCRATCH/image.sums" || fail "the image has changed"

echo "what is damaged, missing, or of another dataset is told"
page=$(find "$HERE/image/data/base" -size +4M -type f | head -n 1)
cp -p "$page" "$SCRATCH/page"
printf '\377' | dd of="$page" bs=1 seek=4000000 conv=notrunc 2>"$ERR"
want 1 "$LOAD" --drive "$DRIVE" --restore
one_line
says "has another checksum"
says "--restore --rebuild loads anew"
gone "$HERE/RESTORE"
cp -p "$SCRATCH/page" "$page"
echo "(the dataset was left as it was)"
want 0 "$LOAD" --drive "$DRIVE" --checksum
[ "$(checksum)" = "$loaded" ] || fail "another dataset than before"
kill_at "$HERE/data.new/base" --restore || fail "the dataset was back too soon"
rm "$page"
want 1 "$LOAD" --drive "$DRIVE"
one_line
says "is missing"
says "the next start makes the restore again"
mkdir "$SCRATCH/elsewhere"
want 0 "$LOAD" --drive "$DRIVE" --rebuild --yes --image "$SCRATCH/elsewhere" --restore --restore-method copy
says "a restore of the dataset in $HERE was cut off: discarded"
gone "$HERE/image"
there "$SCRATCH/elsewhere/tpcc-run-image/image"
sed -i 's/"loaded_at_us": 1/"loaded_at_us": 2/' "$SCRATCH/elsewhere/tpcc-run-image/image/manifest.json"
want 3 "$LOAD" --drive "$DRIVE" --image "$SCRATCH/elsewhere" --restore
one_line
says "holds the image of another dataset (1 warehouses of PostgreSQL"
want 0 "$RUN" --drive "$DRIVE" "${SMALL[@]}"
want 2 "$LOAD" --drive "$DRIVE" --restore
one_line
says "the dataset has seen 1 run since its load and there is no image"
want 2 "$RUN" --pg "dbname=none" --restore
one_line
says "only the private server's files can be put back"
want 3 "$LOAD" --drive "$DRIVE" --restore --image "$SCRATCH/nowhere"
one_line
says "make the directory"
mkdir "$SCRATCH/small"
mount -t tmpfs -o size=64m tmpfs "$SCRATCH/small" || fail "no tmpfs"
MOUNTS=("$SCRATCH/small")
want 3 "$LOAD" --drive "$DRIVE" --restore --image "$SCRATCH/small"
one_line
says "are free in $SCRATCH/small (name another --image)"

echo "removed with it, and nothing else"
touch "$SCRATCH/elsewhere/thesis"
want 0 "$LOAD" --drive "$DRIVE" --remove --image "$SCRATCH/elsewhere" --yes
[ "$(find "$DRIVE" "$SCRATCH/elsewhere" -mindepth 1)" = "$SCRATCH/elsewhere/thesis" ] || fail "left, or gone too far"
all_quiet
