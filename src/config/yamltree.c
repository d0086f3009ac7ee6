/*
 * libyaml parses and composes (aliases become a node that several parents share); here its document
 * is copied into a tree, each node at most once, so that neither a shared nor an endless one can be
 * walked twice. Parses from memory; one thread per call, no shared state.
 */
#include "config/yamltree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/xalloc.h"

struct build {
    yaml_document_t *doc;
    const char *name;
    bool *seen; /* by libyaml's node number, which begins with 1 */
    size_t n_nodes;
    struct err *err;
};

static size_t line_of(yaml_mark_t mark)
{
    return mark.line + 1;
}

static size_t column_of(yaml_mark_t mark)
{
    return mark.column + 1;
}

static int fail_at(const struct build *b, yaml_mark_t mark, const char *text)
{
    return err_set(b->err, ERR_USAGE, "%s:%zu:%zu: %s", b->name, line_of(mark), column_of(mark),
                   text);
}

static bool tag_is_plain(const yaml_node_t *from)
{
    static const char *const plain[] = {YAML_STR_TAG, YAML_SEQ_TAG, YAML_MAP_TAG};

    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        if (from->tag && strcmp((const char *)from->tag, plain[i]) == 0)
            return true;
    }
    return false;
}

static struct yamlnode *copy(struct build *b, int number, int depth);

static int check_key(const struct build *b, const struct yamlnode *map, const yaml_node_t *key)
{
    if (key->type != YAML_SCALAR_NODE)
        return fail_at(b, key->start_mark, "a key must be a word");
    if (key->data.scalar.length == 0 ||
        strlen((const char *)key->data.scalar.value) != key->data.scalar.length)
        return fail_at(b, key->start_mark, "an empty key");
    for (size_t i = 0; i < map->n_items; i++) {
        if (strcmp(map->item[i]->key, (const char *)key->data.scalar.value) == 0)
            return err_set(b->err, ERR_USAGE,
                           "%s:%zu:%zu: \"%.80s\" stands here again, after line %zu", b->name,
                           line_of(key->start_mark), column_of(key->start_mark), map->item[i]->key,
                           map->item[i]->key_line);
    }
    return 0;
}

static int copy_map(struct build *b, struct yamlnode *node, const yaml_node_t *from, int depth)
{
    const size_t n = (size_t)(from->data.mapping.pairs.top - from->data.mapping.pairs.start);

    node->item = xcalloc(n ? n : 1, sizeof(*node->item));
    for (size_t i = 0; i < n; i++) {
        const yaml_node_pair_t *pair = &from->data.mapping.pairs.start[i];
        const yaml_node_t *key = yaml_document_get_node(b->doc, pair->key);
        struct yamlnode *child = NULL;

        if (!key || check_key(b, node, key) < 0)
            return -1;
        child = copy(b, pair->value, depth + 1);
        if (!child)
            return -1;
        child->key = xstrdup((const char *)key->data.scalar.value);
        child->key_line = line_of(key->start_mark);
        child->key_column = column_of(key->start_mark);
        node->item[node->n_items++] = child;
    }
    return 0;
}

static int copy_list(struct build *b, struct yamlnode *node, const yaml_node_t *from, int depth)
{
    const size_t n = (size_t)(from->data.sequence.items.top - from->data.sequence.items.start);

    node->item = xcalloc(n ? n : 1, sizeof(*node->item));
    for (size_t i = 0; i < n; i++) {
        struct yamlnode *child = copy(b, from->data.sequence.items.start[i], depth + 1);

        if (!child)
            return -1;
        node->item[node->n_items++] = child;
    }
    return 0;
}

static int copy_scalar(const struct build *b, struct yamlnode *node, const yaml_node_t *from)
{
    const char *text = (const char *)from->data.scalar.value;

    if (strlen(text) != from->data.scalar.length)
        return fail_at(b, from->start_mark, "a text with a zero byte in it");
    node->text = xstrdup(text);
    return 0;
}

static int copy_content(struct build *b, struct yamlnode *node, const yaml_node_t *from, int depth)
{
    switch (from->type) {
    case YAML_SCALAR_NODE:
        node->kind = YAMLNODE_SCALAR;
        return copy_scalar(b, node, from);
    case YAML_SEQUENCE_NODE:
        node->kind = YAMLNODE_LIST;
        return copy_list(b, node, from, depth);
    case YAML_MAPPING_NODE:
        node->kind = YAMLNODE_MAP;
        return copy_map(b, node, from, depth);
    case YAML_NO_NODE:
        break;
    }
    return fail_at(b, from->start_mark, "nothing where a value should be");
}

