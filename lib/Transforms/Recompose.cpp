//===- Recompose.cpp - Puts together what exporters took apart ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArithmeticMatchers.h"
#include "PatternPass.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace brisk {
#define GEN_PASS_DEF_RECOMPOSE
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// True if `value` is `x + 0.044715 x^3`.
static bool isTanhArgument(Value value, Value x) {
  auto add = value ? value.getDefiningOp<AddOp>() : AddOp();
  if (!add)
    return false;
  for (auto [one, other] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())}) {
    Product cube = getProduct(other);
    if (one == x && isNear(cube.number, 0.044715) && cube.values.size() == 3 &&
        llvm::all_equal(cube.values) && cube.values.front() == x)
      return true;
  }
  return false;
}

/// x * sigmoid(x).
static LogicalResult recomposeSilu(MulOp op, PatternRewriter &rewriter) {
  for (auto [x, gate] : {std::pair(op.getLhs(), op.getRhs()),
                         std::pair(op.getRhs(), op.getLhs())}) {
    auto sigmoid = gate.getDefiningOp<SigmoidOp>();
    if (!sigmoid || sigmoid.getInput() != x)
      continue;
    rewriter.replaceOpWithNewOp<SiluOp>(op, op.getType(), x);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "is no product with a gate");
}

/// 0.5 x (1 + erf(x / sqrt 2)) and
/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), the factors in any order.
static LogicalResult recomposeGelu(MulOp op, PatternRewriter &rewriter) {
  // In f64, exporters' constants are not those of the op.
  Type element = getElementTypeOrSelf(op.getType());
  if (!isa<FloatType>(element) || element.isF64())
    return rewriter.notifyMatchFailure(op, "is not of floats up to f32");
  Product product = getProduct(op);
  if (product.values.size() != 2 || product.number != 0.5)
    return rewriter.notifyMatchFailure(op, "is not half of a product");
  for (unsigned i : {0, 1}) {
    Value x = product.values[i];
    Value inner = matchOnePlus(product.values[1 - i]);
    if (!inner || x.getType() != op.getType())
      continue;
    std::optional<GeluApproximation> kind;
    if (auto erf = inner.getDefiningOp<ErfOp>();
        erf && matchScaled(erf.getInput(), M_SQRT1_2) == x)
      kind = GeluApproximation::None;
    constexpr double sqrt2OverPi = 0.7978845608028654;
    if (auto tanh = inner.getDefiningOp<TanhOp>();
        tanh && isTanhArgument(matchScaled(tanh.getInput(), sqrt2OverPi), x))
      kind = GeluApproximation::Tanh;
    if (!kind)
      continue;
    rewriter.replaceOpWithNewOp<GeluOp>(op, op.getType(), x, *kind);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "is no gelu");
}

/// True if `value` is the square of `centered`, or of its like.
static bool isOf(Value value, Value centered, const Reduction &mean) {
  Value base = matchSquare(value);
  if (!base || base == centered)
    return base == centered;
  auto sub = base.getDefiningOp<SubOp>();
  if (!sub || sub.getLhs() != mean.input)
    return false;
  auto own = matchReduction(sub.getRhs(), ReduceKind::Mean);
  return own && own->input == mean.input && own->axes == mean.axes;
}

/// (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon) over the last
/// dimensions.
static LogicalResult recomposeLayerNorm(ElementwiseOpInterface op,
                                        PatternRewriter &rewriter) {
  for (auto [centered, deviation] : matchQuotient(op)) {
    auto sub = centered.getDefiningOp<SubOp>();
    std::optional<RootMean> divisor = matchRootMean(deviation);
    if (!sub || !divisor || sub.getType() != op->getResult(0).getType())
      continue;
    Value x = sub.getLhs();
    auto mean = matchReduction(sub.getRhs(), ReduceKind::Mean);
    if (!mean || mean->input != x || mean->axes != divisor->mean.axes ||
        getShape(deviation) != getShape(sub.getRhs()) ||
        !isOf(divisor->mean.input, centered, *mean))
      continue;
    auto normed = LayerNormOp::create(
        rewriter, op->getLoc(), op->getResult(0).getType(), x, Value(), Value(),
        rewriter.getI64IntegerAttr(mean->axes.front()),
        rewriter.getF32FloatAttr(divisor->epsilon));
    rewriter.replaceOp(op, normed);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "is no normalization");
}

/// x / sqrt(mean(x^2) + epsilon) over the last dimensions.
static LogicalResult recomposeRmsNorm(ElementwiseOpInterface op,
                                      PatternRewriter &rewriter) {
  for (auto [x, size] : matchQuotient(op)) {
    std::optional<RootMean> divisor = matchRootMean(size);
    if (!divisor || x.getType() != op->getResult(0).getType() ||
        matchSquare(divisor->mean.input) != x)
      continue;
    rewriter.replaceOpWithNewOp<RmsNormOp>(
        op, x.getType(), x, Value(),
        rewriter.getI64IntegerAttr(divisor->mean.axes.front()),
        rewriter.getF32FloatAttr(divisor->epsilon));
    return success();
  }
  return rewriter.notifyMatchFailure(op, "is no normalization");
}

