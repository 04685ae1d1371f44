/*===- brisk/histogram.h - Latency percentiles in fixed memory ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A log-linear histogram in the manner of HdrHistogram: every power of two is
// cut into 2^precision_bits slots of equal width, so a value read back is at
// most 2^-precision_bits (relative) above one that was recorded. Recording
// takes constant time, needs no division and no floating point, and never
// allocates. Part of brisk_core.
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_HISTOGRAM_H
#define BRISK_HISTOGRAM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counters needed for values below 2^value_bits; a constant expression, so
   that firmware can write
     static uint32_t counts[BRISK_HISTOGRAM_SLOTS(5, 32)];
   value_bits is 1 to 64 and precision_bits 0 to 16, and below value_bits. */
#define BRISK_HISTOGRAM_SLOTS(precision_bits, value_bits)                      \
  ((uint32_t)((value_bits) - (precision_bits) + 1) << (precision_bits))

typedef struct brisk_histogram {
  uint32_t *counts;
  uint32_t slots;
  uint32_t precision_bits;
  uint64_t count;     /* values recorded, those out of range included */
  uint64_t sum;       /* of the exact values; stays at UINT64_MAX once there */
  uint64_t min;       /* exact; UINT64_MAX while empty */
  uint64_t max;       /* exact; 0 while empty */
  uint64_t saturated; /* values of 2^value_bits and more: in the last slot */
} brisk_histogram;

/* Makes an empty histogram over the caller's counts, which has
   BRISK_HISTOGRAM_SLOTS(precision_bits, value_bits) entries. Returns 0, or 1
   (and leaves the histogram untouched) where the sizes are out of range. */
int brisk_histogram_init(brisk_histogram *histogram, uint32_t *counts,
                         uint32_t precision_bits, uint32_t value_bits);

/* Forgets every value. */
void brisk_histogram_reset(brisk_histogram *histogram);

/* Records one value. A slot's counter stays at UINT32_MAX once there. */
void brisk_histogram_record(brisk_histogram *histogram, uint64_t value);

/* Adds what from recorded to into. Returns 0, or 1 (and changes nothing) where
   the two differ in precision or range. */
int brisk_histogram_merge(brisk_histogram *into, const brisk_histogram *from);

/* The nearest-rank percentile: the smallest value such that at least
   per_10000 / 10000 of all recorded values are not above it, so 9900 is P99.
   Rounded up to its slot's highest value, but never above max. Returns 0 where
   too few values were recorded to tell that percentile from the maximum
   (fewer than 100 for P99, 20 for P95, 2 for P50), leaving *value alone, else
   1. per_10000 of 0 is the minimum and 10000 the maximum, of one value or
   more. */
int brisk_histogram_percentile(const brisk_histogram *histogram,
                               uint32_t per_10000, uint64_t *value);

/* The mean of the exact values, rounded down; 0 while empty. */
uint64_t brisk_histogram_mean(const brisk_histogram *histogram);

#ifdef __cplusplus
}
#endif

#endif /* BRISK_HISTOGRAM_H */
