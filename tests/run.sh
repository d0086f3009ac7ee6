#!/bin/bash
# run.sh KIND...: runs all tests of these kinds, one after the other, and closes with one line
# "N passed, N failed, N skipped" over all of them. Exit 1 where one failed or none ran.
#
#   static       tests/lint/*.sh           each a script, see below
#   unit         build/V/unit-FOLDER       one program per folder of tests/unit
#   golden       tests/golden/NAME/        cmd run by sh, its output compared with out
#   fuzz         build/V/fuzz-TARGET       replays every file of tests/fuzz/corpus/TARGET
#   integration, e2e, perf, bench, soak    tests/KIND/*.sh, scripts
#
# A script passes with exit 0 and is skipped with exit 77 (its last line says why); REQUIRE_ALL=1
# makes a skip a failure unless the script holds a line "# may-skip: REASON". It is stopped after
# 60 s or what its line "# timeout: SECONDS" says. It runs in the repository's root with BIN (the
# absolute folder of the programs), VARIANT and ROOT set. Its output goes to $BIN/logs/KIND-NAME.log
# (bench and soak: to the screen too).
#
# From the environment: VARIANT, BUILD, TESTS (the folder of tests, for the test of this script),
# ONLY=PATTERN (names of scripts and goldens), GOLDEN_WRITE=1 (rewrite `out`), TIMEOUT_FACTOR.
set -u
unset MAKEFLAGS MAKELEVEL

cd "$(dirname "$0")/.." || exit 1
ROOT=$PWD
VARIANT=${VARIANT:-release}
BIN=$(realpath -m "${BUILD:-build}/$VARIANT")
TESTS=${TESTS:-tests}
ONLY=${ONLY:-*}
LOGS=$BIN/logs
export ROOT BIN VARIANT
export LC_ALL=C TZ=UTC
mkdir -p "$LOGS"
WORK=$(mktemp -d /tmp/tpcc-tests.XXXXXX)
trap 'rm -rf "$WORK"' EXIT

passed=0 failed=0 skipped=0
failures=()

