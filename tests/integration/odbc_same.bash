# The same dataset and the same inputs, one after the other, on more than one database: equal tables
# before and after 1,500 transactions. Sourced after load_lib.bash and odbc_lib.bash.
# shellcheck shell=bash
WORK=(warehouses=1 sessions=1 count=1500 seed=5 rollback_ppm=100000 stamp=1770000000000000)
ROWS=(--warehouses 1 --set load.time=2026-01-01T00:00:00Z --checksum --quiet --yes --rebuild)
LIBPQ=(--pg "host=$SCRATCH user=tpcc dbname=tpcc" "host=$SCRATCH user=tpcc dbname=tpcc" schema/postgresql)

# same NAME WAY OPTION CONNSTR DRIVER_CONNSTR DIALECT
same() {
    local way=() dialect=()
    [ "$2" = procedures ] || way=(env TXN_WAY="$2")
    set -- "$1-$2" "${@:3}"
    [ "$2" = --pg ] || dialect=(--dialect "$5")
    want 0 "$BIN/tpcc-load" "$2" "$3" "${dialect[@]}" "${ROWS[@]}"
    grep '^checksum' "$OUT" >"$SCRATCH/$1.loaded"
    want 0 "$BIN/txn-driver" procedures "$5" "$4"
    want 0 "${way[@]}" "$BIN/txn-driver" run "$5" "$4" "${WORK[@]}"
    grep -q '^done=1500$' "$OUT" || fail "$1: not all are done"
    grep -v '^\(tps\|driver_us\)=' "$OUT" >"$SCRATCH/$1.figures"
    echo "$1: $(sed -n 's/^tps=//p' "$OUT") TPS in one session, $(sed -n 's/^driver_us=//p' "$OUT") us of CPU each"
    want 0 "$BIN/tpcc-load" "$2" "$3" --checksum --quiet
    grep '^checksum' "$OUT" >"$SCRATCH/$1.after"
    want 0 "$BIN/tpcc-check" "$2" "$3"
    says "12 of 12 conditions hold"
}

# like_libpq NAME-WAY...: as libpq's procedures left it.
like_libpq() {
    local first=$SCRATCH/libpq-procedures other what
    [ "$(wc -l <"$first.after")" = 10 ] || fail "no checksums"
    ! cmp -s "$first.loaded" "$first.after" || fail "nothing was changed"
    for other; do
        for what in loaded figures after; do
            diff "$first.$what" "$SCRATCH/$other.$what" >"$OUT" || fail "$other, $what: not as through libpq"
        done
    done
}

# given_same FOLDER VARIABLE: on a server that the connection string in VARIABLE leads to.
given_same() {
    same libpq procedures "${LIBPQ[@]}"
    same given procedures --odbc "env:$2" "odbc:${!2}" "schema/$1"
    same given statements --odbc "env:$2" "odbc:${!2}" "schema/$1"
    like_libpq given-procedures given-statements
}

# given_run VARIABLE OPTION...: a minute with users there, both ways.
given_run() {
    local way
    for way in procedures statements; do
        want 0 "$BIN/tpcc-run" --odbc "env:$1" --users 40 --sessions 8 --duration 60s --sample 40s \
            --transport "$way" --plain --yes --results "$RESULTS" "${@:2}"
        orders_agree
        [ "$(figure failed)" = 0 ] || fail "failed: $(figure failed)"
        echo "a minute with users by $way: $(figure committed) committed, $(figure retries) retries"
    done
}
