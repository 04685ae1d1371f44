//===- Compensation.cpp - Weights that make up for others -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compensation.h"

#include <algorithm>
#include <cmath>

using namespace brisk;

/// Puts the lower triangle L in place of L times its transpose; false where
/// that is not positive.
static bool factorize(Matrix &matrix) {
  for (int64_t i = 0; i < matrix.size; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double sum = matrix.at(i, j);
      for (int64_t k = 0; k < j; ++k)
        sum -= matrix.at(i, k) * matrix.at(j, k);
      if (i == j && !(sum > 0))
        return false;
      matrix.at(i, j) = i == j ? std::sqrt(sum) : sum / matrix.at(j, j);
    }
  return true;
}

/// The inverse of a lower triangle.
static Matrix invert(const Matrix &lower) {
  Matrix result(lower.size);
  for (int64_t j = 0; j < lower.size; ++j) {
    result.at(j, j) = 1 / lower.at(j, j);
    for (int64_t i = j + 1; i < lower.size; ++i) {
      double sum = 0;
      for (int64_t k = j; k < i; ++k)
        sum -= lower.at(i, k) * result.at(k, j);
      result.at(i, j) = sum / lower.at(i, i);
    }
  }
  return result;
}

std::optional<Matrix> brisk::getCovariance(const InputMoments::Block &block,
                                           uint64_t count,
                                           llvm::ArrayRef<int64_t> order) {
  int64_t rows = block.rows;
  auto number = static_cast<double>(count);
  Matrix covariance(rows);
  double trace = 0;
  auto getRow = [&](int64_t i) { return order.empty() ? i : order[i]; };
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      auto [a, b] = std::minmax(getRow(i), getRow(j));
      covariance.at(i, j) = covariance.at(j, i) =
          block.products[a * rows + b] / number -
          static_cast<double>(block.sums[a]) * block.sums[b] /
              (number * number);
    }
    trace += covariance.at(i, i);
  }
  // As the paper on GPTQ has it.
  constexpr double damping = 0.01;
  if (!(trace > 0))
    return std::nullopt;
  for (int64_t i = 0; i < rows; ++i)
    covariance.at(i, i) += damping * trace / static_cast<double>(rows);
  return covariance;
}

std::optional<Matrix> brisk::getCompensation(const InputMoments::Block &block,
                                             uint64_t count,
                                             llvm::ArrayRef<int64_t> order) {
  int64_t rows = block.rows;
  std::optional<Matrix> covariance = getCovariance(block, count, order);
  if (!covariance || !factorize(*covariance))
    return std::nullopt;
  // C = L Lt, so C^-1 = L^-t L^-1.
  Matrix inverse = invert(*covariance), result(rows);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j <= i; ++j)
      for (int64_t k = i; k < rows; ++k)
        result.at(i, j) += inverse.at(k, i) * inverse.at(k, j);
  return factorize(result) ? std::optional(std::move(result)) : std::nullopt;
}
