//===- ChannelGraph.cpp - Which channels go together ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Transforms/ChannelGraph.h"
#include "WeightScaling.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/View.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace brisk;

static bool hasConstantWeights(Operation *op) {
  if (!isa<WeightedOpInterface>(op) ||
      !isFoldable(op->getResult(0).getType()) || getConstant(op->getOperand(0)))
    return false;
  ElementsAttr weights = getConstant(op->getOperand(1));
  if (!weights || weights.getNumElements() == 0)
    return false;
  // What repeats one element may be larger than memory, and is not written out.
  constexpr int64_t most = 1 << 24;
  return weights.getNumElements() <= most || !getSplatElement(weights);
}

bool brisk::mixesChannels(Operation *op) {
  if (!hasConstantWeights(op))
    return false;
  return TypeSwitch<Operation *, bool>(op)
      .Case<ConvOp, ConvTransposeOp>(
          [](auto conv) { return conv.getGroup() == 1; })
      .Case([](MatmulOp product) {
        return getShape(product.getRhs()).size() == 2;
      })
      .Default([](Operation *) { return false; });
}

bool brisk::isDepthwise(Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || !hasConstantWeights(op))
    return false;
  int64_t groups = conv.getGroup();
  return groups != 1 && groups == getShape(conv.getInput()).back() &&
         groups == getShape(conv).back();
}

void ChannelGraph::addValue(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || getConstant(value))
    return;
  values.push_back(value);
  auto &own = starts[value];
  for (int64_t size : type.getShape()) {
    own.push_back(next);
    next += size;
  }
}

void ChannelGraph::join(Value a, int64_t dimA, int64_t placeA, Value b,
                        int64_t dimB, int64_t placeB, int64_t count) {
  unsigned first = starts.lookup(a)[dimA] + placeA,
           second = starts.lookup(b)[dimB] + placeB;
  for (int64_t i = 0; i < count; ++i)
    classes.join(first + i, second + i);
}

void ChannelGraph::joinDims(Value a, int64_t dimA, Value b, int64_t dimB) {
  join(a, dimA, 0, b, dimB, 0, getShape(a)[dimA]);
}

void ChannelGraph::pin(Value value, int64_t dim) {
  unsigned first = starts.lookup(value)[dim];
  for (int64_t i = 0, size = getShape(value)[dim]; i < size; ++i)
    classes.join(0, first + i);
}

void ChannelGraph::pinAllBut(Value value, int64_t dim) {
  if (!has(value))
    return;
  for (int64_t i = 0, rank = getShape(value).size(); i < rank; ++i)
    if (i != dim)
      pin(value, i);
}

void ChannelGraph::pin(Value value) { pinAllBut(value, -1); }

/// True if some place of a dimension may go, as far as is known.
bool ChannelGraph::isFree(Value value, int64_t dim) const {
  unsigned first = starts.lookup(value)[dim], pinned = classes.findLeader(0);
  for (int64_t i = 0, size = getShape(value)[dim]; i < size; ++i)
    if (classes.findLeader(first + i) != pinned)
      return true;
  return false;
}

bool ChannelGraph::connectLayer(Operation *op) {
  Value input = op->getOperand(0), result = op->getResult(0);
  bool isAlone = isDepthwise(op);
  if (!has(input) || (!isAlone && !mixesChannels(op)))
    return false;
  if (op->getNumOperands() > 2 && !getConstant(op->getOperand(2)))
    return false;
  int64_t from = getShape(input).size() - 1, to = getShape(result).size() - 1;
  pinAllBut(input, from);
  pinAllBut(result, to);
  if (isAlone)
    joinDims(input, from, result, to);
  return true;
}

/// Dimensions that operands repeat do not depend on each other.
bool ChannelGraph::connectElementwise(Operation *op) {
  Value result = op->getResult(0);
  ArrayRef<int64_t> to = getShape(result);
  for (Value operand : op->getOperands()) {
    if (!has(operand))
      continue;
    ArrayRef<int64_t> from = getShape(operand);
    size_t lacking = to.size() - from.size();
    for (size_t i = 0; i < from.size(); ++i)
      if (from[i] == to[lacking + i])
        joinDims(operand, i, result, lacking + i);
  }
  return true;
}

/// Slices, concatenations and margins.
bool ChannelGraph::connectView(Operation *op) {
  std::optional<View> view = findView(op);
  if (!view || view->kind == View::Reshape)
    return false;
  Value result = op->getResult(0);
  for (auto [operand, offsets] : llvm::zip(op->getOperands(), view->offsets)) {
    if (!has(operand))
      return false;
    for (auto [dim, offset] : llvm::enumerate(offsets)) {
      int64_t from = getShape(operand)[dim], to = getShape(result)[dim];
      if (view->margin && from != to) {
        pin(operand, dim);
        pin(result, dim);
      } else if (view->kind == View::Part) {
        join(operand, dim, offset, result, dim, 0, to);
      } else {
        join(operand, dim, 0, result, dim, offset, from);
      }
    }
  }
  return true;
}

