/*
 * report/cell: figures, texts from outside, lines of 80 columns.
 */
#include "report/cell.h"

#include <math.h>
#include <string.h>

#include "harness/unit.h"

static void test_figures(void)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0.000"},      {0.03125, "0.031"}, {0.9994, "0.999"},  {0.9996, "1.00"},
        {3.125, "3.12"},   {9.994, "9.99"},    {9.996, "10.0"},    {99.96, "100.0"},
        {999.94, "999.9"}, {999.96, "1000"},   {183000, "183000"}, {-1.5, "-1.50"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        UNIT_EQ_STR(cases[i].text, cell_figure(cases[i].value).text, cases[i].text);
    UNIT_EQ_STR("none", cell_figure((double)NAN).text, "-");
    UNIT_EQ_STR("none", cell_figure((double)INFINITY).text, "-");
    UNIT_EQ_STR("huge", cell_figure(1e300).text, "1e+300");
    UNIT_EQ_STR("", cell_fixed(12.345, 1).text, "12.3");
    UNIT_EQ_STR("", cell_count(15000).text, "15,000");
    UNIT_EQ_STR("", cell_count(INT64_MAX).text, "9,223,372,036,854,775,807");
    UNIT_EQ_STR("none", cell_count(-1).text, "-");
    UNIT_EQ_STR("", cell_bytes(INT64_C(333000000000)).text, "333 GB");
    UNIT_EQ_STR("none", cell_bytes(-1).text, "-");
    UNIT_EQ_STR("", cell_duration(7500).text, "2h 05m");
    UNIT_EQ_STR("none", cell_duration((double)NAN).text, "-");
}

struct clip_case {
    const char *text;
    int columns, pad;
    const char *want;
};

static void test_clip(void)
{
    static const struct clip_case cases[] = {
        {"nvme0n1", 10, 1, "nvme0n1   "},
        {"nvme0n1", 10, 0, "nvme0n1"},
        {"nvme0n1", 7, 1, "nvme0n1"},
        {"nvme0n1p1", 8, 1, "nvme0..."},
        {"gr\xc3\xbc\xc3\x9f", 5, 1, "gr\xc3\xbc\xc3\x9f "},
        {"gr\xc3\xbc\xc3\x9fx", 4, 0, "g..."},
        {"a\nb\tc", 9, 0, "a b c"},
        {"\x1b[2J\x7f", 9, 0, "?[2J?"},
        {"gr\xfc\xdf", 9, 0, "gr??"},
        {"\xc2\x9b", 9, 0, "??"},
        {"", 2, 1, "  "},
        /* Two columns each; half a one is a blank. */
        {"\xe7\xa3\x81\xe7\x9b\x98", 4, 1, "\xe7\xa3\x81\xe7\x9b\x98"},
        {"\xe7\xa3\x81\xe7\x9b\x98", 5, 1, "\xe7\xa3\x81\xe7\x9b\x98 "},
        {"\xe7\xa3\x81\xe7\x9b\x98\xe7\xa3\x81", 5, 1, "\xe7\xa3\x81..."},
        {"\xe7\xa3\x81\xe7\x9b\x98\xe7\xa3\x81\xe7\xa3\x81", 7, 1, "\xe7\xa3\x81\xe7\x9b\x98..."},
        {"\xe7\xa3\x81\xe7\x9b\x98\xe7\xa3\x81", 4, 1, "... "},
        {"\xf0\x9f\x92\xbe", 3, 1, "\xf0\x9f\x92\xbe "},
        /* None: e with an acute, which stays on its e. */
        {"e\xcc\x81", 1, 0, "e\xcc\x81"},
        {"e\xcc\x81xyz", 4, 0, "e\xcc\x81xyz"},
        {"e\xcc\x81vwxyz", 4, 0, "e\xcc\x81..."},
    };
    struct strbuf out;

    strbuf_init(&out);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        strbuf_reset(&out);
        cell_clip(&out, cases[i].text, cases[i].columns, cases[i].pad);
        UNIT_EQ_STR(cases[i].text, out.buf, cases[i].want);
    }
    strbuf_reset(&out);
    cell_clip_middle(&out, "a drive, number 10", 12, 1);
    UNIT_EQ_STR("both ends", out.buf, "a dri...r 10");
    strbuf_reset(&out);
    cell_clip_middle(&out, "\xe7\xa3\x81\xe7\x9b\x98\xe7\xa3\x81\xe7\x9b\x98", 7, 1);
    UNIT_EQ_STR("wide", out.buf, "\xe7\xa3\x81...\xe7\x9b\x98");
    strbuf_reset(&out);
    cell_clip_middle(&out, "e\xcc\x81x", 4, 1);
    UNIT_EQ_STR("fits", out.buf, "e\xcc\x81x  ");
    strbuf_reset(&out);
    cell_clip_middle(&out, "abcdefgh", 4, 1);
    UNIT_EQ_STR("no room for two ends", out.buf, "a...");
    strbuf_reset(&out);
    cell_clean(&out, NULL);
    UNIT_EQ_STR("none", out.buf, "-");
    strbuf_release(&out);
}

/* Whatever the text: no line over 80 columns, and no word lost. */
static void test_paragraph(void)
{
    char text[400];
    struct strbuf out;

    strbuf_init(&out);
    cell_paragraph(&out, "label", "short");
    UNIT_EQ_STR("", out.buf, "label      short\n");
    strbuf_reset(&out);
    cell_paragraph(&out, "checkpoints", "few");
    UNIT_EQ_STR("as wide as its column", out.buf, "checkpoints\n           few\n");
    strbuf_reset(&out);
    cell_paragraph(&out, "\xe7\xa3\x81\xe7\x9b\x98", "two wide");
    UNIT_EQ_STR("", out.buf, "\xe7\xa3\x81\xe7\x9b\x98       two wide\n");
    strbuf_reset(&out);
    cell_paragraph(&out, "label", "");
    UNIT_EQ_STR("", out.buf, "label      \n");
    strbuf_reset(&out);
    for (size_t n = 0; n + 3 < sizeof(text); n += 3)
        memcpy(text + n, n % 21 ? "\xe7\xa3\x81" : "  x", 4);
    cell_paragraph(&out, "", text);
    for (char *at = strtok(out.buf, "\n"); at; at = strtok(NULL, "\n"))
        UNIT_TRUE(at, cell_width(at) > CELL_INDENT && cell_width(at) <= CELL_COLUMNS);
    for (size_t n = 1; n < sizeof(text); n++) {
        size_t letters = 0;

        memset(text, 'x', n);
        text[n] = 0;
        for (size_t i = 0; i < n; i += n % 13 + 1)
            text[i] = i ? ' ' : 'x';
        for (size_t i = 0; i < n; i++)
            letters += text[i] == 'x';
        strbuf_reset(&out);
        cell_paragraph(&out, "", text);
        for (const char *at = out.buf; *at; at = strchr(at, '\n') + 1) {
            UNIT_TRUE(text, strchr(at, '\n') - at <= CELL_COLUMNS);
            UNIT_TRUE(text, strchr(at, '\n') - at > CELL_INDENT);
        }
        for (const char *at = out.buf; *at; at++)
            letters -= *at == 'x';
        UNIT_EQ_U64(text, letters, 0);
    }
    strbuf_release(&out);
}

static const struct unit_test tests[] = {
    {"figures", test_figures},
    {"texts are clipped and cleaned", test_clip},
    {"paragraphs", test_paragraph},
};
const struct unit_suite cell_suite = UNIT_SUITE("cell", tests);
