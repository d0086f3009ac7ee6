/*
 * What tells whether the memory hid the drive, in one line: dataset, buffer, limit, RAM, and the
 * share of the server's page reads that reached the drive.
 */
#ifndef REPORT_MEMORY_WORDS_H
#define REPORT_MEMORY_WORDS_H

#include "base/strbuf.h"
#include "result/result.h"

/* "611 MB by cgroup v1", "none (no right to make a group ...)", "none". Appends, not escaped. */
void memory_words_limit(const struct result *r, struct strbuf *out);
/* All of it. Appends, not escaped. */
void memory_words(const struct result *r, struct strbuf *out);

#endif
