#!/bin/bash
# SQL Server's driver (FreeTDS) without a server: nobody listens, who listens hangs up, speaks something
# else, refuses the login, is lost in the middle: one line, exit 3, no secret, and no waiting.
# shellcheck disable=SC1091
. "$ROOT/tests/integration/load_lib.bash"
. "$ROOT/tests/integration/odbc_lib.bash"
odbc_driver tds libtdsodbc.so

# refused TEXT PORT
refused() {
    local began=$SECONDS
    want 3 "$BIN/tpcc-check" --odbc "Driver=tds;Server=127.0.0.1;Port=$2;TDS_Version=7.4;UID=a;PWD=geheim"
    says "$1"
    [ "$(wc -l <"$OUT")" = 1 ] || fail "more than one line"
    ! grep -q geheim "$OUT" || fail "a secret"
    [ $((SECONDS - began)) -le 10 ] || fail "it took $((SECONDS - began)) s"
}

# at MODE TEXT: of a server that tds_server.pl plays; it ends with the pipe to it.
at() {
    rm -f "$SCRATCH/port"
    exec 5> >(exec perl "$ROOT/tests/integration/tds_server.pl" "$SCRATCH/port" "$1")
    for _ in $(seq 100); do
        [ -e "$SCRATCH/port" ] && break
        sleep 0.1
    done
    refused "$2" "$(cat "$SCRATCH/port")"
    exec 5>&-
}

refused "connecting through ODBC: Unable to connect" 1
at hangup "connecting through ODBC: Unable to connect"
at garble "connecting through ODBC: Unable to connect"
at refuse "connecting through ODBC: Login failed for user 'a'"
at lose:0 "Unexpected EOF from the server"
at lose:1 "server_version: Unexpected EOF from the server"
