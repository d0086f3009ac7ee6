#!/bin/bash
# The generated reference of options is current.
set -eu
if [ ! -x "$BIN/tpcc-run" ]; then
    echo "no tpcc-run, no reference"
    exit 0
fi
"$BIN/tpcc-run" --reference | diff -u config/README.md - || {
    echo "config/README.md is not current: $BIN/tpcc-run --reference >config/README.md"
    exit 1
}
