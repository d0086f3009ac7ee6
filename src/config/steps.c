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

#define FACTOR_LEAST 1.01

static const struct kind {
    const char *plural, *one; /* "neither ... nor a range of them" */
    const char *example;
    uint64_t most;
} kinds[] = {
    [STEPS_OF_USERS] = {"users", "a number of users", "(try 2000,5000,10000 or 1000..20000x1.5)",
                        STEPS_USERS_MAX},
    [STEPS_OF_PERCENTS] = {"%", "a whole percentage", "(try 10,50,90,100,120)", STEPS_PERCENT_MAX},
};

struct parsing {
    const struct kind *kind;
    struct steps *out;
    struct err *err;
};

static int add(const struct parsing *p, uint64_t n)
{
    struct steps *out = p->out;

    if (n < 1 || n > p->kind->most)
        return err_set(p->err, ERR_USAGE, "%" PRIu64 " %s: a step has 1 to %" PRIu64, n,
                       p->kind->plural, p->kind->most);
    if (out->n == STEPS_MAX)
        return err_set(p->err, ERR_USAGE, "more than %d steps", STEPS_MAX);
    if (out->n > 0 && n <= out->at[out->n - 1])
        return err_set(p->err, ERR_USAGE, "%" PRIu64 " %s after %" PRIu64 ": steps must rise", n,
                       p->kind->plural, out->at[out->n - 1]);
    out->at[out->n++] = n;
    return 0;
}

static int wrong(const struct parsing *p, const char *item)
{
    return err_set(p->err, ERR_USAGE, "\"%.40s\" is neither %s nor a range of them %s", item,
                   p->kind->one, p->kind->example);
}

/* From `first` on, each times the factor, and `last`. */
static int add_range(const struct parsing *p, uint64_t first, uint64_t last, double factor)
{
    double next = (double)first;

    for (uint64_t n = first; n < last; n = (uint64_t)llround(next)) {
        if (add(p, n) < 0)
            return -1;
        next = fmax(next * factor, (double)n + 1);
    }
    return add(p, last);
}

/* "1000..20000x1.5", cut up in place. */
static int parse_range(const struct parsing *p, char *item, char *dots)
{
    char *times = strchr(dots + 2, 'x');
    uint64_t first = 0;
    uint64_t last = 0;
    double factor = 0;
    struct err part = {0};

    if (!times)
        return err_set(p->err, ERR_USAGE, "\"%.40s\" has no factor between its steps %s", item,
                       kinds[STEPS_OF_USERS].example);
    *dots = '\0';
    *times = '\0';
    if (units_parse_u64(item, &first, &part) < 0 || units_parse_u64(dots + 2, &last, &part) < 0 ||
        units_parse_double(times + 1, &factor, &part) < 0) {
        *dots = '.';
        *times = 'x';
        return wrong(p, item);
    }
    if (first >= last)
        return err_set(p->err, ERR_USAGE, "%" PRIu64 "..%" PRIu64 ": a range must rise", first,
                       last);
    if (!(factor >= FACTOR_LEAST))
        return err_set(p->err, ERR_USAGE, "a factor of %s between steps: at least %g", times + 1,
                       FACTOR_LEAST);
    return add_range(p, first, last, factor);
}

static int parse_item(const struct parsing *p, char *item)
{
    char *dots = strstr(item, "..");
    uint64_t n = 0;
    struct err part = {0};

    if (dots)
        return parse_range(p, item, dots);
    return units_parse_u64(item, &n, &part) < 0 ? wrong(p, item) : add(p, n);
}

int steps_parse(const char *text, enum steps_of what, struct steps *out, struct err *err)
{
    const struct parsing p = {.kind = &kinds[what], .out = out, .err = err};
    char *copy = xstrdup(text);
    char *rest = copy;
    int rc = 0;

    *out = (struct steps){0};
    while (rc == 0 && rest) {
        char *item = strsep(&rest, ",");

        while (*item == ' ')
            item++;
        rc = parse_item(&p, item);
    }
    free(copy);
    return rc;
}
