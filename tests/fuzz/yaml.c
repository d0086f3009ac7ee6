/*
 * Any bytes as a configuration file: refused with one line, or valid, planned, printed, and written
 * as YAML that reads back. run.workload is held at `inline`, so that no file is opened.
 */
#include <stdint.h>
#include <string.h>

#include "config/config.h"
#include "config/rules.h"
#include "plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct origin file = {.kind = ORIGIN_CONFIG, .file = "fuzz.yaml"};

static const struct plan_facts facts = {
    .memory_bytes = UINT64_C(8000000000),
    .cpus = 2,
    .private_server = true,
    .fs_size_bytes = UINT64_C(100000000000),
    .fs_free_bytes = UINT64_C(50000000000),
    .free_connections = -1,
};

static void expect_message(const struct err *err)
{
    CHECK(err->kind == ERR_USAGE || err->kind == ERR_SURROUNDINGS);
    CHECK(err->text[0]);
    CHECK(!strchr(err->text, '\n'));
}

static int read_config(struct config *c, const char *bytes, size_t size, struct err *err)
{
    CHECK(config_set_pair(c, "run.workload=inline", err) == 0);
    if (config_read_text(c, bytes, size, &file, err) < 0)
        return -1;
    CHECK(config_read_workload(c, NULL, err) == 0);
    return config_validate(c, err);
}

static void write_and_read_back(const struct plan *plan, const struct config *c)
{
    struct strbuf yaml;
    struct config again;
    struct err err = {0};

    strbuf_init(&yaml);
    plan_yaml(plan, &c->s, &yaml);
    config_init(&again, PROGRAM_RUN);
    CHECK(read_config(&again, yaml.buf, yaml.len, &err) == 0);
    config_release(&again);
    strbuf_release(&yaml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config c;
    struct plan plan;
    struct strbuf out;
    struct err err = {0};

    config_init(&c, PROGRAM_RUN);
    strbuf_init(&out);
    if (read_config(&c, (const char *)data, size, &err) < 0) {
        expect_message(&err);
        goto out;
    }
    if (plan_build(&plan, &c.s, &facts, &err) < 0)
        expect_message(&err);
    if (plan.printable) {
        plan_print(&plan, &c.s, &facts, &out);
        plan_print_origins(&plan, &c, &out);
        write_and_read_back(&plan, &c);
    }
out:
    strbuf_release(&out);
    config_release(&c);
    return 0;
}
