//===- Requantize.cpp - From sums of products to bytes --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "Quantized.h"
#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace brisk {
#define GEN_PASS_DEF_REQUANTIZE
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// True if a constant has one element, or one for each of the last dimension.
static bool isPerChannel(Value constant) {
  ArrayRef<int64_t> shape = getShape(constant);
  int64_t count = ShapedType::getNumElements(shape);
  return count == 1 || (count > 1 && shape.back() == count);
}

namespace {
/// Sums of products of bytes, of which a constant may be part already.
struct Sums {
  Value products;
  std::vector<int64_t> start = {0};
};
} // namespace

/// What integer-products made of a product; none for other integers, of which
/// nobody knows how large they are.
static std::optional<Sums> findSums(Value value) {
  Sums sums;
  sums.products = value;
  if (auto add = value.getDefiningOp<AddOp>();
      add && add.getLhs().getType() == add.getType() &&
      getConstant(add.getRhs()) && isPerChannel(add.getRhs())) {
    sums.products = add.getLhs();
    sums.start = getAsInts(getConstant(add.getRhs()));
  }
  Operation *op = sums.products.getDefiningOp();
  if (!isa_and_nonnull<WeightedOpInterface>(op) ||
      !getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(8))
    return std::nullopt;
  return sums;
}

/// A bias that is added to what sums stand for is added to the sums.
static LogicalResult addToSums(AddOp op, PatternRewriter &rewriter) {
  for (unsigned i : {0, 1}) {
    auto sums = op->getOperand(i).getDefiningOp<DequantizeOp>();
    if (!sums || sums.getType() != op.getType() || sums.getZeroPoint() ||
        !sums.getScale() || getConstant(sums.getInput()) ||
        !getElementTypeOrSelf(sums.getInput().getType()).isInteger(32))
      continue;
    auto factor = getFactor(sums.getScale(), getShape(sums));
    std::optional<Sums> found = findSums(sums.getInput());
    Value operand = op->getOperand(1 - i);
    if (!factor || !found || !isPerChannel(operand))
      continue;
    std::vector<int64_t> bias =
        QuantizedBias::get(operand, factor->values).integers;
    if (bias.empty())
      continue;
    std::vector<int32_t> start(std::max(bias.size(), found->start.size()));
    bool fits = true; // beside the products, which leave half of 32 bits
    for (size_t c = 0; c < start.size(); ++c) {
      int64_t sum =
          bias[c % bias.size()] + found->start[c % found->start.size()];
      fits &= llvm::isInt<31>(sum);
      start[c] = static_cast<int32_t>(sum);
    }
    if (!fits)
      continue;
    Location loc = op.getLoc();
    auto type = RankedTensorType::get({static_cast<int64_t>(start.size())},
                                      rewriter.getI32Type());
    Value constant =
        ConstantOp::create(rewriter, loc, makeElements(type, ArrayRef(start)));
    Value integers = AddOp::create(rewriter, loc, sums.getInput().getType(),
                                   found->products, constant);
    rewriter.replaceOpWithNewOp<DequantizeOp>(
        op, op.getType(), integers, sums.getScale(), Value(), sums.getTo());
    return success();
  }
  return rewriter.notifyMatchFailure(op, "adds no bias to sums");
}

/// True for a bound, in steps of the quantized values, that their range has
/// anyway.
static bool isRangeOf(QuantizeOp op, bool isUpper, double bound) {
  auto to = cast<IntegerType>(op.getTo());
  std::optional<int64_t> zero =
      op.getZeroPoint() ? getInteger(op.getZeroPoint()) : 0;
  double range = std::ldexp(1.0, to.getWidth());
  double low = to.isUnsigned() ? 0 : -range / 2;
  if (!zero)
    return false;
  double number = std::nearbyint(bound) + static_cast<double>(*zero);
  return isUpper ? number >= low + range - 1 : number <= low;
}

