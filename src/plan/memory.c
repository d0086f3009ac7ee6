/*
 * The memory limit, term by term. In the reviews' machine 64 GB stood beside 333 GB of data: 48 GB
 * of buffer and 16 GB for all the rest, 4.8 % of the dataset. A limit that the server does not use
 * up goes to the page cache; so what it needs for itself is kept small where the dataset is small,
 * else a demo's dataset would lie in memory as a whole.
 */
#include "plan/memory.h"

#include <math.h>

#include "base/units.h"
#include "plan/space.h"

#define MIB (UINT64_C(1) << 20)
#define MEGABYTE UINT64_C(1000000)
#define PAGE_CACHE_SHARE 0.048
#define PAGE_CACHE_MIN (32 * MIB) /* below it the kernel writes back by force */
#define SESSION_BYTES UINT64_C(12000000)
/* The server's own: vacuum workers with their lists of dead rows, WAL buffers, what the kernel
 * keeps of sockets and files. Lists grow with the tables: a share of the dataset. */
#define OWN_SHARE (1.0 / 16)
#define OWN_MIN (128 * MIB)
#define OWN_MAX UINT64_C(1000000000)
#define PAGE_TABLE_ENTRY 8 /* bytes for each page of 4 KiB that a process has touched */
#define PAGE_BYTES 4096
#define HUGE_SURPLUS 1.1 /* shared memory beside the buffer */
#define START_BYTES (32 * MIB)
#define HONEST_RATIO 5.2 /* of dataset to RAM in the reviews */

static uint64_t clamp(double n, uint64_t low, uint64_t high)
{
    return n < (double)low ? low : n > (double)high ? high : (uint64_t)n;
}

uint64_t memory_sum(const struct plan_memory *m)
{
    return m->page_cache + m->sessions + m->own + (m->huge ? 0 : m->buffer + m->page_tables);
}

/* The fewest warehouses of which the dataset is HONEST_RATIO times the machine's memory. */
static uint64_t honest_warehouses(uint64_t memory_bytes)
{
    const double bytes = HONEST_RATIO * (double)memory_bytes;
    uint64_t n = space_warehouses((uint64_t)bytes);

    while ((double)space_of_dataset(n) < bytes)
        n++;
    return n;
}

static int refuse_small(const struct plan_memory *m, struct err *err)
{
    char given[32];
    char least[32];
    char sum[32];

    units_format_bytes(m->limit, given, sizeof(given));
    units_format_bytes((m->huge ? 0 : m->buffer) + START_BYTES, least, sizeof(least));
    units_format_bytes(memory_sum(m), sum, sizeof(sum));
    return err_set(err, ERR_USAGE,
                   "a memory limit of %s is too small for the server to start: its buffer alone "
                   "asks for %s (leave --memory-limit out, which gives %s, or take a smaller "
                   "--buffer)",
                   given, least, sum);
}

int memory_build(struct plan *p, const struct settings *s, const struct plan_facts *f,
                 struct err *err)
{
    struct plan_memory *m = &p->memory;
    const uint64_t given = s->server.memory_limit_bytes;
    const double dataset = (double)space_of_dataset((uint64_t)p->dataset.warehouses);

    *m = (struct plan_memory){0};
    if (!f->private_server)
        return 0; /* others set its limits */
    m->page_cache = clamp(PAGE_CACHE_SHARE * dataset, PAGE_CACHE_MIN, UINT64_MAX / 4);
    m->sessions = p->sessions * SESSION_BYTES;
    m->own = clamp(OWN_SHARE * dataset, OWN_MIN, OWN_MAX);
    m->buffer = p->buffer_bytes;
    m->page_tables = p->sessions * (p->buffer_bytes / PAGE_BYTES * PAGE_TABLE_ENTRY);
    m->huge = (double)f->huge_free_bytes > HUGE_SURPLUS * (double)p->buffer_bytes;
    m->honest_warehouses = f->memory_bytes ? honest_warehouses(f->memory_bytes) : 0;
    m->given = given && given != UINT64_MAX;
    if (given == UINT64_MAX)
        return 0;
    m->limit = m->given ? given : (memory_sum(m) + MEGABYTE - 1) / MEGABYTE * MEGABYTE;
    return m->limit < (m->huge ? 0 : m->buffer) + START_BYTES ? refuse_small(m, err) : 0;
}
