/* The beat of the checkpoints: a whole number of time-outs before the sample. */
#include "job/checkpoint.h"

#include "harness/unit.h"

static void test_offset_lands_on_the_sample(void)
{
    static const uint64_t minutes[][2] = {{150, 5}, {10, 3}, {7, 5}, {4, 5}, {0, 5}, {61, 2}};

    for (size_t i = 0; i < sizeof(minutes) / sizeof(minutes[0]); i++) {
        const uint64_t precondition = minutes[i][0] * 60 * NS_PER_S;
        const uint64_t timeout = minutes[i][1] * 60 * NS_PER_S;
        const uint64_t offset = checkpointer_offset_ns(precondition, timeout);

        CU_ASSERT(offset < timeout);
        CU_ASSERT_EQUAL((precondition - offset) % timeout, 0);
        CU_ASSERT(offset <= precondition);
    }
    CU_ASSERT_EQUAL(checkpointer_offset_ns(1000, 0), 0);
}

/* Followed look by look, as the thread does: in time to the nanosecond, however long it is. */
static void test_waits_by_itself(void)
{
    const uint64_t go_ns = 1000 * NS_PER_S + 7;
    const uint64_t offset_ns = 299 * NS_PER_S + 3;
    uint64_t now_ns = 900 * NS_PER_S;
    uint64_t wait_ns = 0;

    UNIT_EQ_U64("looks up", checkpointer_wait_ns(0, offset_ns, now_ns), NS_PER_S);
    while ((wait_ns = checkpointer_wait_ns(now_ns < go_ns ? 0 : go_ns, offset_ns, now_ns)) > 0) {
        UNIT_TRUE("a second at most", wait_ns <= NS_PER_S);
        now_ns += wait_ns;
    }
    UNIT_EQ_U64("at its time", now_ns, go_ns + offset_ns);
    UNIT_EQ_U64("late", checkpointer_wait_ns(go_ns, offset_ns, now_ns + NS_PER_S), 0);
}

static const struct unit_test tests[] = {
    {"waits by itself", test_waits_by_itself},
    {"the offset lands on the sample", test_offset_lands_on_the_sample},
};
const struct unit_suite checkpoint_suite = UNIT_SUITE("checkpoint", tests);
