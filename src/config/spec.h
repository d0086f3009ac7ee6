/*
 * THE option table: one row per setting. From a row come the YAML key, `--set PATH=VALUE`, the long
 * option, the help, the man pages, config/README.md, plan.yaml and the origin in `--dry-run`;
 * nothing about a setting is written anywhere else.
 */
#ifndef CONFIG_SPEC_H
#define CONFIG_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/settings.h"

#define TPCC_VERSION "0.1.0"

/* The programs that share the table; bits. */
enum spec_program {
    PROGRAM_RUN = 1,     /* tpcc-run */
    PROGRAM_LOAD = 2,    /* tpcc-load */
    PROGRAM_CHECK = 4,   /* tpcc-check */
    PROGRAM_REPORT = 8,  /* tpcc-report */
    PROGRAM_PREP = 16,   /* drive-prep */
    PROGRAM_SWEEP = 32,  /* drive-sweep */
    PROGRAM_REVIEW = 64, /* drive-review */
};
#define PROGRAM_DRIVES (PROGRAM_PREP | PROGRAM_SWEEP) /* those that know no database */

/* What the text of a value must be, and the C type of the field that takes it. */
enum spec_type {
    SPEC_BOOL,    /* bool; true, yes, on; false, no, off; or the two choices, the false one first */
    SPEC_COUNT,   /* uint64_t */
    SPEC_INTEGER, /* int64_t */
    SPEC_DECIMAL, /* double */
    SPEC_DURATION, /* uint64_t, ns */
    SPEC_BYTES,    /* uint64_t */
    SPEC_CHOICE,   /* int: the index in choices */
    SPEC_TIME,     /* int64_t, us since 1970 UTC: "2026-11-30T13:45:01Z" */
    SPEC_TEXT,     /* char * */
    SPEC_PATH,     /* char *: a file or directory */
    SPEC_LIST,     /* char *[SETTINGS_DEVICES_MAX], their number at offset_n */
    SPEC_DIST, /* struct settings_dist_of: "18s", "negexp 12s", "uniform 1s 3s", "normal 5s 1s" */
};

enum spec_flag {                  /* bits */
                 SPEC_AUTO = 1,   /* "auto" is a value, stored as auto_value: the plan decides */
                 SPEC_SECRET = 4, /* may hold a password: only ever shown through config_redact() */
                 SPEC_MAY_REPEAT =
                     8,            /* the option may be given again, a YAML value may be a list */
                 SPEC_ACTION = 16, /* asks for one thing once: not in plan.yaml */
                 SPEC_HIDDEN = 32, /* for tests: in no help */
                 SPEC_ODBC = 64,   /* a SECRET in ODBC's form, else in libpq's */
                 SPEC_NONE = 128,  /* "none" is a value of a size, stored as UINT64_MAX */
};

struct spec {
    const char *path; /* "run.duration": group, dot, word (workload has a third level) */
    enum spec_type type;
    unsigned flags;    /* enum spec_flag */
    unsigned programs; /* enum spec_program: whose command line has it */
    unsigned also;     /* ... who takes it by a file or --set only, where the option is another's */
    size_t offset;     /* in struct settings */
    size_t offset_n;   /* SPEC_LIST only */
    int64_t auto_value;
    const char *def; /* as the user would write it; NULL: unset */
    const char *min; /* as the user would write them; NULL: no limit */
    const char *max;
    const char *const *choices; /* NULL-terminated */
    const char *option;         /* the long option without "--"; NULL: only YAML and --set */
    const char *unit;           /* the placeholder of the value: "DIR", "BYTES", "T" */
    const char *help;           /* one sentence without a full stop */
};

/* A command-line word that is not a setting. */
struct spec_command {
    const char *option;
    const char *unit; /* NULL: takes no value */
    unsigned programs;
    const char *help;
};

/* All rows, grouped, in the order of the documents. */
extern const struct spec config_spec[];
#define CONFIG_SPEC_ROWS 106

extern const struct spec_command config_commands[];
#define CONFIG_COMMANDS 6

/* "tpcc-run" ... */
const char *spec_program_name(enum spec_program program);

/* The row, or NULL. In a path "-" and "_" are one: sweep.point_duration. */
const struct spec *spec_find(const char *path);
const struct spec *spec_find_option(const char *option, enum spec_program program);
/* Whether it is a setting of this program, with an option or without. */
bool spec_takes(const struct spec *row, enum spec_program program);
/* Index of a row in config_spec. */
size_t spec_index(const struct spec *row);
/* "run" of "run.duration": its length. */
size_t spec_group_len(const struct spec *row);

/* The nearest path or group, or the nearest option of this program, to a word that is none; NULL
 * where nothing is near. */
const char *spec_suggest_path(const char *word);
const char *spec_suggest_option(const char *word, enum spec_program program);

#endif
