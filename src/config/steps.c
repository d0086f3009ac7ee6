/*
 * Reads the items between the commas one by one; the list as a whole must rise.
 */
#include "config/steps.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/xalloc.h"

#define EXAMPLE "(try 2000,5000,10000 or 1000..20000x1.5)"
#define FACTOR_LEAST 1.01

static int add(struct steps *out, uint64_t users, struct err *err)
{
    if (users < 1 || users > STEPS_USERS_MAX)
        return err_set(err, ERR_USAGE, "%" PRIu64 " users: a step has 1 to %d", users,
                       STEPS_USERS_MAX);
    if (out->n == STEPS_MAX)
        return err_set(err, ERR_USAGE, "more than %d steps", STEPS_MAX);
    if (out->n > 0 && users <= out->users[out->n - 1])
        return err_set(err, ERR_USAGE, "%" PRIu64 " users after %" PRIu64 ": steps must rise",
                       users, out->users[out->n - 1]);
    out->users[out->n++] = users;
    return 0;
}

static int wrong(const char *item, struct err *err)
{
    return err_set(err, ERR_USAGE, "\"%.40s\" is neither a number of users nor a range of them %s",
                   item, EXAMPLE);
}

/* From `first` on, each times the factor, and `last`. */
static int add_range(struct steps *out, uint64_t first, uint64_t last, double factor,
                     struct err *err)
{
    double next = (double)first;

    for (uint64_t users = first; users < last; users = (uint64_t)llround(next)) {
        if (add(out, users, err) < 0)
            return -1;
        next = fmax(next * factor, (double)users + 1);
    }
    return add(out, last, err);
}

/* "1000..20000x1.5", cut up in place. */
static int parse_range(char *item, char *dots, struct steps *out, struct err *err)
{
    char *times = strchr(dots + 2, 'x');
    uint64_t first = 0;
    uint64_t last = 0;
    double factor = 0;
    struct err part = {0};

    if (!times)
        return err_set(err, ERR_USAGE, "\"%.40s\" has no factor between its steps %s", item,
                       EXAMPLE);
    *dots = '\0';
    *times = '\0';
    if (units_parse_u64(item, &first, &part) < 0 || units_parse_u64(dots + 2, &last, &part) < 0 ||
        units_parse_double(times + 1, &factor, &part) < 0) {
        *dots = '.';
        *times = 'x';
        return wrong(item, err);
    }
    if (first >= last)
        return err_set(err, ERR_USAGE, "%" PRIu64 "..%" PRIu64 ": a range must rise", first, last);
    if (!(factor >= FACTOR_LEAST))
        return err_set(err, ERR_USAGE, "a factor of %s between steps: at least %g", times + 1,
                       FACTOR_LEAST);
    return add_range(out, first, last, factor, err);
}

static int parse_item(char *item, struct steps *out, struct err *err)
{
    char *dots = strstr(item, "..");
    uint64_t users = 0;
    struct err part = {0};

    if (dots)
        return parse_range(item, dots, out, err);
    return units_parse_u64(item, &users, &part) < 0 ? wrong(item, err) : add(out, users, err);
}

int steps_parse(const char *text, struct steps *out, struct err *err)
{
    char *copy = xstrdup(text);
    char *rest = copy;
    int rc = 0;

    *out = (struct steps){0};
    while (rc == 0 && rest) {
        char *item = strsep(&rest, ",");

        while (*item == ' ')
            item++;
        rc = parse_item(item, out, err);
    }
    free(copy);
    return rc;
}
