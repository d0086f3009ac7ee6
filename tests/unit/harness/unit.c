/*
 * The assertions of unit.h on top of CUnit's: a failure tells both values and the table's row.
 */
#include "harness/unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void unit_report(const struct unit_place *place, bool holds, const char *values)
{
    char text[600];

    (void)snprintf(text, sizeof(text), "%s%s%s%s", place->what, place->what[0] ? ": " : "",
                   place->text, values);
    (void)CU_assertImplementation(holds, place->line, text, place->file, "", CU_FALSE);
}

bool unit_eq_i64(const struct unit_place *place, int64_t got, int64_t want)
{
    char values[80];

    (void)snprintf(values, sizeof(values), " is %" PRId64 ", not %" PRId64, got, want);
    unit_report(place, got == want, values);
    return got == want;
}

bool unit_eq_u64(const struct unit_place *place, uint64_t got, uint64_t want)
{
    char values[80];

    (void)snprintf(values, sizeof(values), " is %" PRIu64 ", not %" PRIu64, got, want);
    unit_report(place, got == want, values);
    return got == want;
}

bool unit_eq_str(const struct unit_place *place, const char *got, const char *want)
{
    const bool same = got && want ? strcmp(got, want) == 0 : got == want;
    char values[480];

    (void)snprintf(values, sizeof(values), " is \"%.220s\", not \"%.220s\"", got ? got : "(NULL)",
                   want ? want : "(NULL)");
    unit_report(place, same, values);
    return same;
}

bool unit_near(const struct unit_place *place, double got, double want, double within)
{
    const bool near = fabs(got - want) <= within; /* not with a NaN */
    char values[120];

    (void)snprintf(values, sizeof(values), " is %.9g, not %.9g +- %.3g", got, want, within);
    unit_report(place, near, values);
    return near;
}

bool unit_aborts(void (*fn)(void *ctx), void *ctx)
{
    const pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        const struct rlimit no_core = {0};
        const int null_fd = open("/dev/null", O_WRONLY);

        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)dup2(null_fd, STDERR_FILENO);
        fn(ctx);
        _exit(0);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT;
}
