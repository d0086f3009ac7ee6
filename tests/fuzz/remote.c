/*
 * Fuzz: what another host answers, line by line, as each of the answers it may be. What is accepted
 * is whole: a canonical path, as many devices as were asked for.
 */
#include "drive/remote_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void answer(const char *line)
{
    static struct remote_take take;
    struct remote_hello hello;
    struct remote_date date;
    struct blockdev_path path;
    struct err err = {0};

    if (remote_parse_hello(line, &hello, &err) > 0)
        CHECK(strlen(hello.boot_id) < sizeof(hello.boot_id));
    for (size_t n = 0; n < 3; n++) {
        if (remote_parse_take(line, n, &take, &err) == 0)
            CHECK(take.n == n);
    }
    if (remote_parse_date(line, &date, &err) == 0)
        CHECK(date.tick_ns >= 1);
    if (remote_parse_path(line, &path, &err) == 0)
        CHECK(path.canonical[0] == '/');
    else
        CHECK(path.canonical == NULL);
    free(path.canonical);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xstrndup((const char *)data, size);
    char *rest = text;

    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n"))
        answer(line);
    free(text);
    return 0;
}
