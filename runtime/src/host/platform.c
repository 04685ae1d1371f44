/*===- platform.c - Arenas, the clock and names -------------------------===//
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

void *brisk_arena_create(const brisk_model *model) {
  if (model->arena_bytes > SIZE_MAX)
    return NULL;
  return brisk_aligned_alloc((size_t)model->arena_bytes,
                             model->arena_alignment);
}

uint64_t brisk_clock_ns(void *context) {
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

size_t brisk_dtype_size(uint32_t dtype) {
  switch (dtype) {
  case BRISK_U8:
  case BRISK_I8:
  case BRISK_BOOL:
    return 1;
  case BRISK_U16:
  case BRISK_I16:
  case BRISK_F16:
  case BRISK_BF16:
    return 2;
  case BRISK_F32:
  case BRISK_I32:
  case BRISK_U32:
    return 4;
  case BRISK_I64:
  case BRISK_U64:
  case BRISK_F64:
    return 8;
  default:
    return 0;
  }
}

const char *brisk_dtype_name(uint32_t dtype) {
  switch (dtype) {
  case BRISK_F32:
    return "float32";
  case BRISK_U8:
    return "uint8";
  case BRISK_I8:
    return "int8";
  case BRISK_U16:
    return "uint16";
  case BRISK_I16:
    return "int16";
  case BRISK_I32:
    return "int32";
  case BRISK_I64:
    return "int64";
  case BRISK_BOOL:
    return "bool";
  case BRISK_F16:
    return "float16";
  case BRISK_F64:
    return "float64";
  case BRISK_U32:
    return "uint32";
  case BRISK_U64:
    return "uint64";
  case BRISK_BF16:
    return "bfloat16";
  default:
    return NULL;
  }
}

const char *brisk_status_text(int status) {
  switch (status) {
  case BRISK_OK:
    return "no error";
  case BRISK_ERROR_NULL:
    return "a required pointer is null";
  case BRISK_ERROR_ALIGNMENT:
    return "the arena is not aligned as the model asks";
  case BRISK_ERROR_INDEX:
    return "an index in the input data is out of range";
  case BRISK_ERROR_BRANCH:
    return "the data takes a branch that cannot work at the shapes compiled "
           "for";
  default:
    return "unknown status";
  }
}
