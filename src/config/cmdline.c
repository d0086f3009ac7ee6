/*
 * The long options of a program are rows of the option table and the commands of spec.c, numbered
 * for getopt_long. Values go straight into the config at the command line's rank. Beside it the
 * command line is put together again, with full option names and without secrets, for the result.
 */
#include "config/cmdline.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "config/odbcstr.h"
#include "config/spec_value.h"

enum {
    VAL_SPEC = 1000,    /* + index in config_spec */
    VAL_COMMAND = 2000, /* + index in config_commands */
};

struct parsing {
    struct config *c;
    struct option longs[CONFIG_SPEC_ROWS + CONFIG_COMMANDS + 1];
    struct strbuf command;
    struct strbuf base;
    struct err *err;
};

static void fill_longs(struct parsing *p)
{
    size_t n = 0;

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        if (row->option && (row->programs & p->c->program))
            p->longs[n++] = (struct option){
                .name = row->option,
                .has_arg = row->type == SPEC_BOOL ? no_argument : required_argument,
                .val = VAL_SPEC + (int)i,
            };
    }
    for (size_t i = 0; i < CONFIG_COMMANDS; i++) {
        if (config_commands[i].programs & p->c->program)
            p->longs[n++] = (struct option){
                .name = config_commands[i].option,
                .has_arg = config_commands[i].unit ? required_argument : no_argument,
                .val = VAL_COMMAND + (int)i,
            };
    }
}

void cmdline_quote(const char *word, struct strbuf *out)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "%+,-./:=@_";

    if (*word && !word[strspn(word, plain)]) {
        strbuf_adds(out, word);
        return;
    }
    strbuf_addc(out, '\'');
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            strbuf_adds(out, "'\\''");
        else
            strbuf_addc(out, *c);
    }
    strbuf_addc(out, '\'');
}

/* Notes " --option value"; size tells whether it says how much room the run takes. */
static void note(struct parsing *p, const char *option, const char *value, bool size)
{
    struct strbuf word;

    strbuf_init(&word);
    strbuf_addf(&word, " --%s", option);
    if (value) {
        strbuf_addc(&word, ' ');
        cmdline_quote(value, &word);
    }
    strbuf_adds(&p->command, word.buf);
    if (!size)
        strbuf_adds(&p->base, word.buf);
    strbuf_release(&word);
}

static bool says_size(const struct spec *row)
{
    return strcmp(row->path, "run.users") == 0 || strcmp(row->path, "load.warehouses") == 0 ||
           strcmp(row->path, "load.size") == 0;
}

/* Overwrites what a list of processes shows. */
static void hide(char *secret, const char *shown)
{
    for (char *c = secret; *c; c++)
        *c = *shown ? *shown++ : ' ';
}

static int take_row(struct parsing *p, const struct spec *row, char *value)
{
    char *option = xasprintf("--%s", row->option);
    const struct origin origin = {.kind = ORIGIN_COMMAND, .option = option};
    const int rc = config_set(p->c, row->path, value ? value : "true", &origin, p->err);
    char *shown = NULL;

    if (value && (row->flags & SPEC_SECRET)) {
        shown = config_redact(row, value);
        hide(value, shown);
    }
    note(p, row->option, shown ? shown : value, says_size(row));
    free(shown);
    free(option);
    return rc;
}

static int take_set(struct parsing *p, char *pair)
{
    const int rc = config_set_pair(p->c, pair, p->err);
    char *equals = strchr(pair, '=');
    char *path = xstrndup(pair, equals ? (size_t)(equals - pair) : strlen(pair));
    const struct spec *row = spec_find(path);

    if (equals && row && (row->flags & SPEC_SECRET)) {
        char *shown = config_redact(row, equals + 1);

        hide(equals + 1, shown);
        free(shown);
    }
    note(p, "set", pair, row && says_size(row));
    free(path);
    return rc;
}

/* Commands other than --config and --set end the parsing. */
static int take_command(struct parsing *p, const char *option, char *value, enum cmdline_asks *asks)
{
    static const struct {
        const char *option;
        enum cmdline_asks asks;
    } words[] = {
        {"help", CMDLINE_HELP},
        {"version", CMDLINE_VERSION},
        {"man", CMDLINE_MAN},
        {"reference", CMDLINE_REFERENCE},
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strcmp(words[i].option, option) == 0) {
            *asks = words[i].asks;
            return 0;
        }
    }
    if (strcmp(option, "set") == 0)
        return take_set(p, value);
    CHECK(strcmp(option, "config") == 0);
    note(p, option, value, false);
    return config_read_file(p->c, value, ORIGIN_CONFIG, false, p->err);
}

