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

static const struct unit_test tests[] = {
    {"the offset lands on the sample", test_offset_lands_on_the_sample},
};
const struct unit_suite checkpoint_suite = UNIT_SUITE("checkpoint", tests);
