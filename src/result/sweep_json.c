/*
 * Curves as JSON: members by tables, as in result_fields. What is read is foreign: every list has a
 * bound. Figures that follow from points (the peak ...) are written for other readers, and made
 * anew from the points when read.
 */
#include "result/sweep_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "result/result_fields.h"

#define PROFILES_MAX 100
#define POINTS_MAX 1000

#define FIELD(T, kind, m)                                                                          \
    {                                                                                              \
#m, kind, offsetof(struct T, m)                                                            \
    }

static const struct json_field sweep_table[] = {
    FIELD(result_sweep, JSON_TEXT, target),
    FIELD(result_sweep, JSON_WHOLE, area_bytes),
    FIELD(result_sweep, JSON_TEXT, fio),
    FIELD(result_sweep, JSON_TEXT, taken_from),
    FIELD(result_sweep, JSON_TEXT, target_id),
    FIELD(result_sweep, JSON_TEXT, saved),
    FIELD(result_sweep, JSON_FIGURE, point_seconds),
    FIELD(result_sweep, JSON_FIGURE, settle_seconds),
    FIELD(result_sweep, JSON_WHOLE, points_planned),
    FIELD(result_sweep, JSON_WHOLE, points_done),
    FIELD(result_sweep, JSON_YES, interrupted),
};

static const struct json_field profile_table[] = {
    FIELD(sweep_profile, JSON_TEXT, workload),
    FIELD(sweep_profile, JSON_TEXT, name),
    FIELD(sweep_profile, JSON_TEXT, mix),
    FIELD(sweep_profile, JSON_YES, modelled),
    FIELD(sweep_profile, JSON_TEXT, sources),
    FIELD(sweep_profile, JSON_WHOLE, outstanding),
    FIELD(sweep_profile, JSON_FIGURE, read_spread),
    FIELD(sweep_profile, JSON_FIGURE, write_spread),
    FIELD(sweep_profile, JSON_MAYBE, steady),
    FIELD(sweep_profile, JSON_WHOLE, rounds),
    FIELD(sweep_profile, JSON_FIGURE, peak_iops),
    FIELD(sweep_profile, JSON_FIGURE, peak_mib_per_s),
    FIELD(sweep_profile, JSON_FIGURE, iops_at_95_percent),
    FIELD(sweep_profile, JSON_FIGURE, latency_us_at_95_percent),
    FIELD(sweep_profile, JSON_FIGURE, iops_below_1_ms),
};

static const struct json_field point_table[] = {
    FIELD(sweep_point, JSON_FIGURE, percent),
    FIELD(sweep_point, JSON_FIGURE, asked_iops),
    FIELD(sweep_point, JSON_FIGURE, seconds),
    FIELD(sweep_point, JSON_FIGURE, after_pause_s),
    FIELD(sweep_point, JSON_FIGURE, iops),
    FIELD(sweep_point, JSON_FIGURE, mib_per_s),
    FIELD(sweep_point, JSON_FIGURE, read_iops),
    FIELD(sweep_point, JSON_FIGURE, write_iops),
    FIELD(sweep_point, JSON_FIGURE, outstanding),
    FIELD(sweep_point, JSON_MAYBE, saturated),
    FIELD(sweep_point, JSON_MAYBE, off),
    FIELD(sweep_point, JSON_FIGURE, off_limit_percent),
};

static const struct json_fields sweep_fields = {sweep_table, ARRAY_LEN(sweep_table)};
static const struct json_fields profile_fields = {profile_table, ARRAY_LEN(profile_table)};
static const struct json_fields point_fields = {point_table, ARRAY_LEN(point_table)};

static json_t *new_list(void)
{
    json_t *list = json_array();

    CHECK(list);
    return list;
}

static json_t *write_point(const struct result *r, const struct sweep_point *p)
{
    json_t *object = json_write_fields(p, point_fields);
    json_t *devices = json_object();

    CHECK(devices);
    json_put(object, "latency_us", json_write_fields(&p->latency_us, result_fields(PART_SUMMARY)));
    for (size_t i = 0; i < p->n_devices && i < r->drive.devices.n; i++)
        json_put(devices, r->drive.devices.at[i].name,
                 json_write_fields(&p->devices[i], result_fields(PART_RATES)));
    json_put(object, "devices", devices);
    return object;
}

