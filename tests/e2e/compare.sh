#!/bin/bash
# Two runs side by side, as the README shows it: their difference is told, nothing is ranked. Then their
# page, in headless Chromium.
# timeout: 180
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/page_lib.bash"
. "$(dirname "$0")/e2e_lib.bash"
need_root
need_chromium

runs=0
run() { # LABEL USERS: $since is how many runs were before it; one that a busy machine made late is done again
    local try
    for try in 1 2 3; do
        rm -rf "$RESULTS"/*-"$1"
        want 0 "$RUN" --drive "$DRIVE" --warehouses 1 --users "$2" --duration 5s --sample 4s \
            --check none --label "$1" --results "$RESULTS"
        since=$runs runs=$((runs + 1))
        grep -q '"code": "late"' "$RESULTS"/*-"$1"/result.json || return 0
    done
    fail "late $try times"
}

echo "two runs of other users: unfair, no rank"
run one 60
since_one=$since
run two 80
want 0 "$REPORT" "$RESULTS"/*-one "$RESULTS"/*-two
says "tpcc-run: 2 results in 2 groups, ordered by average response"
says "WARNING    not a fair comparison"
says "users: 60 (one); 80 (two)"
says "runs since the load: $since_one (one); $since (two)"
says "difference in these two runs: "
says_not faster
want 1 "$REPORT" --strict "$RESULTS"/*-one "$RESULTS"/*-two

echo "a row each for a spreadsheet, everything as JSON, tables as Markdown"
want 0 "$REPORT" --csv "$RESULTS"/*-one "$RESULTS"/*-two
[ "$(wc -l <"$OUT")" = 3 ] || fail "not three lines"
grep -q '^group,runs_in_group,result,' "$OUT" || fail "no header"
want 0 "$REPORT" --json "$RESULTS"/*-one "$RESULTS"/*-two
says '"says": "spread between runs unknown"'
want 0 "$REPORT" --markdown "$RESULTS"/*-one "$RESULTS"/*-two
says '| average response | runs | ms | 95 % interval |'

echo "the figures are those of the runs' own reports"
for label in one two; do
    want 0 "$REPORT" --json "$RESULTS"/*-$label
    tps=$(sed -n 's/^ *"tps": \([0-9.]*\),/\1/p' "$OUT" | head -n 1)
    want 0 "$REPORT" --csv "$RESULTS"/*-one "$RESULTS"/*-two
    awk -F, -v label=$label -v tps="$tps" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["label"] == label && $at["tps"] - tps < 1e-3 && tps - $at["tps"] < 1e-3 { found = 1 }
        END { exit !found }' "$OUT" || fail "TPS of $label is not $tps"
done

echo "the page: widths, schemes, figures, data"
want 0 "$REPORT" --html "$SCRATCH/page.html" "$RESULTS"/*-one "$RESULTS"/*-two
add_probe
look_at_sizes
"$REPORT" "$RESULTS"/*-one "$RESULTS"/*-two | sed -n '/^response, ms/,/^method/p' |
    grep -oE '[0-9][0-9,]*\.[0-9]+' | sort -u >"$SCRATCH/figures"
[ "$(wc -l <"$SCRATCH/figures")" -gt 20 ] || wrong "the text has few figures"
while read -r word; do
    grep -qF -- "$word" "$OUT" || wrong "the page lacks $word"
done <"$SCRATCH/figures"
"$REPORT" --json "$RESULTS"/*-one "$RESULTS"/*-two >"$SCRATCH/compare.json"
shown compare-json | sed '$d' | cmp - "$SCRATCH/compare.json" || wrong "the JSON in the page is another"

echo "names that would be markup, long ones, a killed run, one without a transaction"
golden=$ROOT/tests/golden
for odd in report-text/in/*-bad report-text/in/*-killed.partial report-odd/in/*-none; do
    # shellcheck disable=SC2086 # a pattern
    cp -r $golden/$odd .
done
sed -i 's/"started": "[^"]*"/"started": "2026-11-30T13:50:01Z"/' ./*-killed.partial/result.json
sed -i 's/"label": [^,]*,/"label": "a label of many words that is far too long to stand in one line of a table <i>",/' ./*-none/result.json
want 1 "$REPORT" --html "$SCRATCH/page.html" ./*-bad ./*-killed.partial ./*-none "$RESULTS"/*-one
add_probe
look_at 390 1
look_at 1280 0
