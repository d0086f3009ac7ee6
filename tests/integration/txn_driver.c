/*
 * Runs transactions against a server, for tests/integration/txn_*.sh and tests/bench/txn.sh.
 *
 *   txn-driver run DIALECT_DIR CONNINFO [NAME=VALUE]...
 *     sessions= seconds= count= warehouses= type=mix|new_order|... seed= rollback_ppm=
 *     remote_line_ppm= remote_payment_ppm=: every session sends its next transaction as
 *     soon as the last one is answered, until the time is up or `count` are done; prints NAME=VALUE
 *     lines. stamp=US is the first one's time stamp (else now). replay=FILE writes what was done as
 * calls of the model in txn_reference.sql. txn-driver one DIALECT_DIR CONNINFO new_order W D C
 * STAMP_US ITEM:SUPPLY_W:QUANTITY... txn-driver one DIALECT_DIR CONNINFO payment W D C_W C_D
 * C_ID|NAME CENTS STAMP_US txn-driver one DIALECT_DIR CONNINFO order_status W D C_ID|NAME
 *   txn-driver one DIALECT_DIR CONNINFO delivery W CARRIER STAMP_US
 *   txn-driver one DIALECT_DIR CONNINFO stock_level W D THRESHOLD
 *     runs one; prints the outcome, the facts and the reply's cells, a row a line.
 *   txn-driver procedures DIALECT_DIR CONNINFO
 *     makes what the dialect has as blocks "procedure_...".
 * TXN_WAY=statements in the environment: by statements, not by procedures.
 * A CONNINFO that begins with "odbc:" goes through ODBC.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/loop.h"
#include "base/thread.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "db/fault.h"
#include "db/session.h"
#include "tpcc/deck.h"
#include "tpcc/nurand.h"
#include "tpcc/txn.h"

static _Noreturn void die(const struct err *err)
{
    fprintf(stderr, "%s [%s]\n", err->text, err->sqlstate);
    exit(3);
}

static int64_t number(const char *text)
{
    struct err err;
    int64_t v;

    if (units_parse_i64(text, &v, &err) < 0)
        die(&err);
    return v;
}

static struct dialect *dialect;

static struct session *connect_to(const struct txn_statements *st, const char *conninfo)
{
    const bool odbc = strncmp(conninfo, "odbc:", 5) == 0;
    const struct db_config cfg = {
        .conninfo = conninfo + (odbc ? 5 : 0),
        .application_name = "txn-driver",
        .options = st ? st->options : NULL,
        .prepare = st ? st->prepare : NULL,
        .n_prepare = st ? st->n_prepare : 0,
        .clock = clock_system(),
        .dialect = dialect,
    };
    struct err err;
    struct session *s = session_connect(db_find(odbc ? "odbc" : "pq"), &cfg, 0, &err);

    if (!s)
        die(&err);
    return s;
}

static int make_procedures(const char *conninfo)
{
    struct session *s = connect_to(NULL, conninfo);
    struct err err;

    for (size_t i = 0; i < dialect_count(dialect); i++) {
        const struct stmt *st = dialect_at(dialect, i);

        if (strncmp(st->name, "procedure_", 10) == 0 &&
            session_exec_text(s, st->text, NULL, NULL, &err) < 0)
            die(&err);
    }
    session_free(s);
    return 0;
}

/* ---- one ---- */

static void set_customer(const char *arg, int32_t *c_id, char c_last[20])
{
    if (isdigit((unsigned char)arg[0]))
        *c_id = (int32_t)number(arg);
    else
        snprintf(c_last, 20, "%s", arg);
}

static void set_lines(struct new_order_input *no, char **arg)
{
    for (; *arg; arg++) {
        struct new_order_line *line = &no->line[no->n_lines++];

        line->i_id = (int32_t)number(strtok(*arg, ":"));
        line->supply_w_id = (int32_t)number(strtok(NULL, ":"));
        line->quantity = (int32_t)number(strtok(NULL, ":"));
        no->rolls_back = line->i_id > TPCC_ITEMS;
    }
}

