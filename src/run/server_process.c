/*
 * Looks in procfs, under a root, so that tests use made trees.
 */
#include "run/server_process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOST_BYTES_MAX 256

void server_process_find(struct server_process *p, const struct fsroot *root, int64_t session)
{
    static const char name[] = "postgres";
    struct process_load own;
    struct process_load up;

    *p = (struct server_process){0};
    if (!process_load_read(root, session, &own) || strncmp(own.name, name, strlen(name)) != 0 ||
        !process_load_read(root, own.parent, &up) || strncmp(up.name, name, strlen(name)) != 0)
        return;
    p->root = root;
    p->pid = own.parent;
    p->looking = session;
}

static bool is_this_machine(const struct fsroot *root, const char *host)
{
    char *own = fsroot_read(root, "/proc/sys/kernel/hostname", HOST_BYTES_MAX, NULL);
    bool is = false;

    if (own) {
        own[strcspn(own, "\n")] = '\0';
        is = *own && strcmp(own, host) == 0;
    }
    free(own);
    return is;
}

void server_process_find_thread(struct server_process *p, const struct fsroot *root,
                                const struct server_process_said *said)
{
    struct process_load server;
    struct process_load own;
    int64_t pid;

    *p = (struct server_process){0};
    if (!is_this_machine(root, said->host))
        return;
    pid = thread_process(root, said->thread);
    if (pid < 0 || !process_load_read(root, pid, &server) || strcmp(server.name, said->name) != 0 ||
        !thread_load_read(root, pid, said->thread, &own))
        return;
    p->root = root;
    p->pid = pid;
    p->looking = said->thread;
    p->threads = true;
}

static uint64_t listed_cpu_ns(const struct server_process *p, struct server_process_list listed)
{
    struct process_load load;
    uint64_t sum = 0;

    for (size_t i = 0; i < listed.n; i++) {
        if (process_load_read(p->root, listed.pid[i], &load))
            sum += load.cpu_ns;
    }
    if (process_load_read(p->root, p->pid, &load))
        sum += load.cpu_ns + load.ended_cpu_ns;
    return sum;
}

static void take_io(const struct server_process *p, struct server_use *out)
{
    struct process_io own;

    if (!process_family_io(p->root, p->pid, &out->io) || !process_io_read(p->root, getpid(), &own))
        return;
    out->io.read_bytes += own.read_bytes;
    out->io.write_bytes += own.write_bytes;
    out->has_io = true;
}

void server_process_use(struct server_process *p, struct server_process_list listed,
                        struct server_use *out)
{
    struct process_load looking;
    uint64_t ns = 0;

    *out = (struct server_use){0};
    if (!p->root || !(p->threads ? thread_load_read(p->root, p->pid, p->looking, &looking)
                                 : process_load_read(p->root, p->looking, &looking)))
        return;
    if (!process_family_cpu_ns(p->root, p->pid, &ns))
        ns = listed_cpu_ns(p, listed);
    if (ns > p->cpu_ns)
        p->cpu_ns = ns;
    out->cpu_ns = p->cpu_ns;
    out->looking_cpu_ns = looking.cpu_ns;
    out->has_cpu = true;
    take_io(p, out);
}
