//===- ElementBuilder.cpp - Element expressions ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ElementBuilder.h"
#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

Type brisk::getValueType(Type elementType) {
  if (auto type = dyn_cast<IntegerType>(elementType))
    return IntegerType::get(type.getContext(), type.getWidth());
  return elementType;
}

Type brisk::getSumType(Type elementType) {
  if (isa<FloatType>(elementType) && elementType.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(elementType.getContext());
  return elementType;
}

Type ElementBuilder::withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// Booleans and unsigned integers compare as unsigned.
static bool isUnsignedElement(Type element) {
  return element.isUnsignedInteger() || element.isInteger(1);
}

Value ElementBuilder::constant(Type type, double value) const {
  Type element = getElementTypeOrSelf(type);
  if (!isa<FloatType>(element)) {
    APSInt integer(element.getIntOrFloatBitWidth(), isUnsignedElement(element));
    bool isExact;
    APFloat(value).convertToInteger(integer, APFloat::rmTowardZero, &isExact);
    return constant(type, integer);
  }
  TypedAttr attr = b.getFloatAttr(element, value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return make<arith::ConstantOp>(attr);
}

Value ElementBuilder::constant(Type type, const APInt &value) const {
  TypedAttr attr =
      b.getIntegerAttr(getValueType(getElementTypeOrSelf(type)), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return make<arith::ConstantOp>(attr);
}

Value ElementBuilder::integer(Value like, int64_t value) const {
  unsigned width = getElementTypeOrSelf(like.getType()).getIntOrFloatBitWidth();
  return constant(like, APInt(width, value, /*isSigned=*/true,
                              /*implicitTrunc=*/true));
}

Value ElementBuilder::least(Type type) const {
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element))
    return constant(type, -HUGE_VAL);
  return constant(type, APSInt::getMinValue(element.getIntOrFloatBitWidth(),
                                            isUnsignedElement(element)));
}

Value ElementBuilder::greatest(Type type) const {
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element))
    return constant(type, HUGE_VAL);
  return constant(type, APSInt::getMaxValue(element.getIntOrFloatBitWidth(),
                                            isUnsignedElement(element)));
}

Value ElementBuilder::compare(arith::CmpFPredicate predicate, Value lhs,
                              Value rhs) const {
  return make<arith::CmpFOp>(predicate, lhs, rhs);
}

Value ElementBuilder::compare(arith::CmpIPredicate predicate, Value lhs,
                              Value rhs) const {
  return make<arith::CmpIOp>(predicate, lhs, rhs);
}

Value ElementBuilder::compare(Type element, arith::CmpIPredicate predicate,
                              Value lhs, Value rhs) const {
  using I = arith::CmpIPredicate;
  using F = arith::CmpFPredicate;
  struct Meaning {
    I onSigned, onUnsigned;
    F onFloats;
  };
  static constexpr Meaning meanings[] = {
      {I::eq, I::eq, F::OEQ},   {I::ne, I::ne, F::UNE},
      {I::slt, I::ult, F::OLT}, {I::sle, I::ule, F::OLE},
      {I::sgt, I::ugt, F::OGT}, {I::sge, I::uge, F::OGE}};
  const auto *meaning = llvm::find_if(meanings, [&](const Meaning &each) {
    return each.onSigned == predicate;
  });
  assert(meaning != std::end(meanings) && "no predicate of signed integers");
  if (isa<FloatType>(element))
    return compare(meaning->onFloats, lhs, rhs);
  return compare(isUnsignedElement(element) ? meaning->onUnsigned : predicate,
                 lhs, rhs);
}

Value ElementBuilder::select(Value condition, Value x, Value y) const {
  return make<arith::SelectOp>(condition, x, y);
}

template <typename FloatOp, typename IntOp>
static Value buildSum(const ElementBuilder &e, Value lhs, Value rhs) {
  Type element = getElementTypeOrSelf(lhs);
  if (isa<FloatType>(element))
    return e.make<FloatOp>(lhs, rhs);
  if (isa<IndexType>(element))
    return e.b.createOrFold<IntOp>(e.loc, lhs, rhs);
  return e.make<IntOp>(lhs, rhs);
}

Value ElementBuilder::add(Value lhs, Value rhs) const {
  return buildSum<arith::AddFOp, arith::AddIOp>(*this, lhs, rhs);
}
Value ElementBuilder::sub(Value lhs, Value rhs) const {
  return buildSum<arith::SubFOp, arith::SubIOp>(*this, lhs, rhs);
}
Value ElementBuilder::mul(Value lhs, Value rhs) const {
  return buildSum<arith::MulFOp, arith::MulIOp>(*this, lhs, rhs);
}
Value ElementBuilder::div(Value lhs, Value rhs) const {
  return make<arith::DivFOp>(lhs, rhs);
}

/// One op on floats, others on signed and on unsigned integers.
template <typename FloatOp, typename SignedOp, typename UnsignedOp,
          typename... Flags>
