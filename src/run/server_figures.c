/*
 * Figures of the server (see the header). By Little's law sessions seen in a state, on average, are
 * what transactions a second spend in it: so shares of sessions are shares of time.
 */
#include "run/server_figures.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define NS_PER_S_D 1e9
#define KIB 1024.0
#define MIB (1024.0 * KIB)

static bool begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

/* DataFileRead, SLRURead, DataFilePrefetch, AioIoCompletion (18: reads only): a page is fetched. */
static enum wait_class file_wait(const char *event)
{
    if (begins(event, "WAL"))
        return WAIT_WAL;
    if (begins(event, "Aio") || strstr(event, "Read") || strstr(event, "Prefetch"))
        return WAIT_READ;
    return WAIT_WRITE;
}

enum wait_class server_wait_class(const char *type, const char *event, bool in_transaction)
{
    for (int c = 0; c < WAIT_CLASSES; c++) {
        if (strcmp(type, result_wait_name((enum wait_class)c)) == 0)
            return (enum wait_class)c;
    }
    if (strcmp(type, "Client") == 0 || in_transaction)
        return WAIT_CLIENT;
    if (!*type)
        return WAIT_CPU;
    if (strcmp(type, "IO") == 0)
        return file_wait(event);
    if (strcmp(type, "LWLock") == 0) /* WALWrite, WALInsert: behind another session's flush */
        return begins(event, "WAL") ? WAIT_WAL : WAIT_LOCK;
    if (strcmp(type, "Lock") == 0 || strcmp(type, "BufferPin") == 0 || strcmp(type, "Buffer") == 0)
        return WAIT_LOCK;
    if (begins(event, "BufferIO")) /* another session reads this page */
        return WAIT_READ;
    return begins(event, "SyncRep") ? WAIT_WAL : WAIT_OTHER;
}

void server_delta_add(struct server_delta *to, const struct server_delta *from)
{
    const bool first = to->ns == 0;

    if (from->ns == 0)
        return;
    to->ns += from->ns;
    to->transactions += from->transactions;
    to->writers += from->writers;
    for (int i = 0; i < SERVER_COUNTERS; i++) {
        to->has[i] = from->has[i] && (first || to->has[i]);
        to->count[i] += from->count[i];
    }
    to->looks += from->looks;
    for (int i = 0; i < WAIT_CLASSES; i++)
        to->seen[i] += from->seen[i];
    to->has_cpu = from->has_cpu && (first || to->has_cpu);
    to->cpu_ns += from->cpu_ns;
    to->looking_cpu_ns += from->looking_cpu_ns;
    to->thread_cpu_ns += from->thread_cpu_ns;
    to->has_io = from->has_io && (first || to->has_io);
    to->io.read_bytes += from->io.read_bytes;
    to->io.write_bytes += from->io.write_bytes;
    to->has_host = from->has_host && (first || to->has_host);
    to->host_busy += from->host_busy;
    to->host_all += from->host_all;
    for (int k = 0; k < PSI_KINDS; k++) {
        to->has_psi[k] = from->has_psi[k] && (first || to->has_psi[k]);
        to->psi_us[k] += from->psi_us[k];
    }
}

static double ratio(double n, double of)
{
    return of > 0 ? n / of : RESULT_NONE;
}

/* A counter of this window; NaN: not to be had. */
static double counted(const struct server_delta *d, enum server_counter c)
{
    return d->has[c] ? (double)d->count[c] : RESULT_NONE;
}

bool server_times_commits(const struct server_delta *d, const struct server_facts *facts)
{
    return facts->times_wal && d->has[COUNT_WAL_FLUSH_US] && d->has[COUNT_WAL_WRITE_US] &&
           d->count[COUNT_WAL_WRITES] > 0;
}

static double wal_waiters(const struct server_delta *d)
{
    return ratio((double)d->seen[WAIT_WAL], (double)d->looks);
}

/* With wal_sync_method = open_* there is no flush beside the write. */
static double commit_ms(const struct server_delta *d, const struct server_facts *facts)
{
    const double seconds = (double)d->ns / NS_PER_S_D;
    const double writes = counted(d, COUNT_WAL_WRITES);
    const double flushes = counted(d, COUNT_WAL_FLUSHES);

    if (!server_times_commits(d, facts))
        return 1000.0 * ratio(wal_waiters(d) * seconds, (double)d->writers);
    return (ratio(counted(d, COUNT_WAL_WRITE_US), writes) +
            (flushes > 0 ? counted(d, COUNT_WAL_FLUSH_US) / flushes : 0)) /
           1000.0;
}

static void fill_waits(const struct server_delta *d, struct result_server *out)
{
    uint64_t all = 0;

    for (int i = 0; i < WAIT_CLASSES; i++)
        all += d->seen[i];
    out->active = ratio((double)all, (double)d->looks);
    for (int i = 0; i < WAIT_CLASSES; i++)
        out->wait_percent[i] = ratio(100.0 * (double)d->seen[i], (double)all);
}

static void fill_machine(const struct server_delta *d, const struct server_facts *facts,
                         struct result_server *out)
{
    double *psi[PSI_KINDS] = {
        [PSI_CPU] = &out->psi_cpu_percent,
        [PSI_IO] = &out->psi_io_percent,
        [PSI_MEMORY] = &out->psi_memory_percent,
    };
    const double seconds = (double)d->ns / NS_PER_S_D;

    if (d->has_cpu) {
        out->cpu_ms_per_transaction = ratio((double)d->cpu_ns / 1e6, (double)d->transactions);
        if (facts->cpus > 0)
            out->cpu_percent = 100.0 * (double)d->cpu_ns / (double)d->ns / (double)facts->cpus;
    }
    if (d->has_io) {
        out->io_read_mib_per_s = (double)d->io.read_bytes / MIB / seconds;
        out->io_write_mib_per_s = (double)d->io.write_bytes / MIB / seconds;
    }
    if (d->has_host)
        out->host_cpu_percent = ratio(100.0 * (double)d->host_busy, (double)d->host_all);
    for (int k = 0; k < PSI_KINDS; k++) {
        if (d->has_psi[k])
            *psi[k] = fmin(100.0, 100.0 * (double)d->psi_us[k] * 1e3 / (double)d->ns);
    }
}

struct result_server server_figures(const struct server_delta *d, const struct server_facts *facts)
{
    struct result_server out = result_server_none();
    const double wal_bytes = counted(d, COUNT_WAL_BYTES);
    const double read = counted(d, COUNT_PAGES_READ);
    const double full_bytes = counted(d, COUNT_FULL_PAGES) * (double)facts->page_bytes;
    double flushes = counted(d, COUNT_WAL_FLUSHES);

    if (d->ns == 0)
        return out;
    if (flushes == 0) /* open_datasync */
        flushes = counted(d, COUNT_WAL_WRITES);
    out.commit_ms = commit_ms(d, facts);
    out.commits_per_flush = ratio((double)d->writers, flushes);
    out.wal_kib_per_transaction = ratio(wal_bytes / KIB, (double)d->transactions);
    if (!isnan(full_bytes) && wal_bytes > 0)
        out.full_page_percent = fmin(100.0, 100.0 * full_bytes / wal_bytes);
    out.cache_hit_percent =
        ratio(100.0 * counted(d, COUNT_PAGES_HIT), counted(d, COUNT_PAGES_HIT) + read);
    out.page_reads_per_s = read / ((double)d->ns / NS_PER_S_D);
    fill_waits(d, &out);
    fill_machine(d, facts, &out);
    return out;
}
