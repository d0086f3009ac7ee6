# A private MariaDB for a script: an unprivileged user's, its data and socket in the scratch folder or in
# MARIA_DRIVE, no port. Sourced after load_lib.bash and odbc_lib.bash, whose end_all and fail it uses.
MARIA=${MARIA_DRIVE:-$SCRATCH}/maria
MARIA_PID= MARIA_MADE=
command -v mariadbd >/dev/null || { echo "no MariaDB"; exit 77; }
odbc_driver maria libmaodbc.so
odbc_dsn maria Driver=maria "Socket=$MARIA/socket" Server=localhost User=root

maria_user() {
    if [ "$(id -u)" = 0 ]; then runuser -u mysql -- "$@"; else "$@"; fi
}

maria_sql() {
    mariadb --no-defaults --socket="$MARIA/socket" --user=root --batch --skip-column-names -e "$1" 2>"$SCRATCH/sql" ||
        { cat "$SCRATCH/sql"; return 1; }
}

# maria_start OPTION...: nobody pulls the plug here, so the log is not waited for. MARIA_DEFAULTS names a
# file of settings, of which those here and the options are stronger.
maria_start() {
    (cd "$MARIA" && exec setsid mariadbd "${MARIA_DEFAULTS:---no-defaults}" ${MARIA_AS[@]+"${MARIA_AS[@]}"} --datadir="$MARIA/data" \
        --socket="$MARIA/socket" --skip-networking --pid-file="$MARIA/pid" \
        --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=128M --max-allowed-packet=1M "$@" \
        >>"$MARIA/log" 2>&1) &
    MARIA_PID=$!
    for _ in $(seq 600); do
        maria_sql "select 1" >/dev/null && return
        sleep 0.1
    done
    cp "$MARIA/log" "$OUT"
    fail "MariaDB does not start"
}

maria_kill() {
    [ -n "$MARIA_PID" ] && kill -9 "$MARIA_PID" 2>/dev/null && wait "$MARIA_PID" 2>/dev/null
    MARIA_PID=
}

maria_new() {
    mkdir "$MARIA" || fail "mkdir $MARIA"
    MARIA_MADE=$MARIA
    MARIA_AS=()
    if [ "$(id -u)" = 0 ]; then
        chown mysql "$MARIA"
        MARIA_AS=(--user=mysql)
    fi
    maria_user mariadb-install-db --no-defaults --datadir="$MARIA/data" \
        --auth-root-authentication-method=normal --skip-test-db >"$OUT" 2>&1 || fail mariadb-install-db
    maria_start "$@"
}

# shellcheck disable=SC2317 # called by the trap
maria_end() {
    maria_kill
    [ -z "$MARIA_MADE" ] || rm -rf "$MARIA_MADE"
    end_all
}
trap maria_end EXIT
