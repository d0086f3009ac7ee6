# What the tests of pages share: headless Chromium without a network, and the probe that looks at a
# page from within. Sourced before e2e_lib.bash, which
# leaves the folder.
# shellcheck disable=SC2153 # ERR and OUT are those of e2e_lib.bash

need_chromium() {
    command -v chromium >/dev/null || { echo "no chromium"; exit 77; }
}

# browse WIDTH SCHEME(0 dark, 1 light) FILE: its document after the scripts ran is in $OUT.
browse() {
    local width=$1 file=$SCRATCH/guarded.html
    # The browser's log does not tell levels, and of the libraries' infos none is a failure: what is
    # left of the console is warnings, errors and what was thrown.
    sed '0,/<head>/s//&<script>console.log = console.info = console.debug = function () {};<\/script>/' "$3" >"$file"
    if [ "$width" -lt 500 ]; then
        in_frame "$width" "$file" >"$SCRATCH/frame.html"
        width=800 file=$SCRATCH/frame.html
    fi
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$SCRATCH/profile" --no-first-run \
        --disable-background-networking --disable-sync --host-resolver-rules='MAP * ~NOTFOUND' \
        --force-device-scale-factor=1 --window-size="$width,1600" --virtual-time-budget=20000 \
        --blink-settings=preferredColorScheme="$2" --enable-logging=stderr --dump-dom "file://$file" \
        >"$OUT" 2>"$ERR" </dev/null || fail "chromium ended with $?"
    ! grep -F CONSOLE "$ERR" || wrong "the page wrote a warning or an error on the console"
}

# in_frame WIDTH FILE: a page with that one in a frame, see page_frame.js.
in_frame() {
    echo "<!DOCTYPE html><meta charset=\"utf-8\"><iframe style=\"border: 0; width: $1px; height: 1600px\" srcdoc=\""
    sed -e 's/&/\&amp;/g' -e 's/"/\&quot;/g' "$2"
    echo '"></iframe><script>'
    cat "$ROOT/tests/e2e/page_frame.js"
    echo '</script>'
}

# As fail, without the document and what Chromium says.
wrong() {
    echo "FAILED: $*"
    exit 1
}

# probed RESULT [EXIT]: its page with the probe behind it.
probed() {
    want "${2:-0}" "$REPORT" --html "$SCRATCH/page.html" "$1"
    add_probe
}

# add_probe: $SCRATCH/probed.html is $SCRATCH/page.html with the probe behind it.
add_probe() {
    sed '$d' "$SCRATCH/page.html" | sed '$d' >"$SCRATCH/probed.html"
    { echo '<script id="probe">'; cat "$ROOT/tests/e2e/page_probe.js"; echo "</script></body></html>"; } >>"$SCRATCH/probed.html"
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
    probed "$@"
    look_at_sizes
}

look_at_sizes() {
    local width scheme
    for width in 1280 390; do
        for scheme in 0 1; do look_at $width $scheme; done
    done
}

# look_at_print COLOUR: $SCRATCH/page.html on paper has lines of that series' colour (hexadecimal RGB), more than
# the keys of the legends are.
look_at_print() {
    local pixels
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$SCRATCH/profile" --no-first-run \
        --disable-background-networking --disable-sync --host-resolver-rules='MAP * ~NOTFOUND' \
        --virtual-time-budget=20000 --print-to-pdf="$SCRATCH/page.pdf" "file://$SCRATCH/page.html" \
        >"$OUT" 2>"$ERR" </dev/null || fail "chromium ended with $?"
    rm -f "$SCRATCH"/paper-*
    pdftoppm -r 100 -aaVector no "$SCRATCH/page.pdf" "$SCRATCH/paper"
    pixels=$(for page in "$SCRATCH"/paper-*.ppm; do
        # Three lines of header, then three bytes a pixel.
        tail -n +4 "$page" | od -An -v -tx1 -w3
    done | tr -d ' ' | grep -c "^$1$")
    echo "print: $(find "$SCRATCH" -name 'paper-*.ppm' | wc -l) sheets, $pixels pixels of colour $1"
    [ "$pixels" -gt 2000 ] || wrong "the charts are not on the paper: $pixels pixels of colour $1"
}
