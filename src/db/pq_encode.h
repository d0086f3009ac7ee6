/*
 * Values as PostgreSQL's wire wants them: binary (Bind and COPY BINARY) and text (COPY text and
 * parameters of undeclared kind). Pure functions that write where they are told and return the end;
 * the caller has made room.
 */
#ifndef DB_PQ_ENCODE_H
#define DB_PQ_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "sql/table.h"
#include "sql/value.h"

/* The type's OID that stands for a kind; 0 for VALUE_NULL (not declared). */
uint32_t pq_type_oid(enum value_kind kind);

/* Bytes that either form of v needs at most, length word, escapes and a separator included. */
size_t pq_size_max(const struct value *v);

/* The 4-byte length (-1 for null) and then the value's bytes. */
char *pq_put_binary(char *p, const struct value *v);
/* The value as the server prints it, without escapes; nothing for null. */
char *pq_put_text(char *p, const struct value *v);
/* As above with COPY's backslash escapes; "\N" for null. */
char *pq_put_copy_text(char *p, const struct value *v);

/* Bytes that either form of a row of t needs at most. */
size_t pq_row_size_max(const struct table *t);
/* A row of n values as a line of COPY's text: tabs between them, a newline behind. */
char *pq_put_row_text(char *p, const struct value *row, uint8_t n);

/* Big-endian words. */
char *pq_put_u16(char *p, uint16_t v);
char *pq_put_u32(char *p, uint32_t v);
char *pq_put_u64(char *p, uint64_t v);

#endif
