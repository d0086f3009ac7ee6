# Sourced by the libraries of scripts that let programs make private servers below $SCRATCH: what is
# left of them, and the end of it all.
# shellcheck disable=SC2153 # SCRATCH is the library's
MOUNTS=() LOOPS=()

need_root() {
    [ "$(id -u)" = 0 ] || { echo "needs root, to run the server as another user"; exit 77; }
}

# servers: the processes that live in any directory below the scratch.
servers() {
    local link cwd
    for link in /proc/[0-9]*/cwd; do
        cwd=$(readlink "$link" 2>/dev/null) || continue
        case $cwd in "$SCRATCH"/*) basename "$(dirname "$link")" ;; esac
    done
}

# The directories of sockets that a server of ours has had and that are still there.
sockets() {
    local dir
    sed -n 's/.*listening on Unix socket "\(.*\)\/.s.PGSQL.*/\1/p' \
        "$SCRATCH"/*/tpcc-run/cluster.log* 2>/dev/null | sort -u |
        while read -r dir; do [ ! -e "$dir" ] || echo "$dir"; done
}

end_all() {
    local pid i
    cd /
    for pid in $(servers); do kill -QUIT "$pid" 2>/dev/null; done
    for i in $(seq 100); do [ -z "$(servers)" ] && break; sleep 0.1; done
    for pid in $(servers); do kill -KILL "$pid" 2>/dev/null; done
    for i in $(sockets); do rm -rf "$i"; done
    for i in "${MOUNTS[@]}"; do umount "$i"; done
    for i in "${LOOPS[@]}"; do losetup -d "$i"; done
    rm -rf "$SCRATCH"
}
trap end_all EXIT
