//===- LowerViews.cpp - Ops that need no kernel --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassTarget.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Kernels/Kernel.h"
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

static void lowerReshape(ReshapeOp op, IRRewriter &rewriter) {
  auto from = cast<RankedTensorType>(op.getInput().getType());
  auto to = cast<RankedTensorType>(op.getType());
  Value value = op.getInput();
  rewriter.setInsertionPoint(op);
  // Dimensions that are only merged or only split stay apart from the others,
  // so that a part of a larger tensor can be seen that way too.
  auto groups = from.getRank() && to.getRank() && from.getRank() != to.getRank()
                    ? getReassociationIndicesForReshape(from, to)
                    : std::nullopt;
  if (groups) {
    if (from.getRank() > to.getRank())
      value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), to, value,
                                              *groups);
    else
      value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), to, value,
                                            *groups);
    rewriter.replaceOp(op, value);
    return;
  }
  // By way of one dimension, or none where one side has none.
  if (from.getRank() > 1 || to.getRank() == 0) {
    SmallVector<ReassociationIndices> groups =
        to.getRank() == 0 ? SmallVector<ReassociationIndices>()
                          : allDimensions(from.getRank());
    SmallVector<int64_t> shape;
    if (to.getRank() != 0)
      shape.push_back(from.getNumElements());
    if (from.getRank() != 0)
      value = tensor::CollapseShapeOp::create(
          rewriter, op.getLoc(), makeTensor(shape, from.getElementType()),
          value, groups);
  }
  if (to.getRank() > 1 || (from.getRank() == 0 && to.getRank() > 0)) {
    SmallVector<ReassociationIndices> groups =
        from.getRank() == 0 ? SmallVector<ReassociationIndices>()
                            : allDimensions(to.getRank());
    value =
        tensor::ExpandShapeOp::create(rewriter, op.getLoc(), to, value, groups);
  }
  rewriter.replaceOp(op, value);
}

/// A tensor of a splat's elements, written at run time.
static Value makeFill(ConstantOp op, const Isa &isa, IRRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getType());
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                        type.getElementType());
  auto group =
      GroupOp::create(rewriter, op.getLoc(), TypeRange(type), ValueRange(),
                      ValueRange(empty), ValueRange(), ScheduleAttr());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.createBlock(&group.getBody());
  Value value = ConstantOp::create(rewriter, op.getLoc(), op.getValue());
  YieldOp::create(rewriter, op.getLoc(), value);
  group.setScheduleAttr(findFirstSchedule(group, isa));
  return group.getResult(0);
}

/// A splat that must be in memory is written there; only small ones are stored.
static void lowerSplat(ConstantOp op, const Isa &isa, IRRewriter &rewriter) {
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
    use.set(makeFill(op, isa, rewriter));
  }
  for (auto [block, first] : firstGroups) {
    rewriter.setInsertionPoint(first);
    Value filled = makeFill(op, isa, rewriter);
    op.getResult().replaceUsesWithIf(filled, [block = block](OpOperand &use) {
      return use.getOwner()->getBlock() == block;
    });
  }
  rewriter.eraseOp(op);
}

/// Lowers a slice; one of many of the same tensor is a view of its buffer,
/// which the first makes, since bufferization takes time by the square of a
/// tensor's views. `buffer` is null for one of few.
static LogicalResult lowerSlice(SliceOp op, Value *buffer,
                                IRRewriter &rewriter) {
  auto slices = op.getSlices();
  auto strided = [](SliceRange range) { return range.step != 1; };
  if (!slices || llvm::any_of(*slices, strided))
    return op.emitOpError("is neither a view nor in a group");
  SmallVector<int64_t> starts = llvm::map_to_vector(
      *slices, [](SliceRange range) { return range.start; });
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op.getType());
  auto fold = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(rewriter.getContext(), values);
  };
  SmallVector<int64_t> ones(type.getRank(), 1);
  if (!buffer) {
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, type, op.getInput(), fold(starts), fold(type.getShape()),
        fold(ones));
    return success();
  }
  // Nothing writes to a tensor once it is computed, so the view stays right.
  if (!*buffer) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(op.getInput());
    auto whole = cast<RankedTensorType>(op.getInput().getType());
    *buffer = bufferization::ToBufferOp::create(
        rewriter, op.getLoc(),
        MemRefType::get(whole.getShape(), whole.getElementType()),
        op.getInput(), /*read_only=*/true);
  }
  Value view =
      memref::SubViewOp::create(rewriter, op.getLoc(), *buffer, fold(starts),
                                fold(type.getShape()), fold(ones));
  rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(op, type, view,
                                                         /*restrict=*/true);
  return success();
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

