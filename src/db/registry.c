/*
 * The one list of backends, and the check at start-up that each has what its caps promise, so that
 * the hot path never looks at a pointer for NULL.
 */
#include <string.h>

#include "db/null.h"
#include "db/odbc.h"
#include "db/pq.h"
#include "db/session.h"

static const struct db_ops *const backends[] = {
    &pq_ops,
    &odbc_ops,
    &null_ops,
};

const struct db_ops *db_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(backends); i++)
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
    return NULL;
}

static void check_one(const struct db_ops *ops)
{
    CHECK(ops->name);
    CHECK(ops->create);
    CHECK(ops->open);
    CHECK(ops->submit);
    CHECK(ops->advance);
    CHECK(ops->cancel);
    CHECK(ops->error);
    CHECK(ops->alive);
    CHECK(ops->config);
    CHECK(ops->close);
    CHECK(!(ops->caps & DB_CAP_ASYNC) || ops->wait_fd);
    if (ops->caps & DB_CAP_COPY) {
        CHECK(ops->bulk_begin);
        CHECK(ops->bulk_put);
        CHECK(ops->bulk_end);
    }
}

void db_registry_check(void)
{
    for (size_t i = 0; i < ARRAY_LEN(backends); i++) {
        check_one(backends[i]);
        CHECK(db_find(backends[i]->name) == backends[i]); /* names are unique */
    }
}
