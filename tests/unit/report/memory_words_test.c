/*
 * The line about the memory: with and without a limit, a reason, a share of the reads.
 */
#include "report/memory_words.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "harness/unit.h"
#include "result/result.h"

static void expect(const char *what, const struct result *r, const char *want)
{
    struct strbuf out;

    strbuf_init(&out);
    memory_words(r, &out);
    UNIT_EQ_STR(what, out.buf, want);
    strbuf_release(&out);
}

static void test_words(void)
{
    static char role[] = "filesystem,leaf";
    struct result r;

    result_init(&r);
    expect("nothing known", &r, "dataset -, buffer -, limit none, RAM -");
    r.dataset.bytes_before = INT64_C(1140000000);
    r.database.buffer_bytes = 164000000;
    r.host.memory_bytes = INT64_C(25300000000);
    r.database.memory_unlimited = xstrdup("no right");
    expect("unlimited", &r, "dataset 1.14 GB, buffer 164 MB, limit none (no right), RAM 25.3 GB");
    r.database.memory_limit_bytes = 611000000;
    r.database.memory_limit_by = xstrdup("cgroup v1");
    VEC_PUSH(&r.drive.devices, ((struct result_device){.role = xstrdup(role)}));
    r.sample.server.page_reads_per_s = 256;
    r.sample.devices[0].read_mib_per_s = 1.5;
    expect("all of it", &r,
           "dataset 1.14 GB, buffer 164 MB, limit 611 MB by cgroup v1, RAM 25.3 GB; 75 % of the "
           "server's page reads reached the drive");
    result_release(&r);
}

static const struct unit_test tests[] = {
    {"memory in one line", test_words},
};
const struct unit_suite memory_words_suite = UNIT_SUITE("memory_words", tests);
