#!/bin/bash
# 1,000,000 users in one process: at most 64 bytes each beyond the fixed part, and at equal TPS, fixed
# costs subtracted, at most 1.5 times the CPU a transaction of 15,000 users.
# timeout: 120
# shellcheck source=tests/perf/perf_lib.bash
. "$ROOT/tests/perf/perf_lib.bash"

# The sample is an hour, so that all users' timers are armed; each run is interrupted. All at
# 3,162 TPS but the first, which has hardly a transaction.
common=(sessions=71 precondition=3 sample=1h drain=5)
run_for 12 none "${common[@]}" users=10 factor=1000
run_for 15 few "${common[@]}" users=15000 factor=0.226
run_for 18 many "${common[@]}" users=1000000 factor=15.06667

bytes=$(calc "($(figure many rss_bytes) - $(figure none rss_bytes)) / 1000000")
fixed=$(figure none cpu_percent)
cpu() { calc "($(figure "$1" cpu_percent) - $fixed) * 10000 / $(figure "$1" tps)"; }
few=$(cpu few)
many=$(cpu many)
ratio=$(calc "$many / $few")

echo "fixed: RSS $(calc "$(figure none rss_bytes) / 1048576") MiB, CPU $fixed %"
echo "15,000 users: RSS $(calc "$(figure few rss_bytes) / 1048576") MiB, TPS $(figure few tps), CPU $few us a transaction, lateness p99 $(figure few lateness_p99) ms"
echo "1,000,000 users: RSS $(calc "$(figure many rss_bytes) / 1048576") MiB, TPS $(figure many tps), CPU $many us a transaction, lateness p99 $(figure many lateness_p99) ms"
echo "bytes a user: $bytes (at most 64); CPU a transaction: $ratio times (at most 1.5)"

holds "$(figure few tps) > 3000 && $(figure many tps) > 3000" || fail "not at the ceiling of 3,162 TPS"
holds "$bytes <= 64" || fail "$bytes bytes a user"
holds "$ratio <= 1.5" || fail "$ratio times the CPU"
