# What the benches share: a PostgreSQL of their own (user tpcc, a Unix socket in a scratch directory, no
# TCP), ended with all that belongs to it. SCRATCH_PARENT (/var/tmp) tells where it lies.
# shellcheck disable=SC2034 # its users read them
set -u

# shellcheck source=tests/postgres.bash
. "$ROOT/tests/postgres.bash"
PG=$PGBIN
[ "$(id -u)" = 0 ] || { echo "needs root, to run servers as another user"; exit 77; }
SCRATCH=$(mktemp -d "${SCRATCH_PARENT:-/var/tmp}/tpcc-bench.XXXXXX")
chmod 755 "$SCRATCH"
OUT=$SCRATCH/out # what the last program said
export PGHOST=$SCRATCH PGUSER=tpcc
CONNINFO="host=$SCRATCH user=tpcc dbname=tpcc"

as_user() { (cd / && runuser -u postgres -- "$@"); }

# shellcheck disable=SC2317 # called by the trap
end_all() {
    as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -m immediate stop >/dev/null 2>&1
    rm -rf "$SCRATCH"
}
trap end_all EXIT

fail() {
    echo "FAILED: $*"
    cat "$OUT"
    exit 1
}

# server_new LOCALE OPTION...: with a database tpcc.
server_new() {
    mkdir "$SCRATCH/pg"
    chown postgres "$SCRATCH" "$SCRATCH/pg"
    as_user "$PG/initdb" -D "$SCRATCH/pg/data" -A trust -U tpcc --locale="$1" -E UTF8 >"$OUT" 2>&1 || fail initdb
    as_user "$PG/pg_ctl" -D "$SCRATCH/pg/data" -w -l "$SCRATCH/pg/log" \
        -o "-c listen_addresses='' -k $SCRATCH ${*:2}" start >"$OUT" 2>&1 || fail "server start"
    "$PG/createdb" tpcc || fail createdb
}

postmaster() { head -n 1 "$SCRATCH/pg/data/postmaster.pid"; }

# Of the numbers on its input, one a line.
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
