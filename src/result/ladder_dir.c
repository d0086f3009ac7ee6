/*
 * A ladder's directory, read back: its own result.json only.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "result/ladder.h"
#include "result/result_dir.h"

bool ladder_dir_is(const char *path)
{
    char *text = result_dir_read_text(path, "result.json", NULL);
    json_t *root = text ? json_loads(text, 0, NULL) : NULL;
    const char *kind = json_string_value(json_object_get(root, "kind"));
    const bool yes = kind && strcmp(kind, LADDER_KIND) == 0;

    json_decref(root);
    free(text);
    return yes;
}

int ladder_dir_read(const char *path, struct ladder *l, struct err *err)
{
    char *text = result_dir_read_text(path, "result.json", err);
    int rc = -1;

    if (!text)
        return -1;
    rc = ladder_json_read(text, l, err);
    if (rc < 0)
        (void)err_wrap(err, "%s/result.json", path);
    free(text);
    return rc;
}
