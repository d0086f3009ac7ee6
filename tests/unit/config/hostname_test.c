/*
 * config/hostname: where a host's name ends, and what is none.
 */
#include "config/hostname.h"

#include <string.h>

#include "base/check.h"
#include "harness/unit.h"

static void test_where_it_ends(void)
{
    static const struct {
        const char *text;
        size_t len;
        bool elsewhere;
        const char *rest;
    } rows[] = {
        {"nvme0n1", 0, false, "nvme0n1"},
        {"db1:nvme0n1", 3, true, "nvme0n1"},
        {"root@db1.example.com:sda", 20, true, "sda"},
        {"localhost:sda", 9, false, "sda"},
        {"localhost2:sda", 10, true, "sda"},
        {"127.0.0.1:/dev/disk/by-path/pci-0000:00", 9, true, "/dev/disk/by-path/pci-0000:00"},
        {"[::1]:sda", 5, true, "sda"},
        {"me@[fe80::1%eth0]:/srv", 17, true, "/srv"},
        {"[::1]sda", 0, false, "[::1]sda"},
        {"[::1:sda", 0, false, "[::1:sda"},
        {":sda", 0, false, ":sda"},
        {"db1:", 3, true, ""},
        {"/srv/a:b", 0, false, "/srv/a:b"},
        {"./a:b", 0, false, "./a:b"},
        {"", 0, false, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        UNIT_EQ_U64(rows[i].text, hostname_length(rows[i].text), rows[i].len);
        UNIT_EQ_I64(rows[i].text, hostname_is_elsewhere(rows[i].text), rows[i].elsewhere);
        UNIT_EQ_STR(rows[i].text, hostname_rest(rows[i].text), rows[i].rest);
    }
}

static void test_sane(void)
{
    static const char *const good[] = {"db1", "root@db1", "10.0.0.7", "[::1]", "a-b_c.d"};
    static const char *const bad[] = {
        "",     "-oProxyCommand=x", "a b", "a;b", "$(x)", "a\nb", "user@", "a'b", "a/b",
        "a\\b", "user:secret@db1"};

    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        UNIT_TRUE(good[i], hostname_is_sane(good[i], strlen(good[i])));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        UNIT_TRUE(bad[i], !hostname_is_sane(bad[i], strlen(bad[i])));
}

static const struct unit_test tests[] = {
    {"where it ends", test_where_it_ends},
    {"sane", test_sane},
};

const struct unit_suite hostname_suite = UNIT_SUITE("hostname", tests);
