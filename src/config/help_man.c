/*
 * --man: the manual page of a program, in the man macros.
 */
#include "config/help.h"

#include <string.h>

#include "config/about.h"

/* Text as roff shows it: dashes that can be copied, no requests at the start of a line. */
static void add_roff(struct strbuf *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        strbuf_adds(out, "\\&");
    for (const char *c = text; *c; c++) {
        if (*c == '-')
            strbuf_adds(out, "\\-");
        else if (*c == '\\')
            strbuf_adds(out, "\\e");
        else
            strbuf_addc(out, *c);
    }
}

static void add_line(struct strbuf *out, const char *text)
{
    add_roff(out, text);
    strbuf_addc(out, '\n');
}

/* "--users N", "--set PATH=N". */
static void add_tag(struct strbuf *out, const char *dashes, const char *word, const char *unit)
{
    strbuf_adds(out, ".TP\n\\fB");
    add_roff(out, dashes);
    add_roff(out, word);
    strbuf_adds(out, "\\fR");
    if (unit) {
        strbuf_adds(out, strcmp(dashes, "--set ") == 0 ? "=\\fI" : " \\fI");
        add_roff(out, unit);
        strbuf_adds(out, "\\fR");
    }
    strbuf_addc(out, '\n');
}

static void add_row(struct strbuf *out, const struct spec *row, enum spec_program program)
{
    const char *option = row->programs & program ? row->option : NULL;

    add_tag(out, option ? "--" : "--set ", option ? option : row->path,
            row->type == SPEC_BOOL && option ? NULL : row->unit);
    strbuf_adds(out, "Setting ");
    add_roff(out, row->path);
    strbuf_adds(out, ": ");
    add_roff(out, row->help);
    if (row->def && row->type != SPEC_BOOL && strcmp(row->def, "auto") != 0) {
        strbuf_adds(out, "; default ");
        add_roff(out, row->def);
    }
    strbuf_adds(out, ".\n");
}

static void add_rows(struct strbuf *out, enum spec_program program)
{
    const struct spec *before = NULL;

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];
        const size_t len = spec_group_len(row);

        if (!spec_takes(row, program) || (row->flags & SPEC_HIDDEN))
            continue;
        if (!before || spec_group_len(before) != len || memcmp(before->path, row->path, len) != 0)
            strbuf_addf(out, ".SS %s\n", about_group(row->path, len));
        add_row(out, row, program);
        before = row;
    }
    strbuf_adds(out, ".SS General\n");
    for (size_t i = 0; i < CONFIG_COMMANDS; i++) {
        if (!(config_commands[i].programs & program))
            continue;
        add_tag(out, "--", config_commands[i].option, config_commands[i].unit);
        add_roff(out, config_commands[i].help);
        strbuf_adds(out, ".\n");
    }
}

static void add_files(struct strbuf *out, enum spec_program program)
{
    const bool prep = program == PROGRAM_PREP || program == PROGRAM_REVIEW;
    const char *const files[][2] = {
        {"/etc/tpcc-run.yaml", "settings of the machine"},
        {"./tpcc-run.yaml", "settings of the current directory"},
        {prep ? "/var/lib/tpcc-run/drives/" : "DIR/tpcc-run/",
         prep ? "a record of each preparation" : "the private server under --drive DIR"},
    };

    strbuf_adds(out, ".SH FILES\n");
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        strbuf_adds(out, ".TP\n.I ");
        add_line(out, files[i][0]);
        add_line(out, files[i][1]);
    }
    strbuf_adds(out, "Later ones win over earlier ones, then files of\n.BR \\-\\-config ,\n"
                     "then the workload file, then the command line.\n");
}

void help_man(enum spec_program program, struct strbuf *out)
{
    const struct about *about = about_program(program);
    const char *name = spec_program_name(program);

    strbuf_addf(out, ".TH %s 1 \"\" \"tpcc\\-run %s\" \"User Commands\"\n.SH NAME\n", name,
                TPCC_VERSION);
    add_roff(out, name);
    strbuf_adds(out, " \\- ");
    add_line(out, about->summary);
    strbuf_adds(out, ".SH SYNOPSIS\n");
    for (size_t i = 0; about->usage[i]; i++) {
        strbuf_adds(out, i ? ".br\n.B " : ".B ");
        add_line(out, name);
        add_line(out, about->usage[i]);
    }
    strbuf_adds(out, ".SH DESCRIPTION\n");
    for (size_t i = 0; about->description[i]; i++) {
        strbuf_adds(out, i ? ".PP\n" : "");
        add_line(out, about->description[i]);
    }
    strbuf_adds(out, ".SH OPTIONS\n");
    add_rows(out, program);
    if (program != PROGRAM_REPORT)
        add_files(out, program);
    strbuf_adds(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < ABOUT_EXITS; i++) {
        strbuf_addf(out, ".TP\n%d\n", about_exits[i].code);
        add_line(out, about_exits[i].text);
    }
    strbuf_adds(out, ".SH EXAMPLES\n");
    for (size_t i = 0; about->examples[i].command; i++) {
        strbuf_adds(out, ".TP\n.B ");
        add_line(out, about->examples[i].command);
        add_line(out, about->examples[i].text);
    }
}
