/*
 * Settings of the private server. The file's are for people to read and change; the plan's come
 * behind them and win. Pure text, no state.
 */
#include "cluster/server_conf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"

enum { FILE_MAX = 1024 * 1024, KIB = 1024, MIB = 1024 * 1024 };

/* PostgreSQL's own least values. */
enum { BUFFERS_MIN_KIB = 128, WAL_MIN_MIB = 80 };

static uint64_t at_least(uint64_t n, uint64_t least)
{
    return n > least ? n : least;
}

static char *read_given(const char *config_file, struct err *err)
{
    char *path = realpath(config_file, NULL);
    char *text = NULL;
    struct fsroot here;

    fsroot_init(&here, "");
    if (path)
        text = fsroot_read(&here, path, FILE_MAX, err);
    else
        (void)err_sys(err, errno, "can't read %s", config_file);
    if (!text)
        (void)err_wrap(err, "settings of the private server");
    fsroot_release(&here);
    free(path);
    return text;
}

char *server_conf(const char *config_file, const struct cluster_settings *s, struct err *err)
{
    struct strbuf text;
    char *given = read_given(config_file, err);
    const uint64_t wal_mib = at_least(s->max_wal_bytes / MIB, WAL_MIN_MIB);

    if (!given)
        return NULL;
    strbuf_init(&text);
    strbuf_addf(&text, "# Written by tpcc-run at each start: what is changed here is lost.\n\n%s",
                given);
    strbuf_adds(&text, "\n# From the plan.\n");
    strbuf_addf(&text, "shared_buffers = %" PRIu64 "kB\n",
                at_least(s->buffer_bytes / KIB, BUFFERS_MIN_KIB));
    strbuf_addf(&text, "checkpoint_timeout = %" PRIu64 "s\n",
                at_least(s->checkpoint_timeout_s, 30));
    strbuf_addf(&text, "max_wal_size = %" PRIu64 "MB\n", wal_mib);
    /* Segments are kept for reuse, so that a steady state makes no new ones. */
    strbuf_addf(&text, "min_wal_size = %" PRIu64 "MB\n", at_least(wal_mib / 4, WAL_MIN_MIB));
    strbuf_addf(&text, "max_connections = %" PRIu32 "\n",
                s->max_connections > 8 ? s->max_connections : 8);
    free(given);
    return strbuf_detach(&text);
}

char **server_conf_unsafe(uint64_t memory_bytes)
{
    /* max_wal_size still makes checkpoints, where the load writes WAL. Rows pass through a ring of
     * 16 MB: a larger buffer is only touched for the first time, a tenth of a load's CPU. */
    static const char *const fixed[] = {
        "fsync=off",      "full_page_writes=off",  "wal_level=minimal",    "max_wal_senders=0",
        "autovacuum=off", "checkpoint_timeout=1d", "shared_buffers=128MB",
    };
    VEC(char *) list = {0};
    uint64_t work_mib = memory_bytes / 16 / MIB; /* each of a few key builds at once */

    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        VEC_PUSH(&list, xstrdup(fixed[i]));
    work_mib = work_mib > 1024 ? 1024 : at_least(work_mib, 64);
    VEC_PUSH(&list, xasprintf("maintenance_work_mem=%" PRIu64 "MB", work_mib));
    VEC_PUSH(&list, NULL);
    return list.at;
}

void server_conf_free(char **list)
{
    for (char **item = list; item && *item; item++)
        free(*item);
    free(list);
}
