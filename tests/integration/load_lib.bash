# What the scripts about loading share: a PostgreSQL of their own (a Unix socket in a scratch
# directory, no TCP), tpcc-load on it, and ways to kill either. All is ended by end_all.
set -u

# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"
PG=$PGBIN
SCRATCH=$(mktemp -d /tmp/tpcc-load.XXXXXX)
chmod 755 "$SCRATCH"
OUT=$SCRATCH/out # what the last program said
export PGHOST=$SCRATCH PGUSER=tpcc PGDATABASE=tpcc PGAPPNAME=test
LOADER=

as_user() {
    if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# shellcheck disable=SC2317 # called by the trap
end_all() {
    [ -z "$LOADER" ] || kill -9 "$LOADER" 2>/dev/null
    as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -m immediate stop >/dev/null 2>&1
    rm -rf "$SCRATCH"
}
trap end_all EXIT

fail() {
    echo "FAILED: $*"
    echo "--- the last program said:"
    tail -n 30 "$OUT"
    exit 1
}

# server_start OPTION...: with fsync off, since nobody pulls the plug here.
server_start() {
    as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -w -l "$SCRATCH/pg/log" -o "-c listen_addresses='' \
        -k $SCRATCH -c fsync=off -c max_wal_size=2GB $*" start >"$OUT" 2>&1 || fail "server start"
}

# shellcheck disable=SC2120 # options are rarely given
server_new() {
    mkdir "$SCRATCH/pg"
    [ "$(id -u)" != 0 ] || chown postgres "$SCRATCH" "$SCRATCH/pg"
    (cd / && as_user "$PG/initdb" -D "$SCRATCH/pg/data" -A trust -N -U tpcc --locale=C -E UTF8) \
        >"$OUT" 2>&1 || fail initdb
    server_start "$@"
    "$PG/createdb" tpcc || fail createdb
}

# Kills postmaster and children at once, and waits for their end.
server_kill() {
    local postmaster children pid
    postmaster=$(head -n 1 "$SCRATCH/pg/data/postmaster.pid") || fail "no postmaster"
    kill -STOP "$postmaster" # it must not see its children die
    children=$(pgrep -P "$postmaster")
    # shellcheck disable=SC2086 # a list
    kill -9 "$postmaster" $children
    for pid in $postmaster $children; do
        while kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
    done
}

sql() {
    "$PG/psql" -X -q -v ON_ERROR_STOP=1 -Atc "$1" 2>"$SCRATCH/sql" || { cat "$SCRATCH/sql"; return 1; }
}

LOAD=("$BIN/tpcc-load" --pg "host=$SCRATCH user=tpcc dbname=tpcc" --set load.time=2026-01-01T00:00:00Z
    --quiet)

# load EXIT OPTION...
load() {
    local want=$1 rc
    shift
    "${LOAD[@]}" "$@" >"$OUT" 2>&1 </dev/null
    rc=$?
    [ "$rc" = "$want" ] || fail "exit $rc instead of $want: $*"
}

# load_begin OPTION...: in the background, as $LOADER.
load_begin() {
    "${LOAD[@]}" "$@" >"$OUT" 2>&1 </dev/null &
    LOADER=$!
}

# load_end: waits for it; its exit code is in $RC.
load_end() {
    wait "$LOADER" 2>/dev/null
    # shellcheck disable=SC2034 # the scripts read it
    RC=$?
    LOADER=
}

# says TEXT
says() {
    grep -qF -- "$1" "$OUT" || fail "not said: $1"
}

# Units and steps that are noted as done.
noted() {
    sql "select count(*) from tpcc.load_progress" 2>/dev/null || echo 0
}

# reaches N: waits until so many are noted, or the loader has ended; false where it has.
reaches() {
    while kill -0 "$LOADER" 2>/dev/null; do
        [ "$(noted | tail -n 1)" -ge "$1" ] 2>/dev/null && return 0
    done
    return 1
}

checksum() {
    load 0 --checksum
    sed -n 's/^checksum  *//p' "$OUT"
}
