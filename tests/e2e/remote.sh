#!/bin/bash
# Counters of another host: a run whose drive is read over ssh from an sshd of this machine. The
# connection is cut in the sample: a gap and a reason, not an end.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root
[ -e /dev/loop-control ] || { echo "no loop devices here"; exit 77; }
skip() {
    echo "$*"
    exit 77
}
# shellcheck source=tests/sshd.bash
. "$ROOT/tests/sshd.bash"
trap 'sshd_end; end_all' EXIT
sshd_begin "$SCRATCH/ssh"

truncate -s 1G "$SCRATCH/image"
mkfs.ext4 -q -m 0 "$SCRATCH/image"
loop=$(losetup -f --show "$SCRATCH/image") || skip "no loop devices"
LOOPS+=("$loop")
mkdir "$SCRATCH/data" "$SERVER"
mount "$loop" "$SCRATCH/data" || fail mount
MOUNTS+=("$SCRATCH/data")
mkdir "$SCRATCH/data/db"
chown postgres "$SERVER" "$SCRATCH/data/db"
chmod 755 "$SCRATCH/data"
chmod 700 "$SCRATCH/data/db"
loop=${loop#/dev/}
device=testhost:$loop
as_postgres "$PGBIN/initdb" -D "$SCRATCH/data/db" -A trust -N >"$OUT" || fail initdb
echo "listen_addresses = ''
unix_socket_directories = '$SERVER'" >>"$SCRATCH/data/db/postgresql.conf"
as_postgres "$PGBIN/pg_ctl" -D "$SCRATCH/data/db" -l "$SERVER/log" -w start >"$OUT" || fail start
as_postgres createdb -h "$SERVER" tpcc
want 0 "$LOAD" --pg "$PG" --warehouses 1

echo "a device that is not there, and a host that does not answer"
want 3 "$RUN" --pg "$PG" --users 10 --duration 6s --dry-run --device testhost:nosuch
one_line
says "--device testhost:nosuch: no block device \"nosuch\" in /sys/class/block"
want 3 "$RUN" --pg "$PG" --users 10 --duration 6s --dry-run --device nosuch.invalid:sda
one_line
says "--device nosuch.invalid:sda: ssh nosuch.invalid: Could not resolve hostname nosuch.invalid"

echo "a run whose connection is cut in its sample"
# written: bytes so far, from the kernel.
written() {
    echo $(($(awk '{ print $7 }' "/sys/block/$loop/stat") * 512))
}
sql checkpoint
sync
before=$(written)
"$RUN" --pg "$PG" --device "$device" --users 100 --duration 10s --sample 8s --check none \
    --results "$RESULTS" >"$OUT" 2>"$ERR" </dev/null &
run_pid=$!
wait_for "sample," "$ERR"
sshd_cut
wait "$run_pid"
rc=$?
after=$(written)
[ "$rc" = 0 ] || late_only "$rc" 0 || fail "exit $rc"
json=$(result_dir)/result.json
[ -z "$(pgrep -P "$SSHD_PID")" ] || fail "a session is left there"

says "asking testhost by ssh about its devices"
says "testhost does not answer: a gap in its devices' counters"
says "testhost answers again"
grep -q "\"name\": \"$device\"" "$json" || fail "the device's name"
[ "$(figure host)" = testhost ] || [ "$(sed -n '/"remotes"/,/]/s/.*"host": "\(.*\)",/\1/p' "$json")" = testhost ] ||
    fail "the host's name"
[ "$(figure losses)" = 1 ] || fail "lost $(figure losses) times"
[ "$(figure device_lost)" = 0 ] || fail "a silent host's device is not lost"
grep -q '"code": "gaps"' "$json" || fail "no reason"
tr -s '\n ' ' ' <"$OUT" >"$SCRATCH/text"
for what in "the connection to testhost was lost at" "by ssh testhost: " "lost once, last at"; do
    grep -qF "$what" "$SCRATCH/text" || fail "not in the report: $what"
done
awk -v answered="$(figure answered)" -v asked="$(figure asked)" -v missing="$(figure devices_missing_percent)" \
    -v offset="$(figure clock_ahead_ms)" -v error="$(figure clock_error_ms)" -v reading="$(figure reading_error_ms)" '
    BEGIN { off = offset < 0 ? -offset : offset
            exit !(answered >= 4 && answered < asked && missing > 0 && missing < 100 &&
                   off <= error + 0.01 && reading >= 0 && reading < 130) }' || fail "the host's figures"
# What was written in the gap is in it; what came before the first reading and after the last is not.
awk -v got="$(figure bytes_written)" -v kernel=$((after - before)) \
    'BEGIN { exit !(got > kernel * 0.3 && got <= kernel) }' ||
    fail "$(figure bytes_written) bytes written, the kernel counted $((after - before))"
awk -F , -v name="$device.writes_per_s" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
    NR > 1 && column { $column == "" ? empty++ : figures++ }
    END { exit !(column && empty >= 2 && figures >= 3) }' "$(result_dir)/series.csv" || fail "series.csv"
grep -q "Read by ssh on testhost: " "$(result_dir)/report.html" || fail "the page"
"$REPORT" "$(result_dir)" >"$SCRATCH/again" || fail "tpcc-report"
grep -qF "$device" "$SCRATCH/again" || fail "read back"
"$REPORT" --markdown "$(result_dir)" | grep -q "^Read by ssh on testhost: " || fail "markdown"
as_postgres "$PGBIN/pg_ctl" -D "$SCRATCH/data/db" -m fast -w stop >"$OUT"
