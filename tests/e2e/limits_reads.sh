#!/bin/bash
# What limited a run is named on a drive whose reads take 50 ms, with nothing of the dataset in memory.
# may-skip: a machine without /dev/fuse has no such drive
# timeout: 240
# shellcheck disable=SC1091,SC2153
. "$(dirname "$0")/limits_lib.bash"
need_root
need_slow_drives

new_drive reads delay-read=50ms
named reads
