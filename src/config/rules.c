/*
 * config_validate(): what no single row of the option table can check. A rule speaks of settings
 * only; what depends on the machine or the server is the plan's and the preflight's part.
 */
#include "config/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "config/goals.h"
#include "config/hostname.h"
#include "config/odbcstr.h"
#include "config/steps.h"
#include "config/targets.h"

#define SERIES_ROWS_MAX 100000

uint64_t config_sample_ns(const struct settings *s)
{
    return s->run.sample_ns ? s->run.sample_ns : s->run.duration_ns / 6;
}

static int rule_targets(const struct config *c, struct err *err)
{
    const struct settings_target *t = &c->s.target;

    if (t->pg && t->odbc) {
        err_set(err, ERR_USAGE, "one server at a time: give --pg or --odbc, not both");
        return config_err_at(c, "target.odbc", err);
    }
    if (t->drive && t->odbc) {
        err_set(err, ERR_USAGE,
                "a server that already runs has its data where it is; give --drive "
                "DIR (a private server there) or --odbc CONNSTR, not both");
        return config_err_at(c, "target.odbc", err);
    }
    if (!t->drive || !t->pg)
        return 0;
    err_set(err, ERR_USAGE,
            "a server that already runs has its data where it is; give --drive DIR "
            "(a private server there) or --pg CONNINFO, not both");
    return config_err_at(c, "target.pg", err);
}

static int rule_conninfo(const struct config *c, struct err *err)
{
    if (!c->s.target.pg || conninfo_is_valid(c->s.target.pg))
        return 0;
    err_set(err, ERR_USAGE, "not a connection string (try \"host=/run/postgresql dbname=tpcc\")");
    return config_err_at(c, "target.pg", err);
}

static int rule_odbc(const struct config *c, struct err *err)
{
    if (!c->s.target.odbc || odbcstr_is_valid(c->s.target.odbc))
        return 0;
    err_set(err, ERR_USAGE, "not a connection string of ODBC (try \"DSN=tpcc\")");
    return config_err_at(c, "target.odbc", err);
}

/* Settings of the private server beside a server that is not ours. */
static int rule_not_our_server(const struct config *c, struct err *err)
{
    static const char *const private_only[] = {"server.buffer", "server.memory-limit",
                                               "server.keep-running"};

    if (!c->s.target.pg && !c->s.target.odbc)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(private_only); i++) {
        if (c->origin[spec_index(spec_find(private_only[i]))].kind == ORIGIN_COMMAND) {
            err_set(err, ERR_USAGE,
                    "is for the private server, but --%s names one that already "
                    "runs (leave one of the two out)",
                    c->s.target.pg ? "pg" : "odbc");
            return config_err_at(c, private_only[i], err);
        }
    }
    return 0;
}

static int refuse(const struct config *c, const char *path, const char *why, struct err *err)
{
    err_set(err, ERR_USAGE, "%s", why);
    return config_err_at(c, path, err);
}

static bool given(const struct config *c, const char *path)
{
    return c->origin[spec_index(spec_find(path))].kind == ORIGIN_COMMAND;
}

/* Only the files of a server of ours can be put back; what belongs to a restore needs one. */
static int rule_restore(const struct config *c, struct err *err)
{
    static const char *const of_a_restore[] = {"load.restore-method", "load.restore-rest",
                                               "load.image"};
    const struct settings *s = &c->s;

    if (s->restore.before_run && (s->target.pg || s->target.odbc))
        return refuse(c, "load.restore",
                      "only the private server's files can be put back: before each run let "
                      "--rebuild load the dataset anew, or put the server's volume back yourself",
                      err);
    for (size_t i = 0; !s->restore.before_run && i < ARRAY_LEN(of_a_restore); i++) {
        const bool removes = s->load.remove && i + 1 == ARRAY_LEN(of_a_restore);

        if (given(c, of_a_restore[i]) && !removes)
            return refuse(c, of_a_restore[i], "is of a restore (see --restore)", err);
    }
    return 0;
}

