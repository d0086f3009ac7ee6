/*
 * --help: one line or a few per option, in the groups of the table, 80 columns wide.
 */
#include "config/help.h"

#include <string.h>

#include "config/about.h"

enum { WIDTH = 80, TEXT_COLUMN = 26 };

/* Words of `text` from column `at` on, wrapped at WIDTH, further lines indented. */
static void add_wrapped(struct strbuf *out, const char *text, size_t indent)
{
    size_t column = indent;

    while (*text) {
        const size_t len = strcspn(text, " ");

        if (column > indent && column + 1 + len > WIDTH) {
            strbuf_addf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            strbuf_addc(out, ' ');
            column++;
        }
        strbuf_add(out, text, len);
        column += len;
        text += len + strspn(text + len, " ");
    }
    strbuf_addc(out, '\n');
}

static void add_option(struct strbuf *out, const char *option, const char *unit, const char *text)
{
    const size_t before = out->len;

    strbuf_addf(out, "  --%s%s%s", option, unit ? " " : "", unit ? unit : "");
    if (out->len - before + 1 >= TEXT_COLUMN)
        strbuf_addf(out, "\n%*s", TEXT_COLUMN, "");
    else
        strbuf_addf(out, "%*s", (int)(TEXT_COLUMN - (out->len - before)), "");
    add_wrapped(out, text, TEXT_COLUMN);
}

static void add_row(struct strbuf *out, const struct spec *row)
{
    struct strbuf text;

    strbuf_init(&text);
    strbuf_adds(&text, row->help);
    if (row->def && row->type != SPEC_BOOL && strcmp(row->def, "auto") != 0)
        strbuf_addf(&text, " (default %s)", row->def);
    add_option(out, row->option, row->type == SPEC_BOOL ? NULL : row->unit, text.buf);
    strbuf_release(&text);
}

static void add_rows(struct strbuf *out, enum spec_program program)
{
    const struct spec *before = NULL;

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];
        const size_t len = spec_group_len(row);

        if (!row->option || !(row->programs & program) || (row->flags & SPEC_HIDDEN))
            continue;
        if (!before || spec_group_len(before) != len || memcmp(before->path, row->path, len) != 0)
            strbuf_addf(out, "\n%s\n", about_group(row->path, len));
        add_row(out, row);
        before = row;
    }
}

void help_text(enum spec_program program, struct strbuf *out)
{
    const struct about *about = about_program(program);
    const char *name = spec_program_name(program);

    for (size_t i = 0; about->usage[i]; i++)
        strbuf_addf(out, "%s %s %s\n", i ? "      " : "Usage:", name, about->usage[i]);
    for (size_t i = 0; about->description[i]; i++) {
        strbuf_addc(out, '\n');
        add_wrapped(out, about->description[i], 0);
    }
    add_rows(out, program);
    strbuf_adds(out, "\nGeneral\n");
    for (size_t i = 0; i < CONFIG_COMMANDS; i++) {
        if (config_commands[i].programs & program)
            add_option(out, config_commands[i].option, config_commands[i].unit,
                       config_commands[i].help);
    }
    strbuf_adds(out, "\nExamples\n");
    for (size_t i = 0; about->examples[i].command; i++)
        strbuf_addf(out, "  %s\n      %s\n", about->examples[i].command, about->examples[i].text);
    strbuf_adds(out, "\nExit codes\n");
    for (size_t i = 0; i < ABOUT_EXITS; i++)
        strbuf_addf(out, "  %3d  %s\n", about_exits[i].code, about_exits[i].text);
    if (program != PROGRAM_REPORT) {
        strbuf_addc(out, '\n');
        add_wrapped(
            out,
            "Durations are written 90s, 5m or 1h30m, sizes 48GB or 48GiB. All settings, also "
            "those without an option of their own, are in config/README.md (--reference).",
            0);
    }
}
