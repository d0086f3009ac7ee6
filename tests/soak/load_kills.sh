#!/bin/bash
# Twenty kills of the loader and twenty of the server, each at a random moment of a load of two
# warehouses; after each the load is finished, and its rows are those of an undisturbed one.
# timeout: 3600
# shellcheck disable=SC1091,SC2119
. "$ROOT/tests/integration/load_lib.bash"
server_new

KILLS=${KILLS:-20}
RANDOM=${SEED:-1}
load 0 --warehouses 2
whole=$(checksum)
load 0 --remove --yes
for unit in warehouse table; do
    for ((kill = 0; kill < KILLS; kill++)); do
        load_begin --warehouses 2 --loaders 2 --set load.unit=$unit
        # At a random moment: that is what is tested here.
        sleep "$((RANDOM % 4)).$((RANDOM % 10))"
        if [ $((kill % 2)) = 0 ]; then
            kill -9 "$LOADER" 2>/dev/null
        else
            server_kill
        fi
        load_end
        [ $((kill % 2)) = 0 ] || server_start
        if [ $((RANDOM % 3)) = 0 ] || [ $((kill + 1)) = "$KILLS" ]; then
            load 0 --warehouses 2 --loaders 2
            [ "$(checksum)" = "$whole" ] || fail "$unit: other rows after kill $((kill + 1))"
            load 0 --remove --yes
        fi
    done
    echo "$unit units: the same rows after $KILLS kills"
done
