# What the scripts about the private server share: a scratch drive, the driver, and checks of what
# it says. All servers that are started live under $DRIVE and are ended by end_all.
set -u

DRIVER=$BIN/cluster-driver
SCRATCH=$(mktemp -d /tmp/tpcc-cluster.XXXXXX)
chmod 755 "$SCRATCH"
DRIVE=$SCRATCH/drive
HERE=$DRIVE/tpcc-run
OUT=$SCRATCH/out
mkdir "$DRIVE"
# shellcheck source=tests/scratch.bash
. "$ROOT/tests/scratch.bash"

fail() {
    echo "FAILED: $*"
    echo "--- the driver said:"
    cat "$OUT"
    exit 1
}

# drive EXIT WORDS...: runs the driver on $DRIVE; its output is in $OUT.
drive() {
    local want=$1 rc
    shift
    "$DRIVER" "$DRIVE" conf="$ROOT/config/postgresql.conf" "$@" >"$OUT" 2>&1 </dev/null
    rc=$?
    [ "$rc" = "$want" ] || fail "exit $rc instead of $want: $*"
}

# says TEXT: the driver said it (a fixed text).
says() {
    grep -qF -- "$1" "$OUT" || fail "not said: $1"
}

says_not() {
    ! grep -qF -- "$1" "$OUT" || fail "said: $1"
}

# In the background, until a line comes to fd 3; waits until it says "waiting".
drive_waiting() {
    local i
    rm -f "$SCRATCH/in"
    mkfifo "$SCRATCH/in"
    "$DRIVER" "$DRIVE" conf="$ROOT/config/postgresql.conf" "$@" >"$OUT" 2>&1 <"$SCRATCH/in" &
    DRIVER_PID=$!
    exec 3>"$SCRATCH/in"
    for i in $(seq 300); do
        grep -q '^waiting' "$OUT" && return
        kill -0 "$DRIVER_PID" 2>/dev/null || fail "ended before it waited"
        sleep 0.1
    done
    fail "never waited"
}

go_on() {
    echo >&3
    exec 3>&-
    wait "$DRIVER_PID" || fail "exit $? of the waiting driver"
}

kill_driver() {
    kill -KILL "$DRIVER_PID"
    wait "$DRIVER_PID" 2>/dev/null
    exec 3>&-
}

postmaster() {
    head -n 1 "$HERE/data/postmaster.pid"
}

# Nothing of ours is left running, and no directory of a socket.
all_quiet() {
    [ -z "$(servers)" ] || fail "still running: $(servers)"
    [ -z "$(sockets)" ] || fail "left: $(sockets)"
}

# small_drive MB: $DRIVE becomes an ext4 file system of that size on a loop device.
small_drive() {
    truncate -s "$1M" "$SCRATCH/image"
    mkfs.ext4 -q -m 0 "$SCRATCH/image" || fail mkfs
    LOOP=$(losetup -f --show "$SCRATCH/image") || { echo "no loop devices"; exit 77; }
    LOOPS=("$LOOP")
    mount "$LOOP" "$DRIVE" || fail mount
    MOUNTS=("$DRIVE")
}
