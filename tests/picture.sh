#!/bin/bash
# The README's picture: the head and the first charts of the page of the run whose report the README
# shows, which this makes anew in five minutes (3 GB below /var/tmp, removed at the end); or of the
# result that is named. Usage: tests/picture.sh PROGRAMS_DIR PICTURE [RESULT]
set -eu
bin=$1 picture=$2 result=${3:-}
work=$(mktemp -d /tmp/tpcc-picture.XXXXXX)
drive=$(mktemp -d /var/tmp/tpcc-picture.XXXXXX)
trap 'rm -rf "$work" "$drive"' EXIT

if [ -z "$result" ]; then
    chmod 755 "$drive"
    "$bin/tpcc-run" --drive "$drive" --warehouses 20 --users 15000 --workload tpcc --duration 4m --sample 3m \
        --label 'example run' --results "$work" --plain --yes >"$work/out"
    result=$(sed -n 's/^result: //p' "$work/out" | tail -n 1)
fi
"$bin/tpcc-report" --html "$work/page.html" "$result" || [ $? = 1 ]
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --no-first-run \
    --disable-background-networking --disable-sync --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1280,1720 --virtual-time-budget=10000 --blink-settings=preferredColorScheme=1 \
    --screenshot="$work/page.png" "file://$work/page.html" 2>/dev/null
pngquant --force --output "$picture" 128 "$work/page.png"
echo "$picture: $(stat -c %s "$picture") bytes"
