# For the scripts of this folder: running run-driver and looking at what it printed.
# shellcheck shell=bash
set -u

SCRATCH=$(mktemp -d /tmp/tpcc-perf.XXXXXX)
# shellcheck disable=SC2317 # called by the trap
perf_end() {
    if [ -n "${DRIVER_PID:-}" ]; then kill -KILL "$DRIVER_PID" 2>/dev/null; fi
    rm -rf "$SCRATCH"
}
trap perf_end EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

# run NAME KEY=VALUE...: a run on the null backend to its end.
run() {
    local name=$1
    shift
    "$BIN/run-driver" "$@" >"$SCRATCH/$name" 2>"$SCRATCH/$name.err" ||
        { cat "$SCRATCH/$name.err"; fail "run-driver $*"; }
}

# run_for SECONDS NAME KEY=VALUE...: as run, interrupted after so many seconds.
run_for() {
    local seconds=$1 name=$2
    shift 2
    "$BIN/run-driver" "$@" >"$SCRATCH/$name" 2>"$SCRATCH/$name.err" &
    DRIVER_PID=$!
    sleep "$seconds" # the length of the measurement, not a wait for something
    kill -INT "$DRIVER_PID"
    wait "$DRIVER_PID" || { cat "$SCRATCH/$name.err"; fail "run-driver $*"; }
    DRIVER_PID=
}

# figure NAME KEY
figure() {
    awk -v key="$2" '$1 == key { print $2 }' "$SCRATCH/$1"
}

# calc EXPRESSION: awk's arithmetic.
calc() {
    awk "BEGIN { printf \"%.4f\", $1 }"
}

# holds EXPRESSION
holds() {
    awk "BEGIN { exit !($1) }"
}
