/*
 * Joins report/html and the files beside result.json that it shows: report reads no files.
 */
#include "cmd/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "result/result_dir.h"

char *page_read_plan(const char *dir)
{
    return result_dir_read_text(dir, "plan.yaml", NULL);
}

void page_make(const struct result *r, const char *dir, struct strbuf *out)
{
    char *plan = page_read_plan(dir);

    report_html(r, plan, out);
    free(plan);
}

static int write_all(FILE *to, const struct strbuf *text)
{
    return fwrite(text->buf, 1, text->len, to) == text->len && fflush(to) == 0 ? 0 : -1;
}

int page_save(const char *file, const struct strbuf *text, struct err *err)
{
    const bool standard = strcmp(file, "-") == 0;
    FILE *to = standard ? stdout : fopen(file, "we");
    int rc = 0;

    if (!to || write_all(to, text) < 0)
        rc = -1;
    if (to && !standard && fclose(to) != 0)
        rc = -1;
    return rc < 0 ? err_sys(err, errno, "can't write %s", standard ? "standard output" : file) : 0;
}
