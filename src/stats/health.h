/*
 * What a drive's health log tells, whichever tool read it, and what became of it between two
 * readings. "None" is NaN (double) and -1 (int64_t). Pure maths, any thread.
 */
#ifndef STATS_HEALTH_H
#define STATS_HEALTH_H

#include <stdint.h>

enum health_warning { /* bits of critical_warning (NVMe, SMART / Health Information) */
                      HEALTH_SPARE = 1,
                      HEALTH_TEMPERATURE = 2,
                      HEALTH_RELIABILITY = 4,
                      HEALTH_READ_ONLY = 8,
                      HEALTH_BACKUP = 16,
                      HEALTH_MEMORY_REGION = 32,
};

struct health_log {
    double temperature_c, spare_percent, spare_threshold_percent, worn_percent;
    int64_t critical_warning;          /* enum health_warning */
    int64_t read_bytes, written_bytes; /* by the host; NVMe counts in 512,000 */
    int64_t media_written_bytes;       /* to the flash; few drives tell */
    int64_t read_commands, write_commands, busy_minutes;
    int64_t power_on_hours, power_cycles, unsafe_shutdowns;
    int64_t media_errors, error_log_entries;
    int64_t warning_minutes, critical_minutes; /* above the warning, the critical temperature */
    int64_t throttled_1_count, throttled_1_seconds; /* light thermal management */
    int64_t throttled_2_count, throttled_2_seconds; /* heavy */
};

/* What a run did to the drive. */
struct health_used {
    int64_t read_bytes, written_bytes, media_errors;
    double write_amplification; /* written to the flash / by the host */
    double worn_percent;        /* by the log's whole per cents */
    /* By what wore it so far: the host's bytes that used up one life; the part that this run took;
     * years to its end at this rate. None for a drive that is not worn by 1 % yet. */
    double life_bytes, life_percent, years_left;
    /* Whether it slowed itself down or was too hot: seconds and times, the greater of what its
     * counters tell; 0: it was not; -1: it does not tell. */
    int64_t throttled_seconds, throttled_count;
};

struct health_log health_log_none(void);
/* Takes from `more` what `log` does not have. */
void health_log_fill(struct health_log *log, const struct health_log *more);
/* seconds: between the two. */
struct health_used health_used_of(const struct health_log *before, const struct health_log *after,
                                  double seconds);
/* "temperature, read-only": the bits in words, into buf. */
void health_warning_words(int64_t critical_warning, char *buf, unsigned size);

#endif
