#!/bin/bash
# Three private servers on two drives of different speed, loaded at once by one process: an interrupt of
# the load, their figures and their sum, the reports on every screen. Then servers that run already, two
# by libpq and one by ODBC, beside a private one that is killed: the others end as planned.
# timeout: 120
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/page_lib.bash"
. "$(dirname "$0")/e2e_lib.bash"
. "$ROOT/tests/e2e/slow_drives.bash"
export ODBCSYSINI=$SCRATCH ODBCINI=$SCRATCH/odbc.ini ODBCINSTINI=odbcinst.ini
PSQLODBC=/usr/lib/$(uname -m)-linux-gnu/odbc/psqlodbcw.so
[ -e "$PSQLODBC" ] || { echo "no $PSQLODBC"; exit 77; }
need_root
need_slow_drives
need_chromium

# of TARGET COLUMN [DIR]: a figure of the CSV report, by default of the last result; "sum" is a target too.
of() {
    "$REPORT" --csv "${3:-$(result_dir)}" | awk -F, -v target="$1" -v column="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        $1 == target { print $at }'
}

# holds EXPRESSION: of numbers
holds() {
    awk "BEGIN { exit !($1) }"
}

fast_drive quick
new_drive slow delay-write=3ms
cat >"$SCRATCH/two.yaml" <<EOF
run: {users: 400, duration: 6s, sample: 3s, drain: 3s, check: quick, transport: statements}
load: {warehouses: 1}
targets:
  - {label: quick, drive: $SCRATCH/quick, sessions: 8}
  - {label: slow, drive: $SCRATCH/slow, sessions: 24, users: 300}
  - {label: beside, drive: $SCRATCH/quick/beside, sessions: 8}
EOF
mkdir "$SCRATCH/quick/beside"

echo "an interrupt while they are loaded"
begin --config "$SCRATCH/two.yaml" --results "$RESULTS"
wait_for "quick: dataset: loading" "$ERR"
wait_for "slow: dataset: loading" "$ERR"
kill -INT "$PID"
ended 130
all_quiet
says "interrupted before the run"

echo "all at once"
want 0 "$RUN" --config "$SCRATCH/two.yaml" --label 'an array' --results "$RESULTS"
all_quiet
says "3 of 3 targets at once"
says "quick: 8 sessions are open and warm; the run begins"
all=$(result_dir)
[ "$(find "$all" -name '*.partial' | wc -l)" = 0 ] || fail "something is partial"
says "${LOOP_OF[quick]#/dev/} by quick, beside"
holds "$(of quick response_avg_ms) * 2 < $(of slow response_avg_ms)" || fail "the slow drive is not the slower one"
holds "$(figure cpu_percent) > 0 && $(figure cpu_us_per_transaction) > 0" || fail "no cost"

echo "the sum is right: counts by the targets' own files, percentiles by the merged latency.csv"
sum=$(of sum transactions)
[ "$(for i in "$all"/targets/*/result.json; do sed -n 's/^ *"transactions": \([0-9]*\),/\1/p' "$i"; done | awk '{ n += $1 } END { print n }')" = "$sum" ] ||
    fail "transactions of the targets' results"
holds "$(of quick tps) + $(of slow tps) + $(of beside tps) - $(of sum tps) < 0.01" || fail "TPS"
holds "($(of sum write_mib_per_s) - $(of quick write_mib_per_s) - $(of slow write_mib_per_s)) ^ 2 < 0.001" ||
    fail "a device that two lie on does not count once"