static int check_device(const char *device, const char *other_host, struct err *err)
{
    const char *name = hostname_rest(device);
    const size_t host_len = hostname_length(device);

    if (!*name || strpbrk(name, "/: ") || *name == '.')
        return err_set(err, ERR_USAGE, "\"%.80s\" is not a device under /sys/block (try nvme0n1)",
                       device);
    if (host_len > 0 && !hostname_is_sane(device, host_len))
        return err_set(err, ERR_USAGE,
                       "\"%.80s\": the host is to be a name that ssh knows (try db1:%.40s)", device,
                       name);
    if (host_len == 0 && other_host)
        return err_set(err, ERR_USAGE,
                       "the server is on host %.80s, \"%.80s\" would be a device of this machine "
                       "(there: HOST:%.80s, read by ssh; here: localhost:%.80s)",
                       other_host, device, name, name);
    return 0;
}

static int rule_devices(const struct config *c, struct err *err)
{
    const struct settings_target *t = &c->s.target;
    char *other_host = t->pg ? conninfo_other_host(t->pg) : NULL;
    int rc = 0;

    if (t->odbc) /* where its server runs is the driver's affair */
        other_host = xstrdup("(behind an ODBC driver)");

    for (int i = 0; i < t->n_devices && rc == 0; i++) {
        rc = check_device(t->device[i], other_host, err);
        for (int j = 0; j < i && rc == 0; j++) {
            if (strcmp(t->device[i], t->device[j]) == 0)
                rc = err_set(err, ERR_USAGE, "\"%.80s\" is given twice", t->device[i]);
        }
    }
    if (rc < 0)
        config_err_at(c, "target.device", err);
    free(other_host);
    return rc;
}

static int rule_size_or_warehouses(const struct config *c, struct err *err)
{
    if (!c->s.load.size_bytes || !c->s.load.warehouses)
        return 0;
    err_set(err, ERR_USAGE,
            "--size and --warehouses both say how big the dataset is; give one "
            "(or --set load.warehouses=auto)");
    return config_err_at(c, "load.size", err);
}

static int rule_rebuild_or_remove(const struct config *c, struct err *err)
{
    if (!c->s.load.rebuild || !c->s.load.remove)
        return 0;
    err_set(err, ERR_USAGE, "give --rebuild or --remove, not both");
    return config_err_at(c, "load.remove", err);
}

static void format_ns(uint64_t ns, char text[80])
{
    units_format_duration(ns, text, 80);
}

static int rule_sample(const struct config *c, struct err *err)
{
    char sample[80];
    char duration[80];

    if (config_sample_ns(&c->s) < c->s.run.duration_ns)
        return 0;
    format_ns(c->s.run.sample_ns, sample);
    format_ns(c->s.run.duration_ns, duration);
    err_set(err, ERR_USAGE,
            "a sample of %s leaves no time before it in a run of %s (give a shorter "
            "--sample or a longer --duration)",
            sample, duration);
    return config_err_at(c, "run.sample", err);
}

static int rule_ramp(const struct config *c, struct err *err)
{
    const uint64_t before_ns = c->s.run.duration_ns - config_sample_ns(&c->s);
    char ramp[80];
    char before[80];

    if (c->s.run.ramp_ns == UINT64_MAX || c->s.run.ramp_ns <= before_ns)
        return 0;
    format_ns(c->s.run.ramp_ns, ramp);
    format_ns(before_ns, before);
    err_set(err, ERR_USAGE,
            "a ramp of %s does not fit in the %s before the sample (give a shorter "
            "--ramp or a longer --duration)",
            ramp, before);
    return config_err_at(c, "run.ramp", err);
}

