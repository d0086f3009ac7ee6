#!/bin/bash
# What limited a run is named, on a drive whose writes take 5 ms: flushes, a hot warehouse and too few
# sessions. (All rigs, often: tests/soak/limits.sh.)
# may-skip: a machine without /dev/fuse has no such drive
# timeout: 240
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/limits_lib.bash"
need_root
need_slow_drives

new_drive writes delay-write=5ms
named flushes locks sessions
