/*
 * Gives each file named on the command line to a fuzz target once: how the corpus is replayed as
 * plain tests, without libFuzzer. A file that can't be read is a failure, since it tests nothing.
 */
#include <stdint.h>
#include <stdio.h>

#include "base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    struct strbuf bytes;
    FILE *file = fopen(path, "re");
    int rc = -1;

    if (!file) {
        (void)fprintf(stderr, "can't open %s\n", path);
        return -1;
    }
    strbuf_init(&bytes);
    for (;;) {
        const size_t n = fread(strbuf_reserve(&bytes, 4096), 1, 4096, file);

        if (n == 0)
            break;
        strbuf_commit(&bytes, n);
    }
    if (!ferror(file)) {
        (void)LLVMFuzzerTestOneInput((const uint8_t *)bytes.buf, bytes.len);
        rc = 0;
    }
    strbuf_release(&bytes);
    (void)fclose(file);
    return rc;
}

int main(int argc, char **argv)
{
    int passed = 0;

    for (int i = 1; i < argc; i++)
        passed += replay(argv[i]) == 0;
    (void)printf("RESULT fuzz %s passed=%d failed=%d skipped=0\n", argv[0], passed,
                 argc - 1 - passed);
    return passed > 0 && passed == argc - 1 ? 0 : 1;
}
