/*
 * Looks for results: directories that hold a result.json or are called *.partial, at most
 * LEVELS_MAX levels down; symbolic links and hidden directories are passed by. One thread.
 */
#include "report/list.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "report/cell.h"
#include "report/devices.h"
#include "report/ladder_table.h"
#include "report/targets_table.h"
#include "result/csv.h"
#include "result/repeats.h"
#include "result/result_dir.h"
#include "result/verdict.h"

#define LEVELS_MAX 4
#define WHEN_COLUMNS 18 /* "2026-11-30T134501Z", as its directory is called */

struct found {
    VEC(char *) paths;
};

static bool is_result(const char *path)
{
    const size_t n = strlen(path);
    char *json = xasprintf("%s/result.json", path);
    char *review = xasprintf("%s/" RESULT_REVIEW_FILE, path);
    const bool yes = access(review, F_OK) != 0 && /* it holds results */
                     ((n > 8 && strcmp(path + n - 8, ".partial") == 0) || access(json, F_OK) == 0);

    free(review);
    free(json);
    return yes;
}

static bool is_directory(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int look(const char *path, int level, struct found *f);

/* Takes the path over. Recursion: LEVELS_MAX deep. One that can't be read is passed by. */
static void look_at(char *path, int level, struct found *f)
{
    if (!is_directory(path)) {
        free(path);
    } else if (is_result(path)) {
        VEC_PUSH(&f->paths, path);
    } else {
        if (level < LEVELS_MAX)
            (void)look(path, level + 1, f);
        free(path);
    }
}

static int look(const char *path, int level, struct found *f)
{
    DIR *dir = opendir(path);
    const struct dirent *e = NULL;

    if (!dir)
        return -1;
    while ((e = readdir(dir)) != NULL) {
        if (e->d_name[0] != '.')
            look_at(xasprintf("%s/%s", path, e->d_name), level, f);
    }
    (void)closedir(dir);
    return 0;
}

/* Those of one parent beside each other, by name, which begins with the time. */
static int by_place(const void *a, const void *b)
{
    const char *x = *(char *const *)a;
    const char *y = *(char *const *)b;
    const size_t nx = (size_t)(strrchr(x, '/') - x);
    const size_t ny = (size_t)(strrchr(y, '/') - y);
    const int parents = strncmp(x, y, nx < ny ? nx : ny);

    if (parents != 0)
        return parents;
    return nx != ny ? (nx < ny ? -1 : 1) : strcmp(x, y);
}

static int find(const char *path, struct found *f, struct err *err)
{
    if (is_result(path))
        VEC_PUSH(&f->paths, xasprintf("%s%s", strchr(path, '/') ? "" : "./", path));
    else if (look(path, 1, f) < 0)
        return err_sys(err, errno, "can't list %s", path);
    if (f->paths.n > 1)
        qsort(f->paths.at, f->paths.n, sizeof(f->paths.at[0]), by_place);
    return 0;
}

static void found_release(struct found *f)
{
    for (size_t i = 0; i < f->paths.n; i++)
        free(f->paths.at[i]);
    VEC_RELEASE(&f->paths);
}

static const char *drive_of(const struct result *r)
{
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        if (r->drive.devices.at[i].model)
            return r->drive.devices.at[i].model;
    }
    return r->drive.devices.n > 0 ? r->drive.devices.at[device_of_filesystem(r)].name
                                  : r->drive.path;
}

static void add_row(const struct result *r, const char *name, struct strbuf *out)
{
    const struct result_sample *s = &r->sample;

    cell_clip(out, name, WHEN_COLUMNS, 1);
    strbuf_addc(out, ' ');
    cell_clip(out, r->label && *r->label ? r->label : "-", 11, 1);
    strbuf_addc(out, ' ');
    cell_clip(out, drive_of(r), 12, 1);
    if (result_is_sweep(r)) {
        strbuf_addf(out, " sweep, %3zu profile%c      %s\n", r->sweep.profiles.n,
                    r->sweep.profiles.n == 1 ? ' ' : 's',
                    r->partial ? "partial" : verdict_name(r->verdict.status));
        return;
    }
    strbuf_addf(out, " %7s %7s %6s %s\n", cell_count(r->workload.users).text,
                cell_fixed(s->tps, 1).text, cell_figure(s->time[TIME_RESPONSE].avg).text,
                r->partial ? "partial" : verdict_name(r->verdict.status));
}

