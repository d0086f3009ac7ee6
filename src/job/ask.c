/*
 * Small questions to a server by the names of the dialect's blocks, so that no SQL stands in C.
 */
#include "job/ask.h"

#include <string.h>

#define ASK_NS                                                                                     \
    (3600 * NS_PER_S) /* a checkpoint on a slow drive takes long; a hung server for ever */

int ask_rows(struct session *s, const struct dialect *d, const char *name, struct rows *rows,
             struct err *err)
{
    const struct exec_opts opts = {.within_ns = ASK_NS};
    const struct stmt *stmt = dialect_need(d, name, err);

    if (!stmt)
        return -1;
    if (session_exec_text(s, stmt->text, rows, &opts, err) < 0)
        return err_wrap(err, "%s", name);
    return 0;
}

static const struct cell *ask_cell(struct session *s, const struct dialect *d, const char *name,
                                   uint16_t column, struct err *err)
{
    struct rows rows; /* its cells live in the session */

    if (ask_rows(s, d, name, &rows, err) < 0)
        return NULL;
    if (rows.n < 1 || rows.part[0].n_rows < 1 || rows.part[0].n_columns <= column) {
        err_set(err, ERR_SURROUNDINGS, "%s: the server answered no row", name);
        return NULL;
    }
    return rows_cell(&rows.part[0], 0, column);
}

int ask_i64(struct session *s, const struct dialect *d, const char *name, int64_t *out,
            struct err *err)
{
    const struct cell *c = ask_cell(s, d, name, 0, err);

    if (!c)
        return -1;
    if (cell_i64(c, out, err) < 0)
        return err_wrap(err, "%s", name);
    return 0;
}

char *ask_text_at(struct session *s, const struct dialect *d, const char *name, uint16_t column,
                  struct err *err)
{
    const struct cell *c = ask_cell(s, d, name, column, err);

    return c ? cell_dup(c) : NULL;
}

char *ask_text(struct session *s, const struct dialect *d, const char *name, struct err *err)
{
    return ask_text_at(s, d, name, 0, err);
}

int ask_all(struct session *s, const struct dialect *d, const char *prefix, struct err *err)
{
    const size_t len = strlen(prefix);
    struct rows rows;

    for (size_t i = 0; i < dialect_count(d); i++) {
        const struct stmt *stmt = dialect_at(d, i);

        if (strncmp(stmt->name, prefix, len) == 0 && ask_rows(s, d, stmt->name, &rows, err) < 0)
            return -1;
    }
    return 0;
}
