/*===- random.c - Inputs for benchmarks -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#include "brisk/host.h"

#include <string.h>

static uint64_t next_random(uint64_t *state) { /* SplitMix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The top significant bits of a random number, as a multiple of
   2^(1 - significant) in [-1, 1). */
static float spread(uint64_t random, int significant) {
  int64_t half = (int64_t)1 << (significant - 1);
  return (float)((int64_t)(random >> (64 - significant)) - half) / (float)half;
}

/* Half precision bits of a multiple of 2^-10 in [-1, 1). */
static uint16_t half_of(float value) {
  uint32_t bits = bits_of(value);
  if (value == 0)
    return 0;
  return (uint16_t)(bits >> 31 << 15 | ((bits >> 23 & 0xff) - 112) << 10 |
                    (bits >> 13 & 0x3ff));
}

static void store16(void *to, uint16_t value) {
  memcpy(to, &value, sizeof value);
}
static void store32(void *to, uint32_t value) {
  memcpy(to, &value, sizeof value);
}
static void store64(void *to, uint64_t value) {
  memcpy(to, &value, sizeof value);
}

void brisk_fill_random(const brisk_tensor *tensor, void *data,
                       uint64_t *state) {
  size_t size = tensor->bits / 8; /* no narrower type is filled yet */
  uint64_t count = size ? tensor->bytes / size : 0;
  char *to = data;
  for (uint64_t i = 0; i < count; ++i, to += size) {
    uint64_t random = next_random(state);
    uint64_t bit = random >> 63;
    double wide;
    switch (tensor->dtype) {
    case BRISK_F32:
      store32(to, bits_of(spread(random, 24)));
      break;
    case BRISK_F64:
      wide = spread(random, 24);
      memcpy(to, &wide, sizeof wide);
      break;
    case BRISK_F16:
      store16(to, half_of(spread(random, 11)));
      break;
    case BRISK_BF16: /* eight significant bits fit without rounding */
      store16(to, (uint16_t)(bits_of(spread(random, 8)) >> 16));
      break;
    default:
      if (size == 1)
        *to = (char)bit;
      else if (size == 2)
        store16(to, (uint16_t)bit);
      else if (size == 4)
        store32(to, (uint32_t)bit);
      else
        store64(to, bit);
    }
  }
}
