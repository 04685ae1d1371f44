//===- FoldScales.cpp - Folds scales and offsets into weights -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batch normalization at inference is a scale and an offset per channel; after
// a convolution both go into its weights and bias. The patterns know any
// arithmetic with constants per output channel, so batch normalization needs
// none of its own, however an exporter spelled it.
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/Dialect/Traits.h"

#include <cmath>

namespace brisk {
#define GEN_PASS_DEF_FOLDSCALES
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// The dimension of a reshape's operand that `dim` of its result is, whole.
static std::optional<int64_t> findSourceDim(ReshapeOp reshape, int64_t dim) {
  auto groups = reshape.getDimGroups();
  if (!groups)
    return std::nullopt;
  const DimGroup *group = llvm::find_if(*groups, [&](const DimGroup &group) {
    return dim < static_cast<int64_t>(group.toEnd);
  });
  ArrayRef<int64_t> from = getShape(reshape.getInput()), to = getShape(reshape);
  for (int64_t i = group->toBegin, e = group->toEnd; i < e; ++i)
    if (to[i] != 1 && i != dim)
      return std::nullopt;
  std::optional<int64_t> found;
  for (int64_t i = group->fromBegin, e = group->fromEnd; i < e; ++i)
    if (from[i] == to[dim] && from[i] != 1)
      found = i;
  return found;
}

/// Follows `value` back through transposes and reshapes that nothing else uses,
/// and `dim` with it. The value that they start from, or null.
static Value traceBack(Value value, std::optional<int64_t> &dim) {
  while (value.hasOneUse()) {
    if (auto transpose = value.getDefiningOp<TransposeOp>()) {
      if (dim)
        dim = transpose.getPermutation()[*dim];
      value = transpose.getInput();
      continue;
    }
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (!reshape)
      return value;
    if (dim && !(dim = findSourceDim(reshape, *dim)))
      return {};
    value = reshape.getInput();
  }
  return {};
}

/// The op whose output channels `factor`, applied to `value`, varies along.
static Operation *findProducer(Value value, const Factor &factor) {
  std::optional<int64_t> dim = factor.dim;
  Value source = traceBack(value, dim);
  Operation *op = source ? source.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<WeightedOpInterface>(op))
    return nullptr;
  if (dim && *dim != static_cast<int64_t>(getShape(source).size()) - 1)
    return nullptr;
  // A product with a vector has no channels.
  if (isa<MatmulOp>(op) && getShape(op->getOperand(1)).size() < 2)
    return nullptr;
  return op;
}

/// True if the sum `op` may be scaled: exactly, by a power of two, or since its
/// constant does not round the product that it is added to.
static bool canScaleSum(Operation *op, Value constant, double factor) {
  int exponent;
  if (std::abs(std::frexp(factor, &exponent)) == 0.5)
    return true;
  Value other = op->getOperand(op->getOperand(0) == constant ? 1 : 0);
  std::optional<int64_t> noDim;
  Value product = getConstant(other) ? Value() : traceBack(other, noDim);
  return product && !isLargeOffset(product.getDefiningOp(),
                                   getAsDoubles(getConstant(constant)));
}

/// Scales `value` by a number where its weights, or those further up, can take
/// it; with `dryRun` only says whether.
static bool absorb(Value value, double factor, bool dryRun,
                   PatternRewriter &rewriter) {
  std::optional<int64_t> noDim;
  if (ElementsAttr constant = getConstant(value);
      constant || !value.hasOneUse())
    return false;
  Value source = traceBack(value, noDim);
  Operation *op = source ? source.getDefiningOp() : nullptr;
  if (!op)
    return false;
  if (canScale(op, {factor})) {
    if (!dryRun)
      scale(op, {factor}, rewriter);
    return true;
  }
  if (isa<MatmulOp>(op))
    return absorb(op->getOperand(0), factor, dryRun, rewriter) ||
           absorb(op->getOperand(1), factor, dryRun, rewriter);
  if (!isa<AddOp, SubOp>(op))
    return false;
  auto isConstant = [](Value operand) {
    return getConstant(operand) && isFoldable(operand.getType());
  };
  if (!llvm::all_of(op->getOperands(), [&](Value operand) {
        return isConstant(operand) ? canScaleSum(op, operand, factor)
                                   : absorb(operand, factor, true, rewriter);
      }))
    return false;
  if (dryRun)
    return true;
  for (OpOperand &operand : op->getOpOperands()) {
    if (isConstant(operand.get()))
      updateConstant(operand, rewriter,
                     [&](size_t, double v) { return v * factor; });
    else
      absorb(operand.get(), factor, false, rewriter);
  }
  return true;
}

namespace {
/// Arithmetic of a value with a constant.
struct Affine {
  Value value;
  Value constant;
  bool constantFirst;
};
} // namespace