static int rule_interval(const struct config *c, struct err *err)
{
    const uint64_t interval_ns = c->s.run.interval_ns;
    char text[80];

    if (!interval_ns)
        return 0;
    format_ns(interval_ns, text);
    if (interval_ns > config_sample_ns(&c->s)) {
        err_set(err, ERR_USAGE, "an interval of %s is longer than the sample", text);
        return config_err_at(c, "run.interval", err);
    }
    if (c->s.run.duration_ns / interval_ns > SERIES_ROWS_MAX) {
        err_set(err, ERR_USAGE, "an interval of %s makes more than %d rows of this duration", text,
                SERIES_ROWS_MAX);
        return config_err_at(c, "run.interval", err);
    }
    return 0;
}

static int rule_label(const struct config *c, struct err *err)
{
    const char *label = c->s.run.label;

    if (!label || (!strchr(label, '/') && label[0] != '.' && strlen(label) <= 100))
        return 0;
    err_set(err, ERR_USAGE,
            "\"%.80s\" can't be part of a directory's name (no \"/\", no \".\" in "
            "front, at most 100 bytes)",
            label);
    return config_err_at(c, "run.label", err);
}

/* 100 cards, or the standard's deck of 10, 10, 1, 1, 1 once or more (5.2.4.2). */
static int rule_mix(const struct config *c, struct err *err)
{
    const uint64_t *mix = c->s.workload.mix;
    const uint64_t sets = mix[2];
    uint64_t sum = 0;

    for (int i = 0; i < SETTINGS_TXN; i++)
        sum += mix[i];
    if (sum == 100)
        return 0;
    if (sets > 0 && mix[0] == 10 * sets && mix[1] == 10 * sets && mix[3] == sets && mix[4] == sets)
        return 0;
    err_set(err, ERR_USAGE, "the mix has %llu cards, not 100", (unsigned long long)sum);
    return config_err_at(c, "workload.mix.new_order", err);
}

static double dist_mean_guess(const struct settings_dist_of *d)
{
    return (double)(d->kind == SETTINGS_DIST_UNIFORM ? d->low_ns + d->high_ns : d->mean_ns);
}

/* A pace whose waits are all zero has no ceiling. */
static int rule_pace(const struct config *c, struct err *err)
{
    const struct settings_workload *w = &c->s.workload;
    double sum = 0;

    if (w->pace == SETTINGS_PACE_NONE)
        return 0;
    if (w->pace == SETTINGS_PACE_CYCLE || w->pace == SETTINGS_PACE_INTERARRIVAL) {
        if (dist_mean_guess(&w->interval) > 0)
            return 0;
        err_set(err, ERR_USAGE, "the paces cycle and interarrival need a wait (try \"fixed 5s\")");
        return config_err_at(c, "workload.interval", err);
    }
    for (int i = 0; i < SETTINGS_TXN; i++)
        sum += (double)w->mix[i] * (dist_mean_guess(&w->keying[i]) + dist_mean_guess(&w->think[i]));
    if (sum > 0)
        return 0;
    err_set(err, ERR_USAGE,
            "all waits are zero (for no waits: pace none, as in the workload "
            "saturate)");
    return config_err_at(c, "workload.pace", err);
}

/* The option that asks for a ladder; NULL: none does. */
static const char *ladder_option(const struct settings_ladder *l)
{
    if (l->steps)
        return "ladder.steps";
    if (l->find_users)
        return "ladder.find-users";
    return l->find_tps ? "ladder.find-tps" : NULL;
}

