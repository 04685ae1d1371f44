//===- ElementBuilder.cpp - Element expressions ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementBuilder.h"

using namespace mlir;
using namespace brisk;

Type ElementBuilder::withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

static Value makeConstant(const ElementBuilder &e, Type type, TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return e.make<arith::ConstantOp>(value);
}

Value ElementBuilder::constant(Value like, double value) const {
  Type type = like.getType();
  return makeConstant(*this, type,
                      b.getFloatAttr(getElementTypeOrSelf(type), value));
}

Value ElementBuilder::constant(Value like, const APInt &value) const {
  Type type = like.getType();
  return makeConstant(*this, type,
                      b.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value ElementBuilder::integer(Value like, int64_t value) const {
  unsigned width = getElementTypeOrSelf(like.getType()).getIntOrFloatBitWidth();
  return constant(like, APInt(width, value, /*isSigned=*/true,
                              /*implicitTrunc=*/true));
}

Value ElementBuilder::compare(arith::CmpFPredicate predicate, Value lhs,
                              Value rhs) const {
  return make<arith::CmpFOp>(predicate, lhs, rhs);
}

Value ElementBuilder::compare(arith::CmpIPredicate predicate, Value lhs,
                              Value rhs) const {
  return make<arith::CmpIOp>(predicate, lhs, rhs);
}

Value ElementBuilder::select(Value condition, Value x, Value y) const {
  return make<arith::SelectOp>(condition, x, y);
}

Value ElementBuilder::add(Value lhs, Value rhs) const {
  return make<arith::AddFOp>(lhs, rhs);
}
Value ElementBuilder::sub(Value lhs, Value rhs) const {
  return make<arith::SubFOp>(lhs, rhs);
}
Value ElementBuilder::mul(Value lhs, Value rhs) const {
  return make<arith::MulFOp>(lhs, rhs);
}
Value ElementBuilder::div(Value lhs, Value rhs) const {
  return make<arith::DivFOp>(lhs, rhs);
}
Value ElementBuilder::add(Value lhs, double rhs) const {
  return add(lhs, constant(lhs, rhs));
}
Value ElementBuilder::mul(Value lhs, double rhs) const {
  return mul(lhs, constant(lhs, rhs));
}

// Kahan's: the rounding error of u = 1 + x cancels in x / (u - 1).
Value ElementBuilder::log1p(Value x) const {
  Value u = add(x, 1.0);
  Value exact = compare(arith::CmpFPredicate::OEQ, u, constant(x, 1.0));
  Value infinite = compare(arith::CmpFPredicate::OEQ, u, constant(x, HUGE_VAL));
  Value log = make<math::LogOp>(u);
  Value scaled = mul(log, div(x, add(u, -1.0)));
  return select(exact, x, select(infinite, u, scaled));
}

Value ElementBuilder::convertFloat(Value x, Type element) const {
  Type from = getElementTypeOrSelf(x);
  if (from == element)
    return x;
  unsigned have = from.getIntOrFloatBitWidth(),
           want = element.getIntOrFloatBitWidth();
  Type type = withElement(x.getType(), element);
  if (have < want)
    return make<arith::ExtFOp>(type, x);
  if (have > want)
    return make<arith::TruncFOp>(type, x);
  // Between f16 and bf16.
  return convertFloat(convertFloat(x, b.getF32Type()), element);
}

Value ElementBuilder::toInteger(Value x, Type element, bool isUnsigned) const {
  if (getElementTypeOrSelf(x).getIntOrFloatBitWidth() < 32)
    x = convertFloat(x, b.getF32Type());
  unsigned width = element.getIntOrFloatBitWidth();
  Type type = withElement(x.getType(), element);
  double limit = std::ldexp(1.0, isUnsigned ? width : width - 1);
  Value low = constant(x, isUnsigned ? 0.0 : -limit);
  Value high = constant(x, limit);
  Value below = compare(arith::CmpFPredicate::OLT, x, low);
  Value above = compare(arith::CmpFPredicate::OGE, x, high);
  Value inside =
      make<arith::AndIOp>(compare(arith::CmpFPredicate::OGE, x, low),
                          compare(arith::CmpFPredicate::OLT, x, high));
  Value safe = select(inside, x, constant(x, 0.0));
  Value converted = isUnsigned ? make<arith::FPToUIOp>(type, safe)
                               : make<arith::FPToSIOp>(type, safe);
  APInt smallest =
      isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  APInt largest =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  return select(above, constant(converted, largest),
                select(below, constant(converted, smallest), converted));
}

Value ElementBuilder::toFloat(Value x, Type element, bool isUnsigned) const {
  bool narrow = element.getIntOrFloatBitWidth() < 32;
  Type type = withElement(x.getType(), narrow ? b.getF32Type() : element);
  isUnsigned |= getElementTypeOrSelf(x).isInteger(1);
  Value converted = isUnsigned ? make<arith::UIToFPOp>(type, x)
                               : make<arith::SIToFPOp>(type, x);
  return convertFloat(converted, element);
}

Value ElementBuilder::inF32(ValueRange operands,
                            function_ref<Value(ValueRange)> compute) const {
  Type element = getElementTypeOrSelf(operands.front());
  if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 32)
    return compute(operands);
  SmallVector<Value> extended;
  for (Value operand : operands)
    extended.push_back(convertFloat(operand, b.getF32Type()));
  Value result = compute(extended);
  return getElementTypeOrSelf(result).isF32() ? convertFloat(result, element)
                                              : result;
}

//===----------------------------------------------------------------------===//
// Integer division
//===----------------------------------------------------------------------===//

// Calls `build` with a divisor for which the division is defined and right
// but for a zero divisor, where the result is 0.
static Value buildGuarded(const ElementBuilder &e, Value lhs, Value rhs,
                          bool isUnsigned,
                          llvm::function_ref<Value(Value)> build) {
  unsigned width = getElementTypeOrSelf(lhs).getIntOrFloatBitWidth();
  Value zero = e.integer(rhs, 0), one = e.integer(rhs, 1);
  Value isZero = e.compare(arith::CmpIPredicate::eq, rhs, zero);
  Value unsafe = isZero;
  if (!isUnsigned) {
    Value smallest = e.constant(lhs, APInt::getSignedMinValue(width));
    Value overflows = e.make<arith::AndIOp>(
        e.compare(arith::CmpIPredicate::eq, lhs, smallest),
        e.compare(arith::CmpIPredicate::eq, rhs, e.integer(rhs, -1)));
    unsafe = e.make<arith::OrIOp>(unsafe, overflows);
  }
  return e.select(isZero, zero, build(e.select(unsafe, one, rhs)));
}

Value brisk::buildDivide(const ElementBuilder &e, Value lhs, Value rhs,
                         bool isUnsigned) {
  return buildGuarded(e, lhs, rhs, isUnsigned, [&](Value divisor) {
    return isUnsigned ? e.make<arith::DivUIOp>(lhs, divisor)
                      : e.make<arith::DivSIOp>(lhs, divisor);
  });
}

Value brisk::buildRemainder(const ElementBuilder &e, Value lhs, Value rhs,
                            bool isUnsigned) {
  return buildGuarded(e, lhs, rhs, isUnsigned, [&](Value divisor) {
    return isUnsigned ? e.make<arith::RemUIOp>(lhs, divisor)
                      : e.make<arith::RemSIOp>(lhs, divisor);
  });
}
