/*
 * fio writes its JSON to a file and its complaints to another; both are read when it has ended.
 * The measured seconds are the last ones before it wrote: by its own clock reading, which is of the
 * machine's wall clock, as ours is.
 */
#include "block/fio_run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/plain.h"
#include "base/proc.h"
#include "base/xalloc.h"
#include "drive/record.h"
#include "drive/sampler.h"

#define LOOK_NS (50 * NS_PER_MS) /* between looks at fio */
#define GRACE_NS (2 * NS_PER_S)  /* from INT to KILL, and from KILL to giving up */
#define SAMPLES_WANTED 20        /* within a point */
#define SAMPLE_MIN_NS (100 * NS_PER_MS)
#define OUTPUT_MAX (64U << 20)
#define SAID_MAX 8192
#define COMMAND_SHOWN 1500

typedef VEC(struct drive_sample) samples;

struct running {
    const struct fio_env *env;
    pid_t pid;
    struct sampler *sampler; /* NULL: no devices */
    samples taken;
    int64_t real_ahead_us; /* wall clock less CLOCK_MONOTONIC */
};

char *fio_find(const char *fio, struct err *err)
{
    const char *argv[] = {fio, "--version", NULL};
    const struct proc_opts opts = {.argv = argv, .timeout_ns = 10 * NS_PER_S};
    struct strbuf said;
    char *version = NULL;
    int status = 0;

    strbuf_init(&said);
    if (proc_run(&opts, &status, &said, err) < 0) {
        (void)err_wrap(err, "fio does the I/O (make deps, or apt install fio)");
        goto out;
    }
    version = xstrndup(said.buf, strcspn(said.buf, "\n"));
    if (fio_json_check_version(version, err) < 0) {
        free(version);
        version = NULL;
    }
out:
    strbuf_release(&said);
    return version;
}

/* ---- watching ---- */

static void take_sample(struct running *r)
{
    struct drive_sample sample;

    if (!r->sampler || clock_now_ns(r->env->clock) < sampler_due_ns(r->sampler))
        return;
    sampler_take(r->sampler, &sample);
    VEC_PUSH(&r->taken, sample);
}

static bool await_end(struct running *r, uint64_t until_ns, bool heed_stop, int *status)
{
    for (;;) {
        const uint64_t now_ns = clock_now_ns(r->env->clock);

        if (proc_ended(r->pid, status))
            return true;
        if (now_ns >= until_ns || (heed_stop && stop_level(r->env->stop) > 0))
            return false;
        take_sample(r);
        if (r->env->tick && heed_stop)
            r->env->tick(r->env->ctx);
        clock_sleep_until_ns(r->env->clock, now_ns + LOOK_NS);
    }
}

/* Asked to end, then made to: fio's threads may hang where INT does not reach them. */
static void end_it(struct running *r)
{
    int status = 0;

    (void)kill(-r->pid, SIGINT);
    if (await_end(r, clock_now_ns(r->env->clock) + GRACE_NS, false, &status))
        return;
    (void)kill(-r->pid, SIGKILL);
    (void)await_end(r, clock_now_ns(r->env->clock) + GRACE_NS, false, &status);
}

/* The last line that fio said, without control characters: "" where it said nothing. */
static char *last_words(const char *path)
{
    struct fsroot machine;
    char *text = NULL;
    char *end = NULL;
    char *line = NULL;

    fsroot_init(&machine, "");
    text = fsroot_read(&machine, path, SAID_MAX, NULL);
    fsroot_release(&machine);
    if (!text)
        return xstrdup("");
    for (end = text + strlen(text); end > text && (end[-1] == '\n' || end[-1] == ' '); end--)
        end[-1] = '\0';
    line = strrchr(text, '\n');
    line = xstrdup(line ? line + 1 : text);
    plain_line(line);
    free(text);
    return line;
}

static int watch(struct running *r, uint64_t limit_ns, int *status, struct err *err)
{
    if (await_end(r, clock_now_ns(r->env->clock) + limit_ns, true, status))
        return 0;
    end_it(r);
    if (stop_level(r->env->stop) > 0)
        return err_set(err, ERR_INTERRUPTED, "interrupted");
    return err_set(err, ERR_SURROUNDINGS,
                   "fio did not end within %.3g s and was stopped (it hangs, or the drive does)",
                   (double)limit_ns / (double)NS_PER_S);
}

/* ---- counters ---- */

