//===- Histogram.h - Where a tensor's values lie ----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_HISTOGRAM_H
#define BRISK_LIB_QUANTIZATION_HISTOGRAM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace brisk {

/// Counts of values in bins of one width on both sides of zero, taken in one
/// pass whatever their range: where a value lies outside, bins are twice as
/// wide from then on. Zeros are counted apart, since quantization keeps them as
/// they are.
class Histogram {
public:
  /// On each side of zero.
  static constexpr int64_t binsPerSide = 4096;

  void add(llvm::ArrayRef<float> values);

  /// The least and the greatest value, and zero where it is beyond them.
  float getMin() const { return min; }
  float getMax() const { return max; }
  /// Values in all, zeros among them, but no NaN and infinities.
  uint64_t getCount() const { return count; }
  uint64_t getZeros() const { return zeros; }
  /// NaN and infinities.
  uint64_t getNotFinite() const { return notFinite; }

  /// The counts from the most negative bin on: bin i holds values from
  /// getLow(i) to getLow(i + 1), and not zero.
  llvm::ArrayRef<uint64_t> getBins() const { return bins; }
  double getLow(int64_t bin) const {
    return static_cast<double>(bin - binsPerSide) * width;
  }
  double getCenter(int64_t bin) const { return getLow(bin) + width / 2; }

private:
  /// Makes room for values up to `size` on both sides.
  void cover(float size);

  std::vector<uint64_t> bins;
  double width = 0; ///< a power of two; 0 while there are only zeros
  float min = 0, max = 0;
  uint64_t count = 0, zeros = 0, notFinite = 0;
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_HISTOGRAM_H
