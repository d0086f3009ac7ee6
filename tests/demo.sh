#!/bin/bash
# The demo of the README: the main job at a size that two cores finish in three minutes, on a
# private server under /var/tmp, which is kept for the next time. Usage: tests/demo.sh PROGRAMS_DIR
set -u
bin=$1
drive=${DEMO_DRIVE:-/var/tmp/tpcc-demo}

mkdir -p "$drive" || exit 3
"$bin/drive-info" "$drive"
echo
"$bin/tpcc-run" --drive "$drive" --warehouses 10 --users 1000 --workload oltp \
    --duration 90s --sample 60s --label demo --yes
rc=$?
if [ $rc -eq 0 ]; then
    echo
    echo "The result lies in the directory above; \`$bin/tpcc-report\` prints it again."
    echo "The dataset stays for the next run; \`$bin/tpcc-run --drive $drive --remove\` removes it."
fi
exit $rc
