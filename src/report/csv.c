/*
 * result.json as rows (see the header): made from the JSON, so that whatever is in it is here.
 */
#include "report/csv.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "result/csv.h"
#include "result/result_json.h"

static void add_value(const char *key, json_t *value, struct strbuf *out);

static void add_members(const char *key, json_t *object, struct strbuf *out)
{
    const char *name = NULL;
    json_t *value = NULL;

    json_object_foreach(object, name, value)
    {
        char *path = *key ? xasprintf("%s.%s", key, name) : xstrdup(name);

        add_value(path, value, out);
        free(path);
    }
}

static void add_elements(const char *key, const json_t *list, struct strbuf *out)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        char *path = xasprintf("%s.%zu", key, i);

        add_value(path, json_array_get(list, i), out);
        free(path);
    }
}

/* Recursion: as deep as result.json, six levels. */
static void add_value(const char *key, json_t *value, struct strbuf *out)
{
    char *text = NULL;

    if (json_is_object(value)) {
        add_members(key, value, out);
        return;
    }
    if (json_is_array(value)) {
        add_elements(key, value, out);
        return;
    }
    csv_text(out, key);
    if (json_is_string(value)) {
        csv_text(out, json_string_value(value));
    } else if (json_is_null(value)) {
        csv_text(out, "");
    } else {
        text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        CHECK(text);
        csv_text(out, text);
        free(text);
    }
    csv_end(out);
}

void report_csv(const struct result *r, struct strbuf *out)
{
    char *text = result_json_write(r);
    json_t *root = json_loads(text, 0, NULL);

    CHECK(root);
    csv_text(out, "key");
    csv_text(out, "value");
    csv_end(out);
    add_members("", root, out);
    json_decref(root);
    free(text);
}
