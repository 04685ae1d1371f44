//===- PowElement.cpp - The expression of a power -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// brisk.pow: of floats by math.powf, of integers by multiplication.
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementBuilder.h"

using namespace mlir;
using namespace brisk;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

// x^y by squaring, unrolled over the bits of y that matter. `y` is an i64.
static Value buildIntegerPower(const ElementBuilder &e, Value x, Value y,
                               bool isUnsigned, bool powerIsUnsigned) {
  unsigned width = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
  Value zero = e.integer(x, 0), one = e.integer(x, 1);
  Value noBits = e.integer(y, 0);
  auto testBit = [&](Value bits) {
    return e.compare(CmpIPredicate::ne,
                     e.make<arith::AndIOp>(bits, e.integer(bits, 1)),
                     e.integer(bits, 0));
  };
  // The powers of an odd x repeat after 2^(width - 2), those of an even one
  // are 0 from `width` on.
  Value power = one, square = x;
  for (unsigned bit = 0; bit < width; ++bit) {
    Value taken = testBit(e.make<arith::ShRUIOp>(y, e.integer(y, bit)));
    power = e.select(taken, e.make<arith::MulIOp>(power, square), power);
    square = e.make<arith::MulIOp>(square, square);
  }
  Value odd = testBit(x);
  Value vanishes = e.make<arith::AndIOp>(
      e.compare(CmpIPredicate::eq, odd, e.integer(odd, 0)),
      e.compare(CmpIPredicate::uge, y, e.integer(y, width)));
  power = e.select(vanishes, zero, power);
  if (powerIsUnsigned)
    return power;
  // To a negative power only 1 and -1 stay above 0.
  Value inverse = e.select(e.compare(CmpIPredicate::eq, x, one), one, zero);
  if (!isUnsigned) {
    Value minus = e.integer(x, -1);
    inverse = e.select(e.compare(CmpIPredicate::eq, x, minus),
                       e.select(testBit(y), minus, one), inverse);
  }
  return e.select(e.compare(CmpIPredicate::slt, y, noBits), inverse, power);
}

Value brisk::buildPower(const ElementBuilder &e, Value lhs, Value rhs,
                        Type lhsElement, Type rhsElement) {
  bool isUnsigned = lhsElement.isUnsignedInteger();
  bool powerIsUnsigned = rhsElement.isUnsignedInteger();
  Type i64 = e.b.getI64Type(), f64 = e.b.getF64Type();
  auto asDouble = [&](Value value, Type element) {
    return isa<FloatType>(element)
               ? e.convertFloat(value, f64)
               : e.toFloat(value, f64, element.isUnsignedInteger());
  };
  if (auto element = dyn_cast<FloatType>(lhsElement)) {
    // Integers and doubles lose nothing on the way to the power.
    bool isNarrow = isa<FloatType>(rhsElement) && !rhsElement.isF64() &&
                    !lhsElement.isF64();
    if (!isNarrow)
      return e.convertFloat(e.make<math::PowFOp>(e.convertFloat(lhs, f64),
                                                 asDouble(rhs, rhsElement)),
                            element);
    Type f32 = e.b.getF32Type();
    return e.convertFloat(e.make<math::PowFOp>(e.convertFloat(lhs, f32),
                                               e.convertFloat(rhs, f32)),
                          element);
  }
  if (!isa<FloatType>(rhsElement)) {
    Type wide = ElementBuilder::withElement(rhs.getType(), i64);
    if (rhsElement.getIntOrFloatBitWidth() < 64)
      rhs = powerIsUnsigned ? e.make<arith::ExtUIOp>(wide, rhs)
                            : e.make<arith::ExtSIOp>(wide, rhs);
    return buildIntegerPower(e, lhs, rhs, isUnsigned, powerIsUnsigned);
  }
  // An integer to a float: exact where that is an integer.
  Value y = e.convertFloat(rhs, f64);
  Value integral = e.compare(CmpFPredicate::OEQ, e.make<math::FloorOp>(y), y);
  Value exact = buildIntegerPower(
      e, lhs, e.toInteger(y, i64, /*isUnsigned=*/false), isUnsigned,
      /*powerIsUnsigned=*/false);
  Value power = e.make<math::PowFOp>(asDouble(lhs, lhsElement), y);
  Value inexact = e.toInteger(power, getElementTypeOrSelf(lhs), isUnsigned);
  return e.select(integral, exact, inexact);
}
