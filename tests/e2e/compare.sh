#!/bin/bash
# Two runs side by side, as the README shows it: their difference is told, nothing is ranked.
# timeout: 180
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/e2e_lib.bash"
need_root

run() { # LABEL USERS
    want 0 "$RUN" --drive "$DRIVE" --warehouses 1 --users "$2" --duration 5s --sample 4s \
        --check none --label "$1" --results "$RESULTS"
}

echo "two runs of other users: unfair, no rank"
run one 60
run two 80
want 0 "$REPORT" "$RESULTS"/*-one "$RESULTS"/*-two
says "tpcc-run: 2 results in 2 groups, ordered by average response"
says "WARNING    not a fair comparison"
says "users: 60 (one); 80 (two)"
says "runs since the load: 0 (one); 1 (two)"
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
