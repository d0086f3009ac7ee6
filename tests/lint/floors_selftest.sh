#!/bin/bash
# The floors check catches what it is for: each wrong include fails, each allowed one passes.
set -eu
work=$(mktemp -d /tmp/tpcc-floors.XXXXXX)
trap 'rm -rf "$work"' EXIT

# try FOLDER INCLUDE: the check of one file of that folder with that include.
try() {
    mkdir -p "$work/src/$1"
    printf '#include <stdio.h>\n#include "%s"\n' "$2" >"$work/src/$1/x.c"
    awk -f tests/lint/floors.awk src/README.md "$work/src/$1/x.c" 2>"$work/message"
}

allowed() {
    try "$1" "$2" || { echo "refused, but allowed: $1 -> $2"; exit 1; }
}

refused() {
    ! try "$1" "$2" || { echo "not caught: $1 -> $2"; exit 1; }
    grep -q 'x\.c' "$work/message" || { echo "no place told: $1 -> $2"; exit 1; }
}

allowed base base/err.h
allowed tpcc sql/value.h
allowed cmd report/text.h
refused base stats/hist.h   # upward
refused stats config/spec.h # upward
refused tpcc stats/hist.h   # downward, but not in its row
refused report run/run.h    # report and run never meet
refused db nowhere/x.h      # no such row
refused base err.h          # not by folder
refused base ../base/err.h
refused unlisted base/err.h # folder without a row

# A table that points upwards is refused itself.
# shellcheck disable=SC2016 # backquotes of the table, not of the shell
sed 's/^\(| 1 | `stats` .*| \)base |/\1base run |/' src/README.md >"$work/README.md"
if awk -f tests/lint/floors.awk "$work/README.md" src/base/err.c 2>/dev/null; then
    echo "not caught: a table row that points upwards"
    exit 1
fi

# So is one that allows what is not included.
mapfile -t files < <(find src -name '*.[ch]' ! -path 'src/stats/*')
if awk -v mode=all -f tests/lint/floors.awk src/README.md "${files[@]}" 2>"$work/message"; then
    echo "not caught: a row that allows more than is included"
    exit 1
fi
grep -q 'stats includes nothing of base' "$work/message" || { cat "$work/message"; exit 1; }
