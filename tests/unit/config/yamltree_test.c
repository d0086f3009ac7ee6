/*
 * YAML as a tree: positions, and what is refused: shared and endless nodes, tags, odd keys, several
 * documents, too much of anything.
 */
#include "config/yamltree.h"

#include <string.h>

#include "base/strbuf.h"
#include "harness/unit.h"

static struct yamlnode *parse(const char *text, struct err *err)
{
    return yamltree_parse(text, strlen(text), "f", err);
}

static void test_a_tree(void)
{
    struct err err = {0};
    struct yamlnode *root = parse("# c\na: 1\nb:\n  - x y\n  - \"q\\n\"\nc: {d: }\n", &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    UNIT_EQ_I64("", root->kind, YAMLNODE_MAP);
    UNIT_EQ_U64("", root->n_items, 3);
    UNIT_EQ_STR("", root->item[0]->key, "a");
    UNIT_EQ_STR("", root->item[0]->text, "1");
    UNIT_EQ_U64("", root->item[0]->key_line, 2);
    UNIT_EQ_U64("", root->item[0]->key_column, 1);
    UNIT_EQ_U64("", root->item[0]->line, 2);
    UNIT_EQ_U64("", root->item[0]->column, 4);
    UNIT_EQ_I64("", root->item[1]->kind, YAMLNODE_LIST);
    UNIT_EQ_U64("", root->item[1]->n_items, 2);
    UNIT_EQ_STR("", root->item[1]->item[0]->text, "x y");
    UNIT_EQ_STR("", root->item[1]->item[1]->text, "q\n");
    UNIT_EQ_STR("an absent value", root->item[2]->item[0]->text, "");
    yamltree_free(root);
}

static void test_empty_documents(void)
{
    static const char *const texts[] = {"", "\n", "# only a comment\n", "---\n...\n",
                                        "\xef\xbb\xbf"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct err err = {0};
        struct yamlnode *root = parse(texts[i], &err);

        if (UNIT_TRUE(err.text, root != NULL))
            UNIT_EQ_U64(texts[i], root->n_items, 0);
        yamltree_free(root);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"a: &x {b: 1}\nc: *x\n", "f:1:4: an anchor that is used again: write the value out"},
        {"a: &x [*x]\n", "f:1:4: an anchor that is used again: write the value out"},
        {"a: !!int 5\n", "f:1:4: a tag (\"!...\"): write the plain value"},
        {"a: !mine 5\n", "f:1:4: a tag (\"!...\"): write the plain value"},
        {"a: 1\nb: 2\na: 3\n", "f:3:1: \"a\" stands here again, after line 1"},
        {"[a, b]: 1\n", "f:1:1: a key must be a word"},
        {"? \n: 1\n", NULL},
        {"a: \"x\\0y\"\n", "f:1:4: a text with a zero byte in it"},
        {"a: 1\n---\nb: 2\n", "f:3:1: a second document (\"---\")"},
        {"a: 1\n--- junk\n", "f:2:5: a second document (\"---\")"},
        {"a: [[[[[[[[[1]]]]]]]]]\n", "f:1:12: nested too deep"},
        {"a: *nobody\n", NULL},
        {"a: [1, 2\n", NULL},
        {"a: 'x\n", NULL},
        {"\ta: 1\n", NULL},
        {"a: \xff\n", NULL},
        {"%YAML 3.0\n---\na: 1\n", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct err err = {0};
        struct yamlnode *root = parse(cases[i].text, &err);

        UNIT_TRUE(cases[i].text, root == NULL);
        UNIT_EQ_I64(cases[i].text, err.kind, ERR_USAGE);
        if (cases[i].error)
            UNIT_EQ_STR(cases[i].text, err.text, cases[i].error);
        else
            UNIT_TRUE(err.text, strncmp(err.text, "f:", 2) == 0 && strlen(err.text) > 8);
        yamltree_free(root);
    }
}

/* Ten levels of ten aliases would be 10^10 nodes: refused at the first that is used again. */
static void test_an_anchor_bomb(void)
{
    struct strbuf text;
    struct err err = {0};

    strbuf_init(&text);
    strbuf_adds(&text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i <= 9; i++) {
        strbuf_addf(&text, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            strbuf_addf(&text, "*a%d, ", i - 1);
        strbuf_adds(&text, "]\n");
    }
    UNIT_TRUE("", parse(text.buf, &err) == NULL);
    UNIT_EQ_STR("", err.text, "f:1:5: an anchor that is used again: write the value out");
    strbuf_release(&text);
}

static void expect_refused(const char *what, struct strbuf *text)
{
    struct err err = {0};
    struct yamlnode *root = yamltree_parse(text->buf, text->len, "f", &err);

    UNIT_TRUE(what, root == NULL);
    UNIT_EQ_I64(what, err.kind, ERR_USAGE);
    yamltree_free(root);
    strbuf_reset(text);
}

static void repeat(struct strbuf *text, const char *part, size_t n)
{
    for (size_t i = 0; i < n; i++)
        strbuf_adds(text, part);
}

static void test_too_much(void)
{
    struct strbuf text;

    strbuf_init(&text);
    strbuf_adds(&text, "a: [");
    repeat(&text, "1,", YAMLTREE_NODES_MAX);
    strbuf_adds(&text, "]");
    expect_refused("nodes", &text);
    strbuf_adds(&text, "a: ");
    repeat(&text, "x", YAMLTREE_BYTES_MAX);
    expect_refused("bytes", &text);
    repeat(&text, "[", YAMLTREE_BRACKETS_MAX);
    expect_refused("the most brackets", &text);
    repeat(&text, "[", YAMLTREE_BYTES_MAX);
    expect_refused("depth of lists", &text);
    repeat(&text, "{a: ", YAMLTREE_BYTES_MAX / 4);
    expect_refused("depth of maps", &text);
    repeat(&text, "- ", YAMLTREE_BYTES_MAX / 2);
    expect_refused("depth of block lists", &text);
    repeat(&text, "? ", YAMLTREE_BYTES_MAX / 2);
    expect_refused("depth of keys", &text);
    strbuf_release(&text);
}

static const struct unit_test tests[] = {
    {"a tree", test_a_tree},
    {"empty documents", test_empty_documents},
    {"refused", test_refused},
    {"an anchor bomb", test_an_anchor_bomb},
    {"too much of anything", test_too_much},
};
const struct unit_suite yamltree_suite = UNIT_SUITE("yamltree", tests);
