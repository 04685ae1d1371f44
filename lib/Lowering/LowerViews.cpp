//===- LowerViews.cpp - Ops that need no kernel ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Kernels/KernelBuilder.h"
#include "brisk/Lowering/Passes.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace brisk {
#define GEN_PASS_DEF_LOWERVIEWS
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// One group of all dimensions of `rank`; none for rank 0.
static SmallVector<ReassociationIndices> allDimensions(int64_t rank) {
  if (rank == 0)
    return {};
  return {llvm::to_vector(llvm::seq<int64_t>(0, rank))};
}

static void lowerReshape(Operation *op, IRRewriter &rewriter) {
  Location loc = op->getLoc();
  Value value = op->getOperand(0);
  auto from = cast<RankedTensorType>(value.getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.setInsertionPoint(op);
  // Dimensions that are only merged or only split stay apart from the others,
  // so that a part of a larger tensor can be seen that way too.
  auto groups = from.getRank() && to.getRank() && from.getRank() != to.getRank()
                    ? getReassociationIndicesForReshape(from, to)
                    : std::nullopt;
  // Otherwise by way of one dimension, or none where one side has none.
  bool isFlat = from.getRank() == 0 || to.getRank() == 0;
  SmallVector<int64_t> shape;
  if (!isFlat)
    shape.push_back(from.getNumElements());
  auto flat = makeTensor(shape, from.getElementType());
  if (groups && from.getRank() > to.getRank()) {
    value = tensor::CollapseShapeOp::create(rewriter, loc, to, value, *groups);
  } else if (groups) {
    value = tensor::ExpandShapeOp::create(rewriter, loc, to, value, *groups);
  } else {
    if (from.getRank() > flat.getRank())
      value = tensor::CollapseShapeOp::create(
          rewriter, loc, flat, value,
          allDimensions(isFlat ? 0 : from.getRank()));
    if (to.getRank() > flat.getRank())
      value = tensor::ExpandShapeOp::create(
          rewriter, loc, to, value, allDimensions(isFlat ? 0 : to.getRank()));
  }
  rewriter.replaceOp(op, value);
}

/// An empty tensor of the type.
static Value makeEmpty(IRRewriter &rewriter, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(rewriter, loc, tensor.getShape(),
                                 tensor.getElementType());
}

/// A group that computes a tensor from nothing.
static Value makeGroup(IRRewriter &rewriter, Location loc, Type type,
                       function_ref<Value()> build) {
  Value empty = makeEmpty(rewriter, loc, type);
  auto group = GroupOp::create(rewriter, loc, TypeRange(type), ValueRange(),
                               ValueRange(empty), Value(), ScheduleAttr());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.createBlock(&group.getBody());
  YieldOp::create(rewriter, loc, build());
  return group.getResult(0);
}

/// A tensor of a splat's elements, written at run time.
static Value makeFill(ConstantOp op, IRRewriter &rewriter) {
  return makeGroup(rewriter, op.getLoc(), op.getType(), [&] {
    return ConstantOp::create(rewriter, op.getLoc(), op.getValue()).getResult();
  });
}

/// A splat that must be in memory is written there; only small ones are stored.
static void lowerSplat(ConstantOp op, IRRewriter &rewriter) {
  constexpr int64_t maxStoredBytes = 4096;
  auto type = cast<RankedTensorType>(op.getType());
  if (!getSplatElement(op.getValue()) ||
      type.getNumElements() * getElementBytes(type.getElementType()) <=
          maxStoredBytes)
    return;
  // Groups of a block share one; what other ops take becomes part of a larger
  // tensor or an output.
  llvm::MapVector<Block *, Operation *> firstGroups;
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    Operation *user = use.getOwner();
    if (llvm::isa<GroupOp>(user)) {
      Operation *&first = firstGroups[user->getBlock()];
      if (!first || user->isBeforeInBlock(first))
        first = user;
      continue;
    }
    rewriter.setInsertionPoint(user);
    use.set(makeFill(op, rewriter));
  }
  for (auto [block, first] : firstGroups) {
    rewriter.setInsertionPoint(first);
    Value filled = makeFill(op, rewriter);
    op.getResult().replaceUsesWithIf(filled, [block = block](OpOperand &use) {
      return use.getOwner()->getBlock() == block;
    });
  }
  rewriter.eraseOp(op);
}