static void lowerConcat(ConcatOp op, IRRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getType());
  rewriter.setInsertionPoint(findFirstProducer(op, op.getOperands()));
  Value dest = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                       type.getElementType());
  rewriter.setInsertionPoint(op);
  int64_t axis = countFromFront(op.getAxis(), op.getResult());
  SmallVector<int64_t> offsets(type.getRank(), 0);
  for (Value source : op.getOperands()) {
    dest = insertSlice(rewriter, op.getLoc(), source, dest, offsets);
    offsets[axis] += cast<RankedTensorType>(source.getType()).getDimSize(axis);
  }
  rewriter.replaceOp(op, dest);
}

/// The constant that a pad op writes, as a scalar; null if it is not known.
static TypedAttr getPadValue(PadOp op) {
  Type type = cast<RankedTensorType>(op.getType()).getElementType();
  Builder b(op.getContext());
  Type scalar = getValueType(type);
  ElementsAttr value;
  if (op.getMode() != PadMode::Constant)
    return {};
  if (!op.getValue())
    return b.getZeroAttr(scalar);
  if (!matchPattern(op.getValue(), m_Constant(&value)))
    return {};
  if (isa<FloatType>(scalar))
    return b.getFloatAttr(scalar, getAsDoubles(value).front());
  return b.getIntegerAttr(scalar, getAsInts(value).front());
}

static LogicalResult lowerPad(PadOp op, const Isa &isa, IRRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getType());
  auto padding = op.getPadding();
  TypedAttr value = getPadValue(op);
  if (!padding || !value)
    return op.emitOpError("is neither a constant border nor in a group");
  SmallVector<int64_t> low, high;
  for (auto [before, after] : *padding) {
    low.push_back(before);
    high.push_back(after);
  }
  rewriter.setInsertionPoint(findFirstProducer(op, op.getInput()));
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                        type.getElementType());
  auto group =
      GroupOp::create(rewriter, op.getLoc(), TypeRange(type), ValueRange(),
                      ValueRange(empty), ValueRange(), ScheduleAttr());
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.createBlock(&group.getBody());
    Value border =
        BorderOp::create(rewriter, op.getLoc(), type, value, low, high);
    YieldOp::create(rewriter, op.getLoc(), border);
  }
  group.setScheduleAttr(findFirstSchedule(group, isa));
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, insertSlice(rewriter, op.getLoc(), op.getInput(),
                                     group.getResult(0), low));
  return success();
}

/// The element of a tensor of one.
static Value extractElement(IRRewriter &rewriter, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> zeros(type.getRank(),
                           arith::ConstantIndexOp::create(rewriter, loc, 0));
  return tensor::ExtractOp::create(rewriter, loc, tensor, zeros);
}

static void lowerRequire(RequireOp op, IRRewriter &rewriter) {
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
/// The most slices of a tensor that bufferization compares with each other.
constexpr unsigned maxViews = 32;

struct LowerViews : brisk::impl::LowerViewsBase<LowerViews> {
  using LowerViewsBase::LowerViewsBase;
  void runOnOperation() override {
    const Target *machine = findPassTarget(getOperation(), target);
    if (!machine || failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    Isa isa = machine->getIsa();
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    llvm::MapVector<Value, SmallVector<Operation *>> slices;
    getOperation().walk([&](Operation *op) {
      if (op->getParentOfType<GroupOp>())
        return;
      ops.push_back(op);
      if (auto slice = dyn_cast<SliceOp>(op))
        slices[slice.getInput()].push_back(op);
    });
    llvm::DenseSet<Operation *> isOfMany;
    for (auto &[tensor, ops] : slices)
      if (ops.size() > maxViews)
        isOfMany.insert(ops.begin(), ops.end());
    llvm::DenseMap<Value, Value> buffers;
    for (Operation *op : ops) {
      LogicalResult result = success();
      if (auto constant = dyn_cast<ConstantOp>(op)) {
        lowerSplat(constant, isa, rewriter);
        continue;
      }
      if (auto reshape = dyn_cast<ReshapeOp>(op))
        lowerReshape(reshape, rewriter);
      else if (auto slice = dyn_cast<SliceOp>(op))
        result = lowerSlice(
            slice, isOfMany.contains(op) ? &buffers[slice.getInput()] : nullptr,
            rewriter);
      else if (auto concat = dyn_cast<ConcatOp>(op))
        lowerConcat(concat, rewriter);
      else if (auto pad = dyn_cast<PadOp>(op))
        result = lowerPad(pad, isa, rewriter);
      else if (auto branch = dyn_cast<IfOp>(op))
        lowerIf(branch, rewriter);
      else if (auto require = dyn_cast<RequireOp>(op))
        lowerRequire(require, rewriter);
      if (failed(result))
        return signalPassFailure();
    }
  }
};
} // namespace
