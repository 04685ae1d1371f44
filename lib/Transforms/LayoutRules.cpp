//===- LayoutRules.cpp - Ops in other layouts --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutRules.h"
#include "Builders.h"
#include "DimGroups.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace brisk;

/// Dimensions of a tensor of `rank` that align with the last ones of the op.
static DimMap alignDims(size_t rank, size_t opRank) {
  DimMap dims(opRank);
  for (size_t i = 0; i < rank; ++i)
    dims[opRank - rank + i].push_back(i);
  return dims;
}

/// The op's dimensions are those of its first operand and of its result.
static DimSpace getSameDims(Operation *op) {
  DimSpace space;
  space.rank = getShape(op->getOperand(0)).size();
  space.operands.resize(op->getNumOperands());
  space.operands[0] = space.result = alignDims(space.rank, space.rank);
  return space;
}

static DimSpace getBroadcastDims(Operation *op) {
  DimSpace space;
  space.rank = getShape(op->getResult(0)).size();
  space.result = alignDims(space.rank, space.rank);
  for (Value operand : op->getOperands())
    space.operands.push_back(alignDims(getShape(operand).size(), space.rank));
  return space;
}

static std::optional<DimSpace> getReshapeDims(ReshapeOp op) {
  auto groups = getDimGroups(getShape(op.getInput()), getShape(op));
  if (!groups)
    return std::nullopt;
  DimSpace space;
  space.rank = groups->size();
  space.operands.resize(op->getNumOperands());
  for (const DimGroup &group : *groups) {
    auto from = llvm::seq<int64_t>(group.fromBegin, group.fromEnd);
    auto to = llvm::seq<int64_t>(group.toBegin, group.toEnd);
    space.operands[0].emplace_back(from.begin(), from.end());
    space.result.emplace_back(to.begin(), to.end());
  }
  return space;
}

/// Removes the reduced dimensions from the result.
static DimSpace getReducedDims(Operation *op, ArrayRef<int64_t> axes,
                               bool keepDims) {
  DimSpace space = getSameDims(op);
  if (keepDims)
    return space;
  int64_t next = 0;
  for (size_t d = 0; d < space.rank; ++d) {
    space.result[d].clear();
    if (!llvm::is_contained(axes, static_cast<int64_t>(d)))
      space.result[d].push_back(next++);
  }
  return space;
}

std::optional<DimSpace> brisk::getDimSpace(Operation *op) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  if (isa<ElementwiseOpInterface>(op))
    return getBroadcastDims(op);
  using Result = std::optional<DimSpace>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](ReshapeOp reshape) { return getReshapeDims(reshape); })
      .Case([](ConcatOp concat) -> Result { return getBroadcastDims(concat); })
      .Case([](SliceOp slice) -> Result {
        return slice.getSlices() ? getSameDims(slice) : Result();
      })
      .Case([](PadOp pad) -> Result {
        return pad.getPadding() ? getSameDims(pad) : Result();
      })
      .Case([](TileOp tile) -> Result {
        return getConstantInts(tile.getRepeats()) ? getSameDims(tile)
                                                  : Result();
      })
      .Case([](ExpandOp expand) -> Result {
        DimSpace space = getBroadcastDims(expand);
        space.operands[1].clear();
        return space;
      })
      .Case([](ReduceOp reduce) -> Result {
        auto axes = reduce.getReducedAxes();
        return axes ? getReducedDims(reduce, *axes, reduce.getKeepdims())
                    : Result();
      })
      .Case([](ArgReduceOp reduce) -> Result {
        return getReducedDims(reduce, reduce.getNormalizedAxis(),
                              reduce.getKeepdims());
      })
      .Case([](SoftmaxOp softmax) -> Result { return getSameDims(softmax); })
      .Case([](ResizeOp resize) -> Result { return getSameDims(resize); })
      .Case<LayerNormOp, RmsNormOp>(
          [](Operation *norm) -> Result { return getBroadcastDims(norm); })
      .Default([](Operation *) { return Result(); });
}

bool brisk::canPermute(Operation *op, ArrayRef<int64_t> permutation) {
  auto fixesFrom = [&](int64_t axis) {
    for (int64_t i = axis, e = permutation.size(); i < e; ++i)
      if (permutation[i] != i)
        return false;
    return true;
  };
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return fixesFrom(norm.getNormalizedAxis());
  if (auto norm = dyn_cast<RmsNormOp>(op))
    return fixesFrom(norm.getNormalizedAxis());
  return true;
}

bool brisk::isBroadcasting(Operation *op) {
  return isa<ElementwiseOpInterface, ExpandOp, LayerNormOp, RmsNormOp>(op);
}

SmallVector<int64_t> brisk::permuteShape(ArrayRef<int64_t> shape,
                                         const DimMap &dims,
                                         ArrayRef<int64_t> permutation,
                                         bool broadcast) {
  SmallVector<int64_t> result;
  bool lacksDims = false;
  for (int64_t d : permutation) {
    for (int64_t dim : dims[d])
      result.push_back(shape[dim]);
    if (broadcast && dims[d].empty()) {
      result.push_back(1);
      lacksDims = true;
    }
  }
  // Leading ones go without saying.
  if (lacksDims)
    result.erase(result.begin(),
                 llvm::find_if(result, [](int64_t dim) { return dim != 1; }));
  return result;
}

/// The place of dimension `axis` in the new order.
static int64_t findDim(ArrayRef<int64_t> permutation, int64_t axis) {
  return llvm::find(permutation, axis) - permutation.begin();
}

