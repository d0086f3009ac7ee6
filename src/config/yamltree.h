/*
 * One YAML document as a tree of nodes that know their line and column. Stricter than YAML where
 * that keeps files plain and reading bounded: one document; keys are texts and stand once; no
 * aliases, no tags; at most YAMLTREE_BYTES_MAX bytes, YAMLTREE_NODES_MAX nodes, YAMLTREE_DEPTH_MAX
 * levels, YAMLTREE_BRACKETS_MAX times "[" or "{" (libyaml takes time by the square of their depth).
 */
#ifndef CONFIG_YAMLTREE_H
#define CONFIG_YAMLTREE_H

#include <stddef.h>

#include "base/err.h"

#define YAMLTREE_BYTES_MAX (64 * 1024)
#define YAMLTREE_BRACKETS_MAX 512
#define YAMLTREE_NODES_MAX 4096
#define YAMLTREE_DEPTH_MAX 8

enum yamlnode_kind { YAMLNODE_SCALAR, YAMLNODE_LIST, YAMLNODE_MAP };

struct yamlnode {
    enum yamlnode_kind kind;
    size_t line, column; /* from 1 */
    char *text;          /* YAMLNODE_SCALAR; "" also for an absent value ("users:") */
    char *key;           /* of this node in its map; NULL elsewhere */
    size_t key_line, key_column;
    struct yamlnode **item; /* children of a list or map, in the order of the file */
    size_t n_items;
};

/* Parses `len` bytes; `name` is the file's name in errors ("name:line:column: ..."). NULL and err
 * on failure. An empty document is a map without items. yamltree_free() it. */
struct yamlnode *yamltree_parse(const char *bytes, size_t len, const char *name, struct err *err);
void yamltree_free(struct yamlnode *root);

#endif