/// Lowers a part of a tensor; one of many of the same tensor is a view of its
/// buffer, which the first makes, since bufferization takes time by the square
/// of a tensor's views. `buffer` is null for one of few.
static void lowerPart(Operation *op, ArrayRef<int64_t> offsets, Value *buffer,
                      IRRewriter &rewriter) {
  Location loc = op->getLoc();
  Value input = op->getOperand(0);
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto fold = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(rewriter.getContext(), values);
  };
  SmallVector<int64_t> ones(type.getRank(), 1);
  if (!buffer) {
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, type, input, fold(offsets), fold(type.getShape()), fold(ones));
    return;
  }
  // Nothing writes to a tensor once it is computed, so the view stays right.
  if (!*buffer) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(input);
    auto whole = cast<RankedTensorType>(input.getType());
    *buffer = bufferization::ToBufferOp::create(
        rewriter, loc,
        MemRefType::get(whole.getShape(), whole.getElementType()), input,
        /*read_only=*/true);
  }
  Value view = memref::SubViewOp::create(rewriter, loc, *buffer, fold(offsets),
                                         fold(type.getShape()), fold(ones));
  rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(op, type, view,
                                                         /*restrict=*/true);
}

/// The op before which a buffer must stand into which `sources`, used by `op`,
/// are to be written: the first of their producers in op's block.
static Operation *findFirstProducer(Operation *op, ValueRange sources) {
  Operation *first = op;
  for (Value source : sources) {
    Operation *producer = source.getDefiningOp();
    if (isa_and_nonnull<GroupOp>(producer) &&
        producer->getBlock() == op->getBlock() &&
        producer->isBeforeInBlock(first))
      first = producer;
  }
  // The outs of the producer come before it.
  if (auto group = dyn_cast<GroupOp>(first))
    for (Value out : group.getOuts())
      if (Operation *empty = out.getDefiningOp())
        if (empty->getBlock() == first->getBlock() &&
            empty->isBeforeInBlock(first))
          first = empty;
  return first;
}

static Value insertSlice(IRRewriter &rewriter, Location loc, Value source,
                         Value dest, ArrayRef<int64_t> offsets) {
  MLIRContext *context = rewriter.getContext();
  auto type = cast<RankedTensorType>(source.getType());
  if (type.getNumElements() == 0)
    return dest;
  SmallVector<int64_t> ones(type.getRank(), 1);
  return tensor::InsertSliceOp::create(
      rewriter, loc, source, dest, getAsIndexOpFoldResult(context, offsets),
      getAsIndexOpFoldResult(context, type.getShape()),
      getAsIndexOpFoldResult(context, ones));
}

/// The element of a constant of one, as a scalar.
static TypedAttr getOnlyElement(ElementsAttr one) {
  Builder b(one.getContext());
  Type type = getValueType(one.getElementType());
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, getAsDoubles(one).front());
  return b.getIntegerAttr(type, getAsInts(one).front());
}

/// Inserts the operands into a tensor that stands before those who compute
/// them, so that they can write there. What is around them is a group's.
static void lowerWhole(Operation *op, const View &view, IRRewriter &rewriter) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto parts = op->getOperands().take_front(view.offsets.size());
  rewriter.setInsertionPoint(findFirstProducer(op, parts));
  Value dest;
  if (view.margin) {
    ArrayRef<int64_t> low = view.offsets.front();
    SmallVector<int64_t> high;
    for (auto [whole, begin, size] : llvm::zip_equal(
             type.getShape(), low,
             cast<RankedTensorType>(parts.front().getType()).getShape()))
      high.push_back(whole - begin - size);
    dest = makeGroup(rewriter, loc, type, [&] {
      return BorderOp::create(rewriter, loc, type, getOnlyElement(view.margin),
                              low, high)
          .getResult();
    });
  } else {
    dest = makeEmpty(rewriter, loc, type);
  }
  rewriter.setInsertionPoint(op);
  for (auto [part, offsets] : llvm::zip_equal(parts, view.offsets))
    dest = insertSlice(rewriter, loc, part, dest, offsets);
  rewriter.replaceOp(op, dest);
}