/* The directory's time where it has one, else the result's own in the same form. */
static char *when(const char *name, const struct result *r)
{
    char *text = NULL;
    size_t n = 0;

    if (strlen(name) >= WHEN_COLUMNS && name[10] == 'T' && name[WHEN_COLUMNS - 1] == 'Z')
        return xstrndup(name, WHEN_COLUMNS);
    text = xstrdup(r->started ? r->started : name);
    for (const char *c = text; *c; c++) {
        if (*c != ':')
            text[n++] = *c;
    }
    text[n] = '\0';
    return text;
}

/* The time in a directory's name, or the name. */
static void add_when(const char *name, struct strbuf *out)
{
    const bool dated = strlen(name) >= WHEN_COLUMNS && name[WHEN_COLUMNS - 1] == 'Z';
    char *at = xstrndup(name, dated ? WHEN_COLUMNS : strlen(name));

    cell_clip(out, at, WHEN_COLUMNS, 1);
    strbuf_addc(out, ' ');
    free(at);
}

/* "2026-11-30T134501Z drive A     2 of 3 repeats, restored: ended by interrupt". */
static void add_repeats(const char *path, const char *name, struct strbuf *out)
{
    struct repeats all;
    struct err err = {0};
    char *state = NULL;

    repeats_init(&all);
    add_when(name, out);
    if (repeats_dir_read(path, &all, &err) < 0) {
        cell_clip(out, err.text, CELL_COLUMNS - WHEN_COLUMNS - 2, 0);
    } else {
        state =
            xasprintf("%zu of %lld repeats%s: %s%s", all.runs.n, (long long)all.planned,
                      all.restored ? ", restored" : "", all.ended_by ? "ended by " : "not ended",
                      all.ended_by ? all.ended_by : "");
        cell_clip(out, all.label && *all.label ? all.label : "-", 11, 1);
        strbuf_addc(out, ' ');
        cell_clip(out, state, CELL_COLUMNS - WHEN_COLUMNS - 14, 0);
        free(state);
    }
    strbuf_addc(out, '\n');
    repeats_release(&all);
}

/* "2026-11-30T134501Z drive A     /mnt/nvme    3 steps of 2000,5000,10000 users". */
static void add_ladder(const char *path, const char *name, struct strbuf *out)
{
    struct ladder l;
    struct err err = {0};
    struct strbuf state;

    ladder_init(&l);
    strbuf_init(&state);
    add_when(name, out);
    if (ladder_dir_read(path, &l, &err) < 0) {
        cell_clip(out, err.text, CELL_COLUMNS - WHEN_COLUMNS - 2, 0);
    } else {
        cell_clip(out, l.label && *l.label ? l.label : "-", 11, 1);
        strbuf_addc(out, ' ');
        cell_clip(out, l.drive, 12, 1);
        strbuf_addc(out, ' ');
        ladder_say_state(&l, &state);
        cell_clip(out, state.buf, CELL_COLUMNS - WHEN_COLUMNS - 27, 0);
    }
    strbuf_addc(out, '\n');
    strbuf_release(&state);
    ladder_release(&l);
}

/* "2026-11-30T134501Z an array    2 of 2 targets at once". */
static void add_targets(const char *path, const char *name, struct strbuf *out)
{
    struct targets t;
    struct err err = {0};
    struct strbuf state;

    targets_init(&t);
    strbuf_init(&state);
    add_when(name, out);
    if (targets_dir_read(path, &t, &err) < 0) {
        cell_clip(out, err.text, CELL_COLUMNS - WHEN_COLUMNS - 2, 0);
    } else {
        targets_say_state(&t, &state);
        cell_clip(out, t.label && *t.label ? t.label : "-", 11, 1);
        strbuf_addc(out, ' ');
        cell_clip(out, state.buf, CELL_COLUMNS - WHEN_COLUMNS - 14, 0);
    }
    strbuf_addc(out, '\n');
    strbuf_release(&state);
    targets_release(&t);
}

static void add_line(const char *path, struct strbuf *out)
{
    const char *name = strrchr(path, '/') + 1;
    struct result r;
    struct err err = {0};
    char *at = NULL;

    if (ladder_dir_is(path)) {
        add_ladder(path, name, out);
        return;
    }
    if (repeats_dir_is(path)) {
        add_repeats(path, name, out);
        return;
    }
    if (targets_dir_is(path)) {
        add_targets(path, name, out);
        return;
    }
    result_init(&r);
    if (result_dir_read_figures(path, &r, &err) < 0) {
        const size_t n = strlen(path);

        at = when(name, &r);
        cell_clip(out, at, WHEN_COLUMNS, 1);
        strbuf_addc(out, ' ');
        /* The error begins with the path, which stands beside it. */
        cell_clip(out, strncmp(err.text, path, n) == 0 ? err.text + n + 2 : err.text,
                  CELL_COLUMNS - WHEN_COLUMNS - 2, 0);
        strbuf_addc(out, '\n');
    } else {
        at = when(name, &r);
        add_row(&r, at, out);
    }
    free(at);
    result_release(&r);
}

