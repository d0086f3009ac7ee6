#!/bin/bash
# The generated reference of options is current.
set -eu
"$BIN/tpcc-run" --reference | diff -u config/README.md - || {
    echo "config/README.md is not current: $BIN/tpcc-run --reference >config/README.md"
    exit 1
}
