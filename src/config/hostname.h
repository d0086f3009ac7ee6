/*
 * "HOST:REST" as users write it: a device or a path of another machine, whose HOST is given to ssh
 * as it stands ("db1", "root@db1", "[::1]"). Text only.
 */
#ifndef CONFIG_HOSTNAME_H
#define CONFIG_HOSTNAME_H

#include <stdbool.h>
#include <stddef.h>

/* The length of HOST; 0 where there is none: no ":", or a "/" before it ("./a:b"). REST begins one
 * behind it. */
size_t hostname_length(const char *text);
/* Whether that is a host to be asked: not this machine by its name "localhost". */
bool hostname_is_elsewhere(const char *text);
/* Nothing that ssh would take for an option, a command or a secret. */
bool hostname_is_sane(const char *text, size_t len);
/* REST, or all of the text where there is no host. */
const char *hostname_rest(const char *text);

#endif