static Value permuteSlice(OpBuilder &b, SliceOp op, RankedTensorType type,
                          Value input, ArrayRef<int64_t> permutation) {
  Location loc = op.getLoc();
  SmallVector<SliceRange> ranges = *op.getSlices();
  SmallVector<int64_t> starts, ends, axes, steps;
  for (auto [i, d] : llvm::enumerate(permutation)) {
    SliceRange range = ranges[d];
    if (range.step == 1 && range.size == getShape(op.getInput())[d])
      continue;
    int64_t end = range.start + range.size * range.step;
    starts.push_back(range.start);
    // Running backwards, the place before the first is named by a far one.
    ends.push_back(end < 0 ? std::numeric_limits<int64_t>::min() : end);
    axes.push_back(i);
    steps.push_back(range.step);
  }
  bool isDense = llvm::all_of(steps, [](int64_t step) { return step == 1; });
  return SliceOp::create(b, loc, type, input, makeInts(b, loc, starts),
                         makeInts(b, loc, ends), makeInts(b, loc, axes),
                         isDense ? Value() : makeInts(b, loc, steps));
}

static Value permutePad(OpBuilder &b, PadOp op, RankedTensorType type,
                        Value input, ArrayRef<int64_t> permutation) {
  auto padding = *op.getPadding();
  SmallVector<int64_t> pads;
  for (int64_t d : permutation)
    pads.push_back(padding[d].first);
  for (int64_t d : permutation)
    pads.push_back(padding[d].second);
  return PadOp::create(b, op.getLoc(), type, input,
                       makeInts(b, op.getLoc(), pads), op.getValue(), Value(),
                       op.getMode());
}

/// `op`, cloned, with new operands and result type.
static Operation *cloneWith(OpBuilder &b, Operation *op, Type type,
                            ValueRange operands) {
  Operation *clone = b.clone(*op);
  clone->setOperands(operands);
  clone->getResult(0).setType(type);
  return clone;
}

Value brisk::permuteOp(OpBuilder &b, Operation *op, const DimSpace &space,
                       ValueRange operands, ArrayRef<int64_t> permutation) {
  Location loc = op->getLoc();
  auto old = cast<RankedTensorType>(op->getResult(0).getType());
  RankedTensorType type =
      old.clone(permuteShape(old.getShape(), space.result, permutation, false));
  Value input = operands[0];
  auto clone = [&](ValueRange values) {
    return cloneWith(b, op, type, values);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ReshapeOp) {
        return makeReshape(b, loc, input, type.getShape());
      })
      .Case([&](ConcatOp concat) {
        int64_t axis = concat.getAxis();
        axis += axis < 0 ? type.getRank() : 0;
        auto result = cast<ConcatOp>(clone(operands));
        result.setAxis(findDim(permutation, axis));
        return result.getResult();
      })
      .Case([&](SliceOp slice) {
        return permuteSlice(b, slice, type, input, permutation);
      })
      .Case([&](PadOp pad) {
        return permutePad(b, pad, type, input, permutation);
      })
      .Case([&](TileOp tile) {
        SmallVector<int64_t> repeats = *getConstantInts(tile.getRepeats());
        SmallVector<int64_t> permuted;
        for (int64_t d : permutation)
          permuted.push_back(repeats[d]);
        return clone({input, makeInts(b, loc, permuted)})->getResult(0);
      })
      .Case([&](ExpandOp) {
        return clone({input, makeInts(b, loc, type.getShape())})->getResult(0);
      })
      .Case([&](ReduceOp reduce) -> Value {
        SmallVector<int64_t> axes;
        SmallVector<int64_t> reduced = *reduce.getReducedAxes();
        for (int64_t axis : reduced)
          axes.push_back(findDim(permutation, axis));
        llvm::sort(axes);
        auto result =
            ReduceOp::create(b, loc, type, input, makeInts(b, loc, axes),
                             reduce.getKind(), reduce.getKeepdims(),
                             /*noop_with_empty_axes=*/true);
        return result;
      })
      .Case([&](ArgReduceOp reduce) {
        auto result = cast<ArgReduceOp>(clone(operands));
        result.setAxis(findDim(permutation, reduce.getNormalizedAxis()));
        return result.getResult();
      })
      .Case([&](SoftmaxOp softmax) {
        auto result = cast<SoftmaxOp>(clone(operands));
        result.setAxis(findDim(permutation, softmax.getNormalizedAxis()));
        return result.getResult();
      })
      .Case([&](ResizeOp resize) {
        // Sizes and scales keep their order; the axes say where they belong.
        SmallVector<int64_t> axes;
        int64_t rank = permutation.size();
        if (auto given = resize.getAxes())
          axes.assign(given->begin(), given->end());
        else
          axes.assign(llvm::seq<int64_t>(0, rank).begin(),
                      llvm::seq<int64_t>(0, rank).end());
        for (int64_t &axis : axes)
          axis = findDim(permutation, axis < 0 ? axis + rank : axis);
        auto result = cast<ResizeOp>(clone(operands));
        result.setAxes(axes);
        return result.getResult();
      })
      .Default([&](Operation *) { return clone(operands)->getResult(0); });
}

int64_t brisk::getOrderPenalty(Operation *op, ArrayRef<int64_t> permutation) {
  std::optional<int64_t> axis;
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    axis = softmax.getNormalizedAxis();
  else if (auto reduce = dyn_cast<ArgReduceOp>(op))
    axis = reduce.getNormalizedAxis();
  if (!axis)
    return 0;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  for (int64_t d : llvm::reverse(permutation)) {
    if (d == *axis)
      return 0;
    if (type.getDimSize(d) != 1)
      break;
  }
  return type.getNumElements() * getElementBytes(type.getElementType());
}
