/*
 * Parses a libpq connection string with libpq itself, looks the host up once and writes it back
 * with the address beside the name (hostaddr), so that no connection of the run asks a resolver.
 * Blocking; main thread only.
 */
#include "db/conninfo.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/check.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

static const char *option_value(const PQconninfoOption *options, const char *keyword)
{
    for (const PQconninfoOption *o = options; o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return o->val && o->val[0] ? o->val : NULL;
    return NULL;
}

static bool is_loopback(const struct sockaddr *sa)
{
    if (sa->sa_family == AF_INET) {
        struct sockaddr_in in4;

        memcpy(&in4, sa, sizeof(in4));
        return (ntohl(in4.sin_addr.s_addr) >> 24) == 127;
    }
    if (sa->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;

        memcpy(&in6, sa, sizeof(in6));
        return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
    }
    return false;
}

/* The first address of `host` as text in buf. */
static int look_up(const char *host, char *buf, size_t size, bool *loopback, struct err *err)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int rc = getaddrinfo(host, NULL, &hints, &found);

    if (rc != 0)
        return err_set(err, ERR_SURROUNDINGS, "host \"%s\" can't be resolved: %s", host,
                       gai_strerror(rc));
    *loopback = is_loopback(found->ai_addr);
    const int name_rc = getnameinfo(found->ai_addr, found->ai_addrlen, buf, (socklen_t)size, NULL,
                                    0, NI_NUMERICHOST);
    freeaddrinfo(found);
    if (name_rc != 0)
        return err_set(err, ERR_SURROUNDINGS, "host \"%s\" has no address that can be printed: %s",
                       host, gai_strerror(name_rc));
    return 0;
}

static void add_option(struct strbuf *out, const char *keyword, const char *value)
{
    strbuf_addf(out, "%s%s='", out->len ? " " : "", keyword);
    for (const char *c = value; *c; c++) {
        if (*c == '\'' || *c == '\\')
            strbuf_addc(out, '\\');
        strbuf_addc(out, *c);
    }
    strbuf_addc(out, '\'');
}

static int find_place(const PQconninfoOption *options, struct conninfo_place *place, char *address,
                      size_t size, struct err *err)
{
    const char *host = option_value(options, "host");
    const char *hostaddr = option_value(options, "hostaddr");
    const char *env_host = getenv("PGHOST");
    const char *env_hostaddr = getenv("PGHOSTADDR");

    address[0] = '\0';
    if (!hostaddr && env_hostaddr && env_hostaddr[0])
        hostaddr = env_hostaddr;
    if (!host && !hostaddr && env_host && env_host[0])
        host = env_host;
    place->host = xstrdup(host ? host : hostaddr ? hostaddr : "");
    if (!host && !hostaddr) {
        place->local = !option_value(options, "service");
        return 0;
    }
    if (!hostaddr && (host[0] == '/' || host[0] == '@')) {
        place->local = true;
        return 0;
    }
    if (hostaddr || strchr(host, ',')) { /* given, or a list that libpq walks by itself */
        place->local =
            hostaddr && (strncmp(hostaddr, "127.", 4) == 0 || strcmp(hostaddr, "::1") == 0);
        return 0;
    }
    return look_up(host, address, size, &place->local, err);
}

char *conninfo_resolve(const char *conninfo, struct conninfo_place *place, struct err *err)
{
    char *result = NULL;
    char *message = NULL;
    char address[128];
    struct strbuf out;
    PQconninfoOption *options = PQconninfoParse(conninfo, &message);

    *place = (struct conninfo_place){0};
    strbuf_init(&out);
    if (!options) {
        /* libpq's text may quote a part of the string, which may be a password. */
        err_set(err, ERR_USAGE,
                "the connection string can't be parsed (write \"host=... dbname=...\" or "
                "\"postgresql://user@host/dbname\")");
        goto out;
    }
    if (find_place(options, place, address, sizeof(address), err) < 0)
        goto out;
    for (const PQconninfoOption *o = options; o->keyword; o++)
        if (o->val && o->val[0])
            add_option(&out, o->keyword, o->val);
    if (address[0])
        add_option(&out, "hostaddr", address);
    result = strbuf_detach(&out);
out:
    if (!result) {
        free(place->host);
        place->host = NULL;
    }
    PQfreemem(message);
    PQconninfoFree(options);
    strbuf_release(&out);
    return result;
}

void conninfo_forget_environment(void)
{
    static const char *const others[] = {"PGSERVICEFILE", "PGSYSCONFDIR", "PGREQUIRESSL",
                                         "PGDATESTYLE",   "PGTZ",         "PGGEQO"};
    PQconninfoOption *options = PQconninfoParse("", NULL);

    CHECK(options); /* NULL is out of memory */
    for (const PQconninfoOption *o = options; o->keyword; o++)
        if (o->envvar)
            (void)unsetenv(o->envvar);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        (void)unsetenv(others[i]);
    PQconninfoFree(options);
}

void conninfo_driver_version(char *buf, size_t size)
{
    const int version = PQlibVersion();

    snprintf(buf, size, "libpq %d.%d", version / 10000, version % 100);
}