void ChannelGraph::connectGroup(ReshapeOp op, const DimGroup &group) {
  Value input = op.getInput(), result = op.getResult();
  auto findDims = [](Value value, size_t begin, size_t end) {
    SmallVector<int64_t> dims;
    for (size_t i = begin; i < end; ++i)
      if (getShape(value)[i] != 1)
        dims.push_back(i);
    return dims;
  };
  SmallVector<int64_t> from = findDims(input, group.fromBegin, group.fromEnd);
  SmallVector<int64_t> to = findDims(result, group.toBegin, group.toEnd);
  if (from.size() == 1 && to.size() == 1)
    joinDims(input, from.front(), result, to.front());
  else if (to.size() == 1)
    foldings.push_back(
        {result, static_cast<size_t>(to.front()), input, std::move(from)});
  else if (from.size() == 1)
    foldings.push_back(
        {input, static_cast<size_t>(from.front()), result, std::move(to)});
  else
    for (const auto &[value, dims] :
         {std::pair(input, from), std::pair(result, to)})
      for (int64_t dim : dims)
        pin(value, dim);
}

bool ChannelGraph::connectReshape(ReshapeOp op) {
  auto groups = op.getDimGroups();
  if (!groups || !has(op.getInput()))
    return false;
  for (const DimGroup &group : *groups)
    connectGroup(op, group);
  return true;
}

/// Which of the dimensions that are folded has channels shows in the rest of
/// the model: it is the one that is not pinned.
void ChannelGraph::connectFolding(const Folding &folding) {
  SmallVector<int64_t> free;
  for (int64_t dim : folding.wideDims)
    if (isFree(folding.wide, dim))
      free.push_back(dim);
  if (free.size() != 1 || !isFree(folding.flat, folding.flatDim)) {
    pin(folding.flat, folding.flatDim);
    for (int64_t dim : free)
      pin(folding.wide, dim);
    return;
  }
  ArrayRef<int64_t> shape = getShape(folding.wide);
  int64_t channels = shape[free.front()], inner = 1;
  for (int64_t dim : folding.wideDims)
    inner *= dim > free.front() ? shape[dim] : 1;
  for (int64_t i = 0, e = getShape(folding.flat)[folding.flatDim]; i < e; ++i)
    join(folding.flat, folding.flatDim, i, folding.wide, free.front(),
         i / inner % channels, 1);
}

bool ChannelGraph::connect(Operation *op) {
  if (isa<WeightedOpInterface>(op))
    return connectLayer(op);
  if (isa<ElementwiseOpInterface>(op))
    return connectElementwise(op);
  return TypeSwitch<Operation *, bool>(op)
      .Case<ConstantOp>([](auto) { return true; })
      .Case([&](ReshapeOp reshape) { return connectReshape(reshape); })
      .Case([&](TransposeOp transpose) {
        if (!has(transpose.getInput()))
          return false;
        for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
          joinDims(transpose.getInput(), from, transpose, to);
        return true;
      })
      .Case<MaxPoolOp, AveragePoolOp, LpPoolOp>([&](auto pool) {
        int64_t last = getShape(pool).size() - 1;
        if (!has(pool.getInput()))
          return false;
        pinAllBut(pool.getInput(), last);
        pinAllBut(pool, last);
        joinDims(pool.getInput(), last, pool, last);
        return true;
      })
      .Case([&](ReduceOp reduce) {
        auto axes = reduce.getReducedAxes();
        if (!axes || !has(reduce.getInput()))
          return false;
        int64_t to = 0, rank = getShape(reduce.getInput()).size();
        for (int64_t dim = 0; dim < rank; ++dim) {
          bool isReduced = llvm::is_contained(*axes, dim);
          if (isReduced)
            pin(reduce.getInput(), dim);
          else
            joinDims(reduce.getInput(), dim, reduce, to);
          to += !isReduced || reduce.getKeepdims();
        }
        return true;
      })
      .Default([&](Operation *other) { return connectView(other); });
}

bool ChannelGraph::canHold(func::FuncOp function) {
  constexpr int64_t most = 1 << 24;
  int64_t places = 0;
  auto add = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (int64_t size : type.getShape())
        places += std::min(size, most);
  };
  function.walk<WalkOrder::PreOrder>([&](Block *block) {
    llvm::for_each(block->getArguments(), add);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), add);
  });
  return places <= most;
}

ChannelGraph::ChannelGraph(func::FuncOp function) {
  function.walk<WalkOrder::PreOrder>([&](Block *block) {
    for (Value argument : block->getArguments())
      addValue(argument);
    for (Operation &op : *block)
      for (Value result : op.getResults())
        addValue(result);
  });
  classes.grow(next);
  function.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        pin(argument);
    if (connect(op))
      return;
    for (Value operand : op->getOperands())
      pin(operand);
    for (Value result : op->getResults())
      pin(result);
  });
  for (const Folding &folding : foldings)
    connectFolding(folding);
  classes.compress();
}
