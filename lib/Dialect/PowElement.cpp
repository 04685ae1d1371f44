//===- PowElement.cpp - The expression of a power -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// brisk.pow by arithmetic alone. The relative error of x^y is that of y log2(x)
// times 100 and more, hence doubles inside, which leave f32 results within one
// unit in the last place.
//
//===----------------------------------------------------------------------===//

#include "ElementBuilder.h"

using namespace mlir;
using namespace brisk;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

// Adding 1.5 * 2^52 rounds a double to an integer and leaves that in its bits.
static constexpr double roundMagic = 6755399441055744.0;
static constexpr int64_t roundMagicBits = 0x4338000000000000;

static Value bitcast(const ElementBuilder &e, Value x, Type element) {
  return e.make<arith::BitcastOp>(
      ElementBuilder::withElement(x.getType(), element), x);
}

static Value polynomial(const ElementBuilder &e, Value x,
                        ArrayRef<double> highestFirst) {
  Value sum = e.constant(x, highestFirst.front());
  for (double coefficient : highestFirst.drop_front())
    sum = e.add(e.mul(sum, x), coefficient);
  return sum;
}

// The base 2 logarithm of a positive, finite x, to about 1e-12 of it: x = 2^k m
// with m between sqrt(1/2) and sqrt(2), and atanh's series for log(m).
static Value buildLog2(const ElementBuilder &e, Value x) {
  Value bits = bitcast(e, x, e.b.getI64Type());
  Value shift = e.integer(bits, 52);
  Value k = e.make<arith::ShRSIOp>(
      e.make<arith::SubIOp>(bits, e.integer(bits, 0x3FE6A09E667F3BCD)), shift);
  Value m =
      bitcast(e, e.make<arith::SubIOp>(bits, e.make<arith::ShLIOp>(k, shift)),
              e.b.getF64Type());
  Value exponent =
      e.add(bitcast(e, e.make<arith::AddIOp>(k, e.integer(k, roundMagicBits)),
                    e.b.getF64Type()),
            -roundMagic);
  Value s = e.div(e.add(m, -1.0), e.add(m, 1.0));
  Value series = polynomial(
      e, e.mul(s, s),
      {1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0});
  constexpr double twoByLog2 = 2.8853900817779268; // 2 / ln 2
  return e.add(exponent, e.mul(e.mul(s, series), twoByLog2));
}

// 2^t for t within the range of a double's exponent, to about 1e-11 of it.
static Value buildExp2(const ElementBuilder &e, Value t) {
  Value magic = e.add(t, roundMagic);
  Value z = e.mul(e.sub(t, e.add(magic, -roundMagic)), 0.6931471805599453);
  Value series = polynomial(e, z,
                            {1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                             1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0, 1.0});
  Value bits = bitcast(e, magic, e.b.getI64Type());
  Value scale = e.make<arith::ShLIOp>(
      e.make<arith::AddIOp>(bits, e.integer(bits, 1023)), e.integer(bits, 52));
  return e.mul(series, bitcast(e, scale, e.b.getF64Type()));
}

// x^y of doubles that came from f32 or less, to that precision: beyond f32's
// range it is merely large, or small.
static Value buildFloatPower(const ElementBuilder &e, Value x, Value y) {
  Value zero = e.constant(x, 0.0), one = e.constant(x, 1.0);
  Value infinity = e.constant(x, HUGE_VAL);
  Value size = e.make<math::AbsFOp>(x);
  Value log = buildLog2(e, size);
  log = e.select(e.compare(CmpFPredicate::OEQ, size, zero),
                 e.constant(x, -HUGE_VAL), log);
  log = e.select(e.compare(CmpFPredicate::OEQ, size, infinity), infinity, log);
  Value t = e.mul(y, log);
  Value bound = e.constant(x, 300.0), negated = e.constant(x, -300.0);
  t = e.select(e.compare(CmpFPredicate::OGT, t, bound), bound, t);
  t = e.select(e.compare(CmpFPredicate::OLT, t, negated), negated, t);
  Value power = buildExp2(e, t);

  // The sign, and where there is no real power.
  Value integral = e.compare(CmpFPredicate::OEQ, e.make<math::FloorOp>(y), y);
  Value half = e.mul(y, 0.5);
  Value odd = e.make<arith::AndIOp>(
      integral,
      e.compare(CmpFPredicate::ONE, e.make<math::FloorOp>(half), half));
  Value bits = bitcast(e, x, e.b.getI64Type());
  Value negative = e.compare(CmpIPredicate::slt, bits, e.integer(bits, 0));
  power = e.select(e.make<arith::AndIOp>(negative, odd),
                   e.make<arith::NegFOp>(power), power);
  Value nan = e.constant(x, std::numeric_limits<double>::quiet_NaN());
  Value finiteNegative =
      e.make<arith::AndIOp>(e.compare(CmpFPredicate::OLT, x, zero),
                            e.compare(CmpFPredicate::OLT, size, infinity));
  Value imaginary = e.make<arith::AndIOp>(
      finiteNegative,
      e.compare(CmpFPredicate::UNE, e.make<math::FloorOp>(y), y));
  power = e.select(imaginary, nan, power);
  power = e.select(e.compare(CmpFPredicate::UNO, x, y), nan, power);

  // One whatever the other operand: x^0, 1^y, and (-1)^inf.
  Value unit = e.make<arith::AndIOp>(
      e.compare(CmpFPredicate::OEQ, size, one),
      e.compare(CmpFPredicate::OEQ, e.make<math::AbsFOp>(y), infinity));
  Value trivial = e.make<arith::OrIOp>(e.compare(CmpFPredicate::OEQ, x, one),
                                       e.compare(CmpFPredicate::OEQ, y, zero));
  return e.select(e.make<arith::OrIOp>(unit, trivial), one, power);
}

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
  if (lhsElement.isF64())
    return e.make<math::PowFOp>(lhs, asDouble(rhs, rhsElement));
  if (isa<FloatType>(lhsElement))
    return e.convertFloat(buildFloatPower(e, asDouble(lhs, lhsElement),
                                          asDouble(rhs, rhsElement)),
                          lhsElement);
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
  // A root may come out a trifle below the integer that it is.
  Value power = buildFloatPower(e, asDouble(lhs, lhsElement), y);
  Value inexact = e.toInteger(e.mul(power, 1.0 + 1e-10),
                              getElementTypeOrSelf(lhs), isUnsigned);
  return e.select(integral, exact, inexact);
}
