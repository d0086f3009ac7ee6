/*
 * The limit of the server's memory over its life. The group's directory is noted in DIR/tpcc-run/,
 * so that the next program removes what a killed one has left. A group can be removed only some
 * moments after its last process has ended.
 */
#include "cluster/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/pagecache.h"
#include "base/units.h"
#include "base/xalloc.h"

static const uint64_t busy_ns = 3 * NS_PER_S;
static const uint64_t poll_ns = 20 * NS_PER_MS;

/* The same for every start on this directory, another for any other. */
static char *group_name(const struct cluster *c)
{
    struct stat st = {0};

    (void)stat(c->layout.dir, &st);
    return xasprintf("tpcc-run-%jx-%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
}

static void note_group(const struct cluster *c)
{
    char *text = xasprintf("%s\n", c->memory.group.dir);
    struct err err = {0};

    if (layout_write(&c->layout, LAYOUT_GROUP, text, &err) < 0)
        log_line(c->opts.log, LOG_WARN, "%s", err.text);
    free(text);
}

int memory_place(pid_t pid, void *ctx, struct err *err)
{
    struct cluster *c = ctx;
    struct cluster_memory_state *m = &c->memory;
    char *name = group_name(c);
    const struct memgroup_wish wish = {.name = name, .limit_bytes = m->wanted_bytes, .pid = pid};
    struct err why = {0};
    char limit[32];

    (void)err;
    free(m->why_none);
    m->why_none = NULL;
    units_format_bytes(m->wanted_bytes, limit, sizeof(limit));
    if (memgroup_place(&c->root, &wish, &m->group, &why) == 0) {
        note_group(c);
        log_line(c->opts.log, LOG_INFO, "the server's memory is limited to %s by %s (%s)", limit,
                 memgroup_kind_name(m->group.kind), m->group.dir);
    } else {
        m->why_none = xstrdup(why.text);
        log_line(c->opts.log, LOG_WARN, "the server's memory is not limited to %s: %s", limit,
                 why.text);
    }
    free(name);
    return 0;
}

static void attach_noted(struct cluster *c)
{
    char *dir = layout_read(&c->layout, LAYOUT_GROUP);

    if (dir) {
        dir[strcspn(dir, "\n")] = 0;
        memgroup_attach(&c->root, dir, &c->memory.group);
    }
    free(dir);
}

void memory_attach(struct cluster *c)
{
    if (c->memory.group.kind != MEMGROUP_NONE)
        return;
    attach_noted(c);
    if (c->memory.group.kills > 0)
        c->memory.kills_before = -c->memory.group.kills; /* none of ours */
}

static int remove_group(struct cluster *c)
{
    const struct clock *clk = c->opts.clock;
    const uint64_t until_ns = clock_now_ns(clk) + busy_ns;

    while (memgroup_remove(&c->root, &c->memory.group) < 0) {
        if (errno != EBUSY || clock_now_ns(clk) >= until_ns)
            return -1;
        clock_sleep_until_ns(clk, clock_now_ns(clk) + poll_ns);
    }
    return 0;
}

void memory_let_go(struct cluster *c)
{
    struct memgroup *g = &c->memory.group;
    const bool earlier = g->kind == MEMGROUP_NONE;
    struct err err = {0};

    if (earlier)
        attach_noted(c);
    if (!earlier && memgroup_kills(&c->root, g) > 0)
        c->memory.kills_before += g->kills;
    if (g->kind != MEMGROUP_NONE && remove_group(c) < 0)
        log_line(c->opts.log, LOG_WARN, "can't remove the group %s: %s", g->dir, strerror(errno));
    else if (layout_exists(&c->layout, LAYOUT_GROUP) &&
             layout_unlink(&c->layout, LAYOUT_GROUP, &err) < 0)
        log_line(c->opts.log, LOG_WARN, "%s", err.text);
    memgroup_release(g);
}

int memory_drop_cache(struct cluster *c, struct err *err)
{
    struct pagecache left;
    char cached[32];
    char all[32];

    CHECK(!server_alive(c));
    if (pagecache_drop(c->layout.data, c->opts.stop, &left, err) < 0)
        return -1;
    c->memory.cached_bytes = (int64_t)left.cached_bytes;
    units_format_bytes(left.cached_bytes, cached, sizeof(cached));
    units_format_bytes(left.bytes, all, sizeof(all));
    if (left.cached_bytes > left.bytes / 100)
        log_line(c->opts.log, LOG_WARN,
                 "of the server's files (%s) %s stay in the page cache: its file system may be "
                 "memory, or another program has them open",
                 all, cached);
    else
        log_line(c->opts.log, LOG_INFO,
                 "dropped the server's files (%s) from the page cache, %s are left", all, cached);
    return 0;
}

static int64_t kills_so_far(struct cluster *c)
{
    const int64_t now = memgroup_kills(&c->root, &c->memory.group);

    return c->memory.kills_before + (now > 0 ? now : 0);
}

void memory_explain(struct cluster *c, struct err *err)
{
    const int64_t kills = kills_so_far(c);
    char limit[32];

    if (kills <= 0)
        return;
    units_format_bytes(c->memory.wanted_bytes, limit, sizeof(limit));
    (void)err_wrap(err,
                   "the memory limit of %s was too small, the kernel ended %" PRId64
                   " process%s of the server",
                   limit, kills, kills == 1 ? "" : "es");
}

void cluster_memory(struct cluster *c, struct cluster_memory *out)
{
    const struct memgroup *g = &c->memory.group;
    const bool limited = g->kind != MEMGROUP_NONE;

    *out = (struct cluster_memory){
        .limit_bytes = limited ? g->limit_bytes : 0,
        .how = limited ? memgroup_kind_name(g->kind) : NULL,
        .why_none = c->memory.why_none,
        .kills = limited || c->memory.kills_before > 0 ? kills_so_far(c) : -1,
        .cached_bytes = c->memory.cached_bytes,
    };
}

const char *cluster_memory_expect(struct err *err)
{
    struct fsroot root;
    enum memgroup_kind kind = MEMGROUP_NONE;

    fsroot_init(&root, "");
    kind = memgroup_expect(&root, err);
    fsroot_release(&root);
    return kind == MEMGROUP_NONE ? NULL : memgroup_kind_name(kind);
}
