#!/bin/bash
# The README's picture: the head and the first charts of the page of a real run, which this makes in
# six minutes, at a size that two cores carry; or of the result that is named.
# Usage: tests/picture.sh PROGRAMS_DIR PICTURE [RESULT]
set -eu
bin=$1 picture=$2 result=${3:-}
drive=${DEMO_DRIVE:-/var/tmp/tpcc-demo}
work=$(mktemp -d /tmp/tpcc-picture.XXXXXX)
trap 'rm -rf "$work"' EXIT

if [ -z "$result" ]; then
    mkdir -p "$drive"
    "$bin/tpcc-run" --drive "$drive" --warehouses 10 --users 1000 --duration 5m --sample 4m \
        --label 'example run' --results "$work" --plain --yes >"$work/out"
    result=$(sed -n 's/^result: //p' "$work/out" | tail -n 1)
fi
"$bin/tpcc-report" --html "$work/page.html" "$result" || [ $? = 1 ]
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --no-first-run \
    --disable-background-networking --disable-sync --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1280,1500 --virtual-time-budget=10000 --blink-settings=preferredColorScheme=1 \
    --screenshot="$work/page.png" "file://$work/page.html" 2>/dev/null
pngquant --force --output "$picture" 128 "$work/page.png"
echo "$picture: $(stat -c %s "$picture") bytes"
