# What the end-to-end scripts share: a scratch folder, the programs run as a user would, and the end
# of every server that was started below the scratch.
set -u
# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"

RUN=$BIN/tpcc-run
LOAD=$BIN/tpcc-load
CHECK=$BIN/tpcc-check
REPORT=$BIN/tpcc-report
SCRATCH=$(mktemp -d /var/tmp/tpcc-e2e.XXXXXX)
chmod 755 "$SCRATCH"
DRIVE=$SCRATCH/drive
RESULTS=$SCRATCH/results
OUT=$SCRATCH/out
ERR=$SCRATCH/err
SERVER=$SCRATCH/server
# shellcheck source=tests/scratch.bash
. "$ROOT/tests/scratch.bash"
mkdir "$DRIVE"
cd "$SCRATCH" || exit 1

fail() {
    echo "FAILED: $*"
    echo "--- standard output:"
    tail -n 60 "$OUT"
    echo "--- standard error:"
    tail -n 60 "$ERR"
    exit 1
}

# late_only RC CODE: a run of a few seconds that should have ended with 0 and ended with 1, for no
# other reason than that this machine stalled for some ms: what it did is still what is looked at.
late_only() {
    local json
    json=$(result_dir)/result.json
    [ "$1/$2" = 1/0 ] && grep -q '"code": "late"' "$json" 2>/dev/null &&
        ! grep -qE '"code": "(condition|orders|errors|cut|unfinished|unsafe|device)"' "$json"
}

# want EXIT PROGRAM ARGUMENTS...: runs it; its output is in $OUT and $ERR.
want() {
    local code=$1 rc
    shift
    "$@" >"$OUT" 2>"$ERR" </dev/null
    rc=$?
    [ "$rc" = "$code" ] || late_only "$rc" "$code" || fail "exit $rc instead of $code: $*"
}

says() {
    cat "$OUT" "$ERR" | grep -qF -- "$1" || fail "not said: $1"
}

says_not() {
    ! cat "$OUT" "$ERR" | grep -qF -- "$1" || fail "said: $1"
}

# Exactly one line of error, in the program's name.
one_line() {
    [ "$(grep -c "^tpcc-[a-z]*: " "$ERR")" = 1 ] || fail "not one line of error"
}

result_dir() {
    sed -n '$s/^result: //p' "$OUT"
}

# figure KEY: the first value of that key in the last result.json.
figure() {
    sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$(result_dir)/result.json" | head -n 1
}

# wait_for TEXT FILE: until the text stands in the file, 60 s at most.
wait_for() {
    local i
    for i in $(seq 600); do
        grep -qF -- "$1" "$2" 2>/dev/null && return
        sleep 0.1
    done
    fail "never said: $1"
}

# begin ARGUMENTS...: tpcc-run in the background; its process id is $PID.
begin() {
    : >"$OUT"
    : >"$ERR"
    "$RUN" "$@" >"$OUT" 2>"$ERR" </dev/null &
    PID=$!
}

# ended EXIT: waits for it.
ended() {
    local rc
    wait "$PID"
    rc=$?
    [ "$rc" = "$1" ] || late_only "$rc" "$1" || fail "exit $rc instead of $1"
}

all_quiet() {
    [ -z "$(servers)" ] || fail "still running: $(servers)"
}

# A server that is not the program's: a database tpcc in $SERVER, socket only, user postgres.
as_postgres() {
    runuser -u postgres -- "$@"
}

server_start() {
    if [ ! -d "$SERVER" ]; then
        mkdir "$SERVER" && chown postgres "$SERVER"
        as_postgres "$PGBIN/initdb" -D "$SERVER/data" -A trust -N >/dev/null || exit 1
        echo "listen_addresses = ''
unix_socket_directories = '$SERVER'
$*" >>"$SERVER/data/postgresql.conf"
        as_postgres "$PGBIN/pg_ctl" -D "$SERVER/data" -l "$SERVER/log" -w start >/dev/null || exit 1
        as_postgres createdb -h "$SERVER" tpcc || exit 1
    else
        as_postgres "$PGBIN/pg_ctl" -D "$SERVER/data" -l "$SERVER/log" -w start >/dev/null || exit 1
    fi
}

sql() {
    as_postgres psql -h "$SERVER" -d tpcc -XAtqc "$1"
}
PG="host=$SERVER user=postgres dbname=tpcc"
