# Rigs that force what limits a run, and the line that must name it.
# shellcheck disable=SC1091,SC2034
. "$(dirname "${BASH_SOURCE[0]}")/e2e_lib.bash"
# shellcheck source=tests/e2e/slow_drives.bash
. "$ROOT/tests/e2e/slow_drives.bash"

# limited NAME ARGUMENTS...: runs on drive NAME with 2 warehouses; what limited it is in $LIMIT.
# A verdict of invalid (1) is none of a rig's business: a busy machine may make the driver late.
limited() {
    local rc
    ${PREFIX:-} "$RUN" --drive "$SCRATCH/$1" --warehouses 2 --duration 7s --sample 5s --check none \
        --results "$RESULTS" "${@:2}" >"$OUT" 2>"$ERR" </dev/null
    rc=$?
    [ "$rc" -le 1 ] || fail "exit $rc"
    LIMIT=$(sed -n 's/^limit  *\([^:]*\):.*/\1/p' "$OUT")
    sed -n '/^limit /,/^verdict/p' "$OUT" | grep -v '^verdict'
}

MIX_ORDERS=(--set workload.mix.new_order=100 --set workload.mix.payment=0)
MIX_PAYMENTS=(--set workload.mix.new_order=0 --set workload.mix.payment=100)
MIX_READS=(--set workload.mix.order_status=50 --set workload.mix.stock_level=50)
for i in new_order payment delivery; do MIX_READS+=(--set "workload.mix.$i=0"); done
for i in order_status delivery stock_level; do
    MIX_ORDERS+=(--set "workload.mix.$i=0")
    MIX_PAYMENTS+=(--set "workload.mix.$i=0")
done

# Each rig sets $LIMIT.
rig_pace() { limited fast --users 20; }
# Orders only: with a row of its own for each district, they hardly wait for each other.
rig_flushes() { limited writes --workload saturate --users 20 --sessions 5 "${MIX_ORDERS[@]}"; }
# Payments only: all of them change one of two rows of warehouse.
rig_locks() { limited writes --workload saturate --users 20 --sessions 16 "${MIX_PAYMENTS[@]}"; }
rig_sessions() {
    limited writes --users 40 --sessions 2 --ramp 1s --set workload.pace=cycle \
        --set 'workload.interval=fixed 400ms' "${MIX_ORDERS[@]}"
}
# Reading only, of what lies in the page cache: nothing but the processor is in its way.
rig_cpu() { PREFIX="taskset -c 0" limited fast --workload saturate --users 20 --sessions 16 "${MIX_READS[@]}"; }
# Nothing of the dataset is in memory when it begins, and 50 ms a read leave it there in the whole run.
rig_reads() {
    [ -d "$SCRATCH/reads/tpcc-run" ] || want 0 "$LOAD" --drive "$SCRATCH/reads" --warehouses 2
    umount "$SCRATCH/reads" || fail "umount"
    mount "${LOOP_OF[reads]}" "$SCRATCH/reads" || fail "mount"
    limited reads --workload saturate --users 20 --sessions 16 --buffer 16MiB "${MIX_READS[@]}" \
        --set workload.mix.order_status=100 --set workload.mix.stock_level=0
}

# what each of them must be called
declare -A NAMED=([pace]=pace [flushes]='drive writes or flushes' [locks]=locks [sessions]=sessions
    [cpu]='server CPU' [reads]='drive reads')

# Others had this machine's processors: then that is what limits a run, and it is said rightly.
crowded() {
    awk -v psi="$(figure psi_cpu_percent)" -v own="$(figure cpu_percent)" 'BEGIN { exit !(psi > 50 && own < 50) }'
}

# named RIG...: each is called what it is.
named() {
    local rig
    for rig; do
        echo "$rig"
        "rig_$rig"
        [ "$LIMIT" = "${NAMED[$rig]}" ] && continue
        { [ "$LIMIT" = "server CPU" ] && crowded; } || fail "the rig \"$rig\" is called \"$LIMIT\""
        echo "the machine is too busy to tell"
    done
}
