#!/bin/bash
# run.sh KIND...: runs all tests of these kinds, and closes with one line "N passed, N failed,
# N skipped" over all of them. Exit 1 where one failed or none ran.
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
# Static, unit, golden and integration tests run JOBS at a time (as many as there are processors); all
# others, and an integration script with a line "# alone: REASON", have the machine to themselves.
#
# From the environment: VARIANT, BUILD, TESTS (the folder of tests, for the test of this script),
# ONLY=PATTERN (names of scripts and goldens), GOLDEN_WRITE=1 (rewrite `out`), TIMEOUT_FACTOR, JOBS.
set -u
unset MAKEFLAGS MAKELEVEL

cd "$(dirname "$0")/.." || exit 1
ROOT=$PWD
VARIANT=${VARIANT:-release}
BIN=$(realpath -m "${BUILD:-build}/$VARIANT")
TESTS=${TESTS:-tests}
ONLY=${ONLY:-*}
JOBS=${JOBS:-$(nproc)}
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

# at_once RUN REPORT ITEM...: RUN on each item, JOBS at a time, and REPORT on each in their order.
at_once() {
    local run=$1 report=$2 item n=0 reported=0
    shift 2
    for item; do
        while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do
            wait -n
            while [ -e "$WORK/done.$reported" ]; do report_next "$@"; done
        done
        { "$run" "$item"; : >"$WORK/done.$n"; } &
        n=$((n + 1))
    done
    wait
    while [ "$reported" -lt "$n" ]; do report_next "$@"; done
}

# report_next ITEM...: part of at_once, whose variables it uses.
report_next() {
    rm -f "$WORK/done.$reported"
    reported=$((reported + 1))
    "$report" "${!reported}"
}

# ended NAME EXIT: what a run, which has set $began, leaves for its report.
ended() {
    echo "$2 $((SECONDS - began))" >"$WORK/$1.ended"
}

script_log() { # FILE
    local kind
    kind=$(basename "$(dirname "$1")")
    echo "$LOGS/${kind/#lint/static}-$(basename "$1" .sh).log"
}

run_script() { # FILE
    local log seconds rc show=/dev/null began=$SECONDS
    log=$(script_log "$1")
    seconds=$(setting "$1" timeout)
    case $1 in */bench/* | */soak/*) seconds=${seconds:-14400} show=/dev/stdout ;; esac
    limited "${seconds:-60}" bash "$1" 2>&1 | tee "$log" >"$show"
    rc=${PIPESTATUS[0]}
    ended "$(basename "$log")" "$rc"
}

report_script() { # FILE
    local name log rc seconds
    log=$(script_log "$1")
    name=$(basename "$log" .log)
    name=${name/-//}
    read -r rc seconds <"$WORK/$(basename "$log").ended"
    if [ "$rc" = 0 ]; then
        count 1 0 0
        echo "PASS $name ($seconds s)"
    elif [ "$rc" = 77 ] && { [ "${REQUIRE_ALL:-}" != 1 ] || [ -n "$(setting "$1" may-skip)" ]; }; then
        count 0 0 1
        echo "SKIP $name: $(tail -n 1 "$log")"
    else
        count 0 1 0
        [ "$rc" = 77 ] && echo "skipped, but all are required (REQUIRE_ALL=1)" >>"$log"
        [ "$rc" = 124 ] && echo "stopped: not done within $seconds s" >>"$log"
        fail "$name (exit $rc)" "$log"
    fi
}

# scripts FOLDER [alone]: those that ONLY names are in SCRIPTS; those that stand alone, or those that do not.
scripts() {
    local file
    SCRIPTS=()
    for file in "$TESTS/$1"/*.sh; do
        [ -e "$file" ] || continue
        # shellcheck disable=SC2053 # ONLY is a pattern
        [[ $(basename "$file" .sh) == $ONLY ]] || continue
        case $1/${2:-} in
        integration/) [ -z "$(setting "$file" alone)" ] || continue ;;
        integration/alone) [ -n "$(setting "$file" alone)" ] || continue ;;
        esac
        SCRIPTS+=("$file")
    done
}

# One after the other: each has the machine to itself.
run_scripts() { # FOLDER
    local file
    scripts "$1" alone
    for file in "${SCRIPTS[@]}"; do
        run_script "$file"
        report_script "$file"
    done
}

run_scripts_at_once() { # FOLDER
    scripts "$1"
    at_once run_script report_script "${SCRIPTS[@]}"
}

# run_counted LOG COMMAND...: a program that prints "RESULT kind name passed=N failed=N skipped=N".
run_counted() {
    local log=$1 rc began=$SECONDS
    shift
    limited 120 "$@" >"$log" 2>&1
    rc=$?
    ended "$(basename "$log")" $rc
}

# count_of LOG: adds what such a program has counted; false where it failed. Its time is in $TOOK.
count_of() {
    local log=$1 rc line
    read -r rc TOOK <"$WORK/$(basename "$log").ended"
    line=$(grep '^RESULT ' "$log" | tail -n 1)
    if [[ $line =~ passed=([0-9]+)\ failed=([0-9]+)\ skipped=([0-9]+) ]]; then
        count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}"
        [ "$rc" -ne 0 ] && [ "${BASH_REMATCH[2]}" = 0 ] && count 0 1 0
    else
        echo "ended (exit $rc) without its result" >>"$log"
        count 0 1 0
        rc=1
    fi
    return "$rc"
}

run_unit_one() { # FOLDER
    run_counted "$LOGS/unit-$1.log" "$BIN/unit-$1"
}

report_unit_one() { # FOLDER
    local log=$LOGS/unit-$1.log
    if count_of "$log"; then
        echo "PASS unit/$1 ($(sed -n 's/^RESULT.*passed=\([0-9]*\).*/\1/p' "$log") tests, $TOOK s)"
    else
        fail "unit/$1" "$log"
    fi
}

