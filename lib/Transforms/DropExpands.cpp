//===- DropExpands.cpp - Leaves broadcasting to the ops that do it --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternPass.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace brisk {
#define GEN_PASS_DEF_DROPEXPANDS
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

static LogicalResult dropExpand(ElementwiseOpInterface op,
                                PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (OpOperand &operand : op->getOpOperands()) {
    auto expand = operand.get().getDefiningOp<ExpandOp>();
    if (!expand)
      continue;
    // The other operands must give the shape without it.
    SmallVector<Type> types(op->getOperandTypes());
    types[operand.getOperandNumber()] = expand.getInput().getType();
    auto shape = inferBroadcast(std::nullopt, types, type.getElementType());
    if (failed(shape) || *shape != type)
      continue;
    rewriter.modifyOpInPlace(op, [&] { operand.set(expand.getInput()); });
    return success();
  }
  return rewriter.notifyMatchFailure(op, "has no operand to broadcast");
}

/// An expanded tensor of ones in all that it gains, before an op that would as
/// well broadcast the op's result.
static LogicalResult expandAfterUnary(ElementwiseOpInterface op,
                                      PatternRewriter &rewriter) {
  ExpandOp expand;
  for (Value operand : op->getOperands()) {
    if (auto found = operand.getDefiningOp<ExpandOp>();
        found && !expand && operand.hasOneUse())
      expand = found;
    else if (!getConstant(operand) ||
             cast<ShapedType>(operand.getType()).getNumElements() != 1)
      return rewriter.notifyMatchFailure(op, "other operands broadcast");
  }
  if (!expand || getShape(expand) != getShape(op->getResult(0)))
    return rewriter.notifyMatchFailure(op, "has no expanded operand");
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  ArrayRef<int64_t> small = getShape(expand.getInput());
  for (Value operand : op->getOperands())
    if (getShape(operand).size() > small.size() &&
        operand != expand.getResult())
      return rewriter.notifyMatchFailure(op, "a constant has more dimensions");
  IRMapping mapping;
  mapping.map(expand.getResult(), expand.getInput());
  Operation *moved = rewriter.clone(*op, mapping);
  moved->getResult(0).setType(type.clone(small));
  rewriter.replaceOpWithNewOp<ExpandOp>(op, type, moved->getResult(0),
                                        expand.getShape());
  return success();
}

namespace {
struct DropExpands : brisk::impl::DropExpandsBase<DropExpands> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          addOnInterface(patterns, dropExpand);
          addOnInterface(patterns, expandAfterUnary);
        })))
      signalPassFailure();
  }
};
} // namespace
