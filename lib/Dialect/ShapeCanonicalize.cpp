//===- ShapeCanonicalize.cpp - Rewrites of ops that move elements ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "brisk/Dialect/Builders.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace brisk;

/// True if a shape operand is the constant that says `type`: what computed it
/// can go.
static bool isShapeOf(Value shape, RankedTensorType type) {
  auto constant = getConstantInts(shape);
  return constant && ArrayRef<int64_t>(*constant) == type.getShape();
}

LogicalResult brisk::canonicalizeReshape(Operation *op,
                                         PatternRewriter &rewriter) {
  RankedTensorType type = getStaticType(op->getResult(0));
  if (!type)
    return rewriter.notifyMatchFailure(op, "result is not static");
  Value input = op->getOperand(0);
  if (auto reshape = dyn_cast<ReshapeOp>(op);
      reshape && isShapeOf(reshape.getShape(), type) &&
      !input.getDefiningOp<ReshapeOp>())
    return rewriter.notifyMatchFailure(op, "is a reshape to its own shape");
  rewriter.replaceOp(
      op, makeReshape(rewriter, op->getLoc(), input, type.getShape()));
  return success();
}

LogicalResult ExpandOp::canonicalize(ExpandOp op, PatternRewriter &rewriter) {
  RankedTensorType type = getStaticType(op.getResult());
  if (!type || isShapeOf(op.getShape(), type))
    return rewriter.notifyMatchFailure(op, "result is not static, or its shape "
                                           "is the constant that says so");
  Value shape = makeInts(rewriter, op.getLoc(), type.getShape());
  rewriter.modifyOpInPlace(op, [&] { op.getShapeMutable().assign(shape); });
  return success();
}

LogicalResult TransposeOp::canonicalize(TransposeOp op,
                                        PatternRewriter &rewriter) {
  auto inner = op.getInput().getDefiningOp<TransposeOp>();
  if (!inner)
    return rewriter.notifyMatchFailure(op, "not a transpose of another");
  rewriter.replaceOpWithNewOp<TransposeOp>(
      op, op.getType(), inner.getInput(),
      applyPermutation(inner.getPermutation(), op.getPermutation()));
  return success();
}

/// Inputs without elements go, and inputs that are concatenated only for this
/// one along the same axis are replaced by theirs.
LogicalResult ConcatOp::canonicalize(ConcatOp op, PatternRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return rewriter.notifyMatchFailure(op, "rank is not known");
  int64_t axis = op.getNormalizedAxis();
  SmallVector<Value> inputs;
  bool changed = false;
  for (Value input : op.getInputs()) {
    auto inputType = dyn_cast<RankedTensorType>(input.getType());
    auto inner = input.getDefiningOp<ConcatOp>();
    if (inputType && inputType.getDimSize(axis) == 0 &&
        op.getInputs().size() > 1) {
      changed = true;
    } else if (inner && inner->hasOneUse() &&
               countFromFront(inner.getAxis(), op.getResult()) == axis) {
      llvm::append_range(inputs, inner.getInputs());
      changed = true;
    } else {
      inputs.push_back(input);
    }
  }
  if (!changed || inputs.empty())
    return rewriter.notifyMatchFailure(op, "nothing to flatten");
  rewriter.replaceOpWithNewOp<ConcatOp>(op, type, inputs, axis);
  return success();
}

LogicalResult SplitOp::canonicalize(SplitOp op, PatternRewriter &rewriter) {
  if (!llvm::all_of(op.getResults(), getStaticType))
    return rewriter.notifyMatchFailure(op, "results are not static");
  int64_t axis = countFromFront(op.getAxis(), op.getResult(0));
  Location loc = op.getLoc();
  Value axes = makeInts(rewriter, loc, axis);
  SmallVector<Value> slices;
  int64_t start = 0;
  for (Value result : op.getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    int64_t end = start + type.getDimSize(axis);
    slices.push_back(SliceOp::create(
        rewriter, loc, type, op.getInput(), makeInts(rewriter, loc, start),
        makeInts(rewriter, loc, end), axes, /*steps=*/Value()));
    start = end;
  }
  rewriter.replaceOp(op, slices);
  return success();
}

/// Blocks and channels are a reshape that shows the blocks, a transpose, and a
/// reshape.
static void moveBlocks(Operation *op, ArrayRef<int64_t> blocks,
                       ArrayRef<int64_t> permutation,
                       PatternRewriter &rewriter) {
  Location loc = op->getLoc();
  Value apart = makeReshape(rewriter, loc, op->getOperand(0), blocks);
  Value moved = makeTranspose(rewriter, loc, apart, permutation);
  rewriter.replaceOp(
      op, makeReshape(rewriter, loc, moved, getShape(op->getResult(0))));
}

LogicalResult DepthToSpaceOp::canonicalize(DepthToSpaceOp op,
                                           PatternRewriter &rewriter) {
  RankedTensorType in = getStaticType(op.getInput()),
                   out = getStaticType(op.getResult());
  if (!in || !out)
    return rewriter.notifyMatchFailure(op, "types are not static");
  int64_t n = in.getDimSize(0), h = in.getDimSize(1), w = in.getDimSize(2),
          block = op.getBlocksize(), depth = out.getDimSize(3);
  if (op.getMode() == DepthToSpaceMode::CRD)
    moveBlocks(op, {n, h, w, depth, block, block}, {0, 1, 4, 2, 5, 3},
               rewriter);
  else
    moveBlocks(op, {n, h, w, block, block, depth}, {0, 1, 3, 2, 4, 5},
               rewriter);
  return success();
}

LogicalResult SpaceToDepthOp::canonicalize(SpaceToDepthOp op,
                                           PatternRewriter &rewriter) {
  RankedTensorType in = getStaticType(op.getInput()),
                   out = getStaticType(op.getResult());
  if (!in || !out)
    return rewriter.notifyMatchFailure(op, "types are not static");
  int64_t block = op.getBlocksize();
  moveBlocks(op,
             {out.getDimSize(0), out.getDimSize(1), block, out.getDimSize(2),
              block, in.getDimSize(3)},
             {0, 1, 3, 2, 4, 5}, rewriter);
  return success();
}
