/*
 * What was told is kept as a result that holds the devices' names and the few figures, so that the
 * question whether two share a drive is answered where the drive's own I/O is reckoned.
 */
#include "job/neighbours.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/xalloc.h"
#include "result/foreign.h"
#include "result/targets.h"

struct told {
    struct result r; /* devices, seconds, what its server moved */
    bool there;
};

struct neighbours {
    pthread_mutex_t lock; /* protects `at` */
    size_t n;
    struct told at[];
};

struct neighbours *neighbours_new(size_t n)
{
    struct neighbours *nb = xcalloc(1, sizeof(*nb) + n * sizeof(nb->at[0]));

    CHECK(pthread_mutex_init(&nb->lock, NULL) == 0);
    nb->n = n;
    for (size_t i = 0; i < n; i++)
        result_init(&nb->at[i].r);
    return nb;
}

void neighbours_free(struct neighbours *nb)
{
    if (!nb)
        return;
    for (size_t i = 0; i < nb->n; i++)
        result_release(&nb->at[i].r);
    CHECK(pthread_mutex_destroy(&nb->lock) == 0);
    free(nb);
}

static void keep(struct told *to, const struct result *r)
{
    for (size_t i = 0; i < r->drive.devices.n; i++) {
        const struct result_device name = {.name = xstrdup(r->drive.devices.at[i].name)};

        VEC_PUSH(&to->r.drive.devices, name);
    }
    if (targets_has_whole_sample(r)) {
        to->r.sample.seconds = r->sample.seconds;
        to->r.sample.server.io_read_mib_per_s = r->sample.server.io_read_mib_per_s;
        to->r.sample.server.io_write_mib_per_s = r->sample.server.io_write_mib_per_s;
    }
    to->there = true;
}

void neighbours_tell(struct neighbours *nb, size_t i, const struct result *r)
{
    CHECK(i < nb->n);
    CHECK(pthread_mutex_lock(&nb->lock) == 0);
    if (!nb->at[i].there)
        keep(&nb->at[i], r);
    CHECK(pthread_mutex_unlock(&nb->lock) == 0);
}

void neighbours_ask(struct neighbours *nb, size_t i, struct result *r)
{
    struct result_server_sample *s = &r->sample.server_sample;

    CHECK(i < nb->n);
    s->beside = 0;
    s->beside_read_mib_per_s = s->beside_write_mib_per_s = 0;
    CHECK(pthread_mutex_lock(&nb->lock) == 0);
    for (size_t k = 0; k < nb->n; k++) {
        const struct result *other = &nb->at[k].r;

        if (k == i || !foreign_is_beside(r, other))
            continue;
        s->beside++;
        s->beside_read_mib_per_s += other->sample.server.io_read_mib_per_s;
        s->beside_write_mib_per_s += other->sample.server.io_write_mib_per_s;
    }
    CHECK(pthread_mutex_unlock(&nb->lock) == 0);
}