/// What sums, scaled anew, become by ops that stood between them and `op`.
static Value repeat(QuantizeOp op, double scale, Operation *between,
                    Value value, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  if (auto transpose = dyn_cast<TransposeOp>(between))
    return makeTranspose(rewriter, loc, value, transpose.getPermutation());
  std::vector<double> bounds =
      getAsDoubles(getConstant(between->getOperand(1)));
  bool isUpper = isa<MinOp>(between);
  for (double &bound : bounds)
    bound /= scale;
  if (llvm::all_of(bounds,
                   [&](double bound) { return isRangeOf(op, isUpper, bound); }))
    return value;
  Value limit =
      makeFloats(rewriter, loc, bounds, getShape(between->getOperand(1)));
  if (isUpper)
    return MinOp::create(rewriter, loc, value.getType(), value, limit);
  return MaxOp::create(rewriter, loc, value.getType(), value, limit);
}

/// Sums that are dequantized and quantized again are scaled once, by the
/// quotient; what bounds them in between follows.
static LogicalResult scaleOnce(QuantizeOp op, PatternRewriter &rewriter) {
  std::optional<double> scale = getNumber(op.getScale());
  if (!scale || *scale == 1 || *scale < 0 ||
      !std::isnormal(static_cast<float>(*scale)) ||
      !getElementTypeOrSelf(op.getScale().getType()).isF32() ||
      op.getPrecision().value_or(rewriter.getF32Type()) !=
          rewriter.getF32Type())
    return rewriter.notifyMatchFailure(op, "has no f32 scale to fold");
  // From the sums down.
  SmallVector<Operation *> between;
  Value value = op.getInput();
  while (isa_and_nonnull<MaxOp, MinOp, TransposeOp>(value.getDefiningOp())) {
    Operation *step = value.getDefiningOp();
    if (!value.hasOneUse() ||
        (!isa<TransposeOp>(step) &&
         (!getConstant(step->getOperand(1)) ||
          step->getOperand(0).getType() != value.getType())))
      break;
    between.push_back(step);
    value = step->getOperand(0);
  }
  auto sums = value.getDefiningOp<DequantizeOp>();
  if (!sums || !sums->hasOneUse() ||
      !getElementTypeOrSelf(sums.getInput().getType()).isInteger(32))
    return rewriter.notifyMatchFailure(op, "does not quantize sums");
  ElementsAttr constant = getConstant(sums.getScale());
  if (!constant || sums.getZeroPoint() || !sums.getTo().isF32())
    return rewriter.notifyMatchFailure(op, "scales of the sums are unknown");
  std::vector<double> scales = getAsDoubles(constant);
  for (double &each : scales) {
    each /= *scale;
    if (!std::isnormal(static_cast<float>(each)))
      return rewriter.notifyMatchFailure(op, "the quotient is out of range");
  }
  Location loc = op.getLoc();
  Value result = DequantizeOp::create(
      rewriter, loc, sums.getType(), sums.getInput(),
      makeFloats(rewriter, loc, scales, getShape(sums.getScale())), Value(),
      sums.getTo());
  for (Operation *step : llvm::reverse(between))
    result = repeat(op, *scale, step, result, rewriter);
  // Of the old one's shape, which is the zero point's.
  auto scaleType = cast<RankedTensorType>(op.getScale().getType());
  Value one = ConstantOp::create(rewriter, loc,
                                 DenseElementsAttr::get(scaleType, 1.0f));
  rewriter.replaceOpWithNewOp<QuantizeOp>(op, op.getType(), result, one,
                                          op.getZeroPoint(), op.getToAttr(),
                                          op.getPrecisionAttr());
  return success();
}

namespace {
struct Requantize : brisk::impl::RequantizeBase<Requantize> {
  void runOnOperation() override {
    if (!findIsa(getOperation()))
      return;
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          patterns.add(addToSums);
          patterns.add(scaleOnce);
        })))
      signalPassFailure();
  }
};
} // namespace
