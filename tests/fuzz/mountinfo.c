/*
 * Fuzz: the text of mountinfo. Whatever is accepted can be searched and its options taken apart.
 */
#include "drive/mountinfo.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xstrndup((const char *)data, size);
    struct mountinfo mi;
    struct err err = {0};

    if (mountinfo_parse(text, &mi, &err) < 0) {
        CHECK(mi.mounts.n == 0);
        CHECK(err.kind == ERR_SURROUNDINGS);
    }
    for (size_t i = 0; i < mi.mounts.n; i++) {
        const struct mount *m = &mi.mounts.at[i];
        char *upper = mountinfo_option(m, "upperdir");
        char *all = mountinfo_all_options(m);

        CHECK(m->point[0] == '/');
        CHECK(mountinfo_by_id(&mi, m->id) != NULL);
        CHECK(mountinfo_by_path(&mi, m->point) != NULL);
        CHECK(strlen(all) <= strlen(m->options) + 1 + strlen(m->super));
        free(all);
        free(upper);
    }
    mountinfo_release(&mi);
    free(text);
    return 0;
}
