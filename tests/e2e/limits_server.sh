#!/bin/bash
# What limited a run is named on a fast drive: the pace, and a server with one core. (All rigs, often:
# tests/soak/limits.sh.)
# timeout: 240
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/limits_lib.bash"
need_root

fast_drive fast
named pace cpu
