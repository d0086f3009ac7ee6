/*
 * --reference: config/README.md, all settings as tables in Markdown.
 */
#include "config/help.h"

#include <string.h>

#include "base/check.h"
#include "config/about.h"
#include "config/spec_value.h"
#include "config/targets.h"

static const char intro[] =
    "# Settings\n"
    "\n"
    "Generated from the option table by `tpcc-run --reference`; do not edit.\n"
    "\n"
    "Every setting has a path, `group.word`. It can stand in a YAML file,\n"
    "\n"
    "```yaml\n"
    "run:\n"
    "  users: 15000\n"
    "  duration: 3h\n"
    "```\n"
    "\n"
    "and on the command line as `--set run.users=15000`; those that scripts use most have an "
    "option\n"
    "of their own (`--users 15000`). Sources, later wins: defaults, `/etc/tpcc-run.yaml`,\n"
    "`./tpcc-run.yaml`, each `--config FILE`, the workload file, the command line.\n"
    "`tpcc-run --dry-run` shows each value with where it came from.\n"
    "\n"
    "- A workload file (`workloads/*.yaml`, or one of your own with `--workload ./mine.yaml`) has "
    "the\n"
    "  group `workload` only, and replaces that group as a whole. To set the group in a config "
    "file,\n"
    "  say `run: {workload: inline}` there. A result's `plan.yaml` is such a file: `tpcc-run "
    "--config\n"
    "  plan.yaml` repeats the run.\n"
    "- A duration is `90` or `90s`, `500ms`, `250us`, `5m`, `3h`, `1h30m`. A size is `512`, "
    "`48GB`\n"
    "  (powers of 1000), `48GiB` (powers of 1024).\n"
    "- A distribution is `fixed 18s` (or `18s`), `uniform 1s 3s` (from, to), `negexp 12s` "
    "(negative\n"
    "  exponential of this mean, cut at 10 means), `normal 5s 1s` (mean, standard deviation).\n"
    "- `auto` leaves a value to the plan.\n"
    "- Unknown and repeated keys, values out of range, wrong units and anything behind a value "
    "are\n"
    "  errors. YAML aliases and tags are not taken.\n";

/* What stands in a file only. */
static void add_targets(struct strbuf *out)
{
    const char *comma = "";

    strbuf_addf(out,
                "\n## Several targets at once (`" CONFIG_TARGETS "`)\n\n"
                "A list of %d to %d maps in a file, for `tpcc-run`:\n\n"
                "```yaml\n"
                "run: {users: 15000, duration: 3h}\n" CONFIG_TARGETS ":\n"
                "  - {label: vm1, drive: /mnt/vm1}\n"
                "  - {label: vm2, pg: \"host=db2 dbname=tpcc\", device: [\"db2:nvme0n1\"]}\n"
                "```\n\n"
                "Each names its server and may have of its own what is written without the group "
                "here:\n",
                CONFIG_TARGETS_LEAST, CONFIG_TARGETS_MOST);
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        if (!config_target_key(&config_spec[i]))
            continue;
        strbuf_addf(out, "%s`%s`", comma, config_target_key(&config_spec[i]));
        comma = ", ";
    }
    strbuf_adds(out,
                ".\nA target without a `seed` takes the next one, so that no two have the same "
                "inputs. Lists of one\nsource add up, a later source begins anew.\n");
}

/* "|" would end the cell. */
static void add_cell(struct strbuf *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '|')
            strbuf_addc(out, '\\');
        strbuf_addc(out, *c);
    }
}

static void add_type(struct strbuf *out, const struct spec *row)
{
    strbuf_adds(out, spec_type_words(row));
    for (size_t i = 0; row->choices && row->choices[i]; i++)
        strbuf_addf(out, "%s`%s`", i ? ", " : " ", row->choices[i]);
    if (row->min && row->max)
        strbuf_addf(out, ", %s to %s", row->min, row->max);
    else if (row->max)
        strbuf_addf(out, ", at most %s", row->max);
}

static void add_row(struct strbuf *out, const struct spec *row)
{
    strbuf_addf(out, "| `%s` | ", row->path);
    if (row->option) {
        strbuf_addf(out, "`--%s", row->option);
        if (row->type != SPEC_BOOL) {
            strbuf_addc(out, ' ');
            add_cell(out, row->unit);
        }
        strbuf_adds(out, "` ");
    }
    strbuf_adds(out, "| ");
    add_type(out, row);
    strbuf_adds(out, row->def ? " | `" : " | ");
    strbuf_adds(out, row->def ? row->def : "");
    strbuf_adds(out, row->def ? "` | " : " | ");
    add_cell(out, row->help);
    strbuf_adds(out, " |\n");
}

void help_reference(struct strbuf *out)
{
    const struct spec *before = NULL;

    strbuf_adds(out, intro);
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];
        const size_t len = spec_group_len(row);

        if (row->flags & SPEC_HIDDEN)
            continue;
        if (!before || spec_group_len(before) != len || memcmp(before->path, row->path, len) != 0)
            strbuf_addf(out,
                        "\n## %s (`%.*s`)\n\n"
                        "| setting | option | value | default | what |\n"
                        "| --- | --- | --- | --- | --- |\n",
                        about_group(row->path, len), (int)len, row->path);
        add_row(out, row);
        before = row;
    }
    add_targets(out);
}
