/*
 * A growing array of any type: struct { T *at; size_t n, cap; }. Declare with VEC(T), grow with
 * VEC_PUSH, release with VEC_RELEASE. Zeroed memory is a valid empty one.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdlib.h>

#include "base/xalloc.h"

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        size_t n;                                                                                  \
        size_t cap;                                                                                \
    }

#define VEC_PUSH(v, item)                                                                          \
    do {                                                                                           \
        if ((v)->n == (v)->cap) {                                                                  \
            (v)->cap = (v)->cap ? (v)->cap * 2 : 8;                                                \
            (v)->at = xreallocarray((v)->at, (v)->cap, sizeof(*(v)->at));                          \
        }                                                                                          \
        (v)->at[(v)->n++] = (item);                                                                \
    } while (0)

#define VEC_RELEASE(v)                                                                             \
    do {                                                                                           \
        free((v)->at);                                                                             \
        (v)->at = NULL;                                                                            \
        (v)->n = 0;                                                                                \
        (v)->cap = 0;                                                                              \
    } while (0)

#endif
