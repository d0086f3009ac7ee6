#!/bin/bash
# 15,000 users at the standard's pace on a private MariaDB with the settings of config/mariadb.cnf (but
# for sizes): nothing is said against the result but its length or memory, and TPS is what the closed
# loop gives, users / (mean cycle + average response), within 0.5 % or four sigma. From the environment:
# DRIVE (a folder on the drive for the server; its neighbours' writes are seen as stalls), WAREHOUSES (20),
# USERS (15000), DURATION (8m), SAMPLE (4m), POOL (3G: all of the dataset is there from the load on; a
# smaller pool is still filling while the sample runs), LOG (1G: pages are flushed for its sake, as they
# are at any time later, before the sample begins).
# timeout: 2400
# shellcheck disable=SC1091,SC2034
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
MARIA_DRIVE=${DRIVE:-}
. "$ROOT/tests/integration/mariadb_lib.bash"
USERS=${USERS:-15000}
MARIA_DEFAULTS=--defaults-file=$ROOT/config/mariadb.cnf
maria_new --innodb-flush-log-at-trx-commit=1 --innodb-buffer-pool-size="${POOL:-3G}" \
    --innodb-log-file-size="${LOG:-1G}" --max-allowed-packet=16M

want 0 "$BIN/tpcc-load" --odbc DSN=maria --warehouses "${WAREHOUSES:-20}" --quiet --yes
"$BIN/tpcc-run" --odbc DSN=maria --users "$USERS" --workload tpcc --duration "${DURATION:-8m}" \
    --sample "${SAMPLE:-4m}" --plain --yes --results "$RESULTS" >"$OUT" 2>&1 </dev/null
[ -n "$(result_dir)" ] || fail "no result"
sed -n '/^verdict/,$p' "$OUT"
maria_sql "show global status where variable_name in ('innodb_deadlocks', 'innodb_row_lock_waits',
    'innodb_row_lock_time', 'innodb_row_lock_time_max', 'innodb_log_waits', 'innodb_buffer_pool_wait_free',
    'innodb_checkpoint_age', 'innodb_checkpoint_max_age', 'innodb_history_list_length')"
codes=$(sed -n 's/^ *"code": "\([a-z-]*\)".*/\1/p' "$(result_dir)/result.json" | sort -u | grep -vx 'short\|memory' | tr '\n' ' ')
[ -z "$codes" ] || fail "the result is spoilt: $codes"
sed -n 's/^closed-loop model .*difference \(-\{0,1\}[0-9.]*\) % (4 sigma \([0-9.]*\) %).*/\1 \2/p' "$OUT" >"$SCRATCH/model"
awk '{ off = $1 < 0 ? -$1 : $1; seen = off <= ($2 > 0.5 ? $2 : 0.5) } END { exit !seen }' "$SCRATCH/model" ||
    fail "TPS is not the model's"
