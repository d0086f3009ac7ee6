/*
 * Generated nonsense: command lines of right and wrong words, and configurations cut, doubled and
 * mangled. Whatever comes: either valid, or one line of error of the kind that exits with 2. What
 * the programs make of some of them is tests/integration/nonsense.sh.
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/xalloc.h"
#include "config/cmdline.h"
#include "config/rules.h"
#include "harness/unit.h"

enum { LINES = 6000, FILES = 4000, WORDS_MAX = 10 };

static const char *const values[] = {
    "5",
    "0",
    "-1",
    "1h30m",
    "30s",
    "10GB",
    "auto",
    "quick",
    "x",
    "",
    "a=b",
    "host=/",
    "oltp",
    "tpcc",
    "--",
    "-",
    "sda",
    "1e999",
    "0x10",
    "\xff",
    "\n",
    "run.users=5",
    "load.size=10GB",
    "run.users",
    "=",
    ".=x",
    "workload.mix.payment=44",
    "postgresql://u:p@h/d",
    "99999999999999999999",
    "./nosuch.yaml",
    "/dev/null",
    "run.ramp=auto",
    "%s%n%d",
};

static const char *pick(struct rng *rng, const char *const *from, size_t n)
{
    return from[rng_uniform(rng, 0, (int64_t)n - 1)];
}

/* An option that is right, of another program, or with a letter changed. */
static char *random_option(struct rng *rng)
{
    const struct spec *row = &config_spec[rng_uniform(rng, 0, CONFIG_SPEC_ROWS - 1)];
    const struct spec_command *command = &config_commands[rng_uniform(rng, 0, 1)];
    const char *word = row->option ? row->option : command->option;
    char *option = xasprintf("--%s", word);

    if (rng_next(rng) % 8 == 0)
        option[rng_uniform(rng, 0, (int64_t)strlen(option) - 1)] = (char)rng_uniform(rng, 1, 127);
    return option;
}

static char *random_word(struct rng *rng)
{
    const char *value = pick(rng, values, sizeof(values) / sizeof(values[0]));
    char *option = NULL;
    char *word = NULL;

    switch (rng_next(rng) % 4) {
    case 0:
        return xstrdup(value);
    case 1:
        option = random_option(rng);
        word = xasprintf("%s=%s", option, value);
        free(option);
        return word;
    default:
        return random_option(rng);
    }
}

static enum spec_program random_program(struct rng *rng)
{
    return (enum spec_program)(1 << rng_uniform(rng, 0, 3));
}

static int finish(struct config *c, struct err *err)
{
    if (c->program == PROGRAM_RUN && config_read_workload(c, ".", err) < 0)
        return -1;
    return config_validate(c, err);
}

/* 1 where it was valid. */
static int expect_valid_or_message(const char *what, uint64_t seed, int rc, const struct err *err)
{
    if (rc == 0)
        return 1;
    UNIT_EQ_I64(what, err_exit_code(err), 2);
    if (!err->text[0] || strchr(err->text, '\n')) {
        UNIT_EQ_U64(what, seed, 0);
        UNIT_EQ_STR(what, err->text, "one line");
    }
    return 0;
}

static int one_line(uint64_t seed)
{
    struct rng rng = rng_at(seed);
    struct config c;
    struct err err = {0};
    enum cmdline_asks asks = CMDLINE_WORK;
    char *argv[WORDS_MAX + 2] = {xstrdup("program")};
    const int argc = 1 + (int)rng_uniform(&rng, 0, WORDS_MAX);
    char *words[WORDS_MAX + 2];
    int valid = 0;
    int rc = -1;

    for (int i = 1; i < argc; i++)
        argv[i] = random_word(&rng);
    memcpy(words, argv, sizeof(words)); /* getopt changes their order */
    config_init(&c, random_program(&rng));
    rc = cmdline_parse(&c, argc, argv, &asks, &err);
    if (rc == 0 && asks == CMDLINE_WORK)
        rc = finish(&c, &err);
    valid = expect_valid_or_message("command line", seed, rc, &err);
    config_release(&c);
    for (int i = 0; i < argc; i++)
        free(words[i]);
    return valid;
}

static void test_command_lines(void)
{
    int valid = 0;

    for (uint64_t seed = 1; seed <= LINES; seed++)
        valid += one_line(seed);
    UNIT_TRUE("some are valid", valid > LINES / 100);
    UNIT_TRUE("most are not", valid < LINES / 2);
}

/* The whole reference configuration, to be mangled. */
static void add_whole(struct strbuf *yaml)
{
    struct config c;

    config_init(&c, PROGRAM_RUN);
    config_write_yaml(&c.s, yaml);
    config_release(&c);
}

static void mangle(struct rng *rng, struct strbuf *yaml)
{
    static const char *const pieces[] = {
        "[",  "{", "}", ": ",    "- ",     "\n",           "\t", "&a ", "*a", "!!x ",
        "\"", "'", "#", "---\n", "run:\n", "  users: 5\n", "|",  ">",   "? ", "\x01"};
    const size_t at = (size_t)rng_uniform(rng, 0, (int64_t)yaml->len);
    const size_t n = (size_t)rng_uniform(rng, 1, 40);
    char *tail = xstrdup(yaml->buf + at);
    const size_t left = strlen(tail);

    yaml->len = at;
    yaml->buf[at] = 0;
    switch (rng_next(rng) % 4) {
    case 0: /* cut out */
        strbuf_adds(yaml, tail + (n < left ? n : left));
        break;
    case 1: /* twice */
        strbuf_add(yaml, tail, n < left ? n : left);
        strbuf_adds(yaml, tail);
        break;
    case 2: /* put in */
        strbuf_adds(yaml, pick(rng, pieces, sizeof(pieces) / sizeof(pieces[0])));
        strbuf_adds(yaml, tail);
        break;
    default: /* another value */
        strbuf_adds(yaml, pick(rng, values, sizeof(values) / sizeof(values[0])));
        strbuf_adds(yaml, tail + strcspn(tail, "\n"));
        break;
    }
    free(tail);
}

static int one_file(uint64_t seed)
{
    const struct origin file = {.kind = ORIGIN_CONFIG, .file = "nonsense.yaml"};
    struct rng rng = rng_at(seed);
    struct strbuf yaml;
    struct config c;
    struct err err = {0};
    int valid = 0;
    int rc = -1;

    strbuf_init(&yaml);
    add_whole(&yaml);
    for (int64_t i = rng_uniform(&rng, 1, 3); i > 0; i--)
        mangle(&rng, &yaml);
    config_init(&c, random_program(&rng));
    rc = config_read_text(&c, yaml.buf, yaml.len, &file, &err);
    if (rc == 0)
        rc = finish(&c, &err);
    valid = expect_valid_or_message(yaml.buf, seed, rc, &err);
    config_release(&c);
    strbuf_release(&yaml);
    return valid;
}

static void test_files(void)
{
    int valid = 0;

    for (uint64_t seed = 1; seed <= FILES; seed++)
        valid += one_file(seed);
    UNIT_TRUE("some are valid", valid > FILES / 100);
    UNIT_TRUE("most are not", valid < FILES / 2);
}

static const struct unit_test tests[] = {
    {"command lines", test_command_lines},
    {"files", test_files},
};
const struct unit_suite nonsense_suite = UNIT_SUITE("nonsense", tests);
