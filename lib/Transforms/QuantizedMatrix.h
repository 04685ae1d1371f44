//===- QuantizedMatrix.h - Constant weights as few bits ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_QUANTIZEDMATRIX_H
#define BRISK_LIB_TRANSFORMS_QUANTIZEDMATRIX_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace brisk {

/// A constant matrix of rows by columns as operands of brisk.matmul_nbits.
struct QuantizedMatrix {
  mlir::ElementsAttr weights, scales, zeros; ///< null `zeros`: all are 0
  int64_t bits = 8, block = 0, rows = 0;

  /// What `value`, of f32, is made of: quantized constants, moved. `numRows`
  /// dimensions from `firstRow` on are rows, all others columns, the last ones
  /// fastest. None if it is made of anything else, or if weights that share a
  /// scale do not follow each other in a column.
  static std::optional<QuantizedMatrix>
  get(mlir::Value value, unsigned firstRow, unsigned numRows);
  /// The same of a matrix whose columns are the last dimension.
  static std::optional<QuantizedMatrix> get(mlir::Value value);
};

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_QUANTIZEDMATRIX_H
