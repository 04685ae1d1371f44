//===- QuantizationOps.cpp - Quantized values -----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "ShapeInference.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

/// What holds of a zero point, where there is one; `quantized` is the type of
/// the integers.
static LogicalResult verifyZeroPoint(Operation *op, Value zeroPoint,
                                     Value scale, Type quantized) {
  if (!zeroPoint)
    return success();
  if (elementOf(zeroPoint) != quantized)
    return op->emitOpError("zero point has elements of type ")
           << elementOf(zeroPoint) << ", expected " << quantized;
  if (scale &&
      failed(verifyCompatibleShape(scale.getType(), zeroPoint.getType())))
    return op->emitOpError("zero point has type ")
           << zeroPoint.getType() << " and scale " << scale.getType()
           << ", expected one shape";
  return success();
}

/// A zero point of zeros is none.
template <typename OpTy>
static LogicalResult dropZeros(OpTy op, PatternRewriter &rewriter) {
  ElementsAttr zeros = getConstant(op.getZeroPoint());
  if (!zeros || llvm::any_of(getAsInts(zeros), [](int64_t v) { return v; }))
    return rewriter.notifyMatchFailure(op, "has no zero point of zeros");
  rewriter.modifyOpInPlace(op, [&] { op.getZeroPointMutable().clear(); });
  return success();
}

LogicalResult QuantizeOp::verify() {
  return verifyZeroPoint(*this, getZeroPoint(), getScale(), getTo());
}

/// The integers as floats, of values like the op's operands.
static Value composeNumbers(QuantizeOp op, const Composer &c,
                            ValueRange operands) {
  Type precision = op.getPrecision().value_or(elementOf(op.getScale()));
  Value y = c.make<RoundOp>(c.make<DivOp>(c.cast(operands[0], precision),
                                          c.cast(operands[1], precision)));
  // Beyond f16 are 16-bit integers.
  y = c.cast(y, getSumType(precision));
  if (op.getZeroPoint())
    y = c.make<AddOp>(y, c.cast(operands[2], elementOf(y)));
  auto to = cast<IntegerType>(op.getTo());
  double range = std::ldexp(1.0, to.getWidth());
  double low = to.isUnsigned() ? 0 : -range / 2;
  y = c.make<MaxOp>(y, c.number(low, y));
  return c.make<MinOp>(y, c.number(low + range - 1, y));
}

/// The parts of an op, of values like its operands.
static Value compose(QuantizeOp op, const Composer &c, ValueRange operands) {
  return c.cast(composeNumbers(op, c, operands), op.getTo());
}

static Value buildElementOf(QuantizeOp op, OpBuilder &b, Location loc,
                            ValueRange operands) {
  Value numbers = buildComposedElement(op, b, loc, operands,
                                       [&](const Composer &c, ValueRange like) {
                                         return composeNumbers(op, c, like);
                                       });
  // They are in range.
  return ElementBuilder(b, loc).toIntegerInRange(numbers,
                                                 getValueType(op.getTo()));
}

LogicalResult DequantizeOp::verify() {
  if (isa<FloatType>(getTo()) != static_cast<bool>(getScale()))
    return emitOpError("gives elements of type ")
           << getTo() << (getScale() ? " with" : " without")
           << " a scale; floats have one, integers have none";
  return verifyZeroPoint(*this, getZeroPoint(), getScale(),
                         elementOf(getInput()));
}

static Value compose(DequantizeOp op, const Composer &c, ValueRange operands) {
  Type wide = getSumType(op.getTo());
  Value y = c.cast(operands[0], wide);
  if (op.getZeroPoint())
    y = c.make<SubOp>(y, c.cast(operands.back(), wide));
  if (op.getScale())
    y = c.make<MulOp>(y, c.cast(operands[1], wide));
  return c.cast(y, op.getTo());
}

static Value buildElementOf(DequantizeOp op, OpBuilder &b, Location loc,
                            ValueRange operands) {
  return buildComposedElement(
      op, b, loc, operands,
      [&](const Composer &c, ValueRange like) { return compose(op, c, like); });
}

#define GET_OP_CLASSES
#include "brisk/Dialect/QuantizationOps.cpp.inc"
