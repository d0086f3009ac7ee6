#!/bin/bash
# The same rows with 1, 2 and 7 loaders, in units of a warehouse and of a table.
# timeout: 240
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
server_new

first=
for unit in warehouse table; do
    for loaders in 1 2 7; do
        load 0 --warehouses 2 --loaders $loaders --set load.unit=$unit --checksum
        sum=$(sed -n 's/^checksum  *//p' "$OUT")
        [ ${#sum} = 16 ] || fail "no checksum"
        [ "${first:=$sum}" = "$sum" ] || fail "$unit units, $loaders loaders: $sum, not $first"
        [ "$(sql "select count(*) from tpcc.load_progress where step = 'fill'")" = \
            "$([ $unit = table ] && echo 9 || echo 17)" ] || fail "units of another kind"
        load 0 --remove --yes
    done
done
echo "the checksum of 2 warehouses is $first, six times"

load 0 --warehouses 2 --set load.seed=2 --checksum
! grep -q "^checksum  *$first" "$OUT" || fail "another seed, the same rows"

# A row less, a letter another, a cent more: each changes the sum.
seeded=$(checksum)
for change in "delete from tpcc.history where ctid = (select min(ctid) from tpcc.history)" \
    "update tpcc.stock set s_dist_07 = 'x' || substr(s_dist_07, 2) where s_w_id = 2 and s_i_id = 5
         and s_dist_07 not like 'x%'" \
    "update tpcc.district set d_ytd = d_ytd + 0.01 where d_w_id = 1 and d_id = 3" \
    "update tpcc.orders set o_carrier_id = null where o_w_id = 1 and o_d_id = 1 and o_id = 1"; do
    sql "$change" || fail "$change"
    now=$(checksum)
    [ "$now" != "$seeded" ] || fail "not seen: $change"
    seeded=$now
done
