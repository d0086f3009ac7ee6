#!/bin/bash
# The page of a result in headless Chromium: at 1280 and 390 pixels, in light and dark, without a
# network: no message on the console, nothing cut, all charts drawn, zoomed and read together, the
# figures' texts there, the raw data whole. Then three hours of two devices: size and speed.
# timeout: 240
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/page_lib.bash"
. "$(dirname "$0")/e2e_lib.bash"
need_chromium

SAVED=$ROOT/tests/golden/report-text/in

# figures RESULT: every figure that the text report has of the sample stands in the page too (but
# for the model's, which only it has).
figures() {
    local word
    "$REPORT" "$1" | sed -n -e '/^closed-loop/d' -e '/^TPS/,/^driver/p' | grep -oE '[0-9][0-9,]*\.[0-9]+|[0-9]+,[0-9]{3}' | sort -u >"$SCRATCH/figures"
    [ "$(wc -l <"$SCRATCH/figures")" -gt 40 ] || wrong "the text report has few figures"
    while read -r word; do
        grep -qF -- "$word" "$OUT" || wrong "the page lacks $word"
    done <"$SCRATCH/figures"
}

echo "what a page says on the console: an info is none of ours, a warning, an error and a throw are"
for said in 'console.info(1); console.log(2)' 'console.warn(3)' 'console.error(4)' 'throw Error(5)'; do
    echo "<!DOCTYPE html><html><head><script>$said</script></head></html>" >"$SCRATCH/page.html"
    if [ "${said%%(*}" = console.info ]; then
        browse 1280 1 "$SCRATCH/page.html"
    elif (browse 1280 1 "$SCRATCH/page.html") >/dev/null; then
        wrong "not seen: $said"
    fi
done

echo "a saved result: widths, schemes, figures, data"
valid=$SAVED/2026-11-30T134501Z-valid
look_at_all "$valid"
# The saved one is of an earlier program; columns of later ones are empty.
columns=$(head -n 1 "$valid/series.csv" | tr , '\n' | wc -l)
shown series-csv | sed '$d' | cut -d, -f "1-$columns" | cmp - "$valid/series.csv" ||
    wrong "the series in the page is another"
shown result-json | sed '$d' | cmp - "$valid/result.json" || wrong "result.json in the page is another"
figures "$valid"
look_at_print b8500a

echo "names that would be markup, errors, many devices; a killed run; no transaction at all"
probed "$SAVED/2026-11-30T134501Z-bad" 1
look_at 1280 1
look_at 390 0
probed "$SAVED/2026-11-30T134501Z-killed.partial" 1
look_at 390 1
want 0 "$REPORT" --html "$SCRATCH/page.html" "$SAVED/2026-11-30T134501Z-no-drive"
browse 390 0 "$SCRATCH/page.html"
grep -qF 'data-state="ready"' "$OUT" || wrong "not ready"
want 1 "$REPORT" --html "$SCRATCH/page.html" "$ROOT/tests/golden/report-odd/in/2026-11-30T134501Z-none"
browse 1280 1 "$SCRATCH/page.html"
grep -qF 'data-state="ready"' "$OUT" || wrong "not ready"

echo "three hours: 10,800 intervals of two devices"
long=$SCRATCH/long
cp -r "$valid" "$long"
sed -e 's/"start_s": 120.0/"start_s": 9000.0/' -e 's/"end_s": 120.0/"end_s": 9000.0/' \
    -e 's/"start_s": 360.0/"start_s": 10800.0/' -e 's/"end_s": 360.0/"end_s": 10800.0/' \
    -e 's/"end_s": 360.25/"end_s": 10800.25/' "$valid/result.json" >"$long/result.json"
awk -F, -v OFS=, '
    NR == 1 { print; next }
    NR == 2 { n = split($0, is) }
    END {
        srand(1)
        for (i = 1; i <= 10800; i++) {
            $0 = ""
            $1 = i; $2 = i <= 21 ? "ramp" : i <= 9000 ? "precondition" : "sample"; $3 = i <= 21 ? i * 715 : 15000
            busy = 0.9 + 0.2 * rand() + (i % 300 < 60 ? 0.5 : 0)
            for (k = 4; k <= n; k++) {
                if (k >= 16 && k <= 19) $k = k == 17 ? int(6 * rand()) : i % 1777 == 0 ? 3 : 0
                else if (is[k] == "") $k = ""
                else if (k <= 10) $k = sprintf("%.6g", is[k] * (0.95 + 0.1 * rand()))
                else $k = i % 2000 < 5 && k > 19 ? "" : sprintf("%.6g", is[k] * busy * (0.7 + 0.6 * rand() * rand()))
            }
            print
        }
    }' "$valid/series.csv" >"$long/series.csv"
TIMEFORMAT='%U %S'
{ time want 0 "$REPORT" --html "$SCRATCH/page.html" "$long"; } 2>"$SCRATCH/time"
awk '{ exit !($1 + $2 < 1) }' "$SCRATCH/time" || wrong "rendered in $(cat "$SCRATCH/time") s of CPU"
size=$(stat -c %s "$SCRATCH/page.html")
[ "$size" -lt 3000000 ] || wrong "$size bytes"
echo "read and rendered in $(cat "$SCRATCH/time") s (user, system), $size bytes"
probed "$long"
look_at 1280 1
