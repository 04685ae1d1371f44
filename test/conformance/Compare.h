//===- Compare.h - Comparing results with what is expected ------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what a model computed with what ONNX's backend tests expect.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TEST_CONFORMANCE_COMPARE_H
#define BRISK_TEST_CONFORMANCE_COMPARE_H

#include "brisk/Execution/Tensor.h"

#include <optional>
#include <string>

namespace brisk::conformance {

/// Compares as numpy.allclose(actual, expected, equal_nan=True) does: floats to
/// within atol + rtol * |expected|, everything else exactly; types and shapes
/// must be equal. Returns the first difference in words, or nothing.
std::optional<std::string> findDifference(const execution::TensorView &actual,
                                          const execution::TensorView &expected,
                                          double rtol, double atol);

/// True if floats are as near to the results in double precision, an f64 tensor
/// of the same shape.
bool isNearDouble(const execution::TensorView &actual,
                  const execution::TensorView &exact, double rtol, double atol);

} // namespace brisk::conformance

#endif // BRISK_TEST_CONFORMANCE_COMPARE_H
