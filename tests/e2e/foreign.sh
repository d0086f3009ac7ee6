#!/bin/bash
# Whose I/O the drive did: a run that has its drive for itself is not doubted, one beside another
# program that reads and writes there is.
# may-skip: no loop devices
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root
IMAGE=$(mktemp /dev/shm/tpcc-foreign.XXXXXX)
OTHER=
trap '[ -z "$OTHER" ] || kill "$OTHER" 2>/dev/null; end_all; rm -f "$IMAGE"' EXIT
truncate -s 3G "$IMAGE"
LOOP=$(losetup -f --show --direct-io=on "$IMAGE") || { echo "no loop devices"; exit 77; }
LOOPS+=("$LOOP")
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$LOOP" || fail "mkfs.ext4 $LOOP"
mount "$LOOP" "$DRIVE" || fail "mount $LOOP"
MOUNTS+=("$DRIVE")

measured() {
    want 0 "$RUN" --drive "$DRIVE" --warehouses 1 --users 60 --set workload.factor=0.05 --duration 6s --sample 4s \
        --check none --results "$RESULTS"
    case $(figure io_write_mib_per_s) in '' | null) fail "not known what the server wrote" ;; esac
}

echo "alone on its drive"
measured
! grep -q '"code": "foreign"' "$(result_dir)/result.json" || fail "its own I/O is called another's"

echo "beside a program that moves 32 MiB/s"
fio --name=other --directory="$DRIVE" --size=64m --rw=rw --bs=64k --rate=16m,16m --direct=1 --time_based \
    --runtime=60 >"$SCRATCH/fio" 2>&1 &
OTHER=$!
for _ in $(seq 200); do [ ! -e "$DRIVE/other.0.0" ] || break; sleep 0.1; done
measured
kill "$OTHER"
wait "$OTHER"
OTHER=
grep -q '"code": "foreign"' "$(result_dir)/result.json" || fail "another's I/O is not noticed"
awk -v p="$(sed -n "s/.*others' I\/O at least \([0-9]*\) %.*/\1/p" "$OUT")" 'BEGIN { exit !(p >= 20 && p <= 99) }' ||
    fail "not its share"
