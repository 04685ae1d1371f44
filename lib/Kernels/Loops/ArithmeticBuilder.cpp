//===- ArithmeticBuilder.cpp - Indices and elements -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArithmeticBuilder.h"
#include "llvm/ADT/APSInt.h"

#include <limits>

using namespace mlir;
using namespace brisk;

Value brisk::boundIndex(ImplicitLocOpBuilder &b, Value value, int64_t wrap,
                        int64_t low, int64_t high) {
  if (wrap > INT32_MAX || high > INT32_MAX || low < INT32_MIN)
    if (!value.getType().isInteger(64))
      value = arith::ExtSIOp::create(b, b.getI64Type(), value);
  Type type = value.getType();
  auto constant = [&](int64_t number) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, number));
  };
  if (wrap) {
    Value negative =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, value, constant(0));
    Value wrapped = arith::AddIOp::create(b, value, constant(wrap));
    value = arith::SelectOp::create(b, negative, wrapped, value);
  }
  value = arith::MaxSIOp::create(b, value, constant(low));
  value = arith::MinSIOp::create(b, value, constant(high));
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

/// Booleans and unsigned integers compare as unsigned.
static bool isUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

Value ArithmeticBuilder::ceilDiv(Value a, int64_t b) {
  if (b == 1)
    return a;
  return createOrFold<arith::CeilDivSIOp>(a, index(b));
}

Type ArithmeticBuilder::getValueType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

Value ArithmeticBuilder::constant(Type type, double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  APSInt integer(type.getIntOrFloatBitWidth(), isUnsigned(type));
  bool isExact;
  APFloat(value).convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  return constantBits(type, integer);
}

Value ArithmeticBuilder::constantBits(Type type, const APInt &bits) {
  return arith::ConstantOp::create(*this,
                                   getIntegerAttr(getValueType(type), bits));
}

Value ArithmeticBuilder::least(Type type) {
  if (isa<FloatType>(type))
    return constant(type, -std::numeric_limits<double>::infinity());
  unsigned width = type.getIntOrFloatBitWidth();
  return constantBits(type, isUnsigned(type) ? APInt::getZero(width)
                                             : APInt::getSignedMinValue(width));
}

Value ArithmeticBuilder::greatest(Type type) {
  if (isa<FloatType>(type))
    return constant(type, std::numeric_limits<double>::infinity());
  unsigned width = type.getIntOrFloatBitWidth();
  return constantBits(type, isUnsigned(type) ? APInt::getMaxValue(width)
                                             : APInt::getSignedMaxValue(width));
}

template <typename FloatOp, typename SignedOp, typename UnsignedOp>
Value ArithmeticBuilder::binary(Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return FloatOp::create(*this, a, b);
  if (isUnsigned(type))
    return UnsignedOp::create(*this, a, b);
  return SignedOp::create(*this, a, b);
}

Value ArithmeticBuilder::add(Type type, Value a, Value b) {
  return binary<arith::AddFOp, arith::AddIOp>(type, a, b);
}

Value ArithmeticBuilder::sub(Type type, Value a, Value b) {
  return binary<arith::SubFOp, arith::SubIOp>(type, a, b);
}

Value ArithmeticBuilder::mul(Type type, Value a, Value b) {
  return binary<arith::MulFOp, arith::MulIOp>(type, a, b);
}

Value ArithmeticBuilder::div(Type type, Value a, Value b) {
  return binary<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(type, a, b);
}

Value ArithmeticBuilder::max(Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::MaximumFOp::create(*this, a, b, arith::FastMathFlags::nsz);
  return binary<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(type, a, b);
}

Value ArithmeticBuilder::min(Type type, Value a, Value b) {
  if (isa<FloatType>(type))
    return arith::MinimumFOp::create(*this, a, b, arith::FastMathFlags::nsz);
  return binary<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(type, a, b);
}

Value ArithmeticBuilder::compare(Type type, arith::CmpFPredicate floats,
                                 arith::CmpIPredicate signedInts,
                                 arith::CmpIPredicate unsignedInts, Value a,
                                 Value b) {
  if (isa<FloatType>(type))
    return arith::CmpFOp::create(*this, floats, a, b);
  return compare(isUnsigned(type) ? unsignedInts : signedInts, a, b);
}

Value ArithmeticBuilder::isLess(Type type, Value a, Value b) {
  return compare(type, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
                 arith::CmpIPredicate::ult, a, b);
}

Value ArithmeticBuilder::isLessOrEqual(Type type, Value a, Value b) {
  return compare(type, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle,
                 arith::CmpIPredicate::ule, a, b);
}

Value ArithmeticBuilder::isEqual(Type type, Value a, Value b) {
  return compare(type, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq,
                 arith::CmpIPredicate::eq, a, b);
}

Type ArithmeticBuilder::getSumType(Type type) {
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(type.getContext());
  return type;
}

Value ArithmeticBuilder::convert(Value value, Type from, Type to) {
  Type type = getValueType(to);
  if (value.getType() == type)
    return value;
  unsigned have = from.getIntOrFloatBitWidth();
  unsigned want = to.getIntOrFloatBitWidth();
  if (isa<FloatType>(from) && isa<FloatType>(to)) {
    if (have < want)
      return arith::ExtFOp::create(*this, type, value);
    if (have > want)
      return arith::TruncFOp::create(*this, type, value);
    // Between f16 and bf16.
    Value wide = arith::ExtFOp::create(*this, getF32Type(), value);
    return arith::TruncFOp::create(*this, type, wide);
  }
  if (isa<FloatType>(to)) {
    if (isUnsigned(from))
      return arith::UIToFPOp::create(*this, type, value);
    return arith::SIToFPOp::create(*this, type, value);
  }
  if (have > want)
    return arith::TruncIOp::create(*this, type, value);
  if (isUnsigned(from))
    return arith::ExtUIOp::create(*this, type, value);
  return arith::ExtSIOp::create(*this, type, value);
}

Value ArithmeticBuilder::pow(Type type, Value base, double exponent) {
  Type wide = getSumType(type);
  Value power = math::PowFOp::create(*this, convert(base, type, wide),
                                     constant(wide, exponent));
  return convert(power, wide, type);
}

Value ArithmeticBuilder::abs(Type type, Value value) {
  if (isa<FloatType>(type))
    return math::AbsFOp::create(*this, value);
  return isUnsigned(type) ? value : math::AbsIOp::create(*this, value);
}
