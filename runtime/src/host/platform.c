/*===- platform.c - Memory, the clock and names -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "brisk/host.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

/* Below this, huge pages cost more than they bring. */
#define HUGE_PAGE ((size_t)2 << 20)

void *brisk_aligned_alloc(size_t bytes, size_t alignment) {
  if (alignment < 64)
    alignment = 64;
  int huge = bytes >= 2 * HUGE_PAGE;
  if (huge && alignment < HUGE_PAGE)
    alignment = HUGE_PAGE;
  void *memory = NULL;
  if (posix_memalign(&memory, alignment, bytes ? bytes : 1) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  if (huge)
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* a hint: may be refused */
#endif
  return memory;
}

void brisk_aligned_free(void *memory) { free(memory); }

void *brisk_memory_create(const brisk_memory *block, uint32_t workers) {
  uint64_t bytes = brisk_memory_bytes(block, workers);
  return bytes > SIZE_MAX
             ? NULL
             : brisk_aligned_alloc((size_t)bytes, block->alignment);
}

uint64_t brisk_clock_ns(void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint32_t brisk_dtype_bits(uint32_t dtype) {
  switch (dtype) {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  case number:                                                                 \
    return bits;
#include "brisk/elements.def"
  default:
    return 0;
  }
}

const char *brisk_dtype_name(uint32_t dtype) {
  switch (dtype) {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  case number:                                                                 \
    return numpy;
#include "brisk/elements.def"
  default:
    return NULL;
  }
}

const char *brisk_phase_name(uint32_t phase) {
  switch (phase) {
  case BRISK_PHASE_INFERENCE:
    return "inference";
  case BRISK_PHASE_PRE:
    return "pre";
  case BRISK_PHASE_POST:
    return "post";
  default:
    return "?";
  }
}

const char *brisk_status_text(int status) {
  switch (status) {
  case BRISK_OK:
    return "no error";
  case BRISK_ERROR_NULL:
    return "a required pointer is null";
  case BRISK_ERROR_ALIGNMENT:
    return "memory is not aligned as the model asks";
  case BRISK_ERROR_INDEX:
    return "an index in the input data is out of range";
  case BRISK_ERROR_BRANCH:
    return "the data takes a branch that cannot work at the shapes compiled "
           "for";
  case BRISK_ERROR_SIZE:
    return "the size of the call or of its hooks is not set, or is that of an "
           "older interface than the model's";
  default:
    return "unknown status";
  }
}
