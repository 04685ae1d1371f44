//===- Comparison.h - A tensor beside what it should be ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_EXECUTION_COMPARISON_H
#define BRISK_EXECUTION_COMPARISON_H

#include "brisk/Execution/Accuracy.h"
#include "brisk/Execution/Tensor.h"

#include <optional>

namespace brisk::execution {

struct Comparison {
  Deviation deviation;
  /// The pair that is the farthest apart; 0 where there is none.
  double found = 0, expected = 0;
  /// Of how many rows along the axis of classes the largest elements are at
  /// the same place; absent where there is no such axis.
  struct Top1 {
    uint64_t agreeing = 0, rows = 0;
  };
  std::optional<Top1> top1;
};

/// Compares two tensors of as many elements, whose types are the same or both
/// floats. `dims` is their shape, along whose axis `classes`, if there is one,
/// lie the scores of classes.
Comparison compareTensors(const TensorView &value, const TensorView &reference,
                          llvm::ArrayRef<int64_t> dims,
                          std::optional<unsigned> classes);

/// The axis along which an output looks like scores of classes: the last of
/// floats in one or two dimensions, if there are at least two.
std::optional<unsigned> findClasses(uint32_t dtype,
                                    llvm::ArrayRef<int64_t> dims);

bool isFloat(uint32_t dtype);

} // namespace brisk::execution

#endif // BRISK_EXECUTION_COMPARISON_H
