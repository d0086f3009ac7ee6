/*
 * A ladder's directory, read back: its own result.json only.
 */
#include <stdlib.h>

#include "result/ladder.h"
#include "result/result_dir.h"

bool ladder_dir_is(const char *path)
{
    return result_dir_is_kind(path, LADDER_KIND);
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
