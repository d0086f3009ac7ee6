/*
 * Whether a run's Deliveries were deferred (see the header). Pure.
 */
#include "report/deferred.h"

#include <string.h>

bool deferred_has(const struct result *r)
{
    return r->workload.delivery && strcmp(r->workload.delivery, "deferred") == 0;
}
