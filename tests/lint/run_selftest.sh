#!/bin/bash
# shellcheck disable=SC2016 # the programs that it writes expand their variables, not this script
# run.sh counts what passes, fails, is skipped, hangs, crashes or is not there.
set -eu
work=$(mktemp -d /tmp/tpcc-run.XXXXXX)
trap 'rm -rf "$work"' EXIT

# expect EXIT LAST_LINE KIND...: of run.sh on the tests in $work/tests.
expect() {
    local rc=0 want=$1 last=$2
    shift 2
    env -u ONLY TESTS="$work/tests" BUILD="$work/build" VARIANT=v tests/run.sh "$@" \
        >"$work/out" 2>&1 || rc=$?
    if [ "$rc" != "$want" ] || [ "$(tail -n 1 "$work/out")" != "$last" ]; then
        echo "run.sh $*: exit $rc, wanted $want and \"$last\"; printed:"
        cat "$work/out"
        exit 1
    fi
}

script() { # KIND NAME LINE...
    mkdir -p "$work/tests/$1"
    printf '%s\n' "${@:3}" >"$work/tests/$1/$2.sh"
}

program() { # NAME LINE...
    mkdir -p "$work/build/v"
    printf '%s\n' '#!/bin/sh' "${@:2}" >"$work/build/v/$1"
    chmod +x "$work/build/v/$1"
}

export REQUIRE_ALL=
expect 1 "0 passed, 0 failed, 0 skipped" e2e
script e2e good 'exit 0'
expect 0 "1 passed, 0 failed, 0 skipped" e2e
script e2e skips 'echo no such device' 'exit 77'
expect 0 "1 passed, 0 failed, 1 skipped" e2e
REQUIRE_ALL=1 expect 1 "1 passed, 1 failed, 0 skipped" e2e
script e2e skips '# may-skip: only with a device' 'exit 77'
REQUIRE_ALL=1 expect 0 "1 passed, 0 failed, 1 skipped" e2e
script perf hangs '# timeout: 1' 'while :; do sleep 1; done'
expect 1 "1 passed, 1 failed, 1 skipped" e2e perf
rm "$work/tests/e2e/good.sh" "$work/tests/perf/hangs.sh"
expect 1 "0 passed, 0 failed, 1 skipped" e2e

# Each sees the other one begin; the third sees that both have ended.
for pair in "a b" "b a"; do
    script integration "${pair% *}" '# timeout: 20' "touch $work/began-${pair% *}" \
        "until [ -e $work/began-${pair#* } ]; do sleep 0.05; done" "touch $work/ended-${pair% *}"
done
script integration alone '# alone: in this test' "[ -e $work/ended-a ] && [ -e $work/ended-b ]"
JOBS=2 expect 0 "3 passed, 0 failed, 0 skipped" integration
[ "$(cut -d ' ' -f 2 "$work/out" | head -n 3 | tr '\n' ' ')" = "integration/a integration/b integration/alone " ] ||
    { cat "$work/out"; exit 1; }

mkdir -p "$work/tests/unit/a"
: >"$work/tests/unit/a/a_test.c"
expect 1 "0 passed, 1 failed, 0 skipped" unit
program unit-a 'echo RESULT unit unit-a passed=5 failed=0 skipped=0'
expect 0 "5 passed, 0 failed, 0 skipped" unit
program unit-a 'echo RESULT unit unit-a passed=5 failed=2 skipped=0' 'exit 1'
expect 1 "5 passed, 2 failed, 0 skipped" unit
program unit-a 'echo RESULT unit unit-a passed=5 failed=0 skipped=0' 'exit 1'
expect 1 "5 passed, 1 failed, 0 skipped" unit
program unit-a 'kill -ABRT $$'
expect 1 "0 passed, 1 failed, 0 skipped" unit

mkdir -p "$work/tests/golden/g"
program greet 'read -r name' 'echo "hello $name"' 'exit 2'
echo 'greet' >"$work/tests/golden/g/cmd"
echo 'world' >"$work/tests/golden/g/in"
expect 1 "0 passed, 1 failed, 0 skipped" golden
printf 'hello world\n[exit 2]\n' >"$work/tests/golden/g/out"
expect 0 "1 passed, 0 failed, 0 skipped" golden
echo 'other' >"$work/tests/golden/g/out"
expect 1 "0 passed, 1 failed, 0 skipped" golden
GOLDEN_WRITE=1 expect 0 "1 passed, 0 failed, 0 skipped" golden
expect 0 "1 passed, 0 failed, 0 skipped" golden

mkdir -p "$work/tests/fuzz/corpus/f"
: >"$work/tests/fuzz/f.c"
program fuzz-f 'for file; do grep -q bad "$file" && exit 1; done' \
    'echo "RESULT fuzz f passed=$# failed=0 skipped=0"'
echo good >"$work/tests/fuzz/corpus/f/1"
echo good >"$work/tests/fuzz/corpus/f/2"
expect 0 "2 passed, 0 failed, 0 skipped" fuzz
echo bad >"$work/tests/fuzz/corpus/f/2"
expect 1 "1 passed, 1 failed, 0 skipped" fuzz
rm "$work/tests/fuzz/corpus/f"/*
expect 1 "0 passed, 1 failed, 0 skipped" fuzz
