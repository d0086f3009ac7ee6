/*
 * What a dataset and a run take on the drive. Estimates by formula; the constants stand in space.c
 * with where they come from.
 */
#ifndef PLAN_SPACE_H
#define PLAN_SPACE_H

#include "plan/plan.h"

/* Bytes of a dataset after its load, keys and indexes included. */
uint64_t space_of_dataset(uint64_t warehouses);
/* Bytes of the image of a dataset of so many. */
uint64_t space_of_image(uint64_t dataset);
/* The most warehouses that fit in so many bytes, at least 1. */
uint64_t space_warehouses(uint64_t bytes);

/* What the terms depend on. */
struct space_run {
    uint64_t warehouses;
    const uint8_t *mix; /* TXN_TYPES */
    double tps;         /* for the whole duration; 0: no run, the dataset only */
    uint64_t duration_ns;
    uint64_t checkpoint_timeout_s;
    bool rebuild;
};
void space_build(struct plan_space *out, const struct space_run *run,
                 const struct plan_facts *facts);

#endif
