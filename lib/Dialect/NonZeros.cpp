//===- NonZeros.cpp - Matrices by their non-zero elements -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/NonZeros.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace brisk;

/// How many elements of each column are not zero.
static std::vector<int64_t> countColumns(llvm::ArrayRef<float> matrix,
                                         int64_t columns) {
  std::vector<int64_t> counts(columns);
  for (size_t row = 0; row < matrix.size(); row += columns)
    for (int64_t c = 0; c < columns; ++c)
      counts[c] += matrix[row + c] != 0;
  return counts;
}

int64_t NonZeros::count(llvm::ArrayRef<float> matrix, int64_t columns) {
  int64_t entries = 0;
  for (int64_t used : countColumns(matrix, columns))
    entries += llvm::alignTo(used, step);
  return entries;
}

NonZeros NonZeros::find(llvm::ArrayRef<float> matrix, int64_t columns) {
  auto size = static_cast<int64_t>(matrix.size());
  assert(size <= mostRows * columns && "rows are numbered in 16 bits");
  NonZeros result;
  std::vector<int64_t> next = {0};
  for (int64_t used : countColumns(matrix, columns))
    next.push_back(next.back() +
                   static_cast<int64_t>(llvm::alignTo(used, step)));
  result.starts.assign(next.begin(), next.end());
  result.values.resize(next.back());
  result.rows.resize(next.back());
  // A zero of the matrix, where there is one, fills a column up: that changes
  // nothing, whatever it is multiplied by.
  std::vector<uint16_t> zeroRows(columns);
  for (int64_t at = 0; at < size; ++at) {
    int64_t column = at % columns;
    auto row = static_cast<uint16_t>(at / columns);
    if (matrix[at] == 0) {
      zeroRows[column] = row;
      continue;
    }
    result.values[next[column]] = matrix[at];
    result.rows[next[column]++] = row;
  }
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t at = next[column]; at < result.starts[column + 1]; ++at)
      result.rows[at] = zeroRows[column];
  return result;
}

void NonZeros::scatter(llvm::ArrayRef<float> values,
                       llvm::ArrayRef<uint16_t> rows,
                       llvm::ArrayRef<int32_t> starts,
                       llvm::MutableArrayRef<float> matrix) {
  size_t columns = starts.size() - 1;
  for (size_t column = 0; column < columns; ++column)
    for (int32_t at = starts[column]; at < starts[column + 1]; ++at)
      matrix[rows[at] * columns + column] += values[at];
}

bool NonZeros::areValid(llvm::ArrayRef<uint16_t> rows,
                        llvm::ArrayRef<int32_t> starts, int64_t matrixRows) {
  auto entries = static_cast<int64_t>(rows.size());
  return !starts.empty() && starts.front() == 0 && starts.back() == entries &&
         llvm::is_sorted(starts) &&
         llvm::all_of(starts,
                      [](int32_t start) { return start % step == 0; }) &&
         llvm::all_of(rows, [&](uint16_t row) { return row < matrixRows; });
}