# count PASSED FAILED SKIPPED
count() {
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# fail NAME LOG: one failed test, with the end of its log.
fail() {
    failures+=("$1")
    echo "FAIL $1"
    tail -n 40 "$2" | sed 's/^/    /'
}

# limited SECONDS COMMAND...: all that the command started is in its process group and goes with it.
limited() {
    local seconds=$(($1 * ${TIMEOUT_FACTOR:-1}))
    shift
    timeout --kill-after=10 "$seconds" "$@" </dev/null
}

# setting FILE NAME: what stands behind "# NAME:" in a script.
setting() {
    sed -n "s/^# $2: *//p" "$1" | head -n 1
}

run_script() { # KIND FILE
    local name log seconds rc began=$SECONDS show=/dev/null
    name=$1/$(basename "$2" .sh)
    log=$LOGS/${name/\//-}.log
    seconds=$(setting "$2" timeout)
    if [ "$1" = bench ] || [ "$1" = soak ]; then
        seconds=${seconds:-14400} show=/dev/stdout
    fi
    limited "${seconds:-60}" bash "$2" 2>&1 | tee "$log" >"$show"
    rc=${PIPESTATUS[0]}
    if [ "$rc" = 0 ]; then
        count 1 0 0
        echo "PASS $name ($((SECONDS - began)) s)"
    elif [ "$rc" = 77 ] && { [ "${REQUIRE_ALL:-}" != 1 ] || [ -n "$(setting "$2" may-skip)" ]; }; then
        count 0 0 1
        echo "SKIP $name: $(tail -n 1 "$log")"
    else
        count 0 1 0
        [ "$rc" = 77 ] && echo "skipped, but all are required (REQUIRE_ALL=1)" >>"$log"
        [ "$rc" = 124 ] && echo "stopped: not done within ${seconds:-60} s" >>"$log"
        fail "$name (exit $rc)" "$log"
    fi
}

run_scripts() { # KIND FOLDER
    local file
    for file in "$TESTS/$2"/*.sh; do
        # shellcheck disable=SC2053 # ONLY is a pattern
        [ -e "$file" ] && [[ $(basename "$file" .sh) == $ONLY ]] && run_script "$1" "$file"
    done
}

# run_counted LOG COMMAND...: a program that prints "RESULT kind name passed=N failed=N skipped=N".
run_counted() {
    local log=$1 rc line
    shift
    limited 120 "$@" >"$log" 2>&1
    rc=$?
    line=$(grep '^RESULT ' "$log" | tail -n 1)
    if [[ $line =~ passed=([0-9]+)\ failed=([0-9]+)\ skipped=([0-9]+) ]]; then
        count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
        [ $rc -ne 0 ] && [ "${BASH_REMATCH[2]}" = 0 ] && count 0 1 0
    else
        echo "ended (exit $rc) without its result" >>"$log"
        count 0 1 0
        rc=1
    fi
    return $rc
}

run_unit() {
    local folder log
    for folder in "$TESTS"/unit/*/; do
        folder=$(basename "$folder")
        compgen -G "$TESTS/unit/$folder/*_test.c" >/dev/null || continue
        log=$LOGS/unit-$folder.log
        if run_counted "$log" "$BIN/unit-$folder"; then
            echo "PASS unit/$folder ($(sed -n 's/^RESULT.*passed=\([0-9]*\).*/\1/p' "$log") tests)"
        else
            fail "unit/$folder" "$log"
        fi
    done
}

run_golden_one() { # FOLDER
    local name in=/dev/null rc
    name=golden/$(basename "$1")
    [ -f "$1/in" ] && in=$(realpath "$1/in")
    mkdir "$WORK/golden"
    (cd "$1" && PATH=$BIN:$PATH HOME=/nonexistent COLUMNS=80 TMP=$WORK/golden \
        timeout --kill-after=5 30 sh ./cmd <"$in" >"$WORK/got" 2>&1)
    rc=$?
    rm -rf "$WORK/golden"
    [ $rc -ne 0 ] && echo "[exit $rc]" >>"$WORK/got"
    if [ "${GOLDEN_WRITE:-}" = 1 ]; then
        cp "$WORK/got" "$1/out"
    fi
    if diff -u "$1/out" "$WORK/got" >"$WORK/diff" 2>&1; then
        count 1 0 0
    else
        count 0 1 0
        fail "$name" "$WORK/diff"
    fi
}

run_golden() {
    local folder before=$passed
    for folder in "$TESTS"/golden/*/; do
        # shellcheck disable=SC2053 # ONLY is a pattern
        [ -e "$folder/cmd" ] && [[ $(basename "$folder") == $ONLY ]] && run_golden_one "$folder"
    done
    [ "$passed" != "$before" ] && echo "PASS golden ($((passed - before)) tests)"
}

# All files in one go; where that fails, one by one to tell which.
run_fuzz() {
    local source target corpus log file
    for source in "$TESTS"/fuzz/*.c; do
        [ -e "$source" ] || continue
        target=$(basename "$source" .c)
        corpus=$TESTS/fuzz/corpus/$target
        log=$LOGS/fuzz-$target.log
        if ! compgen -G "$corpus/*" >/dev/null; then
            echo "$corpus holds no file" >"$log"
            count 0 1 0
            fail "fuzz/$target" "$log"
            continue
        fi
        if limited 120 "$BIN/fuzz-$target" "$corpus"/* >"$log" 2>&1; then
            count "$(sed -n 's/^RESULT.*passed=\([0-9]*\).*/\1/p' "$log")" 0 0
            echo "PASS fuzz/$target ($(sed -n 's/^RESULT.*passed=\([0-9]*\).*/\1/p' "$log") files)"
            continue
        fi
        for file in "$corpus"/*; do
            if limited 20 "$BIN/fuzz-$target" "$file" >"$log" 2>&1; then
                count 1 0 0
            else
                count 0 1 0
                fail "fuzz/$target $file" "$log"
            fi
        done
    done
}

for kind in "$@"; do
    case $kind in
    static) run_scripts static lint ;;
    unit) run_unit ;;
    golden) run_golden ;;
    fuzz) run_fuzz ;;
    integration | e2e | perf | bench | soak) run_scripts "$kind" "$kind" ;;
    *)
        echo "$0: no such kind of test: $kind" >&2
        exit 2
        ;;
    esac
done

if [ ${#failures[@]} -gt 0 ]; then
    printf '\nfailed:\n'
    printf '  %s\n' "${failures[@]}"
fi
[ $((passed + failed)) -eq 0 ] && echo "no test ran"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
