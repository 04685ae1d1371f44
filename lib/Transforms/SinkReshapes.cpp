//===- SinkReshapes.cpp - Moves reshapes behind elementwise ops -----------===//
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
#define GEN_PASS_DEF_SINKRESHAPES
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// The shape in which `value`, which broadcasts to `result`, broadcasts to the
/// shape that `groups` take `result` from; none if it has no such shape.
static std::optional<SmallVector<int64_t>>
getShapeBefore(ArrayRef<int64_t> value, ArrayRef<int64_t> before,
               ArrayRef<int64_t> result, ArrayRef<DimGroup> groups) {
  size_t missing = result.size() - value.size();
  auto getDim = [&](size_t i) { return i < missing ? 1 : value[i - missing]; };
  SmallVector<int64_t> shape;
  for (const DimGroup &group : groups) {
    bool isWhole = true, isOne = true;
    for (size_t i = group.toBegin; i < group.toEnd; ++i) {
      isWhole &= getDim(i) == result[i];
      isOne &= getDim(i) == 1;
    }
    if (!isWhole && !isOne)
      return std::nullopt;
    for (size_t i = group.fromBegin; i < group.fromEnd; ++i)
      shape.push_back(isWhole ? before[i] : 1);
  }
  auto *first = llvm::find_if(shape, [](int64_t dim) { return dim != 1; });
  shape.erase(shape.begin(), first);
  return shape;
}

/// `value` without the reshapes behind it.
static Value getUnshaped(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

/// True if a group's anchor, directly or through elementwise ops, gives
/// `value`.
static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && needsKernel(op);
}

static LogicalResult sink(ReshapeOp reshape, Operation *op,
                          PatternRewriter &rewriter) {
  ArrayRef<int64_t> before = getShape(reshape.getInput());
  ArrayRef<int64_t> after = getShape(reshape);
  auto groups = reshape.getDimGroups();
  if (!groups)
    return rewriter.notifyMatchFailure(op, "shapes have no common division");
  SmallVector<SmallVector<int64_t>> shapes;
  for (Value operand : op->getOperands()) {
    auto shape = getShapeBefore(getShape(operand), before, after, *groups);
    if (!shape)
      return rewriter.notifyMatchFailure(op, "an operand does not follow");
    // What gets a reshape here must not sink it in turn.
    Value source = getUnshaped(operand);
    if (ArrayRef<int64_t>(*shape) == before && isComputed(source) &&
        getShape(source) != before)
      return rewriter.notifyMatchFailure(op, "an operand is in another shape");
    shapes.push_back(*shape);
  }
  IRMapping mapping;
  for (auto [operand, shape] : llvm::zip_equal(op->getOperands(), shapes)) {
    Value value = operand == reshape.getResult()
                      ? reshape.getInput()
                      : makeReshape(rewriter, op->getLoc(), operand, shape);
    mapping.map(operand, value);
  }
  Operation *moved = rewriter.clone(*op, mapping);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.modifyOpInPlace(
      moved, [&] { moved->getResult(0).setType(type.clone(before)); });
  rewriter.replaceOp(
      op, makeReshape(rewriter, op->getLoc(), moved->getResult(0), after));
  return success();
}

static LogicalResult sinkReshape(ElementwiseOpInterface op,
                                 PatternRewriter &rewriter) {
  for (Value operand : op->getOperands()) {
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    if (reshape && llvm::all_equal(reshape->getUsers()) &&
        isComputed(reshape.getInput()) &&
        getShape(operand) == getShape(op->getResult(0)) &&
        succeeded(sink(reshape, op, rewriter)))
      return success();
  }
  return rewriter.notifyMatchFailure(op, "has no reshape that can move");
}

namespace {
struct SinkReshapes : brisk::impl::SinkReshapesBase<SinkReshapes> {
  void runOnOperation() override {
    if (failed(rewriteFunction(getOperation(), [](RewritePatternSet &patterns) {
          addOnInterface(patterns, sinkReshape);
        })))
      signalPassFailure();
  }
};
} // namespace
