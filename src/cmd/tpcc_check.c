/*
 * tpcc-check: the twelve consistency conditions on a dataset, a line each, with the rows that break
 * them. Exit 1 where one does not hold.
 */
#include <errno.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "check/check_text.h"
#include "cmd/program.h"

static int print(const struct check_report *report, bool json, struct err *err)
{
    struct strbuf text;
    int rc = 0;

    strbuf_init(&text);
    if (json)
        check_report_json(report, &text);
    else
        check_report_text(report, &text);
    if (fwrite(text.buf, 1, text.len, stdout) != text.len || fflush(stdout) != 0)
        rc = err_sys(err, errno, "standard output");
    strbuf_release(&text);
    return rc;
}

static int check(struct program *p)
{
    struct check_report report = {0};
    struct err err = {0};
    int rc = job_check(&p->env, &report, &err);

    console_flush(p->console);
    if (rc == 0)
        rc = print(&report, p->config.s.output.json, &err);
    rc = rc < 0 ? program_fail(p, &err) : report.all_hold ? 0 : 1;
    check_report_release(&report);
    return rc;
}

int main(int argc, char **argv)
{
    struct program p;
    int rc = program_begin(&p, PROGRAM_CHECK, argc, argv);

    if (rc == PROGRAM_GO)
        rc = check(&p);
    return program_end(&p, rc);
}
