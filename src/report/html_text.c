/*
 * Escaping, paragraphs and tables of a page (see the header). No state beyond the caller's.
 */
#include "report/html_text.h"

#include <string.h>

#include "report/cell.h"

#define FEW_COLUMNS 5 /* as many fit a narrow screen */

/* The characters that mean something in HTML, in texts and in attributes. */
static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_text(struct strbuf *out, const char *text)
{
    struct strbuf clean;

    strbuf_init(&clean);
    cell_clean(&clean, text);
    for (const char *c = clean.buf; *c; c++) {
        const char *as = entity(*c);

        if (as)
            strbuf_adds(out, as);
        else
            strbuf_addc(out, *c);
    }
    strbuf_release(&clean);
}

static void add_part(struct strbuf *out, const char *text, size_t len)
{
    struct strbuf part;

    strbuf_init(&part);
    strbuf_add(&part, text, len);
    html_text(out, part.buf);
    strbuf_release(&part);
}

void html_advice(struct strbuf *out, const char *text)
{
    const char *option = strstr(text, "--");

    for (; option; option = strstr(text, "--")) {
        const size_t len = strcspn(option, " ,;:)");

        if (option > text)
            add_part(out, text, (size_t)(option - text));
        strbuf_adds(out, "<span class=\"option\">");
        add_part(out, option, len);
        strbuf_adds(out, "</span>");
        text = option + len;
    }
    if (*text)
        html_text(out, text);
}

void html_paragraph(struct strbuf *out, const char *class, const char *text)
{
    if (class)
        strbuf_addf(out, "<p class=\"%s\">", class);
    else
        strbuf_adds(out, "<p>");
    html_text(out, text);
    strbuf_adds(out, "</p>\n");
}

void html_section(struct strbuf *out, const char *id, const char *title)
{
    strbuf_addf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

void html_section_end(struct strbuf *out)
{
    strbuf_adds(out, "</section>\n\n");
}

void html_chart_begin(const struct html_chart *chart, struct strbuf *out)
{
    strbuf_addf(out, "<figure class=\"chart\" id=\"%s\">\n<figcaption>\n<h3>%s</h3>\n", chart->id,
                chart->title);
}

void html_chart_end(const struct html_chart *chart, struct strbuf *out)
{
    strbuf_addf(out,
                "</figcaption>\n<div class=\"drawn\">\n<div class=\"over\"><span class=\"axis\">%s"
                "</span><span class=\"legend\"></span></div>\n<div class=\"plot\"></div>\n"
                "<div class=\"axis under\">%s</div>\n</div>\n</figure>\n",
                chart->axis, chart->under ? chart->under : "time since the first user, h:min:s");
}

void html_table_begin(struct html_table *t, struct strbuf *out, const char *caption,
                      const struct html_column *columns, size_t n)
{
    CHECK(n > 0);
    *t = (struct html_table){.out = out, .columns = columns, .n = n};
    strbuf_addf(out, "<div class=\"table%s\"><table>\n", n > FEW_COLUMNS ? " wide" : "");
    if (caption)
        strbuf_addf(out, "<caption>%s</caption>\n", caption);
    strbuf_adds(out, "<thead><tr>");
    for (size_t i = 0; i < n; i++)
        strbuf_addf(out, "<th scope=\"col\"%s>%s</th>", columns[i].text ? " class=\"t\"" : "",
                    columns[i].head);
    strbuf_adds(out, "</tr></thead>\n<tbody>\n");
}

static void begin_cell(struct html_table *t)
{
    const struct html_column *c = &t->columns[t->at];

    if (t->at == 0)
        strbuf_adds(t->out, "<tr><th scope=\"row\" class=\"t\">");
    else
        strbuf_addf(t->out, "<td data-label=\"%s\"%s>", c->head, c->text ? " class=\"t\"" : "");
}

static void end_cell(struct html_table *t)
{
    strbuf_adds(t->out, t->at == 0 ? "</th>" : "</td>");
    if (++t->at < t->n)
        return;
    strbuf_adds(t->out, "</tr>\n");
    t->at = 0;
}

/* Names of many words joined may be broken between them. */
static void add_breakable(struct strbuf *out, const char *escaped)
{
    for (const char *c = escaped; *c; c++) {
        strbuf_addc(out, *c);
        if (*c == '_' || *c == '.')
            strbuf_adds(out, "<wbr>");
    }
}

void html_cell(struct html_table *t, const char *text)
{
    struct strbuf escaped;

    strbuf_init(&escaped);
    html_text(&escaped, text);
    begin_cell(t);
    if (t->at == 0)
        add_breakable(t->out, escaped.buf);
    else
        strbuf_adds(t->out, escaped.buf);
    end_cell(t);
    strbuf_release(&escaped);
}

void html_cell_markup(struct html_table *t, const char *markup)
{
    begin_cell(t);
    strbuf_adds(t->out, markup);
    end_cell(t);
}

void html_table_end(struct html_table *t)
{
    CHECK(t->at == 0);
    strbuf_adds(t->out, "</tbody>\n</table></div>\n");
}
