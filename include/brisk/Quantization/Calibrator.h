//===- Calibrator.h - Ranges of values from what was observed ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_QUANTIZATION_CALIBRATOR_H
#define BRISK_QUANTIZATION_CALIBRATOR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace brisk {

class Histogram;

/// How the range of an activation is chosen from the values observed.
enum class Calibrator {
  MinMax,     ///< all of them
  Percentile, ///< all but 0.01 % of the outermost
  Entropy,    ///< where the distribution loses least information
  Mse         ///< where the mean square of the errors is least
};

/// As flags spell it.
llvm::StringRef getName(Calibrator calibrator);

/// Values that integers are to stand for; zero is one of them.
struct Range {
  double low = 0, high = 0;
};

/// The range for the values counted.
Range chooseRange(const Histogram &histogram, Calibrator calibrator);

/// What stands for a value x as a byte: round(x / scale) + zero, saturated.
struct ByteParameters {
  float scale = 1;
  uint8_t zero = 0;
  bool operator==(const ByteParameters &) const = default;
};

/// Parameters by which the range is that of the bytes. A range of nothing but
/// zero has a scale of 1.
ByteParameters getByteParameters(Range range);

} // namespace brisk

#endif // BRISK_QUANTIZATION_CALIBRATOR_H
