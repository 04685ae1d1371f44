//===- Accuracy.h - How near values are to a reference ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures by which the compiler judges a quantization, and the tools a
// model.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_ACCURACY_H
#define BRISK_EXECUTION_ACCURACY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace brisk::execution {

/// How far numbers are from what they should be, gathered pair by pair. Two
/// infinities of one sign are equal, and so are two NaN; any other pair with an
/// infinity or NaN in it is infinitely far apart.
class Deviation {
public:
  /// Takes a value and what it should be. The difference is computed in their
  /// type: a `long double` holds every 64-bit integer.
  template <typename T> void add(T value, T reference) {
    bool isSame =
        value == reference || (std::isnan(value) && std::isnan(reference));
    addError(isSame ? 0.0 : static_cast<double>(std::abs(value - reference)),
             static_cast<double>(reference));
  }
  /// The same of many pairs, in order.
  template <typename T>
  void addAll(llvm::ArrayRef<T> values, llvm::ArrayRef<T> references) {
    // A copy of this object's sums stays in registers.
    Deviation sums = *this;
    for (auto [value, reference] : llvm::zip_equal(values, references))
      sums.add(value, reference);
    *this = sums;
  }

  uint64_t getCount() const { return count; }
  /// How many values are as they should be.
  uint64_t getEqual() const { return equal; }
  /// The largest difference, and the number of the first pair that has it.
  double getMaxError() const { return maxError; }
  uint64_t getMaxErrorAt() const { return maxErrorAt; }

  /// The signal-to-quantization-noise ratio in dB: ten times the decimal
  /// logarithm of the sum of the reference's squares by that of the
  /// differences'. Infinite where all is equal, negatively infinite where the
  /// reference is zero or a difference infinite. Infinities and NaN of the
  /// reference count as no signal.
  double getSqnr() const;

private:
  void addError(double error, double reference) {
    if (!std::isfinite(error))
      error = std::numeric_limits<double>::infinity();
    if (std::isfinite(reference))
      signal += static_cast<long double>(reference) * reference;
    noise += static_cast<long double>(error) * error;
    equal += error == 0;
    if (error > maxError) {
      maxError = error;
      maxErrorAt = count;
    }
    ++count;
  }

  uint64_t count = 0, equal = 0;
  double maxError = 0;
  uint64_t maxErrorAt = 0;
  // Whose range holds squares of doubles.
  long double signal = 0, noise = 0;
};

/// The place of the first largest of some values, of which there is at least
/// one. NaN is larger than any number, as in NumPy's argmax.
template <typename T> size_t findLargest(llvm::ArrayRef<T> values) {
  auto isLess = [](T a, T b) {
    return a < b || (!std::isnan(a) && std::isnan(b));
  };
  return std::max_element(values.begin(), values.end(), isLess) -
         values.begin();
}

} // namespace brisk::execution

#endif // BRISK_EXECUTION_ACCURACY_H
