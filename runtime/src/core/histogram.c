/*===- histogram.c - Latency percentiles in fixed memory ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#include "brisk/histogram.h"

/* Slot of a value. With b = precision_bits, values below 2^(b+1) have a slot
   each; above, a power of two 2^e has 2^b slots of width 2^(e-b). */
static uint32_t slot_of(uint32_t precision_bits, uint64_t value) {
  if (value >> precision_bits == 0)
    return (uint32_t)value;
  uint32_t exponent = 63u - (uint32_t)__builtin_clzll(value);
  uint32_t shift = exponent - precision_bits;
  return (shift << precision_bits) + (uint32_t)(value >> shift);
}

/* The highest value that shares a slot. */
static uint64_t slot_top(uint32_t precision_bits, uint32_t slot) {
  uint32_t octave = slot >> precision_bits;
  if (octave == 0)
    return slot;
  uint32_t shift = octave - 1;
  uint64_t mantissa = slot - (shift << precision_bits);
  return (mantissa << shift) + (((uint64_t)1 << shift) - 1);
}

static uint32_t add_saturating32(uint32_t a, uint32_t b) {
  uint32_t sum = a + b;
  return sum < a ? UINT32_MAX : sum;
}

static uint64_t add_saturating64(uint64_t a, uint64_t b) {
  uint64_t sum = a + b;
  return sum < a ? UINT64_MAX : sum;
}

int brisk_histogram_init(brisk_histogram *histogram, uint32_t *counts,
                         uint32_t precision_bits, uint32_t value_bits) {
  if (!counts || precision_bits > 16 || value_bits > 64 ||
      precision_bits >= value_bits)
    return 1;
  histogram->counts = counts;
  histogram->slots = BRISK_HISTOGRAM_SLOTS(precision_bits, value_bits);
  histogram->precision_bits = precision_bits;
  brisk_histogram_reset(histogram);
  return 0;
}

void brisk_histogram_reset(brisk_histogram *histogram) {
  for (uint32_t i = 0; i < histogram->slots; ++i)
    histogram->counts[i] = 0;
  histogram->count = 0;
  histogram->sum = 0;
  histogram->min = UINT64_MAX;
  histogram->max = 0;
  histogram->saturated = 0;
}

void brisk_histogram_record(brisk_histogram *histogram, uint64_t value) {
  uint32_t slot = slot_of(histogram->precision_bits, value);
  if (slot >= histogram->slots) {
    slot = histogram->slots - 1;
    ++histogram->saturated;
  }
  histogram->counts[slot] = add_saturating32(histogram->counts[slot], 1);
  ++histogram->count;
  histogram->sum = add_saturating64(histogram->sum, value);
  if (value < histogram->min)
    histogram->min = value;
  if (value > histogram->max)
    histogram->max = value;
}

int brisk_histogram_merge(brisk_histogram *into, const brisk_histogram *from) {
  if (into->slots != from->slots ||
      into->precision_bits != from->precision_bits)
    return 1;
  for (uint32_t i = 0; i < into->slots; ++i)
    into->counts[i] = add_saturating32(into->counts[i], from->counts[i]);
  into->count += from->count;
  into->sum = add_saturating64(into->sum, from->sum);
  into->saturated += from->saturated;
  if (from->min < into->min)
    into->min = from->min;
  if (from->max > into->max)
    into->max = from->max;
  return 0;
}

int brisk_histogram_percentile(const brisk_histogram *histogram,
                               uint32_t per_10000, uint64_t *value) {
  uint64_t n = histogram->count;
  if (n == 0)
    return 0;
  if (per_10000 == 0) {
    *value = histogram->min;
    return 1;
  }
  if (per_10000 >= 10000) {
    *value = histogram->max;
    return 1;
  }
  /* n * (1 - p) >= 1, in two parts so that nothing overflows. */
  uint64_t whole = n / 10000;
  uint64_t rest = n % 10000;
  if (whole == 0 && rest * (10000 - per_10000) < 10000)
    return 0;
  /* ceil(n * p) */
  uint64_t rank = whole * per_10000 + (rest * per_10000 + 9999) / 10000;
  uint64_t seen = 0;
  for (uint32_t i = 0; i < histogram->slots; ++i) {
    seen += histogram->counts[i];
    if (seen >= rank) {
      uint64_t top = slot_top(histogram->precision_bits, i);
      /* The last slot also holds what was out of range. */
      if (top > histogram->max ||
          (i == histogram->slots - 1 && histogram->saturated))
        top = histogram->max;
      *value = top;
      return 1;
    }
  }
  *value = histogram->max; /* a counter was full */
  return 1;
}

uint64_t brisk_histogram_mean(const brisk_histogram *histogram) {
  return histogram->count ? histogram->sum / histogram->count : 0;
}