static void set_input(struct txn_input *in, char **arg)
{
    while (strcmp(txn_type_name(in->type), arg[0]) != 0)
        if (++in->type == TXN_TYPES)
            exit(2);
    in->w_id = (int32_t)number(arg[1]);
    switch (in->type) {
    case TXN_NEW_ORDER:
        in->d_id = (int32_t)number(arg[2]);
        in->new_order.c_id = (int32_t)number(arg[3]);
        in->new_order.entry_us = number(arg[4]);
        set_lines(&in->new_order, arg + 5);
        break;
    case TXN_PAYMENT:
        in->d_id = (int32_t)number(arg[2]);
        in->payment.c_w_id = (int32_t)number(arg[3]);
        in->payment.c_d_id = (int32_t)number(arg[4]);
        set_customer(arg[5], &in->payment.c_id, in->payment.c_last);
        in->payment.amount_cents = (int32_t)number(arg[6]);
        in->payment.date_us = number(arg[7]);
        break;
    case TXN_ORDER_STATUS:
        in->d_id = (int32_t)number(arg[2]);
        set_customer(arg[3], &in->order_status.c_id, in->order_status.c_last);
        break;
    case TXN_DELIVERY:
        in->delivery.carrier_id = (int32_t)number(arg[2]);
        in->delivery.date_us = number(arg[3]);
        break;
    case TXN_STOCK_LEVEL:
        in->d_id = (int32_t)number(arg[2]);
        in->stock_level.threshold = (int32_t)number(arg[3]);
        break;
    case TXN_DELIVERY_DEFERRED:
    case TXN_ROWS:
        UNREACHABLE();
    }
}

static void print_reply(const struct rows_part *p)
{
    for (uint32_t r = 0; r < p->n_rows; r++) {
        for (uint16_t k = 0; k < p->n_columns; k++) {
            const struct cell *c = rows_cell(p, r, k);

            printf("%s%.*s", k ? "|" : "", (int)c->len, c->text ? c->text : "");
        }
        printf("\n");
    }
}

static int run_one(const struct txn_statements *st, const char *conninfo, char **arg)
{
    static const char *const names[] = {"send", "committed", "rolled_back", "bad"};
    struct session *s = connect_to(st, conninfo);
    struct txn_input in = {0};
    struct txn txn;
    struct batch batch;
    struct rows rows;
    struct err err;
    enum txn_next next;

    set_input(&in, arg);
    txn_init(&txn, st);
    txn_start(&txn, &in);
    for (next = txn_step(&txn, NULL, &batch); next == TXN_SEND;
         next = txn_step(&txn, &rows, &batch)) {
        if (session_exec(s, &batch, &rows, NULL, &err) == 0)
            continue;
        printf("failed %s %s\n", fault_name(fault_classify(&err, session_alive(s), batch.commits)),
               err.text);
        session_free(s);
        return 1;
    }
    printf("%s%s%s\n", names[next], next == TXN_BAD_REPLY ? " " : "",
           next == TXN_BAD_REPLY ? txn.bad.text : "");
    printf("o_id=%d lines=%d remote_lines=%d by_name=%d by_name_found=%d remote_customer=%d "
           "delivered=%d skipped=%d low_stock=%d total_cents=%lld\n",
           txn.facts.o_id, txn.facts.lines, txn.facts.remote_lines, txn.facts.by_name,
           txn.facts.by_name_found, txn.facts.remote_customer, txn.facts.delivered,
           txn.facts.skipped, txn.facts.low_stock, (long long)txn.facts.total_cents);
    print_reply(&rows.part[0]);
    session_free(s);
    return next == TXN_BAD_REPLY;
}

/* ---- run ---- */

struct options {
    int64_t sessions, seconds, count, warehouses, seed, stamp;
    int64_t rollback_ppm, remote_line_ppm, remote_payment_ppm;
    int type;           /* TXN_TYPES: the mix */
    const char *replay; /* NULL: no such file */
};

struct worker {
    struct session *s;
    struct txn txn;
    struct deck deck;
    uint64_t n;
    unsigned watched; /* events asked for; 0: none yet */
};

struct counts {
    uint64_t sent, done[TXN_TYPES], rolled_back, failed, retries, lost, in_doubt;
    uint64_t lines, remote_lines, by_name, by_name_found, delivered, skipped, remote_customer;
};

struct run {
    struct options o;
    struct input_rules rules;
    struct loop *loop;
    struct worker *workers;
    uint32_t busy;
    bool ends;
    int64_t stamp_us;
    struct counts c;
    FILE *replay;
};

static const uint8_t mix[TXN_TYPES] = {45, 43, 4, 4, 4};

static void step(struct run *r, uint32_t id, unsigned db_step, struct rows *rows);

