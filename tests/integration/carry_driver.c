/*
 * carry-driver STATE-DIR PATH: what a later result of the drive under PATH would carry of its
 * preparation, in words; "none".
 */
#include <stdio.h>

#include "base/clock.h"
#include "drive/blockdev.h"
#include "prep/carry.h"
#include "report/prep.h"

int main(int argc, char **argv)
{
    struct fsroot root;
    struct blockdev_probe probe;
    struct drive_map map = {0};
    struct prep_record record;
    struct strbuf words;
    struct err err = {0};

    if (argc != 3)
        return 2;
    fsroot_init(&root, "");
    probe = blockdev_probe_system(&root);
    prep_record_init(&record);
    strbuf_init(&words);
    if (blockdev_map(&probe, argv[2], &map, &err) < 0) {
        (void)fprintf(stderr, "carry-driver: %s\n", err.text);
        return err_exit_code(&err);
    }
    prep_carry(&root, argv[1], &map, clock_real_us(clock_system()), &record);
    if (record.id)
        prep_words(&record, &words);
    (void)printf("%s\n", record.id ? words.buf : "none");
    strbuf_release(&words);
    prep_record_release(&record);
    drive_map_release(&map);
    fsroot_release(&root);
    return 0;
}
