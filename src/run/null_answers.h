/*
 * What a database would reply to the five transactions if it did all they ask and kept nothing: the
 * rows for the null backend's script (db/null.h), made from the arguments. Tests of the tool and of
 * its own cost run on it.
 */
#ifndef RUN_NULL_ANSWERS_H
#define RUN_NULL_ANSWERS_H

#include "db/null.h"

/* A null_script's `answer`; its ctx is not used. */
void null_answers(const struct batch *b, struct null_answer *a, void *ctx);

#endif
