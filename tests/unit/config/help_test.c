/*
 * Help, manual and reference: every setting is in them, lines fit, the committed reference is
 * current. The texts themselves are goldens.
 */
#include "config/help.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/xalloc.h"
#include "harness/unit.h"

static const enum spec_program programs[] = {PROGRAM_RUN,    PROGRAM_LOAD, PROGRAM_CHECK,
                                             PROGRAM_REPORT, PROGRAM_PREP, PROGRAM_SWEEP,
                                             PROGRAM_REVIEW};

static void test_help_has_all_options_in_80_columns(void)
{
    for (size_t k = 0; k < sizeof(programs) / sizeof(programs[0]); k++) {
        struct strbuf out;

        strbuf_init(&out);
        help_text(programs[k], &out);
        for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
            const struct spec *row = &config_spec[i];
            char *word = xasprintf("\n  --%s ", row->option ? row->option : "");
            const struct spec *here =
                row->option ? spec_find_option(row->option, programs[k]) : NULL;

            if (row->option)
                UNIT_TRUE(row->option, (strstr(out.buf, word) != NULL) ==
                                           (here && !(here->flags & SPEC_HIDDEN)));
            free(word);
        }
        for (const char *line = out.buf; *line;) {
            const size_t len = strcspn(line, "\n");

            UNIT_TRUE(line, len <= 80);
            UNIT_TRUE(line, len == 0 || line[len - 1] != ' ');
            line += len + (line[len] == '\n');
        }
        strbuf_release(&out);
    }
}

/* Nothing at the start of a line but requests and text, no bare dash. */
static void test_man_is_roff(void)
{
    for (size_t k = 0; k < sizeof(programs) / sizeof(programs[0]); k++) {
        struct strbuf out;

        strbuf_init(&out);
        help_man(programs[k], &out);
        UNIT_TRUE("", strncmp(out.buf, ".TH ", 4) == 0);
        for (const char *line = out.buf; *line;) {
            const size_t len = strcspn(line, "\n");

            UNIT_TRUE(line, len > 0);
            UNIT_TRUE(line, *line != '\'');
            if (*line == '.')
                UNIT_TRUE(line, line[1] >= 'A' && line[1] <= 'b');
            for (size_t i = 1; i < len && strncmp(line, ".TH", 3) != 0; i++)
                UNIT_TRUE(line, line[i] != '-' || line[i - 1] == '\\');
            line += len + (line[len] == '\n');
        }
        strbuf_release(&out);
    }
}

static void test_the_reference_is_current(void)
{
    struct fsroot here;
    struct strbuf out;
    struct err err = {0};
    char *cwd = getcwd(NULL, 0);
    char *path = NULL;
    char *file = NULL;

    fsroot_init(&here, "");
    strbuf_init(&out);
    help_reference(&out);
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        char *cell = xasprintf("\n| `%s` | ", config_spec[i].path);

        UNIT_TRUE(cell, (strstr(out.buf, cell) != NULL) == !(config_spec[i].flags & SPEC_HIDDEN));
        free(cell);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(cwd);
    path = xasprintf("%s/config/README.md", cwd);
    file = fsroot_read(&here, path, 1 << 20, &err);
    if (UNIT_TRUE(err.text, file != NULL))
        UNIT_TRUE("config/README.md: tpcc-run --reference >config/README.md",
                  strcmp(file, out.buf) == 0);
    free(file);
    free(path);
    free(cwd);
    strbuf_release(&out);
    fsroot_release(&here);
}

static const struct unit_test tests[] = {
    {"help has all options in 80 columns", test_help_has_all_options_in_80_columns},
    {"man is roff", test_man_is_roff},
    {"the reference is current", test_the_reference_is_current},
};
const struct unit_suite help_suite = UNIT_SUITE("help", tests);
