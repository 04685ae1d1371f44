//===- ArithmeticBuilder.h - Indices and elements ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic on indices and on values of tensor element types.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_LOOPS_ARITHMETICBUILDER_H
#define BRISK_KERNELS_LOOPS_ARITHMETICBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace brisk {

/// An integer that comes from the data, as an index: with `wrap` added where it
/// is negative, and clamped to [low, high]. All that is done before it may lose
/// bits, for an index of a microcontroller has 32.
mlir::Value boundIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                       int64_t wrap, int64_t low, int64_t high);

class ArithmeticBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  //===--------------------------------------------------------------------===//
  // Indices
  //===--------------------------------------------------------------------===//

  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(*this, value);
  }
  mlir::Value addIndex(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::AddIOp>(a, b);
  }
  mlir::Value addIndex(mlir::Value a, int64_t b) {
    return b ? addIndex(a, index(b)) : a;
  }
  mlir::Value subIndex(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::SubIOp>(a, b);
  }
  mlir::Value mulIndex(mlir::Value a, int64_t b) {
    return b == 1 ? a : createOrFold<mlir::arith::MulIOp>(a, index(b));
  }
  mlir::Value minIndex(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::MinSIOp>(a, b);
  }
  mlir::Value maxIndex(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::MaxSIOp>(a, b);
  }
  /// a / b rounded up, for any a and positive b.
  mlir::Value ceilDiv(mlir::Value a, int64_t b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpIOp::create(*this, predicate, a, b);
  }
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b) {
    return createOrFold<mlir::arith::AndIOp>(a, b);
  }
  /// 0 <= a < size.
  mlir::Value isWithin(mlir::Value a, int64_t size) {
    return compare(mlir::arith::CmpIPredicate::ult, a, index(size));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return mlir::arith::SelectOp::create(*this, condition, a, b);
  }

  //===--------------------------------------------------------------------===//
  // Elements. `type` is a tensor's element type, which tells signedness;
  // values have it made signless.
  //===--------------------------------------------------------------------===//

  static mlir::Type getValueType(mlir::Type type);
  mlir::Value constant(mlir::Type type, double value);
  mlir::Value constantBits(mlir::Type type, const llvm::APInt &bits);
  mlir::Value zero(mlir::Type type) { return constant(type, 0); }
  /// The type's least value (floats: infinity), or its greatest.
  mlir::Value least(mlir::Type type);
  mlir::Value greatest(mlir::Type type);

  mlir::Value add(mlir::Type type, mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Type type, mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Type type, mlir::Value a, mlir::Value b);
  /// Integers truncate; `b` is not zero there.
  mlir::Value div(mlir::Type type, mlir::Value a, mlir::Value b);
  /// A NaN on either side is the result.
  mlir::Value max(mlir::Type type, mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Type type, mlir::Value a, mlir::Value b);
  mlir::Value isLess(mlir::Type type, mlir::Value a, mlir::Value b);
  mlir::Value isLessOrEqual(mlir::Type type, mlir::Value a, mlir::Value b);
  mlir::Value isEqual(mlir::Type type, mlir::Value a, mlir::Value b);

  /// The type to sum elements of `type` in: f32 for smaller floats.
  static mlir::Type getSumType(mlir::Type type);
  /// Converts between element types; floats are rounded, integers sign or zero
  /// extended or cut.
  mlir::Value convert(mlir::Value value, mlir::Type from, mlir::Type to);
  /// A function of the math dialect, computed in the type to sum in.
  template <typename Op> mlir::Value math(mlir::Type type, mlir::Value value) {
    mlir::Type wide = getSumType(type);
    return convert(Op::create(*this, convert(value, type, wide)), wide, type);
  }
  mlir::Value pow(mlir::Type type, mlir::Value base, double exponent);
  mlir::Value abs(mlir::Type type, mlir::Value value);

private:
  template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
  mlir::Value binary(mlir::Type type, mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::Type type, mlir::arith::CmpFPredicate floats,
                      mlir::arith::CmpIPredicate signedInts,
                      mlir::arith::CmpIPredicate unsignedInts, mlir::Value a,
                      mlir::Value b);
};

} // namespace brisk

#endif // BRISK_KERNELS_LOOPS_ARITHMETICBUILDER_H
