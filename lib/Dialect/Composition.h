//===- Composition.h - What composite ops are made of -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the ops that a composite op stands for. Shapes follow by inference.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DIALECT_COMPOSITION_H
#define BRISK_LIB_DIALECT_COMPOSITION_H

#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Builders.h"

namespace brisk {

class Composer {
public:
  Composer(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  /// The first result of an op; operands and attributes are known to fit.
  template <typename OpTy, typename... Args>
  mlir::Value make(Args &&...args) const {
    return OpTy::create(b, loc, std::forward<Args>(args)...)->getResult(0);
  }
  /// A float of rank 0 of `like`'s element type.
  mlir::Value number(double value, mlir::Value like) const;
  /// A one-dimensional tensor of i64, and a scalar.
  mlir::Value ints(llvm::ArrayRef<int64_t> values) const;
  mlir::Value integer(int64_t value) const;
  mlir::Value cast(mlir::Value value, mlir::Type element) const;

  mlir::OpBuilder &b;
  mlir::Location loc;
};

/// Builds the element of a composite op whose parts are elementwise: those that
/// `compose` makes of tensors which have the types of the op's operands.
mlir::Value buildComposedElement(
    mlir::Operation *op, mlir::OpBuilder &b, mlir::Location loc,
    mlir::ValueRange operands,
    llvm::function_ref<mlir::Value(const Composer &, mlir::ValueRange)>
        compose);

} // namespace brisk

#endif // BRISK_LIB_DIALECT_COMPOSITION_H
