# What the scripts about transactions share: a server with a loaded dataset and our procedures.
# shellcheck disable=SC1091
. "$ROOT/tests/integration/load_lib.bash"

CONNINFO="host=$SCRATCH user=tpcc dbname=tpcc"

# dataset WAREHOUSES
dataset() {
    server_new "$@"
    load 0 --warehouses "$WAREHOUSES"
    # Each block of the file is one statement.
    sed 's/^-- name:.*/;/' schema/postgresql/procedures.sql | "$PG/psql" -X -q -v ON_ERROR_STOP=1 \
        >"$OUT" 2>&1 || fail procedures
}

# run NAME=VALUE...: its figures are in $OUT, see figure.
run() {
    "$BIN/txn-driver" run schema/postgresql "$CONNINFO" warehouses="$WAREHOUSES" "$@" >"$OUT" 2>&1 ||
        fail "txn-driver run $*"
}

figure() {
    sed -n "s/^$1=//p" "$OUT"
}

# figure_is NAME VALUE
figure_is() {
    [ "$(figure "$1")" = "$2" ] || fail "$1 is $(figure "$1"), not $2"
}

# one WANTED ARGUMENT...: one transaction, the outcome begins with WANTED; its reply is $REPLY.
one() {
    local want=$1
    shift
    "$BIN/txn-driver" one schema/postgresql "$CONNINFO" "$@" >"$OUT" 2>&1
    [[ $(head -n 1 "$OUT") == "$want"* ]] || fail "not $want: $*"
    # shellcheck disable=SC2034 # the scripts read it
    REPLY=$(sed 1,2d "$OUT")
}

# equals WANTED QUERY
equals() {
    local got
    got=$(sql "$2") || fail "$2"
    [ "$got" = "$1" ] || fail "got \"$got\", wanted \"$1\": $2"
}

no_error_lines() {
    ! grep -E '(ERROR|FATAL|PANIC):' "$SCRATCH/pg/log" || fail "lines of errors in the server's log"
}

# All twelve conditions.
conditions_hold() {
    "$BIN/tpcc-check" --pg "$CONNINFO" >"$OUT" 2>&1 || fail "tpcc-check"
}
