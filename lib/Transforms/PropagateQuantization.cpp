//===- PropagateQuantization.cpp - Moves integers, not floats -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dequantize moves behind ops that only move elements or compare them, and
// quantize before them: then they work on integers, and the two meet the
// products that can take them in.
//
//===----------------------------------------------------------------------===//

#include "ArithmeticMatchers.h"
#include "PatternPass.h"
#include "Quantized.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

namespace brisk {
#define GEN_PASS_DEF_PROPAGATEQUANTIZATION
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// A scale or zero point of one element, or null, as a scalar.
static Value flatten(PatternRewriter &rewriter, Value parameter) {
  return parameter ? makeReshape(rewriter, parameter.getLoc(), parameter, {})
                   : parameter;
}

/// The op that dequantizes to `value` by one scale and zero point; null if
/// there is none.
static DequantizeOp findDequantize(Value value) {
  auto op = value.getDefiningOp<DequantizeOp>();
  return op && areOne(op.getScale(), op.getZeroPoint()) &&
                 getShape(op.getInput()) == getShape(op)
             ? op
             : nullptr;
}

/// dequantize, then move elements = move the integers, then dequantize.
static LogicalResult sinkBehindTranspose(TransposeOp op,
                                         PatternRewriter &rewriter) {
  auto dequantize = op.getInput().getDefiningOp<DequantizeOp>();
  if (!dequantize || getShape(dequantize.getInput()) != getShape(dequantize))
    return rewriter.notifyMatchFailure(op, "moves no dequantized values");
  int64_t rank = getShape(op).size();
  Location loc = op.getLoc();
  auto follow = [&](Value parameter) -> Value {
    if (!parameter ||
        cast<RankedTensorType>(parameter.getType()).getNumElements() == 1)
      return parameter;
    ArrayRef<int64_t> shape = getShape(parameter);
    SmallVector<int64_t> full(rank - shape.size(), 1);
    full.append(shape.begin(), shape.end());
    return makeTranspose(rewriter, loc,
                         makeReshape(rewriter, loc, parameter, full),
                         op.getPermutation());
  };
  Value moved =
      makeTranspose(rewriter, loc, dequantize.getInput(), op.getPermutation());
  rewriter.replaceOpWithNewOp<DequantizeOp>(
      op, op.getType(), moved, follow(dequantize.getScale()),
      follow(dequantize.getZeroPoint()), dequantize.getTo());
  return success();
}

/// The same of all ops that choose elements, from values of one scale.
static LogicalResult sinkBehindChoice(ComputeOpInterface op,
                                      PatternRewriter &rewriter) {
  if (!op.choosesElements() || op->getNumResults() != 1 || isa<TransposeOp>(op))
    return rewriter.notifyMatchFailure(op, "chooses no elements");
  DequantizeOp first;
  SmallVector<unsigned> data;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (op.isParameter(i))
      continue;
    DequantizeOp dequantize = findDequantize(operand);
    std::optional<Quantized> quantized = Quantized::get(operand);
    if (!dequantize || !quantized || quantized->scale < 0)
      return rewriter.notifyMatchFailure(op, "has no values of one scale");
    if (!first)
      first = dequantize;
    auto isSame = [](Value a, Value b) {
      return a == b ||
             (a && b && getConstant(a) && getConstant(a) == getConstant(b));
    };
    if (!isSame(dequantize.getScale(), first.getScale()) ||
        !isSame(dequantize.getZeroPoint(), first.getZeroPoint()) ||
        getElementTypeOrSelf(dequantize.getInput().getType()) !=
            getElementTypeOrSelf(first.getInput().getType()))
      return rewriter.notifyMatchFailure(op, "has values of several scales");
    data.push_back(i);
  }
  if (!first)
    return rewriter.notifyMatchFailure(op, "has no data");
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> operands(op->getOperands());
  for (unsigned i : data)
    operands[i] = operands[i].getDefiningOp<DequantizeOp>().getInput();
  Operation *choice = rewriter.clone(*op);
  rewriter.modifyOpInPlace(choice, [&] {
    choice->setOperands(operands);
    choice->getResult(0).setType(
        type.clone(getElementTypeOrSelf(operands[data.front()].getType())));
  });
  rewriter.replaceOpWithNewOp<DequantizeOp>(
      op, type, choice->getResult(0), flatten(rewriter, first.getScale()),
      flatten(rewriter, first.getZeroPoint()), first.getTo());
  return success();
}

