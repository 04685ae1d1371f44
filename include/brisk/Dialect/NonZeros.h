//===- NonZeros.h - Matrices by their non-zero elements ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compressed columns: the elements of a matrix that are not zero, column by
// column, each with the number of its row.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_NONZEROS_H
#define BRISK_DIALECT_NONZEROS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace brisk {

struct NonZeros {
  /// Numbers of rows take 16 bits.
  static constexpr int64_t mostRows = 1 << 16;
  /// A column has a multiple of so many entries, so that code can take as many
  /// at a time: the last of them may be zeros.
  static constexpr int64_t step = 4;

  std::vector<float> values;
  /// The row of each value.
  std::vector<uint16_t> rows;
  /// Where each column begins, and where the last one ends.
  std::vector<int32_t> starts;

  /// Those of a row-major matrix of at most `mostRows` rows.
  static NonZeros find(llvm::ArrayRef<float> matrix, int64_t columns);

  /// The matrix of which these are the elements, which is zero elsewhere and
  /// zero already in `matrix`.
  static void scatter(llvm::ArrayRef<float> values,
                      llvm::ArrayRef<uint16_t> rows,
                      llvm::ArrayRef<int32_t> starts,
                      llvm::MutableArrayRef<float> matrix);

  /// True if what reads these as the columns of a matrix of `matrixRows` rows
  /// reads nothing beyond them, or beyond a column.
  static bool areValid(llvm::ArrayRef<uint16_t> rows,
                       llvm::ArrayRef<int32_t> starts, int64_t matrixRows);

  /// Entries that `find` gives.
  static int64_t count(llvm::ArrayRef<float> matrix, int64_t columns);
};

} // namespace brisk

#endif // BRISK_DIALECT_NONZEROS_H
