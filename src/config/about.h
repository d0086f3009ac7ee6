/*
 * What help and manual say of the programs beside the option table: constant texts.
 */
#ifndef CONFIG_ABOUT_H
#define CONFIG_ABOUT_H

#include "config/spec.h"

struct about_example {
    const char *command;
    const char *text;
};

struct about {
    enum spec_program program;
    const char *usage[3];             /* lines behind the program's name; NULL-terminated */
    const char *summary;              /* a few words, for the manual's NAME */
    const char *description[6];       /* paragraphs; NULL-terminated */
    struct about_example examples[6]; /* ends with a NULL command */
};

const struct about *about_program(enum spec_program program);

/* "Dataset" for the rows of group "load" ... */
const char *about_group(const char *group, size_t len);

struct about_exit {
    int code;
    const char *text;
};
#define ABOUT_EXITS 5
extern const struct about_exit about_exits[ABOUT_EXITS];

#endif
