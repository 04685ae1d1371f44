/*===- trace.c - Reading and writing trace buffers ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#include "brisk/trace.h"

void brisk_trace_init(brisk_trace *trace, brisk_record *records,
                      uint32_t capacity) {
  trace->records = records;
  trace->capacity = records ? capacity : 0;
  brisk_trace_reset(trace);
}

void brisk_trace_reset(brisk_trace *trace) {
  trace->count = 0;
  trace->dropped = 0;
}

uint32_t brisk_trace_sum(const brisk_trace *trace, uint64_t *ticks,
                         uint32_t *calls, uint32_t num_ops) {
  uint32_t unknown = 0;
  for (uint32_t i = 0; i < trace->count; ++i) {
    const brisk_record *record = &trace->records[i];
    if (record->op >= num_ops) {
      ++unknown;
      continue;
    }
    ticks[record->op] += record->end - record->start;
    if (calls)
      ++calls[record->op];
  }
  return unknown;
}

uint64_t brisk_trace_span(const brisk_trace *trace) {
  if (trace->count == 0)
    return 0;
  uint64_t first = trace->records[0].start;
  uint64_t last = trace->records[0].end;
  for (uint32_t i = 1; i < trace->count; ++i) {
    const brisk_record *record = &trace->records[i];
    if (record->start < first)
      first = record->start;
    if (record->end > last)
      last = record->end;
  }
  return last - first;
}
