//===- DigitByDigit.cpp - Remainders and roots by integers ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace brisk;
using arith::CmpIPredicate;

/// What `build` makes of `carried`, `count` (an i64) times over.
static SmallVector<Value>
repeat(const MathBuilder &e, Value count, ValueRange carried,
       function_ref<SmallVector<Value>(ValueRange)> build) {
  OpBuilder &b = e.b;
  auto index = [&](int64_t value) -> Value {
    return e.make<arith::ConstantIndexOp>(value);
  };
  Value end = e.make<arith::IndexCastOp>(b.getIndexType(), count);
  auto loop = scf::ForOp::create(b, e.loc, index(0), end, index(1), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, e.loc, build(loop.getRegionIterArgs()));
  return llvm::to_vector(ValueRange(loop.getResults()));
}

//===----------------------------------------------------------------------===//
// The remainder
//===----------------------------------------------------------------------===//

/// x less the multiple of y towards zero from x / y, of scalars, by long
/// division of their integers: exact.
static Value divideLong(const MathBuilder &e, Value x, Value y) {
  bool isDouble = x.getType().isF64();
  int64_t mantissa = isDouble ? 52 : 23, digits = 63 - mantissa;
  Type i64 = e.b.getI64Type();
  auto widen = [&](Value bits) -> Value {
    return isDouble ? bits : e.make<arith::ExtUIOp>(i64, bits);
  };
  auto least = [&](Value a, Value b) { return e.make<arith::MinUIOp>(a, b); };
  // A float's size as an integer times a power of 2: 2^(exponent - 1) units of
  // the least float.
  struct Parts {
    Value integer, exponent;
  };
  auto split = [&](Value bits) -> Parts {
    Value field = e.shiftRight(bits, mantissa);
    Value one = e.integer(bits, 1), zero = e.integer(bits, 0);
    Value isNormal = e.compare(CmpIPredicate::ne, field, zero);
    Value first = e.select(isNormal, one, zero);
    Value rest = e.andBits(bits, (int64_t(1) << mantissa) - 1);
    return {e.make<arith::OrIOp>(rest, e.shiftLeft(first, mantissa)),
            e.select(isNormal, field, one)};
  };
  Value sizeX = e.make<math::AbsFOp>(x), sizeY = e.make<math::AbsFOp>(y);
  Value bitsX = widen(e.toBits(sizeX)), bitsY = widen(e.toBits(sizeY));
  Parts dividend = split(bitsX), divisor = split(bitsY);
  Value zero = e.integer(bitsX, 0), one = e.integer(bitsX, 1);
  Value by = e.make<arith::MaxUIOp>(divisor.integer, one);

  // As many digits at once as there is room for above the divisor's.
  Value count = e.make<arith::MaxSIOp>(
      e.subBits(dividend.exponent, divisor.exponent), zero);
  Value room = e.integer(count, digits);
  Value first = e.make<arith::RemUIOp>(count, room);
  Value rest = e.make<arith::RemUIOp>(dividend.integer, by);
  rest = e.make<arith::RemUIOp>(e.make<arith::ShLIOp>(rest, first), by);
  rest = repeat(e, e.make<arith::DivUIOp>(count, room), rest,
                [&](ValueRange carried) -> SmallVector<Value> {
                  Value more = e.shiftLeft(carried[0], digits);
                  return {e.make<arith::RemUIOp>(more, by)};
                })[0];

  // Back to a float, whose first bit counts in the exponent.
  Value zeros = e.make<math::CountLeadingZerosOp>(rest);
  Value shift =
      least(e.addBits(zeros, -digits), e.addBits(divisor.exponent, -1));
  Value exponent = e.addBits(e.subBits(divisor.exponent, shift), -1);
  Value bits = e.addBits(e.make<arith::ShLIOp>(rest, shift),
                         e.shiftLeft(exponent, mantissa));
  bits = e.select(e.compare(CmpIPredicate::eq, rest, zero), zero, bits);
  if (!isDouble)
    bits = e.make<arith::TruncIOp>(e.b.getI32Type(), bits);
  Value result = e.make<math::CopySignOp>(e.toFloat(bits), x);
  result =
      e.select(e.compare(arith::CmpFPredicate::OLT, sizeX, sizeY), x, result);
  // None of infinity, by zero, and of or by what is no number.
  Value defined = e.make<arith::AndIOp>(
      e.isBelow(sizeX, HUGE_VAL),
      e.compare(arith::CmpFPredicate::OGT, sizeY, e.constant(y, 0)));
  return e.select(defined, result, e.constant(x, NAN));
}

