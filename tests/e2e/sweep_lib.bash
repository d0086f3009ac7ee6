# Loop drives in memory, and drive-sweep run as a user would.
# shellcheck source=tests/e2e/e2e_lib.bash
. "$ROOT/tests/e2e/e2e_lib.bash"
# shellcheck disable=SC2034
SWEEP=$BIN/drive-sweep
IMAGES=()

end_sweep() {
    local i
    for i in "${!THROTTLED[@]}"; do
        echo "$i 0" >"$LIMIT.read_iops_device"
        echo "$i 0" >"$LIMIT.write_iops_device"
    done
    end_all
    rm -f "${IMAGES[@]}"
}
trap end_sweep EXIT

# loop_drive BYTES: a drive in memory that was written whole; it is $LOOP.
loop_drive() {
    local image
    image=$(mktemp /dev/shm/tpcc-sweep.XXXXXX)
    IMAGES+=("$image")
    head -c "$1" /dev/urandom >"$image"
    LOOP=$(losetup -f --show --direct-io=on "$image" 2>/dev/null || losetup -f --show "$image") ||
        { echo "no loop devices"; exit 77; }
    LOOPS+=("$LOOP")
}

# throttled LOOP IOPS: by the kernel (cgroup v1, the root group), in each direction.
LIMIT=/sys/fs/cgroup/blkio/blkio.throttle
declare -A THROTTLED
throttled() {
    local number
    [ -w "$LIMIT.read_iops_device" ] || { echo "no $LIMIT"; exit 77; }
    number=$(cat "/sys/block/${1#/dev/}/dev")
    THROTTLED[$number]=1
    echo "$number $2" >"$LIMIT.read_iops_device"
    echo "$number $2" >"$LIMIT.write_iops_device"
}

# ends PID: the process does, within 10 s (nobody may be there to take its exit code).
ends() {
    local i
    for i in $(seq 200); do
        grep -q '^State:	[^ZX]' "/proc/$1/status" 2>/dev/null || return 0
        sleep 0.05
    done
    fail "still running: $1"
}

# column DIR PROFILE NAME: the column of all points of a profile, one a line.
column() {
    awk -F, -v profile="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $2 == profile { print $at[name] }' "$1/points.csv"
}

# within PERCENT WANTED GOT
within() {
    awk -v p="$1" -v w="$2" -v g="$3" 'BEGIN { d = 100 * (g / w - 1); exit !(d <= p && d >= -p) }'
}