/// `other` as it lies along the dimensions that are normalized over; null if it
/// has others, or they do not.
static Value getParameter(AxisOpInterface norm, Value other,
                          PatternRewriter &rewriter) {
  ArrayRef<int64_t> all = getShape(norm->getResult(0));
  ArrayRef<int64_t> inner = all.drop_front(norm.getNormalizedAxis());
  ArrayRef<int64_t> shape = getShape(other);
  if (shape.size() < inner.size() || shape.take_back(inner.size()) != inner ||
      llvm::any_of(shape.drop_back(inner.size()),
                   [](int64_t dim) { return dim != 1; }))
    return {};
  return makeReshape(rewriter, other.getLoc(), other, inner);
}

/// The normalization with `other` as its scale or offset, too; null if it takes
/// none.
static Value absorb(LayerNormOp norm, Value other, bool isScale,
                    PatternRewriter &rewriter) {
  if (norm.getBias() || (isScale && norm.getScale()))
    return {};
  Value flat = getParameter(norm, other, rewriter);
  if (!flat)
    return {};
  return LayerNormOp::create(rewriter, norm.getLoc(), norm.getType(),
                             norm.getInput(), isScale ? flat : norm.getScale(),
                             isScale ? Value() : flat, norm.getAxisAttr(),
                             norm.getEpsilonAttr());
}
static Value absorb(RmsNormOp norm, Value other, bool isScale,
                    PatternRewriter &rewriter) {
  if (!isScale || norm.getScale())
    return {};
  Value flat = getParameter(norm, other, rewriter);
  if (!flat)
    return {};
  return RmsNormOp::create(rewriter, norm.getLoc(), norm.getType(),
                           norm.getInput(), flat, norm.getAxisAttr(),
                           norm.getEpsilonAttr());
}

/// What a normalization is scaled by, and then what is added, is its own.
static LogicalResult absorbAffine(ElementwiseOpInterface op,
                                  PatternRewriter &rewriter) {
  if (!isa<MulOp, AddOp>(*op))
    return rewriter.notifyMatchFailure(op, "is no scale or offset");
  for (unsigned i : {0, 1}) {
    Value normed = op->getOperand(i), other = op->getOperand(1 - i);
    Operation *norm = normed.getDefiningOp();
    if (!norm || !norm->hasOneUse() ||
        normed.getType() != op->getResult(0).getType() || !getConstant(other))
      continue;
    rewriter.setInsertionPoint(op);
    Value absorbed =
        TypeSwitch<Operation *, Value>(norm)
            .Case<LayerNormOp, RmsNormOp>([&](auto norm) {
              return absorb(norm, other, isa<MulOp>(*op), rewriter);
            })
            .Default(Value());
    if (absorbed) {
      rewriter.replaceOp(op, absorbed);
      return success();
    }
  }
  return rewriter.notifyMatchFailure(op, "follows no normalization");
}

/// exp(x - max(x)) / sum(exp(x - max(x))).
static LogicalResult recomposeSoftmax(ElementwiseOpInterface op,
                                      PatternRewriter &rewriter) {
  // Every step of 16-bit floats is rounded.
  if (getElementTypeOrSelf(op->getResult(0).getType()).getIntOrFloatBitWidth() <
      32)
    return rewriter.notifyMatchFailure(op, "would round otherwise");
  for (auto [numerator, denominator] : matchQuotient(op)) {
    auto exp = numerator.getDefiningOp<ExpOp>();
    auto sum = matchReduction(denominator, ReduceKind::Sum);
    if (!exp || !sum || sum->input != numerator || sum->axes.size() != 1 ||
        exp.getType() != op->getResult(0).getType())
      continue;
    auto sub = exp.getInput().getDefiningOp<SubOp>();
    if (!sub || sub.getLhs().getType() != exp.getType())
      continue;
    // Some guard the largest with max(-inf, ·).
    Value shape = sub.getRhs();
    Value largest = lookThroughOnes(shape);
    if (auto guard = largest.getDefiningOp<MaxOp>())
      for (unsigned i : {0, 1})
        if (auto n = getNumber(guard->getOperand(i)); n && *n == -INFINITY)
          largest = guard->getOperand(1 - i);
    auto reduce = lookThroughOnes(largest).getDefiningOp<ReduceOp>();
    if (!reduce || reduce.getKind() != ReduceKind::Max ||
        reduce.getInput() != sub.getLhs() ||
        reduce.getReducedAxes() != sum->axes ||
        getShape(shape) != getShape(denominator))
      continue;
    auto softmax = SoftmaxOp::create(
        rewriter, op->getLoc(), op->getResult(0).getType(), sub.getLhs(),
        rewriter.getI64IntegerAttr(sum->axes.front()), UnitAttr());
    rewriter.replaceOp(op, softmax);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "is no softmax");
}

namespace {
struct Recompose : brisk::impl::RecomposeBase<Recompose> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          patterns.add(recomposeSilu).add(recomposeGelu);
          addOnInterface(patterns, recomposeLayerNorm);
          addOnInterface(patterns, recomposeRmsNorm);
          addOnInterface(patterns, absorbAffine);
          addOnInterface(patterns, recomposeSoftmax);
        })))
      signalPassFailure();
  }
};
} // namespace
