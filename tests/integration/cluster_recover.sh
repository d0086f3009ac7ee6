#!/bin/bash
# Recovery after a crash: waited for with progress, within a bound, and left when the user asks.
# timeout: 120
# shellcheck disable=SC1091,SC2034,SC2153
. "$(dirname "$0")/cluster_lib.bash"
need_root

echo "a crash with some WAL behind the last checkpoint"
drive_waiting open wal_mib=4096 buffer_mib=256 start \
    "sql=create table r (a int, b text)" \
    "sql=insert into r select i, repeat('x', 200) from generate_series(1, 1500000) i" \
    "sql=update r set a = a + 1 where a <= 700000" wait
kill -KILL "$(postmaster)"
kill_driver
wal=$(du -sm "$HERE/data/pg_wal" | cut -f1)
[ "$wal" -gt 300 ] || fail "only $wal MB of WAL"

echo "a bound that is too short: told, nothing is left running"
drive 3 wal_mib=4096 recovery_ms=10 open start
says "the private server did not recover within 10ms: give it more with server.recovery-timeout"
all_quiet

echo "the user asks to stop: left at once, nothing is left running"
drive 130 wal_mib=4096 open stop_after_ms=300 start
says "interrupted while the private server started"
all_quiet

echo "with time: recovered, and told how far it is"
drive 0 wal_mib=4096 open start "sql=select count(*), sum(a) from r" stop
says "row 1500000"
says "the private server was not stopped cleanly: recovering"
awk '$1 == "progress" && $2 == "recovery" { n++; if ($3 > $4 && $4 > 0) bad = 1; if ($4 > 0) known = 1; if ($3 < last) bad = 1; last = $3 }
    END { exit !(n > 0 && known && !bad && last > 0) }' "$OUT" || fail "progress of the recovery"
all_quiet
