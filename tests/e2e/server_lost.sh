#!/bin/bash
# A backend is killed, then the whole server is stopped hard and comes back, in the middle of a run:
# the run ends on time, what was lost is in its classes, and the order counts agree.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

server_start
want 0 "$LOAD" --pg "$PG" --warehouses 1
begin --pg "$PG" --users 400 --sessions 8 --duration 24s --sample 20s --plain --results "$RESULTS"
wait_for "sample, " "$ERR"
began=$(date +%s)
kill -KILL "$(sql "select pid from pg_stat_activity where application_name = 'tpcc-run' and state <> 'idle'
    and pid <> pg_backend_pid() union all select max(pid) from pg_stat_activity
    where application_name = 'tpcc-run' limit 1" | head -n 1)"
sleep 6
as_postgres "$PGBIN/pg_ctl" -D "$SERVER/data" -m immediate stop >/dev/null
sleep 1
server_start
wait "$PID"
rc=$?
[ "$rc" -le 1 ] || fail "exit $rc"
took=$(($(date +%s) - began))
[ "$took" -le 60 ] || fail "ended after $took s"
says "errors"
# A backend that is killed makes PostgreSQL end all others and recover: that is one too.
[ "$(grep -c '"kind": "restart"' "$(result_dir)/result.json")" = 2 ] || fail "not two restarts are marked"
says "restarts   all sessions were lost at 0:00:"
grep -qF '<b class="mark">R</b>' "$(result_dir)/report.html" || fail "the page does not explain the restart's mark"
# It is watched again each time: figures on both sides of two gaps, no difference across one.
[ "$(grep -c "the server is watched again after" "$ERR")" = 2 ] || fail "not watched again"
column() { # NAME: that of the rows of the sample
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } $2 == "sample" { print $at }' \
        "$(result_dir)/series.csv"
}
column server.cache_hit_percent | awk '$1 == "" { if (had) gap = 1; next } { had = 1; if (gap) again++; if ($1 < 0 || $1 > 100) bad = 1 }
    END { exit !(again >= 3 && !bad) }' || fail "cache hits: $(column server.cache_hit_percent | tr '\n' ' ')"
column server.cpu_ms_per_transaction | awk '$1 != "" && $1 < 0 { exit 1 }' || fail "CPU: $(column server.cpu_ms_per_transaction | tr '\n' ' ')"
[ "$(figure page_reads)" = null ] || fail "what was counted before and after a restart is a sum"
lost=$(($(figure failed) + $(figure in_doubt)))
[ "$lost" -gt 0 ] || fail "nothing was lost"
grep -q '"orders_agree": true\|new_orders_in_database' "$(result_dir)/result.json" || fail "not counted"
! grep -q '"code": "orders"' "$(result_dir)/result.json" || fail "the order counts do not agree"
says "12 of 12 ok"
grep -q '"class": "\(lost\|in_doubt\)"' "$(result_dir)/result.json" || fail "no lost session is told"
