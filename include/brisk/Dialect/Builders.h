//===- Builders.h - Making the ops that passes make -------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshapes, transposes and parameter constants, folded where the value is a
// constant or the op would do nothing.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BUILDERS_H
#define BRISK_DIALECT_BUILDERS_H

#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Builders.h"

namespace brisk {

/// The static shape of a tensor.
llvm::ArrayRef<int64_t> getShape(mlir::Value value);

/// The value of a constant; null if `value` is none.
mlir::ElementsAttr getConstant(mlir::Value value);

/// A one-dimensional constant of i64.
mlir::Value makeInts(mlir::OpBuilder &b, mlir::Location loc,
                     llvm::ArrayRef<int64_t> values);

/// `value` in another shape of as many elements; what it is a reshape of, where
/// it is one.
mlir::Value makeReshape(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// `value` with dimension `permutation[i]` in place `i`.
mlir::Value makeTranspose(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value value,
                          llvm::ArrayRef<int64_t> permutation);

/// `input`, N x spatial x C, with `pads` around its spatial dimensions (all
/// begins, then all ends) that hold `value`, a scalar, or zeros if it is null.
mlir::Value makeSpatialPad(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value input, llvm::ArrayRef<int64_t> pads,
                           mlir::Value value);

/// A constant's elements in another shape of as many.
mlir::ElementsAttr reshapeElements(mlir::ElementsAttr attr,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace brisk

#endif // BRISK_DIALECT_BUILDERS_H