json_t *sweep_json_write(const struct result *r)
{
    json_t *object = json_write_fields(&r->sweep, sweep_fields);
    json_t *profiles = new_list();

    for (size_t i = 0; i < r->sweep.profiles.n; i++) {
        const struct sweep_profile *p = &r->sweep.profiles.at[i];
        json_t *profile = json_write_fields(p, profile_fields);
        json_t *points = new_list();

        for (size_t k = 0; k < p->points.n; k++)
            CHECK(json_array_append_new(points, write_point(r, &p->points.at[k])) == 0);
        json_put(profile, "points", points);
        CHECK(json_array_append_new(profiles, profile) == 0);
    }
    json_put(object, "profiles", profiles);
    return object;
}

/* ---- reading ---- */

static int expect_list(const struct json_node *list, size_t most, struct err *err)
{
    if (json_expect(list, JSON_ARRAY, err) < 0)
        return -1;
    if (json_array_size(list->value) > most)
        return json_complain(list, err, "more than %zu elements", most);
    return 0;
}

/* The devices' rates in the order of drive.devices; one that the point does not have has none. */
static int read_devices(const struct json_node *node, const struct result *r,
                        struct sweep_point *point, struct err *err)
{
    const struct json_node devices = json_child(node, "devices");

    if (json_expect(&devices, JSON_OBJECT, err) < 0)
        return -1;
    if (!devices.value || json_object_size(devices.value) == 0 || r->drive.devices.n == 0)
        return 0;
    point->n_devices = r->drive.devices.n;
    point->devices = xcalloc(point->n_devices, sizeof(point->devices[0]));
    for (size_t i = 0; i < point->n_devices; i++) {
        const struct json_node rates = json_child(&devices, r->drive.devices.at[i].name);

        if (json_read_fields(&rates, &point->devices[i], result_fields(PART_RATES), err) < 0)
            return -1;
    }
    return 0;
}

static int read_point(const struct json_node *node, const struct result *r,
                      struct sweep_profile *profile, struct err *err)
{
    const struct json_node latency = json_child(node, "latency_us");
    struct sweep_point point = sweep_point_none();

    if (json_expect(node, JSON_OBJECT, err) < 0 ||
        json_read_fields(node, &point, point_fields, err) < 0 ||
        json_read_fields(&latency, &point.latency_us, result_fields(PART_SUMMARY), err) < 0 ||
        read_devices(node, r, &point, err) < 0) {
        free(point.devices);
        return -1;
    }
    VEC_PUSH(&profile->points, point);
    return 0;
}

static int read_profile(const struct json_node *node, struct result *r, struct err *err)
{
    const struct json_node points = json_child(node, "points");
    struct sweep_profile empty = {.name = NULL};
    struct sweep_profile *profile = NULL;

    VEC_PUSH(&r->sweep.profiles, empty);
    profile = &r->sweep.profiles.at[r->sweep.profiles.n - 1];
    if (json_expect(node, JSON_OBJECT, err) < 0 ||
        json_read_fields(node, profile, profile_fields, err) < 0 ||
        expect_list(&points, POINTS_MAX, err) < 0)
        return -1;
    if (!profile->name)
        return json_complain(node, err, "a profile without a name");
    for (size_t i = 0; i < json_array_size(points.value); i++) {
        const struct json_node point = json_element(&points, i);

        if (read_point(&point, r, profile, err) < 0)
            return -1;
    }
    sweep_figures(profile);
    return 0;
}

int sweep_json_read(const struct json_node *root, struct result *r, struct err *err)
{
    const struct json_node sweep = json_child(root, "sweep");
    const struct json_node profiles = json_child(&sweep, "profiles");

    if (json_read_fields(&sweep, &r->sweep, sweep_fields, err) < 0 ||
        expect_list(&profiles, PROFILES_MAX, err) < 0)
        return -1;
    for (size_t i = 0; i < json_array_size(profiles.value); i++) {
        const struct json_node profile = json_element(&profiles, i);

        if (read_profile(&profile, r, err) < 0)
            return -1;
    }
    return 0;
}