int list_text(const char *path, struct strbuf *out, struct err *err)
{
    struct found f = {0};
    const char *before = "";
    size_t before_n = 0;

    if (find(path, &f, err) < 0) {
        found_release(&f);
        return -1;
    }
    for (size_t i = 0; i < f.paths.n; i++) {
        const char *at = f.paths.at[i];
        const size_t n = (size_t)(strrchr(at, '/') - at);

        if (n != before_n || strncmp(at, before, n) != 0) {
            strbuf_adds(out, i ? "\n" : "");
            strbuf_add(out, at, n);
            strbuf_addf(out, "\n%-18s %-11s %-12s %7s %7s %6s %s\n", "when", "label", "drive",
                        "users", "TPS", "avg ms", "verdict");
        }
        add_line(at, out);
        before = at;
        before_n = n;
    }
    if (f.paths.n == 0) {
        strbuf_adds(out, "no results below ");
        cell_clean(out, path);
        strbuf_addc(out, '\n');
    }
    found_release(&f);
    return 0;
}

/* The cells of columns that a row has nothing for. */
static void add_empty(struct strbuf *out, int columns)
{
    for (int i = 0; i < columns; i++)
        csv_text(out, "");
}

static void add_csv_error(const struct err *err, struct strbuf *out)
{
    add_empty(out, 11);
    csv_text(out, err->text);
    csv_text(out, "");
}

static void add_identity(const char *started, const char *label, const char *drive,
                         struct strbuf *out)
{
    csv_text(out, started ? started : "");
    csv_text(out, label ? label : "");
    csv_text(out, drive ? drive : "");
}

/* Users and figures are those of its steps, which are results of their own. */
static void add_ladder_csv(const char *path, struct strbuf *out)
{
    struct ladder l;
    struct err err = {0};

    ladder_init(&l);
    if (ladder_dir_read(path, &l, &err) < 0) {
        add_csv_error(&err, out);
    } else {
        add_identity(l.started, l.label, l.drive, out);
        csv_text(out, "");
        csv_whole(out, l.warehouses);
        add_empty(out, 5);
        csv_text(out, ladder_ended_as_planned(&l) ? "" : "partial");
        csv_text(out, "");
        csv_text(out, LADDER_KIND);
    }
    ladder_release(&l);
}

static void add_result_csv(const char *path, struct strbuf *out)
{
    const struct summary *t = NULL;
    struct result r;
    struct err err = {0};

    result_init(&r);
    t = &r.sample.time[TIME_RESPONSE];
    if (result_dir_read_figures(path, &r, &err) < 0) {
        add_csv_error(&err, out);
    } else {
        add_identity(r.started, r.label, drive_of(&r), out);
        csv_whole(out, r.workload.users);
        csv_whole(out, r.dataset.warehouses);
        csv_figure(out, r.sample.tps, 6);
        csv_figure(out, t->avg, 6);
        csv_figure(out, t->p95, 6);
        csv_figure(out, t->p99, 6);
        csv_figure(out, t->max, 6);
        csv_text(out, r.partial ? "partial" : verdict_name(r.verdict.status));
        csv_text(out, "");
        csv_text(out, r.kind ? r.kind : "oltp");
    }
    result_release(&r);
}

static void add_csv(const char *path, struct strbuf *out)
{
    csv_text(out, path);
    if (ladder_dir_is(path))
        add_ladder_csv(path, out);
    else
        add_result_csv(path, out);
    csv_end(out);
}

int list_csv(const char *path, struct strbuf *out, struct err *err)
{
    static const char *const names[] = {"directory",
                                        "started",
                                        "label",
                                        "drive",
                                        "users",
                                        "warehouses",
                                        "tps",
                                        "response_avg_ms",
                                        "response_p95_ms",
                                        "response_p99_ms",
                                        "response_max_ms",
                                        "verdict",
                                        "error",
                                        "kind"};
    struct found f = {0};
    const int rc = find(path, &f, err);

    for (size_t i = 0; rc == 0 && i < ARRAY_LEN(names); i++)
        csv_text(out, names[i]);
    if (rc == 0)
        csv_end(out);
    for (size_t i = 0; i < f.paths.n; i++)
        add_csv(f.paths.at[i], out);
    found_release(&f);
    return rc;
}
