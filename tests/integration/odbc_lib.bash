# What the scripts about ODBC share: drivers that nobody had to install into the machine (own
# odbcinst.ini and odbc.ini), and the programs run on one.
ODBC_DRIVERS=/usr/lib/$(uname -m)-linux-gnu/odbc
ETC=$SCRATCH/etc
# shellcheck disable=SC2034 # the scripts read it
RESULTS=$SCRATCH/results
mkdir "$ETC"
export ODBCSYSINI=$ETC ODBCINI=$ETC/odbc.ini ODBCINSTINI=odbcinst.ini

# odbc_driver NAME FILE: an entry in odbcinst.ini.
odbc_driver() {
    [ -e "$ODBC_DRIVERS/$2" ] || { echo "no ODBC driver $2"; exit 77; }
    printf '[%s]\nDriver=%s\nThreading=0\n\n' "$1" "$ODBC_DRIVERS/$2" >>"$ETC/odbcinst.ini"
}

# odbc_limited NAME FILE: as above, of a driver that takes no arrays of parameters, else as FILE's.
odbc_limited() {
    "${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -Wall -Wextra -Werror "$ROOT/tests/integration/odbc_limited.c" \
        -o "$ETC/$1.so" -Wl,--no-as-needed "$ODBC_DRIVERS/$2" -Wl,-rpath,"$ODBC_DRIVERS" -ldl >"$OUT" 2>&1 || fail "a driver is not built"
    printf '[%s]\nDriver=%s\nThreading=0\n\n' "$1" "$ETC/$1.so" >>"$ETC/odbcinst.ini"
}

# odbc_dsn NAME LINE...: an entry in odbc.ini.
odbc_dsn() {
    printf '[%s]\n' "$1" >>"$ETC/odbc.ini"
    shift
    printf '%s\n' "$@" '' >>"$ETC/odbc.ini"
}

# want EXIT PROGRAM ARGUMENTS...: what it says is in $OUT.
want() {
    local code=$1 rc
    shift
    "$@" >"$OUT" 2>&1 </dev/null
    rc=$?
    [ "$rc" = "$code" ] || fail "exit $rc instead of $code: $*"
}

# begin COMMAND...: in the background, as $PID.
begin() {
    : >"$OUT"
    "$@" >"$OUT" 2>&1 </dev/null &
    # shellcheck disable=SC2034 # the scripts read it
    PID=$!
}

result_dir() {
    sed -n 's/^result: //p' "$OUT" | tail -n 1
}

# figure KEY: the first value of that key in the last result.json.
figure() {
    sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$(result_dir)/result.json" | head -n 1
}

# wait_for TEXT: until the program has said it, 60 s at most.
wait_for() {
    for _ in $(seq 600); do
        grep -qF -- "$1" "$OUT" && return
        sleep 0.1
    done
    fail "never said: $1"
}

# orders_agree: the counts of the driver and of the database, after the run in $OUT.
orders_agree() {
    ! grep -q '"code": "\(orders\|accounting\)"' "$(result_dir)/result.json" || fail "orders or accounting"
    says "12 of 12 ok"
}