static std::optional<Affine> getAffine(Operation *op) {
  for (unsigned i : {0, 1}) {
    Value value = op->getOperand(1 - i), constant = op->getOperand(i);
    if (getConstant(constant) && !getConstant(value) &&
        value.getType() == op->getResult(0).getType())
      return Affine{value, constant, i == 0};
  }
  return std::nullopt;
}

/// True if nothing but another offset uses the result.
static bool isOffsetAgain(Operation *op) {
  while (op->hasOneUse()) {
    op = *op->user_begin();
    if (isa<AddOp, SubOp>(op))
      return getAffine(op).has_value();
    if (!isa<TransposeOp, ReshapeOp>(op))
      return false;
  }
  return false;
}

/// Scales what `producer` gives, for `op`, by its weights or by those further
/// up.
static LogicalResult scaleProducer(Operation *op, Operation *producer,
                                   const PerChannel &values,
                                   PatternRewriter &rewriter) {
  // What is not finite would meet zeros among the weights.
  if (!llvm::all_of(values, [](double v) { return std::isfinite(v); }))
    return rewriter.notifyMatchFailure(op, "scale is not finite");
  if (canScale(producer, values)) {
    scale(producer, values, rewriter);
    return success();
  }
  if (!isa<MatmulOp>(producer) || values.size() != 1)
    return rewriter.notifyMatchFailure(op, "weights are not constant");
  for (Value side : producer->getOperands().take_front(2))
    if (absorb(side, values.front(), /*dryRun=*/true, rewriter)) {
      absorb(side, values.front(), /*dryRun=*/false, rewriter);
      return success();
    }
  return rewriter.notifyMatchFailure(op, "nothing takes the scale");
}

/// Adds to what `producer` gives, negated before if `negates`, for `op`.
static LogicalResult offsetProducer(Operation *op, Operation *producer,
                                    const PerChannel &values, bool negates,
                                    PatternRewriter &rewriter) {
  if (!canOffset(producer, values) || (negates && !canScale(producer, {-1})))
    return rewriter.notifyMatchFailure(op, "no bias to add to");
  // (x + a) + b is not x + (a + b).
  if (isOffsetAgain(op))
    return rewriter.notifyMatchFailure(op, "another offset follows");
  if (negates)
    scale(producer, {-1}, rewriter);
  offset(producer, values, rewriter);
  return success();
}

/// mul, div, add and sub of a conv's or matrix product's result with constants
/// per output channel.
template <typename OpT>
static LogicalResult foldIntoWeights(OpT op, PatternRewriter &rewriter) {
  std::optional<Affine> affine = getAffine(op);
  if (!affine)
    return rewriter.notifyMatchFailure(op, "has no constant operand");
  auto factor = getFactor(affine->constant, getShape(op));
  if (!factor)
    return rewriter.notifyMatchFailure(op, "constant is not per channel");
  Operation *producer = findProducer(affine->value, *factor);
  if (!producer)
    return rewriter.notifyMatchFailure(op, "no weights before it");
  PerChannel values = std::move(factor->values);
  constexpr bool isDiv = std::is_same_v<OpT, DivOp>;
  constexpr bool isSub = std::is_same_v<OpT, SubOp>;
  bool constantFirst = affine->constantFirst;
  if (isDiv && constantFirst)
    return rewriter.notifyMatchFailure(op, "constant is divided");
  for (double &value : values)
    value = isDiv ? 1 / value : isSub && !constantFirst ? -value : value;
  LogicalResult folded = isDiv || std::is_same_v<OpT, MulOp>
                             ? scaleProducer(op, producer, values, rewriter)
                             : offsetProducer(op, producer, values,
                                              isSub && constantFirst, rewriter);
  if (succeeded(folded))
    rewriter.replaceOp(op, affine->value);
  return folded;
}

/// True if a constant is a large offset of the product.
static bool isLarge(Operation *producer, Value constant) {
  return isLargeOffset(producer, getAsDoubles(getConstant(constant)));
}

/// True if the sum of two constants is no larger than one of them.
static bool isNoLarger(Value a, Value b) {
  SmallVector<int64_t> shape;
  OpTrait::util::getBroadcastedShape(getShape(a), getShape(b), shape);
  auto count = [](ArrayRef<int64_t> dims) {
    return ShapedType::getNumElements(dims);
  };
  return count(shape) <= std::max(count(getShape(a)), count(getShape(b)));
}

