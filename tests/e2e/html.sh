#!/bin/bash
# The page of a result in headless Chromium: at 1280 and 390 pixels, in light and dark, without a
# network: no message on the console, nothing cut, all charts drawn, zoomed and read together, the
# figures' texts there, the raw data whole. Then three hours of two devices: size and speed.
# timeout: 240
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
command -v chromium >/dev/null || { echo "no chromium"; exit 77; }

SAVED=$ROOT/tests/golden/report-text/in

# browse WIDTH SCHEME(0 dark, 1 light) FILE: its document after the scripts ran is in $OUT.
browse() {
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$SCRATCH/profile" --no-first-run \
        --disable-background-networking --disable-sync --host-resolver-rules='MAP * ~NOTFOUND' \
        --force-device-scale-factor=1 --window-size="$1,1600" --virtual-time-budget=20000 \
        --blink-settings=preferredColorScheme="$2" --enable-logging=stderr --dump-dom "file://$3" \
        >"$OUT" 2>"$ERR" </dev/null || fail "chromium ended with $?"
    ! grep -F CONSOLE "$ERR" || wrong "the page wrote on the console"
}

# As fail, without the document and what Chromium says.
wrong() {
    echo "FAILED: $*"
    exit 1
}

# probed RESULT [EXIT]: its page with the probe behind it.
probed() {
    want "${2:-0}" "$REPORT" --html "$SCRATCH/page.html" "$1"
    sed '$d' "$SCRATCH/page.html" | sed '$d' >"$SCRATCH/probed.html"
    { echo "<script>"; cat "$ROOT/tests/e2e/page_probe.js"; echo "</script></body></html>"; } >>"$SCRATCH/probed.html"
}

# shown ID: the text of that <pre>.
shown() {
    sed -n "/<pre id=\"$1\">/,/<\/pre>/p" "$OUT" |
        sed -e "s|.*<pre id=\"$1\">||" -e 's|</pre>.*||' -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g'
}

look_at() { # WIDTH SCHEME
    browse "$1" "$2" "$SCRATCH/probed.html"
    case $(shown findings) in
    'all well'*) ;;
    *) shown findings; wrong "at $1 pixels, scheme $2" ;;
    esac
}

look_at_all() { # RESULT [EXIT]
    local width scheme
    probed "$@"
    for width in 1280 390; do
        for scheme in 0 1; do look_at $width $scheme; done
    done
}

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

echo "a saved result: widths, schemes, figures, data"
valid=$SAVED/2026-11-30T134501Z-valid
look_at_all "$valid"
shown series | sed '$d' | cmp - "$valid/series.csv" || wrong "the series in the page is another"
shown result | sed '$d' | cmp - "$valid/result.json" || wrong "result.json in the page is another"
figures "$valid"

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