static void watch(struct run *r, uint32_t id, unsigned db_step)
{
    struct worker *w = &r->workers[id];
    const unsigned events = LOOP_READ | (db_step & DB_WANT_WRITE ? LOOP_WRITE : 0);

    if (w->watched != events)
        loop_watch(r->loop, session_wait_fd(w->s), id, events);
    w->watched = events;
}

static void send_batch(struct run *r, uint32_t id)
{
    struct worker *w = &r->workers[id];
    struct batch batch;

    (void)txn_step(&w->txn, NULL, &batch);
    step(r, id, session_submit(w->s, &batch), NULL);
}

static void next_txn(struct run *r, uint32_t id)
{
    struct worker *w = &r->workers[id];
    const enum txn_type type = r->o.type == TXN_TYPES
                                   ? deck_draw(&w->deck, mix, rng_mix(w->n + id * 7919U))
                                   : (enum txn_type)r->o.type;
    struct rng rng = rng_at(rng_key(rng_key((uint64_t)r->o.seed + 1, id), w->n));
    const struct input_for whose = {
        .user = id,
        .n = w->n++,
        .w_id = (int32_t)rng_uniform(&rng, 1, r->o.warehouses),
        .d_id = (int32_t)rng_uniform(&rng, 1, TPCC_DISTRICTS),
        .stamp_us = r->stamp_us++,
    };
    struct txn_input in;

    if (r->ends || (r->o.count && r->c.sent == (uint64_t)r->o.count)) {
        r->busy--;
        return;
    }
    r->c.sent++;
    input_draw(&r->rules, &whose, type, &in);
    txn_start(&w->txn, &in);
    send_batch(r, id);
}

/* ---- replay ---- */

static void write_array(FILE *f, const struct new_order_input *in, size_t offset)
{
    for (int i = 0; i < in->n_lines; i++) {
        int32_t v;

        memcpy(&v, (const char *)&in->line[i] + offset, sizeof(v));
        fprintf(f, "%s%d", i ? "," : ", '{", v);
    }
    fprintf(f, "}'");
}

static void write_call(FILE *f, const struct txn_input *in)
{
    fprintf(f, "ref.%s(%d", txn_type_name(in->type), in->w_id);
    switch (in->type) {
    case TXN_NEW_ORDER:
        fprintf(f, ", %d, %d, %lld", in->d_id, in->new_order.c_id,
                (long long)in->new_order.entry_us);
        write_array(f, &in->new_order, offsetof(struct new_order_line, i_id));
        write_array(f, &in->new_order, offsetof(struct new_order_line, supply_w_id));
        write_array(f, &in->new_order, offsetof(struct new_order_line, quantity));
        break;
    case TXN_PAYMENT:
        fprintf(f, ", %d, %d, %d, %d, '%s', %d, %lld", in->d_id, in->payment.c_w_id,
                in->payment.c_d_id, in->payment.c_id, in->payment.c_last, in->payment.amount_cents,
                (long long)in->payment.date_us);
        break;
    case TXN_ORDER_STATUS:
        fprintf(f, ", %d, %d, '%s'", in->d_id, in->order_status.c_id, in->order_status.c_last);
        break;
    case TXN_DELIVERY:
        fprintf(f, ", %d, %lld", in->delivery.carrier_id, (long long)in->delivery.date_us);
        break;
    case TXN_STOCK_LEVEL:
        fprintf(f, ", %d, %d", in->d_id, in->stock_level.threshold);
        break;
    case TXN_DELIVERY_DEFERRED:
    case TXN_ROWS:
        UNREACHABLE();
    }
    fprintf(f, ")");
}

/* select ref.same('the reply', ref.call(...)); the dataset's texts hold no quotes. */
static void write_replay(FILE *f, const struct txn_input *in, const struct rows_part *p)
{
    fprintf(f, "select ref.same('");
    for (uint32_t r = 0; r < p->n_rows; r++) {
        for (uint16_t k = 0; k < p->n_columns; k++) {
            const struct cell *c = rows_cell(p, r, k);

            fprintf(f, "%s%.*s", k ? "|" : r ? ";" : "", (int)c->len, c->text ? c->text : "");
        }
    }
    fprintf(f, "', ");
    write_call(f, in);
    fprintf(f, ");\n");
}

/* ---- counting ---- */