/// The element of a tensor of one.
static Value extractElement(IRRewriter &rewriter, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> zeros(type.getRank(),
                           arith::ConstantIndexOp::create(rewriter, loc, 0));
  return tensor::ExtractOp::create(rewriter, loc, tensor, zeros);
}

static void lowerRequire(RequireOp op, IRRewriter &rewriter) {
  if (!isa<TensorType>(op.getCondition().getType()))
    return; // is lowered
  rewriter.setInsertionPoint(op);
  Value condition = extractElement(rewriter, op.getLoc(), op.getCondition());
  rewriter.replaceOpWithNewOp<RequireOp>(op, condition);
}

/// Both branches write into the same places.
static void lowerIf(IfOp op, IRRewriter &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> places;
  for (Type type : op.getResultTypes()) {
    // Not tensor.empty, whose elimination would give each branch a place of
    // its own.
    places.push_back(bufferization::AllocTensorOp::create(
        rewriter, loc, cast<RankedTensorType>(type), ValueRange()));
  }
  Value condition = extractElement(rewriter, loc, op.getCondition());
  auto lowered = scf::IfOp::create(rewriter, loc, op.getResultTypes(),
                                   condition, /*withElseRegion=*/true);
  for (auto [from, to] :
       {std::pair(&op.getThenRegion(), &lowered.getThenRegion()),
        std::pair(&op.getElseRegion(), &lowered.getElseRegion())}) {
    to->takeBody(*from);
    Operation *yield = to->front().getTerminator();
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> placed;
    for (auto [value, place] : llvm::zip_equal(yield->getOperands(), places))
      placed.push_back(bufferization::MaterializeInDestinationOp::create(
                           rewriter, loc, place.getType(), value, place)
                           .getResult());
    rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, placed);
  }
  rewriter.replaceOp(op, lowered.getResults());
}

namespace {
/// The most parts of a tensor that bufferization compares with each other.
constexpr unsigned maxViews = 32;

struct LowerViews : brisk::impl::LowerViewsBase<LowerViews> {
  void runOnOperation() override {
    if (failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    llvm::MapVector<Value, SmallVector<Operation *>> parts;
    getOperation().walk([&](Operation *op) {
      if (op->getParentOfType<GroupOp>())
        return;
      ops.push_back(op);
      if (auto view = findView(op); view && view->kind == View::Part)
        parts[op->getOperand(0)].push_back(op);
    });
    llvm::DenseSet<Operation *> isOfMany;
    for (auto &[tensor, ops] : parts)
      if (ops.size() > maxViews)
        isOfMany.insert(ops.begin(), ops.end());
    llvm::DenseMap<Value, Value> buffers;
    for (Operation *op : ops) {
      if (auto constant = dyn_cast<ConstantOp>(op)) {
        lowerSplat(constant, rewriter);
      } else if (auto branch = dyn_cast<IfOp>(op)) {
        lowerIf(branch, rewriter);
      } else if (auto require = dyn_cast<RequireOp>(op)) {
        lowerRequire(require, rewriter);
      } else if (std::optional<View> view = findView(op)) {
        Value input = op->getOperand(0);
        if (view->kind == View::Reshape)
          lowerReshape(op, rewriter);
        else if (view->kind == View::Part)
          lowerPart(op, view->offsets.front(),
                    isOfMany.contains(op) ? &buffers[input] : nullptr,
                    rewriter);
        else
          lowerWhole(op, *view, rewriter);
      } else if (llvm::isa<ComputeOpInterface>(op)) {
        op->emitOpError(
            "is neither a view nor in a group; run --form-groups first");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
