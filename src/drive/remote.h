/*
 * The one ssh connection to another host: made once, asked over it what stands there, then a line a
 * second for the counters. The user's own ssh configuration holds; nothing is ever asked of the
 * user, and no program of ours is put there.
 *
 * Life: remote_new, remote_connect (waits), questions (wait), remote_watch; from then on only
 * remote_request and remote_answer in turn, by one thread (the sampler's), which never wait longer
 * than they are told. A connection that is lost is made again meanwhile, after 1 s, then later and
 * later up to 30 s; until it is back nothing is answered.
 */
#ifndef DRIVE_REMOTE_H
#define DRIVE_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "drive/blockdev_probe.h"
#include "drive/remote_clock.h"
#include "drive/remote_words.h"

struct remote;

struct remote_opts {
    const char *host;           /* as `ssh HOST` knows it (config/hostname.h); copied */
    const struct clock *clock;  /* the machine's own */
    const char *program;        /* NULL: "ssh", as found in PATH */
    bool (*stopped)(void *ctx); /* asked now and then by what waits: true ends it; may be NULL */
    void *ctx;
};

struct remote *remote_new(const struct remote_opts *opts);
/* Ends the connection, at most 10 s for an ssh that does not want to. NULL is harmless. */
void remote_free(struct remote *r);
const char *remote_host(const struct remote *r);

/* Connects, 20 s at most, and compares clocks. The error says what to do. Nothing where it stands.
 */
int remote_connect(struct remote *r, struct err *err) MUST_CHECK;
/* Before sampling: makes sure that the connection stands, where it was idle or was lost. What was
 * counted so far is forgotten. */
int remote_ready(struct remote *r, struct err *err) MUST_CHECK;
/* What the host answers to "mounts", "swaps" or "tree": its lines, each with a newline. */
int remote_ask(struct remote *r, const char *what, struct strbuf *out, struct err *err) MUST_CHECK;
int remote_ask_path(struct remote *r, const char *path, struct blockdev_path *out,
                    struct err *err) MUST_CHECK;

/* A device that is read from now on. */
struct remote_device {
    char *name;   /* as in /sys/class/block there */
    bool counts;  /* false: its counters are switched off */
    bool flushes; /* false: its flush fields stay 0 for ever */
};
/* Adds one, or finds it; its index, or -1 where there are REMOTE_DEVICES_MAX or its name is odd. */
int remote_watch(struct remote *r, const struct remote_device *device);
/* The index of a device that is watched, or -1. */
int remote_find(const struct remote *r, const char *name);
const struct remote_device *remote_device_at(const struct remote *r, size_t i);

/* Asks for one reading of all devices; where there is no connection, goes on with making one. */
void remote_request(struct remote *r);
struct remote_reading {
    bool answered;
    bool anew;      /* its clock jumped or it was started anew: no difference to a reading before */
    uint64_t at_ns; /* when it was read, by our clock */
    const struct remote_take *take; /* until the next call */
};
/* Waits for the answer until then. */
void remote_answer(struct remote *r, uint64_t until_ns, struct remote_reading *out);

struct remote_stats {
    uint64_t asked, answered; /* readings */
    uint64_t losses;          /* of a connection that stood */
    uint64_t lost_ns;         /* the last one's time; 0: none */
    bool connected;
    uint64_t round_trip_ns;    /* the shortest; 0: none */
    uint64_t reading_error_ns; /* how exactly the time of a reading was known, at worst */
    struct remote_wall wall;
};
/* By the thread that samples, or once it has ended. */
struct remote_stats remote_stats(const struct remote *r);
/* Why the connection was last lost or could not be made; "" where nothing went wrong. */
const char *remote_reason(const struct remote *r);

#endif
