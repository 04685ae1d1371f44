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
#include "llvm/Support/MathExtras.h"

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

/// The numbers to round, of values like the op's operands.
static Value composeQuotients(QuantizeOp op, const Composer &c,
                              ValueRange operands) {
  Type precision = op.getPrecision().value_or(elementOf(op.getScale()));
  return c.make<DivOp>(c.cast(operands[0], precision),
                       c.cast(operands[1], precision));
}

/// The parts of an op, of values like its operands.
static Value compose(QuantizeOp op, const Composer &c, ValueRange operands) {
  Value y = c.make<RoundOp>(composeQuotients(op, c, operands));
  // Beyond f16 are 16-bit integers.
  y = c.cast(y, getSumType(elementOf(y)));
  if (op.getZeroPoint())
    y = c.make<AddOp>(y, c.cast(operands[2], elementOf(y)));
  auto to = cast<IntegerType>(op.getTo());
  double range = std::ldexp(1.0, to.getWidth());
  double low = to.isUnsigned() ? 0 : -range / 2;
  y = c.make<MaxOp>(y, c.number(low, y));
  y = c.make<MinOp>(y, c.number(low + range - 1, y));
  return c.cast(y, op.getTo());
}

static Value buildElementOf(QuantizeOp op, OpBuilder &b, Location loc,
                            ValueRange operands) {
  Value quotients = buildComposedElement(
      op, b, loc, operands, [&](const Composer &c, ValueRange like) {
        Value y = composeQuotients(op, c, like);
        return c.cast(y, getSumType(elementOf(y)));
      });
  return ElementBuilder(b, loc).roundToInteger(
      quotients, op.getTo(), op.getZeroPoint() ? operands[2] : Value());
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

//===----------------------------------------------------------------------===//
// UnpackBitsOp
//===----------------------------------------------------------------------===//

LogicalResult UnpackBitsOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                             Adaptor op, Types &results) {
  int64_t bits = op.getBits();
  if (bits != 2 && bits != 4)
    return emitOptionalError(loc, "bits is ", bits, ", expected 2 or 4");
  for (int64_t dim : op.getShape())
    if (dim < 0)
      return emitOptionalError(loc, "shape has a dimension of ", dim);
  if (failed(give(loc, results, op.getShape(), op.getTo())))
    return failure();
  auto input = ranked(op.getInput());
  int64_t bytes = llvm::divideCeilSigned(
      cast<RankedTensorType>(results.front()).getNumElements(), 8 / bits);
  if (input && input.hasStaticShape() && input.getNumElements() != bytes)
    return emitOptionalError(loc, "input has ", input.getNumElements(),
                             " bytes, expected ", bytes);
  return success();
}

ElementsAttr UnpackBitsOp::unpack(ElementsAttr bytes) {
  unsigned bits = getBits(), each = 8 / bits;
  ElementBytes from(bytes);
  return makeElements(
      cast<RankedTensorType>(getType()), [&](MutableArrayRef<char> to) {
        for (auto [i, value] : llvm::enumerate(to)) {
          // Its highest bit becomes that of a byte.
          auto high =
              static_cast<uint8_t>(static_cast<uint8_t>(from.bytes()[i / each])
                                   << (8 - bits - i % each * bits));
          value =
              static_cast<char>(getTo().isUnsignedInteger()
                                    ? high >> (8 - bits)
                                    : static_cast<int8_t>(high) >> (8 - bits));
        }
      });
}

SmallVector<Value> UnpackBitsOp::decompose(OpBuilder &builder) {
  Composer c(builder, getLoc());
  if (ElementsAttr constant = getConstant(getInput()))
    return {c.make<ConstantOp>(unpack(constant))};
  auto bits = static_cast<uint8_t>(getBits());
  SmallVector<uint8_t> distances;
  for (int used = 0; used < 8; used += bits)
    distances.push_back(8 - bits - used);
  auto input = cast<RankedTensorType>(getInput().getType());
  auto bytes = [&](ArrayRef<uint8_t> values) -> Value {
    return c.make<ConstantOp>(
        makeElements(makeTensor({static_cast<int64_t>(values.size())},
                                input.getElementType()),
                     values));
  };
  int64_t size = input.getNumElements(), each = distances.size();
  // The highest bit of each becomes that of a byte, in a row of `each`.
  Value x =
      c.make<ReshapeOp>(getInput(), c.ints({size, 1}), /*allowzero=*/true);
  x = c.cast(c.make<ShiftLeftOp>(x, bytes(distances)), getTo());
  x = c.make<ShiftRightOp>(
      x, c.cast(bytes({static_cast<uint8_t>(8 - bits)}), getTo()));
  x = c.make<ReshapeOp>(x, c.ints({size * each}), /*allowzero=*/true);
  if (getType().getNumElements() != size * each)
    x = c.make<SliceOp>(x, c.ints({0}), c.ints({getType().getNumElements()}),
                        c.ints({0}), Value());
  return {c.make<ReshapeOp>(x, c.ints(getShape()), /*allowzero=*/true)};
}

#define GET_OP_CLASSES
#include "brisk/Dialect/QuantizationOps.cpp.inc"
