//===- MathBuilder.cpp - Arithmetic for an instruction set ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace brisk;
using arith::CmpFPredicate;

Value MathBuilder::fma(Value a, Value b, Value c) const {
  return isFused(a) ? make<math::FmaOp>(a, b, c) : add(mul(a, b), c);
}

Value MathBuilder::polynomial(Value x, ArrayRef<double> coefficients) const {
  Value sum = constant(x, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, constant(x, coefficient));
  return sum;
}

Value MathBuilder::atMost(Value x, double limit) const {
  Value most = constant(x, limit);
  return select(compare(CmpFPredicate::OLT, most, x), most, x);
}

Value MathBuilder::atLeast(Value x, double limit) const {
  Value least = constant(x, limit);
  return select(compare(CmpFPredicate::OGT, least, x), least, x);
}

Value MathBuilder::toBits(Value x) const {
  unsigned width = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
  return make<arith::BitcastOp>(
      withElement(x.getType(), b.getIntegerType(width)), x);
}

Value MathBuilder::toFloat(Value bits) const {
  bool isDouble = getElementTypeOrSelf(bits).isInteger(64);
  return make<arith::BitcastOp>(
      withElement(bits.getType(),
                  isDouble ? Type(b.getF64Type()) : Type(b.getF32Type())),
      bits);
}

// Added to an integer that is not large, the bits of it plus 1.5 2^52.
static constexpr int64_t magicBits = 0x4338000000000000;

std::pair<Value, Value> MathBuilder::splitExponent(Value x,
                                                   double least) const {
  Value bits = toBits(x);
  Value above = subBits(bits, integer(bits, llvm::bit_cast<int64_t>(least)));
  Value k = make<arith::ShRSIOp>(above, integer(bits, 52));
  Value m = toFloat(subBits(bits, shiftLeft(k, 52)));
  return {add(toFloat(addBits(k, magicBits)), -0x1.8p52), m};
}

Value MathBuilder::scale(Value x, Value shifted) const {
  Value k = addBits(toBits(shifted), -magicBits);
  Value half = make<arith::ShRSIOp>(k, integer(k, 1));
  auto power = [&](Value exponent) {
    return toFloat(shiftLeft(addBits(exponent, 1023), 52));
  };
  return mul(mul(x, power(half)), power(subBits(k, half)));
}

/// A vector of any rank as one of rank 1.
static Value flatten(const MathBuilder &e, Value x) {
  auto type = cast<VectorType>(x.getType());
  if (type.getRank() == 1)
    return x;
  return e.make<vector::ShapeCastOp>(
      VectorType::get(type.getNumElements(), type.getElementType()), x);
}

Value MathBuilder::any(Value condition) const {
  if (!llvm::isa<VectorType>(condition.getType()))
    return condition;
  return make<vector::ReductionOp>(vector::CombiningKind::OR,
                                   flatten(*this, condition));
}

SmallVector<Value>
MathBuilder::branch(Value condition, ValueRange otherwise,
                    function_ref<SmallVector<Value>()> build) const {
  auto op = scf::IfOp::create(b, loc, otherwise.getTypes(), condition,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(b, loc, build());
  b.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(b, loc, otherwise);
  return llvm::to_vector(ValueRange(op.getResults()));
}

SmallVector<Value> MathBuilder::forLanes(
    ValueRange operands, ValueRange initial,
    function_ref<SmallVector<Value>(ValueRange, ValueRange)> build) const {
  auto type = dyn_cast<VectorType>(initial.front().getType());
  if (!type)
    return build(operands, initial);
  auto flat = [&](ValueRange values) {
    SmallVector<Value> result;
    for (Value value : values)
      result.push_back(flatten(*this, value));
    return result;
  };
  auto index = [&](int64_t value) -> Value {
    return make<arith::ConstantIndexOp>(value);
  };
  SmallVector<Value> vectors = flat(operands);
  auto loop = scf::ForOp::create(b, loc, index(0), index(type.getNumElements()),
                                 index(1), flat(initial));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  auto extract = [&](ValueRange values) {
    SmallVector<Value> result;
    for (Value value : values)
      result.push_back(
          make<vector::ExtractOp>(value, ArrayRef<OpFoldResult>{lane}));
    return result;
  };
  SmallVector<Value> next =
      llvm::to_vector(ValueRange(loop.getRegionIterArgs()));
  SmallVector<Value> made = build(extract(vectors), extract(next));
  for (auto [value, lanes] : llvm::zip_equal(made, next))
    lanes = make<vector::InsertOp>(value, lanes, ArrayRef<OpFoldResult>{lane});
  scf::YieldOp::create(b, loc, next);
  b.setInsertionPointAfter(loop);
  SmallVector<Value> results;
  for (auto [value, like] : llvm::zip_equal(loop.getResults(), initial))
    results.push_back(value.getType() == like.getType()
                          ? Value(value)
                          : make<vector::ShapeCastOp>(like.getType(), value));
  return results;
}