/// (x + a) * b = x * b + a * b, to bring the scale to the weights behind x;
/// an offset that follows, as in batch normalization, is added to a * b.
static LogicalResult scaleBeforeOffset(MulOp op, PatternRewriter &rewriter) {
  std::optional<Affine> scaling = getAffine(op);
  if (!scaling || !isFoldable(op.getType()))
    return rewriter.notifyMatchFailure(op, "has no constant operand");
  auto add = scaling->value.getDefiningOp<AddOp>();
  std::optional<Affine> shift = add ? getAffine(add) : std::nullopt;
  if (!shift || !add->hasOneUse())
    return rewriter.notifyMatchFailure(op, "scales no offset value");
  auto factor = getFactor(scaling->constant, getShape(op));
  Operation *producer = factor ? findProducer(shift->value, *factor) : nullptr;
  if (!producer || !canScale(producer, factor->values))
    return rewriter.notifyMatchFailure(op, "no weights before it");
  if (isLarge(producer, shift->constant))
    return rewriter.notifyMatchFailure(op, "the offset rounds the value");
  Location loc = op.getLoc();
  Value scaled =
      rewriter.createOrFold<MulOp>(loc, shift->value, scaling->constant);
  Value offset =
      rewriter.createOrFold<MulOp>(loc, shift->constant, scaling->constant);
  Operation *last = op;
  auto next = op->hasOneUse() ? dyn_cast<AddOp>(*op->user_begin()) : AddOp();
  if (std::optional<Affine> more = next ? getAffine(next) : std::nullopt;
      more && !isLarge(producer, more->constant) && !isOffsetAgain(next) &&
      isNoLarger(offset, more->constant)) {
    rewriter.setInsertionPoint(next);
    offset = rewriter.createOrFold<AddOp>(loc, offset, more->constant);
    last = next;
  }
  rewriter.replaceOpWithNewOp<AddOp>(last, op.getType(), scaled, offset);
  return success();
}

/// A bias that is large beside the weights is added to the sum of the products,
/// rather than rounding each of them.
static LogicalResult splitLargeBias(WeightedOpInterface op,
                                    PatternRewriter &rewriter) {
  Value offset = op->getNumOperands() > 2 ? op->getOperand(2) : Value();
  Value result = op->getResult(0);
  ElementsAttr bias = getConstant(offset);
  if (!bias || !isFoldable(result.getType()) ||
      !getConstant(op->getOperand(1)) || !isLargeOffset(op, getAsDoubles(bias)))
    return rewriter.notifyMatchFailure(op, "has no large bias");
  rewriter.modifyOpInPlace(op, [&] { op->eraseOperand(2); });
  rewriter.setInsertionPointAfter(op);
  auto sum =
      AddOp::create(rewriter, op.getLoc(), result.getType(), result, offset);
  rewriter.replaceAllUsesExcept(result, sum, sum);
  return success();
}

/// Numbers that scale a matrix product's operands scale its result instead,
/// where one operation is left of two and may find weights to go to.
static LogicalResult scaleAfterProduct(MatmulOp op, PatternRewriter &rewriter) {
  if (!isFoldable(op.getType()))
    return rewriter.notifyMatchFailure(op, "is not of floats");
  double product = 1;
  SmallVector<std::pair<Operation *, Value>> scalings;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<int64_t> noDim;
    Value source = traceBack(operand.get(), noDim);
    Operation *scaling = source ? source.getDefiningOp() : nullptr;
    if (!isa_and_nonnull<MulOp, DivOp>(scaling) || !source.hasOneUse())
      continue;
    std::optional<Affine> affine = getAffine(scaling);
    auto factor =
        affine ? getFactor(affine->constant, getShape(source)) : std::nullopt;
    if (!factor || factor->values.size() != 1)
      continue;
    bool divides = isa<DivOp>(scaling);
    if (divides && affine->constantFirst)
      continue;
    double value = factor->values.front();
    value = divides ? 1 / value : value;
    if (!std::isfinite(value))
      continue;
    product *= value;
    scalings.emplace_back(scaling, affine->value);
  }
  if (scalings.empty())
    return rewriter.notifyMatchFailure(op, "operands are not scaled");
  if (!std::isnormal(static_cast<float>(product)))
    return rewriter.notifyMatchFailure(op, "the scale is out of range");
  for (auto [scaling, value] : scalings)
    rewriter.replaceOp(scaling, value);
  rewriter.setInsertionPointAfter(op);
  auto type = cast<RankedTensorType>(op.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value factor = ConstantOp::create(
      rewriter, op.getLoc(),
      DenseElementsAttr::get(
          scalar, rewriter.getFloatAttr(type.getElementType(), product)));
  auto scaled =
      MulOp::create(rewriter, op.getLoc(), type, op.getResult(), factor);
  rewriter.replaceAllUsesExcept(op.getResult(), scaled, scaled);
  return success();
}

namespace {
struct FoldScales : brisk::impl::FoldScalesBase<FoldScales> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          patterns.add(foldIntoWeights<MulOp>)
              .add(foldIntoWeights<DivOp>)
              .add(foldIntoWeights<AddOp>)
              .add(foldIntoWeights<SubOp>)
              .add(scaleBeforeOffset);
          addOnInterface(patterns, splitLargeBias);
          patterns.add(scaleAfterProduct);
        })))
      signalPassFailure();
  }
};
} // namespace
