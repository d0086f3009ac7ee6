/*
 * Runs ssh as a child (drive/remote_link) and speaks drive/remote_words with the host's shell over
 * it. Where anything is odd the connection is given up and made anew: a stream that is out of step
 * is not put right.
 */
#include "drive/remote.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "config/hostname.h"
#include "drive/remote_link.h"
#include "drive/remote_ssh.h"

#define HELLO_NS (20 * NS_PER_S)
#define QUESTION_NS (20 * NS_PER_S)
#define SILENCE_NS (30 * NS_PER_S) /* ssh itself gives up a dead connection after 15 s */
#define LEAVE_NS (1 * NS_PER_S)    /* for ssh to end once its input has */
#define LOST_NS (200 * NS_PER_MS)  /* the same where its output has ended already */
#define SLICE_NS (100 * NS_PER_MS) /* how often `stopped` is asked */
#define RETRY_MAX_NS (30 * NS_PER_S)
#define ANSWER_MAX ((size_t)32 << 20)
#define SYNC_NS (25 * NS_PER_MS) /* the clock there ticks at least twice in it */
#define SYNC_LEAST 4
#define SYNC_MOST 60

enum state {
    DOWN,     /* no ssh runs; the next is tried at retry_ns */
    STARTING, /* ssh runs, since since_ns; the hello has not come */
    UP,       /* the shell there takes orders */
};

struct remote {
    char *host;
    char *program;
    const struct clock *clock;
    bool (*stopped)(void *ctx);
    void *ctx;

    enum state state;
    struct remote_link link;
    uint64_t since_ns; /* STARTING: when ssh was started; UP: the last answer, or the hello */
    uint64_t retry_ns;
    uint64_t backoff_ns;
    char *reason; /* of the last loss or failure; NULL: none */

    VEC(struct remote_device) devices;
    bool told;        /* the shell there knows what to watch */
    uint64_t number;  /* of the last order */
    uint64_t asked;   /* number of the reading that is waited for; 0: none */
    uint64_t sent_ns; /* when it was asked for */

    struct remote_hello hello;
    bool met; /* hello is of an earlier connection */
    bool anew;
    struct remote_clock its_clock;
    struct remote_take take;
    struct remote_stats stats;
};

struct remote *remote_new(const struct remote_opts *opts)
{
    struct remote *r = xcalloc(1, sizeof(*r));

    CHECK(hostname_is_sane(opts->host, strlen(opts->host)));
    r->host = xstrdup(opts->host);
    r->program = xstrdup(opts->program ? opts->program : "ssh");
    r->clock = opts->clock;
    r->stopped = opts->stopped;
    r->ctx = opts->ctx;
    r->backoff_ns = NS_PER_S;
    remote_link_init(&r->link);
    return r;
}

/* Ends ssh; its exit code, or -1. */
static int hang_up(struct remote *r, uint64_t wait_ns)
{
    r->state = DOWN;
    r->told = false;
    r->asked = 0;
    return remote_link_close(&r->link, wait_ns);
}

void remote_free(struct remote *r)
{
    if (r == NULL)
        return;
    (void)hang_up(r, LEAVE_NS);
    for (size_t i = 0; i < r->devices.n; i++)
        free(r->devices.at[i].name);
    VEC_RELEASE(&r->devices);
    remote_link_release(&r->link);
    free(r->reason);
    free(r->program);
    free(r->host);
    free(r);
}

const char *remote_host(const struct remote *r)
{
    return r->host;
}

static void lose(struct remote *r, const char *why)
{
    const uint64_t now = clock_now_ns(r->clock);
    const bool stood = r->state == UP;
    const struct remote_ssh_end end = {.host = r->host, .why = why, .status = hang_up(r, LOST_NS)};

    free(r->reason);
    r->reason = remote_ssh_reason(&r->link, &end);
    r->retry_ns = now + r->backoff_ns;
    r->backoff_ns = r->backoff_ns * 2 < RETRY_MAX_NS ? r->backoff_ns * 2 : RETRY_MAX_NS;
    if (stood) {
        r->stats.losses++;
        r->stats.lost_ns = now;
    }
}

