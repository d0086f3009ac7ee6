#!/bin/bash
# A failing unit test makes its program fail, and so do a crash and running no test at all; run.sh
# counts them. Otherwise every other test would be worth nothing.
set -eu
work=$(mktemp -d /tmp/tpcc-harness.XXXXXX)
trap 'rm -rf "$work"' EXIT
cc=${CC:-gcc}

cat >"$work/t_test.c" <<'END'
#include "harness/unit.h"
#include <stdlib.h>
static void good(void) { UNIT_EQ_I64("", 2, 2); }
static void bad(void) { UNIT_EQ_I64("row 3", 1, 2); }
static void worse(void) { abort(); }
static const struct unit_test tests[] = {{"good", good}, {"bad", bad}, {"worse", worse}};
const struct unit_suite t_suite = UNIT_SUITE("t", tests);
END
sh tests/unit/harness/suites.sh "$work/t_test.c" >"$work/suites.c"
"$cc" -std=c17 -D_GNU_SOURCE -Isrc -Itests/unit -o "$work/unit-t" "$work/t_test.c" \
    "$work/suites.c" tests/unit/harness/*.c -lcunit -lm

expect() { # EXIT PATTERN ARGUMENT...
    local rc=0 want=$1 pattern=$2
    shift 2
    { "$work/unit-t" "$@"; } >"$work/out" 2>&1 || rc=$?
    echo "exit $rc" >>"$work/out"
    if [ "$rc" != "$want" ] || ! grep -q -- "$pattern" "$work/out"; then
        echo "unit-t $*: exit $rc, wanted $want and \"$pattern\"; printed:"
        cat "$work/out"
        exit 1
    fi
}

expect 0 'passed=1 failed=0' t.good
expect 1 'passed=0 failed=1' t.bad
expect 1 't.bad: row 3: 1 is 1, not 2' t.bad
expect 1 'passed=1 failed=1' t.good t.bad
expect 1 'passed=0 failed=0' t.nothing
expect 134 'exit 134' t.worse

# A file whose suite would be left out is an error of the build.
echo 'int x;' >"$work/empty_test.c"
if sh tests/unit/harness/suites.sh "$work/empty_test.c" >/dev/null 2>&1; then
    echo "not caught: a test file without a suite"
    exit 1
fi
