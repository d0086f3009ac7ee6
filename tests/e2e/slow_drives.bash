# Sourced behind e2e_lib.bash: drives whose speed is known, loop devices on files in memory. A delay is
# nbdkit's, of each read or write; without one it is the memory's speed.
# shellcheck disable=SC2034,SC2153 # SCRATCH is the library's; LOOP_OF its users' too
RIG=$(mktemp -d /dev/shm/tpcc-drives.XXXXXX)
PIDS=() FUSES=()
declare -A LOOP_OF

end_rig() {
    local i
    end_all
    for i in "${FUSES[@]}"; do umount "$i" 2>/dev/null || umount -l "$i"; done
    for i in "${PIDS[@]}"; do kill "$i" 2>/dev/null; wait "$i" 2>/dev/null; done
    rm -rf "$RIG"
}
trap end_rig EXIT

# For new_drive.
need_slow_drives() {
    local program
    for program in nbdkit nbdfuse mkfs.ext4; do
        command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
    done
    [ -e /dev/fuse ] || { echo "no /dev/fuse"; exit 77; }
}

until_there() { # TEST FILE: 20 s at most
    local i
    for i in $(seq 200); do
        test "$1" "$2" && return
        sleep 0.1
    done
    fail "never there: $2"
}

# fast_drive NAME [SIZE]: mounted at $SCRATCH/NAME, without a delay
fast_drive() {
    mkdir "$RIG/$1"
    truncate -s "${2:-3G}" "$RIG/$1/image"
    put_drive "$1" "$RIG/$1/image"
}

put_drive() { # NAME FILE
    local loop
    loop=$(losetup -f --show --direct-io=on "$2" 2>/dev/null || losetup -f --show "$2") || fail "no loop device"
    LOOPS+=("$loop")
    LOOP_OF[$1]=$loop
    mkfs.ext4 -q "$loop" || fail "mkfs.ext4 $loop"
    mkdir -p "$SCRATCH/$1"
    mount "$loop" "$SCRATCH/$1" || fail "mount $loop"
    MOUNTS+=("$SCRATCH/$1")
}

# new_drive NAME DELAY...: mounted at $SCRATCH/NAME; DELAY as nbdkit's filter has it, delay-read=5ms.
new_drive() {
    local dir=$RIG/$1
    mkdir "$dir" "$dir/fuse"
    truncate -s 3G "$dir/image"
    nbdkit --foreground --unix "$dir/socket" --filter=delay file "$dir/image" "${@:2}" >"$dir/nbdkit.log" 2>&1 &
    PIDS+=($!)
    until_there -S "$dir/socket"
    nbdfuse "$dir/fuse/disk" --unix "$dir/socket" >"$dir/nbdfuse.log" 2>&1 &
    PIDS+=($!)
    FUSES+=("$dir/fuse")
    until_there -f "$dir/fuse/disk"
    put_drive "$1" "$dir/fuse/disk"
}