static Value buildSigned(const ElementBuilder &e, Type element, Value lhs,
                         Value rhs, Flags... flags) {
  if (isa<FloatType>(element))
    return e.make<FloatOp>(lhs, rhs, flags...);
  return isUnsignedElement(element) ? e.make<UnsignedOp>(lhs, rhs)
                                    : e.make<SignedOp>(lhs, rhs);
}

Value ElementBuilder::div(Type element, Value lhs, Value rhs) const {
  return buildSigned<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(
      *this, element, lhs, rhs);
}
// Which zero is the larger makes no difference, and costs instructions.
Value ElementBuilder::max(Type element, Value lhs, Value rhs) const {
  return buildSigned<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(
      *this, element, lhs, rhs, arith::FastMathFlags::nsz);
}
Value ElementBuilder::min(Type element, Value lhs, Value rhs) const {
  return buildSigned<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(
      *this, element, lhs, rhs, arith::FastMathFlags::nsz);
}

Value ElementBuilder::add(Value lhs, double rhs) const {
  return add(lhs, constant(lhs, rhs));
}
Value ElementBuilder::mul(Value lhs, double rhs) const {
  return mul(lhs, constant(lhs, rhs));
}

Value ElementBuilder::onePlusExp(Value x) const {
  return add(make<math::ExpOp>(make<arith::NegFOp>(x)), 1.0);
}
Value ElementBuilder::sigmoid(Value x) const {
  return div(constant(x, 1.0), onePlusExp(x));
}

Value ElementBuilder::softplus(Value x) const {
  Value ramp = max(getElementTypeOrSelf(x), x, constant(x, 0.0));
  Value size = make<math::AbsFOp>(x);
  return add(ramp, log1p(make<math::ExpOp>(make<arith::NegFOp>(size))));
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
  Value largest = constant(converted, APSInt::getMaxValue(width, isUnsigned));
  Value smallest = constant(converted, APSInt::getMinValue(width, isUnsigned));
  return select(above, largest, select(below, smallest, converted));
}

Value ElementBuilder::roundToInteger(Value x, Type element,
                                     Value zeroPoint) const {
  bool isUnsigned = isUnsignedElement(element);
  auto type = cast<FloatType>(getElementTypeOrSelf(x));
  double range = std::ldexp(1.0, element.getIntOrFloatBitWidth());
  double least = isUnsigned ? 0 : -range / 2;
  Value low = constant(x, least), high = constant(x, least + range - 1);
  Value zero = constant(x, 0.0);
  if (zeroPoint) {
    Value offset = toFloat(zeroPoint, type, isUnsigned);
    low = sub(low, offset);
    high = sub(high, offset);
    zero = sub(zero, offset);
  }
  // Bounds are integers, so that it is the same to round behind them. NaN, of
  // which all comparisons are false, becomes the lower one.
  if (!isUnsigned)
    x = select(compare(arith::CmpFPredicate::ORD, x, x), x, zero);
  x = select(compare(arith::CmpFPredicate::OGT, x, low), x, low);
  x = select(compare(arith::CmpFPredicate::OLT, x, high), x, high);
  // Of this sum's mantissa, the last bit counts ones: the addition rounds, and
  // what it adds leaves the lower bits to the integer.
  unsigned width = type.getWidth();
  Value sum = add(x, std::ldexp(1.5, type.getFPMantissaWidth() - 1));
  Value bits = make<arith::BitcastOp>(
      withElement(x.getType(), b.getIntegerType(width)), sum);
  if (zeroPoint)
    bits = add(bits, convert(zeroPoint, element, b.getIntegerType(width)));
  return make<arith::TruncIOp>(withElement(x.getType(), getValueType(element)),
                               bits);
}

Value ElementBuilder::toFloat(Value x, Type element, bool isUnsigned) const {
  bool narrow = element.getIntOrFloatBitWidth() < 32;
  Type type = withElement(x.getType(), narrow ? b.getF32Type() : element);
  isUnsigned |= getElementTypeOrSelf(x).isInteger(1);
  Value converted = isUnsigned ? make<arith::UIToFPOp>(type, x)
                               : make<arith::SIToFPOp>(type, x);
  return convertFloat(converted, element);
}

Value ElementBuilder::convert(Value x, Type from, Type to) const {
  if (isa<FloatType>(from))
    return convertFloat(x, to);
  if (isa<FloatType>(to))
    return toFloat(x, to, isUnsignedElement(from));
  unsigned have = from.getIntOrFloatBitWidth(),
           want = to.getIntOrFloatBitWidth();
  Type type = withElement(x.getType(), getValueType(to));
  if (have == want)
    return x;
  if (have > want)
    return make<arith::TruncIOp>(type, x);
  return isUnsignedElement(from) ? make<arith::ExtUIOp>(type, x)
                                 : make<arith::ExtSIOp>(type, x);
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