/* The recursion is bounded by YAMLTREE_DEPTH_MAX. */
static struct yamlnode *copy(struct build *b, int number, int depth)
{
    const yaml_node_t *from = yaml_document_get_node(b->doc, number);
    struct yamlnode *node = NULL;

    if (!from) {
        err_set(b->err, ERR_USAGE, "%s: nothing where a value should be", b->name);
        return NULL;
    }
    if (b->seen[number]) {
        fail_at(b, from->start_mark, "an anchor that is used again: write the value out");
        return NULL;
    }
    b->seen[number] = true;
    if (depth > YAMLTREE_DEPTH_MAX) {
        fail_at(b, from->start_mark, "nested too deep");
        return NULL;
    }
    if (!tag_is_plain(from)) {
        fail_at(b, from->start_mark, "a tag (\"!...\"): write the plain value");
        return NULL;
    }
    node = xcalloc(1, sizeof(*node));
    node->line = line_of(from->start_mark);
    node->column = column_of(from->start_mark);
    if (copy_content(b, node, from, depth) < 0) {
        yamltree_free(node);
        return NULL;
    }
    return node;
}

static struct yamlnode *copy_document(yaml_document_t *doc, const char *name, struct err *err)
{
    struct build b = {.doc = doc, .name = name, .err = err};
    struct yamlnode *root = NULL;

    b.n_nodes = (size_t)(doc->nodes.top - doc->nodes.start);
    if (b.n_nodes == 0) {
        root = xcalloc(1, sizeof(*root));
        root->kind = YAMLNODE_MAP;
        root->line = 1;
        root->column = 1;
        return root;
    }
    if (b.n_nodes > YAMLTREE_NODES_MAX) {
        err_set(err, ERR_USAGE, "%s: more than %d values", name, YAMLTREE_NODES_MAX);
        return NULL;
    }
    b.seen = xcalloc(b.n_nodes + 1, sizeof(*b.seen));
    root = copy(&b, 1, 0);
    free(b.seen);
    return root;
}

static void set_parser_error(const yaml_parser_t *parser, const char *name, struct err *err)
{
    const char *problem = parser->problem ? parser->problem : "not YAML";

    if (parser->error == YAML_READER_ERROR)
        err_set(err, ERR_USAGE, "%s: byte %zu: %s", name, parser->problem_offset, problem);
    else
        err_set(err, ERR_USAGE, "%s:%zu:%zu: %s%s%s", name, line_of(parser->problem_mark),
                column_of(parser->problem_mark), problem, parser->context ? " " : "",
                parser->context ? parser->context : "");
}

/* What follows must be the end of the stream: a document without a root. */
static int check_end(yaml_parser_t *parser, const char *name, struct err *err)
{
    yaml_document_t doc;
    const yaml_node_t *root = NULL;
    int rc = 0;

    if (!yaml_parser_load(parser, &doc)) {
        set_parser_error(parser, name, err);
        return -1;
    }
    root = yaml_document_get_root_node(&doc);
    if (root)
        rc = err_set(err, ERR_USAGE, "%s:%zu:%zu: a second document (\"---\")", name,
                     line_of(root->start_mark), column_of(root->start_mark));
    yaml_document_delete(&doc);
    return rc;
}

static size_t brackets(const char *bytes, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += bytes[i] == '[' || bytes[i] == '{';
    return n;
}

struct yamlnode *yamltree_parse(const char *bytes, size_t len, const char *name, struct err *err)
{
    yaml_parser_t parser;
    yaml_document_t doc;
    struct yamlnode *root = NULL;

    if (len > YAMLTREE_BYTES_MAX || brackets(bytes, len) > YAMLTREE_BRACKETS_MAX) {
        err_set(err, ERR_USAGE, "%s: bigger than %d bytes, or more than %d brackets", name,
                YAMLTREE_BYTES_MAX, YAMLTREE_BRACKETS_MAX);
        return NULL;
    }
    CHECK(yaml_parser_initialize(&parser)); /* fails for want of memory only */
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, len);
    if (!yaml_parser_load(&parser, &doc)) {
        set_parser_error(&parser, name, err);
        goto out;
    }
    root = copy_document(&doc, name, err);
    yaml_document_delete(&doc);
    if (root && check_end(&parser, name, err) < 0) {
        yamltree_free(root);
        root = NULL;
    }
out:
    yaml_parser_delete(&parser);
    return root;
}

void yamltree_free(struct yamlnode *root)
{
    if (!root)
        return;
    for (size_t i = 0; i < root->n_items; i++)
        yamltree_free(root->item[i]);
    free(root->item);
    free(root->text);
    free(root->key);
    free(root);
}