/// Rows of quantized weights are those of the integers, each with its scale.
static LogicalResult sinkBehindGather(GatherOp op, PatternRewriter &rewriter) {
  auto dequantize = op.getData().getDefiningOp<DequantizeOp>();
  if (!dequantize || !getConstant(dequantize.getInput()) ||
      getShape(dequantize.getInput()) != getShape(dequantize))
    return rewriter.notifyMatchFailure(op, "reads no quantized weights");
  int64_t axis = op.getNormalizedAxis(), rank = getShape(dequantize).size();
  ArrayRef<int64_t> indices = getShape(op.getIndices());
  // `shape` with the indices' dimensions, or ones, in place of the axis.
  auto replaceAxis = [&](ArrayRef<int64_t> shape, bool varies) {
    SmallVector<int64_t> result(shape.take_front(axis));
    for (int64_t size : indices)
      result.push_back(varies ? size : 1);
    llvm::append_range(result, shape.drop_front(axis + 1));
    return result;
  };
  auto read = [&](Value from) -> Value {
    auto type = cast<RankedTensorType>(from.getType());
    return GatherOp::create(rewriter, op.getLoc(),
                            type.clone(replaceAxis(type.getShape(), true)),
                            from, op.getIndices(), axis);
  };
  auto follow = [&](Value parameter) -> Value {
    if (!parameter || areOne(parameter, {}))
      return flatten(rewriter, parameter);
    SmallVector<int64_t> full(rank - getShape(parameter).size(), 1);
    llvm::append_range(full, getShape(parameter));
    return full[axis] == 1
               ? makeReshape(rewriter, op.getLoc(), parameter,
                             replaceAxis(full, false))
               : read(makeReshape(rewriter, op.getLoc(), parameter, full));
  };
  rewriter.replaceOpWithNewOp<DequantizeOp>(
      op, op.getType(), read(dequantize.getInput()),
      follow(dequantize.getScale()), follow(dequantize.getZeroPoint()),
      dequantize.getTo());
  return success();
}

/// The scale alone moves behind sums and means: those of the integers that are
/// left, of `terms` terms, are exact in f32, in whatever order they are added.
template <typename OpT>
static LogicalResult sinkScale(OpT op, int64_t terms,
                               PatternRewriter &rewriter) {
  DequantizeOp dequantize = findDequantize(op.getInput());
  std::optional<Quantized> input = Quantized::get(op.getInput());
  if (!dequantize || !input || input->scale == 1 || !dequantize.getTo().isF32())
    return rewriter.notifyMatchFailure(op, "has no values of one scale");
  constexpr int64_t largestTerm = 255, largestExact = 1 << 24;
  if (terms > largestExact / largestTerm)
    return rewriter.notifyMatchFailure(op, "sums of so many are not exact");
  auto scale = cast<RankedTensorType>(dequantize.getScale().getType());
  Value one = ConstantOp::create(rewriter, op.getLoc(),
                                 DenseElementsAttr::get(scale, 1.0f));
  Value integers =
      DequantizeOp::create(rewriter, dequantize.getLoc(), dequantize.getType(),
                           dequantize.getInput(), one,
                           dequantize.getZeroPoint(), dequantize.getTo());
  Operation *sum = rewriter.clone(*op);
  rewriter.modifyOpInPlace(sum, [&] { sum->setOperand(0, integers); });
  rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), sum->getResult(0),
                                     flatten(rewriter, dequantize.getScale()));
  return success();
}