static int start_ssh(struct remote *r, struct err *err)
{
    const struct remote_ssh_call call = {.program = r->program, .host = r->host};

    CHECK(r->state == DOWN);
    if (remote_ssh_open(&r->link, &call, err) < 0)
        return -1;
    r->state = STARTING;
    r->since_ns = clock_now_ns(r->clock);
    return 0;
}

/* Another machine, or the same started anew, has counters and a clock of its own. */
static void meet(struct remote *r, const struct remote_hello *hello)
{
    if (r->met && strcmp(hello->boot_id, r->hello.boot_id) != 0) {
        r->anew = true;
        r->its_clock = (struct remote_clock){0};
    }
    r->hello = *hello;
    r->met = true;
    r->state = UP;
    r->since_ns = clock_now_ns(r->clock);
    r->backoff_ns = NS_PER_S;
}

/* STARTING: looks for the hello among what a login shell may print before it. Where that was wrong
 * the connection is lost. */
static void look_for_hello(struct remote *r)
{
    struct remote_hello hello = {0};
    struct err err = {0};
    const bool goes_on = remote_link_receive(&r->link);
    const char *line;
    int found = 0;

    while (found == 0 && (line = remote_link_line(&r->link)) != NULL)
        found = remote_parse_hello(line, &hello, &err);
    if (found > 0)
        meet(r, &hello);
    else if (found < 0)
        lose(r, err.text);
    else if (!goes_on)
        lose(r, NULL);
    else if (clock_now_ns(r->clock) - r->since_ns > HELLO_NS)
        lose(r, "its shell did not answer within 20 s");
}

static bool is_stopped(const struct remote *r)
{
    return r->stopped != NULL && r->stopped(r->ctx);
}

static int lost_error(struct remote *r, struct err *err)
{
    return err_set(err, ERR_SURROUNDINGS, "ssh %s: %s", r->host, r->reason);
}

/* Waits for the next line of an answer; NULL and err where none comes. */
static const char *await_line(struct remote *r, uint64_t until_ns, struct err *err)
{
    bool goes_on = true;

    for (;;) {
        const char *line = remote_link_line(&r->link);
        const uint64_t now = clock_now_ns(r->clock);

        if (line != NULL)
            return line;
        if (!goes_on) {
            lose(r, NULL);
            (void)lost_error(r, err);
            return NULL;
        }
        if (is_stopped(r)) {
            err_set(err, ERR_INTERRUPTED, "interrupted while asking %s", r->host);
            return NULL;
        }
        if (now >= until_ns) {
            lose(r, "no answer within 20 s");
            (void)lost_error(r, err);
            return NULL;
        }
        remote_link_await(&r->link, until_ns - now > SLICE_NS ? now + SLICE_NS : until_ns);
        goes_on = remote_link_receive(&r->link);
    }
}

/* Sends "WHAT N[ REST]" and waits for the first line of the answer. */
static const char *question(struct remote *r, const char *what, const char *rest, struct err *err)
{
    const uint64_t number = ++r->number;
    char *line = xasprintf("%s %llu%s%s\n", what, (unsigned long long)number, rest ? " " : "",
                           rest ? rest : "");
    const char *answer = NULL;

    CHECK(r->state == UP);
    if (remote_link_tell(&r->link, line)) {
        answer = await_line(r, clock_now_ns(r->clock) + QUESTION_NS, err);
    } else {
        lose(r, NULL);
        (void)lost_error(r, err);
    }
    free(line);
    return answer;
}

/* An exchange for its clock: the uptime of a reading. */
static int sync_once(struct remote *r, struct err *err)
{
    struct remote_exchange x = {.sent_ns = clock_now_ns(r->clock),
                                .tick_ns = REMOTE_UPTIME_TICK_NS};
    const char *line = question(r, "take", NULL, err);

    x.received_ns = clock_now_ns(r->clock);
    if (line == NULL)
        return -1;
    if (remote_parse_take(line, 0, &r->take, err) < 0)
        return err_wrap(err, "ssh %s", r->host);
    x.remote_ns = r->take.uptime_ns;
    if (!remote_clock_learn(&r->its_clock, &x))
        r->anew = true;
    return 0;
}