run_unit() {
    local folder folders=()
    for folder in "$TESTS"/unit/*/; do
        compgen -G "$folder*_test.c" >/dev/null && folders+=("$(basename "$folder")")
    done
    at_once run_unit_one report_unit_one "${folders[@]}"
}

run_golden_one() { # FOLDER
    local name in=/dev/null got rc
    name=$(basename "$1")
    got=$WORK/$name.got
    [ -f "$1/in" ] && in=$(realpath "$1/in")
    mkdir "$WORK/$name"
    (cd "$1" && PATH=$BIN:$PATH HOME=/nonexistent COLUMNS=80 TMP=$WORK/$name \
        timeout --kill-after=5 $((60 * ${TIMEOUT_FACTOR:-1})) sh ./cmd <"$in" >"$got" 2>&1)
    rc=$?
    rm -rf "${WORK:?}/$name"
    [ $rc -ne 0 ] && echo "[exit $rc]" >>"$got"
    if [ "${GOLDEN_WRITE:-}" = 1 ]; then
        cp "$got" "$1/out"
    fi
    diff -u "$1/out" "$got" >"$WORK/$name.diff" 2>&1 && rm "$WORK/$name.diff"
}

report_golden_one() { # FOLDER
    local name
    name=$(basename "$1")
    if [ -e "$WORK/$name.diff" ]; then
        count 0 1 0
        fail "golden/$name" "$WORK/$name.diff"
    else
        count 1 0 0
    fi
}

run_golden() {
    local folder folders=() before=$passed began=$SECONDS
    for folder in "$TESTS"/golden/*/; do
        # shellcheck disable=SC2053 # ONLY is a pattern
        [ -e "$folder/cmd" ] && [[ $(basename "$folder") == $ONLY ]] && folders+=("$folder")
    done
    at_once run_golden_one report_golden_one "${folders[@]}"
    [ "$passed" != "$before" ] && echo "PASS golden ($((passed - before)) tests, $((SECONDS - began)) s)"
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
    static) run_scripts_at_once lint ;;
    unit) run_unit ;;
    golden) run_golden ;;
    fuzz) run_fuzz ;;
    integration)
        run_scripts_at_once integration
        run_scripts integration
        ;;
    e2e | perf | bench | soak) run_scripts "$kind" ;;
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