static LogicalResult sinkScaleBehindPool(AveragePoolOp op,
                                         PatternRewriter &rewriter) {
  return sinkScale(op, llvm::product_of(op.getKernelShape()), rewriter);
}

static LogicalResult sinkScaleBehindReduction(ReduceOp op,
                                              PatternRewriter &rewriter) {
  if (op.getKind() != ReduceKind::Sum && op.getKind() != ReduceKind::Mean)
    return rewriter.notifyMatchFailure(op, "is neither a sum nor a mean");
  int64_t results = op.getType().getNumElements();
  if (results == 0)
    return rewriter.notifyMatchFailure(op, "is empty");
  return sinkScale(op, op.getInput().getType().getNumElements() / results,
                   rewriter);
}

static std::optional<int64_t> getZero(Value zeroPoint) {
  return zeroPoint ? getInteger(zeroPoint) : 0;
}

/// True if `op` makes of what `from` dequantizes the bytes that they were.
static bool isInverse(QuantizeOp op, DequantizeOp from) {
  std::optional<Quantized> quantized = Quantized::get(from);
  constexpr double largest = 255;
  return quantized && !quantized->runtimeZero && from.getScale() &&
         std::isfinite(static_cast<float>(largest * quantized->scale)) &&
         op.getTo() == getElementTypeOrSelf(from.getInput().getType()) &&
         from.getTo().isF32() &&
         op.getPrecision()
             .value_or(getElementTypeOrSelf(op.getScale()))
             .isF32() &&
         getNumber(op.getScale()) == quantized->scale &&
         getZero(op.getZeroPoint()) == quantized->zero;
}

/// Quantizes before elements are moved.
static LogicalResult hoistQuantize(QuantizeOp op, PatternRewriter &rewriter) {
  Operation *move = op.getInput().getDefiningOp();
  if (!isa_and_nonnull<TransposeOp, ReshapeOp>(move) || !move->hasOneUse() ||
      isa<BlockArgument>(move->getOperand(0)))
    return rewriter.notifyMatchFailure(op, "quantizes no moved values");
  if (!areOne(op.getScale(), op.getZeroPoint()) ||
      getShape(op.getInput()) != getShape(op))
    return rewriter.notifyMatchFailure(op, "has several scales");
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(move->getOperand(0).getType());
  Value quantized = QuantizeOp::create(
      rewriter, loc, type.clone(op.getTo()), move->getOperand(0),
      flatten(rewriter, op.getScale()), flatten(rewriter, op.getZeroPoint()),
      op.getToAttr(), op.getPrecisionAttr());
  if (auto transpose = dyn_cast<TransposeOp>(move))
    quantized =
        makeTranspose(rewriter, loc, quantized, transpose.getPermutation());
  else
    quantized = makeReshape(rewriter, loc, quantized, getShape(op));
  rewriter.replaceOp(op, quantized);
  return success();
}

/// A concatenation that is quantized, of which a part is quantized alike
/// already, is one of integers.
static LogicalResult hoistAboveConcat(QuantizeOp op,
                                      PatternRewriter &rewriter) {
  auto concat = op.getInput().getDefiningOp<ConcatOp>();
  if (!concat || !concat->hasOneUse() ||
      !areOne(op.getScale(), op.getZeroPoint()) ||
      getShape(op.getInput()) != getShape(op))
    return rewriter.notifyMatchFailure(op, "quantizes no concatenation");
  if (llvm::none_of(concat.getInputs(), [&](Value input) {
        auto from = input.getDefiningOp<DequantizeOp>();
        return from && isInverse(op, from);
      }))
    return rewriter.notifyMatchFailure(op, "concatenates floats");
  Location loc = op.getLoc();
  SmallVector<Value> parts;
  for (Value input : concat.getInputs())
    parts.push_back(QuantizeOp::create(
        rewriter, loc,
        cast<RankedTensorType>(input.getType()).clone(op.getTo()), input,
        flatten(rewriter, op.getScale()), flatten(rewriter, op.getZeroPoint()),
        op.getToAttr(), op.getPrecisionAttr()));
  rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts,
                                        concat.getAxis());
  return success();
}