static int sync_wall(struct remote *r, struct err *err)
{
    struct remote_exchange x = {.sent_ns = clock_now_ns(r->clock)};
    const char *line = question(r, "date", NULL, err);
    const int64_t ours_us = clock_real_us(r->clock); /* in this order: within the round trip */
    struct remote_date date;

    x.received_ns = clock_now_ns(r->clock);
    if (line == NULL)
        return -1;
    if (remote_parse_date(line, &date, NULL) < 0)
        return 0; /* a host whose `date` is odd has no wall clock for us */
    x.remote_ns = date.ns;
    x.tick_ns = date.tick_ns;
    remote_wall_learn(&r->stats.wall, &x, ours_us);
    return 0;
}

/* Several of each: the shortest round trip tells most, and the moments at which its clock ticks
 * tell more than a reading of it. */
static int sync_clocks(struct remote *r, struct err *err)
{
    const uint64_t start = clock_now_ns(r->clock);

    for (int i = 0; i < SYNC_LEAST; i++) {
        if (sync_wall(r, err) < 0)
            return -1;
    }
    for (int i = 0; i < SYNC_MOST; i++) {
        if (i >= SYNC_LEAST && clock_now_ns(r->clock) - start > SYNC_NS)
            break;
        if (sync_once(r, err) < 0)
            return -1;
    }
    return 0;
}

int remote_connect(struct remote *r, struct err *err)
{
    if (r->state == UP)
        return 0;
    if (r->state == DOWN && start_ssh(r, err) < 0)
        return -1;
    while (r->state == STARTING) {
        if (is_stopped(r))
            return err_set(err, ERR_INTERRUPTED, "interrupted while connecting to %s", r->host);
        remote_link_await(&r->link, clock_now_ns(r->clock) + SLICE_NS);
        look_for_hello(r);
    }
    if (r->state == DOWN)
        return lost_error(r, err);
    return sync_clocks(r, err);
}

int remote_ready(struct remote *r, struct err *err)
{
    int rc = r->state == UP ? sync_once(r, NULL) : -1;

    if (rc < 0)
        rc = remote_connect(r, err);
    if (rc == 0) {
        free(r->reason);
        r->reason = NULL;
    }
    r->stats = (struct remote_stats){.wall = r->stats.wall};
    return rc;
}

int remote_ask(struct remote *r, const char *what, struct strbuf *out, struct err *err)
{
    const char *line = question(r, what, NULL, err);
    char *end = xasprintf("end %llu", (unsigned long long)r->number);
    const uint64_t until = clock_now_ns(r->clock) + QUESTION_NS;

    while (line != NULL && strcmp(line, end) != 0) {
        strbuf_addf(out, "%s\n", line);
        if (out->len > ANSWER_MAX) {
            lose(r, "an answer without an end");
            (void)lost_error(r, err);
            line = NULL;
            break;
        }
        line = await_line(r, until, err);
    }
    free(end);
    return line != NULL ? 0 : -1;
}

int remote_ask_path(struct remote *r, const char *path, struct blockdev_path *out, struct err *err)
{
    const char *line;

    memset(out, 0, sizeof(*out));
    if (strchr(path, '\n') != NULL)
        return err_set(err, ERR_USAGE, "a path with a newline in it can't be asked for");
    line = question(r, "path", path, err);
    if (line == NULL)
        return -1;
    return remote_parse_path(line, out, err);
}

