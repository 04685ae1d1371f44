/*===- share.h - What a thread has to do of a loop ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_HOST_SHARE_H
#define BRISK_HOST_SHARE_H

#include <stdatomic.h>
#include <stdint.h>

#define CACHE_LINE 64

/* What is left of it: steps [begin, end), in the lower and the upper half. */
typedef struct brisk_share {
  _Alignas(CACHE_LINE) atomic_uint_least64_t left;
} brisk_share;

/* Takes steps of a share: of one's own half of what is left, from the front;
   of another's as much from the back. Returns how many. */
static inline uint32_t brisk_share_take(brisk_share *share, uint32_t least,
                                        int own, uint32_t *begin) {
  uint64_t left = atomic_load_explicit(&share->left, memory_order_relaxed);
  for (;;) {
    uint32_t from = (uint32_t)left, to = (uint32_t)(left >> 32);
    if (from >= to)
      return 0;
    uint32_t steps = (to - from) / 2 + (to - from) % 2;
    if (steps < least)
      steps = to - from < least ? to - from : least;
    *begin = own ? from : to - steps;
    uint64_t rest = own ? (uint64_t)to << 32 | (from + steps)
                        : (uint64_t)(to - steps) << 32 | from;
    if (atomic_compare_exchange_weak_explicit(&share->left, &left, rest,
                                              memory_order_relaxed,
                                              memory_order_relaxed))
      return steps;
  }
}

#endif /* BRISK_HOST_SHARE_H */
