//===- LayoutRewriter.cpp - A block in the layouts chosen -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraph.h"
#include "brisk/Dialect/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace brisk;

using Class = LayoutGraph::Class;
using Member = LayoutGraph::Member;
using Node = LayoutGraph::Node;
using Order = LayoutGraph::Order;

namespace {
class LayoutRewriter {
public:
  explicit LayoutRewriter(LayoutGraph &graph)
      : graph(graph), b(graph.getBlock().getParentOp()->getContext()) {
    for (const Class &c : graph.getClasses())
      available.push_back({{c.produced, c.value}});
  }

  void run();

private:
  /// The value of a class in an order and shape, made at the insertion point if
  /// it is not there.
  Value get(Location loc, unsigned classId, const Order &order,
            ArrayRef<int64_t> shape);
  void permute(const Node &node);
  void replaceOperands(Operation *op, Operation *position);

  LayoutGraph &graph;
  OpBuilder b;
  /// By class, in which orders it is there so far.
  std::vector<SmallVector<std::pair<Order, Value>, 2>> available;
};
} // namespace

Value LayoutRewriter::get(Location loc, unsigned classId, const Order &order,
                          ArrayRef<int64_t> shape) {
  auto &there = available[classId];
  for (auto &[known, value] : there)
    if (known == order)
      return makeReshape(b, loc, value, shape);
  auto [from, value] = there.front();
  ArrayRef<int64_t> sizes = graph.getClasses()[classId].sizes;
  SmallVector<int64_t> runs, runSizes, permutation;
  // Of the same rank: dimension by dimension, ones for ones.
  ArrayRef<int64_t> source = getShape(value);
  if (source.size() == shape.size()) {
    SmallVector<int64_t> dims, ones;
    for (auto [i, size] : llvm::enumerate(source))
      (size == 1 ? ones : dims).push_back(i);
    size_t nextAxis = 0, nextOne = 0;
    for (int64_t size : shape)
      permutation.push_back(
          size == 1 ? ones[nextOne++]
                    : dims[llvm::find(from, order[nextAxis++]) - from.begin()]);
    Value result = makeTranspose(b, loc, value, permutation);
    there.push_back({order, result});
    return result;
  }
  // Otherwise axes that stay together move as one.
  for (auto [i, axis] : llvm::enumerate(from)) {
    auto *at = llvm::find(order, axis);
    bool joins = i > 0 && at != order.begin() && *std::prev(at) == from[i - 1];
    if (joins) {
      runSizes.back() *= sizes[axis];
      continue;
    }
    runs.push_back(axis);
    runSizes.push_back(sizes[axis]);
  }
  for (int64_t axis : order)
    if (auto *run = llvm::find(runs, axis); run != runs.end())
      permutation.push_back(run - runs.begin());
  Value flat = makeReshape(b, loc, value, runSizes);
  Value moved = makeTranspose(b, loc, flat, permutation);
  Value result = makeReshape(b, loc, moved, shape);
  there.push_back({order, result});
  return result;
}

/// Gives `op`, which is at or within `position`, operands in the orders that it
/// has them in.
void LayoutRewriter::replaceOperands(Operation *op, Operation *position) {
  b.setInsertionPoint(position);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    const Member *member = graph.findMember(value);
    if (!member ||
        (op != position && value.getParentBlock() != &graph.getBlock()))
      continue;
    Operation *def = value.getDefiningOp();
    const Node *node = def ? graph.findNode(def) : nullptr;
    bool stays = !def || (!graph.isAlias(def) && (!node || node->stays()));
    if (!stays)
      operand.set(get(op->getLoc(), member->classId, member->getOrder(),
                      getShape(value)));
  }
}

/// Replaces a node's op by one that runs in the order chosen.
void LayoutRewriter::permute(const Node &node) {
  PermutableOpInterface op = node.op;
  ArrayRef<int64_t> permutation = node.permutation[node.chosen];
  b.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    const Member &member = graph.getSlot(node, i);
    bool isParameter = node.space.operands[i].empty();
    operands.push_back(isParameter ? get(op->getLoc(), member.classId,
                                         member.getOrder(), getShape(value))
                                   : get(op->getLoc(), member.classId,
                                         graph.getOrder(node, i, node.chosen),
                                         node.space.permuteOperand(
                                             i, getShape(value), permutation)));
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  type = type.clone(node.space.permuteResult(type.getShape(), permutation));
  Value result = op.permute(b, type, operands, permutation);
  available[graph.getSlot(node, -1).classId] = {
      {graph.getOrder(node, -1, node.chosen), result}};
}

void LayoutRewriter::run() {
  SmallVector<Operation *> ops =
      llvm::map_to_vector(graph.getBlock(), [](Operation &op) { return &op; });
  for (Operation *op : ops) {
    if (isa<ConstantOp>(op) || graph.isAlias(op))
      continue;
    if (const Node *node = graph.findNode(op); node && !node->stays()) {
      permute(*node);
      continue;
    }
    replaceOperands(op, op);
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) { replaceOperands(inner, op); });
  }
  // Blocks within ops have graphs of their own.
  for (Operation *op : llvm::reverse(ops))
    if (op->getNumRegions() == 0 && isOpTriviallyDead(op))
      op->erase();
}

void brisk::applyLayouts(LayoutGraph &graph) { LayoutRewriter(graph).run(); }