static void count_facts(struct run *r, const struct txn *t, enum txn_next outcome)
{
    const struct txn_facts *f = &t->facts;

    r->c.done[t->input.type]++;
    r->c.rolled_back += outcome == TXN_ROLLED_BACK;
    r->c.lines += (uint64_t)(outcome == TXN_COMMITTED ? f->lines : 0);
    r->c.remote_lines += (uint64_t)(outcome == TXN_COMMITTED ? f->remote_lines : 0);
    r->c.by_name += f->by_name;
    r->c.by_name_found += f->by_name_found;
    r->c.remote_customer += f->remote_customer;
    r->c.delivered += (uint64_t)f->delivered;
    r->c.skipped += (uint64_t)f->skipped;
}

static void failed(struct run *r, uint32_t id)
{
    struct worker *w = &r->workers[id];
    const struct err *err = session_error(w->s);

    switch (fault_classify(err, session_alive(w->s), true)) {
    case FAULT_RETRY:
        r->c.retries++;
        txn_restart(&w->txn);
        send_batch(r, id);
        return;
    case FAULT_LOST:
        r->c.lost++;
        break;
    case FAULT_IN_DOUBT:
        r->c.in_doubt++;
        break;
    case FAULT_TIMEOUT:
    case FAULT_FATAL:
        r->c.failed++;
        fprintf(stderr, "%s [%s]\n", err->text, err->sqlstate);
        next_txn(r, id);
        return;
    }
    fprintf(stderr, "%s [%s]\n", err->text, err->sqlstate);
    r->busy--; /* this session is gone */
}

static void step(struct run *r, uint32_t id, unsigned db_step, struct rows *rows)
{
    struct worker *w = &r->workers[id];
    struct batch next;
    enum txn_next outcome;

    if (db_step & DB_FAILED) {
        failed(r, id);
        return;
    }
    if (!(db_step & DB_READY)) {
        watch(r, id, db_step);
        return;
    }
    outcome = txn_step(&w->txn, rows, &next);
    if (outcome == TXN_SEND) {
        step(r, id, session_submit(w->s, &next), NULL);
        return;
    }
    if (outcome == TXN_BAD_REPLY) {
        r->c.failed++;
        fprintf(stderr, "%s\n", w->txn.bad.text);
    } else {
        count_facts(r, &w->txn, outcome);
        if (r->replay)
            write_replay(r->replay, &w->txn.input, &rows->part[0]);
    }
    next_txn(r, id);
}

static void on_fd(uint32_t id, unsigned events, void *ctx)
{
    struct run *r = ctx;
    struct rows rows;

    (void)events;
    step(r, id, session_advance(r->workers[id].s, &rows), &rows);
}

static void on_timer(uint32_t id, uint64_t due_ns, void *ctx)
{
    (void)id;
    (void)due_ns;
    ((struct run *)ctx)->ends = true;
}

static void set_option(struct options *o, const char *arg)
{
    const struct {
        const char *name;
        int64_t *value;
    } numbers[] = {
        {"sessions=", &o->sessions},
        {"seconds=", &o->seconds},
        {"count=", &o->count},
        {"warehouses=", &o->warehouses},
        {"seed=", &o->seed},
        {"stamp=", &o->stamp},
        {"rollback_ppm=", &o->rollback_ppm},
        {"remote_line_ppm=", &o->remote_line_ppm},
        {"remote_payment_ppm=", &o->remote_payment_ppm},
    };

    if (strncmp(arg, "replay=", 7) == 0) {
        o->replay = arg + 7;
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (strncmp(arg, numbers[i].name, strlen(numbers[i].name)) == 0) {
            *numbers[i].value = number(arg + strlen(numbers[i].name));
            return;
        }
    }
    for (o->type = 0; o->type < TXN_TYPES; o->type++)
        if (strncmp(arg, "type=", 5) == 0 &&
            strcmp(arg + 5, txn_type_name((enum txn_type)o->type)) == 0)
            return;
    if (strcmp(arg, "type=mix") != 0)
        exit(2);
}