static struct sampler *new_sampler(const struct fio_env *env, uint64_t duration_ns, struct err *err)
{
    const uint64_t wanted_ns = duration_ns / SAMPLES_WANTED;
    const struct sampler_opts opts = {
        .root = env->root,
        .clock = env->clock,
        .names = env->names,
        .n_names = env->n_names,
        .interval_ns = wanted_ns < SAMPLE_MIN_NS ? SAMPLE_MIN_NS
                       : wanted_ns > NS_PER_S    ? NS_PER_S
                                                 : wanted_ns,
    };

    return sampler_new(&opts, err);
}

/* The first and the last sample within the measured seconds; false: there are not two. */
static bool find_window(const struct running *r, const struct fio_figures *f, size_t *from,
                        size_t *to)
{
    const double end_s = (double)(f->ended_real_us - r->real_ahead_us) / (double)US_PER_S;
    const double start_s = end_s - f->seconds;
    bool any = false;

    for (size_t i = 0; f->ended_real_us >= 0 && i < r->taken.n; i++) {
        const double at_s = (double)r->taken.at[i].at_ns / (double)NS_PER_S;

        if (at_s < start_s || at_s > end_s)
            continue;
        *from = any ? *from : i;
        *to = i;
        any = true;
    }
    return any && *to > *from;
}

static void fill_rates(const struct running *r, const struct fio_figures *f,
                       struct result_rates *devices)
{
    size_t from = 0;
    size_t to = 0;
    const bool found = find_window(r, f, &from, &to);

    for (size_t i = 0; i < r->env->n_names; i++) {
        struct disk_delta delta;

        devices[i] = result_rates_none();
        if (found && drive_sample_delta(&r->taken.at[from], &r->taken.at[to], i, &delta))
            devices[i] = drive_record_rates(&delta);
    }
}

/* ---- one point ---- */

static int spawn(struct running *r, const struct fio_args *args, const char *said, struct err *err)
{
    /* Without us nobody would end it, and what it still does is in somebody else's figures. */
    const struct proc_opts opts = {.argv = (const char *const *)args->at.at,
                                   .output_path = said,
                                   .cwd = r->env->dir,
                                   .dies_with_us = true};
    struct strbuf command;

    strbuf_init(&command);
    fio_args_say(args, COMMAND_SHOWN, &command);
    log_line(r->env->log, LOG_DEBUG, "%s", command.buf);
    strbuf_release(&command);
    r->real_ahead_us =
        clock_real_us(r->env->clock) - (int64_t)(clock_now_ns(r->env->clock) / NS_PER_US);
    return proc_spawn(&opts, &r->pid, err);
}

/* What is wrong by fio's exit code and its JSON; its last words belong to it. */
static int read_output(const struct fio_point *point, int status, const char *said,
                       struct fio_figures *out, struct err *err)
{
    struct fsroot machine;
    char *words = last_words(said);
    char *text = NULL;
    int rc = -1;

    fsroot_init(&machine, "");
    text = fsroot_read(&machine, point->output, OUTPUT_MAX, err);
    if (status != 0)
        (void)err_set(err, ERR_SURROUNDINGS, "fio ended with exit code %d", status);
    else if (text)
        rc = fio_json_read(text, out, err);
    if (rc < 0 && *words) {
        char *why = xstrdup(err ? err->text : "");

        (void)err_set(err, ERR_SURROUNDINGS, "%s; it said: %.200s", why, words);
        free(why);
    }
    fsroot_release(&machine);
    free(text);
    free(words);
    return rc;
}

int fio_run(const struct fio_env *env, const struct fio_point *point, struct fio_figures *out,
            struct result_rates *devices, struct err *err)
{
    struct running r = {.env = env};
    char *said = xasprintf("%s/fio.txt", env->dir);
    struct fio_args args;
    int status = 0;
    int rc = -1;

    fio_args_make(point, &args);
    (void)unlink(said);
    (void)unlink(point->output);
    if (env->n_names > 0) {
        r.sampler = new_sampler(env, point->duration_ns, err);
        if (!r.sampler)
            goto out;
    }
    if (spawn(&r, &args, said, err) < 0 ||
        watch(&r, point->settle_ns + point->duration_ns + env->margin_ns, &status, err) < 0 ||
        read_output(point, status, said, out, err) < 0)
        goto out;
    fill_rates(&r, out, devices);
    rc = 0;
out:
    sampler_free(r.sampler);
    VEC_RELEASE(&r.taken);
    (void)unlink(said);
    (void)unlink(point->output);
    fio_args_release(&args);
    free(said);
    return rc;
}
