/*
 * base/log: format, lines said before there is a file, the callback, threads.
 */
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/thread.h"
#include "harness/unit.h"

static struct clock_fake fake;

static void say(enum log_level level, const char *line, void *ctx)
{
    strbuf_addf(ctx, "%d:%s|", (int)level, line);
}

/* What a memory file holds so far. */
struct memory_file {
    FILE *file;
    char *text;
    size_t size;
};

static void memory_open(struct memory_file *m)
{
    m->file = open_memstream(&m->text, &m->size);
    CHECK(m->file);
    CHECK(fflush(m->file) == 0);
}

static void memory_close(struct memory_file *m)
{
    (void)fclose(m->file);
    free(m->text);
}

static void test_lines(void)
{
    struct memory_file m = {0};
    struct strbuf said;
    struct log *log = NULL;

    clock_fake_init(&fake, 0, 0);
    strbuf_init(&said);
    memory_open(&m);
    log = log_new(&fake.clk, say, &said);
    log_line(log, LOG_INFO, "early %d", 1);
    clock_fake_advance(&fake, NS_PER_S);
    log_set_file(log, m.file);
    UNIT_EQ_STR("those already said", m.text, "1970-01-01T00:00:00Z info: early 1\n");
    log_line(log, LOG_WARN, "later");
    log_line(log, LOG_ERROR, "bad");
    log_line(log, LOG_DEBUG, "detail");
    UNIT_EQ_STR("", m.text,
                "1970-01-01T00:00:00Z info: early 1\n1970-01-01T00:00:01Z warning: later\n"
                "1970-01-01T00:00:01Z error: bad\n1970-01-01T00:00:01Z debug: detail\n");
    UNIT_EQ_STR("", said.buf, "1:early 1|2:later|3:bad|0:detail|");
    log_set_file(log, NULL);
    log_line(log, LOG_INFO, "after");
    UNIT_TRUE("the file is let go", strstr(m.text, "after") == NULL);
    log_set_file(log, m.file);
    UNIT_TRUE("", strstr(m.text, "after") != NULL);
    UNIT_TRUE("once", strstr(strstr(m.text, "early") + 1, "early") == NULL);
    log_free(log);
    memory_close(&m);
    strbuf_release(&said);
}

static void test_a_line_stays_a_line(void)
{
    struct strbuf said;
    struct log *log = NULL;

    clock_fake_init(&fake, 0, 0);
    strbuf_init(&said);
    log = log_new(&fake.clk, say, &said);
    log_line(log, LOG_INFO, "a\nb\tc\x1b[2J");
    UNIT_EQ_STR("", said.buf, "1:a b c?[2J|");
    log_free(log);
    strbuf_release(&said);
}

static void test_nowhere_to_go(void)
{
    struct log *log = NULL;

    clock_fake_init(&fake, 0, 0);
    log = log_new(&fake.clk, NULL, NULL);
    log_line(log, LOG_INFO, "kept");
    log_line(NULL, LOG_INFO, "no log at all");
    log_free(log);
    log_free(NULL);
}

static void test_early_lines_are_bounded(void)
{
    struct memory_file m = {0};
    struct log *log = NULL;

    clock_fake_init(&fake, 0, 0);
    memory_open(&m);
    log = log_new(&fake.clk, NULL, NULL);
    for (int i = 0; i < 50000; i++)
        log_line(log, LOG_INFO, "a line of some fifty characters, number %d", i);
    log_set_file(log, m.file);
    UNIT_TRUE("the first are kept", strstr(m.text, "number 0\n") != NULL);
    UNIT_TRUE("", m.size > 1000000);
    UNIT_TRUE("", m.size < 1100000);
    log_free(log);
    memory_close(&m);
}

enum { N_THREADS = 4, PER_THREAD = 500 };

static void *talk(void *ctx)
{
    for (int i = 0; i < PER_THREAD; i++)
        log_line(ctx, LOG_INFO, "abcdefghijklmnopqrstuvwxyz %04d", i);
    return NULL;
}

static void test_lines_of_threads_are_whole(void)
{
    const size_t line_size = sizeof("1970-01-01T00:00:00Z info: abcdefghijklmnopqrstuvwxyz 0000");
    struct thread threads[N_THREADS];
    struct memory_file m = {0};
    struct log *log = NULL;
    struct err err = {0};

    clock_fake_init(&fake, 0, 0);
    memory_open(&m);
    log = log_new(&fake.clk, NULL, NULL);
    log_set_file(log, m.file);
    for (size_t i = 0; i < N_THREADS; i++)
        UNIT_EQ_I64("", thread_start(&threads[i], "talks", talk, log, &err), 0);
    for (size_t i = 0; i < N_THREADS; i++)
        thread_join(&threads[i]);
    UNIT_EQ_U64("", m.size, line_size * N_THREADS * PER_THREAD);
    for (size_t at = 0; at + line_size <= m.size; at += line_size) {
        if (!UNIT_TRUE("", strncmp(m.text + at, "1970-01-01T00:00:00Z info: abc", 30) == 0) ||
            !UNIT_TRUE("", m.text[at + line_size - 1] == '\n'))
            break;
    }
    log_free(log);
    memory_close(&m);
}

static const struct unit_test tests[] = {
    {"lines", test_lines},
    {"a line stays a line", test_a_line_stays_a_line},
    {"nowhere to go", test_nowhere_to_go},
    {"early lines are bounded", test_early_lines_are_bounded},
    {"lines of threads are whole", test_lines_of_threads_are_whole},
};

const struct unit_suite log_suite = UNIT_SUITE("log", tests);