static void print_counts(const struct run *r, double seconds, double cpu_us)
{
    const struct counts *c = &r->c;
    uint64_t done = 0;

    for (int t = 0; t < TXN_TYPES; t++) {
        done += c->done[t];
        printf("%s=%llu\n", txn_type_name((enum txn_type)t), (unsigned long long)c->done[t]);
    }
    printf("done=%llu\nrolled_back=%llu\nfailed=%llu\nretries=%llu\nlost=%llu\nin_doubt=%llu\n",
           (unsigned long long)done, (unsigned long long)c->rolled_back,
           (unsigned long long)c->failed, (unsigned long long)c->retries,
           (unsigned long long)c->lost, (unsigned long long)c->in_doubt);
    printf("lines=%llu\nremote_lines=%llu\nby_name=%llu\nby_name_found=%llu\nremote_customer=%llu\n"
           "delivered=%llu\nskipped=%llu\n",
           (unsigned long long)c->lines, (unsigned long long)c->remote_lines,
           (unsigned long long)c->by_name, (unsigned long long)c->by_name_found,
           (unsigned long long)c->remote_customer, (unsigned long long)c->delivered,
           (unsigned long long)c->skipped);
    printf("tps=%.1f\ndriver_us=%.2f\n", (double)done / seconds, cpu_us / (double)done);
}

static int run_many(const struct txn_statements *st, const char *conninfo, char **arg)
{
    struct run r = {.o = {.sessions = 8,
                          .seconds = 3600,
                          .warehouses = 1,
                          .seed = 1,
                          .rollback_ppm = 10000,
                          .remote_line_ppm = 10000,
                          .remote_payment_ppm = 150000,
                          .type = TXN_TYPES}};
    struct err err;
    uint64_t start_ns, cpu_ns;

    for (; *arg; arg++)
        set_option(&r.o, *arg);
    r.rules = (struct input_rules){.seed = (uint64_t)r.o.seed,
                                   .warehouses = (int32_t)r.o.warehouses,
                                   .c_run = nurand_c_run((uint64_t)r.o.seed, nurand_c_load(1)),
                                   .rollback_ppm = (uint32_t)r.o.rollback_ppm,
                                   .remote_line_ppm = (uint32_t)r.o.remote_line_ppm,
                                   .remote_payment_ppm = (uint32_t)r.o.remote_payment_ppm,
                                   .by_name_ppm = 600000};
    r.replay = r.o.replay ? fopen(r.o.replay, "w") : NULL;
    r.stamp_us = r.o.stamp ? r.o.stamp : clock_real_us(clock_system());
    r.loop = loop_new(&(struct loop_opts){.clock = clock_system(),
                                          .movable_timers = 1,
                                          .on_timer = on_timer,
                                          .on_fd = on_fd,
                                          .ctx = &r},
                      &err);
    if (!r.loop)
        die(&err);
    r.workers = xcalloc((size_t)r.o.sessions, sizeof(*r.workers));
    for (int64_t i = 0; i < r.o.sessions; i++) {
        r.workers[i].s = connect_to(st, conninfo);
        txn_init(&r.workers[i].txn, st);
        deck_fill(&r.workers[i].deck, mix);
    }
    start_ns = clock_now_ns(clock_system());
    cpu_ns = process_cpu_ns();
    loop_timer_set(r.loop, 0, start_ns + (uint64_t)r.o.seconds * NS_PER_S);
    r.busy = (uint32_t)r.o.sessions;
    for (uint32_t i = 0; i < (uint32_t)r.o.sessions; i++)
        next_txn(&r, i);
    while (r.busy)
        loop_turn(r.loop, UINT64_MAX);
    print_counts(&r, (double)(clock_now_ns(clock_system()) - start_ns) / 1e9,
                 (double)(process_cpu_ns() - cpu_ns) / 1e3);
    for (int64_t i = 0; i < r.o.sessions; i++)
        session_free(r.workers[i].s);
    loop_free(r.loop);
    free(r.workers);
    if (r.replay && fclose(r.replay) != 0)
        return 3;
    return 0;
}

int main(int argc, char **argv)
{
    struct txn_statements st;
    struct err err;
    int rc;

    if (argc < 4)
        return 2;
    dialect = dialect_read(argv[2], &err);
    if (!dialect ||
        txn_statements_find(&st, dialect, getenv("TXN_WAY") ? TXN_STATEMENTS : TXN_PROCEDURES,
                            &err) < 0)
        die(&err);
    if (strcmp(argv[1], "procedures") == 0)
        rc = make_procedures(argv[3]);
    else if (strcmp(argv[1], "one") == 0)
        rc = run_one(&st, argv[3], argv + 4);
    else
        rc = run_many(&st, argv[3], argv + 4);
    dialect_free(dialect);
    return rc;
}