/* What is asked of a ladder can be read. */
static int check_asked(const struct config *c, struct err *err)
{
    const struct settings_ladder *l = &c->s.ladder;
    const char *option = ladder_option(l);
    struct steps steps;
    struct goals goals;

    if ((l->steps != NULL) + (l->find_users != NULL) + (l->find_tps != NULL) > 1)
        return refuse(c, l->find_tps ? "ladder.find-tps" : "ladder.find-users",
                      "one ladder at a time: --steps, --find-users or --find-tps", err);
    if (l->steps && steps_parse(l->steps, STEPS_OF_USERS, &steps, err) < 0)
        return config_err_at(c, option, err);
    if (l->find_users && goals_parse(l->find_users, &goals, err) < 0)
        return config_err_at(c, option, err);
    if (l->find_tps && !goals_is_curve(l->find_tps) && goals_parse(l->find_tps, &goals, err) < 0) {
        err_wrap(err, "neither \"" GOALS_CURVE "\" nor conditions");
        return config_err_at(c, option, err);
    }
    if (l->find_tps && steps_parse(l->percents, STEPS_OF_PERCENTS, &steps, err) < 0)
        return config_err_at(c, "ladder.step-percent", err);
    if (!l->find_tps && c->s.workload.pace == SETTINGS_PACE_NONE)
        return refuse(c, option,
                      "without a pace there are no users to step through (--workload oltp)", err);
    return 0;
}

/* What a ladder decides for each of its steps is not asked for beside it, and the other way round.
 */
static int rule_steps(const struct config *c, struct err *err)
{
    static const char *const of_a_run[] = {"run.users", "run.duration", "run.sample"};
    static const char *const of_a_step[] = {"ladder.step-sample", "ladder.step-settle"};
    const struct settings_ladder *l = &c->s.ladder;
    const bool asked = ladder_option(l) != NULL;

    for (size_t i = 0; !asked && i < ARRAY_LEN(of_a_step); i++) {
        if (given(c, of_a_step[i]))
            return refuse(c, of_a_step[i], "is of a ladder's steps (see --steps)", err);
    }
    if (!l->find_tps && given(c, "ladder.step-percent"))
        return refuse(c, "ladder.step-percent", "is of the rates of --find-tps", err);
    if (asked && c->s.run.repeat > 1)
        return refuse(c, "run.repeat", "a ladder is not repeated (leave one of the two out)", err);
    if (!asked)
        return l->resume && c->s.run.repeat == 1
                   ? refuse(c, "ladder.resume",
                            "neither ladder nor repeats: its plan.yaml has one run", err)
                   : 0;
    if (l->find_tps && given(c, "run.users"))
        return refuse(c, "run.users",
                      "has no part in an offered rate (--warehouses says how large the dataset is)",
                      err);
    /* Of a search for users they are the most that it tries. */
    for (size_t i = l->find_users ? 1 : 0; i < ARRAY_LEN(of_a_run); i++) {
        if (given(c, of_a_run[i]))
            return refuse(
                c, of_a_run[i],
                "is each step's own in a ladder (see --steps, --step-sample, --step-settle)", err);
    }
    return check_asked(c, err);
}

/* A review's plan may hold the settings of its steps, not those of programs that it does not run;
 * what the files of machine and directory say of those is not meant for it. */
static int rule_review(const struct config *c, struct err *err)
{
    if (c->program != PROGRAM_REVIEW)
        return 0;
    for (size_t i = 0; i < CONFIG_SPEC_ROWS; i++) {
        const struct spec *row = &config_spec[i];

        if (c->origin[i].kind == ORIGIN_CONFIG && !spec_takes(row, PROGRAM_REVIEW))
            return refuse(c, row->path,
                          "is no setting of a review, which decides it (leave it out)", err);
    }
    return c->s.review.drive
               ? 0
               : err_set(err, ERR_USAGE, "name the drive: --drive DEVICE (drive-review --help)");
}

int config_validate(const struct config *c, struct err *err)
{
    static int (*const rules[])(const struct config *c, struct err *err) = {
        rule_targets,
        rule_conninfo,
        rule_odbc,
        rule_not_our_server,
        rule_restore,
        rule_devices,
        rule_size_or_warehouses,
        rule_rebuild_or_remove,
        rule_sample,
        rule_ramp,
        rule_interval,
        rule_label,
        rule_mix,
        rule_pace,
        rule_steps,
        rule_review,
        config_targets_validate,
    };

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        if (rules[i](c, err) < 0)
            return -1;
    }
    return 0;
}
