//===- Quantized.cpp - Values with a scale and a zero point ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantized.h"
#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

std::optional<int64_t> brisk::getInteger(Value value) {
  ElementsAttr constant = getConstant(value);
  ElementsAttr one = constant && isa<IntegerType>(constant.getElementType())
                         ? getSplatElement(constant)
                         : ElementsAttr();
  return one ? std::optional(getAsInts(one).front()) : std::nullopt;
}

bool brisk::areOne(Value scale, Value zeroPoint) {
  auto isOne = [](Value value) {
    return !value ||
           cast<RankedTensorType>(value.getType()).getNumElements() == 1;
  };
  return isOne(scale) && isOne(zeroPoint);
}

std::optional<Quantized> Quantized::get(Value value) {
  auto op = value.getDefiningOp<DequantizeOp>();
  // A scale of more dimensions gives them to the result.
  if (!op || !getElementTypeOrSelf(op.getInput().getType()).isInteger(8) ||
      getShape(op.getInput()) != getShape(value))
    return std::nullopt;
  Quantized result;
  result.integers = op.getInput();
  if (op.getScale()) {
    std::optional<double> scale = getNumber(op.getScale());
    if (!scale || !std::isnormal(static_cast<float>(*scale)))
      return std::nullopt;
    result.scale = *scale;
  }
  if (Value zeroPoint = op.getZeroPoint()) {
    std::optional<int64_t> zero = getInteger(zeroPoint);
    if (!zero && !areOne({}, zeroPoint))
      return std::nullopt;
    result.zero = zero.value_or(0);
    if (!zero)
      result.runtimeZero = zeroPoint;
  }
  return result;
}

QuantizedBias QuantizedBias::get(Value bias, ArrayRef<double> scales) {
  if (!bias)
    return {};
  if (auto op = bias.getDefiningOp<DequantizeOp>()) {
    ElementsAttr constant = getConstant(op.getInput());
    auto factor = constant && op.getScale()
                      ? getFactor(op.getScale(), getShape(bias))
                      : std::nullopt;
    auto zero = op.getZeroPoint() ? getInteger(op.getZeroPoint()) : 0;
    bool isAlike = factor && zero == 0;
    size_t count = factor ? std::max(factor->values.size(), scales.size()) : 0;
    for (size_t i = 0; isAlike && i < count; ++i) {
      double have = factor->values[i % factor->values.size()],
             want = scales[i % scales.size()];
      // Both are rounded to f32.
      isAlike = std::abs(have - want) <= 1e-6 * std::abs(want);
    }
    if (isAlike)
      return {getAsInts(constant), {}};
  }
  if (getElementTypeOrSelf(bias.getType()).isInteger())
    if (ElementsAttr constant = getConstant(bias))
      return {getAsInts(constant), {}};
  return {{}, bias};
}

Value brisk::makeFloats(OpBuilder &b, Location loc, ArrayRef<double> values,
                        ArrayRef<int64_t> shape) {
  std::vector<float> rounded(values.begin(), values.end());
  return ConstantOp::create(
      b, loc,
      makeElements(RankedTensorType::get(shape, b.getF32Type()),
                   ArrayRef<float>(rounded)));
}

Value brisk::makeInteger(OpBuilder &b, Location loc, Type type, int64_t value) {
  auto element = cast<IntegerType>(type);
  return ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, element),
                             APInt(element.getWidth(), value,
                                   /*isSigned=*/true, /*implicitTrunc=*/true)));
}

IntegerType brisk::getOtherInput(const Isa &isa, Type input, Type weights) {
  Type i32 = IntegerType::get(input.getContext(), 32);
  IntegerType wanted = getProductInput(isa, input.getContext());
  return !isa.findProduct(input, weights, i32) &&
                 isa.findProduct(wanted, weights, i32)
             ? wanted
             : IntegerType();
}

Value brisk::changeSign(OpBuilder &b, Location loc, Value bytes,
                        IntegerType type) {
  // -128 is 128 where there is no sign.
  Value cast = b.createOrFold<CastOp>(loc, bytes, type);
  return b.createOrFold<AddOp>(loc, cast.getType(), cast,
                               makeInteger(b, loc, type, -128));
}

const Isa *brisk::findIsa(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module || !module->hasAttr(BriskDialect::targetAttrName))
    return nullptr;
  const Target *target = getTarget(op);
  return target ? &target->isa : nullptr;
}

IntegerType brisk::getProductInput(const Isa &isa, MLIRContext *context) {
  Builder b(context);
  IntegerType withSign = b.getI8Type(),
              withoutSign = b.getIntegerType(8, /*isSigned=*/false);
  bool isSigned = isa.findProduct(withSign, withSign, b.getI32Type()) &&
                  !isa.findProduct(withoutSign, withSign, b.getI32Type());
  return isSigned ? withSign : withoutSign;
}