! grep -q '"code": "foreign"' "$all"/targets/*/result.json || fail "another target's I/O is called a stranger's"
# rows DIR: count by transaction, kind and bucket
rows() {
    awk -F, 'FNR > 1 && $3 != "inf" { n[$1 "," $2 "," $3] += $4 } END { for (i in n) print i "," n[i] }' "$@" | sort
}
[ "$(rows "$all"/targets/*/latency.csv)" = "$(rows "$all/latency.csv")" ] || fail "the histograms do not add up"
for p in 50 95 99; do
    by_hand=$(awk -F, -v p=$p 'FNR > 1 && $2 == "response" && $3 != "inf" && $1 != "delivery_deferred" { n[$3] += $4; all += $4 }
        END { rank = all * p / 100; for (i in n) { u[++k] = i + 0 }
              for (a = 1; a <= k; a++) for (b = a + 1; b <= k; b++) if (u[b] < u[a]) { x = u[a]; u[a] = u[b]; u[b] = x }
              for (a = 1; a <= k; a++) { seen += n[u[a]]; if (seen >= rank) { print u[a] / 1000; exit } } }' "$all/latency.csv")
    holds "$(of sum response_p${p}_ms) / $by_hand > 0.999 && $(of sum response_p${p}_ms) / $by_hand < 1.001" ||
        fail "p$p is not $by_hand ms"
done

echo "the same from its directory; each target is a result; the plan can be run again"
cp "$OUT" "$SCRATCH/live.txt"
want 0 "$REPORT" "$all"
cmp "$OUT" "$SCRATCH/live.txt" || fail "tpcc-report says something else"
want 0 "$REPORT" --csv "$all"
[ "$(cut -d, -f1 "$OUT" | tr '\n' ' ')" = "target quick slow beside sum " ] || fail "CSV"
want 0 "$REPORT" --markdown "$all"
says "| sum |"
want 0 "$REPORT" --list "$RESULTS"
says "3 of 3 targets"
want 0 "$REPORT" "$all"/targets/*-slow
says "300 users on 24 sessions"
want 0 "$RUN" --config "$all/plan.yaml" --dry-run
says "target slow"
says "users       300, "
want 0 "$RUN" --config "$(echo "$all"/targets/*-slow)/plan.yaml" --dry-run
says "users       300, "

echo "its page"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$all"
cmp "$SCRATCH/page.html" "$all/report.html" || fail "another page from the directory"
add_probe
look_at_sizes

echo "refused"
sed "s|drive: $SCRATCH/slow|drive: $SCRATCH/quick/.|" "$SCRATCH/two.yaml" >"$SCRATCH/same.yaml"
want 2 "$RUN" --config "$SCRATCH/same.yaml"
one_line
says "targets quick and slow are the same directory"
want 2 "$LOAD" --config "$SCRATCH/two.yaml"
one_line
says "several at once are for tpcc-run"

echo "servers that run already, by libpq and by ODBC, beside a private one that is killed: they go on to their end"
server_start "fsync = off"
for i in two three; do as_postgres createdb -h "$SERVER" $i || fail "no database $i"; done
printf '[psql]\nDriver=%s\nThreading=0\n' "$PSQLODBC" >"$SCRATCH/odbcinst.ini"
printf '[three]\nDriver=psql\nServername=%s\nDatabase=three\nUsername=postgres\nProtocol=7.4-0\n' "$SERVER" >"$SCRATCH/odbc.ini"
cat >"$SCRATCH/four.yaml" <<EOF
run: {users: 100, sessions: 4, duration: 6s, sample: 3s, drain: 3s, check: quick, allow-unsafe: true}
load: {warehouses: 1}
targets:
  - {label: one, pg: "$PG"}
  - {label: two, pg: "host=$SERVER user=postgres dbname=two"}
  - {label: three, odbc: DSN=three}
  - {label: slow, drive: $SCRATCH/slow}
EOF
begin --config "$SCRATCH/four.yaml" --results "$RESULTS"
wait_for "sample, " "$ERR"
kill -KILL "$(head -n 1 "$SCRATCH/slow/tpcc-run/data/postmaster.pid")"
ended 1
says "3 of 4 targets, those whose sample is whole"
grep -q '"ended_by": "the loss of its server"' "$(result_dir)/result.json" || fail "not said what was lost"
[ "$(of slow verdict)" = invalid ] || fail "the lost one is $(of slow verdict)"
for i in one two three; do
    [ "$(of $i verdict)" != invalid ] || grep -q '"reasons": ".*late' "$(result_dir)/result.json" || fail "$i is invalid too"
    holds "$(of $i sample_s) > 2.9 && $(of $i sample_s) < 3.1" || fail "the sample of $i is cut"
    ! grep -q '"code": "orders"' "$(result_dir)"/targets/*-$i/result.json || fail "the orders of $i"
done
grep -q '"driver": "ODBC: psqlodbcw.so' "$(result_dir)"/targets/*-three/result.json || fail "three is not by ODBC"
holds "$(of sum transactions) == $(of one transactions) + $(of two transactions) + $(of three transactions)" || fail "the sum has the lost one"
as_postgres "$PGBIN/pg_ctl" -D "$SERVER/data" -m immediate stop >/dev/null
"$REPORT" "$all" "$(result_dir)" >"$SCRATCH/both" 2>&1
grep -q '6 results in 6 groups' "$SCRATCH/both" || fail "side by side: $(cat "$SCRATCH/both")"
grep -q '^ *an array/slow ' "$SCRATCH/both" || fail "no name: $(cat "$SCRATCH/both")"
all_quiet

echo "one that can't be reached: none begins"
want 3 "$RUN" --config "$SCRATCH/four.yaml" --results "$RESULTS"
one_line
says "target one: "
all_quiet
