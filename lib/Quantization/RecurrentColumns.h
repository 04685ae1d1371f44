//===- RecurrentColumns.h - Recurrent weights as a matrix -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_RECURRENTCOLUMNS_H
#define BRISK_LIB_QUANTIZATION_RECURRENTCOLUMNS_H

#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"

namespace brisk {

/// The weights of a recurrent layer's states, directions x gates' units x
/// states, as a matrix by which rows of states are multiplied.
class RecurrentColumns {
public:
  explicit RecurrentColumns(mlir::Value weights)
      : shape(getShape(weights)), loc(weights.getLoc()) {}

  /// That of constant weights.
  mlir::ElementsAttr get(mlir::ElementsAttr weights) const {
    return reshapeElements(transposeElements(weights, {2, 0, 1}),
                           {shape[2], shape[0] * shape[1]});
  }
  /// The inverse, of a value.
  mlir::Value restore(mlir::OpBuilder &b, mlir::Value matrix) const {
    mlir::Value states =
        makeReshape(b, loc, matrix, {shape[2], shape[0], shape[1]});
    return makeTranspose(b, loc, states, {1, 2, 0});
  }

private:
  llvm::ArrayRef<int64_t> shape;
  mlir::Location loc;
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_RECURRENTCOLUMNS_H
