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
    Value variance = matchSqrt(lookThroughOnes(deviation));
    auto add = variance ? variance.getDefiningOp<AddOp>() : AddOp();
    if (!sub || !add || sub.getType() != op->getResult(0).getType())
      continue;
    Value x = sub.getLhs();
    auto mean = matchReduction(sub.getRhs(), ReduceKind::Mean);
    Value squares = add.getLhs();
    std::optional<double> epsilon = getNumber(add.getRhs());
    if (!epsilon) {
      squares = add.getRhs();
      epsilon = getNumber(add.getLhs());
    }
    auto spread = matchReduction(squares, ReduceKind::Mean);
    // The op holds it as f32.
    if (!epsilon || static_cast<float>(*epsilon) != *epsilon)
      continue;
    if (!mean || !spread || mean->input != x || mean->axes != spread->axes ||
        getShape(deviation) != getShape(sub.getRhs()) ||
        !isOf(spread->input, centered, *mean))
      continue;
    int64_t rank = getShape(x).size(), count = mean->axes.size();
    if (mean->axes.front() != rank - count)
      continue;
    auto normed = LayerNormOp::create(
        rewriter, op->getLoc(), op->getResult(0).getType(), x, Value(), Value(),
        rewriter.getI64IntegerAttr(rank - count),
        rewriter.getF32FloatAttr(*epsilon));
    rewriter.replaceOp(op, normed);
    return success();
  }
  return rewriter.notifyMatchFailure(op, "is no normalization");
}

/// What a normalization is scaled by, and then what is added, is its own.
static LogicalResult absorbAffine(ElementwiseOpInterface op,
                                  PatternRewriter &rewriter) {
  if (!isa<MulOp, AddOp>(*op))
    return rewriter.notifyMatchFailure(op, "is no scale or offset");
  for (unsigned i : {0, 1}) {
    auto norm = op->getOperand(i).getDefiningOp<LayerNormOp>();
    Value other = op->getOperand(1 - i);
    if (!norm || !norm->hasOneUse() || norm.getBias() ||
        norm.getType() != op->getResult(0).getType() || !getConstant(other))
      continue;
    if (isa<MulOp>(*op) && norm.getScale())
      continue;
    // Parameters lie along the dimensions that are normalized over.
    int64_t rank = getShape(norm).size();
    ArrayRef<int64_t> inner =
        getShape(norm).drop_front(norm.getNormalizedAxis());
    ArrayRef<int64_t> shape = getShape(other);
    size_t missing = rank - shape.size();
    bool fits =
        shape.size() >= inner.size() && shape.take_back(inner.size()) == inner;
    for (size_t d = missing; fits && d < rank - inner.size(); ++d)
      fits = shape[d - missing] == 1;
    if (!fits)
      continue;
    rewriter.setInsertionPoint(op);
    Value flat = makeReshape(rewriter, other.getLoc(), other, inner);
    bool isScale = isa<MulOp>(*op);
    auto merged = LayerNormOp::create(
        rewriter, norm.getLoc(), norm.getType(), norm.getInput(),
        isScale ? flat : norm.getScale(), isScale ? Value() : flat,
        norm.getAxisAttr(), norm.getEpsilonAttr());
    rewriter.replaceOp(op, merged);
    return success();
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
          addOnInterface(patterns, absorbAffine);
          addOnInterface(patterns, recomposeSoftmax);
        })))
      signalPassFailure();
  }
};
} // namespace