/// Where all quotients are so small that one product is exact, by that.
static Value buildFloatRemainder(const MathBuilder &e, ValueRange operands) {
  Value x = operands[0], y = operands[1];
  Type type = x.getType(), element = getElementTypeOrSelf(type);
  auto divideEach = [&](Value otherwise) {
    return e.forLanes(operands, otherwise,
                      [&](ValueRange lanes, ValueRange) -> SmallVector<Value> {
                        return {divideLong(e, lanes[0], lanes[1])};
                      });
  };
  Type f64 = ElementBuilder::withElement(type, e.b.getF64Type());
  if (element.isF64() ? !e.isFused(x)
                      : !e.isa.has(Isa::Operation::Arithmetic, f64))
    return divideEach(x)[0];

  // In doubles, floats leave room for 28 bits of a quotient; those of doubles
  // take what a fused multiply-add has.
  Value a = e.convertFloat(x, e.b.getF64Type()),
        by = e.convertFloat(y, e.b.getF64Type());
  Value quotient = e.div(a, by), size = e.make<math::AbsFOp>(by);
  Value whole = e.make<math::TruncOp>(quotient);
  Value rest = element.isF64() ? e.fma(e.make<arith::NegFOp>(whole), by, a)
                               : e.sub(a, e.mul(whole, by));
  // A quotient that was rounded up to an integer gave the wrong side of zero.
  Value sided = e.mul(rest, e.make<math::CopySignOp>(e.constant(a, 1), a));
  rest = e.select(e.isBelow(sided, 0),
                  e.add(rest, e.make<math::CopySignOp>(size, a)), rest);
  rest = e.convertFloat(e.make<math::CopySignOp>(rest, a), element);
  Value fits =
      e.make<arith::AndIOp>(e.isBelow(e.make<math::AbsFOp>(quotient),
                                      element.isF64() ? 0x1p52 : 0x1p28),
                            e.isBelow(size, HUGE_VAL));
  Value fails = e.make<arith::XOrIOp>(fits, e.integer(fits, 1));
  return e.branch(e.any(fails), rest, [&] { return divideEach(rest); })[0];
}

//===----------------------------------------------------------------------===//
// The square root
//===----------------------------------------------------------------------===//

/// The root of a double, a bit at a time (FreeBSD's msun, e_sqrt.c): rounded as
/// an instruction rounds it.
static Value extractRoot(const MathBuilder &e, Value x) {
  Value isSmall = e.isBelow(x, 0x1p-1022);
  Value bits = e.toBits(e.select(isSmall, e.mul(x, 0x1p54), x));
  Value exponent = e.addBits(e.shiftRight(bits, 52), -1023);
  Value integer = e.make<arith::OrIOp>(e.andBits(bits, (int64_t(1) << 52) - 1),
                                       e.integer(bits, int64_t(1) << 52));
  // An even exponent, and a bit for rounding.
  Value odd = e.andBits(exponent, 1);
  integer = e.shiftLeft(e.make<arith::ShLIOp>(integer, odd), 1);
  Value zero = e.integer(bits, 0);
  SmallVector<Value> root =
      repeat(e, e.integer(bits, 54),
             {integer, zero, zero, e.integer(bits, int64_t(1) << 53)},
             [&](ValueRange carried) -> SmallVector<Value> {
               Value rest = carried[0], twice = carried[1], root = carried[2],
                     bit = carried[3];
               Value taken = e.addBits(twice, bit);
               Value fits = e.compare(CmpIPredicate::ule, taken, rest);
               rest = e.select(fits, e.subBits(rest, taken), rest);
               return {e.shiftLeft(rest, 1),
                       e.select(fits, e.addBits(taken, bit), twice),
                       e.select(fits, e.addBits(root, bit), root),
                       e.shiftRight(bit, 1)};
             });
  Value rounded = e.addBits(root[2], e.andBits(root[2], 1));
  Value half = e.make<arith::ShRSIOp>(exponent, e.integer(exponent, 1));
  Value result = e.toFloat(e.addBits(e.shiftRight(rounded, 1),
                                     e.shiftLeft(e.addBits(half, 1022), 52)));
  result = e.select(isSmall, e.mul(result, 0x1p-27), result);
  Value isFinite =
      e.make<arith::AndIOp>(e.isAbove(x, 0), e.isBelow(x, HUGE_VAL));
  Value other = e.select(e.isBelow(x, 0), e.constant(x, NAN), x);
  return e.select(isFinite, result, other);
}

static Value buildRoot64(const MathBuilder &e, ValueRange operands) {
  return e.forLanes(operands, operands,
                    [&](ValueRange lanes, ValueRange) -> SmallVector<Value> {
                      return {extractRoot(e, lanes[0])};
                    })[0];
}

void brisk::populateDigitByDigitExpansions(RewritePatternSet &patterns,
                                           const Isa &isa) {
  MLIRContext *context = patterns.getContext();
  for (unsigned width : {32, 64})
    patterns.add<ExpandFunction<arith::RemFOp>>(context, isa, width,
                                                buildFloatRemainder);
  if (!isa.has(Isa::Operation::Arithmetic, Float64Type::get(context)))
    patterns.add<ExpandFunction<math::SqrtOp>>(context, isa, 64, buildRoot64);
}
