//===- ElementBuilder.h - Element expressions -------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions of arith and math ops: the vocabulary in which the elementwise
// ops' buildElement, kernels and expansions of functions are written.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTBUILDER_H
#define BRISK_DIALECT_ELEMENTBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APInt.h"

namespace brisk {

/// The type in which elements of `elementType` are computed with: signless,
/// booleans as i1.
mlir::Type getValueType(mlir::Type elementType);
/// The type to sum elements of `elementType` in: f32 for smaller floats.
mlir::Type getSumType(mlir::Type elementType);

/// Builds arithmetic on scalars and vectors of any rank alike. Values of
/// integers are signless: where signs matter, an argument `element` tells them,
/// the element type of a tensor, in which booleans count as unsigned.
class ElementBuilder {
public:
  ElementBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  template <typename OpT, typename... Args>
  mlir::Value make(Args &&...args) const {
    return OpT::create(b, loc, std::forward<Args>(args)...);
  }

  /// `type` with `element` for its element type.
  static mlir::Type withElement(mlir::Type type, mlir::Type element);

  /// A number as an `element`, in every lane of `type` if that is a vector.
  mlir::Value constant(mlir::Type type, double value) const;
  mlir::Value constant(mlir::Type type, const llvm::APInt &value) const;
  /// The same, of the type of `like`.
  mlir::Value constant(mlir::Value like, double value) const {
    return constant(like.getType(), value);
  }
  mlir::Value constant(mlir::Value like, const llvm::APInt &value) const {
    return constant(like.getType(), value);
  }
  mlir::Value integer(mlir::Value like, int64_t value) const;
  mlir::Value zero(mlir::Type type) const { return constant(type, 0); }
  /// The least number of a type (of floats, infinity), and the greatest.
  mlir::Value least(mlir::Type type) const;
  mlir::Value greatest(mlir::Type type) const;

  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;
  /// By what `predicate` means on signed integers: ordered, on floats.
  mlir::Value compare(mlir::Type element, mlir::arith::CmpIPredicate predicate,
                      mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) const;

  // Of floats; of integers, which wrap around; of indices, which fold.
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs) const;
  /// A quotient of floats.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs) const;
  /// Of integers too, which truncate; the divisor is not zero.
  mlir::Value div(mlir::Type element, mlir::Value lhs, mlir::Value rhs) const;
  /// The larger and the smaller; NaN if one is, either zero of two.
  mlir::Value max(mlir::Type element, mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value min(mlir::Type element, mlir::Value lhs, mlir::Value rhs) const;

  // Of floats.
  mlir::Value add(mlir::Value lhs, double rhs) const;
  mlir::Value mul(mlir::Value lhs, double rhs) const;
  /// 1 + exp(-x): infinite where x is very negative, which is as it should be
  /// in a divisor.
  mlir::Value onePlusExp(mlir::Value x) const;
  /// 1 / (1 + exp(-x))
  mlir::Value sigmoid(mlir::Value x) const;
  /// log(1 + exp(x)), without overflow.
  mlir::Value softplus(mlir::Value x) const;
  /// log(1 + x), accurate near zero.
  mlir::Value log1p(mlir::Value x) const;
  /// Between float types; rounds once.
  mlir::Value convertFloat(mlir::Value x, mlir::Type element) const;
  /// To an integer type: rounds toward zero, saturates, NaN gives 0.
  mlir::Value toInteger(mlir::Value x, mlir::Type element,
                        bool isUnsigned) const;
  /// From f32 or f64 to an integer of at most 16 bits: rounds half to even,
  /// adds `zeroPoint`, an `element` (null: 0), and saturates; NaN gives 0.
  mlir::Value roundToInteger(mlir::Value x, mlir::Type element,
                             mlir::Value zeroPoint) const;
  /// From an integer (i1 counts as unsigned).
  mlir::Value toFloat(mlir::Value x, mlir::Type element, bool isUnsigned) const;
  /// Between element types, but not from a float to an integer: floats are
  /// rounded, integers extended by their sign or cut.
  mlir::Value convert(mlir::Value x, mlir::Type from, mlir::Type to) const;

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
