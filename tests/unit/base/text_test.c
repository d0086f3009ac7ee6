/*
 * base/strbuf, base/xalloc, base/vec, base/check.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "harness/unit.h"

static void test_strbuf_grows(void)
{
    struct strbuf sb;

    strbuf_init(&sb);
    UNIT_EQ_STR("empty is a text", sb.buf, "");
    strbuf_reset(&sb);
    strbuf_commit(&sb, 0);
    strbuf_adds(&sb, "");
    strbuf_addf(&sb, "%s", "");
    UNIT_EQ_STR("", sb.buf, "");
    strbuf_adds(&sb, "abc");
    strbuf_addc(&sb, 'd');
    strbuf_add(&sb, "efgh", 2);
    strbuf_add(&sb, NULL, 0);
    strbuf_addf(&sb, "-%d-%s", 42, "x");
    UNIT_EQ_STR("", sb.buf, "abcdef-42-x");
    UNIT_EQ_U64("", sb.len, 11);
    strbuf_reset(&sb);
    UNIT_EQ_STR("", sb.buf, "");
    strbuf_release(&sb);
    strbuf_release(&sb);
}

/* Texts around every size of the room, by both ways of adding. */
static void test_strbuf_at_its_edges(void)
{
    for (size_t n = 0; n < 300; n++) {
        struct strbuf sb;
        char text[301];

        memset(text, 'x', n);
        text[n] = 0;
        strbuf_init(&sb);
        strbuf_addf(&sb, "%s", text);
        UNIT_EQ_U64("", sb.len, n);
        UNIT_EQ_STR("", sb.buf, text);
        strbuf_addf(&sb, "%s!", text);
        UNIT_EQ_U64("", sb.len, 2 * n + 1);
        UNIT_TRUE("", sb.len < sb.cap);
        for (size_t i = 0; i < n; i++)
            strbuf_addc(&sb, 'y');
        UNIT_EQ_U64("", strlen(sb.buf), 3 * n + 1);
        strbuf_release(&sb);
    }
}

/* A formatted text that just fits, or lacks one byte, behind another. */
static void test_strbuf_formats_to_the_brim(void)
{
    for (size_t n = 0; n < 140; n++) {
        struct strbuf sb;
        char text[141];

        memset(text, 'x', n);
        text[n] = 0;
        strbuf_init(&sb);
        strbuf_adds(&sb, "abc");
        strbuf_addf(&sb, "%s", text);
        UNIT_EQ_U64("", sb.len, n + 3);
        UNIT_EQ_STR("", sb.buf + 3, text);
        strbuf_release(&sb);
    }
}

static void test_strbuf_reserve_and_commit(void)
{
    struct strbuf sb;

    strbuf_init(&sb);
    strbuf_adds(&sb, "a");
    memcpy(strbuf_reserve(&sb, 1000), "bcd", 3);
    strbuf_commit(&sb, 3);
    UNIT_EQ_STR("", sb.buf, "abcd");
    UNIT_TRUE("", sb.cap >= 1002);
    strbuf_release(&sb);
}

static void commit_too_much(void *ctx)
{
    struct strbuf sb;

    (void)ctx;
    strbuf_init(&sb);
    strbuf_adds(&sb, "x");
    strbuf_commit(&sb, sb.cap - 1);
}

static void use_released(void *ctx)
{
    struct strbuf sb;

    (void)ctx;
    strbuf_init(&sb);
    strbuf_release(&sb);
    strbuf_adds(&sb, "x");
}

static void test_strbuf_misuse_is_a_bug(void)
{
    UNIT_TRUE("", unit_aborts(commit_too_much, NULL));
    UNIT_TRUE("", unit_aborts(use_released, NULL));
}

static void test_strbuf_detach(void)
{
    struct strbuf sb;
    char *text = NULL;

    strbuf_init(&sb);
    strbuf_adds(&sb, "mine");
    text = strbuf_detach(&sb);
    UNIT_EQ_STR("", text, "mine");
    UNIT_EQ_STR("empty, ready for use", sb.buf, "");
    strbuf_adds(&sb, "next");
    UNIT_EQ_STR("", sb.buf, "next");
    UNIT_EQ_STR("", text, "mine");
    free(text);
    text = strbuf_detach(&sb);
    free(text);
    UNIT_EQ_U64("nothing to release", sb.cap, 0);
    text = strbuf_detach(&sb);
    UNIT_EQ_STR("empty, and a text of its own", text, "");
    free(text);
}

static void test_xalloc(void)
{
    char *text = xstrndup("abcdef", 3);
    unsigned char *zeros = xcalloc(3, 5);
    void *nothing = xmalloc(0);

    UNIT_EQ_STR("", text, "abc");
    free(text);
    text = xstrndup("ab", 10);
    UNIT_EQ_STR("", text, "ab");
    free(text);
    text = xstrdup("whole");
    UNIT_EQ_STR("", text, "whole");
    free(text);
    text = xasprintf("%d %s", 1, "two");
    UNIT_EQ_STR("", text, "1 two");
    free(text);
    for (int i = 0; i < 15; i++)
        UNIT_EQ_I64("", zeros[i], 0);
    free(zeros);
    UNIT_TRUE("", nothing != NULL);
    nothing = xreallocarray(nothing, 0, 8);
    UNIT_TRUE("", nothing != NULL);
    free(nothing);
}

static void overflow(void *ctx)
{
    (void)ctx;
    free(xreallocarray(NULL, SIZE_MAX / 4, 8));
}

static void calloc_overflow(void *ctx)
{
    (void)ctx;
    free(xcalloc(SIZE_MAX / 4, 8));
}

static void test_xalloc_of_too_much_ends_it(void)
{
    UNIT_TRUE("", unit_aborts(overflow, NULL));
    UNIT_TRUE("", unit_aborts(calloc_overflow, NULL));
}

static void test_vec(void)
{
    VEC(int) v = {0};

    for (int i = 0; i < 1000; i++)
        VEC_PUSH(&v, i * i);
    UNIT_EQ_U64("", v.n, 1000);
    for (int i = 0; i < 1000; i++)
        UNIT_EQ_I64("", v.at[i], (int64_t)i * i);
    VEC_RELEASE(&v);
    UNIT_TRUE("", v.at == NULL);
    VEC_RELEASE(&v);
}

static void check_false(void *ctx)
{
    CHECK(ctx != NULL);
}

static void unreachable(void *ctx)
{
    (void)ctx;
    UNREACHABLE();
}

static void test_check(void)
{
    int x = 0;

    UNIT_TRUE("", unit_aborts(check_false, NULL));
    UNIT_TRUE("", !unit_aborts(check_false, &x));
    UNIT_TRUE("", unit_aborts(unreachable, NULL));
}

static const struct unit_test tests[] = {
    {"strbuf grows", test_strbuf_grows},
    {"strbuf at its edges", test_strbuf_at_its_edges},
    {"strbuf formats to the brim", test_strbuf_formats_to_the_brim},
    {"strbuf reserve and commit", test_strbuf_reserve_and_commit},
    {"strbuf misuse is a bug", test_strbuf_misuse_is_a_bug},
    {"strbuf detach", test_strbuf_detach},
    {"xalloc", test_xalloc},
    {"xalloc of too much ends it", test_xalloc_of_too_much_ends_it},
    {"vec", test_vec},
    {"check", test_check},
};

const struct unit_suite text_suite = UNIT_SUITE("text", tests);
