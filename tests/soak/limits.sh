#!/bin/bash
# What limited a run is named, ten times each rig (TIMES=N), right at least 9 of 10. ONLY_RIGS="pace cpu"
# takes some of them.
# timeout: 7200
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/../e2e/limits_lib.bash"
need_root
need_slow_drives
TIMES=${TIMES:-10}

new_drive writes delay-write=5ms
fast_drive fast
new_drive reads delay-read=50ms
failed=0
summary=
for rig in ${ONLY_RIGS:-pace flushes locks sessions cpu reads}; do
    right=0
    for i in $(seq "$TIMES"); do
        echo "--- $rig, $i of $TIMES"
        "rig_$rig"
        [ "$LIMIT" = "${NAMED[$rig]}" ] && right=$((right + 1))
    done
    summary+="$rig: $right of $TIMES called \"${NAMED[$rig]}\""$'\n'
    [ $((right * 10)) -ge $((TIMES * 9)) ] || failed=1
done
echo "---"
printf %s "$summary"
exit "$failed"