static const char *name_of(const struct parsing *p, int val)
{
    for (const struct option *o = p->longs; o->name; o++) {
        if (o->val == val)
            return o->name;
    }
    UNREACHABLE();
}

/* `word` as the user wrote it; what stands behind "=" may be a secret. */
static int unknown_option(const struct parsing *p, const char *word)
{
    const char *program = spec_program_name(p->c->program);
    const char *dashes = strncmp(word, "--", 2) == 0 ? word + 2 : word;
    char *option = xstrndup(dashes, strcspn(dashes, "="));
    const char *near = spec_suggest_option(option, p->c->program);
    bool elsewhere = false;

    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++)
        elsewhere =
            elsewhere || (config_spec[i].option && strcmp(config_spec[i].option, option) == 0);
    if (elsewhere)
        err_set(p->err, ERR_USAGE, "--%.80s is not an option of %s (%s --help lists them)", option,
                program, program);
    else if (near)
        err_set(p->err, ERR_USAGE, "\"--%.80s\" is not an option (try --%s)", option, near);
    else
        err_set(p->err, ERR_USAGE, "\"--%.80s\" is not an option (%s --help lists them)", option,
                program);
    free(option);
    return -1;
}

static int wrong_option(const struct parsing *p, int got, char **argv)
{
    if (got == ':')
        return err_set(p->err, ERR_USAGE, "--%s needs a value", name_of(p, optopt));
    if (optopt >= VAL_SPEC)
        return err_set(p->err, ERR_USAGE, "--%s takes no value (for a false one: --set)",
                       name_of(p, optopt));
    if (optopt)
        return err_set(p->err, ERR_USAGE, "\"-%c\" is not an option (%s --help lists them)", optopt,
                       spec_program_name(p->c->program));
    return unknown_option(p, argv[optind - 1]);
}

static bool takes_words(enum spec_program program)
{
    return program == PROGRAM_REPORT || program == PROGRAM_SWEEP || program == PROGRAM_PREP;
}

static int take_words(struct parsing *p, int argc, char **argv)
{
    const char *program = spec_program_name(p->c->program);

    for (int i = optind; i < argc; i++) {
        if (!takes_words(p->c->program)) /* the word may be a secret */
            return err_set(p->err, ERR_USAGE,
                           "\"%.*s\": %s takes options only (%s --help lists them)",
                           (int)strcspn(argv[i], "=:@ "), argv[i], program, program);
        VEC_PUSH(&p->c->args, xstrdup(argv[i]));
        strbuf_addc(&p->command, ' ');
        cmdline_quote(argv[i], &p->command);
    }
    if (p->c->program == PROGRAM_REPORT && p->c->args.n == 0 && !p->c->s.output.list)
        return err_set(p->err, ERR_USAGE, "name a result directory (%s --help)", program);
    if (p->c->program == PROGRAM_SWEEP && p->c->args.n != 1)
        return err_set(p->err, ERR_USAGE, "name one device or file (%s --help)", program);
    if (p->c->program == PROGRAM_PREP && p->c->args.n != 1)
        return err_set(p->err, ERR_USAGE, "name one device (%s --help)", program);
    return 0;
}

static int take_options(struct parsing *p, int argc, char **argv, enum cmdline_asks *asks)
{
    optind = 0; /* begin anew, also in the GNU library's own state */
    opterr = 0;
    for (;;) {
        const int got = getopt_long(argc, argv, ":h", p->longs, NULL);
        int rc = 0;

        if (got == -1)
            return take_words(p, argc, argv);
        if (got == 'h')
            *asks = CMDLINE_HELP;
        else if (got >= VAL_COMMAND)
            rc = take_command(p, name_of(p, got), optarg, asks);
        else if (got >= VAL_SPEC)
            rc = take_row(p, &config_spec[got - VAL_SPEC], optarg);
        else
            rc = wrong_option(p, got, argv);
        if (rc < 0 || *asks != CMDLINE_WORK)
            return rc;
    }
}

int cmdline_parse(struct config *c, int argc, char **argv, enum cmdline_asks *asks, struct err *err)
{
    struct parsing p = {.c = c, .err = err};
    int rc = -1;

    *asks = CMDLINE_WORK;
    strbuf_init(&p.command);
    strbuf_init(&p.base);
    strbuf_adds(&p.command, spec_program_name(c->program));
    strbuf_adds(&p.base, spec_program_name(c->program));
    fill_longs(&p);
    rc = take_options(&p, argc, argv, asks);
    free(c->command);
    free(c->command_base);
    c->command = strbuf_detach(&p.command);
    c->command_base = strbuf_detach(&p.base);
    strbuf_release(&p.command);
    strbuf_release(&p.base);
    return rc;
}
