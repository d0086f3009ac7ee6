/*
 * A server behind an ODBC driver: the connection string from where it is, the database's own name
 * for itself, and the dialect that goes with it.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/xalloc.h"
#include "config/odbcstr.h"
#include "job/target.h"

static const struct {
    const char *dbms;   /* a part of what the driver tells */
    const char *kind;   /* its word in the result */
    const char *folder; /* of its dialect */
} kinds[] = {
    {"PostgreSQL", "postgresql", "postgresql"},
    {"MariaDB", "mariadb", "mariadb"},
    {"MySQL", "mysql", "mariadb"}, /* which says what differs */
    {"SQL Server", "sqlserver", "sqlserver"},
};

static int read_dialect(struct target *t, const char *dbms, struct err *err)
{
    const struct job_env *env = t->env;
    const char *folder = NULL;
    char *dir = NULL;

    t->kind = NULL;
    for (size_t i = 0; i < ARRAY_LEN(kinds) && !t->kind; i++)
        if (strcasestr(dbms, kinds[i].dbms)) {
            t->kind = kinds[i].kind;
            folder = kinds[i].folder;
        }
    if (!t->kind && !env->settings->target.dialect)
        return err_set(err, ERR_USAGE,
                       "there is no dialect for \"%.60s\" (--dialect DIR names a folder with one; "
                       "schema/README.md tells how to make it)",
                       dbms);
    dir = env->settings->target.dialect ? xstrdup(env->schema_dir)
                                        : xasprintf("%s/%s", env->schema_root, folder);
    t->dialect = dialect_read(dir, err);
    free(dir);
    if (!t->kind)
        t->kind = "other";
    return t->dialect ? 0 : -1;
}

int target_open_odbc(struct target *t, struct err *err)
{
    const struct db_about *about = NULL;
    struct db_config db;
    struct session *s = NULL;
    int rc = -1;

    t->ops = db_find("odbc");
    CHECK(t->ops != NULL);
    t->conninfo = odbcstr_resolve(t->env->settings->target.odbc, err);
    if (!t->conninfo)
        return -1;
    db = target_db(t);
    s = session_connect(t->ops, &db, 0, err);
    if (!s)
        return -1;
    about = session_about(s);
    CHECK(about != NULL);
    rc = read_dialect(t, about->dbms, err);
    session_free(s);
    t->why_no_devices = xstrdup("an ODBC driver does not tell where its server runs; name the "
                                "device with --device HOST:NAME, or localhost:NAME");
    return rc;
}
