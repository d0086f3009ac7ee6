/*
 * result.json of a ladder, both ways by the same tables of members.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "result/ladder_fields.h"
#include "result/result_fields.h"

#define FIELD(kind, T, m)                                                                          \
    {                                                                                              \
#m, kind, offsetof(struct T, m)                                                            \
    }
#define FIELD_AS(key, kind, T, m)                                                                  \
    {                                                                                              \
        key, kind, offsetof(struct T, m)                                                           \
    }

/* clang-format off */
static const struct json_field head_table[] = {
    FIELD(JSON_TEXT, ladder, version),
    FIELD(JSON_TEXT, ladder, started),
    FIELD(JSON_TEXT, ladder, ended),
    FIELD(JSON_TEXT, ladder, label),
    FIELD(JSON_TEXT, ladder, command),
    FIELD(JSON_TEXT, ladder, asked),
    FIELD(JSON_YES, ladder, is_search),
    FIELD(JSON_YES, ladder, is_rates),
    FIELD(JSON_FIGURE, ladder, maximum_tps),
    FIELD(JSON_TEXT, ladder, ended_by),
    FIELD(JSON_WHOLE, ladder, planned_steps),
    FIELD(JSON_TEXT, ladder, host),
    FIELD(JSON_TEXT, ladder, workload),
    FIELD(JSON_TEXT, ladder, database),
    FIELD(JSON_TEXT, ladder, drive),
    FIELD(JSON_WHOLE, ladder, warehouses),
    FIELD(JSON_FIGURE, ladder, mean_cycle_s),
};

static const struct json_field check_table[] = {
    FIELD(JSON_WHOLE, ladder_check, conditions),
    FIELD(JSON_WHOLE, ladder_check, failed),
    FIELD(JSON_TEXT, ladder_check, first),
    FIELD(JSON_FIGURE, ladder_check, seconds),
};

static const struct json_field step_table[] = {
    FIELD(JSON_TEXT, ladder_step, directory),
    FIELD(JSON_WHOLE, ladder_step, users),
    FIELD(JSON_WHOLE, ladder_step, sessions),
    FIELD(JSON_FIGURE, ladder_step, users_per_warehouse),
    FIELD(JSON_FIGURE, ladder_step, ceiling_tps),
    FIELD(JSON_FIGURE, ladder_step, percent_of_maximum),
    FIELD(JSON_TEXT, ladder_step, verdict),
    FIELD(JSON_TEXT, ladder_step, reasons),
    FIELD_AS("limited_by", JSON_TEXT, ladder_step, limited),
    FIELD(JSON_TEXT, ladder_step, evidence),
    FIELD(JSON_MAYBE, ladder_step, steady),
    FIELD(JSON_FIGURE, ladder_step, settle_s),
    FIELD(JSON_FIGURE, ladder_step, seconds),
    FIELD(JSON_WHOLE, ladder_step, transactions),
    FIELD(JSON_WHOLE, ladder_step, failed),
    FIELD(JSON_WHOLE, ladder_step, unfinished),
    FIELD(JSON_WHOLE, ladder_step, due),
    FIELD(JSON_MAYBE, ladder_step, saturated),
    FIELD(JSON_FIGURE, ladder_step, tps),
    FIELD(JSON_FIGURE, ladder_step, tps_percent_of_ceiling),
    FIELD(JSON_TEXT, ladder_step, device),
    FIELD(JSON_FIGURE, ladder_step, server_cpu_percent),
    FIELD(JSON_TEXT, ladder_step, says),
};

static const struct json_field goal_table[] = {
    FIELD(JSON_TEXT, ladder_goal, text),
    FIELD(JSON_TEXT, ladder_goal, says),
    FIELD(JSON_FIGURE, ladder_goal, value_ms),
    FIELD(JSON_FIGURE, ladder_goal, low_ms),
    FIELD(JSON_FIGURE, ladder_goal, high_ms),
    FIELD(JSON_FIGURE, ladder_goal, limit_ms),
};

static const struct json_field answer_table[] = {
    FIELD(JSON_TEXT, ladder_answer, end),
    FIELD_AS("users", JSON_WHOLE, ladder_answer, holds),
    FIELD_AS("next_users", JSON_WHOLE, ladder_answer, next),
    FIELD_AS("failing_users", JSON_WHOLE, ladder_answer, fails),
    FIELD_AS("tps", JSON_FIGURE, ladder_answer, holds_tps),
    FIELD_AS("next_tps", JSON_FIGURE, ladder_answer, next_tps),
    FIELD_AS("failing_tps", JSON_FIGURE, ladder_answer, fails_tps),
};

static const struct json_field a_user_table[] = {
    FIELD_AS("reads_per_s", JSON_FIGURE, ladder_cost, reads),
    FIELD_AS("read_kib_per_s", JSON_FIGURE, ladder_cost, read_kib),
    FIELD_AS("writes_per_s", JSON_FIGURE, ladder_cost, writes),
    FIELD_AS("write_kib_per_s", JSON_FIGURE, ladder_cost, write_kib),
    FIELD_AS("flushes_per_s", JSON_FIGURE, ladder_cost, flushes),
};

static const struct json_field cost_table[] = {
    FIELD_AS("reads", JSON_FIGURE, ladder_step, reads_per_txn),
    FIELD_AS("writes", JSON_FIGURE, ladder_step, writes_per_txn),
    FIELD_AS("flushes", JSON_FIGURE, ladder_step, flushes_per_txn),
    FIELD_AS("read_kib", JSON_FIGURE, ladder_step, read_kib_per_txn),
    FIELD_AS("write_kib", JSON_FIGURE, ladder_step, write_kib_per_txn),
};
/* clang-format on */

