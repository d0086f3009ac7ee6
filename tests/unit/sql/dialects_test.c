/*
 * The dialects that come with the program: each can be read, and has what PostgreSQL's has, with
 * the same parameters, but for what only PostgreSQL's driver or private server asks for.
 */
#include <stdio.h>
#include <string.h>

#include "harness/unit.h"
#include "sql/dialect.h"

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* What other dialects need not have. */
static bool is_optional(const char *name)
{
    static const char *const optional[] = {"odbc_",
                                           "session_options",
                                           "procedure_",
                                           "key_2_",
                                           "server_rights",
                                           "server_checkpoint",
                                           "server_data_directory",
                                           "server_tablespaces",
                                           "watch_"};

    for (size_t i = 0; i < ARRAY_LEN(optional); i++)
        if (begins(name, optional[i]))
            return true;
    return false;
}

/* schema/DIALECT/statements.sql, which a dialect may do without. */
static bool is_of_statements(const char *name)
{
    static const char *const prefixes[] = {"txn_",        "customers_named", "new_order_",
                                           "payment_",    "order_status_",   "delivery_",
                                           "stock_level_"};

    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        if (begins(name, prefixes[i]))
            return true;
    return false;
}

static void compare(const struct dialect *all, const char *dir, bool statements)
{
    struct err err = {0};
    struct dialect *d = dialect_read(dir, &err);

    CU_ASSERT_FATAL(UNIT_TRUE(err.text, d != NULL));
    for (size_t i = 0; i < dialect_count(all); i++) {
        const struct stmt *want = dialect_at(all, i);
        const struct stmt *got = dialect_find(d, want->name);

        if (is_optional(want->name) || (!statements && is_of_statements(want->name)))
            continue;
        if (UNIT_TRUE(want->name, got != NULL)) {
            UNIT_EQ_U64(want->name, got->n_params, want->n_params);
            UNIT_TRUE(want->name, memcmp(got->param_kind, want->param_kind, want->n_params) == 0);
        }
    }
    dialect_free(d);
}

static void test_same_blocks(void)
{
    struct err err = {0};
    struct dialect *all = dialect_read("schema/postgresql", &err);

    CU_ASSERT_FATAL(UNIT_TRUE(err.text, all != NULL));
    compare(all, "schema/mariadb", true);
    compare(all, "schema/sqlserver", false);
    dialect_free(all);
}

static bool is_watched_otherwise(const char *name)
{
    const size_t len = strlen(name);

    return strcmp(name, "watch_process") == 0 || (len > 3 && strcmp(name + len - 3, "_if") == 0);
}

/* No other names than PostgreSQL's, or nobody would ask; at least the waits, pages and log. */
static void test_watched(void)
{
    static const char *const dirs[] = {"schema/mariadb", "schema/sqlserver"};
    static const char *const least[] = {"watch_self", "watch_sessions", "watch_database",
                                        "watch_wal", "watch_wal_flushes"};
    struct err err = {0};
    struct dialect *all = dialect_read("schema/postgresql", &err);

    CU_ASSERT_FATAL(UNIT_TRUE(err.text, all != NULL));
    for (size_t k = 0; k < ARRAY_LEN(dirs); k++) {
        struct dialect *d = dialect_read(dirs[k], &err);

        CU_ASSERT_FATAL(UNIT_TRUE(err.text, d != NULL));
        for (size_t i = 0; i < ARRAY_LEN(least); i++)
            UNIT_TRUE(least[i], dialect_find(d, least[i]) != NULL);
        for (size_t i = 0; i < dialect_count(d); i++) {
            const struct stmt *st = dialect_at(d, i);

            if (!begins(st->name, "watch_"))
                continue;
            UNIT_TRUE(st->name, is_watched_otherwise(st->name) || dialect_find(all, st->name));
            UNIT_EQ_U64("without parameters", st->n_params, 0);
            UNIT_TRUE("MariaDB's driver asks for rows where this is the first word",
                      begins(st->text, "select "));
        }
        dialect_free(d);
    }
    dialect_free(all);
}

/* Through ODBC the sessions of a run have the settings that libpq gives on connecting. */
static void test_same_settings(void)
{
    struct err err = {0};
    struct dialect *d = dialect_read("schema/postgresql", &err);
    const struct stmt *options = d ? dialect_find(d, "session_options") : NULL;
    const struct stmt *odbc = d ? dialect_find(d, "odbc_session_run") : NULL;
    size_t n = 0;

    UNIT_TRUE(err.text, options != NULL && odbc != NULL);
    if (!options || !odbc)
        return;
    for (const char *at = strstr(options->text, "-c "); at; at = strstr(at, "-c ")) {
        const size_t name_len = strcspn(at + 3, "=");
        const size_t value_len = strcspn(at + 3 + name_len + 1, " \n");
        char want[160];

        (void)snprintf(want, sizeof(want), "set_config('%.*s', '%.*s', false)", (int)name_len,
                       at + 3, (int)value_len, at + 3 + name_len + 1);
        UNIT_TRUE(want, strstr(odbc->text, want) != NULL);
        at += 3 + name_len;
        n++;
    }
    UNIT_TRUE("there are some", n > 3);
    dialect_free(d);
}

static const struct unit_test tests[] = {
    {"the same blocks", test_same_blocks},
    {"what is watched", test_watched},
    {"the same settings", test_same_settings},
};
const struct unit_suite dialects_suite = UNIT_SUITE("dialects", tests);
