/* What each SQLSTATE means, with the connection alive or gone, before and after a commit was sent.
 */
#include "db/fault.h"

#include <stdio.h>
#include <string.h>

#include "harness/unit.h"

static void test_classes(void)
{
    static const struct {
        const char *state;
        bool alive;
        bool commits_sent;
        enum fault want;
    } cases[] = {
        {"55P03", true, true, FAULT_RETRY},     {"40001", true, true, FAULT_RETRY},
        {"40P01", true, false, FAULT_RETRY},    {"57014", true, true, FAULT_TIMEOUT},
        {"57P01", true, false, FAULT_LOST},     {"57P01", true, true, FAULT_IN_DOUBT},
        {"57P02", true, true, FAULT_IN_DOUBT},  {"57P03", true, false, FAULT_LOST},
        {"08006", true, true, FAULT_IN_DOUBT},  {"08000", true, false, FAULT_LOST},
        {"", false, false, FAULT_LOST},         {"", false, true, FAULT_IN_DOUBT},
        {"40001", false, true, FAULT_IN_DOUBT}, {"40001", false, false, FAULT_LOST},
        {"57014", false, true, FAULT_IN_DOUBT}, {"23505", true, true, FAULT_FATAL},
        {"53300", true, false, FAULT_FATAL},    {"57000", true, true, FAULT_FATAL},
        {"", true, true, FAULT_FATAL},          {"40002", true, true, FAULT_FATAL},
        {"22012", true, false, FAULT_FATAL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct err err = {.kind = ERR_DB};
        char what[64];

        (void)snprintf(err.sqlstate, sizeof(err.sqlstate), "%s", cases[i].state);
        snprintf(what, sizeof(what), "case %zu: %s", i, cases[i].state);
        UNIT_EQ_STR(what, fault_name(fault_classify(&err, cases[i].alive, cases[i].commits_sent)),
                    fault_name(cases[i].want));
    }
}

/* The message's text never counts: servers translate it. */
static void test_text_is_not_read(void)
{
    struct err err = {0};

    (void)err_set(&err, ERR_DB, "deadlock detected, connection lost, canceling statement");
    UNIT_EQ_I64("", fault_classify(&err, true, true), FAULT_FATAL);
}

/* Where SQLSTATE says nothing the database's own code tells, and it is that database's alone. */
static void test_native_codes(void)
{
    static const struct {
        enum err_owner owner;
        int32_t native;
        const char *state;
        bool commits_sent;
        enum fault want;
    } cases[] = {
        {ERR_OWNER_MARIADB, 1205, "HY000", true, FAULT_RETRY},
        {ERR_OWNER_MARIADB, 1213, "40001", true, FAULT_RETRY},
        {ERR_OWNER_MARIADB, 1969, "70100", true, FAULT_TIMEOUT},
        {ERR_OWNER_MARIADB, 1317, "70100", false, FAULT_TIMEOUT},
        {ERR_OWNER_MARIADB, 2013, "HY000", true, FAULT_IN_DOUBT},
        {ERR_OWNER_MARIADB, 2006, "HY000", false, FAULT_LOST},
        {ERR_OWNER_MARIADB, 1222, "21000", true, FAULT_FATAL},
        {ERR_OWNER_MARIADB, 1062, "23000", true, FAULT_FATAL},
        {ERR_OWNER_SQLSERVER, 1205, "40001", true, FAULT_RETRY},
        {ERR_OWNER_SQLSERVER, 1222, "HYT00", true, FAULT_RETRY},
        {ERR_OWNER_SQLSERVER, 3960, "HY000", true, FAULT_RETRY},
        {ERR_OWNER_SQLSERVER, 50001, "42000", true, FAULT_RETRY},
        {ERR_OWNER_MARIADB, 4031, "HY000", false, FAULT_LOST},
        {ERR_OWNER_SQLSERVER, 1213, "HY000", true, FAULT_FATAL},
        {ERR_OWNER_SQLSERVER, 20004, "HY000", true, FAULT_IN_DOUBT},
        {ERR_OWNER_SQLSERVER, 2627, "23000", true, FAULT_FATAL},
        {ERR_OWNER_NONE, 1205, "HY000", true, FAULT_FATAL},
        {ERR_OWNER_NONE, 1, "HYT00", true, FAULT_TIMEOUT},
        {ERR_OWNER_NONE, 1, "HY008", true, FAULT_TIMEOUT},
        {ERR_OWNER_NONE, 1, "08S01", true, FAULT_IN_DOUBT},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct err err = {
            .kind = ERR_DB, .owner = (uint8_t)cases[i].owner, .native = cases[i].native};
        char what[64];

        (void)snprintf(err.sqlstate, sizeof(err.sqlstate), "%s", cases[i].state);
        (void)snprintf(what, sizeof(what), "case %zu: %d", i, (int)cases[i].native);
        UNIT_EQ_STR(what, fault_name(fault_classify(&err, true, cases[i].commits_sent)),
                    fault_name(cases[i].want));
    }
}

static const struct unit_test tests[] = {
    {"classes", test_classes},
    {"native codes", test_native_codes},
    {"text is not read", test_text_is_not_read},
};
const struct unit_suite fault_suite = UNIT_SUITE("fault", tests);
