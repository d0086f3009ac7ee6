#!/bin/bash
# The memory limit of the private server in this machine's real control groups: made before the
# postmaster runs, held, counted, removed; after crashes, by two at once, without the right to it.
# timeout: 120
# alone: it looks at what the whole machine caches
# shellcheck disable=SC1091,SC2034,SC2153
. "$(dirname "$0")/cluster_lib.bash"
need_root

# The scratch of the others is in /tmp, which may be memory itself.
DISK=$(mktemp -d /var/tmp/tpcc-cluster.XXXXXX)
end_disk() {
    local link
    end_all
    for link in /proc/[0-9]*/cwd; do
        case $(readlink "$link" 2>/dev/null) in "$DISK"/*) kill -KILL "$(basename "$(dirname "$link")")" ;; esac
    done
    rm -rf "$DISK"
}
trap end_disk EXIT
chmod 755 "$DISK"
DRIVE=$DISK HERE=$DRIVE/tpcc-run SCRATCH_DRIVES=$DISK
drive 0 expect
grep -q '^expect none' "$OUT" && { echo "no memory group here: $(sed -n 's/^expect none //p' "$OUT")"; exit 77; }
HOW=$(sed -n 's/^expect //p' "$OUT" | sed 's/ *$//')

# group PID: the directory of the process's memory group.
group() {
    cat "$HERE/memory-group"
}

limit_of() {
    cat "$1/memory.max" "$1/memory.limit_in_bytes" 2>/dev/null | head -n 1
}

echo "the postmaster and its sessions are in a group with the limit, without swap ($HOW)"
drive_waiting open memory_mib=200 buffer_mib=16 start memory wait stop memory
says "memory limit=209715200 how=$HOW why=- kills=0 cached=-1"
g=$(group)
[ "$(limit_of "$g")" = 209715200 ] || fail "limit: $(limit_of "$g")"
while read -r pid; do readlink "/proc/$pid/cwd"; done <"$g/cgroup.procs" | grep -qx "$HERE/data" ||
    fail "the server is not in $g"
grep -qx "$(postmaster)" "$g/cgroup.procs" || fail "the postmaster is not in $g"
[ "$(wc -l <"$g/cgroup.procs")" -ge 5 ] || fail "its processes are not in $g"
[ ! -e "$g/memory.swap.max" ] || [ "$(cat "$g/memory.swap.max")" = 0 ] || fail "swap"
[ ! -e "$g/memory.memsw.limit_in_bytes" ] ||
    [ "$(cat "$g/memory.memsw.limit_in_bytes")" = 209715200 ] || fail "swap"
go_on
[ ! -d "$g" ] || fail "the group is left"
[ ! -e "$HERE/memory-group" ] || fail "the note is left"

echo "page cache counts: far more than the limit is written and read, nothing is ended"
drive 0 open memory_mib=200 buffer_mib=16 start \
    "sql=create table t as select i, repeat('x', 1000) as x from generate_series(1, 250000) i" \
    "sql=select sum(length(x)) from t" memory stop
says "row 250000000"
says "how=$HOW why=- kills=0"

echo "for a measured run nothing of its files is cached, and a kept server is started anew"
drive 0 open memory_mib=200 buffer_mib=16 start "sql=select count(*) from t" keep
pid=$(postmaster)
[ -d "$(group)" ] || fail "the group of a kept server is gone"
drive 0 open memory_mib=200 buffer_mib=16 start memory
[ "$(postmaster)" = "$pid" ] || fail "started anew without need"
says "memory limit=209715200 how=$HOW"
drive 0 open memory_mib=200 buffer_mib=16 fresh start memory stop
says "is started anew for the run"
cached=$(sed -n 's/^memory .* cached=//p' "$OUT")
if [ "$cached" -lt 0 ] || [ "$cached" -ge 4000000 ]; then fail "cached: $cached"; fi

echo "too small: the kernel ends a session, and that is the reason given"
drive 3 open memory_mib=100 buffer_mib=16 start memory "sql=select length(repeat('x', 200000000))" memory
says "the memory limit of 105 MB was too small, the kernel ended 1 process of the server"
# PostgreSQL 15 asked to stop in the middle of its own restart may never do it.
for _ in $(seq 100); do
    tail -n 1 "$HERE/cluster.log" | grep -q 'ready to accept connections' && break
    sleep 0.1
done
drive 0 open memory_mib=100 buffer_mib=16 start memory stop
says "kills=0"

echo "program and server are killed: the group is left, and removed by the next"
drive_waiting open memory_mib=200 buffer_mib=16 start wait
g=$(group)
pids=$(cat "$g/cgroup.procs")
kill_driver
# shellcheck disable=SC2086
kill -KILL $pids
for _ in $(seq 100); do [ -z "$(cat "$g/cgroup.procs" 2>/dev/null)" ] && break; sleep 0.1; done
[ "$HOW" = systemd ] || [ -d "$g" ] || fail "nothing was left: the test is none"
drive 0 open buffer_mib=16 start memory stop
says "memory limit=0 how=- why=- kills=-1"
[ ! -d "$g" ] || fail "the group is left"
[ ! -e "$HERE/memory-group" ] || fail "the note is left"

echo "our own death only: the orphan is stopped, its group removed"
drive_waiting open memory_mib=200 buffer_mib=16 start wait
g=$(group)
kill_driver
drive 0 open
says "was still running"
[ ! -d "$g" ] || fail "the group is left"

echo "two at once have a group each"
drive_waiting open memory_mib=200 buffer_mib=16 start wait stop
g=$(group)
mkdir "$DISK/second"
chmod 755 "$DISK/second"
"$DRIVER" "$DISK/second" conf="$ROOT/config/postgresql.conf" open memory_mib=300 buffer_mib=16 start memory keep \
    >"$SCRATCH/second" 2>&1 || { cat "$SCRATCH/second"; fail "the second"; }
grep -q "limit=314572800 how=$HOW" "$SCRATCH/second" || fail "the second is not limited"
second=$(cat "$DISK/second/tpcc-run/memory-group")
[ "$second" != "$g" ] || fail "one group for both"
[ "$(limit_of "$g")" = 209715200 ] || fail "the first one's limit has changed"
"$DRIVER" "$DISK/second" conf="$ROOT/config/postgresql.conf" open-for-removal remove >"$SCRATCH/second" 2>&1 ||
    fail "removal"
[ ! -d "$second" ] || fail "the removed one's group is left"
[ -d "$g" ] || fail "the other's group went with it"
go_on

echo "as an ordinary user: it goes on without, and says why"
mkdir "$DISK/his"
chown postgres "$DISK/his"
cp "$DRIVER" "$ROOT/config/postgresql.conf" "$DISK/"
runuser -u postgres -- "$DISK/cluster-driver" "$DISK/his" conf="$DISK/postgresql.conf" \
    open memory_mib=200 buffer_mib=16 fresh start memory stop >"$OUT" 2>&1 || fail "ordinary user"
if ! grep -q 'how=systemd' "$OUT"; then
    says "the server's memory is not limited to 210 MB: "
    says "memory limit=0 how=- why=no"
fi
cached=$(sed -n 's/^memory .* cached=//p' "$OUT")
if [ "$cached" -lt 0 ] || [ "$cached" -ge 4000000 ]; then fail "his files are cached: $cached"; fi
