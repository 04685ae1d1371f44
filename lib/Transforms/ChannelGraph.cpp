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
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace brisk;

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
  bool isAlone = kind == Kind::Coupled && isDepthwise(op);
  bool isLayer = kind == Kind::Scaled
                     ? takesScales(op)
                     : (isAlone || mixesChannels(op)) && hasConstantBias(op);
  if (!has(input) || !isLayer)
    return false;
  int64_t from = getShape(input).size() - 1, to = getShape(result).size() - 1;
  pinAllBut(input, from);
  pinAllBut(result, to);
  if (isAlone)
    joinDims(input, from, result, to);
  return true;
}

std::optional<int64_t> ChannelGraph::Slot::findDim(int64_t dim) const {
  const auto *found = llvm::find(kept, dim);
  return found == kept.end() ? std::nullopt
                             : std::optional(found - kept.begin());
}

/// Dimensions that operands repeat do not depend on each other.
bool ChannelGraph::connectDims(ComputeOpInterface op) {
  Value result = op->getResult(0);
  BitVector isKept(getShape(result).size());
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (op.isParameter(i))
      continue;
    for (auto [dim, to] : llvm::enumerate(op.getKeptDims(i))) {
      if (to >= 0)
        isKept.set(to);
      if (!has(operand))
        continue;
      if (to >= 0)
        joinDims(operand, dim, result, to);
      else if (getShape(operand)[dim] != 1)
        pin(operand, dim);
    }
  }
  for (auto [dim, size] : llvm::enumerate(getShape(result)))
    if (!isKept[dim] && size != 1)
      pin(result, dim);
  return true;
}

/// Lets all operands, and the result if it is not null, have the same scales.
void ChannelGraph::joinAll(ArrayRef<Slot> slots, Value result) {
  if (slots.empty())
    return;
  int64_t rank = 0;
  for (const Slot &slot : slots)
    for (int64_t dim : slot.kept)
      rank = std::max(rank, dim + 1);
  if (result)
    rank = getShape(result).size();
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isShared = llvm::all_of(
        slots, [&](const Slot &slot) { return slot.findDim(dim).has_value(); });
    const Slot &first = slots.front();
    for (const Slot &slot : slots) {
      auto at = slot.findDim(dim);
      if (at && isShared)
        joinDims(slot.value, *at, first.value, *first.findDim(dim));
      else if (at)
        pin(slot.value, *at);
    }
    if (result && isShared)
      joinDims(first.value, *first.findDim(dim), result, dim);
    else if (result)
      pin(result, dim);
  }
}

/// Of two factors, one may have scales, which the product has then.
void ChannelGraph::multiply(ArrayRef<Slot> slots, Value result) {
  for (int64_t dim = 0, rank = getShape(result).size(); dim < rank; ++dim) {
    SmallVector<std::pair<Value, int64_t>, 2> have;
    for (const Slot &slot : slots)
      if (auto at = slot.findDim(dim))
        have.emplace_back(slot.value, *at);
    if (have.size() == 2)
      products.push_back({have[0].first, have[0].second, have[1].first,
                          have[1].second, result, dim});
    else if (have.size() == 1)
      joinDims(have[0].first, have[0].second, result, dim);
    else
      pin(result, dim);
  }
}

/// Joins places of what an op scales likewise, and pins what it does not.
bool ChannelGraph::connectScales(ComputeOpInterface op) {
  Value result = op->getResult(0);
  SmallVector<Slot> factors, together, unchanged;
  bool takesAny = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Scaling scaling = op.getScaling(i);
    if (op.isParameter(i))
      continue;
    if (!has(operand)) {
      if (!isa<ElementwiseOpInterface>(op.getOperation()))
        return false;
      takesAny |= scaling == Scaling::Alone || scaling == Scaling::Inverse;
      continue;
    }
    Slot slot{operand, op.getKeptDims(i)};
    for (auto [dim, to] : llvm::enumerate(slot.kept))
      if (to < 0 || scaling == Scaling::None || scaling == Scaling::Inverse)
        pin(operand, dim);
    if (scaling == Scaling::Alone)
      factors.push_back(std::move(slot));
    else if (scaling == Scaling::Together)
      together.push_back(std::move(slot));
    else if (scaling == Scaling::Unchanged)
      unchanged.push_back(std::move(slot));
  }
  joinAll(unchanged, Value());
  joinAll(together, result);
  if (takesAny && !factors.empty())
    return true;
  if (!factors.empty())
    multiply(factors, result);
  else if (together.empty())
    pin(result);
  return true;
}

void ChannelGraph::connectProducts() {
  while (!products.empty()) {
    size_t before = products.size();
    llvm::erase_if(products, [&](const Product &product) {
      bool left = isFree(product.lhs, product.lhsDim),
           right = isFree(product.rhs, product.rhsDim);
      if (left && right)
        return false;
      if (left)
        joinDims(product.lhs, product.lhsDim, product.result, product.dim);
      else if (right)
        joinDims(product.rhs, product.rhsDim, product.result, product.dim);
      else
        pin(product.result, product.dim);
      return true;
    });
    // Any choice will do: that of a gate of few elements is left alone.
    if (products.size() == before) {
      const Product &product = products.front();
      if (countElements(product.lhs) < countElements(product.rhs))
        pin(product.lhs, product.lhsDim);
      else
        pin(product.rhs, product.rhsDim);
    }
  }
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
  auto findDims = [&](Value value, size_t begin, size_t end) {
    SmallVector<int64_t> dims;
    for (size_t i = begin; i < end; ++i)
      if (getShape(value)[i] != 1)
        dims.push_back(i);
      else
        // What is on the other side does not show which dimension this was.
        pin(value, i);
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
  if (isa<ConstantOp>(op))
    return true;
  if (isa<WeightedOpInterface>(op))
    return connectLayer(op);
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute || op->getNumResults() != 1 || !compute.hasKnownParameters())
    return false;
  bool scales = kind == Kind::Scaled;
  if (findView(op)) {
    if (scales && compute.getScaling(0) != Scaling::Together)
      return false;
    auto reshape = dyn_cast<ReshapeOp>(op);
    return reshape ? connectReshape(reshape) : connectView(op);
  }
  return scales ? connectScales(compute) : connectDims(compute);
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

ChannelGraph::ChannelGraph(func::FuncOp function, Kind kind) : kind(kind) {
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
  connectProducts();
  for (const Folding &folding : foldings)
    connectFolding(folding);
  classes.compress();
}
