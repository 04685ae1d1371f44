//===- FusePrologues.cpp - Products that compute what they read -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The left operand of a product, as bytes that floats are quantized to, needs
// no memory where the product computes it as it reads. Its kernel then does so
// for each panel of columns, so estimates decide.
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Selection.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace brisk {
#define GEN_PASS_DEF_FUSEPROLOGUES
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

static bool isOneElement(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements() == 1;
}

/// What `value`, through reshapes that nobody else reads, is the one result of,
/// which nobody else reads either; null if it is something else.
static GroupOp findProducer(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    if (!value.hasOneUse())
      return {};
    value = reshape.getInput();
  }
  auto group = value.getDefiningOp<GroupOp>();
  return group && value.hasOneUse() && group->getNumResults() == 1 ? group
                                                                   : GroupOp();
}

/// The one input that the group computes its result from, element by element,
/// all others being of one element, and of no more dimensions than `rank`,
/// which they would give to what is computed with them; null if it computes
/// otherwise.
static BlockArgument findInput(GroupOp producer, size_t rank) {
  ArrayRef<int64_t> shape = getShape(producer.getYielded().front());
  BlockArgument input;
  for (BlockArgument argument : producer.getBlock()->getArguments()) {
    if (isOneElement(argument)) {
      if (getShape(argument).size() > rank)
        return {};
      continue;
    }
    if (input || getShape(argument) != shape)
      return {};
    input = argument;
  }
  for (Operation &op : producer.getBlock()->without_terminator()) {
    ArrayRef<int64_t> computed = getShape(op.getResult(0));
    if (!isa<ElementwiseOpInterface, ConstantOp>(op) ||
        (isOneElement(op.getResult(0))
             ? computed.size() > rank
             : isa<ConstantOp>(op) || computed != shape))
      return {};
  }
  return input;
}

/// True if `value` lies in the caller's memory.
static bool isModelInput(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

/// `product`, which computes its input `operand` as `producer` does.
static GroupOp makeFused(GroupOp product, BlockArgument operand,
                         GroupOp producer, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(product);
  auto fused = cast<GroupOp>(rewriter.clone(*product));
  rewriter.setInsertionPoint(fused);
  Block *block = fused.getBlock();
  ArrayRef<int64_t> shape = getShape(operand);
  IRMapping mapping;
  for (auto [in, argument] : llvm::zip_equal(
           producer.getIns(), producer.getBlock()->getArguments())) {
    Value outside = in;
    if (!isOneElement(argument))
      outside = makeReshape(rewriter, in.getLoc(), in, shape);
    fused.getInsMutable().append(outside);
    mapping.map(argument,
                block->addArgument(outside.getType(), argument.getLoc()));
  }
  rewriter.setInsertionPointToStart(block);
  for (Operation &op : producer.getBlock()->without_terminator()) {
    Operation *clone = rewriter.clone(op, mapping);
    auto type = cast<RankedTensorType>(clone->getResult(0).getType());
    if (type.getNumElements() != 1)
      clone->getResult(0).setType(type.clone(shape));
  }
  unsigned number = operand.getArgNumber();
  block->getArgument(number).replaceAllUsesWith(
      mapping.lookup(producer.getYielded().front()));
  block->eraseArgument(number);
  fused.getInsMutable().erase(number);
  return fused;
}

/// Fuses what computes the left operand of a product into it, if that takes no
/// more time or memory.
static LogicalResult fusePrologue(GroupOp product, const Isa &isa,
                                  RewriterBase &rewriter) {
  Operation *anchor = product.getAnchor();
  if (!isa_and_nonnull<WeightedOpInterface>(anchor) ||
      product->getNumResults() != 1)
    return rewriter.notifyMatchFailure(product, "is no product");
  auto operand = dyn_cast<BlockArgument>(anchor->getOperand(0));
  if (!operand || !operand.hasOneUse())
    return rewriter.notifyMatchFailure(product, "reads its operand elsewhere");
  GroupOp producer = findProducer(product.getIns()[operand.getArgNumber()]);
  BlockArgument input = producer ? findInput(producer, getShape(operand).size())
                                 : BlockArgument();
  if (!input || producer->getBlock() != product->getBlock())
    return rewriter.notifyMatchFailure(
        product, "has no operand that is computed element by element for it");
  auto getBytes = [](Value value) {
    return getByteSize(cast<ShapedType>(value.getType()));
  };
  // What it is computed from is kept, beside the result, where it takes room.
  if (!isModelInput(producer.getIns()[input.getArgNumber()]) &&
      getBytes(product.getResult(0)) > getBytes(operand))
    return rewriter.notifyMatchFailure(product, "takes more memory if fused");
  GroupOp fused = makeFused(product, operand, producer, rewriter);
  GroupView views[] = {{product, isa}, {producer, isa}, {fused, isa}};
  KernelChoice apart = chooseKernel(views[0], Search::Default),
               before = chooseKernel(views[1], Search::Default),
               together = chooseKernel(views[2], Search::Default);
  if (!together.match || !apart.match ||
      together.schedule.getKernelName() != apart.schedule.getKernelName() ||
      together.cycles > apart.cycles + before.cycles) {
    rewriter.eraseOp(fused);
    return rewriter.notifyMatchFailure(product, "takes more time if fused");
  }
  rewriter.replaceOp(product, fused);
  return success();
}

namespace {
struct FusePrologues : brisk::impl::FuseProloguesBase<FusePrologues> {
  void runOnOperation() override {
    const Target *target = getTarget(getOperation());
    if (!target)
      return signalPassFailure();
    SmallVector<GroupOp> groups;
    getOperation().walk([&](GroupOp group) {
      if (!group.getScheduleAttr())
        groups.push_back(group);
    });
    IRRewriter rewriter(&getContext());
    for (GroupOp group : groups)
      (void)fusePrologue(group, target->isa, rewriter);
    // What is computed elsewhere now, and reshapes that were tried.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