int remote_find(const struct remote *r, const char *name)
{
    for (size_t i = 0; i < r->devices.n; i++) {
        if (strcmp(r->devices.at[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

int remote_watch(struct remote *r, const struct remote_device *device)
{
    struct remote_device copy = *device;
    const int known = remote_find(r, device->name);

    if (known >= 0)
        return known;
    if (r->devices.n == REMOTE_DEVICES_MAX || !remote_name_is_sane(device->name))
        return -1;
    copy.name = xstrdup(device->name);
    VEC_PUSH(&r->devices, copy);
    r->told = false;
    return (int)r->devices.n - 1;
}

const struct remote_device *remote_device_at(const struct remote *r, size_t i)
{
    CHECK(i < r->devices.n);
    return &r->devices.at[i];
}

/* The order for one reading, before it what to read where the shell there does not know. */
static char *order(struct remote *r)
{
    struct strbuf sb;

    strbuf_init(&sb);
    if (!r->told) {
        strbuf_addf(&sb, "watch %llu", (unsigned long long)++r->number);
        for (size_t i = 0; i < r->devices.n; i++)
            strbuf_addf(&sb, " %s", r->devices.at[i].name);
        strbuf_addc(&sb, '\n');
        r->told = true;
    }
    strbuf_addf(&sb, "take %llu\n", (unsigned long long)++r->number);
    return strbuf_detach(&sb);
}

void remote_request(struct remote *r)
{
    struct err err = {0};
    char *line;

    r->stats.asked++;
    if (r->state == DOWN && clock_now_ns(r->clock) >= r->retry_ns && start_ssh(r, &err) < 0)
        lose(r, err.text);
    else if (r->state == STARTING)
        look_for_hello(r);
    else if (r->state == UP && clock_now_ns(r->clock) - r->since_ns > SILENCE_NS)
        lose(r, "no answer for 30 s");
    if (r->state != UP)
        return;
    line = order(r);
    r->asked = r->number;
    r->sent_ns = clock_now_ns(r->clock);
    if (!remote_link_tell(&r->link, line))
        lose(r, NULL);
    free(line);
}

/* True where this line is the answer that is waited for; late ones of earlier readings are not. */
static bool is_answer(struct remote *r, const char *line)
{
    struct err err = {0};

    if (remote_parse_take(line, r->devices.n, &r->take, &err) == 0)
        return r->take.number == r->asked;
    lose(r, err.text);
    return false;
}

static void take_answer(struct remote *r, uint64_t received_ns, struct remote_reading *out)
{
    const struct remote_exchange x = {
        .sent_ns = r->sent_ns,
        .received_ns = received_ns,
        .remote_ns = r->take.uptime_ns,
        .tick_ns = REMOTE_UPTIME_TICK_NS,
    };
    uint64_t error_ns;

    if (!remote_clock_learn(&r->its_clock, &x))
        r->anew = true;
    out->answered = true;
    out->anew = r->anew;
    out->take = &r->take;
    out->at_ns = remote_clock_read_at(&r->its_clock, &x, &error_ns);
    r->anew = false;
    r->asked = 0;
    r->since_ns = received_ns;
    r->stats.answered++;
    if (error_ns > r->stats.reading_error_ns)
        r->stats.reading_error_ns = error_ns;
}

void remote_answer(struct remote *r, uint64_t until_ns, struct remote_reading *out)
{
    memset(out, 0, sizeof(*out));
    while (r->asked != 0) {
        const bool goes_on = remote_link_receive(&r->link);
        const uint64_t now = clock_now_ns(r->clock);
        const char *line;

        while (r->asked != 0 && (line = remote_link_line(&r->link)) != NULL) {
            if (is_answer(r, line)) {
                take_answer(r, now, out);
                return;
            }
        }
        if (r->asked == 0)
            return;
        if (!goes_on) {
            lose(r, NULL);
            return;
        }
        if (now >= until_ns)
            return; /* it may come yet: too late for this one */
        remote_link_await(&r->link, until_ns);
    }
}

struct remote_stats remote_stats(const struct remote *r)
{
    struct remote_stats s = r->stats;

    s.connected = r->state == UP;
    s.round_trip_ns = r->its_clock.known ? r->its_clock.round_trip_ns : 0;
    return s;
}

const char *remote_reason(const struct remote *r)
{
    return r->reason ? r->reason : "";
}