#define FIELDS(table) ((struct json_fields){table, ARRAY_LEN(table)})

static json_t *new_value(json_t *value)
{
    CHECK(value);
    return value;
}

static json_t *write_goals(const struct ladder_step *s)
{
    json_t *list = new_value(json_array());

    for (size_t i = 0; i < s->goals.n; i++)
        CHECK(json_array_append_new(list, json_write_fields(&s->goals.at[i], FIELDS(goal_table))) ==
              0);
    return list;
}

/* null where nothing was searched. */
static json_t *write_answer(const struct ladder *l)
{
    json_t *object = NULL;

    if (!l->is_search)
        return json_null();
    object = json_write_fields(&l->answer, FIELDS(answer_table));
    json_put(object, "a_user", json_write_fields(&l->answer.a_user, FIELDS(a_user_table)));
    return object;
}

json_t *ladder_step_write(const struct ladder_step *s)
{
    json_t *object = json_write_fields(s, FIELDS(step_table));

    json_put(object, "response_ms", json_write_fields(&s->response, result_fields(PART_SUMMARY)));
    json_put(object, "device_rates", json_write_fields(&s->rates, result_fields(PART_RATES)));
    json_put(object, "per_transaction", json_write_fields(s, FIELDS(cost_table)));
    json_put(object, "conditions", write_goals(s));
    return object;
}

char *ladder_json_write(const struct ladder *l)
{
    json_t *root = new_value(json_object());
    json_t *steps = new_value(json_array());

    json_put(root, "format", json_text(RESULT_FORMAT));
    json_put(root, "kind", json_text(LADDER_KIND));
    json_add_fields(root, l, FIELDS(head_table));
    json_put(root, "answer", write_answer(l));
    json_put(root, "check", json_write_fields(&l->check, FIELDS(check_table)));
    for (size_t i = 0; i < l->steps.n; i++)
        CHECK(json_array_append_new(steps, ladder_step_write(&l->steps.at[i])) == 0);
    json_put(root, "steps", steps);
    return json_finish(root);
}

static int read_step_parts(const struct json_node *node, struct ladder_step *s, struct err *err)
{
    const struct json_node response = json_child(node, "response_ms");
    const struct json_node rates = json_child(node, "device_rates");
    const struct json_node costs = json_child(node, "per_transaction");

    if (json_read_fields(node, s, FIELDS(step_table), err) < 0 ||
        json_read_fields(&response, &s->response, result_fields(PART_SUMMARY), err) < 0 ||
        json_read_fields(&rates, &s->rates, result_fields(PART_RATES), err) < 0 ||
        json_read_fields(&costs, s, FIELDS(cost_table), err) < 0)
        return -1;
    if (!s->directory || !s->verdict || s->users < 1)
        return json_complain(node, err, "a step without directory, verdict or users");
    return 0;
}

static int read_goals(const struct json_node *step, struct ladder_step *s, struct err *err)
{
    const struct json_node list = json_child(step, "conditions");
    const size_t n = json_array_size(list.value);

    if (json_expect(&list, JSON_ARRAY, err) < 0)
        return -1;
    if (n > LADDER_STEPS_MAX)
        return json_complain(&list, err, "more than %d conditions", LADDER_STEPS_MAX);
    for (size_t i = 0; i < n; i++) {
        const struct json_node node = json_element(&list, i);
        const struct ladder_goal none = {0};

        VEC_PUSH(&s->goals, none); /* the step's from here on */
        if (json_read_fields(&node, &s->goals.at[i], FIELDS(goal_table), err) < 0)
            return -1;
    }
    return 0;
}

int ladder_step_read(const struct json_node *node, struct ladder_step *s, struct err *err)
{
    if (json_expect(node, JSON_OBJECT, err) < 0 || read_step_parts(node, s, err) < 0)
        return -1;
    return read_goals(node, s, err);
}

static int read_answer(const struct json_node *root, struct ladder *l, struct err *err)
{
    const struct json_node answer = json_child(root, "answer");
    const struct json_node a_user = json_child(&answer, "a_user");

    if (json_read_fields(&answer, &l->answer, FIELDS(answer_table), err) < 0)
        return -1;
    return json_read_fields(&a_user, &l->answer.a_user, FIELDS(a_user_table), err);
}

static int read_steps(const struct json_node *root, struct ladder *l, struct err *err)
{
    const struct json_node list = json_child(root, "steps");
    const size_t n = json_array_size(list.value);

    if (json_expect(&list, JSON_ARRAY, err) < 0)
        return -1;
    if (n > LADDER_STEPS_MAX)
        return json_complain(&list, err, "more than %d steps", LADDER_STEPS_MAX);
    for (size_t i = 0; i < n; i++) {
        const struct json_node node = json_element(&list, i);
        const struct ladder_step none = {0};

        VEC_PUSH(&l->steps, none); /* the ladder's from here on */
        if (ladder_step_read(&node, &l->steps.at[i], err) < 0)
            return -1;
    }
    return 0;
}

int ladder_json_read(const char *text, struct ladder *l, struct err *err)
{
    json_t *document = json_parse(text, err);
    const struct json_node root = {.value = document};
    int rc = -1;

    if (!document)
        return -1;
    const struct json_node check = json_child(&root, "check");

    if (json_expect_kind(document, LADDER_KIND, "a single run, no ladder (of --steps)", err) == 0 &&
        json_read_fields(&root, l, FIELDS(head_table), err) == 0 &&
        json_read_fields(&check, &l->check, FIELDS(check_table), err) == 0 &&
        read_answer(&root, l, err) == 0 && read_steps(&root, l, err) == 0)
        rc = 0;
    json_decref(document);
    return rc;
}