/// What is dequantized and quantized by the same scale and zero point is as it
/// was: the product with the scale and the quotient by it are off by 2^-23 of
/// the integer together, which rounding mends.
static LogicalResult dropRequantization(QuantizeOp op,
                                        PatternRewriter &rewriter) {
  auto from = op.getInput().getDefiningOp<DequantizeOp>();
  if (!from || getShape(from) != getShape(op) || !isInverse(op, from))
    return rewriter.notifyMatchFailure(op, "does not undo a dequantization");
  rewriter.replaceOp(op, from.getInput());
  return success();
}

/// Signed bytes that are only dequantized are unsigned ones, 128 higher, or the
/// other way round: they become such as the first operand of products is.
static LogicalResult changeSign(QuantizeOp op, IntegerType to,
                                PatternRewriter &rewriter) {
  if (!op.getTo().isInteger(8) || op.getTo() == to)
    return rewriter.notifyMatchFailure(op, "gives no bytes of the other sign");
  SmallVector<DequantizeOp> users;
  for (Operation *user : op->getUsers()) {
    auto dequantize = dyn_cast<DequantizeOp>(user);
    if (!dequantize || !getZero(dequantize.getZeroPoint()))
      return rewriter.notifyMatchFailure(op, "is not only dequantized");
    users.push_back(dequantize);
  }
  std::optional<int64_t> zero = getZero(op.getZeroPoint());
  if (!zero)
    return rewriter.notifyMatchFailure(op, "the zero point is not one number");
  auto shift = [&](Operation *at, Value scale, int64_t zero) {
    rewriter.setInsertionPoint(at);
    auto type = cast<RankedTensorType>(scale.getType()).clone(to);
    return ConstantOp::create(
        rewriter, at->getLoc(),
        DenseElementsAttr::get(type, APInt(8, zero + getShiftTo(to),
                                           /*isSigned=*/true,
                                           /*implicitTrunc=*/true)));
  };
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op.getType());
  Value bytes =
      QuantizeOp::create(rewriter, op.getLoc(), type.clone(to), op.getInput(),
                         op.getScale(), shift(op, op.getScale(), *zero),
                         TypeAttr::get(to), op.getPrecisionAttr());
  for (DequantizeOp user : users) {
    Value scale = user.getScale() ? user.getScale() : op.getScale();
    Value shifted = shift(user, scale, *getZero(user.getZeroPoint()));
    rewriter.modifyOpInPlace(user, [&] {
      user.getInputMutable().assign(bytes);
      user.getZeroPointMutable().assign(shifted);
    });
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ChangeSign : OpRewritePattern<QuantizeOp> {
  ChangeSign(MLIRContext *context, const Isa &isa)
      : OpRewritePattern(context), to(getProductInput(isa, context)) {}
  LogicalResult matchAndRewrite(QuantizeOp op,
                                PatternRewriter &rewriter) const override {
    return changeSign(op, to, rewriter);
  }
  IntegerType to;
};

struct PropagateQuantization
    : brisk::impl::PropagateQuantizationBase<PropagateQuantization> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    const Isa *isa = findIsa(function);
    if (!isa)
      return;
    auto addFirst = [&](RewritePatternSet &patterns) {
      // While the two are next to each other.
      patterns.add<ChangeSign>(&getContext(), *isa);
    };
    auto addMoves = [](RewritePatternSet &patterns) {
      patterns.add(sinkBehindTranspose);
      addOnInterface<ComputeOpInterface>(patterns, sinkBehindChoice);
      patterns.add(sinkBehindGather);
      patterns.add(sinkScaleBehindPool);
      patterns.add(sinkScaleBehindReduction);
      patterns.add(hoistQuantize);
      patterns.add(hoistAboveConcat);
      patterns.add(dropRequantization);
    };
    if (failed(rewriteFunction(function, addFirst)) ||
        failed(rewriteFunction(function, addMoves)))
      signalPassFailure();
  }
};
} // namespace
