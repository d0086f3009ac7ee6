#!/bin/bash
# The tool against itself in real time, on the null backend: TPS is what the closed loop says, what
# is recorded is what was injected, and a stall of 1 s shows in response and not in service.
# shellcheck source=tests/perf/perf_lib.bash
. "$ROOT/tests/perf/perf_lib.bash"

# N / (Z + R), within the chance of the sample's size: sigma = sqrt(0.462 / n).
run loop users=15000 factor=0.226 sessions=200 precondition=3 sample=10 service=20ms
want=$(calc "15000 / ($(figure loop mean_cycle_s) + $(figure loop response_avg) / 1000)")
off=$(calc "($(figure loop tps) / $want - 1) * 100")
allowed=$(calc "100 * 4 * sqrt(0.462 / $(figure loop transactions))")
echo "TPS $(figure loop tps), by the model $want: off by $off % (4 sigma: $allowed %)"
echo "service 20 ms: avg $(figure loop service_avg), p50 $(figure loop service_p50), p99 $(figure loop service_p99); lateness avg $(figure loop lateness_avg), p99 $(figure loop lateness_p99)"
holds "$off < $allowed && $off > -$allowed" || fail "TPS is not the model's"
holds "$(figure loop service_p50) >= 20 && $(figure loop service_p50) < 20.5" || fail "service p50"
holds "$(figure loop service_avg) >= 20" || fail "nothing is shorter than what was injected"
holds "$(figure loop response_avg) >= $(figure loop service_avg)" || fail "response holds service"

# 286 TPS for 9 s, of which the stall hits 1 in 9; only 4 of them have a session.
run stall users=3000 factor=0.5 sessions=4 precondition=2 sample=9 service=2ms stall_at=6 stall=1
echo "stall of 1 s: response p99 $(figure stall response_p99), max $(figure stall response_max); service p99 $(figure stall service_p99), max $(figure stall service_max)"
holds "$(figure stall response_p99) > 500" || fail "the stall is not in the response"
holds "$(figure stall response_max) >= 950" || fail "the stall is not whole"
holds "$(figure stall service_p99) < 500" || fail "the stall is in the service of the others"

# One session, 10 ms, more than it can do: the queue is in the response alone.
run queue users=1000 factor=0.25 sessions=1 precondition=5 sample=5 service=10ms
echo "queue: TPS $(figure queue tps), response $(figure queue response_avg), queue $(figure queue queue_avg), service $(figure queue service_avg)"
holds "$(figure queue service_p50) < 11" || fail "the queue is in the service"
holds "$(figure queue response_avg) > 20 * $(figure queue service_avg)" || fail "the queue is not in the response"
