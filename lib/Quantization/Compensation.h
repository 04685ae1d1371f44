//===- Compensation.h - Weights that make up for others ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_COMPENSATION_H
#define BRISK_LIB_QUANTIZATION_COMPENSATION_H

#include "InputMoments.h"

#include <optional>

namespace brisk {

/// A square matrix.
struct Matrix {
  explicit Matrix(int64_t size) : size(size), elements(size * size, 0) {}
  double &at(int64_t i, int64_t j) { return elements[i * size + j]; }
  const double &at(int64_t i, int64_t j) const {
    return elements[i * size + j];
  }
  int64_t size;
  std::vector<double> elements;
};

/// How the inputs of a block's rows vary together, with a little added to each
/// variance, so that few samples do not mislead. Nothing where inputs do not
/// vary. `order`, if given, has the rows in another order.
std::optional<Matrix> getCovariance(const InputMoments::Block &block,
                                    uint64_t count,
                                    llvm::ArrayRef<int64_t> order = {});

/// By how much each weight makes up for the errors of those before it: the
/// lower triangle L whose product with its transpose is the inverse of the
/// inputs' covariance. An error e of weight i is best made up for by taking
/// e L(j, i) / L(i, i) from each weight j behind it.
std::optional<Matrix> getCompensation(const InputMoments::Block &block,
                                      uint64_t count,
                                      llvm::ArrayRef<int64_t> order = {});

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_COMPENSATION_H
