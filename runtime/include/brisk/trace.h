/*===- brisk/trace.h - Reading and writing trace buffers ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers over the trace buffer of brisk/model.h, for programs that profile a
// model and for devices that record spans of their own beside it. Nothing here
// allocates, locks or keeps state. Part of brisk_core.
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_TRACE_H
#define BRISK_TRACE_H

#include "brisk/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes an empty trace over capacity records of the caller's. */
void brisk_trace_init(brisk_trace *trace, brisk_record *records,
                      uint32_t capacity);

/* Empties a trace before the next run; its storage stays. */
void brisk_trace_reset(brisk_trace *trace);

/* Appends a record exactly as compiled models do: a full buffer drops and
   counts. Only one thread may write to a trace. */
static inline void brisk_trace_add(brisk_trace *trace, uint32_t op,
                                   uint64_t start, uint64_t end) {
  uint32_t at = trace->count;
  if (at >= trace->capacity) {
    ++trace->dropped;
    return;
  }
  brisk_record *record = &trace->records[at];
  record->op = op;
  record->reserved = 0;
  record->start = start;
  record->end = end;
  trace->count = at + 1;
}

/* Adds every record's ticks to ticks[op] and, unless calls is null, 1 to
   calls[op]. Both have num_ops entries, which the caller zeroes. Returns the
   number of records whose op is not below num_ops; those are skipped. */
uint32_t brisk_trace_sum(const brisk_trace *trace, uint64_t *ticks,
                         uint32_t *calls, uint32_t num_ops);

/* Ticks from the first start to the last end; 0 for an empty trace. */
uint64_t brisk_trace_span(const brisk_trace *trace);

#ifdef __cplusplus
}
#endif

#endif /* BRISK_TRACE_H */
