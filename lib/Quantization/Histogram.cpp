//===- Histogram.cpp - Where a tensor's values lie ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Histogram.h"

#include <algorithm>
#include <cmath>

using namespace brisk;

void Histogram::cover(float size) {
  if (size == 0)
    return;
  if (width == 0) {
    bins.assign(2 * binsPerSide, 0);
    width = std::exp2(std::ceil(std::log2(static_cast<double>(size))) -
                      std::log2(static_cast<double>(binsPerSide)));
  }
  while (size >= static_cast<double>(binsPerSide) * width) {
    // From zero outwards, so that no bin is overwritten before it is read.
    for (int64_t i = 0; i < binsPerSide; ++i) {
      auto merge = [&](int64_t first, int64_t second) {
        return i < binsPerSide / 2 ? bins[first] + bins[second] : 0;
      };
      int64_t right = binsPerSide + 2 * i, left = binsPerSide - 1 - 2 * i;
      bins[binsPerSide + i] = merge(right, right + 1);
      bins[binsPerSide - 1 - i] = merge(left, left - 1);
    }
    width *= 2;
  }
}

void Histogram::add(llvm::ArrayRef<float> values) {
  float low = 0, high = 0;
  for (float value : values)
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  cover(std::max(-low, high));
  min = std::min(min, low);
  max = std::max(max, high);
  // Exact, since the width is a power of two; and far faster than to divide.
  double inverse = width > 0 ? 1 / width : 0;
  for (float value : values) {
    if (!std::isfinite(value)) {
      ++notFinite;
      continue;
    }
    ++count;
    if (value == 0) {
      ++zeros;
      continue;
    }
    double place = value * inverse;
    auto bin = static_cast<int64_t>(place);
    bin += binsPerSide - (place < static_cast<double>(bin));
    ++bins[std::clamp<int64_t>(bin, 0, 2 * binsPerSide - 1)];
  }
}
