/*
 * Deferred Deliveries (TPC-C 2.7.2): the user's response ends when one is queued, so that it has
 * neither queue nor service, and a mean service may exceed the mean response.
 */
#ifndef REPORT_DEFERRED_H
#define REPORT_DEFERRED_H

#include <stdbool.h>

#include "result/result.h"

bool deferred_has(const struct result *r);

#endif
