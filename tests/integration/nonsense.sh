#!/bin/bash
# 300 generated command lines and 100 mangled configuration files, from a fixed seed, each given to
# `tpcc-run --dry-run`: no crash, no hang, a message and exit 2 (or 3 where the surroundings are
# wrong), or a plan and exit 0. Ten thousand more go through the same code in one process:
# tests/unit/config/nonsense_test.c.
# timeout: 120
set -u

[ -x "$BIN/tpcc-run" ] || {
    echo "no tpcc-run"
    exit 77
}
TMP=$(mktemp -d /tmp/tpcc-nonsense.XXXXXX)
trap 'rm -rf "$TMP"' EXIT
mkdir "$TMP/cwd"
unset PGHOST PGHOSTADDR PGSERVICE
failed=0

# A line of words for case $1, separated by tabs.
words() {
    awk -v seed="$1" '
        # Park and Miller: the same numbers with every awk.
        function next_number(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
        function word(   o) {
            o = options[1 + next_number(n_options)]
            if (next_number(6) == 0)
                o = substr(o, 1, next_number(length(o))) substr(o, 1 + next_number(length(o)))
            if (next_number(3) == 0)
                return values[1 + next_number(n_values)]
            if (next_number(3) == 0)
                return "--" o "=" values[1 + next_number(n_values)]
            return "--" o
        }
        BEGIN {
            n_options = split("drive pg device warehouses size users sessions workload duration sample ramp " \
                "buffer seed label results config set rebuild remove yes keep-running check plain quiet " \
                "strict json server-user allow-unsafe loaders help version man reference", options, " ")
            n_values = split("5|0|-1|1h30m|30s|10GB|auto|quick|none|x||a=b|host=/nosuch|oltp|tpcc|--|-|sda|" \
                "1e999|0x10|run.users=5|load.size=10GB|run.users|=|.=x|workload.mix.payment=44|" \
                "99999999999999999999|./nosuch.yaml|/dev/null|run.ramp=auto|%s%n|run.workload=inline", values, "|")
            state = seed * 7919 + 1
            for (i = 0; i < 5; i++) next_number(2)
            n = 1 + next_number(6)
            for (i = 0; i < n; i++)
                printf "%s%s", word(), i < n - 1 ? "\t" : "\n"
        }'
}

# The configuration on standard input, mangled for case $1.
mangled() {
    awk -v seed="$1" '
        function next_number(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
        BEGIN { state = seed * 7919 + 1; for (i = 0; i < 5; i++) next_number(2) }
        { text = text $0 "\n" }
        END {
            n_pieces = split("[ ] { } : - & * ! \" '"'"' # | > ? @ % 0 -1 999999999999999999999 1e9 auto", pieces, " ")
            for (i = 1 + next_number(4); i > 0; i--) {
                at = 1 + next_number(length(text)); n = 1 + next_number(30)
                how = next_number(3)
                if (how == 0) text = substr(text, 1, at - 1) substr(text, at + n)
                if (how == 1) text = substr(text, 1, at - 1) substr(text, at, n) substr(text, at)
                if (how == 2) text = substr(text, 1, at - 1) pieces[1 + next_number(n_pieces)] substr(text, at)
            }
            printf "%s", text
        }'
}

# run CASE WORD...
run() {
    local name=$1 rc
    shift
    (cd "$TMP/cwd" && timeout --kill-after=2 20 "$BIN/tpcc-run" --dry-run "$@" \
        </dev/null >"$TMP/out" 2>"$TMP/err")
    rc=$?
    case $rc in
    0) [ -s "$TMP/out" ] || [ -s "$TMP/err" ] && return ;;
    2 | 3) grep -q '^tpcc-run: .' "$TMP/err" && return ;;
    esac
    failed=$((failed + 1))
    printf 'case %s: exit %d:' "$name" "$rc"
    printf ' %q' "$@"
    printf '\n'
    head -n 5 "$TMP/err"
}

for i in $(seq 300); do
    IFS=$'\t' read -r -a line < <(words "$i")
    run "line $i" ${line[@]+"${line[@]}"}
done
for i in $(seq 100); do
    mangled "$i" <"$ROOT/tests/fuzz/corpus/yaml/full" >"$TMP/cwd/tpcc-run.yaml"
    run "file $i"
done
left=$(cd "$TMP/cwd" && find . -mindepth 1 ! -name tpcc-run.yaml)
if [ -n "$left" ]; then
    echo "a dry run left files: $left"
    failed=$((failed + 1))
fi
echo "$failed of 400 cases failed"
[ "$failed" = 0 ]
