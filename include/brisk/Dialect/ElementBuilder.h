//===- ElementBuilder.h - Element expressions -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions of arith and math ops, on which the elementwise ops' buildElement
// is built.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTBUILDER_H
#define BRISK_DIALECT_ELEMENTBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace brisk {

/// Builds arithmetic on scalars and vectors of any rank alike.
class ElementBuilder {
public:
  ElementBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  template <typename OpT, typename... Args>
  mlir::Value make(Args &&...args) const {
    return OpT::create(b, loc, std::forward<Args>(args)...);
  }

  /// `type` with `element` for its element type.
  static mlir::Type withElement(mlir::Type type, mlir::Type element);

  /// A constant of the type of `like`: a float, or an integer's low bits.
  mlir::Value constant(mlir::Value like, double value) const;
  mlir::Value constant(mlir::Value like, const llvm::APInt &value) const;
  mlir::Value integer(mlir::Value like, int64_t value) const;

  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) const;

  // Floats.
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value div(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value add(mlir::Value lhs, double rhs) const;
  mlir::Value mul(mlir::Value lhs, double rhs) const;
  /// log(1 + x), accurate near zero.
  mlir::Value log1p(mlir::Value x) const;
  /// Between float types; rounds once.
  mlir::Value convertFloat(mlir::Value x, mlir::Type element) const;
  /// To an integer type: rounds toward zero, saturates, NaN gives 0.
  mlir::Value toInteger(mlir::Value x, mlir::Type element,
                        bool isUnsigned) const;
  /// From an integer (i1 counts as unsigned).
  mlir::Value toFloat(mlir::Value x, mlir::Type element, bool isUnsigned) const;

  /// Computes on floats of less than 32 bits in f32: extends the operands,
  /// calls `compute`, and rounds a float result back.
  mlir::Value
  inF32(mlir::ValueRange operands,
        llvm::function_ref<mlir::Value(mlir::ValueRange)> compute) const;

  mlir::OpBuilder &b;
  mlir::Location loc;
};

/// Integer division that rounds toward zero, and its remainder; a zero divisor
/// gives 0, and what overflows wraps around.
mlir::Value buildDivide(const ElementBuilder &e, mlir::Value lhs,
                        mlir::Value rhs, bool isUnsigned);
mlir::Value buildRemainder(const ElementBuilder &e, mlir::Value lhs,
                           mlir::Value rhs, bool isUnsigned);

/// `lhs` to the power of `rhs`: see brisk.pow. The types tell the signedness.
mlir::Value buildPower(const ElementBuilder &e, mlir::Value lhs,
                       mlir::Value rhs, mlir::Type lhsElement,
                       mlir::Type rhsElement);

} // namespace brisk

#endif // BRISK_DIALECT_ELEMENTBUILDER_H
